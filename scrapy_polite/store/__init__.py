"""What outlives a crawl. One interface (`base.Store`), one file per kind of store."""

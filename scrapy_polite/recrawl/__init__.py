"""Coming back to pages: when to ask again, with which conditions, and whether a page has changed. Pure rules."""

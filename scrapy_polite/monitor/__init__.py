"""What a person sees of a crawl."""

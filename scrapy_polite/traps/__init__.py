"""Spaces without an end: what a URL betrays by itself, and what only many pages do. Pure rules that know no Scrapy."""

"""A robots.txt built of rules with agents, paths, validity and reasons (`scrapy robots build`); without Scrapy."""

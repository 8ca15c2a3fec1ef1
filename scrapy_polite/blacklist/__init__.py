"""What must never be visited: lists of hosts, addresses and URLs. Pure rules that know no Scrapy."""

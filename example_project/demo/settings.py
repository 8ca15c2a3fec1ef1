"""Settings of an ordinary project; the line that turns polite crawling on is ADDONS."""

import os

BOT_NAME = "demo"
SPIDER_MODULES = ["demo.spiders"]

# The one line. It also turns ROBOTSTXT_OBEY on.
ADDONS = {"scrapy_polite.Addon": 300}

# Who crawls, and how an operator can reach you: change both before you crawl other people's sites.
USER_AGENT = "scrapy-polite-demo/1.0 (+https://example.com/crawler)"
POLITE_CONTACT_EMAIL = "crawler@example.com"

# What must never be visited: one entry a line, read anew while a crawl runs.
POLITE_BLACKLISTS = ["lists/*.txt"]

# The demo is to be short: a site that looks endless gets a hundred pages when all else is read, not five hundred.
POLITE_TRAP_BUDGET = 100

# Many workers on one crawl (demo/workers.py, deploy/): the Redis or Valkey server that they share. Its URL may hold a
# password, so it comes by the environment.
if server := os.environ.get("CRAWL_SERVER"):
    POLITE_STORE = POLITE_FRONTIER = server
    POLITE_JOB = os.environ.get("CRAWL_JOB")

CONCURRENT_REQUESTS = 32

# Scrapy makes so many tasks for each page, whatever it yields: the default, 100, takes a sixth of the demo's CPU.
CONCURRENT_ITEMS = 8

# Nothing here needs the consoles that Scrapy opens by default.
TELNETCONSOLE_ENABLED = False
REMOTE_CONTROL_ENABLED = False

LOG_LEVEL = "INFO"

"""`check`: what is wrong with a robots.txt, what readers make of it, and the fix. Knows no Scrapy."""

from scrapy_polite.robots.lint.checks import KINDS, check
from scrapy_polite.robots.lint.finding import ERROR, HINT, Edit, Finding, Proof, Report

__all__ = ["ERROR", "HINT", "KINDS", "Edit", "Finding", "Proof", "Report", "check"]

"""Metrics of all crawls of a project, for Prometheus, from the snapshots of their run records; without Scrapy.

The unit is a spider, with its job where there is one: what its runs have counted, and how those stand that are under
way. Names follow https://prometheus.io/docs/practices/naming/.
"""

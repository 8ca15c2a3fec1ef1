"""Serve /robots.txt of the many hosts of a large site, as a WSGI or an ASGI application.

    # robots_app.py: gunicorn robots_app:application
    from scrapy_polite.serve import WsgiApp

    application = WsgiApp("robots.sqlite")

`RobotsStore`, or `scrapy robots publish`, puts rules into the file.
"""

from __future__ import annotations

from scrapy_polite.robots.serving.apps import AsgiApp, WsgiApp
from scrapy_polite.robots.serving.store import ConfirmationNeeded, RobotsStore, StoreError

__all__ = ["AsgiApp", "ConfirmationNeeded", "RobotsStore", "StoreError", "WsgiApp"]

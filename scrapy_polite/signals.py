"""Scrapy signals of our own, to be connected to with `crawler.signals.connect`."""

from __future__ import annotations

#: `polite_refused(request, decision)`: a request was refused; `decision` is a `scrapy_polite.decision.Decision`.
polite_refused = object()

#: `polite_alert(alert)`: something that a person should know now; `alert` is a `scrapy_polite.alert.Alert`.
polite_alert = object()

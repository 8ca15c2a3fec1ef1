"""Scrapy signals of our own, to be connected to with `crawler.signals.connect`."""

from __future__ import annotations

#: `polite_refused(request, decision)`: a request was refused; `decision` is a `scrapy_polite.decision.Decision`.
polite_refused = object()

#: `polite_alert(alert)`: something that a person should know now; `alert` is a `scrapy_polite.alert.Alert`.
polite_alert = object()

#: `polite_takedown(takedown)`: what an owner has asked to be forgotten is to be deleted; `takedown` is a
#: `scrapy_polite.takedown.Takedown`. What a receiver returns goes into the log of takedowns; what it raises, too.
polite_takedown = object()

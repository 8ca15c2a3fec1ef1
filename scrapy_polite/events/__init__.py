"""What happens in a crawl, as one stream of small values, and those who read it: stats, log, tallies, the refused file.

Parts of the crawl publish (`shared(crawler, Events).publish(RequestSent(...))`) and know no reader; a reader takes the
kinds of events it is for and asks nobody else.
"""

from scrapy_polite.events.stream import Events
from scrapy_polite.events.values import (
    RULES_STATES,
    Event,
    Fault,
    GroupCleared,
    GroupEnded,
    GroupSuspected,
    HostAbandoned,
    HostClosed,
    HostOpened,
    HostWait,
    ItemDropped,
    LimitUnmet,
    LinkDeferred,
    LinkLeft,
    LinksLeft,
    LongUrl,
    PaceSet,
    Recovered,
    RequestAnswered,
    RequestRefused,
    RequestSent,
    RobotsAnswered,
    RobotsApplied,
    RobotsWait,
    WaitTooLong,
)

__all__ = (
    "RULES_STATES",
    "Event",
    "Events",
    "Fault",
    "GroupCleared",
    "GroupEnded",
    "GroupSuspected",
    "HostAbandoned",
    "HostClosed",
    "HostOpened",
    "HostWait",
    "ItemDropped",
    "LimitUnmet",
    "LinkDeferred",
    "LinkLeft",
    "LinksLeft",
    "LongUrl",
    "PaceSet",
    "Recovered",
    "RequestAnswered",
    "RequestRefused",
    "RequestSent",
    "RobotsAnswered",
    "RobotsApplied",
    "RobotsWait",
    "WaitTooLong",
)

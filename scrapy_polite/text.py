"""Text for a person: what came from the network made safe to show, durations, times, plurals."""

from __future__ import annotations

import re
from datetime import datetime, timezone
from html import unescape

_CREDENTIALS = re.compile(r"(?<=://)[^/?#\s\\]+@")
#: The end of the year 9999: what a datetime can say.
LAST_S = 253_402_300_799.0
#: Of a time that is no further off the seconds are told.
_NEAR_S = 600.0


def without_credentials(text: str) -> str:
    """A text whose URLs name no user and no password (RFC 3986 §3.2.1): `https://***@host/`."""
    return _CREDENTIALS.sub("***@", text) if "@" in text else text


def printable(text: str, limit: int = 200) -> str:
    """Text from the network, safe to show: without passwords; control, bidi and other invisible characters escaped; cut
    at `limit`."""
    text = without_credentials(text)
    cut = text if len(text) <= limit else text[: limit - 1] + "…"
    if cut.isprintable():
        return cut
    return "".join(c if c.isprintable() else c.encode("unicode_escape").decode("ascii") for c in cut)


def duration(seconds: float) -> str:
    """`45 s`, `5 min`, `6 h`, `2 days`."""
    for unit_s, unit in ((86_400, "days"), (3_600, "h"), (60, "min")):
        if seconds >= 2 * unit_s:
            return f"{seconds / unit_s:.0f} {unit}"
    return f"{max(seconds, 0):.0f} s"


def utc(seconds: float) -> datetime:
    """The time of epoch seconds; of what no datetime can say, the first or last: an imported store may say anything."""
    return datetime.fromtimestamp(min(max(seconds, 0.0), LAST_S), timezone.utc)


def epoch_of(text: str) -> float:
    """Epoch seconds of an ISO 8601 date or time, in UTC unless it says otherwise. Raises ValueError."""
    found = datetime.fromisoformat(text.replace("Z", "+00:00"))
    return (found if found.tzinfo else found.replace(tzinfo=timezone.utc)).timestamp()


def counted(count: int, noun: str, plural: str = "") -> str:
    """`1 request`, `2,000 requests`; with its plural where that is not just an s more: `2 copies`."""
    return f"{count:,} {noun if count == 1 else plural or noun + 's'}"


def moment(at: float, now: float) -> str:
    """A time (epoch seconds) for a person who reads it at `now`: `18:00 UTC`; with its date where that is another, with
    its seconds where it is near."""
    then = utc(at)
    if abs(at - now) < _NEAR_S:
        return f"{then:%H:%M:%S} UTC"
    return f"{then:%H:%M} UTC" if then.date() == utc(now).date() else f"{then:%Y-%m-%d %H:%M} UTC"


#: More figures than int() reads: no character.
_NO_CHARACTER = re.compile("&#[0-9]{1000,};?")


def unescaped(text: str) -> str:
    """HTML's text; `html.unescape` raises ValueError for a reference of more than 4,300 figures."""
    return unescape(_NO_CHARACTER.sub("\ufffd", text))

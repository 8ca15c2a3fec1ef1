"""What a page says, as 16 bytes. Two that differ in what a server writes anew each time only have the same."""

from __future__ import annotations

import re
from hashlib import blake2b

SIZE = 16
#: Of a page's markup: what guards its forms and scripts is new each time, and says nothing. All else counts: what is
#: taken for no change is not looked at again.
_NEW_EACH_TIME = re.compile(
    rb"""\bnonce\s*=\s*(?:"[^"<>]{0,200}"|'[^'<>]{0,200}')"""
    rb"""|<(?:input|meta)\b[^<>]{0,200}?(?:csrf|xsrf|authenticity_token|__VIEWSTATE|__EVENTVALIDATION)[^<>]{0,10000}>""",
    re.IGNORECASE,
)
_SPACE = re.compile(rb"\s+")


def fingerprint(body: bytes, *, markup: bool) -> bytes:
    """`markup`: whether it is HTML or XML."""
    if markup:
        body = _SPACE.sub(b" ", _NEW_EACH_TIME.sub(b"", body))
    return blake2b(body, digest_size=SIZE).digest()

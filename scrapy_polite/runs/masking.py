"""What of a URL does not go into a run record: passwords, and the values of query parameters by a list of names."""

from __future__ import annotations

import re
from collections.abc import Iterable

from scrapy_polite.text import without_credentials

MASK = "***"
DEFAULT_NAMES = (
    "access_token",
    "api_key",
    "apikey",
    "auth",
    "client_secret",
    "key",
    "passwd",
    "password",
    "pwd",
    "secret",
    "session",
    "sessionid",
    "sid",
    "sig",
    "signature",
    "token",
    "x-amz-credential",
    "x-amz-security-token",
    "x-amz-signature",
)


class Masking:
    """Masks URLs. A name stands for itself in any case, and for its parts: `token` for `csrf_token` too."""

    def __init__(self, names: Iterable[str]) -> None:
        words = "|".join(sorted({re.escape(name.lower()) for name in names}, key=len, reverse=True))
        # Behind ? & ; (or in a fragment), up to the next of them: percent-encoded names are not looked into.
        self._values = (
            re.compile(rf"([?&;#](?:[^=&;#?]*[-_.\[])?(?:{words})\]?=)[^&;#\s]*", re.IGNORECASE) if words else None
        )

    def __call__(self, url: str) -> str:
        if "@" in url:
            url = without_credentials(url)
        if self._values is None or "=" not in url:
            return url
        return self._values.sub(rf"\g<1>{MASK}", url)

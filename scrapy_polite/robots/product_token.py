"""The name by which robots.txt addresses a crawler: its product token (RFC 9309 §2.2.1)."""

from __future__ import annotations

import re
from functools import lru_cache

# RFC 9309 and Google's parser know letters, "_" and "-" only; digits are kept to be judged in `groups.readings`.
_NAME = r"[A-Za-z0-9_-]+"
_LEADING = re.compile(_NAME)
_COMPATIBLE = re.compile(rf"\(\s*compatible\s*;\s*({_NAME})", re.IGNORECASE)
# Headers that imitate a browser name the crawler later: `Mozilla/5.0 (Linux; ...; compatible; Foobot/2.1; +https...)`.
_COMPATIBLE_LATER = re.compile(rf";\s*compatible\s*;\s*({_NAME})", re.IGNORECASE)


@lru_cache(maxsize=64)
def product_token(user_agent: str) -> str | None:
    """Return the product token of a User-Agent header or of a bare token, in its own case; None where there is none.

    It is the leading name (`Foobot/1.0 (+https://foobot.example)` → `Foobot`), or of a Mozilla-style header the name
    after `compatible;` (`Mozilla/5.0 (compatible; Foobot/2.1; +https://...)` → `Foobot`). A browser's header has none.
    """
    user_agent = user_agent.strip()
    leading = _LEADING.match(user_agent)
    if leading is None:
        return None
    if leading[0].lower() != "mozilla" or leading[0] == user_agent:
        return leading[0]
    compatible = _COMPATIBLE.search(user_agent) or _COMPATIBLE_LATER.search(user_agent)
    if compatible is None or compatible[1].upper() == "MSIE":
        return None
    return compatible[1]

"""A response as bytes, for the callback that is called with it again."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from scrapy.http import Headers
from scrapy.responsetypes import responsetypes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from scrapy.http import Response

#: What was of that transfer alone, and who got it: a cookie is not sent twice.
_NOT_KEPT = frozenset({b"set-cookie", b"content-encoding", b"transfer-encoding", b"content-length", b"connection"})


def packed(response: Response) -> bytes:
    headers = {
        name.decode("latin-1"): [value.decode("latin-1") for value in response.headers.getlist(name)]
        for name in response.headers
        if name.lower() not in _NOT_KEPT
    }
    return json.dumps({"status": response.status, "headers": headers}).encode() + b"\n" + response.body


def unpacked(data: bytes, url: str, flags: Sequence[str]) -> Response:
    """Raises ValueError for what `packed` cannot have written."""
    try:
        head, _, body = data.partition(b"\n")
        read = json.loads(head)
        headers = Headers(
            {name.encode("latin-1"): [v.encode("latin-1") for v in values] for name, values in read["headers"].items()}
        )
        kind = responsetypes.from_args(headers=headers, url=url, body=body)
        return kind(url=url, status=int(read["status"]), headers=headers, body=body, flags=list(flags))
    except (KeyError, TypeError, AttributeError) as error:
        raise ValueError(f"no kept response: {error}") from None

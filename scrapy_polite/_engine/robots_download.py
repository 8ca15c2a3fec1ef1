"""RobotsDownload: a robots.txt goes the way of the pages it is for, rendering APIs and proxies included."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import quote

from scrapy import Request
from scrapy.http.request import NO_CALLBACK

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from scrapy_polite._engine.engine import Engine
    from scrapy_polite.robots.fetcher import Reply

#: What of a page's meta belongs to the way it goes.
_WAY_META = ("proxy", "_auth_proxy", "bindaddress", "ftp_user", "ftp_password", "ftp_passive")
#: What of its headers. Scrapy takes a proxy's credentials out of meta at a request's first sending.
_WAY_HEADERS = (b"User-Agent", b"Proxy-Authorization")
#: Asked for in place of what pages ask for: servers that choose by it send the file, not a page about it.
_ACCEPT = b"text/plain,*/*;q=0.8"
#: What of a page's meta is not to be taken over where its whole request is a template (see RobotsDownload).
_OWN_META = (
    "download_slot",
    "download_latency",
    "depth",
    "retry_times",
    "redirect_times",
    "redirect_urls",
    "redirect_ttl",
)


class RobotsDownload:
    """How the pages of one target go, so that its robots.txt goes the same way: a `fetcher.Download`.

    With `POLITE_TARGET_URL` the page's request (to a rendering or proxy API) is the template: wherever it names the
    target, plain or percent-encoded, the URL asked for stands instead, and its Accept stays, which is for the
    API. Otherwise URL, User-Agent and proxy suffice.
    """

    def __init__(self, engine: Engine, page: Request, target: str) -> None:
        self._engine = engine
        self._page = page
        self._target = target

    async def __call__(self, url: str, headers: Mapping[str, str], *, timeout_s: float, max_bytes: int) -> Reply:
        request = self._request(url)
        request.headers.update(headers)
        request.headers[b"Accept-Encoding"] = b"identity"
        request.meta.update(
            {
                "dont_obey_robotstxt": True,
                "allow_offsite": True,
                "dont_redirect": True,
                "dont_retry": True,
                "dont_cache": True,
                "dont_merge_cookies": True,
                "handle_httpstatus_all": True,
                "autothrottle_dont_adjust_delay": True,
                "download_timeout": timeout_s,
                "download_maxsize": 0,
                "download_warnsize": 0,
                "download_fail_on_dataloss": False,
            }
        )
        return await self._engine.download(request, timeout_s=timeout_s, max_bytes=max_bytes)

    def _request(self, url: str) -> Request:
        page = self._page
        if page.url != self._target and (spelling := self._spelling_in_page()):
            meta = {key: value for key, value in page.meta.items() if key not in _OWN_META}
            old, new = spelling(self._target), spelling(url)
            return Request(
                page.url.replace(old, new),
                method=page.method,
                body=page.body.replace(old.encode(), new.encode()),
                headers=page.headers,
                meta=meta,
                callback=NO_CALLBACK,
                dont_filter=True,
            )
        request = Request(
            url, callback=NO_CALLBACK, meta={key: page.meta[key] for key in _WAY_META if key in page.meta}
        )
        for name in _WAY_HEADERS:
            if value := page.headers.get(name):
                request.headers[name] = value
        request.headers[b"Accept"] = _ACCEPT
        return request

    def _spelling_in_page(self) -> Callable[[str], str] | None:
        haystack = self._page.url + self._page.body.decode("latin-1")
        spellings: tuple[Callable[[str], str], ...] = (lambda url: quote(url, safe=""), quote, lambda url: url)
        return next((spelling for spelling in spellings if spelling(self._target) in haystack), None)

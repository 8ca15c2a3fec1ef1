"""A web server for `scale_out.py`: pages of some kilobytes with so many links each, on so many loopback addresses.

`python _link_server.py HOSTS PAGES LINKS BYTES LATENCY`: the page N links to the next ones of a tree over all hosts.
Each answer comes after LATENCY seconds.
"""

from __future__ import annotations

import asyncio
import sys

from _page_server import Pages, serve


def pages_at(port: int, hosts: int, pages: int, links: int, size: int) -> Pages:
    def page(number: int | None) -> tuple[bytes, bytes]:
        if number is None:
            return b"", b"text/plain"
        # A quarter are new, on any host; the others lead to pages of its own host that are known, or soon will be.
        first, known = number * (links // 4) + 1, number // 2 - (number // 2 - number) % hosts
        own = range(known % hosts if known < 0 else known, known + 2 * links * hosts, hosts)
        numbers = dict.fromkeys((*range(first, first + links // 4), *own))
        urls = "".join(
            f'<a href="http://127.0.0.{n % hosts + 1}:{port}/{n}">page</a>\n'
            for n in list(numbers)[:links]
            if n < pages
        )
        return f"<html><p>{number}</p>{urls}".encode().ljust(size), b"text/html"

    return page


def main() -> None:
    hosts, pages, links, size = map(int, sys.argv[1:5])
    asyncio.run(serve(lambda port: pages_at(port, hosts, pages, links, size), hosts, float(sys.argv[5])))


if __name__ == "__main__":
    main()

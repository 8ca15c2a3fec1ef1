"""What all processes of a job have to have alike: the spider, and the settings that decide pace and duplicates."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import TYPE_CHECKING

from scrapy_polite._redis.faults import RedisRefused, is_out_of_memory

if TYPE_CHECKING:
    import redis

#: The spider's name, and settings by name as they are shown.
About = Mapping[str, str]
SPIDER = "spider"


def compared(client: redis.Redis, prefix: str, job: str, about: About) -> list[str]:
    """Warnings about what the processes at work have otherwise; whoever comes while there are none says what is right.

    Raises RedisRefused where the job is another spider's, and an error of redis-py.
    """
    key, mine = prefix + "about", json.dumps(about)
    theirs = _read(_kept(client, key, mine))
    if theirs is None or theirs == about:
        return []
    spider = theirs.get(SPIDER, about[SPIDER])
    if spider != about[SPIDER]:
        raise RedisRefused(
            f"job {job} is of the spider {spider!r}, this is {about[SPIDER]!r}: give each spider a POLITE_JOB of its "
            f"own, or drop what the job has (scrapy polite drop {job})"
        )
    if not client.zcard(prefix + "w"):
        client.delete(key)
        _kept(client, key, mine)
        return []
    others = ", ".join(
        f"{name} {about.get(name, 'not set')} (theirs {theirs.get(name, 'not set')})"
        for name in sorted(about.keys() | theirs.keys())
        if about.get(name) != theirs.get(name)
    )
    said = f"this process has other settings than those at work: {others}"
    return [f"{said}. Give all of them the same: else pages may be fetched twice, or too soon"]


def _kept(client: redis.Redis, key: str, mine: str) -> object:
    """What is there already; else `mine` is from now on, unless the server is out of memory, which keeps nobody out."""
    try:
        return client.set(key, mine, nx=True, get=True)
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        return client.get(key)


def _read(value: object) -> dict[str, str] | None:
    """None where nothing, or nothing of ours, is there."""
    try:
        found = json.loads(value) if isinstance(value, bytes) else None
    except ValueError:
        return None
    if not (isinstance(found, dict) and all(isinstance(one, str) for one in found.values())):
        return None
    return found

"""Keys: all of one store, or of one job, begin alike and are in one hash slot, so that one script reaches them all.

`polite:{store:NAME}:` and `polite:{job:NAME}:`; what is within braces decides the slot
(https://redis.io/docs/latest/operate/oss_and_stack/reference/cluster-spec/, "Hash tags").
"""

from __future__ import annotations

from urllib.parse import quote

#: For the rules of an ACL.
PATTERN = "polite:*"

#: The run of the server that first had any of our keys: where it is another than the present one, the server has kept
#: what it held. In no slot of a store or job.
SERVER = "polite:server"


def prefix(kind: str, name: str) -> str:
    return f"polite:{{{kind}:{quote(name, safe=' ')}}}:"

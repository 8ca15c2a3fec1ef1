"""The shapes of a site's URLs, learned as they come: a trie of paths in which a position with many names becomes `*`.

The unit of work is one URL. A `Place` is a path's template (`/shop/*`) or, below it, a bucket: the template with a set
of parameter names (`/shop/*?page&sort`). Places hang together as a tree, so what holds of a place is known of all
below it. After the URL tree of Koppula et al. (WSDM'10), adaptive instead of mined.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Generic, TypeVar

#: A position with more names than this becomes `*`; names with so many places below them stay as they are.
MAX_NAMES = 24
_KEPT_SIZE = 8

#: Segments beyond are one position.
MAX_DEPTH = 6

#: Sets of parameter names told apart at one path.
MAX_NAME_SETS = 32

#: Places of one site: further URLs count to the nearest place there is.
MAX_PLACES = 4_096

#: What the names of places on a domain's hosts beyond the first begin with.
ELSEWHERE = "//*"

_SIZE = re.compile(r"\d{1,4}x\d{1,4}")

S = TypeVar("S")


class Place(Generic[S]):
    """One template, or one bucket of it: `label` is the last segment of the path, or the parameter names.

    `notes` is the user's own: what it keeps of the place.
    """

    __slots__ = ("_buckets", "_into", "_names", "depth", "is_bucket", "label", "notes", "parent", "size")

    def __init__(self, label: str, parent: Place[S] | None, *, is_bucket: bool = False) -> None:
        self.label = label
        self.parent = parent
        self.depth: int = parent.depth + 1 if parent else 0
        self.is_bucket = is_bucket
        self.size = 0
        self.notes: S | None = None
        self._names: dict[str, Place[S]] | None = None
        self._buckets: dict[str, Place[S]] | None = None
        self._into: Place[S] | None = None

    def __str__(self) -> str:
        if self.is_bucket:
            return f"{self._path()}?{self.label}" if self.label else self._path()
        if self.label or self.parent is None:
            return self._path().rstrip("/") + "/**"
        # A folder's own page, not what is in the folder.
        return self._path() + ("/**" if self._names else "?*")

    def _path(self) -> str:
        place = self.parent if self.is_bucket and self.parent is not None else self
        labels: list[str] = []
        above: Place[S] | None = place
        while above is not None:
            labels.append(above.label)
            above = above.parent
        return "/".join(reversed(labels)) if len(labels) > 1 else f"{place.label}/"

    @property
    def name_sets(self) -> int:
        """Sets of parameter names seen at this path."""
        return len(self._buckets or ())

    def below(self) -> Iterator[Place[S]]:
        """The paths that go on from here, and the buckets."""
        yield from (self._names or {}).values()
        yield from (self._buckets or {}).values()

    @property
    def current(self) -> Place[S]:
        """This place or, if its position became `*` in the meantime, the one that it went into."""
        place = self
        while place._into is not None:
            place = place._into
        return place

    def lineage(self) -> list[Place[S]]:
        """This place and those above it, the root last."""
        found: list[Place[S]] = []
        place: Place[S] | None = self
        while place is not None:
            place = place.current
            found.append(place)
            place = place.parent
        return found


class Templates(Generic[S]):
    """The places of one site; `label` is what their names begin with.

    `join` makes one of the notes of two places, the first of which may have none.
    """

    __slots__ = ("_join", "places", "root")

    def __init__(self, label: str = "", join: Callable[[S | None, S], S] | None = None) -> None:
        self._join = join
        self.root: Place[S] = Place(label, None)
        self.places = 1

    def place(self, path: str, query: str = "") -> Place[S]:
        """Return the bucket of a URL's path and query; both as they stand in the URL."""
        place = self.root
        segments = path.split("/")
        for segment in segments[1 : MAX_DEPTH + 1]:
            below = self._below(place, _SIZE.sub("{size}", segment) if "x" in segment else segment)
            if below is None:
                break
            place = below
        if len(segments) > MAX_DEPTH + 1:
            place = self._below(place, "**") or place
        return self._bucket(place, parameter_names(query) if query else "")

    @staticmethod
    def without_sizes(path: str) -> str:
        """The path without width and height."""
        return _SIZE.sub("{size}", path)

    def _below(self, place: Place[S], segment: str) -> Place[S] | None:
        names = place._names
        if names is None:
            names = place._names = {}
        found = names.get(segment) or names.get("*")
        if found is None:
            if self.places >= MAX_PLACES:
                return None
            if len(names) >= MAX_NAMES and segment:
                self._collapse(place, names)
                segment = "*"
            else:
                names[segment] = Place(segment, place)
                self.places += 1
            found = names[segment]
        found.size += 1
        return found

    def _collapse(self, place: Place[S], names: dict[str, Place[S]]) -> None:
        """Let the small names of a position go into `*`; directories with a life of their own stay."""
        wild: Place[S] = Place("*", place)
        for name, below in list(names.items()):
            # The empty name is the folder itself.
            if name and below.size < _KEPT_SIZE:
                del names[name]
                self._merge(below, wild)
        names["*"] = wild

    def _merge(self, old: Place[S], new: Place[S]) -> None:
        self._move(old, new)
        self.places -= 1
        for label, bucket in (old._buckets or {}).items():
            self._move(bucket, self._bucket(new, label))
            self.places -= 1
        for name, below in (old._names or {}).items():
            into = self._below(new, name) or new
            self._merge(below, into)

    def _move(self, old: Place[S], new: Place[S]) -> None:
        old._into = new
        new.size += old.size
        if self._join is not None and old.notes is not None:
            new.notes = self._join(new.notes, old.notes)

    def _bucket(self, place: Place[S], names: str) -> Place[S]:
        buckets = place._buckets
        if buckets is None:
            buckets = place._buckets = {}
        found = buckets.get(names)
        if found is None:
            if len(buckets) >= MAX_NAME_SETS:
                names = "*"
            found = buckets.get(names)
            if found is None:
                found = buckets[names] = Place(names, place, is_bucket=True)
                self.places += 1
        found.size += 1
        return found


def parameter_names(query: str) -> str:
    """The names of a query's parameters, each once, sorted and joined by `&`."""
    if "&" not in query:
        return query.partition("=")[0]
    return "&".join(sorted({pair.partition("=")[0] for pair in query.split("&") if pair}))


def without_hosts(template: str) -> str:
    """A template without what says that it is one of hosts beyond the first (see `ELSEWHERE`)."""
    return template[len(ELSEWHERE) :] if template.startswith(ELSEWHERE + "/") else template


def matches(template: str, path: str, query: str) -> bool:
    """Whether a URL's path and query are in the place that a template names."""
    template, bucket, names = without_hosts(template).partition("?")
    wanted = template.split("/")
    segments = path.split("/")
    everything = "**" in wanted
    if everything:
        wanted = wanted[: wanted.index("**")]
    if (bucket or not everything) and names not in ("*", parameter_names(query)):
        return False
    if len(segments) < len(wanted) or (not everything and len(segments) > len(wanted)):
        return False
    return all(
        label in ("*", segment) or ("{size}" in label and label == _SIZE.sub("{size}", segment))
        for label, segment in zip(wanted, segments, strict=False)
    )

"""Honest sites made at random, in layers: pages of each lead to pages of the next one, and few lead back up.

Lists lead to posts, posts to what can be printed, say. Few patterns of such a site lead on by themselves, so where an
endless search finds most pages first nothing but who else leads there tells them from the search.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from _zoo import Asked, Leaf, Site, prose

_NAMES = ("sec", "list", "post", "print", "media", "cv", "talk", "part", "tag", "file", "autor", "seite")
_PAGES = (200, 600, 1_200)


@dataclass(frozen=True, slots=True)
class _Layer:
    """Pages of one pattern. `more`: links of each, drawn at random, to the next layer; `aside`: to the same one."""

    name: str
    pages: int
    in_query: bool
    says: bool
    home: bool
    up: bool
    more: int
    aside: int

    @classmethod
    def made(cls, rng: Random, name: str, pages: int) -> _Layer:
        traits = [rng.random() < share for share in (0.3, 0.5, 0.5, 0.2)]
        return cls(name, pages, *traits, more=rng.choice((1, 1, 2, 5, 20)), aside=rng.choice((0, 0, 0, 0, 1, 3)))

    def url(self, at: int) -> str:
        at %= self.pages
        return f"/{self.name}.php?id={at}" if self.in_query else f"/{self.name}/{at}"


def made(number: int) -> Site:
    """The site of that number, of two to five layers."""
    rng = Random(number)
    depth = rng.randint(2, 5)
    most = rng.choice(_PAGES)
    pages = sorted(rng.randrange(2, most // 2) for _ in range(depth))
    if rng.random() < 0.3:
        rng.shuffle(pages)
    layers = [_Layer.made(rng, name, count) for name, count in zip(rng.sample(_NAMES, depth), pages, strict=True)]
    skips = rng.random() < 0.4
    places = {layer.url(at): (level, at) for level, layer in enumerate(layers) for at in range(layer.pages)}

    def page(asked: Asked) -> Leaf | None:
        if asked.path == "/":
            return Leaf("Home", ["All."], [layers[0].url(at) for at in range(layers[0].pages)])
        level, at = places.get(f"/{asked.url.split('/', 3)[3]}", (-1, 0))
        if level < 0:
            return None
        layer, below = layers[level], layers[level + 1 :]
        rng = Random(f"{number} {level} {at}")
        links = [layer.url(rng.randrange(layer.pages)) for _ in range(layer.aside)]
        if below:
            links += [below[0].url(one) for one in range(at, below[0].pages, layer.pages)]
            links += [below[0].url(rng.randrange(below[0].pages)) for _ in range(layer.more)]
        if skips and below[1:]:
            links.append(below[1].url(rng.randrange(below[1].pages)))
        if layer.home:
            links.append("/")
        if layer.up and level:
            links.append(layers[level - 1].url(at))
        return Leaf(f"{layer.name} {at}", [prose(rng, 30)] if layer.says else [], links)

    return Site(f"layers-{number}", page, "/", False, lambda url: False)

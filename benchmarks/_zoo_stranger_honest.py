"""Finite sites of a stranger, who had read neither the rules nor the other sites (November 2026).

Pure functions of a URL and a seed, but for the clock and the counter of one comic.
"""

# ruff: noqa: RUF001 - these are other alphabets

from __future__ import annotations

import json
import math
import re
import time
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import lru_cache
from hashlib import sha1
from html import escape
from itertools import count
from random import Random
from urllib.parse import quote, urlsplit

from _zoo import HTML, Answer, Asked, Site, honest
from _zoo_honest import _split

STRANGER_HONEST: list[Site] = []
#: A number as a group of a regular expression.
N = r"(0|[1-9][0-9]{0,6})"


def raw(asked: Asked) -> str:
    """The path and the query as they were asked for."""
    parts = urlsplit(asked.url)
    return (parts.path or "/") + (f"?{parts.query}" if "?" in asked.url.split("#")[0] else "")


def ok(text: str) -> Answer:
    return Answer(200, HTML, text.encode())


def to(where: str) -> Answer:
    return Answer(302, {"Location": where}, b"")


def a(href: str, text: object) -> str:
    return f'<a href="{escape(href)}">{text}</a>'


def caps(href: str, text: object) -> str:
    """A link in the manner of old pages."""
    return f'<A HREF="{escape(href)}">{text}</A>'


def rand(*what: object) -> Random:
    return Random("|".join(map(str, what)))


def say(rng: Random, words: list[str], least: int, most: int, end: str = ".") -> str:
    text = " ".join(rng.choices(words, k=rng.randint(least, most)))
    return text[:1].upper() + text[1:] + end


def has(pattern: str, text: str) -> re.Match[str] | None:
    return re.fullmatch(pattern, text)


def phrases(text: str) -> list[str]:
    return re.split(r",\s+", text.strip())


_DE1 = _split("Wald Burg Stein Mühl Schloss Kirch Brücken Linden Eichen Birken Hoch Nieder Alten Neuen Roten Schwarzen")
_DE2 = _split("bach dorf berg tal feld hausen heim brück stedt höhe garten wiese furt")
_DE = _split(
    """
    der die das ein eine im am von zur Ort Gemeinde liegt etwa Einwohner Jahrhundert wurde erstmals urkundlich erwähnt
    nördlich südlich Fluss Kirche gehört Landkreis seit besteht Verein Feuerwehr Straße führt nach Bahnhof Strecke und
    Geschichte Wappen zeigt silbernen Turm auf blauem Grund Bürgermeister gewählt Flurname Mühle abgerissen erbaut
    """
)
_DE_USERS = ["Hanseat", "84.137.22.9", "Ortskundler", "BotAlf", "Mühlenfreund", "Xaver77", "217.5.80.113", "Karla K."]


@lru_cache(8)
def _wiki(seed: int) -> tuple[list[str], dict[str, int], list[list[int]], dict[int, tuple[int, int]]]:
    rng = rand(seed, "wiki")
    titles = [f"{first}{second}" for first in _DE1 for second in _DE2]
    rng.shuffle(titles)
    titles = ["Hauptseite", *titles[:190]]
    number = count(rng.randint(200, 900))
    revisions: list[list[int]] = [[] for _ in titles]
    for _ in range(4):
        for which in range(len(titles)):
            if not revisions[which] or rng.random() < 0.45:
                for _ in range(rng.randint(1, 9)):
                    taken = next(number)
                revisions[which].append(taken)
    where = {rev: (which, place) for which, revs in enumerate(revisions) for place, rev in enumerate(revs)}
    return titles, {quote(title): which for which, title in enumerate(titles)}, revisions, where


def _wiki_text(seed: int, which: int, place: int) -> str:
    titles = _wiki(seed)[0]
    rng = rand(seed, "wikitext", which)
    parts = [say(rng, _DE, 12, 30) for _ in range(rng.randint(2, 5))]
    links = [titles[rng.randrange(len(titles))] for _ in range(5)]
    red = "Liste der " + rng.choice(_DE1) + rng.choice(_DE2)
    for later in range(place):
        parts.insert(1, say(rand(seed, "edit", which, later), _DE, 4, 14))
    body = "</p><p>".join(parts)
    ring = titles[(which + 1) % len(titles)]
    also = "".join(f"<li>{a('/index.php?title=' + quote(t), t)}</li>" for t in dict.fromkeys([*links, ring]))
    gone = f'<a class="new" href="/index.php?title={quote(red.replace(" ", "_"))}&amp;redlink=1">{red}</a>'
    return f"<p>{body}</p><h2>Siehe auch</h2><ul>{also}<li>{gone}</li></ul>"


def _wiki_special(seed: int, url: str) -> Answer | None:
    """A list of all pages, or of those that link to one."""
    titles, by, _, _ = _wiki(seed)
    if found := has(r"/index\.php\?title=Spezial:Alle_Seiten(?:&from=" + N + ")?", url):
        start = int(found[1] or 0)
        if start % 40 or start >= len(titles) or found[1] == "0":
            return None
        rows = "".join(f"<li>{a('/index.php?title=' + quote(t), t)}</li>" for t in titles[start : start + 40])
        after = a(f"/index.php?title=Spezial:Alle_Seiten&from={start + 40}", "Nächste Seite")
        more = after if start + 40 < len(titles) else ""
        return ok(f"<title>Alle Seiten – Heimatwiki</title><h1>Alle Seiten</h1><ul>{rows}</ul>{more}")
    found = has(r"/index\.php\?title=Spezial:Linkliste/([^&]+)", url)
    if not found or (which := by.get(found[1])) is None:
        return None
    title, before = f"Links auf „{titles[which]}“", titles[which - 1]
    return ok(
        f"<title>{title}</title><h1>{title}</h1><p>Die folgenden Seiten verlinken hierher:</p>"
        f"<ul><li>{a('/index.php?title=' + quote(before), before)}</li></ul>"
    )


def _wiki_line(seed: int, revision: int, place: int) -> str:
    rng = rand(seed, "rev", revision)
    when = f"{rng.randint(0, 23):02}:{rng.randint(0, 59):02}, {rng.randint(1, 28)}. Mär. {2006 + place}"
    return f"{when} {rng.choice(_DE_USERS)} ({rng.randint(300, 9000)} Bytes)"


@honest(STRANGER_HONEST)
def st_heimatwiki(asked: Asked) -> Answer | None:
    """A German MediaWiki."""
    titles, by, revisions, where = _wiki(asked.seed)
    url = raw(asked)
    if url == "/":
        return ok(
            "<!DOCTYPE html><html lang='de'><head><title>Heimatwiki</title></head><body>"
            "<p>Willkommen im Heimatwiki.</p>"
            f"{a('/index.php?title=Hauptseite', 'Hauptseite')} "
            f"{a('/index.php?title=Spezial:Alle_Seiten', 'Alle Seiten')}</body></html>"
        )
    if url.startswith("/index.php?title=Spezial:"):
        return _wiki_special(asked.seed, url)
    found = has(r"/index\.php\?title=([^&:]+)(?:&(action)=(history|edit)|&(oldid)=" + N + "|&(diff)=" + N + ")?", url)
    if not found or (which := by.get(found[1])) is None:
        return None
    title, here, revs = titles[which], "/index.php?title=" + found[1], revisions[which]
    tabs = (
        f'<div id="p-cactions"><ul><li>{a(here, "Seite")}</li><li>{a(here + "&action=edit", "Quelltext anzeigen")}</li>'
        f'<li>{a(here + "&action=history", "Versionen/Autoren")}</li></ul></div><div class="portlet">'
        f"<ul><li>{a('/index.php?title=Spezial:Linkliste/' + found[1], 'Links auf diese Seite')}</li></ul></div>"
    )

    lines = [_wiki_line(asked.seed, revision, place) for place, revision in enumerate(revs)]
    if found[3] == "history":
        rows = []
        for place in reversed(range(len(revs))):
            link = a(f"{here}&oldid={revs[place]}" if place < len(revs) - 1 else here, lines[place])
            rows.append(f"<li>{a(f'{here}&diff={revs[place]}', 'Vorherige') if place else ''} {link}</li>")
        body = f"<h1>{title}: Versionsgeschichte</h1><ul id='pagehistory'>{''.join(rows)}</ul>"
    elif found[3] == "edit":
        source = re.sub("<[^>]+>", " ", _wiki_text(asked.seed, which, len(revs) - 1))
        body = f"<h1>Quelltext der Seite {title}</h1><textarea rows=25 readonly>{source}</textarea>"
    elif found[5] or found[7]:
        owner, place = where.get(int(found[5] or found[7]), (-1, -1))
        if owner != which or (found[5] and place == len(revs) - 1) or (found[7] and not place):
            return None
        if found[5]:
            body = (
                f"<h1>{title}</h1><div id='contentSub'>Version vom {lines[place]}</div>"
                f"{_wiki_text(asked.seed, which, place)}"
            )
        else:
            new = say(rand(asked.seed, "edit", which, place - 1), _DE, 4, 14)
            body = (
                f"<h1>{title}: Unterschied zwischen den Versionen</h1><table class='diff'>"
                f"<tr><td>{lines[place - 1]}<td>{lines[place]}<tr><td>-<td>+ {new}</table>"
            )
    else:
        body = f"<h1>{title}</h1>{_wiki_text(asked.seed, which, len(revs) - 1)}"
    return ok(
        f"<!DOCTYPE html><html lang='de'><head><title>{title} – Heimatwiki</title></head><body>"
        f"<div id='content'>{body}</div>{tabs}"
        "<div id='footer'>Der Inhalt ist verfügbar unter der GNU-Lizenz.</div></body></html>"
    )


_RU = _split(
    """
    двигатель масло поменял вчера машина стоит гараж стук в подвеске заводится не хочет карбюратор свечи новые купил
    рынок мастер сказал аккумулятор сел зимой греть долго ремень шумит на холодную помогите кто знает где найти запчасти
    для копейки шестёрки нивы кузов гниёт порог варить дорого сам делал всё нормально тормоза колодки диск
    """
)
_RU_SHORT = phrases("+1, Спасибо!, Ап, Согласен, Тема закрыта., )))), Поиском пользуйся, Так и есть., и?, Плюсую")
_RU_NICK = _split("Саня Витёк Михалыч Дед Лось Шумахер Гайка Кардан Стартер Тормоз Клапан Поршень")
_RU_FORUMS = _split("Двигатель Ходовая Кузов Электрика Барахолка Болталка")


@lru_cache(8)
def _phpbb(seed: int) -> tuple[list[list[int]], dict[int, tuple[int, int, int]]]:
    rng = rand(seed, "phpbb")
    forums, topics, topic = [], {}, rng.randint(10, 99)
    post = 1000
    for forum in range(6):
        ids = []
        for _ in range(rng.randint(35, 75)):
            topic += rng.randint(1, 7)
            posts = min(64, 1 + int(rng.expovariate(1 / 13)))
            topics[topic] = (forum, posts, post)
            post += posts
            ids.append(topic)
        forums.append(ids)
    return forums, topics


def _phpbb_subject(seed: int, topic: int) -> str:
    return say(rand(seed, "subject", topic), _RU, 2, 5, "")


def _phpbb_member(seed: int, number: str | None, top: str) -> Answer | None:
    """One member, or all."""
    if not number:
        rows = "".join(
            f"<li>{a(f'/memberlist.php?mode=viewprofile&u={u}', _RU_NICK[u % 12] + str(u))}" for u in range(2, 92)
        )
        return ok(f"<title>Участники</title>{top}<ol>{rows}</ol>")
    user = int(number)
    if not 2 <= user < 92:
        return None
    rng, nick = rand(seed, "user", user), f"{_RU_NICK[user % 12]}{user}"
    return ok(
        f"<title>Профиль {nick}</title>{top}<dl><dt>Имя<dd>{nick}<dt>Сообщений<dd>{rng.randint(0, 900)}"
        f"<dt>Зарегистрирован<dd>{rng.randint(1, 28)}.{rng.randint(1, 12):02}.{rng.randint(2003, 2011)}</dl>"
    )


def _phpbb_topic(seed: int, topic: int, place: str | None, top: str, printed: bool) -> Answer | None:
    """A page of a topic, or what it is printed as."""
    forum, posts, first = _phpbb(seed)[1][topic]
    start = int(place or 0)
    if start % 15 or start >= posts or place == "0":
        return None
    rows = []
    for number in range(start, min(posts, start + 15)):
        rng = rand(seed, "post", first + number)
        user = rng.randint(2, 91)
        text = rng.choice(_RU_SHORT) if rng.random() < 0.45 else say(rng, _RU, 4, 25)
        nick = f"{_RU_NICK[user % 12]}{user}"
        who = a(f"/memberlist.php?mode=viewprofile&u={user}", nick)
        rows.append(f"<p><b>{nick}</b>: {text}<hr>" if printed else f"<tr><td>{who}<td id='p{first + number}'>{text}")
    subject, base = _phpbb_subject(seed, topic), f"/viewtopic.php?t={topic}"
    if printed:
        return ok(f"<html><title>{subject} (печать)</title><body bgcolor=white>{''.join(rows)}</body></html>")
    pager = " ".join(a(base + (f"&start={s}" if s else ""), s // 15 + 1) for s in range(0, posts, 15))
    return ok(
        f"<html><head><title>{subject}</title></head>"
        f"<body>{top}{a(f'/viewforum.php?f={forum + 1}', _RU_FORUMS[forum])}<h2>{subject}</h2>"
        f"<table>{''.join(rows)}</table>"
        f"{pager} {a(base + (f'&start={start}' if start else '') + '&view=print', 'Версия для печати')}</body></html>"
    )


@honest(STRANGER_HONEST)
def st_avtoforum(asked: Asked) -> Answer | None:
    """A Russian phpBB."""
    forums, topics = _phpbb(asked.seed)
    url = raw(asked)
    top = f"<table width='100%'><tr><td>{a('/', 'Список форумов')}<td>{a('/memberlist.php', 'Участники')}</table>"
    if url == "/":
        rows = "".join(
            f"<tr><td>{a(f'/viewforum.php?f={n + 1}', _RU_FORUMS[n])}<td>{len(ids)}<td>"
            f"{a(f'/viewtopic.php?p={topics[ids[-1]][2]}', 'последнее')}"
            for n, ids in enumerate(forums)
        )
        return ok(f"<html><head><title>Автофорум</title></head><body>{top}<table border=1>{rows}</table></body></html>")
    if found := has(r"/memberlist\.php(?:\?mode=viewprofile&u=" + N + ")?", url):
        return _phpbb_member(asked.seed, found[1], top)
    if found := has(r"/viewforum\.php\?f=([1-6])(?:&start=" + N + ")?", url):
        ids, start = forums[int(found[1]) - 1], int(found[2] or 0)
        if start % 25 or start >= len(ids) or found[2] == "0":
            return None
        rows = "".join(
            f"<tr><td>{a(f'/viewtopic.php?t={t}', _phpbb_subject(asked.seed, t))}<td>{topics[t][1] - 1}"
            for t in ids[start : start + 25]
        )
        base = f"/viewforum.php?f={found[1]}"
        pager = " ".join(a(base + (f"&start={s}" if s else ""), s // 25 + 1) for s in range(0, len(ids), 25))
        return ok(f"<title>{_RU_FORUMS[int(found[1]) - 1]}</title>{top}<table>{rows}</table><p>Страницы: {pager}")
    if found := has(r"/viewtopic\.php\?p=" + N, url):
        for topic, (_, _, first) in topics.items():
            if first == int(found[1]):
                return to(f"/viewtopic.php?t={topic}")
        return None
    found = has(r"/viewtopic\.php\?t=" + N + "(?:&start=" + N + ")?(&view=print)?", url)
    if not found or int(found[1]) not in topics:
        return None
    return _phpbb_topic(asked.seed, int(found[1]), found[2], top, bool(found[3]))


_FACETS = {
    "couleur": ["rouge", "noir", "bleu", "beige", "vert", "blanc"],
    "pointure": ["36", "37", "38", "39", "40", "41", "42", "43"],
    "matiere": ["cuir", "toile", "daim", "synthetique"],
    "saison": ["ete", "hiver", "mi-saison"],
}
_FR_SHOE = _split("Bottine Derby Escarpin Basket Sandale Mocassin Richelieu Espadrille Ballerine Babouche")
_FR_NAME = _split("Camille Lison Margaux Théo Rivoli Vendôme Bastille Lucie Odéon Hortense Jules Mado")


@lru_cache(8)
def _shoes(seed: int) -> list[tuple[str, str, tuple[str, ...]]]:
    rng = rand(seed, "shoes")
    found = []
    for number in range(430):
        label = f"{rng.choice(_FR_SHOE)} {rng.choice(_FR_NAME)}"
        slug = quote(label.lower().replace(" ", "-").encode("ascii", "ignore").decode()) + f"-{10000 + number * 7}"
        found.append((slug, label, tuple(rng.choice(values) for values in _FACETS.values())))
    return found


def _shoe_facets(url: str) -> dict[str, str] | None:
    """What is chosen, if each facet is known, and they are in order."""
    if url == "/":
        return {}
    if not url.startswith("/boutique?"):
        return None
    pairs = [pair.partition("=")[::2] for pair in url[10:].split("&")]
    chosen = dict(pairs)
    in_order = [key for key in _FACETS if key in chosen] == [key for key, _ in pairs]
    return chosen if in_order and all(value in _FACETS[key] for key, value in pairs) else None


@honest(STRANGER_HONEST)
def st_chaussures(asked: Asked) -> Answer | None:
    """A French shop of facets."""
    items = _shoes(asked.seed)
    url = raw(asked)
    head = "<!doctype html><html lang=fr><head><meta charset=utf-8>"
    if found := has(r"/p/([a-z0-9%-]+)", url):
        for slug, label, values in items:
            if slug == found[1]:
                rng = rand(asked.seed, "shoe", slug)
                rows = "".join(f"<dt>{key}</dt><dd>{value}</dd>" for key, value in zip(_FACETS, values, strict=True))
                return ok(
                    f"{head}<title>{label} – {values[0]}</title></head><body><main><h1>{label}</h1><dl>{rows}</dl>"
                    f"<p class=prix>{rng.randint(29, 189)},{rng.choice(('00', '90', '95'))} €</p>"
                    "<form method=post action=/panier><button>Ajouter au panier</button></form>"
                    f"{a('/', 'Boutique')}</main></body></html>"
                )
        return None
    if (chosen := _shoe_facets(url)) is None:
        return None

    def link(key: str, value: str | None) -> str:
        new = [(k, value if k == key else chosen.get(k)) for k in _FACETS]
        query = "&".join(f"{k}={v}" for k, v in new if v)
        return f"/boutique?{query}" if query else "/"

    hits = [item for item in items if all(item[2][n] == chosen.get(key, item[2][n]) for n, key in enumerate(_FACETS))]
    menus = "".join(
        f"<fieldset><legend>{key}</legend>"
        + (a(link(key, None), f"✕ {chosen[key]}") if key in chosen else "")
        + " ".join(a(link(key, value), value) for value in values if value != chosen.get(key))
        + "</fieldset>"
        for key, values in _FACETS.items()
    )
    if not hits:
        body = "<p>Aucun article ne correspond à votre recherche.</p>"
    elif len(chosen) < 3 and len(hits) > 14:
        body = f"<p>{len(hits)} articles. Affinez votre sélection.</p>"
    else:
        body = "".join(f"<article>{a('/p/' + slug, label)}</article>" for slug, label, _ in hits)
    return ok(
        f"{head}<title>Chaussures {' '.join(chosen.values())}</title></head><body>"
        f"<nav>{menus}</nav>{body}</body></html>"
    )


_NL_THING = _split(
    "bord kan tegel penning lepel beker schotel kandelaar zegel doos gesp tabaksdoos prent miniatuur knoop"
)
_NL_STUFF = _split("tin zilver aardewerk koper eikenhout porselein glas ivoor messing been papier")
_NL_BY = ["anoniem", "anoniem", "anoniem", "Jan Lutma", "werkplaats De Porceleyne Fles", "toegeschreven aan A. Vianen"]


@lru_cache(8)
def _museum(seed: int) -> tuple[list[str], dict[str, int]]:
    rng = rand(seed, "museum")
    ids: list[str] = []
    year, number = 1871, 0
    while len(ids) < 720:
        number += rng.choice((1, 1, 1, 1, 2, 5))
        if number > 40:
            year, number = year + rng.randint(1, 4), 1
        ids.append(f"BK-{year}-{number}" + rng.choice(("", "", "", "-A")))
    return ids, {name: n for n, name in enumerate(ids)}


@honest(STRANGER_HONEST)
def st_stadsmuseum(asked: Asked) -> Answer | None:
    """A Dutch museum: one chain."""
    ids, by = _museum(asked.seed)
    if raw(asked) == "/":
        return ok(
            "<html lang=nl><title>Stadsmuseum</title><h1>Collectie</h1>"
            f"{a('/nl/collectie/' + ids[0], 'Begin de rondgang')}</html>"
        )
    found = has(r"/nl/collectie/([A-Z0-9-]+)(/afbeelding)?", raw(asked))
    if not found or found[1] not in by:
        return None
    here = by[found[1]]
    if found[2]:
        return ok(
            f"<html lang=nl><title>{found[1]}</title><body>"
            f"<img src='/beeld/{sha1(found[1].encode()).hexdigest()[:12]}.jpg'>"
            f"<br>{a('/nl/collectie/' + found[1], 'terug')}</body></html>"
        )
    rng = rand(asked.seed, "object", here)
    thing = rng.choice(_NL_THING)
    start = rng.randint(1550, 1850)
    after = a("/nl/collectie/" + ids[here + 1], "volgende &raquo;") if here + 1 < len(ids) else "einde van de collectie"
    return ok(
        f"<html lang=nl><head><title>{thing.capitalize()} - {found[1]}</title></head><body>"
        f"<h1>{thing.capitalize()}</h1><table><tr><th>Objectnummer</th><td>{found[1]}</td></tr>"
        f"<tr><th>Objecttype</th><td>{thing}</td></tr><tr><th>Vervaardiger</th><td>{rng.choice(_NL_BY)}</td></tr>"
        f"<tr><th>Datering</th><td>ca. {start} - ca. {start + rng.choice((5, 10, 25))}</td></tr>"
        f"<tr><th>Materiaal</th><td>{rng.choice(_NL_STUFF)}</td></tr><tr><th>Afmetingen</th>"
        f"<td>h {rng.randint(2, 60)},{rng.randint(0, 9)} cm &times; b {rng.randint(2, 60)},{rng.randint(0, 9)} cm</td>"
        f"</tr></table>{a('/nl/collectie/' + found[1] + '/afbeelding', 'grote afbeelding')} "
        f"<p>{after}</p></body></html>"
    )


def _scans(seed: int, year: int, book: str) -> int:
    return 0 if rand(seed, "lost", year, book).random() < 0.06 else rand(seed, "scans", year, book).randint(4, 12)


@honest(STRANGER_HONEST)
def st_ksiegi_parafialne(asked: Asked) -> Answer | None:
    """Polish parish registers: scans only."""
    books = {"U": "Urodzenia", "S": "Śluby", "Z": "Zgony"}
    if raw(asked) == "/":
        rows = "".join(f"<LI>{caps(f'/ksiegi/{year}/', year)}" for year in range(1808, 1858))
        return ok(
            f"<HTML><TITLE>Parafia św. Jakuba</TITLE><BODY><H2>Księgi metrykalne</H2><UL>{rows}</UL></BODY></HTML>"
        )
    found = has(r"/ksiegi/(18\d\d)/(?:([USZ])/(?:skan_(\d{3})\.html)?)?", raw(asked))
    if not found or not 1808 <= int(found[1]) < 1858:
        return None
    year, book = int(found[1]), found[2]
    if not book:
        rows = " | ".join(caps(f"{key}/", text) for key, text in books.items())
        return ok(f"<HTML><TITLE>{year}</TITLE><BODY>{rows}<HR>{caps('/', 'Powrót')}</BODY></HTML>")
    scans = _scans(asked.seed, year, book)
    if not found[3]:
        cells = " ".join(caps(f"skan_{n:03}.html", n) for n in range(1, scans + 1)) or "Księga nie zachowała się."
        return ok(f"<HTML><TITLE>{books[book]} {year}</TITLE><BODY>{cells}<HR>{caps('../', year)}</BODY></HTML>")
    scan = int(found[3])
    if not 1 <= scan <= scans:
        return None
    around = " ".join(
        caps(f"skan_{n:03}.html", text) for n, text in ((scan - 1, "&lt;"), (scan + 1, "&gt;")) if 1 <= n <= scans
    )
    picture = sha1(f"{asked.seed}{year}{book}{scan}".encode()).hexdigest()[:8]
    return ok(f"<HTML><BODY BGCOLOR=#000000><IMG SRC='/img/DSC_{picture}.JPG'><BR>{around}</BODY></HTML>")


_CONST = _split(
    """
    And Aql Aqr Ari Aur Boo CMa CMi Cas Cet Cyg Dra Gem Her Hya Leo Lyr Oph Ori Peg Per Psc Sco Sgr Tau UMa Vir
    """
)
_STARS = {str(1000 + n * 7919 % 99991): n for n in range(1600)}
_HD = list(_STARS)


@honest(STRANGER_HONEST)
def st_catalogus_stellarum(asked: Asked) -> Answer | None:
    """A star catalogue: a mesh of neighbours."""
    if raw(asked) == "/":
        return ok(
            "<html><head><title>Catalogus Stellarum</title></head><body><pre>CATALOGUS STELLARUM FIXARUM\n\nIncipe: "
            + "\n         ".join(a(f"/HD{_HD[n]}", f"HD {_HD[n]}") for n in (3, 700, 1111))
            + "</pre></body></html>"
        )
    found = has(r"/HD(\d+)", raw(asked))
    if not found or found[1] not in _STARS:
        return None
    n = _STARS[found[1]]
    row, column = divmod(n, 40)
    rng = rand(asked.seed, "star", n)
    hours, degrees = column * 24 / 40 + rng.random() * 0.5, row * 4.2 - 84 + rng.random() * 4
    near = [(row * 40 + (column + 1) % 40), (row * 40 + (column - 1) % 40)]
    near += [r * 40 + column for r in (row - 1, row + 1) if 0 <= r < 40]
    kind = rng.choice("OBAFGKM") + str(rng.randint(0, 9)) + rng.choice(("V", "III", "Ib", "IV"))
    lines = [
        f"HD        {found[1]}",
        f"RA (2000) {int(hours):02} {int(hours * 60 % 60):02} {hours * 3600 % 60:04.1f}",
        f"DE (2000) {'-' if degrees < 0 else '+'}{int(abs(degrees)):02} {int(abs(degrees) * 60 % 60):02}",
        f"Vmag      {rng.gauss(6.2, 0.8):.2f}    B-V {rng.gauss(0.6, 0.5):+.2f}",
        f"Sp        {kind}     Const {rng.choice(_CONST)}",
        "",
        "Vicinae:  " + "  ".join(a(f"/HD{_HD[m]}", f"HD {_HD[m]}") + f" {rng.uniform(0.4, 4):.1f}°" for m in near),
    ]
    return ok(f"<html><head><title>HD {found[1]}</title></head><body><pre>" + "\n".join(lines) + "</pre></body></html>")


_WHITE = _split(
    """
    e4 d4 c4 Cf3 Cc3 f4 g3 b3 Ab5 Ac4 Ae2 Ag5 Af4 Ae3 O-O O-O-O Dd2 De2 Te1 h3 h4 a3 a4 exd5 cxd5 dxe5 Cxd4 Cbd2 Ad3
    """
)
_BLACK = _split(
    """
    e5 d5 c5 e6 c6 d6 g6 Cf6 Cc6 Ae7 Ag7 Ac5 Ab4 Ag4 O-O O-O-O Dd7 De7 Te8 h6 h5 a6 a5 exd4 cxd4 dxe4 dxc4 Cbd7 Cxd5
    """
)
_ES_NAMES = _split("Apertura Defensa Gambito Ataque Variante Contragambito Sistema")
_ES_WHO = _split(
    """
    española siciliana francesa india eslava holandesa escocesa vienesa Caro-Kann Pirc Alekhine Benoni Grünfeld Réti
    """
)


@lru_cache(8)
def _openings(seed: int) -> tuple[dict[str, int], list[tuple[int, str, list[int]]]]:
    rng = rand(seed, "chess")
    nodes: list[tuple[int, str, list[int]]] = [(-1, "", [])]
    depth, paths = [0], [""]
    known = {"": 0}
    while len(nodes) < 1450:
        parent = rng.randrange(max(0, len(nodes) - 500), len(nodes))
        path = f"{paths[parent]}/" + rng.choice(_BLACK if depth[parent] % 2 else _WHITE)
        if path in known or depth[parent] > 24:
            continue
        known[path] = len(nodes)
        nodes[parent][2].append(len(nodes))
        nodes.append((parent, path, []))
        depth.append(depth[parent] + 1)
        paths.append(path)
    return known, nodes


@honest(STRANGER_HONEST)
def st_aperturas(asked: Asked) -> Answer | None:
    """Spanish chess openings: a tree whose paths grow."""
    known, nodes = _openings(asked.seed)
    url = raw(asked)
    path = "" if url == "/" else url[3:] if url.startswith("/a/") and len(url) > 3 else None
    if path is None or (key := "/" + path if path else "") not in known:
        return None
    here = known[key]
    rng = rand(asked.seed, "opening", here)
    moves = [move for move in key.split("/") if move]
    game = " ".join((f"{n // 2 + 1}." if n % 2 == 0 else "") + move for n, move in enumerate(moves))
    label = f"{rng.choice(_ES_NAMES)} {rng.choice(_ES_WHO)}" if here else "Enciclopedia de aperturas"
    wins = rng.randint(20, 45)
    rows = "".join(
        f"<li>{a('/a' + nodes[child][1], nodes[child][1].rpartition('/')[2])} {rng.randint(1, 4000)} partidas</li>"
        for child in nodes[here][2]
    )
    back = a("/a" + nodes[nodes[here][0]][1] if nodes[here][0] > 0 else "/", "Atrás") if here else ""
    return ok(
        f"<!DOCTYPE html><html lang='es'><head><title>{label}</title></head><body><h1>{label}</h1>"
        f"<p class='pgn'>{game or 'Posición inicial'}</p>"
        f"<p>Blancas {wins}% · Tablas {rng.randint(10, 30)}% · ECO {rng.choice('ABCDE')}{rng.randint(0, 99):02}</p>"
        f"<ul>{rows or '<li>Fin de la línea</li>'}</ul>{back}</body></html>"
    )


_HU_STOPS = _split(
    """
    kossuth-ter foutca vasutallomas iskola templom korhaz temeto sportpalya piac ujtelep malom postahivatal rakoczi-ut
    petofi-utca szolohegy gyar laktanya strand autobuszallomas varoshaza bem-jozsef-ter hidfo erdosor kertvaros
    """
)


@honest(STRANGER_HONEST)
def st_menetrend(asked: Asked) -> Answer | None:
    """Hungarian bus timetables."""
    kinds = {"m": "munkanapokon", "sz": "szabadnapokon", "u": "munkaszüneti napokon"}

    def stops(line: int) -> list[str]:
        rng = rand(asked.seed, "stops", line)
        return rng.sample(_HU_STOPS, rng.randint(9, 17))

    if raw(asked) == "/":
        rows = "".join(f"<li>{a(f'/vonal{line}.html', f'{line}-es autóbusz')}" for line in range(1, 23))
        return ok(
            f"<html><head><title>Menetrend</title></head><body><h1>Helyi járatok</h1><ul>{rows}</ul></body></html>"
        )
    if found := has(r"/vonal" + N + r"\.html", raw(asked)):
        line = int(found[1])
        if not 1 <= line <= 22:
            return None
        ways = [(way, kind) for kind in kinds for way in "ov"]
        rows = "".join(
            "<tr>" + "".join(f"<td>{a(f'/menetrend/{line}_{w}_{stop}_{k}.html', f'{stop} ({w}) {k}')}" for w, k in ways)
            for stop in stops(line)
        )
        return ok(
            f"<html><head><title>{line}-es busz</title></head><body>"
            f"<table>{rows}</table>{a('/', 'Vissza')}</body></html>"
        )
    found = has(r"/menetrend/" + N + r"_([ov])_([a-z-]+)_(m|sz|u)\.html", raw(asked))
    if not found or not 1 <= int(found[1]) <= 22 or found[3] not in stops(int(found[1])):
        return None
    line, way, stop, kind = int(found[1]), found[2], found[3], found[4]
    shift = stops(line).index(stop) * 3 + (way == "v") * 7 + line
    every = {"m": 20, "sz": 30, "u": 60}[kind]
    rows = "".join(
        f"<tr><th>{hour}<td>" + " ".join(f"{minute:02}" for minute in range(shift % every, 60, every))
        for hour in range(5 + shift % 2, 22 + line % 3)
    )
    return ok(
        f"<html><head><title>{line} {stop}</title></head><body><h2>{line} – {stop.replace('-', ' ')}</h2>"
        f"<p>Indul {kinds[kind]}:</p><table border='1'>{rows}</table>"
        f"{a(f'/vonal{line}.html', 'A vonal összes megállója')}</body></html>"
    )


@honest(STRANGER_HONEST)
def st_saa_arkisto(asked: Asked) -> Answer | None:
    """A Finnish archive of the weather: pages of one line."""
    first, last = 1997, 2005
    url = raw(asked)
    if url == "/":
        return ok("<p>Sodankylän säähavainnot " + " ".join(a(f"/{y}/", y) for y in range(first, last + 1)))
    found = has(r"/(\d{4})/(?:(\d\d)/(?:(\d\d))?)?", url)
    if not found or not first <= int(found[1]) <= last:
        return None
    year = int(found[1])
    if not found[2]:
        return ok(f"<p>{year}: " + " ".join(a(f"/{year}/{m:02}/", m) for m in range(1, 13)))
    month = int(found[2])
    if not 1 <= month <= 12:
        return None
    days = monthrange(year, month)[1]
    if not found[3]:
        return ok(f"<p>{month}/{year}: " + " ".join(a(f"/{year}/{month:02}/{d:02}", d) for d in range(1, days + 1)))
    day = int(found[3])
    if not 1 <= day <= days:
        return None
    rng = rand(asked.seed, "saa", year, month, day)
    warm = -12 * math.cos((month - 1 + day / 31) * math.pi / 6) + rng.gauss(0, 5)
    rain = f"{rng.expovariate(0.4):.1f} mm" if rng.random() < 0.4 else "ei sadetta"
    return ok(f"<p>{day}.{month}.{year} {warm:.1f} °C, {rain}, {a('./', 'takaisin')}".replace(".0 °C", ",0 °C"))


_EL_OS = _split(
    """
    δρόμ κήπ ήλι κύκλ λόγ νόμ φίλ ξέν χρόν τόπ ύπν τίτλ πύργ στόχ ρόλ ψίθυρ βράχ γάμ τρόπ κόσμ χάρτ πόν φόβ ώμ λύκ ταύρ
    κόλπ φάρ στίχ μύθ ήχ πάγ λόφ κάμπ θάμν βόρ άξον κλήρ θρόν λήρ
    """
)
_EL_A = _split(
    """
    θάλασσ ρίζ γλώσσ πέτρ μέρ χώρ ώρ σημαί τράπεζ γέφυρ εικόν ελπίδ μηχαν πόρτ κουζίν ταβέρν λίμν βάρκ γάτ κότ μέλισσ
    πεταλούδ βροντ καρέκλ σφαίρ άγκυρ ομπρέλ βαλίτσ φλόγ νύφ
    """
)
_EL_O = _split(
    """
    γράφ διαβάζ τρέχ παίζ κόβ ράβ λύν δέν πλέν χτίζ μαθαίν περιμέν αγοράζ φτιάχν βάφ κρύβ σπρώχν ανοίγ κλείν φεύγ στέλν
    παίρν δίν βάζ βγάζ γυρίζ κοιτάζ φωνάζ αλλάζ σκάβ τρίβ ψήν σβήν στρών απλών σηκών
    """
)


@lru_cache(1)
def _greek() -> tuple[dict[str, list[tuple[str, str]]], dict[str, str]]:
    """Lemma to its forms, and the quoted form to the lemma."""
    case = ["ονομαστική", "γενική", "αιτιατική"]
    nouns_os = [
        (f"{c} {number}", e)
        for number, ends in (("ενικού", ("ος", "ου", "ο")), ("πληθυντικού", ("οι", "ων", "ους")))
        for c, e in zip(case, ends, strict=True)
    ]
    nouns_a = [
        ("ονομαστική ενικού", "α"),
        ("γενική ενικού", "ας"),
        ("ονομαστική πληθυντικού", "ες"),
        ("γενική πληθυντικού", "ών"),
    ]
    verbs = [
        (f"{n}ο πρόσωπο {v}", e)
        for v, ends in (
            ("ενεστώτα ενικού", ("ω", "εις", "ει")),
            ("ενεστώτα πληθυντικού", ("ουμε", "ετε", "ουν")),
            ("παθητικό ενικού", ("ομαι", "εσαι", "εται")),
            ("παθητικό πληθυντικού", ("όμαστε", "εστε", "ονται")),
        )
        for n, e in enumerate(ends, 1)
    ]
    lemmas: dict[str, list[tuple[str, str]]] = {}
    owner: dict[str, str] = {}
    for stems, endings in ((_EL_OS, nouns_os), (_EL_A, nouns_a), (_EL_O, verbs)):
        for stem in stems:
            lemma = stem + endings[0][1]
            forms = [(stem + end, what) for what, end in endings if quote(stem + end) not in owner]
            if lemma in lemmas or forms[0][0] != lemma:
                continue
            lemmas[lemma] = forms
            owner.update((quote(form), lemma) for form, _ in forms)
    return lemmas, owner


@honest(STRANGER_HONEST)
def st_lexiko(asked: Asked) -> Answer | None:
    """A Greek dictionary of forms."""
    lemmas, owner = _greek()
    letters = sorted({lemma[0] for lemma in lemmas})
    url = raw(asked)
    word = "/" + quote("λέξη") + "/"
    nav = " ".join(a(f"/{quote('γράμμα')}/{quote(c)}", c) for c in letters)
    head = "<!DOCTYPE html><html lang='el'><head><meta charset='utf-8'><title>"
    if url == "/":
        return ok(f"{head}Λεξικό</title></head><body><h1>Λεξικό κλίσεων</h1><p>{nav}</p></body></html>")
    for letter in letters:
        if url == f"/{quote('γράμμα')}/{quote(letter)}":
            rows = "".join(
                f"<li>{a(word + quote(lemma), lemma)}</li>" for lemma in sorted(lemmas) if lemma[0] == letter
            )
            return ok(f"{head}{letter}</title></head><body><p>{nav}</p><ul>{rows}</ul></body></html>")
    if not url.startswith(word) or (key := url[len(word) :]) not in owner:
        return None
    lemma = owner[key]
    forms = lemmas[lemma]
    form, what = next(pair for pair in forms if quote(pair[0]) == key)
    table = "".join(f"<tr><td>{w}</td><td>{a(word + quote(f), f)}</td></tr>" for f, w in forms)
    body = f"<table>{table}</table>" if form == lemma else f"<p>{what} του {a(word + quote(lemma), lemma)}</p>"
    return ok(f"{head}{form}</title></head><body><h1>{form}</h1>{body}<p>{nav}</p></body></html>")


_SV = _split(
    """
    regeringen förslaget utskottet propositionen frågan kammaren hemställer reservation bifall avslag skatten kommunerna
    jordbruket medel anslag miljoner kronor statsrådet anser därför att vi måste inte kan detta är av stor vikt för
    landet norrland skolan försvaret pensionerna beslutet enligt motionen under budgetåret med hänsyn till
    """
)
_SV_WHO = [
    f"{t} {n}"
    for n in _split("ANDERSSON LINDQVIST HERMANSSON PALM NILSSON EKSTRÖM WALLIN BOHLIN")
    for t in ("Herr", "Fru")
]


def _speeches(seed: int, year: int, protocol: int) -> int:
    return rand(seed, "prot", year, protocol).randint(11, 29)


@honest(STRANGER_HONEST)
def st_riksdagsprotokoll(asked: Asked) -> Answer | None:
    """The minutes of the Swedish parliament."""
    url = raw(asked)
    if url == "/":
        rows = "".join(f"<p>{a(f'/{year}/prot/1/', f'Riksmötet {year}')}" for year in range(1951, 1957))
        return ok(f"<html><title>Riksdagens protokoll</title><body>{rows}</body></html>")
    found = has(r"/(195[1-6])/prot/" + N + r"/(?:anf/" + N + r"\.html)?", url)
    if not found or not 1 <= int(found[2]) <= 11:
        return None
    year, protocol = int(found[1]), int(found[2])
    speeches = _speeches(asked.seed, year, protocol)
    if not found[3]:
        after = a(f"/{year}/prot/{protocol + 1}/", "Nästa protokoll") if protocol < 11 else ""
        return ok(
            f"<html><title>Nr {protocol} år {year}</title><body>"
            f"<h3>Nr {protocol}</h3>{a('anf/1.html', 'Anföranden')} ({speeches}) {after}</body></html>"
        )
    speech = int(found[3])
    if not 1 <= speech <= speeches:
        return None
    rng = rand(asked.seed, "anf", year, protocol, speech)
    text = rng.choice(
        ("Jag ber att få yrka bifall till utskottets hemställan.", "Överläggningen var härmed slutad.", "Instämmer.")
    )
    if rng.random() < 0.7:
        text = "Herr talman! " + " ".join(say(rng, _SV, 6, 20) for _ in range(rng.randint(1, 9)))
    links = [(f"{n}.html", t) for n, t in ((speech - 1, "Föregående"), (speech + 1, "Nästa")) if 1 <= n <= speeches]
    links.append(("../", "Protokollet"))
    return ok(
        f"<html><title>Anf. {speech}</title><body><p><b>Anf. {speech} {rng.choice(_SV_WHO)}:</b><p>{text}"
        f"<p>{' | '.join(a(*link) for link in links)}</body></html>"
    )


_IT = _split(
    """
    ricorso ricorrente resistente sentenza impugnata motivo violazione falsa applicazione articolo codice civile corte
    d'appello rigetta accoglie condanna spese giudizio onorari procura difensore notificato termine decadenza fondato
    infondato inammissibile controricorso giudice merito prova danno risarcimento contratto locazione
    """
)
_IT_CITY = _split("Milano Torino Bari Palermo Genova Catania Brescia Lecce Ancona Perugia")


@lru_cache(8)
def _court(seed: int) -> dict[int, list[int]]:
    rng = rand(seed, "court")
    return {year: sorted(rng.sample(range(10, 900), rng.randint(45, 70))) for year in range(1994, 2006)}


@honest(STRANGER_HONEST)
def st_sentenze(asked: Asked) -> Answer | None:
    """Italian court decisions: dead citations, prints."""
    years = _court(asked.seed)
    url = raw(asked)
    if url == "/":
        return ok(
            "<html><title>Massimario</title><body><ul>"
            + "".join(f"<li>{a(f'/elenco.php?anno={y}', y)}" for y in years)
            + "</ul></body></html>"
        )
    if found := has(r"/elenco\.php\?anno=(\d{4})", url):
        if (year := int(found[1])) not in years:
            return None
        rows = "".join(
            f"<tr><td>{a(f'/sent.php?anno={year}&num={n}', f'n. {n}/{year}')}</td></tr>" for n in years[year]
        )
        return ok(f"<html><title>Anno {year}</title><body><table>{rows}</table></body></html>")
    found = has(r"/sent\.php\?anno=(\d{4})&num=" + N + "(&stampa=1)?", url)
    if not found or int(found[2]) not in years.get(int(found[1]), ()):
        return None
    year, number = int(found[1]), int(found[2])
    rng = rand(asked.seed, "sent", year, number)
    city = rng.choice(_IT_CITY)
    text = "<p>".join(say(rng, _IT, 8, 40) for _ in range(rng.randint(1, 4)))
    ends = ("La Corte rigetta il ricorso", "La Corte accoglie il ricorso e rinvia", "Dichiara inammissibile il ricorso")
    end = f"P.Q.M. {rng.choice(ends)}."
    cited = []
    for _ in range(rng.randint(1, 6)):
        when = rng.randint(1988, max(1989, year))
        known = when in years and rng.random() < 0.6
        cited.append((when, rng.choice(years[when]) if known else 7 * rng.randint(1, 60)))
    if found[3]:
        return ok(
            f"<html><title>{number}/{year}</title><body onload='window.print()'>Corte d'Appello di {city}<p>{text}"
            f"<p>{end}</body></html>"
        )
    links = "; ".join(a(f"/sent.php?anno={y}&num={n}", f"Cass. {n}/{y}") for y, n in dict.fromkeys(cited))
    return ok(
        f"<html><head><title>Sentenza n. {number} del {year}</title></head><body><h1>Sentenza n. {number}/{year}</h1>"
        f"<p>Corte d'Appello di {city}<p>{text}<p>{end}<p>Cfr. {links}"
        f"<p>{a(f'/sent.php?anno={year}&num={number}&stampa=1', 'Versione stampabile')}</body></html>"
    )


_JA = _split(
    """
    装置 方法 基板 電極 回路 制御 信号 検出 半導体 光学 樹脂 組成物 画像 処理 通信 端末 電池 車両 用 及び 製造 記録 媒体
    膜 形成 駆動
    """
)
_JA_CO = _split("東亜電機 日進化学 三河製作所 大和精工 北斗光学 明星重工 富岳産業 瀬戸内樹脂")


@lru_cache(8)
def _patents(seed: int) -> tuple[list[str], dict[str, list[int]], list[str]]:
    rng = rand(seed, "patents")
    classes = [
        f"{s}{n:02}{c}" for s in "ABCDEFGH" for n in rng.sample(range(1, 70), 4) for c in rng.sample("BCDFGHJKLM", 3)
    ]
    ids, of = [], []
    numbers: dict[str, list[int]] = {}
    for n, number in enumerate(sorted(rng.sample(range(100, 99999), 780))):
        ids.append(f"{1993 + n // 65}-{number:06}")
        of.append(classes[n % len(classes)])
        numbers.setdefault(of[-1], []).append(n)
    return ids, numbers, of


@honest(STRANGER_HONEST)
def st_tokkyo(asked: Asked) -> Answer | None:
    """Japanese patents."""
    ids, classes, of = _patents(asked.seed)
    url = raw(asked)
    head = "<!DOCTYPE html><html lang='ja'><head><meta charset='UTF-8'><title>"
    if url == "/":
        rows = "".join(f"<li>{a(f'/ipc/{s}/', s + 'セクション')}</li>" for s in "ABCDEFGH")
        return ok(f"{head}特許検索</title></head><body><ul>{rows}</ul></body></html>")
    if found := has(r"/ipc/([A-H])/(?:(\d\d)/(?:([A-Z])/)?)?", url):
        prefix = "".join(part for part in found.groups() if part)
        below = sorted(c for c in classes if c.startswith(prefix))
        if not below:
            return None
        if len(prefix) == 4:
            links = [a(f"/koho/JP{ids[n]}A", f"特開{ids[n]}") for n in classes[prefix]]
        else:
            size = 3 if len(prefix) == 1 else 4
            links = [a(f"{part[len(prefix) :]}/", part) for part in sorted({c[:size] for c in below})]
        return ok(f"{head}{prefix}</title></head><body><h1>{prefix}</h1><p>{'<br>'.join(links)}</p></body></html>")
    found = has(r"/koho/JP(\d{4}-\d{6})A(/claims|/family)?", url)
    if not found or found[1] not in ids:
        return None
    n = ids.index(found[1])
    rng = rand(asked.seed, "patent", n)
    title = "".join(rng.choices(_JA, k=rng.randint(3, 6)))
    own = f"/koho/JP{ids[n]}A"
    if found[2] == "/claims":
        body = "".join(
            f"<p>【請求項{c}】{''.join(rng.choices(_JA, k=rng.randint(8, 25)))}。</p>"
            for c in range(1, rng.randint(2, 7))
        )
    elif found[2]:
        if n % 3:
            return None
        body = (
            f"<table><tr><td>JP</td><td>{ids[n]}</td></tr>"
            f"<tr><td>US</td><td>{rng.randint(5000000, 7000000)}</td></tr></table>"
        )
    else:
        near = {rng.choice(classes[of[n]]), rng.randrange(len(ids)), rng.randrange(len(ids))} - {n}
        likes = "".join(f"<li>{a(f'/koho/JP{ids[m]}A', f'特開{ids[m]}')}</li>" for m in sorted(near))
        body = (
            f"<dl><dt>【出願人】</dt><dd>{rng.choice(_JA_CO)}</dd><dt>【課題】</dt>"
            f"<dd>{''.join(rng.choices(_JA, k=20))}を提供する。</dd></dl>"
            f"{a(own + '/claims', '請求の範囲')} {'' if n % 3 else a(own + '/family', 'ファミリー')}"
            f"<h3>類似文献</h3><ul>{likes}</ul>"
        )
    return ok(f"{head}{title}</title></head><body><h1>【発明の名称】{title}</h1>{body}</body></html>")


_PROTEINS = [
    *("hypothetical protein", "expressed protein", "F-box family protein", "unknown protein"),
    "protein kinase, putative",
]


@honest(STRANGER_HONEST)
def st_genebase(asked: Asked) -> Answer | None:
    """Genes: matrix parameters."""
    url = raw(asked)
    head = '<?xml version="1.0"?>\n<html xmlns="http://www.w3.org/1999/xhtml"><head><title>'
    if url == "/":
        links = " ".join(a(f"/chr;no={c}", f"chr {c}") for c in range(1, 6))
        return ok(f"{head}GeneBase</title></head><body><p>{links}</p></body></html>")
    if found := has(r"/chr;no=([1-5])(?:;part=([2-5]))?", url):
        part = int(found[2] or 1)
        genes = [f"AT{found[1]}G{10 * g:05}" for g in range(101 + (part - 1) * 25, 101 + part * 25)]
        rows = "".join(f"<li>{a(f'/gene;id={g};view=summary', g)}</li>" for g in genes)
        parts = " ".join(
            a(f"/chr;no={found[1]}" + (f";part={p}" if p > 1 else ""), p) for p in range(1, 6) if p != part
        )
        return ok(f"{head}chr {found[1]}/{part}</title></head><body><ul>{rows}</ul><p>{parts}</p></body></html>")
    found = has(r"/gene;id=AT([1-5])G(\d{4})0;view=(summary|seq|orthologs)", url)
    if not found or not 101 <= int(found[2]) < 226:
        return None
    number = int(found[2])
    gene = f"AT{found[1]}G{found[2]}0"
    rng = rand(asked.seed, "gene", gene)
    start = number * 3571 + rng.randint(0, 999)
    size = rng.randint(180, 900)
    links = " ".join(a(f"/gene;id={gene};view={v}", v) for v in ("summary", "seq", "orthologs") if v != found[3])
    if found[3] == "seq":
        letters = "".join(rng.choices("ACGT", k=size))
        body = f"<pre>&gt;{gene}\n" + "\n".join(letters[n : n + 60] for n in range(0, size, 60)) + "</pre>"
    elif found[3] == "orthologs":
        body = "<p>none found</p>"
        if rng.random() < 0.6:
            twins = [f"AT{c}G{rng.randint(101, 225):04}0" for c in rng.sample(range(1, 6), 2)]
            rows = "".join(
                f"<tr><td>{a(f'/gene;id={t};view=summary', t)}</td><td>{rng.uniform(40, 99):.1f}%</td></tr>"
                for t in twins
            )
            body = f"<table>{rows}</table>"
    else:
        body = f"<p>{rng.choice(_PROTEINS)}; {start}..{start + size} {rng.choice('+-')} strand</p>"
    return ok(f"{head}{gene} {found[3]}</title></head><body><h1>{gene}</h1>{body}<p>{links}</p></body></html>")


_PT = _split(
    """
    Belavista Marialva Académica Leixense Ribeirinho Torreense Caldas Olhanense Vizela Amarante Estoril Varzim Chaves
    Gouveia Ovarense Penafiel Tirsense Alverca Moura Lusitano Silves Cartaxo Ermesinde Famalense
    """
)


def _shell(state: object, links: list[tuple[str, str]]) -> Answer:
    rows = "".join(f"<li>{a(*link)}</li>" for link in links)
    return ok(
        "<!doctype html><html><head><title>Jornadas</title><script src=/app.9f3c.js defer></script></head><body>"
        "<div id=root></div>"
        f'<script id="__STATE__" type="application/json">{json.dumps(state, ensure_ascii=False)}</script>'
        f"<noscript><ul>{rows}</ul></noscript></body></html>"
    )


def _season(year: int) -> str:
    return f"{year}-{(year + 1) % 100:02}"


@honest(STRANGER_HONEST)
def st_jornadas(asked: Asked) -> Answer | None:
    """Portuguese football: JSON in a shell."""
    url = raw(asked)

    def clubs(year: int) -> list[int]:
        return sorted(rand(asked.seed, "clubs", year).sample(range(24), 16))

    if url == "/":
        return _shell({"page": "home"}, [(f"/epoca/{_season(y)}", _season(y)) for y in range(1990, 2014)])
    if found := has(r"/clube/" + N, url):
        club = int(found[1])
        if club >= 24:
            return None
        years = [y for y in range(1990, 2014) if club in clubs(y)]
        return _shell(
            {"page": "club", "name": _PT[club], "seasons": years},
            [(f"/clube/{club}/{_season(y)}", _season(y)) for y in years],
        )
    if found := has(r"/clube/" + N + r"/(\d{4})-(\d\d)", url):
        club, year = int(found[1]), int(found[2])
        if not 1990 <= year < 2014 or _season(year) != f"{found[2]}-{found[3]}" or club not in clubs(year):
            return None
        rng = rand(asked.seed, "table", club, year)
        points, goals = rng.randint(18, 77), [rng.randint(20, 80), rng.randint(20, 70)]
        return _shell(
            {"page": "clubSeason", "club": club, "year": year, "points": points, "goals": goals},
            [(f"/clube/{club}", _PT[club])],
        )
    found = has(r"/epoca/(\d{4})-(\d\d)(?:/jornada/" + N + ")?", url)
    if not found or not 1990 <= int(found[1]) < 2014 or _season(int(found[1])) != f"{found[1]}-{found[2]}":
        return None
    year = int(found[1])
    base = f"/epoca/{_season(year)}"
    if not found[3]:
        return _shell(
            {"page": "season", "year": year},
            [(base + "/jornada/1", "1"), *((f"/clube/{c}", _PT[c]) for c in clubs(year))],
        )
    day = int(found[3])
    if not 1 <= day <= 30:
        return None
    teams, turn = clubs(year), (day - 1) % 15
    order = [teams[0], *(teams[1 + (turn + n) % 15] for n in range(15))]
    rng = rand(asked.seed, "goals", year, day)
    games = [
        [
            *[order[n], order[15 - n]][:: 1 if day <= 15 else -1],
            rng.choice((0, 0, 1, 1, 2, 3)),
            rng.choice((0, 1, 1, 2)),
        ]
        for n in range(8)
    ]
    links = [(f"{base}/jornada/{d}", t) for d, t in ((day - 1, "anterior"), (day + 1, "seguinte")) if 1 <= d <= 30]
    return _shell({"page": "round", "year": year, "round": day, "games": games}, links)


_NO = phrases("Norsk, Matematikk, Engelsk, Naturfag, Samfunnsfag, KRLE, Kroppsøving, Musikk, Mat og helse, Tysk")
_NO_WEEKS = [*range(34, 53), *range(1, 26)]
_NO_OFF = {40: "Høstferie", 52: "Juleferie", 1: "Juleferie", 8: "Vinterferie", 15: "Påskeferie"}


@honest(STRANGER_HONEST)
def st_timeplan(asked: Asked) -> Answer | None:
    """Norwegian timetables of classes."""
    classes = [f"{n}{c}" for n in range(1, 11) for c in "AB"]
    state = sha1(f"{asked.seed}{raw(asked)}".encode()).hexdigest() * 2
    head = (
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>Timeplan</title></head><body><form method="post">'
        f'<input type="hidden" name="__VIEWSTATE" value="/wEPD{state}==" />'
    )
    if raw(asked) == "/":
        return ok(head + " ".join(a(f"/timeplan.aspx?klasse={c}&uke=34", c) for c in classes) + "</form></body></html>")
    found = has(r"/timeplan\.aspx\?klasse=(\d+[AB])&uke=" + N, raw(asked))
    if not found or found[1] not in classes or int(found[2]) not in _NO_WEEKS:
        return None
    name, week = found[1], int(found[2])
    place = _NO_WEEKS.index(week)
    links = " ".join(
        a(f"/timeplan.aspx?klasse={name}&uke={_NO_WEEKS[p]}", t)
        for p, t in ((place - 1, "&lt;&lt;"), (place + 1, "&gt;&gt;"))
        if 0 <= p < len(_NO_WEEKS)
    )
    if week in _NO_OFF:
        table = f"<p>{_NO_OFF[week]}</p>"
    else:
        rng, change = rand(asked.seed, "plan", name, week > 26), rand(asked.seed, "vikar", name, week)
        cells = [[rng.choice(_NO) for _ in range(5)] for _ in range(5)]
        if change.random() < 0.5:
            cells[change.randrange(5)][change.randrange(5)] = f"Vikar: {change.choice(_NO)}"
        rows = "".join(
            f"<tr><td>{h}.</td>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for h, row in enumerate(cells, 1)
        )
        table = f"<table>{rows}</table>"
    return ok(f"{head}<h2>{name}, uke {week}</h2>{table}{links}</form></body></html>")


_DA = phrases(
    """
    3 lm, 2 stm i næste m, 1 fm i hver m, spring 1 m over, 1 km i 3. lm, 5 stm i samme lm-bue, 1 hstm, 2 fm sm, vend
    """
)


@honest(STRANGER_HONEST)
def st_haekleopskrifter(asked: Asked) -> Answer | None:
    """Danish crochet, row by row."""
    names = _split("Dug Klud Vest Hue Sjal Bamse Kanin Grydelap Tæppe Taske")

    def rows(pattern: int) -> int:
        return rand(asked.seed, "rows", pattern).randint(18, 66)

    if raw(asked) == "/":
        items = "".join(f"<li>{a(f'/opskrift/{p}/omg/1', names[p % 10] + f' nr. {p}')}" for p in range(1, 31))
        return ok(f"<html lang=da><title>Hækleopskrifter</title><ul>{items}</ul></html>")
    found = has("/opskrift/" + N + "/omg/" + N, raw(asked))
    if not found or not 1 <= int(found[1]) <= 30 or not 1 <= int(found[2]) <= rows(int(found[1])):
        return None
    pattern, row = int(found[1]), int(found[2])
    rng = rand(asked.seed, "row", pattern, row)
    if row > 4 and rng.random() < 0.4:
        text = f"Som {rng.randint(1, row - 1)}. omg."
    else:
        text = f"*{', '.join(rng.choices(_DA, k=rng.randint(2, 5)))}*, gentag fra * {rng.randint(2, 24)} gange."
    last = row == rows(pattern)
    after = "Klip garnet og hæft enderne." if last else a(f"/opskrift/{pattern}/omg/{row + 1}", "næste omgang")
    return ok(f"<html lang=da><title>{row}. omg</title><p><b>{row}. omg:</b> {text}<p>{after}</html>")


_UK_BY = _split("Березовський Бортнянський Ведель Лисенко Леонтович Стеценко Степовий Людкевич Барвінський Ревуцький")
_UK_WORK = _split(
    """
    Щедрик Дударик Козака_несуть Херувимська Концерт_№_3 Колискова Веснянка Літургія Думка Псалом Гагілка Молитва
    """
)


@honest(STRANGER_HONEST)
def st_noty(asked: Asked) -> Answer | None:
    """Ukrainian sheet music: XHTML, percent-encoded folders."""
    url = raw(asked)
    head = (
        '<?xml version="1.0" encoding="UTF-8"?>\n<html xmlns="http://www.w3.org/1999/xhtml" xml:lang="uk"><head><title>'
    )

    def pages(composer: str, work: str) -> int:
        return 1 + int(rand(asked.seed, "noty", composer, work).expovariate(1 / 11)) % 40

    if url == "/":
        return ok(
            f"{head}Ноти</title></head><body><ul>"
            + "".join(f"<li>{a(f'/{quote(c)}/', c)}</li>" for c in _UK_BY)
            + "</ul></body></html>"
        )
    parts = url.split("/")
    composer = next((c for c in _UK_BY if quote(c) == parts[1]), None)
    if not composer or not 3 <= len(parts) <= 4:
        return None
    if len(parts) == 3:
        if parts[2]:
            return None
        rows = "".join(
            f"<li>{a(f'{quote(w)}/1.xhtml', w.replace('_', ' '))}, {pages(composer, w)} с.</li>" for w in _UK_WORK
        )
        return ok(f"{head}{composer}</title></head><body><h1>{composer}</h1><ul>{rows}</ul></body></html>")
    work = next((w for w in _UK_WORK if quote(w) == parts[2]), None)
    found = has(N + r"\.xhtml", parts[3])
    if not work or not found or not 1 <= int(found[1]) <= pages(composer, work):
        return None
    page = int(found[1])
    links = " ".join(
        a(f"{p}.xhtml", t) for p, t in ((page - 1, "←"), (page + 1, "→")) if 1 <= p <= pages(composer, work)
    )
    file = sha1(f"{asked.seed}{url}".encode()).hexdigest()[:10]
    return ok(
        f'{head}{work.replace("_", " ")}</title></head><body><img src="/png/{file}.png" alt="" />'
        f"<p>{links} {a('../', 'зміст')}</p></body></html>"
    )


_J1 = _split("Abstract Default Simple Buffered Cached Async Remote Local Lazy Typed Indexed Composite")
_J2 = _split("Factory Handler Parser Writer Reader Context Visitor Adapter Registry Builder Event Listener")
_J_PACK = [f"org/quarrel/{p}" for p in _split("core io net xml util sql event text cache mail cron auth")]


@lru_cache(8)
def _javadoc(seed: int) -> dict[str, list[str]]:
    rng = rand(seed, "javadoc")
    names = [f + s for f in _J1 for s in _J2]
    return {pack: sorted(rng.sample(names, rng.randint(30, 50))) for pack in _J_PACK}


@honest(STRANGER_HONEST)
def st_apidocs(asked: Asked) -> Answer | None:
    """Javadoc in frames; in frames of a body, for Scrapy sees no link within a frameset."""
    packs = _javadoc(asked.seed)
    url = raw(asked)
    head = (
        '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Frameset//EN">\n<!-- Generated by javadoc (build 1.6.0_20) -->\n'
        "<HTML><HEAD><TITLE>"
    )
    if url == "/":
        return ok(
            f"{head}Quarrel 2.1 API</TITLE></HEAD><BODY><IFRAME src='/overview-frame.html'></IFRAME>"
            f"<IFRAME src='/overview-summary.html'></IFRAME>{caps('/overview-summary.html', 'Non-frame version.')} "
            f"{caps('/overview-frame.html', 'Packages')}</BODY></HTML>"
        )
    if url in ("/overview-frame.html", "/overview-summary.html"):
        page = "package-frame" if "frame" in url else "package-summary"
        rows = "<BR>".join(caps(f"/{p}/{page}.html", p.replace("/", ".")) for p in packs)
        letters = " ".join(caps(f"/index-files/index-{n}.html", n) for n in range(1, 13)) if "summary" in url else ""
        return ok(f"{head}Overview</TITLE></HEAD><BODY>{rows}<HR>{letters}</BODY></HTML>")
    if found := has(r"/index-files/index-" + N + r"\.html", url):
        if not 1 <= int(found[1]) <= 12:
            return None
        word = _J1[int(found[1]) - 1]
        rows = "".join(
            f"<DT>{caps(f'../{p}/{c}.html', c)} - Class in package {p.replace('/', '.')}"
            for p, cs in packs.items()
            for c in cs
            if c.startswith(word)
        )
        return ok(f"{head}{word[0]}-Index</TITLE></HEAD><BODY><DL>{rows}</DL></BODY></HTML>")
    found = has(r"/(org/quarrel/[a-z]+)/(class-use/)?([A-Za-z-]+)\.html", url)
    if not found or found[1] not in packs:
        return None
    pack, classes, name = found[1], packs[found[1]], found[3]
    if name in ("package-frame", "package-summary") and not found[2]:
        if name == "package-frame":
            rows = "<BR>".join(caps(f"{c}.html", c) for c in classes)
            return ok(f"{head}{pack}</TITLE></HEAD><BODY>{rows}</BODY></HTML>")
        rows = "".join(f"<TR><TD>{caps(f'{c}.html', c)}<TD>&nbsp;" for c in classes)
        return ok(
            f"{head}{pack}</TITLE></HEAD><BODY><H2>Package {pack.replace('/', '.')}</H2>"
            f"<TABLE BORDER=1>{rows}</TABLE></BODY></HTML>"
        )
    if name not in classes:
        return None
    rng = rand(asked.seed, "class", pack, name)
    used = rng.choice(classes)
    if found[2]:
        unused = rng.random() < 0.5
        use = f"Uses of {name} in {caps(f'../{used}.html', used)}"
        text = f"No usage of {pack.replace('/', '.')}.{name}" if unused else use
        return ok(
            f"{head}Uses of Class {pack.replace('/', '.')}.{name}</TITLE></HEAD><BODY>"
            f"<CENTER><B>{text}</B></CENTER></BODY></HTML>"
        )
    methods = "".join(
        f"<TR><TD><CODE>{rng.choice(('void', 'int', 'boolean', 'String'))}<TD>"
        f"<CODE>{rng.choice(('get', 'set', 'is', 'add'))}{rng.choice(_J2)}()"
        for _ in range(rng.randint(1, 7))
    )
    return ok(
        f"{head}{name}</TITLE></HEAD><BODY>{caps('/overview-summary.html', 'Overview')} "
        f"{caps('package-summary.html', 'Package')} {caps(f'class-use/{name}.html', 'Use')}"
        f"<H2>Class {name}</H2><PRE>public class <B>{name}</B>\nextends {caps(f'{used}.html', used)}</PRE>"
        f"<TABLE BORDER=1>{methods}</TABLE></BODY></HTML>"
    )


_GIT_FILES = ["Makefile", "README", "main.c", "parse.c", "parse.h", "util.c", "test.sh"]
_GIT_DO = _split("fix add remove rename document simplify revert tweak bump handle")
_GIT_IT = _split("leak typo option warning test overflow include manpage whitespace version parser flag")


#: The names of a commit, its tree and its new file, and which commit has changed each file last.
_Commit = tuple[str, str, str, dict[str, int]]


@lru_cache(8)
def _git(seed: int) -> tuple[list[_Commit], dict[str, int], dict[str, int], dict[str, tuple[int, str]]]:
    rng = rand(seed, "git")
    commits, by, trees, blobs = [], {}, {}, {}
    state: dict[str, int] = {}
    for n in range(430):
        file = _GIT_FILES[n] if n < 7 else rng.choice(_GIT_FILES)
        state = {**state, file: n}
        commit, tree, blob = (sha1(f"{seed}{kind}{n}".encode()).hexdigest() for kind in ("c", "t", "b"))
        commits.append((commit, tree, blob, state))
        by[commit], trees[tree], blobs[blob] = n, n, (n, file)
    return commits, by, trees, blobs


@honest(STRANGER_HONEST)
def st_gitweb(asked: Asked) -> Answer | None:
    """A small gitweb."""
    commits, by, trees, blobs = _git(asked.seed)
    url = raw(asked)
    head = (
        '<?xml version="1.0" encoding="utf-8"?>\n<!-- git web interface version 1.6.4 -->'
        '<html xmlns="http://www.w3.org/1999/xhtml"><head><title>'
    )
    base = "/?p=tinyparse.git;a="

    def subject(n: int) -> str:
        rng = rand(asked.seed, "subject", n)
        return f"{rng.choice(_GIT_DO)} {rng.choice(_GIT_IT)}"

    if url == "/":
        return ok(f"{head}Git</title></head><body>{a(base + 'shortlog', 'tinyparse.git')}</body></html>")
    if not url.startswith(base):
        return None
    what = url[len(base) :]
    nav = f"<div class='page_nav'>{a(base + 'shortlog', 'shortlog')}</div>"
    if found := has("shortlog(?:;pg=" + N + ")?", what):
        page = int(found[1] or 0)
        if found[1] == "0" or page * 100 >= len(commits):
            return None
        rows = "".join(
            f"<tr><td>{a(f'{base}commit;h={commits[n][0]}', subject(n))}</td></tr>"
            for n in range(len(commits) - 1 - page * 100, max(-1, len(commits) - 101 - page * 100), -1)
        )
        more = a(f"{base}shortlog;pg={page + 1}", "next") if (page + 1) * 100 < len(commits) else ""
        body = f"<table>{rows}</table>{more}"
    elif (found := has("(commit|commitdiff);h=([0-9a-f]{40})", what)) and found[2] in by:
        n = by[found[2]]
        commit, tree, blob, _ = commits[n]
        file = blobs[blob][1]
        parent = a(f"{base}commit;h={commits[n - 1][0]}", commits[n - 1][0]) if n else "(initial)"
        body = (
            f"<h1>{subject(n)}</h1><table><tr><td>commit</td><td>{commit}</td></tr>"
            f"<tr><td>parent</td><td>{parent}</td></tr>"
        )
        if found[1] == "commit":
            body += (
                f"<tr><td>tree</td><td>{a(f'{base}tree;h={tree};hb={commit}', tree)}</td></tr></table>"
                f"{a(f'{base}blob;f={file};h={blob}', file)} {a(f'{base}commitdiff;h={commit}', 'diff')}"
            )
        else:
            rng = rand(asked.seed, "diff", n)
            body += (
                f"</table><pre>--- a/{file}\n+++ b/{file}\n@@ -{rng.randint(1, 300)},7 @@\n"
                f"-\tint {rng.choice(_GIT_IT)};\n+\tint {rng.choice(_GIT_IT)}{n};</pre>"
            )
    elif (found := has("tree;h=([0-9a-f]{40});hb=([0-9a-f]{40})", what)) and (
        found[1] in trees and commits[trees[found[1]]][0] == found[2]
    ):
        rows = "".join(
            f"<tr><td>-rw-r--r--</td><td>{a(f'{base}blob;f={f};h={commits[m][2]}', f)}</td></tr>"
            for f, m in sorted(commits[trees[found[1]]][3].items())
        )
        body = f"<table>{rows}</table>"
    elif (found := has("blob;f=([A-Za-z.]+);h=([0-9a-f]{40})", what)) and (
        found[2] in blobs and blobs[found[2]][1] == found[1]
    ):
        n = blobs[found[2]][0]
        rng = rand(asked.seed, "blob", found[1])
        lines = [f"{rng.choice(_GIT_DO)}_{rng.choice(_GIT_IT)}({rng.randint(0, 99)});" for _ in range(25)]
        lines[n % 25] = f"/* {subject(n)} {n} */"
        body = "<pre>" + "\n".join(f"{k:4} {line}" for k, line in enumerate(lines, 1)) + "</pre>"
    else:
        return None
    return ok(f"{head}tinyparse.git</title></head><body>{nav}{body}</body></html>")


_MONTHS = _split("January February March April May June July August September October November December")
_EN = _split(
    """
    patch the kernel module does not build on my sparc box anyone seen this with gcc after upgrade works for me try
    again please send log
    """
)
_EN_WHO = ["Bob Tarjan", "Ingrid L.", "J. R. Oldroyd", "Matti", "Ken Sasaki", "root", "Priya N", "Dave F."]


@lru_cache(8)
def _mail(seed: int) -> dict[str, tuple[int, int]]:
    rng, number, months = rand(seed, "mail"), 0, {}
    for year in range(1999, 2003):
        for month in _MONTHS:
            size = rng.choice((3, 9, 17, 25, 41, 60))
            months[f"{year}-{month}"] = (number, size)
            number += size
    return months


@honest(STRANGER_HONEST)
def st_pipermail(asked: Asked) -> Answer | None:
    """A mailing list in Pipermail."""
    months = _mail(asked.seed)
    url = raw(asked)
    views = ("thread", "subject", "author", "date")

    def message(n: int) -> tuple[str, str, str]:
        topic = n - n % 5 if n % 7 else n
        rng, own = rand(asked.seed, "topic", topic), rand(asked.seed, "mail", n)
        short = own.random() < 0.35
        text = own.choice(("me too", "unsubscribe", "Thanks!", "Fixed in CVS.")) if short else say(own, _EN, 10, 60)
        return ("" if topic == n else "Re: ") + "[sparc] " + " ".join(rng.choices(_EN, k=3)), own.choice(_EN_WHO), text

    if url == "/":
        rows = "".join(
            f"<tr><td>{m}:</td><td>"
            + " ".join(caps(f"/pipermail/sparc/{m}/{v}.html", f"[ {v} ]") for v in views)
            + "</td></tr>"
            for m in months
        )
        return ok(
            f"<HTML><HEAD><title>The sparc Archives</title></HEAD><BODY><table border=3>{rows}</table></BODY></HTML>"
        )
    found = has(r"/pipermail/sparc/(\d{4}-[A-Z][a-z]+)/(?:(thread|subject|author|date)|(\d{6}))\.html", url)
    if not found or found[1] not in months:
        return None
    first, size = months[found[1]]
    if found[3]:
        n = int(found[3])
        if not first <= n < first + size:
            return None
        subject, who, text = message(n)
        links = [
            (f"{m:06}.html", t)
            for m, t in ((n - 1, "Previous message"), (n + 1, "Next message"))
            if first <= m < first + size
        ]
        sorts = " ".join(caps(f"{view}.html", view) for view in views)
        return ok(
            f"<HTML><HEAD><TITLE>{subject}</TITLE></HEAD><BODY><H1>{subject}</H1><B>{who}</B>"
            f"<UL>{''.join(f'<LI>{caps(*link)}' for link in links)}<LI>Messages sorted by: {sorts}</UL>"
            f"<HR><PRE>{text}</PRE><HR></BODY></HTML>"
        )
    listed = [(n, *message(n)[:2]) for n in range(first, first + size)]
    keys: dict[str, Callable[[tuple[int, str, str]], tuple[str, int]]] = {
        "thread": lambda m: (m[1].removeprefix("Re: "), m[0]),
        "subject": lambda m: (m[1], m[0]),
        "author": lambda m: (m[2], m[0]),
        "date": lambda m: ("", m[0]),
    }
    rows = "".join(f"<LI>{caps(f'{n:06}.html', s)} <I>{w}</I>" for n, s, w in sorted(listed, key=keys[found[2]]))
    return ok(
        f"<HTML><HEAD><TITLE>{found[1]} by {found[2]}</TITLE></HEAD><BODY><B>Messages: {size}</B>"
        f"<UL>{rows}</UL></BODY></HTML>"
    )


_KO = _split(
    """
    ㅋㅋㅋ ㅎㄷㄷ 진짜 이거 뭐냐 고양이 사진 추천 좀 오늘 날씨 라면 맛있다 아무도 없음 처음 본다 그래서 어쩌라고 좋네
    퍼감 배경화면 감사 굿 ㅇㅇ ㄴㄴ
    """
)


@lru_cache(8)
def _board(seed: int) -> tuple[list[list[int]], dict[int, int]]:
    rng, number, threads = rand(seed, "board"), 41000, []
    for _ in range(330):
        posts = []
        for _ in range(min(30, 1 + int(rng.expovariate(0.25)))):
            number += rng.randint(1, 3)
            posts.append(number)
        threads.append(posts)
    return threads, {posts[0]: n for n, posts in enumerate(threads)}


@honest(STRANGER_HONEST)
def st_jjalbang(asked: Asked) -> Answer | None:
    """A Korean image board: pagers repeat what threads say."""
    threads, by = _board(asked.seed)
    url = raw(asked)

    def post(number: int) -> str:
        rng = rand(asked.seed, "ko", number)
        text = " ".join(rng.choices(_KO, k=rng.randint(1, 5)))
        thumb = f"<img src='/b/thumb/{sha1(str(number).encode()).hexdigest()[:9]}s.jpg'>"
        image = a(f"/b/view/{number}.html", thumb) if number % 2 else ""
        return f"<div class=post><b>익명</b> No.{number} {image}<blockquote>{text}</blockquote></div>"

    if url == "/":
        return ok(f"<html><title>짤방</title><center>{a('/b/', '입장')}</center></html>")
    if found := has(r"/b/(?:" + N + r"\.html)?", url):
        page = int(found[1] or 0)
        if found[1] == "0" or page * 15 >= len(threads):
            return None
        rows = "<hr>".join(
            a(f"/b/res/{t[0]}.html", "[답글]") + "".join(map(post, [t[0], *t[1:][-3:]]))
            for t in threads[page * 15 : page * 15 + 15]
        )
        pager = " ".join(f"[{a(f'/b/{p}.html' if p else '/b/', p)}]" for p in range(len(threads) // 15))
        return ok(f"<html><title>/b/ - 짤방</title><body>{rows}<hr>{pager}</body></html>")
    if found := has(r"/b/res/" + N + r"\.html", url):
        if int(found[1]) not in by:
            return None
        posts = "".join(map(post, threads[by[int(found[1])]]))
        return ok(f"<html><title>/b/ - 짤방</title><body>{a('/b/', '돌아가기')}{posts}</body></html>")
    if (found := has(r"/b/view/" + N + r"\.html", url)) and int(found[1]) % 2:
        number = int(found[1])
        if any(number in thread for thread in threads):
            return ok(f"<html><body><img src='/b/src/{sha1(str(number).encode()).hexdigest()[:9]}.jpg'></body></html>")
    return None


_AR = phrases(
    """
    نشرة الأخبار, صباح الخير, قراءات شعرية, موسيقى من التراث, حديث الاقتصاد, مجلة الرياضة, مسلسل الليلة, عالم الأطفال,
    الطب والحياة, رسائل المستمعين, موسيقى هادئة, من المكتبة, تلاوة, لقاء الأسبوع
    """
)
_AR_DAY = ["الاثنين", "الثلاثاء", "الأربعاء", "الخميس", "الجمعة", "السبت", "الأحد"]


@honest(STRANGER_HONEST)
def st_izaa(asked: Asked) -> Answer | None:
    """Arabic radio programmes."""
    first, last = date(2009, 1, 1), date(2011, 12, 31)
    url = raw(asked)
    head = "<!DOCTYPE html><html lang='ar' dir='rtl'><head><meta charset='utf-8'><title>"
    if url == "/":
        rows = " ".join(a(f"/jadwal/{y}-{m:02}", f"{m}/{y}") for y in range(2009, 2012) for m in range(1, 13))
        shows = "".join(f"<li>{a(f'/barnamaj/{n}', s)}</li>" for n, s in enumerate(_AR))
        return ok(f"{head}الإذاعة</title></head><body><p>{rows}</p><ul>{shows}</ul></body></html>")
    if found := has("/barnamaj/" + N, url):
        n = int(found[1])
        if n >= len(_AR):
            return None
        return ok(f"{head}{_AR[n]}</title></head><body><h1>{_AR[n]}</h1>{a('/', 'الرئيسية')}</body></html>")
    found = has(r"/jadwal/(\d{4})-(\d\d)(?:-(\d\d))?", url)
    if not found or not 2009 <= int(found[1]) <= 2011 or not 1 <= int(found[2]) <= 12:
        return None
    year, month = int(found[1]), int(found[2])
    days = monthrange(year, month)[1]
    if not found[3]:
        cells = "".join(f"<td>{a(f'/jadwal/{year}-{month:02}-{d:02}', d)}</td>" for d in range(1, days + 1))
        return ok(f"{head}{month}/{year}</title></head><body><table><tr>{cells}</tr></table></body></html>")
    if not 1 <= int(found[3]) <= days:
        return None
    day = date(year, month, int(found[3]))
    rng = rand(asked.seed, "radio", day.weekday())
    rows = "".join(
        f"<tr><td>{hour:02}:00</td>"
        f"<td>{_AR[show]}{f' – الحلقة {(day - first).days + 1}' if show == 6 else ''}</td></tr>"
        for hour, show in ((hour, 6 if hour == 21 else rng.randrange(len(_AR))) for hour in range(5, 24))
    )
    links = " | ".join(
        a(f"/jadwal/{d.isoformat()}", t)
        for d, t in ((day - timedelta(1), "أمس"), (day + timedelta(1), "غدا"))
        if first <= d <= last
    )
    title = _AR_DAY[day.weekday()]
    return ok(f"{head}{title}</title></head><body><h1>{title}</h1><table>{rows}</table>{links}</body></html>")


_HE = _split("הרצאה קונצרט סיור טקס ערב מחול סדנה הצגה מפגש שירה תערוכה")
_HE_WHERE = _split("בספרייה בהיכל באולם במתנס בגן בבית העם במוזיאון")


@honest(STRANGER_HONEST)
def st_luach(asked: Asked) -> Answer | None:
    """A Hebrew calendar of events: empty days."""
    first, last = date(2004, 9, 1), date(2007, 8, 31)
    url = raw(asked)
    head = "<html dir=rtl><head><title>לוח אירועים</title></head><body bgcolor=#ffffcc>"

    def link(day: date) -> str:
        return f"/calendar.asp?y={day.year}&m={day.month}&d={day.day}"

    def events(day: date) -> int:
        return rand(asked.seed, "ev", day).choice((0, 0, 0, 0, 0, 0, 1, 2))

    if url == "/":
        return ok(f"{head}<center>{a(link(first), 'ללוח האירועים')}</center></body></html>")
    if found := has(r"/event\.asp\?id=(\d{4})(\d\d)(\d\d)([01])", url):
        try:
            day = date(int(found[1]), int(found[2]), int(found[3]))
        except ValueError:
            return None
        if not first <= day <= last or int(found[4]) >= events(day):
            return None
        rng = rand(asked.seed, "event", found[0])
        return ok(
            f"{head}<h2>{rng.choice(_HE)} {rng.choice(_HE_WHERE)}</h2>{day:%d.%m.%Y}, {rng.randint(16, 21)}:"
            f'{rng.choice(("00", "30"))}, {rng.choice((0, 20, 35, 50))} ש"ח</body></html>'
        )
    found = has(r"/calendar\.asp\?y=(200\d)&m=" + N + "&d=" + N, url)
    if not found:
        return None
    try:
        day = date(int(found[1]), int(found[2]), int(found[3]))
    except ValueError:
        return None
    if not first <= day <= last:
        return None
    rows = "".join(f"<li>{a(f'/event.asp?id={day:%Y%m%d}{n}', 'לפרטים')}" for n in range(events(day)))
    steps = ((-1, "יום קודם"), (1, "יום הבא"), (-30, "חודש קודם"), (30, "חודש הבא"))
    around = [(day + timedelta(step), text) for step, text in steps]
    return ok(
        f"{head}{rows or 'אין אירועים ביום זה'}<hr>"
        + " ".join(a(link(d), t) for d, t in around if first <= d <= last)
        + "</body></html>"
    )


_PORTS = _split("Arklow Ballycotton Cobh Dingle Foynes Galway Howth Kilrush Killybegs Rosslare Sligo Wexford")


@honest(STRANGER_HONEST)
def st_tidetables(asked: Asked) -> Answer | None:
    """Tide tables."""
    url = raw(asked)
    if url == "/":
        rows = "".join(
            f"<DT>{p}<DD>" + " ".join(caps(f"/{p.upper()}/{y}/01.HTM", y) for y in range(1996, 2003)) for p in _PORTS
        )
        return ok(f"<HTML><HEAD><TITLE>TIDE TABLES</TITLE></HEAD><BODY><DL>{rows}</DL></BODY></HTML>")
    found = has(r"/([A-Z]+)/(\d{4})/(\d\d)\.HTM", url)
    if not found or found[1].capitalize() not in _PORTS:
        return None
    port, year, month = _PORTS.index(found[1].capitalize()), int(found[2]), int(found[3])
    if not (1996 <= year <= 2002 and 1 <= month <= 12):
        return None
    lines = []
    hours = (date(year, month, 1).toordinal() * 24) + port * 1.7 + asked.seed % 7
    for day in range(1, monthrange(year, month)[1] + 1):
        turn = (hours + day * 24) % 12.42
        spring = 0.8 * math.cos((hours / 24 + day) * 2 * math.pi / 14.77)
        low = (turn + 6.21) % 12.42
        lines.append(
            f"{day:2}  HW {int(turn):02}{int(turn % 1 * 60):02} {3.4 + port / 9 + spring:.1f}   "
            f"LW {int(low):02}{int(low % 1 * 60):02} {1.1 - spring:.1f}"
        )
    months = " ".join(caps(f"{m:02}.HTM", f"{m:02}") for m in range(1, 13) if m != month)
    return ok(
        f"<HTML><HEAD><TITLE>{found[1]}</TITLE></HEAD><BODY><H3>{found[1]} {month}/{year}</H3><PRE>\n"
        + "\n".join(lines)
        + f"\n</PRE>{months}</BODY></HTML>"
    )


_TR1 = _split("Ak Kara Yeni Eski Kızıl Gök Sarı Taş Çam Ulu Boz Alaca")
_TR2 = _split("köy pınar tepe dere su kaya hisar ova burun kent bağ çay")


@honest(STRANGER_HONEST)
def st_harita(asked: Asked) -> Answer | None:
    """A Turkish map: coordinates and zooms."""
    url = raw(asked)
    if url == "/":
        return ok(
            f"<html><head><title>Harita</title></head><body>{a('/harita?z=0&x=0&y=0', 'Haritayı aç')}</body></html>"
        )
    found = has(rf"/harita\?z=([0-5])&x={N}&y={N}", url)
    if not found:
        return None
    z, x, y = (int(part) for part in found.groups())
    if x >= 2**z or y >= 2**z:
        return None
    links = [(x, y - 1, "kuzey"), (x, y + 1, "güney"), (x - 1, y, "batı"), (x + 1, y, "doğu")]
    around = [a(f"/harita?z={z}&x={i}&y={j}", t) for i, j, t in links if 0 <= i < 2**z and 0 <= j < 2**z]
    if z < 5:
        around += [a(f"/harita?z={z + 1}&x={2 * x + i}&y={2 * y + j}", "yakınlaş") for i in (0, 1) for j in (0, 1)]
    if z:
        around.append(a(f"/harita?z={z - 1}&x={x // 2}&y={y // 2}", "uzaklaş"))
    rng = rand(asked.seed, "harita", z, x, y)
    sea = rand(asked.seed, "deniz", x * 8 // 2**z, y * 8 // 2**z).random() < 0.35 and z > 2
    names = "Deniz" if sea else ", ".join(rng.choice(_TR1) + rng.choice(_TR2) for _ in range(rng.randint(1, 4)))
    tile = "deniz" if sea else f"{z}_{x}_{y}"
    return ok(
        f"<html><head><title>Harita</title></head><body><img src='/karo/{tile}.png'><p>{names}</p>"
        f"<p>{' '.join(around)}</p></body></html>"
    )


_HI_TAG = _split("प्रेम वर्षा माँ गाँव नदी विरह देश बचपन रात मृत्यु मित्र फूल")
_HI = _split(
    """
    मन गगन धरती पवन सपने आँसू दीप राह साथी छाया बादल पंछी गीत चाँद सूरज आँगन धूप तुम हम कहाँ अब फिर चला रहा
    है मेरे तेरे बिन
    """
)


@lru_cache(8)
def _poems(seed: int) -> list[tuple[str, ...]]:
    rng = rand(seed, "poems")
    return [
        tuple(t for t in _HI_TAG if t in chosen)
        for chosen in (rng.sample(_HI_TAG, rng.choice((3, 3, 4))) for _ in range(390))
    ]


@honest(STRANGER_HONEST)
def st_kavita(asked: Asked) -> Answer | None:
    """Hindi poems by tags."""
    poems = _poems(asked.seed)
    url = raw(asked)
    head = "<!DOCTYPE html><html lang='hi'><head><meta charset='utf-8'><title>"

    def tag(tags: tuple[str, ...]) -> str:
        return "/tag/" + "+".join(map(quote, tags))

    if url == "/":
        return ok(
            f"{head}कविता कोश</title></head><body>" + " ".join(a(tag((t,)), t) for t in _HI_TAG) + "</body></html>"
        )
    if found := has("/kavita/" + N, url):
        if not 1 <= (n := int(found[1])) <= len(poems):
            return None
        rng = rand(asked.seed, "poem", n)
        lines = "<br>".join(" ".join(rng.choices(_HI, k=rng.randint(3, 6))) for _ in range(rng.choice((2, 4, 4, 8))))
        return ok(
            f"{head}कविता</title></head><body><p>{lines}</p>"
            + " ".join(a(tag((t,)), t) for t in poems[n - 1])
            + "</body></html>"
        )
    if not url.startswith("/tag/"):
        return None
    parts = url[5:].split("+")
    tags = tuple(t for t in _HI_TAG if quote(t) in parts)
    if not 1 <= len(tags) <= 3 or url != tag(tags):
        return None
    hits = [n for n, poem in enumerate(poems, 1) if set(tags) <= set(poem)]
    if not hits:
        return None
    if len(tags) == 3:
        items = "".join(f"<li>{a(f'/kavita/{n}', rand(asked.seed, 'poem', n).choice(_HI))}</li>" for n in hits)
        rows = f"<ul>{items}</ul>"
    else:
        more = sorted({t for n in hits for t in poems[n - 1]} - set(tags), key=_HI_TAG.index)
        rows = " ".join(a(tag(tuple(t for t in _HI_TAG if t in (*tags, new))), "+ " + new) for new in more)
    title = ", ".join(tags)
    return ok(f"{head}{title}</title></head><body><h1>{title} ({len(hits)})</h1>{rows}</body></html>")


_CS = [
    ("Barva", _split("cervena modra bila seda zelena cerna")),
    ("Motor", _split("1.0 1.2 1.4 1.6 1.9-tdi")),
    ("Sedačky", _split("latka velur kuze sport")),
    ("Kola", _split("r14 r15 r16 r17")),
    ("Výbava", _split("zaklad komfort sport")),
]


@honest(STRANGER_HONEST)
def st_konfigurator(asked: Asked) -> Answer | None:
    """A Czech configurator."""
    url = raw(asked)
    parts = [] if url == "/" else url[1:].split("/")
    if parts and (parts[0] != "vuz" or parts[-1] != "" or not 3 <= len(parts) <= 7):
        return None
    chosen = parts[1:-1]
    if any(value not in _CS[n][1] for n, value in enumerate(chosen)):
        return None
    price = 239900 + sum(rand(asked.seed, "cena", n, value).randint(0, 60) * 500 for n, value in enumerate(chosen))
    done = "".join(f"<li>{_CS[n][0]}: {value}</li>" for n, value in enumerate(chosen))
    if len(chosen) < 5:
        title, values = _CS[len(chosen)]
        body = f"<h2>{len(chosen) + 1}. {title}</h2>" + "".join(
            f"<div class='volba'>{a('/vuz/' + '/'.join([*chosen, v]) + '/', v)}</div>" for v in values
        )
    else:
        body = f"<p>Hotovo. Kód: {sha1(url.encode()).hexdigest()[:6].upper()}</p>"
    return ok(
        f"<!DOCTYPE html><html lang='cs'><head><title>Konfigurátor</title></head><body><ul>{done}</ul>{body}"
        f"<p>Cena: {price} Kč</p>{a('/', 'Znovu')}</body></html>"
    )


_EU = {
    "en": "notice agency report annual board decision meeting budget member states",
    "fr": "avis agence rapport annuel conseil décision réunion budget états membres",
    "de": "bekanntmachung agentur bericht jährlich rat beschluss sitzung haushalt mitglied staaten",
    "es": "anuncio agencia informe anual consejo decisión reunión presupuesto estados miembros",
    "it": "avviso agenzia relazione annuale consiglio decisione riunione bilancio stati membri",
    "pl": "ogłoszenie agencja sprawozdanie roczne rada decyzja posiedzenie budżet państwa członkowskie",
    "el": "ανακοίνωση οργανισμός έκθεση ετήσια συμβούλιο απόφαση συνεδρίαση προϋπολογισμός κράτη μέλη",
    "bg": "обявление агенция доклад годишен съвет решение заседание бюджет държави членки",
    "hu": "közlemény ügynökség jelentés éves tanács határozat ülés költségvetés tagállam",
    "fi": "ilmoitus virasto kertomus vuosittainen neuvosto päätös kokous talousarvio jäsenvaltiot",
    "lt": "pranešimas agentūra ataskaita metinė taryba sprendimas posėdis biudžetas valstybės narės",
    "mt": "avviż aġenzija rapport annwali bord deċiżjoni laqgħa baġit stati membri",
}


@honest(STRANGER_HONEST)
def st_agency_languages(asked: Asked) -> Answer | None:
    """An institution in twelve languages, partly untranslated."""
    url = raw(asked)
    if url == "/":
        return ok(
            "<html><title>European Agency</title><body>"
            + "<br>".join(a(f"/{lang}/index", lang) for lang in _EU)
            + "</body></html>"
        )
    found = has(r"/([a-z]{2})/(?:index|doc/" + N + ")", url)
    if not found or found[1] not in _EU or (found[2] and not 1 <= int(found[2]) <= 96):
        return None
    lang = found[1]
    words = _EU[lang].split()
    tail = url[3:]
    switch = " ".join(a(f"/{other}{tail}", other) for other in _EU if other != lang)
    if not found[2]:
        items = "".join(f"<li>{a(f'/{lang}/doc/{n}', f'{words[n % 6]} {n}')}</li>" for n in range(1, 97))
        body = f"<ul>{items}</ul>"
    else:
        number = int(found[2])
        rng = rand(asked.seed, "doc", number)
        own = words if number % 3 else _EU["en"].split()
        text = "".join(f"<p>{say(rng, own, 6, 18)}</p>" for _ in range(rng.randint(1, 4)))
        body = f"<h1>{words[number % 6]} {number}</h1>{text}"
    return ok(
        f"<!DOCTYPE html><html lang='{lang}'><head><title>{words[0]}</title></head><body>"
        f"<div class='lang'>{switch}</div>{body}{a(f'/{lang}/index', words[1])}</body></html>"
    )


_HITS = count(48213)
_COMIC = _split("Duck Toaster Monday Landlord Pigeon Cactus Robot Uncle Exam Sofa Ghost Tuesday Moon Laundry")


@honest(STRANGER_HONEST, varies=True)
def st_pigeoncomic(asked: Asked) -> Answer | None:
    """A comic: a chain with counters, clocks, nonces."""
    total, url = 1460, raw(asked)
    if url == "/":
        number = total
    else:
        found = has(r"/comic/(\d{4})", url)
        if not found or not 1 <= int(found[1]) < total:
            return None
        number = int(found[1])
    rng = rand(asked.seed, "comic", number)
    visits = next(_HITS)
    nonce = sha1(f"{visits}{time.time()}".encode()).hexdigest()[:16]
    back = a(f"/comic/{number - 1:04}", "&laquo; Prev") + a("/comic/0001", "First") if number > 1 else ""
    after = a(f"/comic/{number + 1:04}" if number + 1 < total else "/", "Next &raquo;") if number < total else ""
    return ok(
        f"<!DOCTYPE html><html><head><title>Pigeon Comic</title><meta name='csrf' content='{nonce}'></head><body>"
        f"<div id='comic'><img src='/strips/{date(2004, 1, 1) + timedelta(number * 2)}.gif' "
        f"title='{rng.choice(_COMIC)} {rng.choice(_COMIC).lower()}'></div><div>{back} {after}</div>"
        f"<form action='/vote'><input type='hidden' name='t' value='{nonce[::-1]}'></form>"
        f"<small>You are visitor {visits}. It is now {time.strftime('%H:%M:%S')}. "
        f"Page made in {rng.random():.4f} s.</small></body></html>"
    )


_ZH = _split(
    """
    山 水 人 风 雨 夜 他 走 看 见 了 一 不 是 来 去 城 门 马 剑 酒 心 天 月 道 说 问 笑 中 上 下 的 那 这 年 月 日 老 少
    家 国 书 江 湖 雪 花
    """
)
_ZH_BOOK = ["青山记", "夜雨江湖录", "长安旧梦", "雪满弓刀", "水月楼", "剑门关外", "花间集话"]


@honest(STRANGER_HONEST)
def st_zaixianyuedu(asked: Asked) -> Answer | None:
    """A Chinese reader of books."""
    url = raw(asked)

    def chapters(book: int) -> int:
        return rand(asked.seed, "chapters", book).randint(11, 20)

    def pages(book: int, chapter: int) -> int:
        return rand(asked.seed, "pages", book, chapter).randint(6, 17)

    if url == "/":
        return ok(
            "<html><title>在线阅读</title><body>"
            + "<br>".join(a(f"/book.php?b={n}", t) for n, t in enumerate(_ZH_BOOK, 1))
            + "</body></html>"
        )
    if found := has(r"/book\.php\?b=([1-7])", url):
        book = int(found[1])
        items = "".join(f"<dd>{a(f'/read.php?b={book}&c={c}&p=1', f'第{c}章')}" for c in range(1, chapters(book) + 1))
        return ok(f"<html><title>{_ZH_BOOK[book - 1]}</title><body>{items}</body></html>")
    found = has(rf"/read\.php\?b=([1-7])&c={N}&p={N}", url)
    if not found:
        return None
    book, chapter, page = (int(part) for part in found.groups())
    if not 1 <= chapter <= chapters(book) or not 1 <= page <= (last := pages(book, chapter)):
        return None
    rng = rand(asked.seed, "zh", book, chapter, page)
    text = "".join(f"<p>　　{''.join(rng.choices(_ZH, k=rng.randint(10, 60)))}。" for _ in range(rng.randint(2, 5)))
    onward, back = f"/read.php?b={book}&c={chapter}&p={page + 1}", f"/book.php?b={book}"
    after = a(onward, "下一页") if page < last else a(back, "返回目录")
    return ok(
        f"<html><title>{_ZH_BOOK[book - 1]} 第{chapter}章({page}/{last})</title><body>{text}"
        f"<p align=center>{after}</body></html>"
    )


_KA_M = _split("გიორგი ლევან დავით ილია ვახტანგ ნიკოლოზ შალვა ზურაბ თენგიზ ოთარ")
_KA_F = _split("ნინო თამარ მარიამ ქეთევან ელენე სოფიო ნათელა მანანა ლია ეკა")
_KA = _split("აბაშიძე ჩხეიძე წერეთელი ორბელიანი ჯაფარიძე კობახიძე მჭედლიშვილი ბერიძე")


@dataclass
class _Person:
    female: bool
    name: str
    last: str
    born: int
    parents: tuple[int, int] | None
    kids: list[int] = field(default_factory=list)
    other: int = -1


@lru_cache(8)
def _family(seed: int) -> list[_Person]:
    rng = rand(seed, "family")
    people: list[_Person] = []

    def add(female: bool, last: str, born: int, parents: tuple[int, int] | None) -> int:
        people.append(_Person(female, f"{rng.choice(_KA_F if female else _KA_M)} {last}", last, born, parents))
        return len(people) - 1

    queue = [add(False, rng.choice(_KA), 1702, None)]
    while queue and len(people) < 1120:
        one = queue.pop(0)
        person = people[one]
        other = add(not person.female, rng.choice(_KA), person.born + rng.randint(-4, 6), None)
        person.other, people[other].other = other, one
        man, woman = (other, one) if person.female else (one, other)
        for n in range(rng.choice((1, 2, 2, 3, 4, 5)) + (len(queue) < 3)):
            child = add(rng.random() < 0.5, people[man].last, person.born + 22 + 3 * n, (man, woman))
            people[man].kids.append(child)
            people[woman].kids.append(child)
            if rng.random() < 0.7 or len(queue) < 3:
                queue.append(child)
    return people


@honest(STRANGER_HONEST)
def st_genealogia(asked: Asked) -> Answer | None:
    """Georgian genealogy."""
    people = _family(asked.seed)
    url = raw(asked)

    def link(n: int, folder: str = "person") -> str:
        return a(f"/{folder}/I{n:04}.htm", "დაფარულია" if people[n].born > 1890 else people[n].name)

    if url == "/":
        return ok(f"<html><head><title>გენეალოგია</title></head><body><h1>საგვარეულო</h1>{link(0)}</body></html>")
    found = has(r"/(person|anc)/I(\d{4})\.htm", url)
    if not found or int(found[2]) >= len(people):
        return None
    n = int(found[2])
    person = people[n]
    if found[1] == "anc":
        if not person.parents:
            return None
        rows, line = [], [n]
        for _ in range(4):
            rows.append("<tr>" + "".join(f"<td>{link(p)}" for p in line))
            line = [q for p in line for q in people[p].parents or ()]
            if not line:
                break
        return ok(f"<html><body><table border=1>{''.join(rows)}</table></body></html>")
    name = "დაფარულია"
    if person.born <= 1890:
        name = f"{person.name} ({person.born}–{person.born + rand(asked.seed, 'died', n).randint(1, 88)})"
    parents = "უცნობია"
    if person.parents:
        parents = " + ".join(map(link, person.parents)) + " " + a(f"/anc/I{n:04}.htm", "წინაპრები")
    other = link(person.other) if person.other >= 0 else "-"
    kids = "".join(f"<li>{link(k)}" for k in person.kids)
    return ok(
        f"<html><head><title>{name}</title></head><body><h2>{name}</h2><p>მშობლები: {parents}<p>მეუღლე: {other}"
        f"<ul>{kids}</ul></body></html>"
    )


_RO = _split(
    """
    Arta Afaceri Sport Stiinta Educatie Muzica Regional Sanatate Stiri Cumparaturi Turism Jocuri Calculatoare Istorie
    Organizatii
    """
)


@lru_cache(8)
def _directory(seed: int) -> dict[str, list[str]]:
    rng = rand(seed, "directory")
    tree: dict[str, list[str]] = {"": []}
    order = [""]
    while len(order) < 880:
        parent = order[int(rng.random() ** 0.7 * len(order))]
        depth = parent.count("/")
        if len(tree[parent]) >= 8 or depth > 8:
            continue
        name = f"{parent}/{rng.choice(_RO)}"
        if name in tree or name.rpartition("/")[2] == parent.rpartition("/")[2]:
            continue
        tree[parent].append(name)
        tree[name] = []
        order.append(name)
    return tree


@honest(STRANGER_HONEST)
def st_director_web(asked: Asked) -> Answer | None:
    """A Romanian directory of links: the same names in every branch, jumps that redirect."""
    tree = _directory(asked.seed)
    url = raw(asked)
    if found := has(r"/cgi-bin/jump\.cgi\?id=" + N, url):
        n = int(found[1])
        return to(f"http://www.{_RO[n % 15].lower()}{n}.example/") if 1 <= n <= 600 else None
    if found := has(r"/veche/cat\.asp\?id=" + N, url):
        names = list(tree)
        return to(names[int(found[1])] + "/") if 1 <= int(found[1]) <= 250 else None
    if not url.endswith("/") or url[:-1] not in tree:
        return None
    here = url[:-1]
    rng = rand(asked.seed, "category", here)
    rows = "".join(f"<TD>{caps(child + '/', child.rpartition('/')[2])}" for child in tree[here])
    jumps = "".join(
        f"<LI>{caps(f'/cgi-bin/jump.cgi?id={n}', f'{rng.choice(_RO)} {n}')} - {say(rng, _RO, 2, 7)}"
        for n in sorted({rng.randint(1, 600) for _ in range(rng.randint(0, 3))})
    )
    see = caps(f"/veche/cat.asp?id={rng.randint(1, 250)}", "Vezi si")
    crumbs = " &gt; ".join(here.split("/")[1:]) or "Director"
    return ok(
        f"<HTML><HEAD><TITLE>{crumbs}</TITLE></HEAD><BODY><B>{crumbs}</B><TABLE><TR>{rows}</TABLE>"
        f"<UL>{jumps}</UL>{see}</BODY></HTML>"
    )


@honest(STRANGER_HONEST)
def st_ipranges(asked: Asked) -> Answer | None:
    """Ranges of IP addresses."""
    blocks = [(62, 78), (80, 91), (81, 17), (193, 12), (193, 13), (194, 71), (195, 100), (212, 44)]
    url = raw(asked)
    if url == "/":
        return ok("<pre>" + "\n".join(a(f"/{x}.{y}.0.0-16", f"{x}.{y}.0.0/16") for x, y in blocks) + "</pre>")
    found = has(rf"/{N}\.{N}\.{N}\.0-(16|24)", url)
    if not found or (int(found[1]), int(found[2])) not in blocks or int(found[3]) > 255:
        return None
    x, y, n = found[1], found[2], int(found[3])
    if found[4] == "16":
        links = "\n".join(a(f"/{x}.{y}.{k}.0-24", f"{x}.{y}.{k}.0/24") for k in range(256))
        return None if n else ok(f"<pre>% {x}.{y}.0.0/16\n{links}</pre>")
    rng = rand(asked.seed, "ip", x, y, n)
    text = f"inetnum: {x}.{y}.{n}.0 - {x}.{y}.{n}.255\n"
    if rng.random() < 0.45:
        text += "% No entries found."
    else:
        net = f"{rng.choice(('TELE', 'NORD', 'SKY', 'UNI', 'KOMM'))}-{rng.choice(('NET', 'DSL', 'LAN', 'POP'))}{n}"
        text += f"netname: {net}\ncountry: {rng.choice(('SE', 'NO', 'DK', 'FI'))}\nsource:  RIPE"
    return ok(
        f"<pre>{text}</pre>"
        + " ".join(a(f"/{x}.{y}.{k}.0-24", t) for k, t in ((n - 1, "prev"), (n + 1, "next")) if 0 <= k < 256)
    )


_TH = _split(
    """
    นนทบุรี ปทุมธานี อยุธยา ลพบุรี ชลบุรี ระยอง จันทบุรี ตราด นครนายก สระแก้ว นครราชสีมา บุรีรัมย์ สุรินทร์ ยโสธร ชัยภูมิ เลย น่าน แพร่ ลำปาง ลำพูน
    เชียงราย พะเยา ตาก สุโขทัย
    """
)
_TH_A = _split("บาง หนอง บ้าน ท่า ดอน โคก คลอง ป่า นา วัง")
_TH_B = _split("ใหญ่ น้ำ ม่วง แก้ว ทราย สูง ไผ่ หลวง แดง ยาว")


@honest(STRANGER_HONEST)
def st_postcodes_thai(asked: Asked) -> Answer | None:
    """Thai postal codes."""
    url = raw(asked)
    folder = "/" + quote("จังหวัด") + "/"
    head = "<!DOCTYPE html><html lang='th'><head><meta charset='utf-8'><title>"
    if url == "/":
        return ok(
            f"{head}รหัสไปรษณีย์</title></head><body><ul>"
            + "".join(f"<li>{a(folder + quote(p), p)}</li>" for p in _TH)
            + "</ul></body></html>"
        )
    if not url.startswith(folder):
        return None
    parts = url[len(folder) :].split("/")
    which = next((n for n, p in enumerate(_TH) if quote(p) == parts[0]), None)
    if which is None or len(parts) > 2:
        return None
    size = rand(asked.seed, "codes", which).randint(22, 58)
    codes = [f"{(which + 11) * 1000 + 10 * n}" for n in range(size)]
    if len(parts) == 1:
        rows = "".join(f"<tr><td>{a(url + '/' + c, c)}</td></tr>" for c in codes)
        return ok(f"{head}{_TH[which]}</title></head><body><h1>{_TH[which]}</h1><table>{rows}</table></body></html>")
    if parts[1] not in codes:
        return None
    rng = rand(asked.seed, "th", parts[1])
    here = codes.index(parts[1])
    near = " ".join(a(f"{folder}{parts[0]}/{codes[n]}", codes[n]) for n in (here - 1, here + 1) if 0 <= n < size)
    return ok(
        f"{head}{parts[1]}</title></head><body><p>{rng.choice(_TH_A)}{rng.choice(_TH_B)} {parts[1]}</p>"
        f"<p>ใกล้เคียง: {near}</p></body></html>"
    )


_ID = _split(
    """
    bantul sleman kulon-progo gunungkidul klaten boyolali sragen wonogiri blora rembang pati kudus jepara demak kendal
    batang tegal brebes cilacap banyumas purbalingga kebumen purworejo magelang temanggung pacitan ponorogo trenggalek
    tulungagung blitar kediri malang lumajang jember banyuwangi bondowoso situbondo probolinggo pasuruan sidoarjo
    jombang nganjuk madiun magetan ngawi bojonegoro tuban lamongan gresik sampang pamekasan sumenep
    """
)


@honest(STRANGER_HONEST)
def st_statistik_daerah(asked: Asked) -> Answer | None:
    """Indonesian statistics by district and year."""
    url = raw(asked)
    years = range(1997, 2020)
    if url == "/":
        return ok(
            "<html lang=id><title>Statistik Daerah</title><body>"
            + " ".join(a(f"/statistik/tahun/{y}", y) for y in years)
            + "</body></html>"
        )
    if found := has(r"/statistik/tahun/(\d{4})", url):
        if int(found[1]) not in years:
            return None
        rows = "".join(f"<li>{a(f'/statistik/{d}/{found[1]}', d.title())}" for d in _ID)
        return ok(f"<html lang=id><title>Tahun {found[1]}</title><body><ul>{rows}</ul></body></html>")
    found = has(r"/statistik/([a-z-]+)/(\d{4})", url)
    if not found or found[1] not in _ID or int(found[2]) not in years:
        return None
    rng, base = rand(asked.seed, "stat", found[0]), rand(asked.seed, "district", found[1]).randint(300, 2500)
    people = int(base * 1.011 ** (int(found[2]) - 1997) * 1000 + rng.randint(-900, 900))
    facts = [
        ("Jumlah penduduk", people),
        ("Laki-laki", int(people * rng.uniform(0.48, 0.51))),
        ("Sekolah dasar", rng.randint(200, 900)),
        ("Luas panen padi (ha)", rng.randint(9000, 80000)),
        ("Puskesmas", rng.randint(15, 60)),
    ]
    table = "".join(f"<tr><td>{k}<td align=right>{v:,}".replace(",", ".") for k, v in facts)
    return ok(
        f"<html lang=id><title>{found[1].title()} {found[2]}</title><body>"
        f"<h2>Kabupaten {found[1].title()} Dalam Angka {found[2]}</h2><table>{table}</table></body></html>"
    )

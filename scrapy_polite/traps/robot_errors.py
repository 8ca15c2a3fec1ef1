"""Error pages made for robots: "your browser does not support frames", "enable JavaScript", walls of consent.

The unit of work is one page of HTML without comments. It is one of these only if it says such a sentence and hardly
anything else: what a page shows outside `<noscript>` and `<noframes>` counts. Sentences are told by stems of words, in
fourteen languages. Nothing is parsed into a tree, and the time is linear in the page.
"""

# ruff: noqa: RUF001

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from html import unescape
from typing import NamedTuple
from urllib.parse import urljoin

from scrapy_polite.origin import origin_of, site_of

#: Kinds, and what such a page asks for.
KINDS = {
    "frames": "a browser that shows frames",
    "script": "a browser that runs scripts",
    "cookies": "a browser that keeps cookies",
    "consent": "consent to cookies",
}

#: Characters that a page may show beside the sentence, where that stands in `<noscript>`; and that it may show at all,
#: where it does not. `benchmarks/robot_errors.py` counts what that takes for such a page.
_MAX_BESIDE, _MAX_SHOWN, _MAX_CONSENT = 200, 500, 3_000
#: Links outside `<noscript>` and `<noframes>`; a page with more leads somewhere.
_MAX_LINKS, _MAX_CONSENT_LINKS = 5, 30
#: Bytes: a longer page is none; and of a `<noscript>`, what is looked at.
MAX_BYTES = 200_000
_MAX_OWN = 20_000
_MAX_SENTENCE = 120

#: A page in ASCII that has none of these has no such sentence.
_WORDS = (b"java", b"cookie", b"<frameset", b"consent", b"privacy")

_APART = re.compile(rb"<(script|style|noscript|noframes|title|textarea|template|svg)(?=[\s/>])")
_OWN = (b"noscript", b"noframes")
_TAG = re.compile(r"<[^>]*>?")
_TAG_BYTES = re.compile(rb"<[^>]*>?")
#: Bytes of what a page shows that are looked at first: most pages show too much there.
_GLANCE = 16_000
_LINK = re.compile(r"""<(a|area|frame|iframe)\s[^<>]*?\b(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.I)
_LEADS_ON = re.compile(r"http-equiv\s*=\s*[\"']?refresh\b", re.IGNORECASE)
_SPACE = re.compile(r"\s+")

#: Stems of "enable", "require", "support", "disabled": English, German, French, Spanish and Portuguese, Italian, Dutch,
#: Polish, Russian, Turkish, Japanese, Chinese, Arabic, Korean.
_STEMS = (
    r"\b(?:enabl|disabl|requir|needs?\b|turn(?:ed)? o|support|activat|switch(?:ed)? o|without|capable)",
    r"aktivier|benötig|ein(?:zu)?schalt|eingeschaltet|ausgeschaltet|erforderlich|unterstütz",
    r"\b(?:dés)?activ|nécessit|\brequi|autoris|prend pas en charge",
    r"habilit|necesit|soport|admite|\b(?:des)?ativ|necess|suport",
    r"\b(?:dis)?attiv|abilit|richie",
    r"inschakel|ingeschakeld|uitgeschakeld|\bnodig|vereist|ondersteun",
    r"włącz|wyłącz|wymaga|potrzeb|obsług",
    r"включ|отключ|требу|необходим|поддерж|нуж[ен]н?",
    r"etkin|gerek|devre dışı|destekle|\baçın",
    r"有効|必要|無効|対応|サポート|オン",
    r"启用|啟用|开启|開啟|打开|需要|支持|支援|禁用|停用",
    r"تفعيل|تمكين|يتطلب|تشغيل|يدعم|تدعم|معطل|مطلوب",
    r"활성화|필요|지원|사용",
)
_ASKS = "|".join(_STEMS)
#: What a sentence has in which a page speaks to whoever reads it, and not about a subject.
_TO_READER = re.compile(
    r"browser|please|\bto continue\b|\byou\b|\bbitte\b|navigat|veuillez|vous\b|navegador|por favor|favore|si prega"
    r"|\bu\b|alstublieft|przegląd|proszę|браузер|пожалуйста|tarayıcı|lütfen|ブラウザ|ください|浏览器|瀏覽器|请|請"
    r"|متصفح|يرجى|브라우저"
)
_NAMES = {
    "frames": r"\b(?:i?frames?|framesets?|rahmen|cadres|marcos|cornici|quadros|ramek|ramki|çerçeve\w*)\b"
    r"|фрейм|フレーム|框架|إطارات|الإطارات|프레임",
    "script": r"java ?script|ジャバスクリプト|جافا ?سكر|자바스크립트",
    "cookies": r"\bcookies?\b|ciasteczk|çerez|クッキー|ملفات تعريف الارتباط|쿠키",
}
#: Both words in one sentence, no further apart than this.
_SENTENCES = {
    kind: re.compile(rf"(?:{name})[^.!?。！？]{{0,80}}?(?:{_ASKS})|(?:{_ASKS})[^.!?。！？]{{0,80}}?(?:{name})")
    for kind, name in _NAMES.items()
}
#: Markup of known consent dialogs, and of the pages of their own that some sites send everybody to.
_DIALOG = re.compile(
    r"onetrust|didomi|sp_message|qc-cmp2|usercentrics|cybotcookie|cookiebot|consent[-_./]?(?:form|page|wall|manager)"
    r"|cmpbox|truste|consent\.(?:google|youtube|yahoo)|guce\.|fc-consent|klaro|tarteaucitron|iubenda|osano|axeptio"
    r"|cookie-?wall|cookie-?consent|collectconsent"
)
#: The label of a button, all of it.
_AGREE = re.compile(
    r"(?:i )?(?:accept|agree)(?: all)?(?: cookies)?|allow all(?: cookies)?|(?:ich )?stimme zu|alle(?:s)? (?:cookies )?"
    r"(?:akzeptieren|annehmen|zulassen)|akzeptieren|zustimmen(?: und weiter)?|(?:tout |j.)?accepte[rz]?(?: tout)?"
    r"|aceptar(?: todo)?|acepto|accett[ao](?: tutt[oi])?|accetta tutto|aceitar(?: tudo)?|alles accepteren|accepteren"
    r"|akkoord|(?:za)?akceptuj(?:ę)?(?: wszystk\w+)?|zgadzam się|принять(?: вс[её])?|согласен|(?:tümünü )?kabul "
    r"(?:et|ediyorum)|すべて同意|同意する|すべて受け入れる|同意|全部接受"
    r"|接受(?:全部|所有)?|قبول(?: الكل)?|موافق|أوافق|동의|모두 동의"
)
_COOKIES = re.compile(rf"{_NAMES['cookies']}|consent|privacy|datenschutz|隐私|隱私")
#: What a button begins with. A page without one asks for no consent, and its text is to be short.
_BUTTONS = (b"<button", b"<input")
_BUTTON = re.compile(
    r"""<button\b[^<>]*>(?:\s*<span[^<>]*>)?([^<]{1,60})|<input\b[^<>]*?\bvalue\s*=\s*["']([^"'<>]{1,60})""",
    re.IGNORECASE,
)


class RobotError(NamedTuple):
    """`kind` is one of `KINDS`, `sentence` what the page says, in lower case (the network's text). `sites` are others
    (see `origin.site_of`), which nothing but the error's own text links to."""

    kind: str
    sentence: str
    sites: frozenset[str]


def robot_error(markup: bytes, encoding: Callable[[], str], url: str) -> RobotError | None:
    """What error page for robots a page is; None for all others. Nothing is raised, whatever it holds.

    `markup` is HTML without comments, in an encoding that extends ASCII.
    """
    if len(markup) > MAX_BYTES:
        return None
    lower = markup.lower()
    if lower.isascii() and not any(word in lower for word in _WORDS):
        return None
    if lower.count(b"<a ") > 2 * _MAX_CONSENT_LINKS:
        return None
    shown, own, named = _parts(markup, lower)
    # Most pages show too much, which is told before anything of them is looked for.
    letters = b""
    for part in (shown[:_GLANCE], shown):
        letters = _TAG_BYTES.sub(b"", part.translate(None, b" \t\r\n"))
        if len(letters) > (_MAX_CONSENT if lower.isascii() else 4 * _MAX_CONSENT):
            return None
    most = _MAX_CONSENT if any(tag in lower for tag in _BUTTONS) else _MAX_SHOWN
    try:
        name = encoding()
        if len(unescape(letters.decode(name, "replace"))) > most:
            return None
        beside, told, title = (part.decode(name, "replace") for part in (shown, own[:_MAX_OWN], named))
    except LookupError:
        return None
    found = _found(beside, told, title, is_frameset=b"<frameset" in lower)
    if found is None:
        return None
    kind, sentence, is_own = found
    own_site = origin_of(url)
    elsewhere = {*_sites(url, beside, frames_only=not is_own), site_of(own_site) if own_site is not None else ""}
    return RobotError(kind, sentence, frozenset(_sites(url, told if is_own else beside)) - elsewhere)


def _found(beside: str, told: str, title: str, *, is_frameset: bool) -> tuple[str, str, bool] | None:
    """The kind, the sentence, and whether that stands in `<noscript>` or `<noframes>`."""
    if _LEADS_ON.search(beside) or _LEADS_ON.search(told):
        return None  # a redirect for whoever runs no scripts
    text, links = _text(beside), len(_LINK.findall(beside))
    if told and len(text) <= _MAX_BESIDE and (is_frameset or links <= _MAX_LINKS):
        said = _text(told)
        for kind in ("frames", "script", "cookies") if is_frameset else ("script", "cookies"):
            if len(said) <= _MAX_SHOWN and (match := _SENTENCES[kind].search(said)):
                return kind, _sentence(said, match), True
    if len(text) <= _MAX_SHOWN and links <= _MAX_LINKS:
        whole = f"{_text(title)}. {text}"
        for kind in ("script", "cookies"):
            match = _SENTENCES[kind].search(text)
            if match and _TO_READER.search(whole):
                return kind, _sentence(text, match), False
    if len(text) <= _MAX_CONSENT and links <= _MAX_CONSENT_LINKS and _COOKIES.search(text):
        agree = next((label for label in _labels(beside) if _AGREE.fullmatch(label)), None)
        if agree is not None and _DIALOG.search(" ".join(_TAG.findall(beside)).lower()):
            return "consent", agree, False
    return None


def _parts(markup: bytes, lower: bytes) -> tuple[bytes, bytes, bytes]:
    """What a page shows, what it shows to robots alone, and its title. By hand: a lazy pattern is tried anew at each of
    many beginnings without an end."""
    shown, own, title = list[bytes](), list[bytes](), b""
    at = 0
    while found := _APART.search(lower, at):
        shown.append(markup[at : found.start()])
        name = found[1]
        begin = lower.find(b">", found.end()) + 1
        end = lower.find(b"</" + name, begin) if begin else -1
        at = len(lower) if end < 0 else end
        if begin and name in _OWN:
            own.append(markup[begin:at])
        elif begin and name == b"title" and not title:
            title = markup[begin:at][:1_000]
    shown.append(markup[at:])
    return b" ".join(shown), b" ".join(own), title


def _text(markup: str) -> str:
    return _SPACE.sub(" ", unescape(_TAG.sub(" ", markup))).strip().lower()


def _sentence(text: str, match: re.Match[str]) -> str:
    begin = max(text.rfind(mark, 0, match.start()) for mark in ".!?。！？") + 1
    return text[max(begin, match.start() - 40) :].strip()[:_MAX_SENTENCE]


def _labels(markup: str) -> Iterator[str]:
    for groups in _BUTTON.findall(markup):
        yield from (_text(label) for label in groups if label)


def _sites(url: str, markup: str, *, frames_only: bool = False) -> Iterator[str]:
    for name, *values in _LINK.findall(markup):
        if frames_only and name.lower() not in ("frame", "iframe"):
            continue
        try:
            origin = origin_of(urljoin(url, unescape("".join(values)).strip()))
        except ValueError:
            continue
        if origin is not None:
            yield site_of(origin)

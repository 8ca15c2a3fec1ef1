"""Error pages made for robots: "your browser does not support frames", "enable JavaScript", walls of consent.

The unit of work is one page of HTML without comments. It is one of these only if it shows hardly anything else.

- Where `<noscript>` or `<noframes>` names scripts, cookies or frames, that is enough, in whatever words and language:
  it is said to those who run no scripts, and the page has nothing else for them.
- A page that says so without these tags is told by stems of words, in fourteen languages.
- A dialog of consent is told by its markup and a button to agree, if the page has hardly anything outside it.

Nothing is parsed into a tree, and the time is linear in the page.
"""

# ruff: noqa: RUF001

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple
from urllib.parse import urljoin

from scrapy_polite.origin import origin_of, site_of
from scrapy_polite.text import unescaped

if TYPE_CHECKING:
    from scrapy_polite.traps.page import Page

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
#: Pictures, likewise: a logo. A page with more, or with a field to fill in, has something to show.
_MAX_PICTURES = 1
#: Bytes of a `<noscript>` that are looked at.
_MAX_OWN = 20_000
_MAX_SENTENCE = 120

#: What shows none of these has no such sentence, unless it is in another script than Latin. Of a frameset its frames
#: are left in what it shows, the tag itself only with a value.
_WORDS = (b"java", b"cookie", b"<frame", b"consent", b"privacy", b"ciasteczk", b"datenschutz", b"erez")
#: Fewer bytes beyond ASCII are no sentence in any script and encoding: a copyright sign, a dash.
_MAX_BEYOND_ASCII = 8
_ASCII = bytes(range(128))
#: Bytes of a character reference, such as `&#x1f36a;`, less one.
_REFERENCE = 8

_APART = re.compile(rb"<(script|style|noscript|noframes|title|textarea|template|svg)(?=[\s/>])")
_OWN = (b"noscript", b"noframes")
_TAG = re.compile(r"<[^>]*>?")
_TAG_BYTES = re.compile(rb"<[^>]*>?")
#: Bytes of what a page shows that are looked at first: most pages show too much there.
_GLANCE = 8_000
_LINK = re.compile(r"""<(a|area|frame|iframe)\s[^<>]*?\b(?:href|src)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))""", re.I)
_PICTURE = re.compile(r"<(?:img|video|audio|object|embed)\b", re.IGNORECASE)
_FIELD = re.compile(r"<(?:input\b(?![^<>]*\bhidden\b)|textarea\b|select\b)", re.IGNORECASE)
_LEADS_ON = re.compile(r"http-equiv\s*=\s*[\"']?refresh\b", re.IGNORECASE)
_SPACE = re.compile(r"\s+")

#: Of a page that says it without `<noscript>`: stems of "enable", "require", "support", "disabled": English, German,
#: French, Spanish and Portuguese, Italian, Dutch, Polish, Russian, Turkish, Japanese, Chinese, Arabic, Korean.
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
#: What `<noscript>` and `<noframes>` say it of.
_NAMED = {kind: re.compile(name) for kind, name in _NAMES.items()}
#: Both words in one sentence, no further apart than this.
_SENTENCES = {
    kind: re.compile(rf"(?:{name})[^.!?。！？]{{0,80}}?(?:{_ASKS})|(?:{_ASKS})[^.!?。！？]{{0,80}}?(?:{name})")
    for kind, name in _NAMES.items()
    if kind != "frames"
}
#: Markup of known consent dialogs.
_DIALOG = re.compile(
    r"onetrust|didomi|sp_message|qc-cmp2|usercentrics|cybotcookie|cookiebot|consent[-_./]?(?:form|page|wall|manager)"
    r"|cmpbox|truste|consent\.(?:google|youtube|yahoo)|guce\.|fc-consent|klaro|tarteaucitron|iubenda|osano|axeptio"
    r"|cookie-?wall|cookie-?consent|collectconsent",
    re.IGNORECASE,
)
#: What one stands in.
_HOLDS = re.compile(r"<(div|form|section|aside|dialog|main|article)\b[^<>]*>", re.IGNORECASE)
#: Hosts to which some sites send everybody: their pages are the dialog.
_ASKING_HOST = re.compile(r"https?://(?:[\w.-]+\.)?(?:consent|guce)\.", re.IGNORECASE)
#: Stems of "accept", "agree", "allow" in the label of a button, in the languages above.
_AGREE = re.compile(
    r"accept|agree|allow|consent|akzept|zustimm|stimme zu|annehm|zulassen|einverstanden|autoris|acept|permit"
    r"|acuerdo|accett|aceit|concord|akkoord|toestaan|akcept|zgadz|zezw|прин[яи]|соглас|разреш|kabul|izin ver|同意"
    r"|受け入れ|許可|接受|允许|允許|قبول|موافق|أوافق|السماح|동의|허용|수락"
)
_COOKIES = re.compile(rf"{_NAMES['cookies']}|consent|privacy|datenschutz|隐私|隱私")
#: What a button begins with. A page without one asks for no consent, and its text is to be short.
_BUTTONS = (b"<button", b"<input")
_BUTTON = re.compile(
    r"""<button\b[^<>]*>(.{1,300}?)</button|<input\b[^<>]*?\bvalue\s*=\s*["']([^"'<>]{1,60})""",
    re.IGNORECASE | re.DOTALL,
)
_MAX_LABEL = 60


class RobotError(NamedTuple):
    """`kind` is one of `KINDS`, `sentence` what the page says, in lower case (the network's text). `sites` are others
    (see `origin.site_of`), which nothing but the error's own text links to."""

    kind: str
    sentence: str
    sites: frozenset[str]


def robot_error(page: Page, url: str) -> RobotError | None:
    """What error page for robots a page of HTML is; None for all others. Nothing is raised, whatever it holds."""
    if page.is_long:
        return None
    markup, text = page.markup, page.shown.lower()
    if len(text.translate(None, _ASCII)) < _MAX_BEYOND_ASCII and not any(word in text for word in _WORDS):
        return None
    lower = markup.lower()
    shown, own, named = _parts(markup, lower)
    # Most pages show too much, which is told before anything of them is looked for.
    letters = b""
    for part in (shown[:_GLANCE], shown) if len(shown) > _GLANCE else (shown,):
        letters = _TAG_BYTES.sub(b"", part.translate(None, b" \t\r\n"))
        if _is_too_much(_least(letters), lower):
            return None
    try:
        name = page.encoding
        if _is_too_much(len(unescaped(letters.decode(name, "replace"))), lower):
            return None
        beside, told, title = (part.decode(name, "replace") for part in (shown, own[:_MAX_OWN], named))
    except (LookupError, UnicodeError):
        return None
    said, links = _text(beside), len(_LINK.findall(beside))
    found = _found(beside, said, links, told, title, is_frameset=b"<frameset" in lower)
    found = found or _consent(beside, said, links, url)
    if found is None or _LEADS_ON.search(beside) or _LEADS_ON.search(told):
        return None  # the latter: a redirect for whoever runs no scripts
    kind, sentence, is_own = found
    own_site = origin_of(url)
    elsewhere = {*_sites(url, beside, frames_only=not is_own), site_of(own_site) if own_site is not None else ""}
    return RobotError(kind, sentence, frozenset(_sites(url, told if is_own else beside)) - elsewhere)


def _least(letters: bytes) -> int:
    """Characters that are there at least: up to four bytes beyond ASCII are one, and so is a reference."""
    beyond = len(letters.translate(None, _ASCII))
    return len(letters) - beyond + beyond // 4 - _REFERENCE * letters.count(b"&")


def _is_too_much(characters: int, lower: bytes) -> bool:
    """Whether a page that shows so many characters shows more than an error page for robots does."""
    return characters > _MAX_CONSENT or (characters > _MAX_SHOWN and not any(tag in lower for tag in _BUTTONS))


def _found(
    beside: str, text: str, links: int, told: str, title: str, *, is_frameset: bool
) -> tuple[str, str, bool] | None:
    """The kind, the sentence, and whether that stands in `<noscript>` or `<noframes>`; `text` and `links` are those of
    what is `beside` these."""
    if len(text) > _MAX_SHOWN or len(_PICTURE.findall(beside)) > _MAX_PICTURES or _FIELD.search(beside):
        return None
    said = _text(told)
    if len(text) <= _MAX_BESIDE and len(said) <= _MAX_SHOWN and (is_frameset or links <= _MAX_LINKS):
        for kind in ("frames", "script", "cookies") if is_frameset else ("script", "cookies"):
            if match := _NAMED[kind].search(said):
                return kind, _sentence(said, match), True
    if links <= _MAX_LINKS:
        whole = f"{_text(title)}. {text}"
        for kind, sentence in _SENTENCES.items():
            match = sentence.search(text)
            if match and _TO_READER.search(whole):
                return kind, _sentence(text, match), False
    return None


def _consent(beside: str, text: str, links: int, url: str) -> tuple[str, str, bool] | None:
    """The same for a wall of consent."""
    if len(text) > _MAX_CONSENT or links > _MAX_CONSENT_LINKS or not _COOKIES.search(text):
        return None
    dialog, outside = (beside, "") if _ASKING_HOST.match(url) else _dialog(beside)
    if len(_text(outside)) > _MAX_BESIDE or len(_LINK.findall(outside)) > _MAX_LINKS:
        return None
    agree = next((label for label in _labels(dialog) if len(label) <= _MAX_LABEL and _AGREE.search(label)), None)
    return None if agree is None else ("consent", agree, False)


def _dialog(markup: str) -> tuple[str, str]:
    """A known dialog, empty if there is none; and what stands outside it."""
    begin = next((tag for tag in _HOLDS.finditer(markup) if _DIALOG.search(tag[0])), None)
    if begin is None:
        return "", markup
    depth, end = 1, len(markup)
    for tag in re.compile(rf"<(/?){begin[1]}\b", re.IGNORECASE).finditer(markup, begin.end()):
        depth += -1 if tag[1] else 1
        if not depth:
            end = tag.start()
            break
    return markup[begin.start() : end], f"{markup[: begin.start()]} {markup[end:]}"


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
    return _SPACE.sub(" ", unescaped(_TAG.sub(" ", markup))).strip().lower()


def _sentence(text: str, match: re.Match[str]) -> str:
    begin = max(text.rfind(mark, 0, match.start()) for mark in ".!?。！？") + 1
    return text[max(begin, match.start() - 40) :].strip()[:_MAX_SENTENCE]


def _labels(markup: str) -> Iterator[str]:
    for groups in _BUTTON.findall(markup):
        yield from (label for group in groups if (label := _text(group)))


def _sites(url: str, markup: str, *, frames_only: bool = False) -> Iterator[str]:
    for name, *values in _LINK.findall(markup):
        if frames_only and name.lower() not in ("frame", "iframe"):
            continue
        try:
            origin = origin_of(urljoin(url, unescaped("".join(values)).strip()))
        except ValueError:
            continue
        if origin is not None:
            yield site_of(origin)

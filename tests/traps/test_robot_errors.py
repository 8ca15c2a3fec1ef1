"""Error pages made for robots: which pages are some, in which languages, and which are not."""

# ruff: noqa: RUF001

from __future__ import annotations

import re
import time
from html import unescape
from timeit import repeat

import pytest

from scrapy_polite.traps.page import MAX_BYTES, of_markup
from scrapy_polite.traps.robot_errors import RobotError, robot_error

URL = "https://shop.example/a"
SCRIPT = "<head><title>Shop</title><script src=/app.js></script></head><body><div id=root></div><noscript>%s</noscript>"
NO_FRAMES = "<frameset cols='20%%,80%%'><frame src=menu.html><frame src=main.html><noframes>%s</noframes></frameset>"
ENABLE = "You need to enable JavaScript to run this app."


def read(page: str, encoding: str = "utf-8", url: str = URL) -> RobotError | None:
    return robot_error(of_markup(page.encode(encoding), encoding), url)


@pytest.mark.parametrize("sentence", [
    "You need to enable JavaScript to run this app.",
    "Sorry, this page needs a browser with Javascript turned on.",
    "Bitte aktivieren Sie JavaScript in Ihrem Browser.",
    "Für diese Seite wird JavaScript benötigt.",
    "Veuillez activer JavaScript pour continuer.",
    "Ce site nécessite JavaScript.",
    "Es necesario habilitar JavaScript en su navegador.",
    "Per favore, abilita JavaScript nel tuo browser.",
    "Por favor, ative o JavaScript no seu navegador.",
    "Schakel JavaScript in: het is nodig voor deze pagina.",
    "Włącz obsługę JavaScript w przeglądarce.",
    "Для работы сайта необходимо включить JavaScript.",
    "Lütfen JavaScript'i etkinleştirin.",
    "このサイトを利用するには、JavaScriptを有効にしてください。",
    "请启用 JavaScript 后继续。",
    "您的瀏覽器不支援 JavaScript。",
    "يرجى تفعيل JavaScript في المتصفح.",
    "이 앱을 실행하려면 자바스크립트를 활성화해야 합니다.",
])  # fmt: skip
def test_a_page_for_scripts_alone_is_one_in_each_language(sentence: str) -> None:
    found = read(SCRIPT % sentence)
    assert found is not None
    assert found.kind == "script"
    if not re.search("(?i)diese seite|ce site|het is nodig|сайта|이 앱을", sentence):  # they may be said of any site
        assert read(f"<title>Shop</title><p>{sentence}") == found._replace(sentence=sentence.lower())


@pytest.mark.parametrize("sentence", [
    "Per vedere questa pagina serve JavaScript.", "Pro správnou funkci je vyžadován javascript.",
    "Denne side kræver JavaScript.", "Du måste aktivera JavaScript.", "Bạn cần bật JavaScript để chạy ứng dụng này.",
    "Для роботи потрібен увімкнений JavaScript.", "このページはJavaScriptを使用しています。", "JavaScript? No!",
])  # fmt: skip
def test_in_noscript_the_name_is_enough_in_whatever_language(sentence: str) -> None:
    found = read(SCRIPT % sentence + "<img src=/logo.png>")
    assert found == RobotError("script", sentence.lower(), frozenset())
    assert read(f"<title>Shop</title><p>{sentence}") is None


@pytest.mark.parametrize("sentence", [
    "Your browser does not support frames.",
    "Ihr Browser unterstützt keine Frames.",
    "Votre navigateur ne supporte pas les cadres.",
    "Su navegador no soporta marcos.",
    "Il tuo browser non supporta i frame.",
    "Seu navegador não suporta frames.",
    "Uw browser ondersteunt geen frames.",
    "Twoja przeglądarka nie obsługuje ramek.",
    "Ваш браузер не поддерживает фреймы.",
    "Tarayıcınız çerçeveleri desteklemiyor.",
    "お使いのブラウザはフレームに対応していません。",
    "您的浏览器不支持框架。",
    "متصفحك لا يدعم الإطارات.",
])  # fmt: skip
def test_a_page_for_frames_alone_is_one_in_each_language(sentence: str) -> None:
    found = read(NO_FRAMES % sentence)
    assert found is not None
    assert found.kind == "frames"


@pytest.mark.parametrize("label", [
    "Accept all", "I agree", "Alle akzeptieren", "Tout accepter", "Aceptar todo", "Accetta tutto", "Aceitar tudo",
    "Alles accepteren", "Zaakceptuj wszystko", "Принять все", "Tümünü kabul et", "すべて受け入れる", "全部接受",
    "قبول الكل", "Agree &amp; close", "Zustimmen und weiter", "J'accepte", "Consenti tutti", "Permitir todas",
    "Alles toestaan", "Zezwól na wszystkie", "Разрешить все", "Tümüne izin ver", "すべて許可する", "允许全部",
    "모두 허용",
])  # fmt: skip
def test_a_wall_of_consent_is_one_in_each_language(label: str) -> None:
    says = "<p>We and our partners would like to keep cookies on your computer. " * 10
    button = f"<button><div></div><span>{label}</span></button>"
    page = f"<title>Before you go on</title><h1>Cookies</h1><form action=/consent/form>{says}{button}</form>"
    expected = RobotError("consent", unescape(label).lower(), frozenset())
    assert read(page) == expected
    assert read(page.replace("/consent/form", "/search")) is None, "a form like others"
    assert read(page + "<p>A text of one's own. " * 10) is None, "a page with a dialog"
    asking = f"<h1>Cookies</h1>{says}<form action=/save>{button}</form>"
    assert read(asking) is None
    assert read(asking, url="https://consent.search.test/m?continue=x") == expected


@pytest.mark.parametrize("page", [
    pytest.param("<p>How to enable JavaScript</p>", id="a page about it"),
    pytest.param(SCRIPT % "<img src=https://count.example/p.gif>", id="a counter"),
    pytest.param(SCRIPT % ENABLE + "<p>" + "What the page says by itself. " * 10, id="a page with text"),
    pytest.param(SCRIPT % ENABLE + "<a href=/1>1</a>" * 6, id="a page with links"),
    pytest.param(SCRIPT % (ENABLE + "<p>The page as text. " * 40), id="the page stands in noscript"),
    pytest.param(SCRIPT % ENABLE + "<img src=/logo.png><img src=/1.jpg>", id="a page of pictures"),
    pytest.param(SCRIPT % ENABLE + "<form><input name=q><button>Search</button></form>", id="a page to fill in"),
    pytest.param("<p>Cookies must be enabled in your browser<form><input name=user>", id="a form that needs cookies"),
    pytest.param(NO_FRAMES % "<a href=menu.html>Menu</a> <a href=main.html>Main</a>", id="a menu for those without"),
    pytest.param(SCRIPT % ENABLE + "<meta http-equiv=refresh content='0;url=/plain'>", id="it leads on by itself"),
    pytest.param(f"<!--{ENABLE}--><p>Short.", id="in a comment"),
    pytest.param(f"<script>say('{ENABLE}')</script><p>Short.", id="in a script"),
    pytest.param("<p>You need to enable frames.</p>", id="no frames here"),
    pytest.param(SCRIPT % ENABLE + f"<script>{'x' * MAX_BYTES}</script><p>A page.", id="more than is looked at"),
    pytest.param("", id="empty"),
])  # fmt: skip
def test_other_pages_are_none(page: str) -> None:
    assert read(page) is None


def test_only_what_the_error_itself_links_to_is_told() -> None:
    """A frame on another host, and a link of the page itself, are what the page is made of."""
    told = "<a href=https://www.browser.test/get>get one</a> <a href=/plain>plain</a> <a href=//old.test/>old</a>"
    page = (NO_FRAMES % f"Your browser does not support frames: {told}").replace("main.html", "http://old.test/x")
    found = read(page)
    assert found is not None
    assert found.sites == {"browser.test"}
    found = read(SCRIPT % f"{ENABLE}{told}" + "<a href=http://old.test>moved</a>")
    assert found is not None
    assert found.sites == {"browser.test"}


@pytest.mark.parametrize("encoding", ["windows-1251", "koi8-r", "no-such-encoding"])
def test_the_encoding_of_the_page_counts(encoding: str) -> None:
    known = encoding != "no-such-encoding"
    page = (SCRIPT % "Включите JavaScript").encode(encoding if known else "utf-8")
    assert (robot_error(of_markup(page, encoding), URL) is not None) is known


@pytest.mark.parametrize("encoding", ["idna", "undefined", "punycode", "no-such-encoding"])
def test_in_an_encoding_that_decodes_nothing_there_is_no_sentence(encoding: str) -> None:
    assert robot_error(of_markup(b"<noscript>Enable JavaScript \xff</noscript>", encoding), URL) is None


@pytest.mark.parametrize("number", ["9" * 5_000, "x" + "f" * 5_000, "0" * 5_000 + "65"])
def test_a_reference_by_a_number_that_no_character_has_is_read(number: str) -> None:
    markup = f"<noscript>&#{number}; Enable JavaScript</noscript>".encode()
    found = robot_error(of_markup(markup), URL)
    assert found is not None
    assert found.kind == "script"


def test_a_few_bytes_of_a_script_that_is_not_latin_are_looked_at() -> None:
    """Fourteen, in an encoding of one byte a letter."""
    found = read(SCRIPT % "فعل جافا سكريبت", "windows-1256")
    assert found is not None
    assert found.kind == "script"


@pytest.mark.parametrize("values", ["", " class=outer", " cols='20%,80%'"])
def test_a_frameset_is_told_with_any_values_or_none(values: str) -> None:
    page = (NO_FRAMES % "Your browser does not support frames.").replace(" cols='20%,80%'", values)
    found = read(page)
    assert found is not None
    assert found.kind == "frames"


@pytest.mark.parametrize("piece", [
    b"<script>", b"<noscript>", b"<noscript", b"<title", b"<", b"<button", b"<button ", b"<button><span ", b"<input ",
    b"<input value", b"<a href=", b"<a\n", b"<area ", b"<frame src", b"<iframe src='", b"<noscript>java script<a\n",
    b"<noscript>javascript enable</noscript>", b"javascript ", b"javascript.", b"enable ", b"<a \xff", b"&#",
    b"cookie accept ",
])  # fmt: skip
def test_a_hostile_page_takes_linear_time(piece: bytes) -> None:
    """Ten times a page takes ten times as long, with much room; a pattern that starts anew at each piece takes 100."""

    def cost_s(size: int) -> float:
        page = of_markup(b"<p>javascript" + piece * (size // len(piece)))
        # `repeat` collects no garbage, of which the process may have much; the least, for a busy machine.
        return min(repeat(lambda: robot_error(page, URL), timer=time.process_time, number=1, repeat=3))

    assert cost_s(MAX_BYTES - 20) < 40 * max(cost_s(MAX_BYTES // 10), 0.002)

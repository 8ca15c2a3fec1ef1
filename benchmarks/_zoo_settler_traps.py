"""12 endless traps of a settler, as they happen on real sites.  SETTLER = [Site, ...]; each has a small honest part of
its own (`hosted=False`).

`silent` are those whose pages say nothing that their URLs do not explain.
"""

# ruff: noqa: E501, RUF001, SIM905 - as it came, in other alphabets

from __future__ import annotations

from collections.abc import Callable
from hashlib import md5
from urllib.parse import quote, unquote, urlencode, urlsplit

from _zoo import Answer, Asked, Site
from _zoo_pilgrim_honest import Found, a, guarded, html, number_of, of, parts_of, said, ul
from _zoo_settler_honest import dl, ensure, moved, table, turn

SETTLER: list[Site] = []


def trap(name: str, start: str, inside: Callable[[str], bool], *, silent: bool = False) -> Callable[[Found], Found]:
    """Register a trap that begins at `start` and of which `inside(url)` tells the URLs."""

    def register(page: Found) -> Found:
        SETTLER.append(Site(f"st-trap-{name}", guarded(page), start, True, inside, silent=silent, hosted=False))
        return page

    return register


def below(folder: str) -> Callable[[str], bool]:
    return lambda url: unquote(urlsplit(url).path).startswith(folder)


def small(
    asked: Asked, lang: str, words: list[str], kind: str, count: int, start: str, label: str, menu: str = ""
) -> Answer:
    """The honest part: a home page and `count` pages, each of which leads to the next and into the trap."""
    nav = menu or ul([("/", "⌂"), (start, label)])
    if asked.path == "/":
        links = ul((f"/{kind}/{at}", said(of(kind, at), words, 3, "")) for at in range(1, count // 2 + 1))
        return html(said(of(kind), words, 2, ""), f"{nav}<h1>{said(of(kind), words, 3, '')}</h1><p>{said(of(kind, 0), words, 40)}</p>{links}", lang)  # fmt: skip
    found, number = parts_of(asked)
    at = number_of(number)
    ensure(found == kind and 1 <= at <= count)
    body = "".join(f"<p>{said(of(kind, at, block), words, 25 + at % 9)}</p>" for block in range(2 + at % 4))
    title = said(of(kind, at), words, 3, "")
    return html(title, f"{nav}<h1>{title}</h1>{body}" + turn((f"/{kind}/{at % count + 1}", "→")), lang)


# 1

_JA = "祭り 神社 の 春 夏 秋 冬 行事 が 行われます 参拝 花火 を 楽しむ 地元 の 人々 と 観光 案内 駅 から 徒歩 十分 駐車場 あり".split()
_ROKUYO = "大安 赤口 先勝 友引 先負 仏滅".split()


@trap("koyomi", "/" + quote("暦/令和6年/7月/15日"), below("/暦/"), silent=True)
def era_calendar(asked: Asked) -> Answer | None:
    """A calendar in Japanese eras whose present one never ends; each day says its date and its luck (Japanese)."""

    def link(at: int) -> tuple[str, str]:
        year, rest = divmod(at, 336)
        era, year = (
            ("令和", year - 2018) if year > 2018 else ("平成", year - 1988) if year > 1988 else ("昭和", year - 1925)
        )
        ensure(year > 0)
        shown = (f"{era}{year}年", f"{rest // 28 + 1}月", f"{rest % 28 + 1}日")
        return "/" + quote("暦/" + "/".join(shown)), "".join(shown)

    def safe(*steps: int) -> list[tuple[str, str]]:
        return [link(at + step) for step in steps if at + step >= 1926 * 336]

    parts = parts_of(asked)
    if not parts or parts[0] != "暦":
        return small(asked, "ja", _JA, "matsuri", 36, "/" + quote("暦/令和6年/7月/15日"), "今日の暦")
    year, month, day = number_of(parts[1][2:-1]), number_of(parts[2][:-1]), number_of(parts[3][:-1])
    ensure(1 <= month <= 12 and 1 <= day <= 28 and year > 0)
    at = (year + {"令和": 2018, "平成": 1988, "昭和": 1925}[parts[1][:2]]) * 336 + month * 28 + day - 29
    body = dl(
        [("六曜", _ROKUYO[at % 6]), ("曜日", "日月火水木金土"[at % 7]), ("干支", "子丑寅卯辰巳午未申酉戌亥"[at % 12])]
    )
    return html(link(at)[1], f"<a href='/'>ホーム</a><h1>{link(at)[1]}</h1>{body}<p>この日の行事はありません。</p>{ul(safe(-1, 1, -28, 28, -336, 336))}", "ja")  # fmt: skip


# 2

_RU = "кроссовки доставка по городу оплата при получении новая коллекция обзор удобные лёгкие для бега гарантия возврат в течение размер таблица магазин скидка отзывы покупателей натуральная кожа подошва".split()
_FACETS = {"brand": "asiks fila puma demix salomon kappa".split(), "color": "belyj chernyj krasnyj sinij seryj".split(), "size": "36 37 38 39 40 41 42 43 44".split(), "season": "leto zima demi".split(), "material": "kozha zamsha tekstil".split()}  # fmt: skip


@trap("filtry", "/catalog/obuv/filter/brand-is-puma/apply/", below("/catalog/obuv/filter/"))
def facets(asked: Asked) -> Answer | None:
    """Filters of several values each, in the path, in the order in which they were chosen (Russian, Bitrix)."""
    parts = parts_of(asked)
    if not parts or parts[0] != "catalog":
        return small(asked, "ru", _RU, "statya", 40, "/catalog/obuv/filter/brand-is-puma/apply/", "Обувь")
    ensure(parts[:3] == ["catalog", "obuv", "filter"] and parts[-1] == "apply")
    chosen = [(facet, values.split("-or-")) for facet, _, values in (part.partition("-is-") for part in parts[3:-1])]
    ensure(all(set(values) <= set(_FACETS[facet]) for facet, values in chosen))

    def link(filters: list[tuple[str, list[str]]]) -> str:
        return (
            "/catalog/obuv/filter/"
            + "".join(f"{facet}-is-{'-or-'.join(values)}/" for facet, values in filters)
            + "apply/"
        )

    links, known = [], dict(chosen)
    for facet, values in _FACETS.items():
        for value in values:
            if value in known.get(facet, []):
                continue
            more = [(name, [*old, value] if name == facet else old) for name, old in chosen]
            if facet not in known:
                more.append((facet, [value]))
            links.append((link(more), f"{facet}: {value}"))
    rng = of("filter", *sorted(map(str, chosen)))
    items = "".join(
        f"<li>{said(of('item', at), _RU, 4, '')} - {of('price', at).randrange(900, 9000)} руб.</li>"
        for at in rng.sample(range(150), 12)
    )
    return html("Обувь", f"<a href='/'>Главная</a><h1>Обувь: {', '.join('/'.join(values) for _, values in chosen)}</h1><ul>{items}</ul><aside>{ul(links)}</aside>", "ru")  # fmt: skip


# 3

_VI = "trường học thông báo tuyển sinh năm học mới học sinh phụ huynh giáo viên lịch thi kết quả khai giảng hoạt động ngoại khóa thư viện phòng máy câu lạc bộ thể thao văn nghệ".split()


@trap("tuong-doi", "/tin-tuc/moi.html", below("/tin-tuc/"))
def relative_links(asked: Asked) -> Answer | None:
    """A menu with relative links, and a server that answers whatever is below its script (Vietnamese)."""
    if not asked.path.startswith("/tin-tuc/"):
        return small(asked, "vi", _VI, "bai-viet", 30, "/tin-tuc/moi.html", "Tin tức")
    last = parts_of(asked)[-1]
    menu = ul(
        [
            ("tin-tuc/moi.html/", "Tin mới"),
            ("tin-tuc/cu.html/", "Tin cũ"),
            ("lien-he/index.html/", "Liên hệ"),
            ("/", "Trang chủ"),
        ]
    )
    rng = of("tin", last)
    return html(
        f"Tin tức {last}",
        f"<div class=menu>{menu}</div><h1>{said(rng, _VI, 4, '')}</h1><p>{said(rng, _VI, 50)}</p>",
        "vi",
    )


# 4

_DE = "Verein Mitglieder Jahreshauptversammlung Protokoll Wanderung Treffpunkt Bahnhof Anmeldung erbeten Vorstand Kasse Bericht Ausflug Sommerfest Kuchen Spenden Training Halle geschlossen Ferien Turnier Mannschaft".split()


@trap("sitzung", "/forum/thema.jsp;jsessionid=4F0A7B6C2D9E8F10A1B2C3D4E5F60718?nr=1", lambda url: "jsessionid" in url)
def sessions(asked: Asked) -> Answer | None:
    """Sixty threads of a forum whose links have another session id on each page (German, Java)."""
    if "jsessionid" not in asked.path:
        return small(
            asked,
            "de",
            _DE,
            "bericht",
            34,
            "/forum/thema.jsp;jsessionid=4F0A7B6C2D9E8F10A1B2C3D4E5F60718?nr=1",
            "Forum",
        )
    number = number_of(asked.query["nr"])
    ensure(1 <= number <= 60 and asked.path.startswith("/forum/thema.jsp;"))
    session = md5(asked.url.encode()).hexdigest().upper()
    links = [(f"/forum/thema.jsp;jsessionid={session}?nr={to}", said(of("thema", to), _DE, 3, "")) for to in (number % 60 + 1, (number + 6) % 60 + 1, (number * 7) % 60 + 1, 1)]  # fmt: skip
    posts = table(
        [
            (of("post", number, at).choice(("Uwe", "Heike", "Bernd", "Ilse")), said(of("post", number, at), _DE, 15))
            for at in range(2 + number % 4)
        ]
    )
    return html(
        said(of("thema", number), _DE, 3, ""),
        f"<a href='/'>Start</a><h1>{said(of('thema', number), _DE, 3, '')}</h1>{posts}{ul(links)}",
        "de",
    )


# 5

_AR = "أفضل طريقة شراء هاتف سعر مستعمل جديد مراجعة مقارنة كاميرا بطارية شاشة شاحن سريع ضمان عروض تخفيضات الرياض القاهرة توصيل مجاني أصلي أسعار اليوم سماعة حافظة ذاكرة".split()


@trap("bahth", "/s/" + quote("سعر-هاتف-جديد"), below("/s/"))
def related_searches(asked: Asked) -> Answer | None:
    """ "Related searches", each a page with results drawn from one pool and further related searches (Arabic)."""
    parts = parts_of(asked)
    if not parts or parts[0] != "s":
        return small(asked, "ar", _AR, "maqal", 38, "/s/" + quote("سعر-هاتف-جديد"), "بحث")
    words = parts[1].split("-")
    ensure(words and set(words) <= set(_AR))
    rng = of("s", *words)
    related = []
    for _ in range(8):
        more = list(words)
        if len(more) > 5 or (len(more) > 2 and rng.random() < 0.5):
            more[rng.randrange(len(more))] = rng.choice(_AR)
        else:
            more.insert(rng.randrange(len(more) + 1), rng.choice(_AR))
        related.append(("/s/" + quote("-".join(more)), " ".join(more)))
    results = "".join(
        f"<div><h3>{said(of('r', at), _AR, 4, '')}</h3><p>{said(of('r', at, 1), _AR, 20)}</p></div>"
        for at in rng.sample(range(90), 7)
    )
    return html(" ".join(words), f"<div dir=rtl><a href='/'>الرئيسية</a><h1>{' '.join(words)}</h1>{results}<h4>عمليات بحث ذات صلة</h4>{ul(related)}</div>", "ar")  # fmt: skip


# 6

_KO_TAGS = "여행 맛집 카페 제주 부산 서울 등산 캠핑 사진 일상 육아 독서 영화 음악 요리 레시피 다이어트 운동 자전거 고양이 강아지 식물 인테리어 중고 자동차 주식 코딩 영어 시험 공부".split()


@trap("taegeu", "/tag/" + quote("여행") + "+" + quote("맛집"), below("/tag/"))
def tags(asked: Asked) -> Answer | None:
    """Intersections of any number of tags, in any order, with the posts that have the last two of them (Korean)."""
    path = asked.path
    if not path.startswith("/tag/"):
        return small(asked, "ko", _KO_TAGS, "post", 45, "/tag/" + quote("여행") + "+" + quote("맛집"), "태그")
    chosen = unquote(path[5:]).split("+")
    ensure(set(chosen) <= set(_KO_TAGS) and len(set(chosen)) == len(chosen))
    rng = of("tag", *sorted(chosen[-2:]))
    posts = ul((f"/post/{at}", said(of("post", at), _KO_TAGS, 3, "")) for at in rng.sample(range(1, 46), 3))
    free = [tag for tag in _KO_TAGS if tag not in chosen]
    more = ul(("/tag/" + "+".join(map(quote, [*chosen, tag])), f"+{tag} ({of(tag, *chosen).randrange(1, 30)})") for tag in of("more", *chosen).sample(free, min(9, len(free))))  # fmt: skip
    return html(
        "태그: " + ", ".join(chosen),
        f"<a href='/'>홈</a><h1>{' + '.join('#' + tag for tag in chosen)}</h1>{posts}<div class=tagcloud>{more}</div>",
        "ko",
    )


# 7

_EN = "partner offer deal exclusive click continue guide review top list compare price now free trial sponsored links summer holiday insurance garden tools kitchen travel shoes gadgets".split()


@trap("maze", "/go?to=5f2b9c1d", lambda url: urlsplit(url).path in ("/go",) or urlsplit(url).path.startswith("/r/"))
def redirects(asked: Asked) -> Answer | None:
    """Links through a tracker, which redirects once or more to pages of further such links (English)."""
    parts = parts_of(asked)
    if asked.path == "/go":
        token = asked.query["to"]
        ensure(len(token) == 8)
        hop = md5(f"hop|{token}".encode()).hexdigest()
        return moved(f"/go?to={hop[:8]}" if int(hop[8], 16) < 5 else f"/r/{hop[:4]}/{hop[4:16]}")
    if not parts or parts[0] != "r":
        return small(asked, "en", _EN, "guide", 33, "/go?to=5f2b9c1d", "Partners")
    ensure(len(parts) == 3)
    rng = of(*parts)
    links = ul((f"/go?to={rng.getrandbits(32):08x}", said(rng, _EN, 3, "")) for _ in range(4))
    return html(
        said(rng, _EN, 4, ""), f"<a href='/'>Home</a><h1>{said(rng, _EN, 4, '')}</h1><p>{said(rng, _EN, 30)}</p>{links}"
    )


# 8

_TR = "ilçe belediye duyuru ihale ilanı park bahçe su kesintisi yol çalışması meclis kararı etkinlik kurs başvuru vergi ödeme nikah salonu otobüs hat saat değişikliği temizlik".split()


@trap("ara", "/ara?q=a", lambda url: urlsplit(url).path == "/ara")
def suggestions(asked: Asked) -> Answer | None:
    """A search that suggests what might be typed next; what is found is articles, or nothing (Turkish)."""
    if asked.path != "/ara":
        return small(asked, "tr", _TR, "haber", 42, "/ara?q=a", "Ara")
    typed_so_far = asked.query["q"]
    found = [at for at in range(1, 43) if typed_so_far in said(of("haber", at), _TR, 3, "").lower()]
    result = (
        ul((f"/haber/{at}", said(of("haber", at), _TR, 3, "")) for at in found[:10])
        if found
        else "<p>Aramanızla eşleşen sonuç bulunamadı.</p>"
    )
    rng = of("ara", typed_so_far)
    more = ul(("/ara?" + urlencode({"q": typed_so_far + letter}), typed_so_far + letter) for letter in sorted(rng.sample("abcçdefgğhıijklmnoöprsştuüvyz ", 8)))  # fmt: skip
    return html(
        f"Ara: {typed_so_far}",
        f"<a href='/'>Ana sayfa</a><h1>“{typed_so_far}” için sonuçlar</h1>{result}<p>Bunu mu aradınız?</p>{more}",
        "tr",
    )


# 9

_TH = "เสื้อยืด กางเกง รองเท้า กระเป๋า ลดราคา ส่งฟรี สินค้าใหม่ ผ้าฝ้าย สีขาว สีดำ ขนาด พร้อมส่ง ของแท้ คุณภาพดี ราคาถูก โปรโมชั่น แฟชั่น ผู้หญิง ผู้ชาย เด็ก".split()


@trap("na-thatpai", "/shop?page=2", lambda url: urlsplit(url).path == "/shop")
def pager(asked: Asked) -> Answer | None:
    """A list whose pages never end: after the last they begin again, with other recommendations (Thai)."""
    if asked.path != "/shop":
        return small(asked, "th", _TH, "bot-khwam", 30, "/shop?page=2", "ร้านค้า")
    page = number_of(asked.query["page"])
    items = [(page * 12 + at) % 156 for at in range(12)]
    shown = table([(said(of("item", at), _TH, 2, ""), f"{of('price', at).randrange(90, 2000)} บาท") for at in items])
    also = said(of("also", page), _TH, 12)
    links = turn(
        (f"/shop?page={max(1, page - 1)}", "ก่อนหน้า"),
        *((f"/shop?page={page + step}", str(page + step)) for step in (1, 2, 3, 10)),
    )
    return html(
        f"สินค้าทั้งหมด หน้า {page}", f"<a href='/'>หน้าแรก</a><h1>สินค้าทั้งหมด</h1>{shown}<p>แนะนำ: {also}</p>{links}", "th"
    )


# 10

_UK = "село річка громада церква школа населення історія заснування козак район область площа господарство пам'ятка архітектура музей дорога ліс озеро поле вулиця перепис джерело примітки література".split()


@trap("riznytsia", "/w/index.php?title=A1&diff=900017&oldid=900002", lambda url: urlsplit(url).path == "/w/index.php")
def diffs(asked: Asked) -> Answer | None:
    """Differences between any two versions of an article, each with links to those before and after (Ukrainian, MediaWiki)."""
    if asked.path != "/w/index.php":
        return small(asked, "uk", _UK, "wiki", 40, "/w/index.php?title=A1&diff=900017&oldid=900002", "Останні зміни")
    title, new, old = asked.query["title"], number_of(asked.query["diff"]), number_of(asked.query["oldid"])
    ensure(title in [f"A{at}" for at in range(1, 41)] and new != old)

    def link(diff: int, oldid: int, to: str = title) -> str:
        return "/w/index.php?" + urlencode({"title": to, "diff": diff, "oldid": oldid})

    rows = [[f"− {said(of(title, old, at), _UK, 9)}", f"+ {said(of(title, new, at), _UK, 9)}"] for at in range(2)]
    step = 3 + of(title, new, old).randrange(40)
    links = [(link(old, old - step), "← Попереднє редагування"), (link(new + step, new), "Наступне редагування →"), (link(new + step, old), "Порівняти"), (link(new, old, f"A{(new + old) % 40 + 1}"), "Див. також")]  # fmt: skip
    ensure(old > 0)
    return html(f"{title}: різниця", f"<a href='/'>Головна</a><h1>Різниця між версіями {title}</h1>{table(rows, (f'Версія {old}', f'Версія {new}'))}{ul(links)}", "uk")  # fmt: skip


# 11

_HI = "किसान मंडी भाव गेहूँ धान सरसों बीज खाद सिंचाई मौसम बारिश योजना ऋण बैंक ट्रैक्टर खेत फसल कटाई गोदाम सरकार सूचना पंजीकरण".split()
_UNITS = {"bigha": 2529.3, "acre": 4046.9, "hectare": 10000.0, "katha": 126.4, "guntha": 101.2}


@trap("parivartak", "/badlo/1-bigha-to-acre", below("/badlo/"), silent=True)
def converter(asked: Asked) -> Answer | None:
    """A converter of areas with links to other numbers and units (Hindi)."""
    if not asked.path.startswith("/badlo/"):
        return small(asked, "hi", _HI, "lekh", 36, "/badlo/1-bigha-to-acre", "परिवर्तक")
    number_text, unit, _, to = parts_of(asked)[1].split("-")
    number = number_of(number_text)
    value = f"{number * _UNITS[unit] / _UNITS[to]:.4f}"

    def link(count: int, one: str = unit, other: str = to) -> tuple[str, str]:
        return f"/badlo/{count}-{one}-to-{other}", f"{count} {one} = ? {other}"

    links = [link(number + 1), link(number + 5), link(number * 2), link(number * 10), link(number, to, unit)]
    links += [link(number, unit, other) for other in _UNITS if other not in (unit, to)][:2]
    return html(f"{number} {unit} = {value} {to}", f"<a href='/'>होम</a><h1>{number} {unit} कितने {to} होते हैं?</h1><p>{number} {unit} = <b>{value}</b> {to}</p><h3>अन्य परिवर्तन</h3>{ul(links)}", "hi")  # fmt: skip


# 12

_POOL = (
    "the survey of the northern harbour was not completed before the winter and so the committee of the guild decided to "
    "send a second party across the ridge where the older maps had shown a road that nobody could find although the "
    "keeper of the lighthouse claimed to have walked it as a boy when the salt trade still paid for the bridges and the "
    "inns along the river which the floods of that year had carried away together with the archive of the parish and the "
    "only copy of the treaty that the survey was meant to confirm before the guild would pay the keeper for the maps of "
    "the harbour and the bridges that the committee of the parish had ordered from a printer across the river"
).split()
_AFTER: dict[tuple[str, str], list[str]] = {}
for _one, _two, _three in zip(_POOL, [*_POOL[1:], _POOL[0]], [*_POOL[2:], *_POOL[:2]], strict=True):
    _AFTER.setdefault((_one, _two), []).append(_three)
_LEX = sorted(set(_POOL))
_BLOG = "notes on small servers static pages backups cron mail filters shell scripts logs disks fans noise heat power bill bandwidth robots crawlers bots polite".split()


@trap("tarpit", "/archive/harbour/ridge/", below("/archive/"))
def tarpit(asked: Asked) -> Answer | None:
    """Text of a Markov chain and links to paths of words, like those of Nepenthes and Iocaine (English)."""
    parts = parts_of(asked)
    if not parts or parts[0] != "archive":
        return small(asked, "en", _BLOG, "note", 48, "/archive/harbour/ridge/", "Archive")
    rng = of("tarpit", asked.path)

    def babble(count: int) -> str:
        pair, told = rng.choice(list(_AFTER)), []
        for _ in range(count):
            told.append(pair[0])
            pair = (pair[1], rng.choice(_AFTER[pair]))
        return " ".join(told).capitalize() + "."

    def link() -> tuple[str, str]:
        words = rng.choices(_LEX, k=rng.randrange(1, 5))
        return "/archive/" + "/".join(words) + rng.choice(("/", "", f"-{rng.randrange(10**5)}")), " ".join(words)

    blocks = "".join(
        f"<p>{babble(rng.randrange(20, 90))} {a(*link())} {babble(12)}</p>" for _ in range(rng.randrange(2, 7))
    )
    title = babble(5)[:-1]
    return html(title, f"<a href='/'>Home</a><h1>{title}</h1>{blocks}{ul(link() for _ in range(rng.randrange(3, 8)))}")

"""12 endless traps of a tenant.  TENANT = [Site, ...]; each has a small honest part of its own (`hosted=False`).

`silent` are those whose pages say nothing that their URLs do not explain: they repeat them or compute from them.
`random` are those whose pages differ with every visit.
"""


# ruff: noqa: DTZ001, E501, RUF001, RUF021, SIM905 - as it came, in other alphabets

from __future__ import annotations

import base64
import json
import random as _random
import re
from collections.abc import Callable
from datetime import datetime, timedelta
from ipaddress import IPv6Address
from itertools import count
from urllib.parse import parse_qsl, unquote, urlencode, urlsplit

from _zoo import SUFFIX, Answer, Asked, Site
from _zoo_tenant_honest import R, U, a, html, number, path_of, query_of

TENANT: list[Site] = []

Page = Callable[[Asked], "Answer | None"]


def trap(
    name: str, start: str, inside: Callable[[str], bool], *, silent: bool = False, random: bool = False
) -> Callable[[Page], Page]:
    """Register a trap that begins at `start` and of which `inside(url)` tells the URLs."""

    def register(page: Page) -> Page:
        TENANT.append(Site(name, page, start, True, inside, random=random, silent=silent, hosted=False))
        return page

    return register


def below(folder: str) -> Callable[[str], bool]:
    """Whether a URL is in a folder (of a name in ASCII or escaped)."""
    return lambda url: urlsplit(url).path.startswith(folder)


# ------------------------------------------------ 1  Greek village paper: m. and www. put before whatever host there is

_WWW = "tn-trap-efimerida"


@trap(_WWW, f"http://m.{_WWW}.{SUFFIX}/", lambda url: (urlsplit(url).hostname or "").count(".") > 1)
def _stacked_hosts(asked: Asked) -> Answer | None:
    words = "σχολείο δρόμος πλατεία δήμαρχος ελιές λάδι βροχή γιορτή εκκλησία λιμάνι ψαράδες χωριό νερό γέφυρα καφενείο ομάδα αγώνας βιβλίο έκθεση κάτοικοι".split()
    path = path_of(asked)
    at = 0 if path == "/" else number(path[8:], 1, 45) if path.startswith("/arthro/") else None
    if at is None:
        return None
    more = ""
    if len(asked.host) < 230:  # a longer name could not be looked up
        more = f"<p>{a(f'http://m.{asked.host}{path}', 'Έκδοση για κινητά')} {a(f'http://www.{asked.host}{path}', 'Πλήρης έκδοση')}</p>"
    if not at:
        body = "<h1>Η Φωνή του Χωριού</h1>" + "".join(
            f"<p>{a(f'/arthro/{one}', R('αρ', one).choice(words).capitalize())}</p>" for one in range(1, 46)
        )
        return html("Η Φωνή του Χωριού", body + more, "el")
    rng = R("άρθρο", at)
    title = " ".join(rng.sample(words, 3)).capitalize()
    return html(
        title,
        f"<h1>{title}</h1><p>{' '.join(rng.choices(words, k=80))}.</p>{a(f'/arthro/{at % 45 + 1}', 'Επόμενο')}{more}",
        "el",
    )


# ------------------------------------------------ 2  Portuguese council: a pager that escapes its query once more each time


@trap(
    "tn-trap-camara", "/lista?ano=2001&amp;ordem=data&amp;pagina=2", lambda url: "amp;" in unquote(urlsplit(url).query)
)
def _escaped_again(asked: Asked) -> Answer | None:
    words = "ata orçamento obra praça escola água contrato concurso licença taxa estrada iluminação cemitério biblioteca mercado feira transporte saúde arrendamento subsídio".split()
    path, query = path_of(asked), urlsplit(asked.url).query
    if path == "/":
        return html(
            "Câmara Municipal",
            "<h1>Deliberações</h1>"
            + "".join(
                f"<p>{year}: {a(f'/lista?ano={year}&ordem=data&pagina=1', 1)} {a(f'/lista?ano={year}&ordem=data&pagina=2', 2)}</p>"
                for year in range(2001, 2009)
            ),
            "pt",
        )
    if path.startswith("/doc/") and (at := number(path[5:], 1, 160)):
        rng = R("doc", at)
        return html(
            f"Deliberação {at}",
            f"<h1>Deliberação {at}</h1><p>{' '.join(rng.choices(words, k=60))}.</p>{a('/', 'Início')}",
            "pt",
        )
    if path == "/lista":
        got = {key.rsplit("amp;", 1)[-1]: value for key, value in parse_qsl(query)}
        year, at = number(got.get("ano"), 2001, 2008), number(got.get("pagina"), 1, 2)
        if year is None or at is None or got.get("ordem") not in ("data", "titulo"):
            return None
        low = (year - 2001) * 20 + at * 10 - 10
        mine = [low + one for one in range(1, 11)]
        if got["ordem"] == "titulo":
            mine.sort(key=lambda one: R("doc", one).choice(words))
        rows = "".join(f"<li>{a(f'/doc/{one}', f'Deliberação {one}')}</li>" for one in mine)
        # what is to be a link is escaped where it is made, and again where it is written
        again = query.replace("&", "&amp;")
        pages = " ".join(a("?" + re.sub(r"pagina=\d", f"pagina={one}", again), one) for one in (1, 2))
        orders = " ".join(a("?" + re.sub(r"ordem=\w+", f"ordem={one}", again), one) for one in ("data", "titulo"))
        return html(f"Deliberações de {year}", f"<h1>{year}</h1><ul>{rows}</ul><p>{pages}</p><p>{orders}</p>", "pt")
    return None


# ------------------------------------------------ 3  Icelandic genealogy: the parents of the unknown, and theirs


@trap(
    "tn-trap-aettartre",
    U("/ætt/32/faðir"),
    lambda url: bool(re.search(r"/(faðir|móðir)", unquote(urlsplit(url).path))),
    silent=True,
)
def _unknown_parents(asked: Asked) -> Answer | None:
    path = path_of(asked)
    given = "Jón Guðmundur Sigurður Ólafur Einar Helga Guðrún Sigríður Kristín Margrét Þórður Bjarni Ingibjörg Ragnheiður".split()
    many = 63
    called = {at: f"{R('nafn', at).choice(given)} ({1900 - 28 * at.bit_length()})" for at in range(1, many + 1)}
    if path == "/":
        return html(
            "Ættartré", "<h1>Ættartré</h1>" + " ".join(a(U(f"/ætt/{at}"), name) for at, name in called.items()), "is"
        )
    if (found := re.fullmatch(r"/ætt/(\d+)((?:/(?:faðir|móðir))*)", path)) is None or (
        at := number(found[1], 1, many)
    ) is None:
        return None
    if found[2] and at < 32:
        return None
    up = []
    for told, one in (("faðir", 2 * at), ("móðir", 2 * at + 1)):
        up.append(
            f"<li>{told}: {a(U(f'/ætt/{one}'), called[one]) if one <= many else a(U(f'{path}/{told}'), 'óþekkt')}</li>"
        )
    if found[2]:
        return html("Óþekkt", f"<h1>Óþekkt</h1><ul>{''.join(up)}</ul>{a(U(path.rsplit('/', 1)[0]), 'barn')}", "is")
    rng = R("ævi", at)
    text = f"Bjó á {rng.choice('Hóli Bakka Felli Nesi Ási Gili'.split())}, átti {rng.randint(1, 9)} börn og {rng.randint(2, 90)} kindur."
    return html(called[at], f"<h1>{called[at]}</h1><p>{text}</p><ul>{''.join(up)}</ul>", "is")


# ------------------------------------------------ 4  English: what is known of any IPv6 address, and of its neighbours


@trap("tn-trap-sixlookup", "/ip/2001:db8::1", below("/ip/"), silent=True)
def _addresses(asked: Asked) -> Answer | None:
    path = path_of(asked)
    topics = (
        "prefix scope routing tunnel anycast multicast neighbour header fragment checksum resolver registry".split()
    )
    if path == "/":
        body = "".join(
            f"<p>{a(f'/guide/{topic}-{part}', f'{topic.capitalize()} {part}')}</p>"
            for topic in topics
            for part in (1, 2, 3)
        )
        return html("SixLookup", f"<h1>SixLookup</h1>{body}<p>Try {a('/ip/2001:db8::1', 'an example')}</p>", "en")
    if path.startswith("/guide/") and path[7:-2] in topics and path[-2:] in ("-1", "-2", "-3"):
        rng = R("guide", path)
        return html(
            path[7:-2].capitalize(),
            f"<h1>{path[7:-2].capitalize()}</h1><p>{' '.join(rng.choices(topics, k=70))}.</p>",
            "en",
        )
    if not path.startswith("/ip/"):
        return None
    try:
        at = int(IPv6Address(path[4:]))
    except ValueError:
        return None
    near = [at + step for step in (-1, 1, 256, 1 << 16, 1 << 64, -(1 << 80)) if 0 <= at + step < 1 << 128]
    words = IPv6Address(at).exploded
    links = "".join(f"<li>{a(f'/ip/{IPv6Address(one)}', IPv6Address(one))}</li>" for one in near)
    return html(
        f"{IPv6Address(at)} - IPv6 lookup",
        f"<h1>{IPv6Address(at)}</h1><table><tr><td>Full form</td><td>{words}</td></tr><tr><td>Decimal</td><td>{at}</td></tr>"
        f"<tr><td>Reverse</td><td>{IPv6Address(at).reverse_pointer}</td></tr></table><p>Owner: not available.</p><ul>{links}</ul>",
        "en",
    )


# ------------------------------------------------ 5  Arabic: any day of the Islamic calendar as a day of the other


@trap("tn-trap-tahwil-tarikh", "/hijri/1445-1-1", below("/hijri/"), silent=True)
def _dates(asked: Asked) -> Answer | None:
    months = "محرم صفر ربيع-الأول ربيع-الآخر جمادى-الأولى جمادى-الآخرة رجب شعبان رمضان شوال ذو-القعدة ذو-الحجة".split()
    days = "الاثنين الثلاثاء الأربعاء الخميس الجمعة السبت الأحد".split()
    path = path_of(asked)
    if path == "/":
        body = "".join(f"<p>{a(U(f'/شهر/{month}'), month.replace('-', ' '))}</p>" for month in months)
        more = " ".join(a(U(f"/سؤال/{at}"), at) for at in range(1, 31))
        return html(
            "تحويل التاريخ",
            f"<h1>تحويل التاريخ</h1><p>{a('/hijri/1445-1-1', 'التقويم')}</p>{body}<p>أسئلة: {more}</p>",
            "ar",
            rtl=True,
        )
    said = (
        "الهلال الشهر السنة الكبيسة الصيام الحج العيد القمر الحساب الرؤية التقويم الميلادي الأيام الأسبوع الفجر".split()
    )
    if path.startswith("/شهر/") and path[5:] in months or path.startswith("/سؤال/") and number(path[6:], 1, 30):
        return html(
            path.rpartition("/")[2],
            f"<p>{' '.join(R(path).choices(said, k=50))}</p>{a('/', 'الرئيسية')}",
            "ar",
            rtl=True,
        )
    if (found := re.fullmatch(r"/hijri/(-?\d{1,40})-(\d{1,2})-(\d{1,2})", path)) is None:
        return None
    year, month, day = (int(one) for one in found.groups())
    if not 1 <= month <= 12 or not 1 <= day <= 30:
        return None
    passed = day + (59 * (month - 1) + 1) // 2 + (year - 1) * 354 + (3 + 11 * year) // 30
    links = [
        (year + month // 12, month % 12 + 1, 1, "الشهر التالي"),
        (year - (month == 1), (month - 2) % 12 + 1, 1, "الشهر السابق"),
        (year + 1, month, day, "السنة التالية"),
        (year - 1, month, day, "السنة السابقة"),
        (year, month, day % 29 + 1, "اليوم التالي"),
    ]
    near = " ".join(a(f"/hijri/{one}-{two}-{three}", told) for one, two, three, told in links)
    return html(
        f"{day} {months[month - 1]} {year}",
        f"<h1>{day} {months[month - 1].replace('-', ' ')} {year} هـ</h1><p>{days[(passed + 3) % 7]}، اليوم {passed + 227014} منذ السنة الأولى للميلاد</p><p>{near}</p>",
        "ar",
        rtl=True,
    )


# ------------------------------------------------ 6  Turkish: how much is so much per cent of that


@trap("tn-trap-yuzde-hesap", "/yuzde/15/240", below("/yuzde/"), silent=True)
def _per_cent(asked: Asked) -> Answer | None:
    path = path_of(asked)
    topics = "faiz kdv indirim zam kredi maaş enflasyon kur taksit vergi".split()
    if path == "/":
        body = " ".join(a(U(f"/yazı/{topic}/{at}"), f"{topic} {at}") for topic in topics for at in range(1, 6))
        return html(
            "Yüzde hesaplama",
            f"<h1>Yüzde hesaplama</h1><p>{body}</p>{a('/yuzde/15/240', '240 sayısının yüzde 15’i')}",
            "tr",
        )
    if (found := re.fullmatch(r"/yazı/(\w+)/([1-5])", path)) and found[1] in topics:
        return html(found[1], f"<h1>{found[1]} {found[2]}</h1><p>{' '.join(R(path).choices(topics, k=60))}</p>", "tr")
    if (found := re.fullmatch(r"/yuzde/(\d{1,60})/(\d{1,60})", path)) is None:
        return None
    rate, of = int(found[1]), int(found[2])
    result = rate * of
    told = f"{of} sayısının yüzde {rate}’i {result // 100},{result % 100:02} eder."
    near = [(rate + 1, of), (rate, of + 1), (rate, of * 2), (rate + 5, of), (of, rate), (rate, max(1, result // 100))]
    return html(
        f"{of} sayısının yüzde {rate}’i kaç?",
        f"<h1>{of} sayısının yüzde {rate}’i kaç?</h1><p>{told}</p><ul>"
        + "".join(f"<li>{a(f'/yuzde/{one}/{two}', f'{two} sayısının yüzde {one}’i')}</li>" for one, two in near)
        + "</ul>",
        "tr",
    )


# ------------------------------------------------ 7  French cheese dairy: the debugging bar left on: each visit a new profile


@trap("tn-trap-fromagerie", "/_profiler/3f9a1c", below("/_profiler/"), random=True)
def _profiler(asked: Asked) -> Answer | None:
    path, query = path_of(asked), query_of(asked)
    words = "lait caillé croûte affinage cave tomme chèvre brebis vache presse sel meule alpage été berger marché lundi dégustation fondue raclette".split()
    panels = ["request", "time", "exception", "events", "router", "cache", "db", "twig", "logger", "config"]
    token = f"{_random.getrandbits(24):06x}"
    bar = f"<div class='sf-toolbar'>{a(f'/_profiler/{token}', f'200 @ {_random.randrange(12, 400)} ms')} {a(f'/_profiler/{token}?panel=db', f'{_random.randrange(30)} requêtes')}</div>"
    if path == "/":
        body = "<h1>Fromagerie des Crêts</h1>" + "".join(
            f"<p>{a(f'/fromage/{at}', R('fro', at).choice(words))}</p>" for at in range(1, 41)
        )
        return html("Fromagerie des Crêts", body + bar, "fr")
    if path.startswith("/fromage/") and (at := number(path[9:], 1, 40)):
        rng = R("fromage", at)
        return html(
            f"Fromage {at}",
            f"<h1>Fromage {at}</h1><p>{' '.join(rng.choices(words, k=70))}.</p>{a(f'/fromage/{at % 40 + 1}', 'Suivant')}{bar}",
            "fr",
        )
    if (found := re.fullmatch(r"/_profiler/([0-9a-f]{6})(/search/results)?", path)) is None:
        return None
    token = found[1]
    if found[2]:
        rows = "".join(
            f"<tr><td>{a(f'/_profiler/{one:06x}', f'{one:06x}')}</td><td>GET</td></tr>"
            for one in (_random.getrandbits(24) for _ in range(10))
        )
        return html("Profiles", f"<table>{rows}</table>{bar}", "fr")
    panel = query.get("panel", "request")
    menu = " ".join(a(f"/_profiler/{token}?panel={one}", one) for one in panels)
    rows = "".join(
        f"<tr><td>{key}</td><td>{_random.randrange(1, 9_000)}</td></tr>"
        for key in ("memory", "time", "queries", "depth")
    )
    return html(
        f"Symfony Profiler {panel}",
        f"<h2>{panel}</h2><p>Token {token}</p>{menu}<table>{rows}</table>{a(f'/_profiler/{token}/search/results?limit=10', 'Last 10')}{bar}",
        "fr",
    )


# ------------------------------------------------ 8  Thai shop: the way through its categories in the URL, and they form rings


@trap(
    "tn-trap-ran-kha",
    "/index.php?route=product/category&path=20_26",
    lambda url: "_" in dict(parse_qsl(urlsplit(url).query)).get("path", ""),
)
def _category_rings(asked: Asked) -> Answer | None:
    names = "เครื่องครัว ผ้าไหม ของขวัญ สมุนไพร เครื่องเขียน ตะกร้า เครื่องปั้น ของเล่น ชา กาแฟ น้ำหอม เทียน รองเท้า กระเป๋า".split()
    ids = {20 + 2 * at: name for at, name in enumerate(names)}
    order = list(ids)
    under = {
        one: sorted({order[(at * 3 + 3) % 14], order[(at * 5 + 1) % 14], order[(at + 4) % 14]} - {one})
        for at, one in enumerate(order)
    }
    query = query_of(asked)
    if asked.path == "/":
        body = "".join(
            f"<li>{a(f'/index.php?route=product/category&path={one}', name)}</li>" for one, name in ids.items()
        )
        more = " ".join(a(f"/index.php?route=product/product&product_id={at}", f"สินค้า {at}") for at in range(1, 71))
        return html("ร้านค้าชุมชน", f"<h1>ร้านค้าชุมชน</h1><ul>{body}</ul><p>{more}</p>", "th")
    if asked.path != "/index.php":
        return None
    way = [number(one, 20, 46) for one in query["path"].split("_")] if "path" in query else []
    if any(one not in ids for one in way):
        return None
    crumbs = " » ".join(
        a("/index.php?route=product/category&path=" + "_".join(map(str, way[: at + 1])), ids[one])
        for at, one in enumerate(way)
    )
    if query.get("route") == "product/product" and (at := number(query.get("product_id"), 1, 70)):
        rng = R("สินค้า", at)
        return html(
            f"สินค้า {at}",
            f"<p>{crumbs}</p><h1>{ids[rng.choice(order)]} {at}</h1><p>ราคา {rng.randint(20, 900)} บาท น้ำหนัก {rng.randint(50, 3_000)} กรัม</p>",
            "th",
        )
    if query.get("route") == "product/category" and way:
        last, told = way[-1], "_".join(map(str, way))
        below_ = "".join(
            f"<li>{a(f'/index.php?route=product/category&path={told}_{one}', ids[one])}</li>" for one in under[last]
        )
        mine = [at for at in range(1, 71) if at % 14 == order.index(last)]
        goods = "".join(
            f"<li>{a(f'/index.php?route=product/product&path={told}&product_id={at}', f'สินค้า {at}')}</li>"
            for at in mine
        )
        return html(ids[last], f"<p>{crumbs}</p><h1>{ids[last]}</h1><ul>{below_}</ul><ul>{goods}</ul>", "th")
    return None


# ------------------------------------------------ 9  Swedish print shop: a design, and how it came about, in one opaque segment


def _state(steps: list[str]) -> str:
    return (
        base64.urlsafe_b64encode(json.dumps({"v": 2, "h": steps}, separators=(",", ":")).encode()).decode().rstrip("=")
    )


@trap("tn-trap-trycktroja", f"/design/{_state([])}", below("/design/"))
def _designs(asked: Asked) -> Answer | None:
    path = path_of(asked)
    options = {
        "färg": ["röd", "blå", "svart", "vit"],
        "tryck": ["älg", "stuga", "båt"],
        "hals": ["rund", "v-ringad"],
        "stl": ["S", "M", "L", "XL"],
    }
    words = "tröja bomull tryck tvätt sextio grader ekologisk sömnad leverans veckor skola lag förening klubb pris rabatt faktura prov kvalitet färgäkta".split()
    if path == "/":
        return html(
            "Trycktröja.se",
            "<h1>Trycktröja</h1>"
            + "".join(f"<p>{a(f'/om/{at}', R('om', at).choice(words).capitalize())}</p>" for at in range(1, 36))
            + a(f"/design/{_state([])}", "Designa själv"),
            "sv",
        )
    if path.startswith("/om/") and (at := number(path[4:], 1, 35)):
        return html(f"Om {at}", f"<p>{' '.join(R('om', at).choices(words, k=70))}.</p>{a('/', 'Start')}", "sv")
    if not path.startswith("/design/"):
        return None
    try:
        steps = json.loads(base64.urlsafe_b64decode(path[8:] + "=" * (-len(path[8:]) % 4)))["h"]
        chosen = dict(one.split(":") for one in steps)
    except (ValueError, KeyError, TypeError, AttributeError):
        return None
    now = {key: chosen.get(key, values[0]) for key, values in options.items()}
    links = "".join(
        f"<li>{key}: "
        + " ".join(a(f"/design/{_state([*steps, f'{key}:{one}'])}", one) for one in values if one != now[key])
        + "</li>"
        for key, values in options.items()
    )
    undo = a(f"/design/{_state(steps[:-1])}", "Ångra") if steps else ""
    told = ", ".join(f"{key} {one}" for key, one in now.items())
    return html(
        "Designa själv",
        f"<h1>Din tröja</h1><p>{told}</p><p>Pris {149 + 20 * len(set(now.values()) & {'svart', 'älg', 'XL'})} kr</p><ul>{links}</ul>{undo}",
        "sv",
    )


# ------------------------------------------------ 10  Japanese magazine: how the reader came here, kept in each link


@trap("tn-trap-keiro", U("/記事/5") + "?via=1", lambda url: "via=" in urlsplit(url).query)
def _trails(asked: Asked) -> Answer | None:
    path, query = path_of(asked), query_of(asked)
    words = (
        "山 川 温泉 駅弁 祭り 城 寺 神社 港 灯台 棚田 和紙 陶器 酒蔵 味噌 そば 鉄道 峠 滝 桜 紅葉 雪 漁師 市場".split()
    )
    many = 48
    if path == "/":
        return html(
            "旅の雑誌",
            "<h1>旅の雑誌</h1>"
            + "".join(f"<li>{a(U(f'/記事/{at}'), R('記', at).choice(words))}</li>" for at in range(1, many + 1)),
            "ja",
        )
    if not path.startswith("/記事/") or (at := number(path[4:], 1, many)) is None:
        return None
    rng = R("記事", at)
    text = "、".join(rng.choices(words, k=50))
    trail = f"{query['via']}-{at}" if "via" in query else str(at)
    near = [(at * 3 + 1) % many + 1, (at * 7 + 4) % many + 1, (at + 10) % many + 1]
    links = "".join(f"<li>{a(U(f'/記事/{one}') + f'?via={trail}', R('記', one).choice(words))}</li>" for one in near)
    return html(f"{rng.choice(words)}と{rng.choice(words)}", f"<p>{text}。</p><h2>おすすめ</h2><ul>{links}</ul>", "ja")


# ------------------------------------------------ 11  Welsh wiki: recent changes, "show what is new from now on"

_CLOCK = count()


@trap(
    "tn-trap-wici",
    "/index.php?title=Arbennig:NewidiadauDiweddar",
    lambda url: urlsplit(url).path == "/index.php",
    random=True,
)
def _recent_changes(asked: Asked) -> Answer | None:
    path, query = path_of(asked), query_of(asked)
    words = "afon mynydd pont capel ysgol bardd llyfr glo llechi defaid môr castell brenin tref cymuned iaith cân telyn rheilffordd marchnad".split()
    titles = [f"{R('wici', at).choice(words).capitalize()} {R('wici2', at).choice(words)} {at}" for at in range(60)]
    if path == "/":
        return html(
            "Wici'r Cwm",
            "<h1>Hafan</h1>"
            + " ".join(a(U(f"/wici/{one.replace(' ', '_')}"), one) for one in titles)
            + a("/index.php?title=Arbennig:NewidiadauDiweddar", "Newidiadau diweddar"),
            "cy",
        )
    if path.startswith("/wici/") and (one := path[6:].replace("_", " ")) in titles:
        rng = R("erthygl", one)
        return html(
            one,
            f"<h1>{one}</h1><p>{' '.join(rng.choices(words, k=80))}.</p>"
            + " ".join(a(U(f"/wici/{other.replace(' ', '_')}"), other) for other in rng.sample(titles, 3)),
            "cy",
        )
    if path != "/index.php" or query.get("title") != "Arbennig:NewidiadauDiweddar":
        return None
    now = datetime(2026, 11, 2, 8) + timedelta(seconds=7 * next(_CLOCK))

    def url(**changed: str) -> str:
        return "/index.php?" + urlencode({**query, **changed}, safe=":")

    links = [a(url(limit=one), one) for one in ("50", "100", "250", "500")] + [
        a(url(days=one), one) for one in ("1", "3", "7", "14", "30")
    ]
    links += [
        a(url(**{one: "1" if query.get(one) != "1" else "0"}), one)
        for one in ("hideminor", "hidebots", "hideanons", "hidemyself")
    ]
    fresh = a(url(**{"from": f"{now:%Y%m%d%H%M%S}"}), f"Dangos newidiadau newydd, gan ddechrau o {now:%H:%M:%S}")
    rows = "".join(
        f"<li>{a(U(f'/wici/{titles[at]}').replace('%20', '_'), titles[at])} ({R('d', at).randint(-90, 400):+})</li>"
        for at in R("newid", query.get("days")).sample(range(60), 12)
    )
    return html(
        "Newidiadau diweddar",
        f"<h1>Newidiadau diweddar</h1><p>{' | '.join(links)}</p><p>{fresh}</p><ul>{rows}</ul>",
        "cy",
    )


# ------------------------------------------------ 12  Polish plumbers: a page for every town, near every other, in spun words


@trap("tn-trap-hydraulik", "/uslugi/hydraulik-radom", below("/uslugi/"))
def _doorways(asked: Asked) -> Answer | None:
    path = path_of(asked)
    towns = (
        "radom kielce konin płock elbląg opole zamość chełm piła leszno mielec gniezno krosno sieradz łomża suwałki ełk tczew otwock pruszków".replace(
            "ł", "l"
        )
        .replace("ó", "o")
        .replace("ć", "c")
        .replace("ą", "a")
        .replace("ż", "z")
        .replace("ś", "s")
        .split()
    )
    what = [
        "hydraulik",
        "pogotowie-kanalizacyjne",
        "przepychanie-rur",
        "wymiana-zaworu",
        "naprawa-pieca",
        "montaz-wanny",
    ]
    more = [
        "tanio",
        "24h",
        "od-zaraz",
        "dzielnica-polnoc",
        "osiedle-mlodych",
        "stare-miasto",
        "bez-vat",
        "opinie",
        "cennik",
    ]
    spun = [
        ["Szukasz fachowca", "Potrzebujesz pomocy", "Masz awarię", "Cieknie kran"],
        ["Zadzwoń do nas", "Nasz zespół dojedzie", "Przyjeżdżamy", "Umów wizytę"],
        ["w 30 minut", "jeszcze dziś", "także w niedzielę", "o każdej porze"],
        ["Gwarancja na dwa lata", "Faktura od ręki", "Uczciwa cena", "Wieloletnie doświadczenie"],
        ["Polecają nas sąsiedzi", "Setki zadowolonych klientów", "Sprawdź opinie", "Działamy od 2004 roku"],
    ]
    if path == "/":
        return html(
            "Hydraulik Plus",
            "<h1>Hydraulik Plus</h1>"
            + " ".join(a(f"/poradnik/{at}", f"Porada {at}") for at in range(1, 41))
            + a("/uslugi/hydraulik-radom", "Usługi"),
            "pl",
        )
    if path.startswith("/poradnik/") and (at := number(path[10:], 1, 40)):
        words = "rura zawór uszczelka syfon kolanko piec bojler wanna kran ciśnienie filtr pompa grzejnik licznik studzienka klucz taśma gwint".split()
        return html(
            f"Porada {at}",
            f"<h1>Porada {at}</h1><p>{' '.join(R('porada', at).choices(words, k=80))}.</p>{a(f'/poradnik/{at % 40 + 1}', 'Następna')}",
            "pl",
        )
    if (found := re.fullmatch(r"/uslugi/([a-z0-9-]{1,300})", path)) is None or not found[1].startswith(tuple(what)):
        return None
    slug, rng = found[1], R("spin", found[1])
    last = next((town for town in reversed(slug.split("-")) if town in towns), towns[0])
    text = ". ".join(
        f"{rng.choice(spun[0])} {rng.choice(['w okolicy', 'blisko', 'w miejscowości'])} {last.capitalize()}? {rng.choice(spun[1])} {rng.choice(spun[2])}. {rng.choice(spun[3])}. {rng.choice(spun[4])}"
        for _ in range(5)
    )
    links = []
    for _ in range(9):
        tail = rng.choice(more)
        near = rng.choice(towns)
        made = rng.choice(
            [
                f"{slug}-{tail}",
                f"{rng.choice(what)}-{near}-kolo-{last}-{tail}",
                f"{slug}-i-{near}",
                f"{rng.choice(what)}-{near}-{tail}-{rng.choice(more)}",
            ]
        )
        links.append(made if len(made) < 200 else f"{rng.choice(what)}-{near}-{tail}")
    return html(
        slug.replace("-", " ").capitalize(),
        f"<h1>{slug.replace('-', ' ').capitalize()}</h1><p>{text}.</p>"
        + "".join(f"<li>{a(f'/uslugi/{one}', one.replace('-', ' '))}</li>" for one in links),
        "pl",
    )

"""What the sites of an outsider are made of: words in 30 languages, markup, and their own way to be drawn.

Somebody wrote 44 traps and 37 honest sites in November 2026 without a look at `scrapy_polite/traps/`, so they show
whether its rules are general. Pure functions of a URL as those of `_zoo`.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import fields
from functools import cache
from hashlib import sha1
from html import escape, unescape
from random import Random
from urllib.parse import urldefrag, urljoin

from _zoo import HTML, TRAP_PREFIX, Answer, Asked, Site
from _zoo_honest import _split

#: How many words there are of a language, small ones first.
_VOCABULARY = 4_000
_LINK = re.compile(rb"""<(?:a|area)\b[^>]*?\shref=(?:"([^"]*)"|'([^']*)')|<loc>([^<]+)</loc>""", re.IGNORECASE)


class Outsider(Site):
    """A site whose pages are drawn by the name that its author gave it, as in its first trials."""

    __slots__ = ()

    def get(self, url: str, seed: int) -> Answer:
        label = f"{TRAP_PREFIX}f-{self.name.removeprefix(TRAP_PREFIX)}" if self.trap else f"f-{self.name}"
        own = Site(label, self.page, self.start, self.trap, self.inside, hosted=self.hosted)
        return own.get(url.replace(self.domain, own.domain, 1), seed)

    def honest_pages(self, seed: int) -> set[str]:
        """As those of any site, but pages are those that answer, and a sitemap leads to them as links do."""
        home = f"http://{self.domain}/"
        pages: set[str] = set()
        reached, todo = {home}, [home]
        while todo:
            url = todo.pop()
            answer = self.get(url, seed)
            if answer.status != 200:
                continue
            pages.add(url)
            hrefs = (unescape((one or two or loc).decode()) for one, two, loc in _LINK.findall(answer.body))
            found = {urldefrag(urljoin(url, href)).url for href in hrefs} - reached
            honest = [link for link in found if self._is_own(link) and not self.inside(link)]
            reached.update(honest)
            todo += honest
        return pages


def drawn(sites: Iterable[Site]) -> list[Site]:
    """Sites as `trap` and `honest` have registered them, each as an `Outsider`."""
    return [Outsider(**{field.name: getattr(site, field.name) for field in fields(site)}) for site in sites]


# Words

#: Small words and syllables of languages.
_LANG = {
    "en": (
        "the of and to in a is that for it was on are as with his they at be this from have or by one had not but",
        "ber ing ton mer sta cor der ven lis ran pol tic man cal fer gro win sho tra ble han dle mor per sen sur",
    ),
    "de": (
        "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus",
        "ver ge ber lich stein haus wal der schaf kei ung hei ten bau rei men fahr zeug werk stel kun gen land",
    ),
    "fr": (
        "de la le et les des en un du une que est pour qui dans a par plus pas au sur ne se ce il sont avec",
        "con tion mar ché eau ren tou jou pré dé ment cha ser vil lage bon ri vière pen sé mo nu lu part eur",
    ),
    "es": (
        "de la que el en y a los se del las un por con no una su para es al lo como más o pero sus le ha",
        "ca mi no ción ta do ra men te pue blo her ma ñe ro li bra ción za pa to ver da des tres co lor",
    ),
    "pt": (
        "de a o que e do da em um para é com não uma os no se na por mais as dos como mas foi ao ele das",
        "ção ca sa men to por ta di rei lha ro si pa de cor ra ão pre ten der ju iz re cur so tri bu nal",
    ),
    "it": (
        "di e il la che in un a per è una sono con non del si da come le dei nel alla più o anche gli al",
        "can to vo ce ra ma re lo stro mes so gio ven tu pia no for te sel va zio ne men to ri go lu ce",
    ),
    "cs": (
        "a se v na je že o s z do i to k ve pro za by ale si po jako podle od jsem tak jen při jsou",
        "kni ha pra ce ví no ry chlo sta ro měs to le so hra da zá věr ka mi li on pří rod ní vě da do mov",
    ),
    "pl": (
        "w i na z się do nie to jest że o jak za od po co ale przez dla są już tylko czy tak ma jej",
        "sło wo dzie nie go rze ka mia sto przy jaź szko ła pra wo chle bem zie lo ny dro ga pta ki wie czór cie",
    ),
    "hu": (
        "a az és hogy nem is egy ez de van volt meg csak mint már azt el ha még vagy sem ki kell",
        "ház bar út szó em ber kép vá ros kö nyv fény vi rág har ang er dő szép ség te remt élet út vo nal kor",
    ),
    "tr": (
        "ve bir bu da de için ile çok o ne gibi daha var sonra kadar en ama olan her ki ya mi",
        "ka ra göz el ma su yol cu ev ler ta ba şe ker li tuz bi ber do ma tes ye mek kı zar mış pi lav tat",  # noqa: RUF001
    ),
    "fi": (
        "ja on ei se että oli hän ovat mutta kun niin myös joka sen tai jos kuin vain mitä ne nyt",
        "kau pun ki jär vi met sä puu ta lo ky lä sil ta kes ki nen pu he lin nu me ro poi ka ti lan hei",
    ),
    "sv": (
        "och i att det som en på är av för med den till inte har de ett om var men sig så från vi",
        "gård son by torp fa der mo der skog sjö lund ström berg dot ter kyr ka vat ten häl sa å ker änka",
    ),
    "no": (
        "og i det som på er av for at til med en har ikke den om et var de fra men vi seg",
        "fjord berg stad vind ned bør gra der må ned vær ski snø dal nes vik hav topp land lys mør ke",
    ),
    "da": (
        "og i at det er en til af på som med for der den ikke de har et om kan var vi men",
        "lov kapi tel stk be stem mel se ret ten skal kunne til syn an mod ning ud valg er klæ ring frist hus",
    ),
    "nl": (
        "de van het een en in is dat op te zijn met voor niet aan er om ook als door maar uit",
        "hal te straat weg plein ker k brug laan dijk hof sta tion post mo len dorp wa ter zand heu vel markt",
    ),
    "ro": (
        "de și în a la cu pe din un nu o că care este pentru mai sau au prin fi sa al lui",
        "sta dion mi nut por tar golu ri e chi pă me ci pase tre nor cam pion na vic torie re pri ză",
    ),
    "vi": (
        "và của là có trong được cho không một các với những này người đã khi từ ở về đến như",
        "nước sông núi biển làng chùa thành phố đường cây lúa trời mưa gió đá vàng xanh học sách thơ vua",
    ),
    "la": (
        "et in est ad non cum de ex per ut sed si qui quae quod hic a ab die mensis anno huius",
        "bap ti za tus fi li us le gi ti mi con iu gum pa ri no rum sa cer dos pa ro chus ec cle si ae do mi ni",
    ),
    "sk": (
        "a v sa na je že s z do o to k ako za pre po od ale si pri už len",
        "tri eda hod ina ma te ma ti ka pri ro da jazyk škol ský roz vrh uči teľ te les ná vý cho va de je pis",
    ),
    "id": (
        "yang dan di dari untuk dengan ini itu pada tidak adalah dalam akan ke oleh juga ada atau",
        "soal ja wab an ma ka nan per ta nya ka ta bu ku se ko lah gu ru u ji an pi lih ben ar sa lah",
    ),
    "el": (
        "και το να του η της με για που τον την είναι στο από ο οι θα τα δεν στην σε",  # noqa: RUF001
        "σπί τι δρό μος θά λασ σα δω μά τιο κή πος νη σί πό λη πλα τεί α οικό πε δο δια μέ ρισ μα θέα",  # noqa: RUF001
    ),
    "ru": (
        "и в не на что с он как это по но они мы все у из за от так же для вы бы",  # noqa: RUF001
        "дом ра бо та го род вре мя при ро да по езд сто ро на ве чер зна ние сло во де ре вня пись мо",  # noqa: RUF001
    ),
    "uk": (
        "і в не на що з він як це по але вони ми всі у із за від так для ви був",  # noqa: RUF001
        "пи тан ня від по відь ко мір ка про гра ма мі сто рі чка ко д по мил ка да ні сер вер мо ва час",  # noqa: RUF001
    ),
    "he": (
        "של את על לא הוא עם זה כי גם או אבל כל היא אם אני יש מה אין",
        "בית ספר דרך ים הר עיר מים לחם שמש ירח גן עץ שיר יום לילה חדש טוב קטן גדול",
    ),
    "ja": (
        "の に は を た が で て と し れ さ ある いる も する から な こと として",
        "山 川 海 空 花 森 雨 風 店 品 価 格 新 古 大 小 金 銀 鉄 木 水 火 土 東 西",
    ),
    "zh": (
        "的 是 在 了 和 有 为 以 于 与 之 其 也 而 不 中",
        "山 水 瓶 玉 金 青 铜 器 明 清 宋 唐 画 书 花 鸟 龙 凤 石 木 丝 陶",
    ),
    "ko": (
        "은 는 이 가 을 를 에 의 와 과 도 로 에서 하다 있다 그 저",
        "나 무 바 다 하 늘 사 람 집 길 물 불 산 강 책 말 꽃 별 달 시 간 마 음",
    ),
    "hi": (
        "के में की है और से का को पर यह भी नहीं एक हैं ने था तो",
        "चन्द्र सूर्य मास तिथि पक्ष दिन रात शुक्ल कृष्ण पूर्णि मा अमा वस्या ग्रह नक्षत्र",
    ),
    "th": ("และ ที่ ใน เป็น ของ มี ไม่ ได้ ให้ ว่า จะ กับ", "บ้าน เมือง น้ำ ฟ้า ดิน ลม ไฟ คน ใจ มือ ตา ทาง ป่า ทะเล ดาว วัน คืน"),
    "ar": (
        "في من على إلى عن مع هذا هذه التي الذي كان قد لا ما أن هو هي ثم",
        "كتا بيت مدي نه شار عين نهر بحر جبل سما شمس قمر ليل باب سوق",
    ),
}


@cache
def vocab(lang: str) -> list[str]:
    """The words of a language: small ones, then others that are made of its syllables."""
    small, syllables = map(_split, _LANG[lang])
    rng = Random(f"vocab{lang}")
    found = dict.fromkeys(small)
    tries = 0
    while len(found) < _VOCABULARY and tries < _VOCABULARY * 20:
        tries += 1
        found.setdefault("".join(rng.choices(syllables, k=rng.choice((1, 2, 2, 3, 3, 4)))))
    return list(found)


def words(lang: str, rng: Random, count: int) -> list[str]:
    """Words as a text has them, small ones most often."""
    known = vocab(lang)
    return [known[int(len(known) * rng.random() ** 2.5)] for _ in range(count)]


def rare(lang: str, rng: Random, count: int = 2) -> str:
    """Words as a title or a name has them."""
    known = vocab(lang)
    return " ".join(rng.choice(known[30:]) for _ in range(count))


def text(lang: str, rng: Random, count: int) -> str:
    """Sentences of so many words in all."""
    out, left = [], count
    while left > 0:
        take = min(left, rng.randint(6, 18))
        left -= take
        out.append(" ".join(words(lang, rng, take)).capitalize() + ".")
    return " ".join(out)


def slug(lang: str, rng: Random, count: int = 3) -> str:
    return "-".join(_split(rare(lang, rng, count)))


def token(rng: Random, length: int = 22) -> str:
    return "".join(rng.choices("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_", k=length))


def digest(*what: object) -> str:
    return sha1(repr(what).encode()).hexdigest()


# Markup


def anchor(href: str, told: object) -> str:
    return f'<a href="{escape(href)}">{escape(str(told))}</a>'


def ul(links: Iterable[tuple[str, object]]) -> str:
    return "<ul>" + "".join(f"<li>{anchor(href, told)}</li>" for href, told in links) + "</ul>"


def table(rows: Iterable[Iterable[object]]) -> str:
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table>{body}</table>"


def pager(base: str, page: int, last: int) -> str:
    """Links to the pages before and after a page of a list."""
    join = "&" if "?" in base else "?"
    before = anchor(f"{base}{join}page={page - 1}" if page > 2 else base, "prev") + " " if page > 1 else ""
    after = anchor(f"{base}{join}page={page + 1}", "next") if page < last else ""
    return f"<div class=pager>{before}{after}</div>"


def items(asked: Asked, lang: str, chosen: Iterable[int]) -> str:
    """Some of the site's numbered items, with their prices."""
    return "".join(
        f"<li>{rare(lang, asked.of('item', at), 3)} <b>{asked.of('pr', at).randrange(5, 900)}.90</b></li>"
        for at in chosen
    )


@cache
def _chrome(lang: str, style: int) -> tuple[str, str]:
    """What all pages begin and end with: nothing (0), as today (1), in tables (2), or more than the page itself (3)."""
    rng = Random(f"chrome{lang}{style}")
    if style == 0:
        return "", ""
    if style == 1:
        return (
            f"<header><a href='/'>{rare(lang, rng)}</a><nav><span>{rare(lang, rng)}</span></nav></header><main>",
            f"</main><footer><p>{text(lang, rng, 25)}</p><small>© 2026</small></footer>",
        )
    if style == 2:
        return (
            f"<table width=100%><tr><td bgcolor=#ccccff><a href='/'>{rare(lang, rng)}</a></td></tr><tr><td>",
            f"</td></tr></table><hr><font size=1>{text(lang, rng, 12)} Best viewed at 800x600.</font>",
        )
    return (
        (
            f"<div id=cookie>{text(lang, rng, 60)}</div><div id=top><a href='/'>{rare(lang, rng)}</a></div>"
            f"<aside>{''.join(f'<p>{text(lang, rng, 14)}</p>' for _ in range(6))}</aside><div class=content>"
        ),
        f"</div><div id=legal>{text(lang, rng, 120)}</div>",
    )


def doc(title: str, body: str, lang: str = "en", style: int = 1) -> Answer:
    top, foot = _chrome(lang, style)
    return Answer(
        200,
        HTML,
        (
            f"<!DOCTYPE html><html lang='{lang}'><head><meta charset=utf-8><title>{escape(title)}</title></head>"
            f"<body>{top}<h1>{escape(title)}</h1>{body}{foot}</body></html>"
        ).encode(),
    )


def xml(body: str) -> Answer:
    return Answer(200, {"Content-Type": "application/xml"}, f'<?xml version="1.0" encoding="UTF-8"?>{body}'.encode())


def redirect(to: str) -> Answer:
    return Answer(302, {**HTML, "Location": to}, b"")

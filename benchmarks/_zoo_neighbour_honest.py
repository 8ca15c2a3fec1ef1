"""Honest, finite sites of odd shapes, modelled on real ones that a crawl detector might take for traps, by somebody who
had not read its rules.
"""

# ruff: noqa: RUF001, E501, C901, B007, RUF059, PLC0206 - other alphabets, and many kinds of pages a site
# fmt: off

from __future__ import annotations

import math
import random as chance
import unicodedata
from datetime import date, timedelta
from hashlib import md5, sha1
from html import escape
from json import dumps
from random import Random

from _zoo import Answer, Site
from _zoo_guest_base import (
    BN,
    EL,
    EN,
    HE,
    HI,
    HU,
    JA,
    KA,
    KO,
    MN,
    PL,
    TR,
    Building,
    Lang,
    a,
    doc,
    honest,
    plain,
    slug,
    table,
    ul,
)

NEIGHBOUR_HONEST: list[Site] = []

DE = Lang("de", "der die und in den von zu das mit sich des auf für ist im dem nicht ein eine als auch es an werden aus er hat dass sie nach wird bei einer um am sind noch wie einem über Widerstand Kondensator Spannung Strom Gehäuse Toleranz Lager Lieferzeit Preis Stück Datenblatt Hersteller Leistung Temperatur bedrahtet Schicht Keramik Folie")
ES = Lang("es", "de la que el en y a los se del las un por con no una su para es al lo como más nació murió casó hijo hija padre madre abuelo bautizado parroquia villa valle Santa María Juan Pedro Antonio Josefa Manuel Francisca labrador vecino natural libro folio acta testigo legítimo viuda soltero hermano")
RU = Lang("ru", "и в не на что с по это как он она за от из у до партия турнир белые чёрные мат шах ферзь ладья слон конь пешка защита гамбит дебют ничья победа игрок мастер Москва Ленинград Киев чемпионат рейтинг раунд ход Иванов Петров Смирнов Кузнецов Соколов Попов Лебедев")
SV = Lang("sv", "och att det i en på är av för med till den som inte om ett har de från vid linje hållplats buss avgång ankomst tur vardag lördag söndag kyrka skola torg väg gata bro by berg ström sjö norra södra östra västra gamla nya stora lilla station sjukhus centrum")
CS = Lang("cs", "a v na je se že o do z s k i pro jako po teplota srážky vítr sníh tlak vlhkost stanice měsíc rok den průměr maximum minimum ráno večer hory údolí Sněžka Pec bouda les potok mlha jasno oblačno déšť bouřka mráz naměřeno záznam pozorovatel")
NL = Lang("nl", "de het een van en in is dat op te zijn met voor niet aan er om als bij uit ook naar over foto vakantie strand duin haven boot molen kerk brug dorp stad markt fiets weg noord zuid oost west kilometer afstand reis uur route snelweg trein")
FR = Lang("fr", "le la les de des et en un une que qui ne pas se pour dans ce il elle nous vous ils avec sur au aux verbe conjugaison groupe auxiliaire présent imparfait futur passé simple conditionnel subjonctif impératif participe infinitif règle exemple emploi terminaison radical exception régulier")
AR = Lang("ar", "في من إلى على أن الله الذين كان ما لا هو هم قال يا أيها الناس الأرض السماء يوم رب كل شيء عند بعد قبل ثم قد لهم به فيها نور ماء كتاب آية سورة رحمة صبر حق علم قلب نهار ليل")
ID = Lang("id", "yang dan di dari untuk dengan ini itu tidak pada adalah mereka kamu kami orang hari bumi langit Tuhan kepada telah akan oleh karena jika maka sesungguhnya segala cahaya air kitab ayat hati malam siang")
ZH = Lang("zh", "的 在 是 了 和 有 公司 股份 集团 科技 银行 证券 开盘 收盘 最高 最低 成交 涨跌 年度 季度 上海 深圳 北京 中国 东方 长江 黄河 华夏 天山 泰山 实业 能源 医药 电子 汽车 钢铁 化工 地产 食品", sep="", stop="。", order=1)
IT = Lang("it", "di e il la che in un per è una non del con le da si al come dei più ma lista messaggio risposta versione errore compilare pacchetto prova grazie ciao problema soluzione file server posta codice riga patch kernel stampa rete scheda driver salve allegato oggetto scritto qualcuno nessuno funziona")


# 1 ------------------------------------------------------------------ an electronic parts distributor
@honest(NEIGHBOUR_HONEST)
def bauteile_ohmsen(b: Building) -> None:
    nav = "<div id=top>" + a("/", "OHMSEN Bauteile") + " | " + a("/katalog", "Katalog") + " | " + a("/agb", "AGB") + "</div>"
    foot = "<div id=foot>Alle Preise zzgl. MwSt. Verpackungseinheit 5.000 St. (Rolle) bzw. 100 St. (Gurtabschnitt). Zwischenverkauf vorbehalten.</div>"
    def page(title: str, body: str) -> str:
        return doc("de", f"{title} - OHMSEN", nav + f"<h1>{title}</h1>" + body + foot)
    e12 = (10, 12, 15, 18, 22, 27, 33, 39, 47, 56, 68, 82)
    groups = [("widerstand-0603", "Ω"), ("widerstand-0805", "Ω"), ("widerstand-1206", "Ω"), ("widerstand-bedrahtet", "Ω"),
              ("kerko-0603", "pF"), ("kerko-0805", "pF"), ("folie-rm5", "nF"), ("drossel-smd", "µH")]
    def value(e: int, base: int, unit: str) -> str:
        n = base * 10 ** e / 10
        for cut, letter in ((1e6, "M"), (1e3, "k")):
            if n >= cut:
                return f"{n / cut:g} {letter}{unit}"
        return f"{n:g} {unit}"
    parts: dict[str, list[tuple[str, str, float, int, int, str]]] = {}
    for g, unit in groups:
        rng = b.of("g", g)
        parts[g] = []
        for e in range(6):
            for base in e12:
                for tol in ("1", "5"):
                    num = f"{groups.index((g, unit)) + 11}{base}{e}{tol}"
                    parts[g].append((num, value(e, base, unit), base * 10.0 ** e, rng.choice((0, rng.randrange(90000), 5000)), rng.randrange(8, 60), tol))
    sorts = {"wert": 2, "lager": 3, "preis": 4}
    def part(rng: Random, g: str, k: int) -> str:
        num, val, _, stock, price, tol = parts[g][k]
        near = [parts[g][j] for j in range(k - 3, k + 4) if j != k and 0 <= j < len(parts[g])]
        return page(f"{g.upper()} {val} ±{tol}%", table([("Bestellnr.", num), ("Wert", val), ("Toleranz", f"±{tol} %"), ("Bauform", g),
            ("Nennleistung", "0,1 W"), ("Temperaturkoeffizient", "±100 ppm/K"), ("Betriebstemperatur", "-55 … +155 °C"), ("RoHS", "ja"), ("Lagerbestand", stock),
            ("ab 100 St.", f"0,{price:03d} €"), ("ab 5.000 St.", f"0,{price * 6 // 10:03d} €")])
            + "<h3>Ähnliche Artikel</h3>" + ul(a(f"/artikel/{p[0]}", f"{p[1]} ±{p[5]}%") for p in near) + a(f"/katalog/{g}", "zurück zur Liste"))
    def listing(rng: Random, g: str, sort: str, turn: str, tol: str, p: int) -> str:
        rows = [x for x in parts[g] if not tol or x[5] == tol]
        if sort:
            rows = sorted(rows, key=lambda x: x[sorts[sort]], reverse=turn == "ab")
        def url(**new: object) -> str:
            of = {"tol": tol, "sort": sort, "dir": turn, "p": p, **new}
            query = "&".join(f"{k}={v}" for k, v in of.items() if v and (k, v) != ("p", 1))
            return f"/katalog/{g}" + ("?" + query if query else "")
        head = ["Nr.", *(a(url(sort=s, dir="ab" if (sort, turn) == (s, "auf") else "auf", p=1), s.title()) for s in sorts), "Tol."]
        n = math.ceil(len(rows) / 25)
        facets = "Toleranz: " + " ".join(a(url(tol=t, p=1), f"±{t} %" if t else "alle") for t in ("", "1", "5"))
        return page(g.title(), facets + table([(a(f"/artikel/{x[0]}", x[0]), x[1], x[3], f"0,{x[4]:03d}", x[5]) for x in rows[25 * p - 25:25 * p]], head)
            + " ".join(a(url(p=i), i) for i in range(1, n + 1)))
    b.put("/", lambda rng: page("Bauteile für Industrie und Hobby", f"<p>{DE.prose(rng, 4)}</p>" + a("/katalog", "Zum Katalog")))
    b.put("/agb", lambda rng: page("AGB", DE.paras(rng, 8)))
    b.put("/katalog", lambda rng: page("Katalog", ul(a(f"/katalog/{g}", g) for g, _ in groups)))
    for g, _ in groups:
        for k in range(len(parts[g])):
            b.put(f"/artikel/{parts[g][k][0]}", part, g, k)
        for tol in ("", "1", "5"):
            for sort, turn in [("", ""), *((s, t) for s in sorts for t in ("auf", "ab"))]:
                for p in range(1, math.ceil(sum(1 for x in parts[g] if not tol or x[5] == tol) / 25) + 1):
                    query = "&".join(f"{k}={v}" for k, v in (("tol", tol), ("sort", sort), ("dir", turn), ("p", p)) if v and (k, v) != ("p", 1))
                    b.put(f"/katalog/{g}" + ("?" + query if query else ""), listing, g, sort, turn, tol, p)


# 2 ------------------------------------------------------------------ a family tree: the living are withheld
@honest(NEIGHBOUR_HONEST)
def genealogia_valdehoz(b: Building) -> None:
    rng = b.of("people")
    given_m = ["Juan", "Pedro", "Antonio", "Manuel", "José", "Francisco", "Tomás", "Diego", "Andrés", "Felipe", "Mateo", "Lucas"]
    given_f = ["María", "Josefa", "Francisca", "Isabel", "Ana", "Catalina", "Teresa", "Lucía", "Juana", "Rosa", "Inés", "Marta"]
    people: list[dict[str, object]] = []
    fams: list[dict[str, object]] = []
    def person(sex: str, born: int, surname: str, fam: int | None) -> int:
        people.append({"sex": sex, "born": born, "name": f"{rng.choice(given_m if sex == 'M' else given_f)} {surname}", "famc": fam, "fams": [], "died": born + rng.randrange(1, 88)})
        return len(people) - 1
    todo = [person("M", 1690 + 5 * i, rng.choice(ES.made).capitalize(), None) for i in range(8)]
    while todo and len(people) < 1050:
        i = todo.pop(0)
        if people[i]["sex"] == "F" and rng.random() < 0.5:
            continue
        other = person("F" if people[i]["sex"] == "M" else "M", int(people[i]["born"]) + rng.randrange(-3, 6), rng.choice(ES.made).capitalize(), None)
        fams.append({"a": i, "b": other, "kids": []})
        f = len(fams) - 1
        people[i]["fams"].append(f)
        people[other]["fams"].append(f)
        for _ in range(rng.randrange(1, 6)):
            born = int(people[i]["born"]) + rng.randrange(21, 40)
            if born < 2015:
                kid = person(rng.choice("MF"), born, str(people[i]["name"]).split()[-1], f)
                fams[f]["kids"].append(kid)
                todo.append(kid)
    def link(i: int) -> str:
        dead = int(people[i]["born"]) < 1925
        return a(f"individual.php?pid=I{i + 1}&ged=valdehoz", people[i]["name"] if dead else "Privado") + (f" ({people[i]['born']}–{people[i]['died']})" if dead else "")
    def page(title: str, body: str) -> str:
        return doc("es", f"{title} - Árbol Valdehoz", '<table class="menu"><tr><td><a href="/">Inicio</a><td><a href="indilist.php?ged=valdehoz">Personas</a><td><a href="famlist.php?ged=valdehoz">Familias</a></table>'
             f"<h2>{title}</h2>" + body + "<hr><small>PhpGedView 4.2 – Para cualquier duda contacte con el responsable del árbol.</small>")
    def indi(rng: Random, i: int) -> str:
        p = people[i]
        tabs = a(f"pedigree.php?rootid=I{i + 1}&ged=valdehoz", "Árbol de antepasados") + " " + a(f"descendancy.php?pid=I{i + 1}&ged=valdehoz", "Descendientes")
        kin = ""
        if p["famc"] is not None:
            f = fams[int(p["famc"])]
            kin += "<h3>Padres</h3>" + link(int(f["a"])) + "<br>" + link(int(f["b"])) + "<br>Hermanos: " + ", ".join(link(k) for k in f["kids"] if k != i)
        for n in p["fams"]:
            f = fams[n]
            kin += f"<h3>{a(f'family.php?famid=F{n + 1}&ged=valdehoz', 'Familia')}</h3>" + link(int(f["b"] if f["a"] == i else f["a"])) + ul(link(k) for k in f["kids"])
        if int(p["born"]) >= 1925:
            return page("Privado", tabs + "<p>Los detalles de esta persona son privados.</p>" + kin)
        facts = table([("Nacimiento", f"{rng.randrange(1, 29)} {rng.choice(['ENE', 'FEB', 'MAR', 'ABR', 'MAY', 'JUN', 'JUL'])} {p['born']}"), ("Defunción", p["died"]), ("Sexo", p["sex"])])
        return page(str(p["name"]), tabs + facts + kin + (f"<p>{ES.prose(rng, 2)}</p>" if rng.random() < 0.2 else ""))
    def family(rng: Random, n: int) -> str:
        f = fams[n]
        return page("Familia", table([("Esposo", link(int(f["a"]))), ("Esposa", link(int(f["b"])))]) + ul(link(k) for k in f["kids"]))
    def pedigree(rng: Random, i: int) -> str:
        def up(i: int, n: int) -> str:
            c = people[i]["famc"]
            return link(i) + (ul([up(int(fams[c]["a"]), n - 1), up(int(fams[c]["b"]), n - 1)]) if n and c is not None else "")
        return page("Árbol de antepasados", up(i, 4))
    def down(rng: Random, i: int) -> str:
        def of(i: int, n: int) -> str:
            return link(i) + "".join(ul(of(k, n - 1) for k in fams[f]["kids"]) for f in people[i]["fams"] if n)
        return page("Descendientes", of(i, 2))
    b.put("/", lambda rng: page("Bienvenidos", f"<p>{ES.prose(rng, 5)}</p>Persona principal: {link(0)}"))
    b.put("/indilist.php?ged=valdehoz", lambda rng: page("Personas", " ".join(a(f"indilist.php?alpha={c}&ged=valdehoz", c) for c in sorted({str(p["name"])[0] for p in people}))))
    for c in sorted({str(p["name"])[0] for p in people}):
        b.put(f"/indilist.php?alpha={c}&ged=valdehoz", lambda rng, c: page(f"Personas: {c}", ul(link(i) for i, p in enumerate(people) if str(p["name"])[0] == c)), c)
    b.put("/famlist.php?ged=valdehoz", lambda rng: page("Familias", ul(a(f"family.php?famid=F{n + 1}&ged=valdehoz", f"F{n + 1}") for n in range(len(fams)))))
    for i in range(len(people)):
        b.put(f"/individual.php?pid=I{i + 1}&ged=valdehoz", indi, i)
        b.put(f"/pedigree.php?rootid=I{i + 1}&ged=valdehoz", pedigree, i)
        b.put(f"/descendancy.php?pid=I{i + 1}&ged=valdehoz", down, i)
    for n in range(len(fams)):
        b.put(f"/family.php?famid=F{n + 1}&ged=valdehoz", family, n)


# 3 ------------------------------------------------------------------ chess: games, and an explorer of moves as deep paths
@honest(NEIGHBOUR_HONEST)
def shahmaty_baza(b: Building) -> None:
    rng = b.of("games")
    moves = ["e4", "e5", "d4", "d5", "Nf3", "Nc6", "Nf6", "c4", "c5", "Bb5", "a6", "Ba4", "g6", "Bg7", "O-O", "Be7", "e6", "b6", "Bb7", "Nc3", "Ng1", "Ng8", "Re1", "h3", "Bc4"]
    players = [f"{RU.rare(rng).capitalize()} {rng.choice('АБВГДИКМНПС')}." for _ in range(70)]
    games: list[tuple[int, int, int, str, list[str]]] = []
    for _ in range(900):
        line: list[str] = []
        for d in range(rng.randrange(24, 70)):
            among = Random(f"{line[:6]}").sample(moves, 4) if d < 14 else moves
            line.append(among[int(4 * rng.random() ** 2.6)] if d < 14 else rng.choice(moves))
        games.append((*rng.sample(range(70), 2), rng.randrange(1946, 1992), rng.choice(("1-0", "0-1", "½-½")), line))
    tree: dict[tuple[str, ...], list[int]] = {}
    for n, g in enumerate(games):
        for d in range(13):
            tree.setdefault(tuple(g[4][:d]), []).append(n)
    kept = {k: v for k, v in tree.items() if len(v) > 1 or not k}
    def page(title: str, body: str) -> str:
        return doc("ru", title, "<header>" + a("/", "База партий") + " · " + a("/explorer", "Дебютное дерево") + " · " + a("/players", "Игроки") + f"</header><h1>{title}</h1>{body}<footer>Обновляется по пятницам</footer>")
    def line_of(n: int) -> str:
        w, z, y, r, _ = games[n]
        return a(f"/game/{n + 1}", f"{players[w]} – {players[z]}, {y}") + f" {r}"
    def node(rng: Random, k: tuple[str, ...]) -> str:
        nexts = sorted({m for m in (games[n][4][len(k)] for n in kept[k]) if (*k, m) in kept}) if len(k) < 12 else []
        rows = [(a("/explorer/" + "/".join((*k, m)), m), len(kept[(*k, m)])) for m in nexts]
        crumbs = " ".join(a("/explorer/" + "/".join(k[:i + 1]), m) for i, m in enumerate(k))
        return page("Позиция после " + (k[-1] if k else "начала"), crumbs + table(rows, ("ход", "партий")) + ul(line_of(n) for n in kept[k][:6]))
    def game(rng: Random, n: int) -> str:
        w, z, y, r, line = games[n]
        text = " ".join((f"{i // 2 + 1}. " if i % 2 == 0 else "") + m for i, m in enumerate(line))
        opening = max((k for k in (tuple(line[:d]) for d in range(13)) if k in kept), key=len)
        return page(f"{players[w]} – {players[z]}", f"<p>{y}, {r}</p><p class=pgn>{text} {r}</p>" + a("/explorer/" + "/".join(opening) if opening else "/explorer", "дебют") + " "
            + a(f"/player/{w}", players[w]) + " " + a(f"/player/{z}", players[z]) + (" " + a(f"/game/{n}", "←") if n else "") + (" " + a(f"/game/{n + 2}", "→") if n < 899 else ""))
    b.put("/", lambda rng: page("База партий", f"<p>{RU.prose(rng, 3)}</p>" + ul(line_of(n) for n in range(0, 900, 60))))
    b.put("/players", lambda rng: page("Игроки", ul(a(f"/player/{i}", x) for i, x in enumerate(players))))
    for i, x in enumerate(players):
        b.put(f"/player/{i}", lambda rng, i, x: page(x, ul(line_of(n) for n, g in enumerate(games) if i in g[:2])), i, x)
    for k in kept:
        b.put("/explorer/" + "/".join(k) if k else "/explorer", node, k)
    for n in range(900):
        b.put(f"/game/{n + 1}", game, n)


# 4 ------------------------------------------------------------------ a bus operator: stops, lines, kinds of days
@honest(NEIGHBOUR_HONEST)
def norrbuss_tabell(b: Building) -> None:
    rng = b.of("net")
    stops = [SV.name(rng, 1) + rng.choice((" skola", " kyrka", " torg", " väg", " bro", "berg", " norra", "")) for _ in range(230)]
    lines = {str(n): rng.sample(range(230), rng.randrange(12, 26)) for n in (1, 2, 3, 4, 5, 8, 11, 12, 14, 21, 22, 31, 35, 46, 50, 61, 73, 100)}
    missing = set(range(230)) - {s for at in lines.values() for s in at}
    lines["100"] += sorted(missing)
    days = (("mf", "Måndag–fredag"), ("lo", "Lördag"), ("so", "Söndag"))
    def page(title: str, body: str) -> str:
        return doc("sv", f"{title} | Norrbuss", f'<div class=head><a href="/"><img src="/logo.gif" alt="Norrbuss"></a> <a href="/linjer">Linjer</a> <a href="/hallplatser">Hållplatser</a> <a href="/priser">Priser</a></div><h1>{title}</h1>{body}'
            "<div class=foot>Tabellen gäller 10/12–15/6. Avvikelser kan förekomma vid helgdagar. Norrbuss AB, Box 110, 971 04 Luleå. Kundtjänst 0920-555 01.</div>")
    def times(line: str, stop: int, way: int, day: str) -> str:
        first = b.of("t", line, way, day).randrange(300, 400) + 2 * lines[line].index(stop)
        step = {"mf": 30, "lo": 60, "so": 120}[day]
        return table([(f"{h:02d}", " ".join(f"{m % 60:02d}" for m in range(first, 1380, step) if m // 60 == h)) for h in range(5, 23)], ("tim", "min"))
    def stop_page(rng: Random, s: int) -> str:
        return page(stops[s], ul(f"Linje {n} " + " ".join(a(f"/tabell?hpl={s + 4000}&linje={n}&rikt={w}&dag={d}", f"rikt {w} {d}") for w in (1, 2) for d, _ in days) for n in lines if s in lines[n]))
    def sheet(rng: Random, s: int, n: str, w: int, d: str) -> str:
        at = lines[n][::1 if w == 1 else -1]
        i = at.index(s)
        near = [a(f"/tabell?hpl={at[j] + 4000}&linje={n}&rikt={w}&dag={d}", f"{'◄►'[j > i]} {stops[at[j]]}") for j in (i - 1, i + 1) if 0 <= j < len(at)]
        return page(f"{stops[s]} linje {n} mot {stops[at[-1]]}", f"<h2>{dict(days)[d]}</h2>" + times(n, s, w, d) + " ".join(near) + "<br>" + " ".join(a(f"/tabell?hpl={s + 4000}&linje={n}&rikt={w}&dag={x}", y) for x, y in days)
            + " " + a(f"/hallplats/{s + 4000}", "alla linjer"))
    b.put("/", lambda rng: page("Välkommen", f"<p>{SV.prose(rng, 3)}</p>"))
    b.put("/priser", lambda rng: page("Priser", SV.paras(rng, 2)))
    b.put("/linjer", lambda rng: page("Linjer", ul(a(f"/linje/{n}", f"Linje {n}") for n in lines)))
    b.put("/hallplatser", lambda rng: page("Hållplatser", ul(a(f"/hallplats/{s + 4000}", x) for s, x in sorted(enumerate(stops), key=lambda x: x[1]))))
    for n, at in lines.items():
        b.put(f"/linje/{n}", lambda rng, n, at: page(f"Linje {n}", ul(a(f"/hallplats/{s + 4000}", stops[s]) for s in at)), n, at)
        for s in at:
            for w in (1, 2):
                for d, _ in days:
                    b.put(f"/tabell?hpl={s + 4000}&linje={n}&rikt={w}&dag={d}", sheet, s, n, w, d)
    for s in range(230):
        b.put(f"/hallplats/{s + 4000}", stop_page, s)


# 5 ------------------------------------------------------------------ a court's register: hardly a word differs
@honest(NEIGHBOUR_HONEST)
def nyayalaya_suchi(b: Building) -> None:
    kinds = (("CS", "दीवानी वाद"), ("CC", "आपराधिक वाद"), ("MACT", "मोटर दुर्घटना दावा"), ("HMA", "विवाह याचिका"))
    cases = [(k, y, n) for k, _ in kinds for y in range(2009, 2015) for n in range(1, b.of(k, y).randrange(55, 120))]
    def page(title: str, body: str) -> str:
        return doc("hi", title, f'<center><h3>जिला एवं सत्र न्यायालय, रामपुर</h3><a href="/">मुख पृष्ठ</a> | <a href="/help.html">सहायता</a></center><hr>{body}<hr><p>यह सूचना केवल जानकारी हेतु है तथा प्रमाणित प्रति का स्थान नहीं ले सकती। न्यायालय किसी त्रुटि के लिए उत्तरदायी नहीं होगा।</p>')
    def case(rng: Random, i: int) -> str:
        k, y, n = cases[i]
        d = date(y, 1, 1) + timedelta(3 * n)
        who = rng.choice(("राज्य", f"{HI.rare(rng)}", f"{HI.rare(rng)} बैंक"))
        rows = [("वाद प्रकार", dict(kinds)[k]), ("वाद संख्या", f"{n}/{y}"), ("दाखिल दिनांक", d.strftime("%d-%m-%Y")), ("वादी", who), ("प्रतिवादी", HI.rare(rng)),
                ("न्यायालय कक्ष", rng.randrange(1, 9)), ("स्थिति", rng.choice(("निस्तारित", "लंबित", "निस्तारित"))), ("अगली तिथि", (d + timedelta(rng.randrange(300))).strftime("%d-%m-%Y"))]
        near = [a(f"/cgi-bin/case.cgi?type={c[0]}&year={c[1]}&no={c[2]}", t) for j, t in ((i - 1, "पिछला"), (i + 1, "अगला")) if 0 <= j < len(cases) for c in [cases[j]]]
        return page("वाद की स्थिति", table(rows) + " ".join(near) + " " + a(f"/cgi-bin/list.cgi?type={k}&year={y}", "सूची"))
    b.put("/", lambda rng: page("न्यायालय", f"<p>{HI.prose(rng, 3)}</p>" + ul(f"{t}: " + " ".join(a(f"/cgi-bin/list.cgi?type={k}&year={y}", y) for y in range(2009, 2015)) for k, t in kinds)))
    b.put("/help.html", lambda rng: page("सहायता", HI.paras(rng, 3)))
    for k, _ in kinds:
        for y in range(2009, 2015):
            b.put(f"/cgi-bin/list.cgi?type={k}&year={y}", lambda rng, k, y: page("सूची", ul(a(f"/cgi-bin/case.cgi?type={k}&year={y}&no={n}", f"{k}/{n}/{y}") for c, z, n in cases if (c, z) == (k, y))), k, y)
    for i, (k, y, n) in enumerate(cases):
        b.put(f"/cgi-bin/case.cgi?type={k}&year={y}&no={n}", case, i)


# 6 ------------------------------------------------------------------ a weather station: three figures a day for eight years
@honest(NEIGHBOUR_HONEST)
def stanice_pecbouda(b: Building) -> None:
    first, n = date(2004, 1, 1), 2922
    names = ["leden", "únor", "březen", "duben", "květen", "červen", "červenec", "srpen", "září", "říjen", "listopad", "prosinec"]
    def page(title: str, body: str) -> str:
        return doc("cs", f"Meteostanice Pecbouda – {title}", f'<h1>Meteostanice Pecbouda (1 316 m n. m.)</h1><p><a href="index.php?datum=2011-12-31">nejnovější</a> <a href="/roky.php">archiv</a></p><h2>{title}</h2>{body}<address>pozorovatel J. K.</address>')
    def of(d: date) -> tuple[str, str, str]:
        rng = b.of(d)
        t = 4 - 10 * math.cos((d.timetuple().tm_yday - 20) / 58.1) + rng.gauss(0, 4)
        return f"{t:.1f}", f"{max(0, rng.gauss(0, 6)):.1f}", f"{885 + rng.gauss(0, 7):.1f}"
    def day(rng: Random, d: date) -> str:
        t, r, p = of(d)
        near = [a(f"index.php?datum={x}", text) for x, text in ((d - timedelta(1), "předchozí den"), (d + timedelta(1), "následující den")) if first <= x < first + timedelta(n)]
        for back, text in ((d.month == 1, "« měsíc"),):
            near.append(a(f"/mesic.php?m={d:%Y-%m}", f"{names[d.month - 1]} {d.year}"))
        return page(f"{d.day}. {d.month}. {d.year}", table([("Teplota 7 h", f"{t} °C"), ("Srážky", f"{r} mm"), ("Tlak", f"{p} hPa")]) + " | ".join(near))
    def month(rng: Random, y: int, m: int) -> str:
        days = [d for i in range(31) if (d := date(y, m, 1) + timedelta(i)).month == m]
        near = [a(f"/mesic.php?m={z:04d}-{k:02d}", f"{k}/{z}") for z, k in ((y - (m == 1), (m - 2) % 12 + 1), (y + (m == 12), m % 12 + 1)) if 2004 <= z <= 2011]
        return page(f"{names[m - 1]} {y}", table([(a(f"/index.php?datum={d}", d.day), *of(d)) for d in days], ("den", "°C", "mm", "hPa")) + " | ".join(near))
    b.put("/", lambda rng: page("Vítejte", f"<p>{CS.prose(rng, 4)}</p>"))
    b.put("/roky.php", lambda rng: page("Archiv", table([(y, *(a(f"/mesic.php?m={y}-{m:02d}", m) for m in range(1, 13))) for y in range(2004, 2012)])))
    for y in range(2004, 2012):
        for m in range(1, 13):
            b.put(f"/mesic.php?m={y}-{m:02d}", month, y, m)
    for i in range(n):
        b.put(f"/index.php?datum={first + timedelta(i)}", day, first + timedelta(i))


# 7 ------------------------------------------------------------------ an lcov report: each table in several orders
@honest(NEIGHBOUR_HONEST)
def coverage_libvorn(b: Building) -> None:
    rng = b.of("tree")
    stems = [EN.rare(rng).lower() for _ in range(400)]
    dirs = {d: sorted({rng.choice(stems) + rng.choice((".c", ".c", ".h")) for _ in range(rng.randrange(4, 24))}) for d in
            ["src", "include/vorn", "src/io", "src/net", "src/net/tls", "src/util", "src/util/hash", "src/parse", "src/parse/json", "src/parse/xml", "src/core", "src/core/alloc", "test", "test/unit", "test/net",
             *(f"src/plugins/{x}" for x in stems[:26])]}
    def page(at: str, up: str, where: str, body: str) -> str:
        rows = table([("Current view:", where), ("Test:", "libvorn-2.4.1.info"), ("Date:", "2019-03-14 02:11:40")])
        return ('<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01 Transitional//EN">\n' + f'<html lang="en"><head><meta http-equiv="Content-Type" content="text/html; charset=UTF-8"><title>LCOV - libvorn-2.4.1.info{at}</title><link rel="stylesheet" type="text/css" href="{up}gcov.css"></head>'
            f'<body><table width="100%"><tr><td class="title">LCOV - code coverage report</td></tr></table>{rows}<center>{body}</center><table><tr><td class="versionInfo">Generated by: <b>LCOV version 1.13</b></td></tr></table></body></html>')
    def rate(*what: object) -> tuple[int, int, int, int]:
        r = b.of("rate", what)
        n, f = r.randrange(20, 900), r.randrange(1, 40)
        return int(n * r.random() ** 0.4), n, int(f * r.random() ** 0.4), f
    orders = {"": lambda x: str(x[0]), "-sort-l": lambda x: x[1][0] / x[1][1], "-sort-f": lambda x: x[1][2] / x[1][3]}
    def index(rng: Random, d: str, order: str) -> str:
        names = dirs[d] if d else list(dirs)
        rows = sorted(((n, rate(d, n)) for n in names), key=orders[order])
        up = "../" * (d.count("/") + 1) if d else ""
        head = [f'{t} <a href="index{o}.html"><img src="{up}updown.png" alt="Sort by {t}"></a>' for t, o in (("Filename" if d else "Directory", ""), ("Line Coverage", "-sort-l"), ("Functions", "-sort-f"))]
        return page(f" - {d}" if d else "", up, f'<a href="{up}index.html">top level</a> - {d}' if d else "top level",
            table([(a(f"{n}.gcov.html" if d else f"{n}/index.html", n), f"{100 * r[0] / r[1]:.1f} % {r[0]} / {r[1]}", f"{100 * r[2] / r[3]:.1f} % {r[2]} / {r[3]}") for n, r in rows], head))
    def where(d: str, f: str, this: str) -> str:
        up = "../" * (d.count("/") + 1)
        views = (("gcov", "source"), ("func", "functions"))
        return f'<a href="{up}index.html">top level</a> - <a href="index.html">{d}</a> - {f} (' + " / ".join(t if v == this else f'<a href="{f}.{v}.html">{t}</a>' for v, t in views) + ")"
    def source(rng: Random, d: str, f: str) -> str:
        out = []
        for i in range(1, rng.randrange(25, 90)):
            s = rng.choice(("", "{", "}", f"    int {rng.choice(stems)} = {rng.randrange(99)};", f"    if ({rng.choice(stems)} == NULL)", "        return -1;", f"    {rng.choice(stems)}_{rng.choice(stems)}(ctx);", f"static int {rng.choice(stems)}(struct ctx *ctx)", "/* */"))
            hit = f"{rng.choice((0, 1, rng.randrange(9999))):>10}" if s.endswith(";") else " " * 10
            out.append(f'<a name="{i}"><span class="lineNum">{i:8} </span></a>{hit} : {escape(s)}')
        return page(f" - {d}/{f}", "../" * (d.count("/") + 1), where(d, f, "gcov"), "<pre class=source>" + "\n".join(out) + "</pre>")
    def funcs(rng: Random, d: str, f: str, by: str) -> str:
        r = b.of("fn", d, f)
        rows = [(f"{r.choice(stems)}_{r.choice(stems)}", r.choice((0, r.randrange(4000)))) for _ in range(r.randrange(1, 18))]
        rows.sort(key=lambda x: x[1] if by else x[0])
        return page(f" - {d}/{f} - functions", "../" * (d.count("/") + 1), where(d, f, "func"), table([(a(f"{f}.gcov.html", n), k) for n, k in rows], (a(f"{f}.func.html", "Function Name"), a(f"{f}.func-sort-c.html", "Hit count"))))
    b.put("/", index, "", "")
    for o in orders:
        b.put(f"/index{o}.html", index, "", o)
        for d in dirs:
            b.put(f"/{d}/index{o}.html", index, d, o)
    for d, files in dirs.items():
        for f in files:
            b.put(f"/{d}/{f}.gcov.html", source, d, f)
            b.put(f"/{d}/{f}.func.html", funcs, d, f, "")
            b.put(f"/{d}/{f}.func-sort-c.html", funcs, d, f, "c")


# 8 ------------------------------------------------------------------ a gallery: one long chain of slides, no index
@honest(NEIGHBOUR_HONEST)
def fotos_fam_dekker(b: Building) -> None:
    rng = b.of("albums")
    albums, number = [], 1043
    for y in range(2003, 2011):
        for what in ("zomer", "kerst", "strand"):
            files = []
            for _ in range(rng.randrange(28, 75)):
                number += rng.choice((1, 1, 1, 1, 2, 5))
                files.append(f"DSC{number:05d}")
            albums.append((f"{what}{y}", files))
    def slide(rng: Random, at: int, i: int) -> str:
        d, files = albums[at]
        near = (f'<a href="{files[i - 1]}.html"><img src="../res/prev.gif" border=0></a> ' if i else "") + '<a href="../../index.html"><img src="../res/up.gif" border=0></a>' + (f' <a href="{files[i + 1]}.html"><img src="../res/next.gif" border=0></a>' if i + 1 < len(files) else "")
        if i + 1 == len(files) and at + 1 < len(albums):
            near += f' <a href="../../{albums[at + 1][0]}/slides/{albums[at + 1][1][0]}.html">volgend album</a>'
        return f'<html><head><title>{files[i]}</title><meta name=generator content="JAlbum 5.1"></head><body bgcolor=black><center>{near}<br><img src="{files[i]}.JPG" width=800 height=600><br><small>{files[i]}.JPG</small></center></body></html>'
    def home(rng: Random) -> str:
        return doc("nl", "Foto's familie Dekker", f"<h1>Onze foto's</h1><p>{NL.prose(rng, 2)}</p>" + a(f"/{albums[0][0]}/slides/{albums[0][1][0]}.html", "Begin hier"))
    b.put("/", home)
    b.put("/index.html", home)
    for at, (d, files) in enumerate(albums):
        for i, f in enumerate(files):
            b.put(f"/{d}/slides/{f}.html", slide, at, i)


# 9 ------------------------------------------------------------------ a web comic: 2,500 pages of an image
@honest(NEIGHBOUR_HONEST)
def marmot_comic(b: Building) -> None:
    last = 2500
    def strip(rng: Random, n: int) -> str:
        first = f'<a href="/comic/1">|&lt;</a> <a href="/comic/{n - 1}">&lt; Prev</a>' if n > 1 else "|&lt; &lt; Prev"
        after = f'<a href="/comic/{n + 1}">Next &gt;</a> <a href="/">&gt;|</a>' if n < last else "Next &gt; &gt;|"
        file = md5(f"{b.seed}{n}".encode()).hexdigest()[:8] if n > 1300 else f"{date(2001, 2, 5) + timedelta(n * 2):%Y%m%d}"
        return doc("en", "Marmot &amp; Co.", f'<div id="wrap"><a href="/"><img src="/images/banner.png" alt="Marmot &amp; Co."></a><div id="nav">{first} <a href="/archive">Archive</a> {after}</div><img id="strip" src="/strips/{file}.png" alt=""><div id="nav2">{first} {after}</div><p>Updates Monday, Wednesday, Friday. &copy; the marmot</p></div>')
    b.put("/", strip, last)
    b.put("/archive", lambda rng: doc("en", "Archive", "<h1>Archive</h1>" + ul(a(f"/comic/{n}", f"Chapter {i}: {EN.title(rng, 2)}") for i, n in enumerate(range(1, last, 180), 1))))
    for n in range(1, last + 1):
        b.put(f"/comic/{n}", strip, n)


# 10 ----------------------------------------------------------------- a holy book: each verse in six languages, and compared
@honest(NEIGHBOUR_HONEST)
def kitab_almawaz(b: Building) -> None:
    langs = {"ar": (AR, "العربية"), "en": (EN, "English"), "fr": (FR, "Français"), "id": (ID, "Indonesia"), "ru": (RU, "Русский"), "tr": (TR, "Türkçe")}
    lengths = [7, *(b.of("len").randrange(12, 70) for _ in range(1)), *(b.of("len", c).randrange(8, 75) for c in range(26))]
    def verse(lang: str, c: int, v: int) -> str:
        return langs[lang][0].sent(b.of("verse", lang, c, v))
    def page(lang: str, title: str, body: str) -> str:
        return doc(lang, title, '<nav class="bar">' + " ".join(a(f"/{x}", t) for x, (_, t) in langs.items()) + f'</nav><h1>{title}</h1>{body}<footer><a href="/about">?</a></footer>', rtl=lang == "ar")
    def one(rng: Random, lang: str, c: int, v: int) -> str:
        near = [a(f"/{lang}/{c}/{w}", f"{c}:{w}") for w in (v - 1, v + 1) if 1 <= w <= lengths[c - 1]]
        if v == lengths[c - 1] and c < len(lengths):
            near.append(a(f"/{lang}/{c + 1}/1", f"{c + 1}:1"))
        return page(lang, f"{c}:{v}", f"<blockquote>{verse(lang, c, v)}</blockquote>" + " · ".join(near) + "<p>" + " ".join(a(f"/{x}/{c}/{v}", t) for x, (_, t) in langs.items() if x != lang) + " " + a(f"/compare/{c}/{v}", "≡") + " " + a(f"/{lang}/{c}", "↑") + "</p>")
    def compare(rng: Random, c: int, v: int) -> str:
        return page("en", f"{c}:{v} ≡", table([(a(f"/{x}/{c}/{v}", t), verse(x, c, v)) for x, (_, t) in langs.items()]) + " ".join(a(f"/compare/{c}/{w}", f"{c}:{w}") for w in (v - 1, v + 1) if 1 <= w <= lengths[c - 1]))
    b.put("/", lambda rng: page("en", "Al-Mawāʿiẓ", f"<p>{EN.prose(rng, 3)}</p>"))
    b.put("/about", lambda rng: page("en", "About", EN.paras(rng, 3)))
    for x in langs:
        b.put(f"/{x}", lambda rng, x: page(x, langs[x][1], ul(a(f"/{x}/{c}", f"{c} ({n})") for c, n in enumerate(lengths, 1))), x)
        for c, n in enumerate(lengths, 1):
            b.put(f"/{x}/{c}", lambda rng, x, c, n: page(x, f"{c}", "".join(f"<p>{a(f'/{x}/{c}/{v}', v)} {verse(x, c, v)}</p>" for v in range(1, n + 1))), x, c, n)
            for v in range(1, n + 1):
                b.put(f"/{x}/{c}/{v}", one, x, c, v)
    for c, n in enumerate(lengths, 1):
        for v in range(1, n + 1):
            b.put(f"/compare/{c}/{v}", compare, c, v)


# 11 ----------------------------------------------------------------- verbs, each in up to twelve variants of its tables
@honest(NEIGHBOUR_HONEST)
def conjugaison_claire(b: Building) -> None:
    rng = b.of("verbs")
    stems = sorted({w for w in FR.made if w.isalpha() and w[-1] not in "aeiouyéèêà" and 2 < len(w) < 9})
    verbs = sorted(s + "er" for s in rng.sample(stems, min(230, len(stems))))
    letters = sorted({v[0] for v in verbs})
    forms = {"": "", "feminin": "au féminin", "voix-passive": "à la voix passive", "negation": "à la forme négative", "question": "à la forme interrogative", "question-negation": "à la forme interro-négative",
             "voix-passive_feminin": "à la voix passive, au féminin", "voix-passive_negation": "à la voix passive, forme négative", "pronominal": "pronominal"}
    tenses = {"Présent": "e es e ons ez ent", "Imparfait": "ais ais ait ions iez aient", "Futur simple": "erai eras era erons erez eront", "Conditionnel": "erais erais erait erions eriez eraient", "Subjonctif": "e es e ions iez ent", "Passé simple": "ai as a âmes âtes èrent"}
    etre = ["suis", "es", "est", "sommes", "êtes", "sont"]
    def path(v: str, f: str) -> str:
        return f"/conjugaison/verbe/{v}{'_' + f if f else ''}.html"
    def page(title: str, body: str) -> str:
        return doc("fr", title, '<div id="entete"><a href="/">Conjugaison Claire</a> ' + " ".join(a(f"/conjugaison/lettre-{x}.html", x.upper()) for x in letters) + f"</div><h1>{title}</h1>{body}<p class=pied>Conjugaison Claire - tous les verbes à tous les temps. Mentions légales.</p>")
    def verb(rng: Random, v: str, f: str) -> str:
        who = ["je", "tu", "elle" if "feminin" in f else "il", "nous", "vous", "elles" if "feminin" in f else "ils"]
        out = []
        for t, ends in tenses.items():
            rows = []
            for i, (w, e) in enumerate(zip(who, ends.split(), strict=True)):
                x = v[:-2] + e
                if "passive" in f:
                    x = etre[i] + " " + v[:-2] + "é" + ("e" if "feminin" in f else "") + ("s" if i > 2 else "")
                if f == "pronominal":
                    x = ["me", "te", "se", "nous", "vous", "se"][i] + " " + x
                if "question" in f:
                    rows.append(f"{'ne ' if 'negation' in f else ''}{x}-{w}{' pas' if 'negation' in f else ''} ?")
                else:
                    rows.append(f"{w} {'ne ' if 'negation' in f else ''}{x}{' pas' if 'negation' in f else ''}")
            out.append(f"<h3>{t}</h3>" + "<br>".join(rows))
        k = verbs.index(v)
        return page(f"Verbe {v} {forms[f]}", "".join(out) + "<h3>Autres formes</h3>" + " | ".join(a(path(v, g), g or v) for g in forms if g != f) + "<p>" + " ".join(a(path(w, f), w) for w in verbs[max(0, k - 2):k + 3] if w != v) + "</p>")
    b.put("/", lambda rng: page("Conjugaison Claire", f"<p>{FR.prose(rng, 4)}</p>" + ul(a(path(v, ""), v) for v in verbs[::20])))
    for x in letters:
        b.put(f"/conjugaison/lettre-{x}.html", lambda rng, x: page(f"Verbes en {x.upper()}", ul(a(path(v, ""), v) for v in verbs if v[0] == x)), x)
    for v in verbs:
        for f in forms:
            b.put(path(v, f), verb, v, f)


# 12 ----------------------------------------------------------------- an election by polling station, two rounds, two languages
@honest(NEIGHBOUR_HONEST)
def archevnebi_oqmebi(b: Building) -> None:
    rng = b.of("districts")
    districts = [(n, KA.rare(rng), rng.randrange(14, 42)) for n in range(1, 31)]
    both = {"ka": ("ოლქი", "უბანი", "ტური", "ამომრჩეველი", "ბათილი", "შედეგები"), "en": ("District", "Precinct", "Round", "Voters", "Invalid", "Results")}
    names = [KA.name(rng, 2) for _ in range(9)]
    def url(r: int, d: int, p: int, lang: str) -> str:
        return f"/results?round={r}" + (f"&district={d}" if d else "") + (f"&precinct={p:03d}" if p else "") + (f"&lang={lang}" if lang == "en" else "")
    def page(lang: str, title: str, body: str) -> str:
        return doc(lang, title, f'<header><img src="/gerb.svg"> <a href="/">{both[lang][5]}</a> <a href="/about">©</a></header><h2>{title}</h2>{body}')
    def count(r: int, d: int, p: int) -> tuple[int, int, list[int]]:
        g = b.of("votes", r, d, p)
        n = g.randrange(150, 1900)
        shares = [g.random() ** 2 * (1 if r == 1 or k < 2 else 0) for k in range(9)]
        votes = [int(0.55 * n * s / sum(shares)) for s in shares]
        return n, g.randrange(0, 40), votes[:9 if r == 1 else 2]
    def precinct(rng: Random, r: int, d: int, p: int, lang: str) -> str:
        n, bad, votes = count(r, d, p)
        most = districts[d - 1][2]
        near = [a(url(r, d, k, lang), f"№ {k}") for k in (p - 1, p + 1) if 1 <= k <= most]
        return page(lang, f"{both[lang][0]} {d} / {both[lang][1]} {p}", table([(both[lang][3], n), (both[lang][4], bad), *((names[k], v) for k, v in enumerate(votes))]) + " ".join(near) + " "
            + a(url(r, d, 0, lang), districts[d - 1][1]) + " " + a(url(3 - r, d, p, lang), f"{both[lang][2]} {3 - r}") + " " + a(url(r, d, p, "en" if lang == "ka" else "ka"), "EN" if lang == "ka" else "ქარ"))
    def district(rng: Random, r: int, d: int, lang: str) -> str:
        _, name, most = districts[d - 1]
        return page(lang, f"{both[lang][0]} {d} {name}", table([(a(url(r, d, p, lang), p), *count(r, d, p)[2]) for p in range(1, most + 1)], (both[lang][1], *names[:9 if r == 1 else 2])))
    def whole(rng: Random, r: int, lang: str) -> str:
        return page(lang, f"{both[lang][2]} {r}", ul(a(url(r, d, 0, lang), f"{d}. {x}") for d, x, _ in districts))
    b.put("/", lambda rng: page("ka", "შედეგები", f"<p>{KA.prose(rng, 3)}</p>" + " ".join(a(url(r, 0, 0, x), f"{r} {x}") for r in (1, 2) for x in both)))
    b.put("/about", lambda rng: page("ka", "©", KA.paras(rng, 3)))
    for r in (1, 2):
        for x in both:
            b.put(url(r, 0, 0, x), whole, r, x)
            for d, _, most in districts:
                b.put(url(r, d, 0, x), district, r, d, x)
                for p in range(1, most + 1):
                    b.put(url(r, d, p, x), precinct, r, d, p, x)


# 13 ----------------------------------------------------------------- an issue tracker: filters times orders times pages
@honest(NEIGHBOUR_HONEST)
def ieum_tracker(b: Building) -> None:
    rng = b.of("issues")
    states, kinds = {"open": "열림", "resolved": "해결", "closed": "닫힘"}, {"bug": "결함", "feature": "기능", "task": "작업"}
    people = [KO.rare(rng) for _ in range(12)]
    issues = [(n, rng.choice(list(kinds)), rng.choice(list(states)), rng.randrange(1, 6), KO.title(rng, 4), rng.randrange(12), rng.random()) for n in range(1, 521)]
    orders = {"id": lambda x: x[0], "priority": lambda x: x[3], "updated": lambda x: x[6], "subject": lambda x: x[4]}
    def page(title: str, body: str) -> str:
        return doc("ko", f"{title} - 이음", f'<div id="top-menu">{a("/", "초기화면")} {a("/projects/ieum/issues", "일감")} {a("/users", "사용자")}</div><h2>{title}</h2><div id="content">{body}</div><div id="footer">Powered by Redmine © 2006-2016 Jean-Philippe Lang</div>')
    def url(s: str, k: str, o: str, turn: str, p: int) -> str:
        query = "&".join(f"{x}={v}" for x, v in (("status", s), ("tracker", k), ("sort", f"{o}:desc" if turn and o else o), ("page", p)) if v and (x, v) != ("page", 1))
        return "/projects/ieum/issues" + ("?" + query if query else "")
    def rows_of(s: str, k: str) -> list[tuple]:
        return [x for x in issues if (not s or x[2] == s) and (not k or x[1] == k)]
    def listing(rng: Random, s: str, k: str, o: str, turn: str, p: int) -> str:
        rows = sorted(rows_of(s, k), key=orders[o or "id"], reverse=bool(turn) or not o)
        head = [a(url(s, k, x, "d" if x == o and not turn else "", 1), t) for x, t in (("id", "#"), ("priority", "우선순위"), ("updated", "갱신"), ("subject", "제목"))]
        filters = " ".join(a(url(x, k, o, turn, 1), t) for x, t in {"": "모두", **states}.items()) + " | " + " ".join(a(url(s, x, o, turn, 1), t) for x, t in {"": "모두", **kinds}.items())
        return page("일감", filters + table([(a(f"/issues/{x[0]}", x[0]), x[3], f"{x[6] * 900:.0f}일 전", a(f"/issues/{x[0]}", x[4])) for x in rows[25 * p - 25:25 * p]], head)
            + " ".join(a(url(s, k, o, turn, i), i) for i in range(1, math.ceil(len(rows) / 25) + 1)))
    def issue(rng: Random, x: tuple) -> str:
        notes = "".join(f'<div id="note-{i}"><h4>{a(f"/issues/{x[0]}#note-{i}", f"#{i}")} {a(f"/users/{u}", people[u])}</h4><p>{KO.prose(rng, 2)}</p></div>' for i in range(1, rng.randrange(1, 6)) for u in [rng.randrange(12)])
        near = " ".join(a(f"/issues/{n}", f"« {n} »") for n in (x[0] - 1, x[0] + 1) if 1 <= n <= 520)
        kin = " ".join(a(f"/issues/{n}", f"#{n}") for n in rng.sample(range(1, 521), rng.randrange(0, 3)))
        return page(f"{kinds[x[1]]} #{x[0]}: {x[4]}", near + table([("상태", states[x[2]]), ("우선순위", x[3]), ("담당자", a(f"/users/{x[5]}", people[x[5]]))]) + KO.paras(rng, 1) + kin + notes)
    b.put("/", lambda rng: page("이음", KO.paras(rng, 2)))
    b.put("/users", lambda rng: page("사용자", ul(a(f"/users/{u}", x) for u, x in enumerate(people))))
    for u, x in enumerate(people):
        b.put(f"/users/{u}", lambda rng, u, x: page(x, ul(a(f"/issues/{i[0]}", i[4]) for i in issues if i[5] == u)), u, x)
    for x in issues:
        b.put(f"/issues/{x[0]}", issue, x)
    for s in ("", *states):
        for k in ("", *kinds):
            for o, turn in (("", ""), *((o, t) for o in orders for t in ("", "d"))):
                for p in range(1, math.ceil(len(rows_of(s, k)) / 25) + 1):
                    b.put(url(s, k, o, turn, p), listing, s, k, o, turn, p)


# 14 ----------------------------------------------------------------- a forum: a permalink a post shows the whole page of its thread
@honest(NEIGHBOUR_HONEST)
def bisiklet_forumu(b: Building) -> None:
    rng = b.of("threads")
    users = [TR.rare(rng) + rng.choice(("", "_34", "06", "can", "91")) for _ in range(220)]
    boards = {f: TR.title(rng, 2) for f in (2, 3, 5, 7, 8, 11)}
    threads: dict[int, tuple[int, str, list[tuple[int, int]]]] = {}
    number = 0
    for t in range(1, 521):
        f, posts = rng.choice(list(boards)), []
        for _ in range(min(64, 1 + int(rng.expovariate(1 / 9)))):
            number += rng.randrange(1, 4)
            posts.append((number, rng.randrange(220)))
        threads[t] = (f, TR.title(rng, rng.randrange(2, 6)), posts)
    def page(title: str, body: str) -> str:
        return doc("tr", f"{title} • Bisiklet Forumu", f'<div id="page-header"><a href="/index.php">Ana sayfa</a> <a href="memberlist.php">Üyeler</a> <a href="faq.php">SSS</a></div><h2>{title}</h2>{body}<div class="copyright">Powered by phpBB &copy; 2000, 2002, 2005, 2007 phpBB Group<br>Tüm zamanlar UTC + 2 saat</div>', '<link rel="stylesheet" href="/styles/prosilver.css">')
    def posts_of(t: int, among: list[tuple[int, int]], bare: bool) -> str:
        out = ""
        for p, u in among:
            text = TR.prose(b.of("post", p), 1 + p % 4)
            out += f"<hr><b>{users[u]}</b><p>{text}</p>" if bare else f'<div id="p{p}" class="post"><h3>{a(f"viewtopic.php?p={p}#p{p}", "Re: " + threads[t][1])}</h3>{a(f"memberlist.php?mode=viewprofile&u={u + 2}", users[u])}<div class="content">{text}</div></div>'
        return out
    def topic(rng: Random, t: int, start: int) -> str:
        f, title, posts = threads[t]
        pages = " ".join(a(f"viewtopic.php?f={f}&t={t}" + (f"&start={s}" if s else ""), s // 10 + 1) for s in range(0, len(posts), 10))
        tools = a(f"viewtopic.php?f={f}&t={t}&start={start}&view=print", "Yazdır") + " " + a(f"viewforum.php?f={f}", boards[f])
        around = " ".join(a(f"viewtopic.php?f={threads[x][0]}&t={x}", text) for x, text in ((t - 1, "Önceki başlık"), (t + 1, "Sonraki başlık")) if x in threads)
        return page(title, tools + pages + posts_of(t, posts[start:start + 10], False) + pages + around)
    def printed(rng: Random, t: int, start: int) -> str:
        return doc("tr", threads[t][1], f"<h1>Bisiklet Forumu</h1><h2>{threads[t][1]}</h2>" + posts_of(t, threads[t][2][start:start + 10], True))
    keys = {"t": "Tarih", "s": "Konu", "r": "Cevap"}
    def board(rng: Random, f: int, sk: str, sd: str, start: int) -> str:
        among = [t for t in threads if threads[t][0] == f]
        among.sort(key={"t": lambda t: threads[t][2][-1][0], "s": lambda t: threads[t][1], "r": lambda t: len(threads[t][2])}[sk], reverse=sd == "d")
        def url(k: str, d: str, s: int) -> str:
            return f"viewforum.php?f={f}" + (f"&sk={k}&sd={d}" if (k, d) != ("t", "d") else "") + (f"&start={s}" if s else "")
        return page(boards[f], "Sırala: " + " ".join(a(url(k, d, 0), text + " ↑↓"[1 + (d == "d")]) for k, text in keys.items() for d in "ad")
            + ul(a(f"viewtopic.php?f={f}&t={t}", threads[t][1]) + f" {len(threads[t][2]) - 1} cevap " + a(f"viewtopic.php?p={threads[t][2][-1][0]}#p{threads[t][2][-1][0]}", "son ileti") for t in among[start:start + 25])
            + " ".join(a(url(sk, sd, s), s // 25 + 1) for s in range(0, len(among), 25)))
    def members(rng: Random, sk: str, start: int) -> str:
        among = sorted(range(220), key=lambda u: users[u] if sk == "c" else u)
        return page("Üyeler", a("memberlist.php", "Katılım") + " " + a("memberlist.php?sk=c", "Ad") + ul(a(f"memberlist.php?mode=viewprofile&u={u + 2}", users[u]) for u in among[start:start + 25])
            + " ".join(a("memberlist.php" + "?" * (bool(s) or sk != "") + "&".join(x for x in (f"sk={sk}" if sk else "", f"start={s}" if s else "") if x), s // 25 + 1) for s in range(0, 220, 25)))
    def index(rng: Random) -> str:
        return page("Forum", ul(a(f"viewforum.php?f={f}", x) for f, x in boards.items()))
    b.put("/", index)
    b.put("/index.php", index)
    b.put("/faq.php", lambda rng: page("SSS", TR.paras(rng, 5)))
    for f in boards:
        for sk in keys:
            for sd in "ad":
                for s in range(0, sum(1 for t in threads.values() if t[0] == f), 25):
                    b.put(f"/viewforum.php?f={f}" + (f"&sk={sk}&sd={sd}" if (sk, sd) != ("t", "d") else "") + (f"&start={s}" if s else ""), board, f, sk, sd, s)
    for t, (f, _, posts) in threads.items():
        for s in range(0, len(posts), 10):
            b.put(f"/viewtopic.php?f={f}&t={t}" + (f"&start={s}" if s else ""), topic, t, s)
            b.put(f"/viewtopic.php?f={f}&t={t}&start={s}&view=print", printed, t, s)
        for i, (p, _) in enumerate(posts):
            b.put(f"/viewtopic.php?p={p}", topic, t, i // 10 * 10)
    for sk in ("", "c"):
        for s in range(0, 220, 25):
            b.put("/memberlist.php?" + (f"sk={sk}&" if sk else "") + (f"start={s}" if s else ""), members, sk, s)
    for u, x in enumerate(users):
        b.put(f"/memberlist.php?mode=viewprofile&u={u + 2}", lambda rng, u, x: page(x, table([("Katılım", f"{rng.randrange(1, 29)} Oca 20{rng.randrange(4, 12):02d}"), ("İletiler", rng.randrange(400)), ("Bisiklet", rng.choice(TR.made))])), u, x)


# 15 ----------------------------------------------------------------- a wiki: histories, differences, what links here
@honest(NEIGHBOUR_HONEST)
def viki_dikduk(b: Building) -> None:
    rng = b.of("wiki")
    titles = sorted({f"{HE.rare(rng)}_{HE.rare(rng)}" for _ in range(290)})
    out = {t: rng.sample(titles, rng.randrange(2, 9)) for t in titles}
    for i, t in enumerate(titles[1:], 1):
        out[titles[rng.randrange(i)]].append(t)
    back: dict[str, list[str]] = {t: [] for t in titles}
    for t, to in out.items():
        for x in dict.fromkeys(to):
            back[x].append(t)
    revs: dict[str, list[int]] = {}
    number = 3000
    for t in titles:
        revs[t] = []
        for _ in range(rng.randrange(1, 7)):
            number += rng.randrange(1, 9)
            revs[t].append(number)
    def page(t: str, what: str, body: str) -> str:
        tabs = a(f"/wiki/{t}", "דף") + " " + a(f"/index.php?title={t}&action=edit", "עריכה") + " " + a(f"/index.php?title={t}&action=history", "גרסאות קודמות")
        tools = ul([a("/wiki/" + titles[0], "עמוד ראשי"), a(f"/index.php?title=Special:WhatLinksHere/{t}", "דפים המקושרים לכאן"), a(f"/index.php?title={t}&printable=yes", "גרסה להדפסה"), a(f"/index.php?title={t}&oldid={revs[t][-1]}", "קישור קבוע")])
        return doc("he", f"{t.replace('_', ' ')}{what} – ויקידקדוק", f'<div id="p-cactions">{tabs}</div><h1>{t.replace("_", " ")}{what}</h1>{body}<div id="p-tb">{tools}</div><div id="footer">התוכן מוגש בכפוף לרישיון. מדיניות פרטיות.</div>', rtl=True)
    def text(t: str, rev: int) -> str:
        r, out_ = b.of("text", t), ""
        for n in range(1 + revs[t].index(rev)):
            out_ += f"<p>{HE.prose(r, 2)}</p>" + ("<!-- -->" if n else "")
        return out_ + "<p>ראו גם: " + ", ".join(a(f"/wiki/{x}", x.replace("_", " ")) for x in out[t]) + "</p>"
    def old(rng: Random, t: str, rev: int) -> str:
        i = revs[t].index(rev)
        near = [a(f"/index.php?title={t}&diff=prev&oldid={rev}", "הבדל"), *(a(f"/index.php?title={t}&oldid={revs[t][j]}", x) for j, x in ((i - 1, "→ הקודמת"), (i + 1, "הבאה ←")) if 0 <= j < len(revs[t]))]
        return page(t, "", '<div id="contentSub">' + " | ".join(near) + "</div>" + text(t, rev))
    def diff(rng: Random, t: str, rev: int) -> str:
        return page(t, ": הבדלים", table([("", a(f"/index.php?title={t}&oldid={rev}", f"גרסה {rev}")), ("+", HE.sent(rng))]) + text(t, rev))
    def history(rng: Random, t: str) -> str:
        return page(t, ": היסטוריה", ul(a(f"/index.php?title={t}&diff=prev&oldid={r}", "קודמת") + " " + a(f"/index.php?title={t}&oldid={r}", f"{r % 24}:{r % 60:02d}") + f" {HE.rare(rng)}" for r in reversed(revs[t])))
    def edit(rng: Random, t: str) -> str:
        return page(t, " – עריכה", f"<form method=post><textarea>{escape(HE.prose(rng, 4))}</textarea><input type=submit></form>")
    def main(rng: Random) -> str:
        return page(titles[0], "", text(titles[0], revs[titles[0]][-1]))
    b.put("/", main)
    for t in titles:
        b.put(f"/wiki/{t}", lambda rng, t: page(t, "", text(t, revs[t][-1])), t)
        b.put(f"/index.php?title={t}&printable=yes", lambda rng, t: doc("he", t, f"<h1>{t}</h1>" + text(t, revs[t][-1]), rtl=True), t)
        b.put(f"/index.php?title={t}&action=edit", edit, t)
        b.put(f"/index.php?title={t}&action=history", history, t)
        b.put(f"/index.php?title=Special:WhatLinksHere/{t}", lambda rng, t: page(t, " – דפים המקושרים", ul(a(f"/wiki/{x}", x.replace("_", " ")) + " (" + a(f"/index.php?title=Special:WhatLinksHere/{x}", "←") + ")" for x in back[t])), t)
        for r in revs[t]:
            b.put(f"/index.php?title={t}&oldid={r}", old, t, r)
            b.put(f"/index.php?title={t}&diff=prev&oldid={r}", diff, t, r)


# 16 ----------------------------------------------------------------- a hotel: one season's prices by arrival, nights and room; viewers vary
@honest(NEIGHBOUR_HONEST, varies=True)
def xenonas_galini(b: Building) -> None:
    first, n = date(2024, 5, 4), 150
    rooms = {"mono": "Μονόκλινο", "diplo": "Δίκλινο", "studio": "Στούντιο", "souita": "Σουίτα"}
    names = ["Μάιος", "Ιούνιος", "Ιούλιος", "Αύγουστος", "Σεπτέμβριος"]
    def page(title: str, body: str) -> str:
        return doc("el", f"{title} – Ξενώνας Γαλήνη", f'<header><a href="/">Γαλήνη</a> <a href="/domatia">Δωμάτια</a> <a href="/xoros">Ο χώρος</a></header><h1>{title}</h1>{body}<aside>{chance.randrange(2, 19)} άτομα βλέπουν αυτή τη σελίδα</aside><input type=hidden name=_csrf value="{chance.getrandbits(96):024x}"><footer>Ο ξενώνας λειτουργεί από Μάιο έως Σεπτέμβριο. ΜΗΤΕ 1167K112K01{sum(map(ord, b.home))}</footer>')
    def price(room: str, d: date) -> int:
        return 45 + 20 * list(rooms).index(room) + (25 if d.month in (7, 8) else 0) + 5 * b.of(room, d).randrange(3)
    def free(room: str, d: date) -> bool:
        return b.of("free", room, d).random() < 0.7
    def url(room: str, d: date, nights: int) -> str:
        return f"/kratisi?domatio={room}&afixi={d}&nyxtes={nights}"
    def calendar(rng: Random, room: str, m: int) -> str:
        days = [d for i in range(31) if (d := date(2024, m, 1) + timedelta(i)).month == m and first <= d < first + timedelta(n)]
        near = " ".join(a(f"/domatia/{room}/2024-{k:02d}", names[k - 5]) for k in (m - 1, m + 1) if 5 <= k <= 9)
        cells = [a(url(room, d, 1), f"{d.day} {price(room, d)}€") if free(room, d) else f"{d.day} –" for d in days]
        return page(f"{rooms[room]}, {names[m - 5]} 2024", near + table([cells[i:i + 7] for i in range(0, len(cells), 7)]))
    def stay(rng: Random, room: str, d: date, nights: int) -> str:
        days = [d + timedelta(i) for i in range(nights)]
        total = sum(price(room, x) for x in days)
        more = " ".join(a(url(room, d, k), f"{k} νύχτες") for k in (1, 2, 3, 5, 7) if k != nights)
        near = " ".join(a(url(room, x, nights), f"{x:%d/%m}") for x in (d - timedelta(1), d + timedelta(1)) if first <= x < first + timedelta(n))
        others = " ".join(a(url(r, d, nights), t) for r, t in rooms.items() if r != room)
        return page(f"{rooms[room]} {d:%d/%m/%Y}", table([(f"{x:%d/%m}", f"{price(room, x)} €") for x in days]) + f"<p>Σύνολο {total} €</p>" + ("" if all(free(room, x) for x in days) else "<p>Μη διαθέσιμο</p>") + more + "<br>" + near + "<br>" + others)
    b.put("/", lambda rng: page("Καλώς ήρθατε", EL.paras(rng, 2)))
    b.put("/xoros", lambda rng: page("Ο χώρος", EL.paras(rng, 4)))
    b.put("/domatia", lambda rng: page("Δωμάτια", ul(a(f"/domatia/{r}", t) for r, t in rooms.items())))
    for r in rooms:
        b.put(f"/domatia/{r}", lambda rng, r: page(rooms[r], EL.paras(rng, 1) + " ".join(a(f"/domatia/{r}/2024-{m:02d}", names[m - 5]) for m in range(5, 10))), r)
        for m in range(5, 10):
            b.put(f"/domatia/{r}/2024-{m:02d}", calendar, r, m)
        for i in range(n):
            for k in (1, 2, 3, 5, 7):
                b.put(url(r, first + timedelta(i), k), stay, r, first + timedelta(i), k)


# 17 ----------------------------------------------------------------- map sheets: eight neighbours each, a third of them empty steppe
@honest(NEIGHBOUR_HONEST)
def gazryn_zurag(b: Building) -> None:
    rows, cols = 36, 54
    def page(title: str, body: str) -> str:
        return doc("mn", title, f'<div><a href="/">Газрын зураг 1:100 000</a> | <a href="/taniltsuulga">Танилцуулга</a></div><h1>{title}</h1>{body}<p><small>© Геодези, зураг зүйн газар. Хуулбарлахыг хориглоно.</small></p>')
    def code(r: int, c: int) -> str:
        return f"{chr(75 + r // 12)}-{45 + c // 12}-{r % 12 * 12 + c % 12 + 1:03d}"
    def sheet(rng: Random, r: int, c: int) -> str:
        grid = [[(a(f"/huudas/{code(r + i, c + j)}", code(r + i, c + j)) if (i, j) != (0, 0) else code(r, c)) if 0 <= r + i < rows and 0 <= c + j < cols else "" for j in (-1, 0, 1)] for i in (-1, 0, 1)]
        what = "" if rng.random() < 0.33 else f"<p>{MN.rare(rng).capitalize()} уул {rng.randrange(900, 4000)} м; {MN.rare(rng).capitalize()} гол</p>"
        return page(f"Хуудас {code(r, c)}", f'<img src="/tiles/{code(r, c)}.png" width=700 height=700>' + what + f"<p>{52 - r / 3:.2f}° N, {88 + c / 2:.1f}° E</p>" + table(grid))
    b.put("/", lambda rng: page("Газрын зураг", f"<p>{MN.prose(rng, 3)}</p>" + table([[a(f"/huudas/{code(r, c)}", code(r, c)) for c in range(0, cols, 9)] for r in range(0, rows, 9)])))
    b.put("/taniltsuulga", lambda rng: page("Танилцуулга", MN.paras(rng, 4)))
    for r in range(rows):
        for c in range(cols):
            b.put(f"/huudas/{code(r, c)}", sheet, r, c)


# 18 ----------------------------------------------------------------- parish registers: a scan a page and no text, at two sizes
@honest(NEIGHBOUR_HONEST)
def metryki_skany(b: Building) -> None:
    rng = b.of("books")
    books = [(1000 + 7 * i, rng.choice(("Urodzenia", "Małżeństwa", "Zgony")), 1810 + 2 * i, PL.name(rng, 1), rng.randrange(18, 62)) for i in range(38)]
    def page(title: str, body: str) -> str:
        return f'<!DOCTYPE html><html lang=pl><head><meta charset=utf-8><title>{title}</title></head><body style="background:#444">{body}</body></html>'
    def file(k: int, i: int) -> str:
        return sha1(f"{b.seed}|{k}|{i}".encode()).hexdigest()[:12]
    def scan(rng: Random, at: int, i: int, big: bool) -> str:
        k, _, _, _, n = books[at]
        z = "&zoom=2" if big else ""
        near = "".join(a(f"/skan.php?zs={k}&sk={j}{z}", t) + " " for j, t in ((1, "|<"), (i - 1, "<"), (i + 1, ">"), (n, ">|")) if 1 <= j <= n and j != i)
        return page("Skan", f"<center>{near}{a(f'/skan.php?zs={k}&sk={i}' + ('' if big else '&zoom=2'), '-' if big else '+')} {a(f'/zespol/{k}', '^')}<br><img src=\"/img/{file(k, i)}{'_b' if big else ''}.jpg\"></center>")
    b.put("/", lambda rng: page("Metryki", "<h1>Skany ksiąg metrykalnych</h1>" + PL.paras(rng, 1) + ul(a(f"/zespol/{k}", f"{where}: {what} {y}–{y + 2}") for k, what, y, where, _ in books)))
    for at, (k, what, y, where, n) in enumerate(books):
        b.put(f"/zespol/{k}", lambda rng, k, what, y, where, n: page(f"{where} {y}", f"<h1>{where}: {what} {y}–{y + 2}</h1>" + " ".join(a(f"/skan.php?zs={k}&sk={i}", f"{i:03d}") for i in range(1, n + 1))), k, what, y, where, n)
        for i in range(1, n + 1):
            b.put(f"/skan.php?zs={k}&sk={i}", scan, at, i, False)
            b.put(f"/skan.php?zs={k}&sk={i}&zoom=2", scan, at, i, True)


# 19 ----------------------------------------------------------------- minerals: the data are JSON in a script, the page is a shell
@honest(NEIGHBOUR_HONEST)
def asvanytar_adat(b: Building) -> None:
    rng = b.of("minerals")
    names = sorted({HU.rare(rng).capitalize() + "it" for _ in range(700)})
    classes = ["elemek", "szulfidok", "halogenidek", "oxidok", "karbonátok", "borátok", "szulfátok", "foszfátok", "szilikátok", "szerves"]
    sites = [HU.name(rng, 1) for _ in range(120)]
    data = [{"id": i, "nev": x, "osztaly": rng.randrange(10), "keplet": "".join(rng.sample(["Ca", "Fe", "Mg", "Al", "Si", "S", "O₄", "(OH)", "Cu", "Pb"], 3)), "kemenyseg": rng.randrange(2, 20) / 2, "suruseg": round(rng.uniform(2, 8), 2),
             "a": round(rng.uniform(4, 20), 3), "b": round(rng.uniform(4, 20), 3), "c": round(rng.uniform(4, 20), 3), "lelohely": sorted(rng.sample(range(120), rng.randrange(1, 7)))} for i, x in enumerate(names)]
    def shell(title: str, state: object, links: str) -> str:
        return doc("hu", "Ásványtár", f'<div id="root"><div class="spinner"></div></div><script id="__NEXT_DATA__" type="application/json">{dumps({"props": {"pageProps": state}, "page": title, "buildId": "k3Vd81qz"}, ensure_ascii=False)}</script><script src="/_next/static/chunks/main-90ab21cd.js" async></script><noscript><nav><a href="/">Ásványtár</a> {links}</nav></noscript>')
    b.put("/", lambda rng: shell("/", {"osztalyok": classes}, " ".join(a(f"/osztaly/{i}", x) for i, x in enumerate(classes)) + a("/lelohelyek", "lelőhelyek")))
    b.put("/lelohelyek", lambda rng: shell("/lelohelyek", sites, " ".join(a(f"/lelohely/{i}", x) for i, x in enumerate(sites))))
    for i, x in enumerate(classes):
        b.put(f"/osztaly/{i}", lambda rng, i: shell("/osztaly/[id]", [d["nev"] for d in data if d["osztaly"] == i], " ".join(a(f"/asvany/{d['id']}-{slug(d['nev'])}", d["nev"]) for d in data if d["osztaly"] == i)), i)
    for i, x in enumerate(sites):
        b.put(f"/lelohely/{i}", lambda rng, i, x: shell("/lelohely/[id]", {"nev": x, "lat": round(46 + 2 * rng.random(), 5), "lon": round(17 + 4 * rng.random(), 5)}, " ".join(a(f"/asvany/{d['id']}-{slug(d['nev'])}", d["id"]) for d in data if i in d["lelohely"])), i, x)
    for d in data:
        at = f"/asvany/{d['id']}-{slug(d['nev'])}"
        b.put(at, lambda rng, d, at: shell("/asvany/[slug]", d, a(at + "/racs", "rács") + " ".join(a(f"/lelohely/{i}", "lelőhely") for i in d["lelohely"]) + a(f"/osztaly/{d['osztaly']}", "osztály")), d, at)
        b.put(at + "/racs", lambda rng, d, at: shell("/asvany/[slug]/racs", {"id": d["id"], "hkl": [[rng.randrange(4), rng.randrange(4), rng.randrange(4), round(rng.uniform(1, 9), 4), rng.randrange(100)] for _ in range(8)]}, a(at, "vissza")), d, at)


# 20 ----------------------------------------------------------------- one page per code point, names from the standard
@honest(NEIGHBOUR_HONEST)
def codepoint_atlas(b: Building) -> None:
    blocks = {"basic-latin": (0x20, 0x7E), "latin-1": (0xA0, 0xFF), "greek": (0x370, 0x3FF), "cyrillic": (0x400, 0x4FF), "armenian": (0x531, 0x58A), "hebrew": (0x5D0, 0x5EA), "devanagari": (0x900, 0x97F), "georgian": (0x10A0, 0x10FF),
              "arrows": (0x2190, 0x21FF), "mathematical": (0x2200, 0x22FF), "box": (0x2500, 0x257F), "braille": (0x2800, 0x28FF), "cjk": (0x4E00, 0x5100), "hangul": (0xAC00, 0xAEFF)}
    points = [c for lo, hi in blocks.values() for c in range(lo, hi + 1) if unicodedata.name(chr(c), "")]
    at = {c: i for i, c in enumerate(points)}
    kinds = sorted({unicodedata.category(chr(c)) for c in points})
    def page(title: str, body: str) -> str:
        return doc("en", title, f'<nav><a href="/">Codepoint atlas</a> <a href="/blocks">Blocks</a> <a href="/categories">Categories</a></nav><h1>{title}</h1>{body}<footer>Unicode and the Unicode Logo are registered trademarks of Unicode, Inc. build {b.seed}</footer>')
    def link(c: int) -> str:
        return a(f"/U+{c:04X}", f"U+{c:04X}")
    def point(rng: Random, c: int) -> str:
        ch = chr(c)
        utf8, utf16 = ch.encode().hex(" ").upper(), ch.encode("utf-16-be").hex(" ").upper()
        block = next(x for x, (lo, hi) in blocks.items() if lo <= c <= hi)
        near = " ".join(link(points[i]) for i in (at[c] - 1, at[c] + 1) if 0 <= i < len(points))
        case = " ".join(link(ord(x)) for x in dict.fromkeys((ch.lower(), ch.upper())) if len(x) == 1 and ord(x) in at and x != ch)
        return page(f"U+{c:04X} {unicodedata.name(ch)}", f"<div class=glyph>{escape(ch)}</div>" + table([("Block", a(f"/block/{block}", block)), ("Category", a(f"/category/{unicodedata.category(ch)}", unicodedata.category(ch))), ("Bidi", unicodedata.bidirectional(ch)),
            ("UTF-8", utf8), ("UTF-16", utf16), ("HTML", f"&amp;#{c};"), ("URL", "%" + utf8.replace(" ", "%")), ("Decomposition", unicodedata.decomposition(ch) or "none")]) + near + " " + case)
    b.put("/", lambda rng: page("Codepoint atlas", f"<p>{len(points)} characters.</p>"))
    b.put("/blocks", lambda rng: page("Blocks", ul(a(f"/block/{x}", x) for x in blocks)))
    b.put("/categories", lambda rng: page("Categories", ul(a(f"/category/{k}", k) for k in kinds)))
    for x, (lo, hi) in blocks.items():
        b.put(f"/block/{x}", lambda rng, x, lo, hi: page(x, " ".join(link(c) for c in points if lo <= c <= hi)), x, lo, hi)
    for k in kinds:
        b.put(f"/category/{k}", lambda rng, k: page(k, " ".join(link(c) for c in points if unicodedata.category(chr(c)) == k)), k)
    for c in points:
        b.put(f"/U+{c:04X}", point, c)


# 21 ----------------------------------------------------------------- numbers up to 3,000 and what there is to say of each
@honest(NEIGHBOUR_HONEST)
def suuji_jiten(b: Building) -> None:
    top = 3000
    def page(title: str, body: str) -> str:
        return doc("ja", f"{title} - 数字辞典", f'<div class="hd"><a href="/">数字辞典</a> <a href="/primes">素数一覧</a></div><h1>{title}</h1>{body}<div class="ft">数字辞典は1から{top}までの整数を収録しています。{b.seed}</div>')
    def prime(n: int) -> bool:
        return n > 1 and all(n % d for d in range(2, math.isqrt(n) + 1))
    def number(rng: Random, n: int) -> str:
        divisors = [d for d in range(1, n + 1) if n % d == 0]
        rest, factors = n, []
        for d in range(2, n + 1):
            while rest % d == 0:
                factors.append(d)
                rest //= d
        rows = [("素数", "はい" if prime(n) else "いいえ"), ("素因数分解", " × ".join(map(str, factors)) or "1"), ("約数", " ".join(a(f"/n/{d}", d) for d in divisors)), ("約数の和", sum(divisors)),
                ("二進数", f"{n:b}"), ("十六進数", f"{n:X}"), ("平方", n * n), ("立方", n ** 3), ("平方根", f"{n ** 0.5:.6f}")]
        return page(str(n), table(rows) + " ".join(a(f"/n/{k}", k) for k in dict.fromkeys((n - 1, n + 1, 2 * n, n * n, int(str(n)[::-1]))) if 1 <= k <= top and k != n))
    b.put("/", lambda rng: page("数字辞典", f"<p>{JA.prose(rng, 3)}</p>" + " ".join(a(f"/n/{k}", k) for k in (1, 7, 12, 42, 365, 1729, 2017))))
    b.put("/primes", lambda rng: page("素数一覧", " ".join(a(f"/n/{k}", k) for k in range(top) if prime(k))))
    for n in range(1, top + 1):
        b.put(f"/n/{n}", number, n)


# 22 ----------------------------------------------------------------- quotes: each ticker by year and quarter, and in two orders
@honest(NEIGHBOUR_HONEST)
def gupiao_lishi(b: Building) -> None:
    rng = b.of("tickers")
    tickers = {f"{rng.choice((600, 601, 0, 2)):03d}{i * 7 % 1000:03d}": ZH.rare(rng) + ZH.rare(rng) for i in range(1, 39)}
    since = {c: rng.randrange(1996, 2008) for c in tickers}
    def page(title: str, body: str) -> str:
        return doc("zh", f"{title}_历史行情", f'<div class="top"><a href="/">首页</a> <a href="/list.html">全部股票</a></div><h1>{title}</h1>{body}<div class="bottom">数据仅供参考，不构成投资建议。股市有风险，投资需谨慎。</div>')
    def url(c: str, y: int, k: int, turn: str = "") -> str:
        return f"/lsjysj/{c}.html?year={y}&season={k}" + (f"&order={turn}" if turn else "")
    def quarter(rng: Random, c: str, y: int, k: int, turn: str) -> str:
        r, rows = b.of("q", c, y, k), []
        p = 3 + 40 * r.random()
        for i in range(64):
            d = date(y, 3 * k - 2, 1) + timedelta(i * 90 // 64)
            if d.weekday() < 5:
                o, p = p, max(0.8, p * (1 + r.gauss(0, 0.02)))
                rows.append((d, f"{o:.2f}", f"{max(o, p) * 1.01:.2f}", f"{min(o, p) * 0.99:.2f}", f"{p:.2f}", f"{(p / o - 1) * 100:+.2f}%", r.randrange(9000, 900000)))
        if turn:
            rows.reverse()
        return page(f"{tickers[c]}({c}) {y}年{k}季度", " ".join(a(url(c, y, q), f"{q}季") for q in range(1, 5)) + " " + a(url(c, y, k, "" if turn else "asc"), "日期") + table(rows, ("日期", "开盘", "最高", "最低", "收盘", "涨跌", "成交量")) + a(f"/lsjysj/{c}.html", "返回"))
    def stock(rng: Random, c: str) -> str:
        return page(f"{tickers[c]}({c})", f"<p>{ZH.prose(rng, 2)}</p>" + ul(f"{y}: " + " ".join(a(url(c, y, q), f"{q}季") for q in range(1, 5)) for y in range(since[c], 2013)))
    b.put("/", lambda rng: page("历史行情", f"<p>{ZH.prose(rng, 2)}</p>"))
    b.put("/list.html", lambda rng: page("全部股票", ul(a(f"/lsjysj/{c}.html", f"{c} {x}") for c, x in tickers.items())))
    for c in tickers:
        b.put(f"/lsjysj/{c}.html", stock, c)
        for y in range(since[c], 2013):
            for k in range(1, 5):
                for turn in ("", "asc"):
                    b.put(url(c, y, k, turn), quarter, c, y, k, turn)


# 23 ----------------------------------------------------------------- distances between any two of sixty towns
@honest(NEIGHBOUR_HONEST)
def afstand_tussen(b: Building) -> None:
    rng = b.of("towns")
    towns: dict[str, tuple[str, float, float]] = {}
    while len(towns) < 60:
        x = NL.rare(rng).capitalize() + rng.choice(("", "dam", "dijk", "veen", "burg"))
        towns[slug(x)] = (x, 50.8 + 2.6 * rng.random(), 3.5 + 3.5 * rng.random())
    def km(s: str, t: str) -> float:
        _, y, x = towns[s]
        _, v, u = towns[t]
        return math.hypot((y - v) * 111.2, (x - u) * 68.5)
    def page(title: str, body: str) -> str:
        return doc("nl", title, f'<div class="kop"><a href="/">Afstand-tussen</a> <a href="/plaatsen">Alle plaatsen</a></div><h1>{title}</h1>{body}<div class="voet">Bereken gratis de afstand tussen twee plaatsen, hemelsbreed en over de weg. Aan de getoonde afstanden kunnen geen rechten worden ontleend. Cookies | Privacy</div>')
    def pair(rng: Random, s: str, t: str) -> str:
        d = km(s, t)
        n, m = towns[s][0], towns[t][0]
        near = sorted((x for x in towns if x not in (s, t)), key=lambda x: km(t, x))[:6]
        return page(f"Afstand {n} - {m}", f"<p>De afstand van {n} naar {m} is hemelsbreed {d:.1f} kilometer. Over de weg is de afstand {d * 1.27:.1f} kilometer. Met de auto duurt de reis ongeveer {d * 0.9 + 8:.0f} minuten, met de fiets {d * 4.2:.0f} minuten.</p>"
            + a(f"/afstand/{t}/{s}", f"Afstand {m} - {n}") + "<h2>In de buurt</h2>" + ul(a(f"/afstand/{s}/{x}", f"Afstand {n} - {towns[x][0]}") for x in near))
    b.put("/", lambda rng: page("Afstand tussen plaatsen", NL.paras(rng, 1)))
    b.put("/plaatsen", lambda rng: page("Plaatsen", ul(a(f"/van/{s}", x[0]) for s, x in towns.items())))
    for s, (x, y, z) in towns.items():
        b.put(f"/van/{s}", lambda rng, s, x, y, z: page(f"Afstanden vanaf {x}", f"<p>{y:.4f} NB, {z:.4f} OL</p>" + table((a(f"/afstand/{s}/{t}", towns[t][0]), f"{km(s, t):.1f} km") for t in towns if t != s)), s, x, y, z)
        for t in towns:
            if s != t:
                b.put(f"/afstand/{s}/{t}", pair, s, t)


# 24 ----------------------------------------------------------------- a mirror: an index of each directory in nine orders
@honest(NEIGHBOUR_HONEST)
def ftp_spiegel(b: Building) -> None:
    rng = b.of("pool")
    dirs: dict[str, dict[str, tuple[int, date]]] = {"/": {}}
    def add(at: str, name: str) -> str:
        dirs[at][name + "/"] = (0, date(2012, 1, 1) + timedelta(rng.randrange(2000)))
        dirs[at + name + "/"] = {}
        return at + name + "/"
    texts = []
    for top in ("pool", "doc", "old-releases"):
        t = add("/", top)
        for part in ("main", "contrib", "extra"):
            p = add(t, part)
            for pkg in sorted({EN.rare(rng).lower() for _ in range(13)}):
                d = add(p, pkg)
                for v in sorted({f"{rng.randrange(3)}.{rng.randrange(12)}.{rng.randrange(9)}" for _ in range(rng.randrange(1, 5))}):
                    for end in (".txt", ".sha256"):
                        dirs[d][f"{pkg}-{v}{end}"] = (rng.randrange(400, 90000), date(2010, 1, 1) + timedelta(rng.randrange(2500)))
                        texts.append((d, f"{pkg}-{v}{end}"))
    def index(rng: Random, d: str, by: str, turn: str) -> str:
        key = {"N": lambda x: x[0], "M": lambda x: x[1][1], "S": lambda x: x[1][0], "D": lambda x: ""}[by or "N"]
        rows = sorted(dirs[d].items(), key=lambda x: x[0])
        rows.sort(key=key, reverse=turn == "D")
        head = "".join(f'<th><a href="?C={c};O={"D" if (by or "N") == c and turn != "D" else "A"}">{t}</a></th>' for c, t in (("N", "Name"), ("M", "Last modified"), ("S", "Size"), ("D", "Description")))
        up = d.rstrip("/").rpartition("/")[0] + "/"
        body = (f'<tr><td><a href="{up}">Parent Directory</a></td><td>&nbsp;</td><td align="right">  - </td></tr>' if d != "/" else "") + "".join(f'<tr><td><a href="{x}">{x}</a></td><td>{m} 0{s % 9}:1{s % 7}</td><td align="right">{f"{s / 1024:.1f}K" if s else "-"}</td></tr>' for x, (s, m) in rows)
        return f'<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2 Final//EN">\n<html><head><title>Index of {d}</title></head><body><h1>Index of {d}</h1><table><tr>{head}</tr><tr><th colspan="4"><hr></th></tr>{body}</table><address>Apache/2.2.22 (Unix) Server at {b.name}.test Port 80</address></body></html>'
    def text(rng: Random, f: str) -> Answer:
        if f.endswith(".sha256"):
            return plain(f"{rng.getrandbits(256):064x}  {f[:-7]}.tar.gz\n")
        return plain("\n".join(f"* {EN.sent(rng)}" for _ in range(rng.randrange(3, 12))))
    for d in dirs:
        b.put(d, index, d, "", "A")
        for by in "NMSD":
            for turn in "AD":
                b.put(f"{d}?C={by};O={turn}", index, d, by, turn)
    for d, f in texts:
        b.put(d + f, text, f)


# 25 ----------------------------------------------------------------- a repository browser: each file again at each commit
@honest(NEIGHBOUR_HONEST)
def cgit_vorn(b: Building) -> None:
    rng = b.of("history")
    files = ["Makefile", "README", "src/main.c", "src/queue.c", "src/queue.h", "src/parse.c", "src/parse.h", "src/net.c", "doc/vorn.1", "test/run.sh"]
    n = 210
    ids = [f"{rng.getrandbits(160):040x}" for _ in range(n)]
    subjects = [EN.title(rng, rng.randrange(3, 7)) for _ in range(n)]
    touched = [sorted(rng.sample(files, rng.choice((1, 1, 1, 2, 3)))) if i else files for i in range(n)]
    who = [EN.name(rng, 2) for _ in range(7)]
    author = [int(7 * rng.random() ** 2.5) for _ in range(n)]
    when = [date(2013, 1, 5) + timedelta(i * 9 + rng.randrange(8)) for i in range(n)]
    def since(f: str, i: int) -> int:
        return max(k for k in range(i + 1) if f in touched[k])
    def lines(f: str, i: int) -> list[str]:
        r = b.of("file", f)
        out = [EN.sent(r) if "." not in f else f"    {EN.rare(r).lower()}({EN.rare(r).lower()}, {r.randrange(64)});" for _ in range(r.randrange(20, 50))]
        for k in range(i + 1):
            if f in touched[k]:
                t = b.of("edit", f, k)
                out[t.randrange(len(out))] = f"    /* {EN.sent(t)} */"
        return out
    def page(title: str, body: str) -> str:
        tabs = " ".join(f"<a href='{h}'>{t}</a>" for h, t in (("/vorn/about/", "about"), ("/vorn/", "summary"), ("/vorn/log/", "log"), (f"/vorn/tree/?id={ids[-1]}", "tree")))
        return doc("en", f"{title} - vorn", f"<div id='cgit'><table id='header'><tr><td class='main'><a href='/'>index</a> : <a href='/vorn/'>vorn</a></td></tr></table><table class='tabs'><tr><td>{tabs}</td></tr></table><div class='content'>{body}</div><div class='footer'>generated by cgit v1.2.1</div></div>")
    def commit(rng: Random, i: int) -> str:
        rows = [("author", escape(f"{who[author[i]]} <{who[author[i]].split()[0].lower()}@example.org>")), ("committer", when[i]), ("commit", a(f"/vorn/commit/?id={ids[i]}", ids[i]) + " (" + a(f"/vorn/patch/?id={ids[i]}", "patch") + ")"), ("tree", a(f"/vorn/tree/?id={ids[i]}", f"{rng.getrandbits(160):040x}"))]
        if i:
            rows.append(("parent", a(f"/vorn/commit/?id={ids[i - 1]}", ids[i - 1]) + " (" + a(f"/vorn/diff/?id={ids[i]}&id2={ids[i - 1]}", "diff") + ")"))
        return page(subjects[i], table(rows) + f"<div class='commit-subject'>{subjects[i]}</div><div class='commit-msg'>{EN.prose(rng, 1)}</div>" + diffs(i))
    def diffs(i: int) -> str:
        return "".join(f"<div class='head'>diff --git a/{f} b/{f}</div><pre>@@ -{b.of(f, i).randrange(40)} +{b.of(f, i).randrange(40)} @@\n+    /* {EN.sent(b.of('edit', f, i))} */</pre>" for f in touched[i])
    def log(rng: Random, ofs: int) -> str:
        around = "".join(a("/vorn/log/" + (f"?ofs={o}" if o else ""), t) + " " for o, t in ((ofs - 50, "[prev]"), (ofs + 50, "[next]")) if 0 <= o < n)
        return page("log", table(((when[i], a(f"/vorn/commit/?id={ids[i]}", subjects[i]), who[author[i]]) for i in range(n - 1 - ofs, max(-1, n - 51 - ofs), -1)), ("Age", "Commit message", "Author")) + around)
    def tree(rng: Random, i: int) -> str:
        return page("tree", f"root: {a(f'/vorn/tree/?id={ids[i]}', ids[i][:12])}" + table((("-rw-r--r--", a(f"/vorn/tree/{f}?id={ids[i]}", f), 40 * len(f), a(f"/vorn/log/{f}", "log"), a(f"/vorn/plain/{f}?id={ids[since(f, i)]}", "plain")) for f in files), ("Mode", "Name", "Size", "", "")))
    def blob(rng: Random, i: int, f: str) -> str:
        text = lines(f, i)
        return page(f, f"path: {a(f'/vorn/tree/?id={ids[i]}', 'root')}/{f}<br>blob: {md5(''.join(text).encode()).hexdigest()}<table class='blob'><tr><td><pre>" + "\n".join(f"<a id='n{k}' href='#n{k}'>{k}</a>" for k in range(1, len(text) + 1)) + "</pre></td><td><pre>" + escape("\n".join(text)) + "</pre></td></tr></table>")
    def summary(rng: Random) -> str:
        return page("summary", table((when[i], a(f"/vorn/commit/?id={ids[i]}", subjects[i])) for i in range(n - 1, n - 11, -1)) + a("/vorn/log/", "[...]"))
    b.put("/", lambda rng: doc("en", "Git repositories", table([(a("/vorn/", "vorn"), EN.sent(rng))])))
    b.put("/vorn/", summary)
    b.put("/vorn/about/", lambda rng: page("about", EN.paras(rng, 4)))
    for ofs in range(0, n, 50):
        b.put("/vorn/log/" + (f"?ofs={ofs}" if ofs else ""), log, ofs)
    for f in files:
        b.put(f"/vorn/log/{f}", lambda rng, f: page(f"log {f}", table((when[i], a(f"/vorn/commit/?id={ids[i]}", subjects[i])) for i in range(n - 1, -1, -1) if f in touched[i])), f)
    for i in range(n):
        b.put(f"/vorn/commit/?id={ids[i]}", commit, i)
        b.put(f"/vorn/patch/?id={ids[i]}", lambda rng, i: plain(f"From {ids[i]} Mon Sep 17 00:00:00 2001\nFrom: {who[author[i]]}\nDate: {when[i]}\nSubject: {subjects[i]}\n\n---\n" + "".join(f"--- a/{f}\n+++ b/{f}\n+    /* {EN.sent(b.of('edit', f, i))} */\n" for f in touched[i])), i)
        b.put(f"/vorn/tree/?id={ids[i]}", tree, i)
        if i:
            b.put(f"/vorn/diff/?id={ids[i]}&id2={ids[i - 1]}", lambda rng, i: page("diff", diffs(i)), i)
        for f in files:
            b.put(f"/vorn/tree/{f}?id={ids[i]}", blob, i, f)
            if f in touched[i]:
                b.put(f"/vorn/plain/{f}?id={ids[i]}", lambda rng, i, f: plain("\n".join(lines(f, i))), i, f)


# 26 ----------------------------------------------------------------- a mailing list: each month by thread, subject, author and date
@honest(NEIGHBOUR_HONEST)
def lista_pinguino(b: Building) -> None:
    rng = b.of("mails")
    names = ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"]
    who = [IT.name(rng, 2) for _ in range(60)]
    months: dict[str, list[tuple[int, str, int, int | None]]] = {}
    number = 0
    for y in range(2001, 2007):
        for m in names:
            mails: list[tuple[int, str, int, int | None]] = []
            for _ in range(rng.randrange(3, 42)):
                to = rng.randrange(len(mails)) if mails and rng.random() < 0.6 else None
                mails.append((number, mails[to][1] if to is not None else IT.title(rng, rng.randrange(2, 6)), int(60 * rng.random() ** 2), to))
                number += 1
            months[f"{y}-{m}"] = mails
    orders = {"thread": "thread", "subject": "subject", "author": "author", "date": "date"}
    def index(rng: Random, d: str, by: str) -> str:
        mails = months[d]
        rows = sorted(mails, key={"thread": lambda x: (x[1], x[0]), "subject": lambda x: (x[1], x[0]), "author": lambda x: (who[x[2]], x[0]), "date": lambda x: x[0]}[by])
        nav = " ".join(f'<a href="{o}.html#start">[ {t} ]</a>' for o, t in orders.items() if o != by)
        items = "".join(("<UL>" if by == "thread" and x[3] is not None else "") + f'<LI><A HREF="{x[0]:06d}.html">[Pinguino] {x[1]}</A><A NAME="{x[0]}">&nbsp;</A> <I>{who[x[2]]}</I>' + ("</UL>" if by == "thread" and x[3] is not None else "") for x in rows)
        return f'<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN"><HTML><HEAD><title>The Pinguino {d} Archive by {by}</title><META NAME="robots" CONTENT="noindex,follow"></HEAD><BODY BGCOLOR="#ffffff"><h1>{d} Archives by {by}</h1><ul><li><b>Messages sorted by:</b> {nav}<li><b><a href="/">More info on this list...</a></b></ul><p><b>Messages:</b> {len(mails)}</p><ul>{items}</ul><i>This archive was generated by Pipermail 0.09 (Mailman edition).</i></BODY></HTML>'
    def mail(rng: Random, d: str, i: int) -> str:
        mails = months[d]
        k, subject, u, to = mails[i]
        near = "".join(f'<LI>{t}: <A HREF="{mails[j][0]:06d}.html">[Pinguino] {mails[j][1]}</A>' for j, t in ((i - 1, "Previous message"), (i + 1, "Next message")) if 0 <= j < len(mails))
        nav = "<UL>" + near + "<LI><B>Messages sorted by:</B> " + " ".join(f'<a href="{o}.html#{k}">[ {t} ]</a>' for o, t in orders.items()) + "</UL>"
        def said(x: int) -> str:
            return IT.prose(b.of("mail", mails[x][0]), 1 + x % 3)
        quoted = f"{who[mails[to][2]]} ha scritto:\n<i>&gt; {said(to)}</i>\n\n" if to is not None else ""
        return f'<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 3.2//EN"><HTML><HEAD><TITLE>[Pinguino] {subject}</TITLE><META NAME="robots" CONTENT="index,nofollow"></HEAD><BODY BGCOLOR="#ffffff"><H1>[Pinguino] {subject}</H1><B>{who[u]}</B><HR>{nav}<HR><PRE>{quoted}{said(i)}\n\n-- \n{who[u]}</PRE><HR>{nav}</BODY></HTML>'
    b.put("/", lambda rng: doc("it", "The Pinguino Archives", "<h1>The Pinguino Archives</h1>" + table([(f"{d.replace('-', ' ')}:", " ".join(a(f"/pipermail/pinguino/{d}/{o}.html", f"[ {o} ]") for o in orders), f"[ Gzip'd Text {len(m)} KB ]") for d, m in reversed(months.items())])))
    for d, mails in months.items():
        for o in orders:
            b.put(f"/pipermail/pinguino/{d}/{o}.html", index, d, o)
        for i, x in enumerate(mails):
            b.put(f"/pipermail/pinguino/{d}/{x[0]:06d}.html", mail, d, i)


# 27 ----------------------------------------------------------------- an old home page in windows-1251: 100 links on each page
@honest(NEIGHBOUR_HONEST)
def narod_biblioteka(b: Building) -> None:
    rng = b.of("books")
    books = [(f"{rng.choice('abcdefgklmnprstv')}{rng.choice('aeiou')}{rng.choice('klmnrst')}{i:02d}", RU.title(rng, 3), rng.randrange(2, 9)) for i in range(98)]
    nav = '<TABLE border=0><TR><TD valign=top width=180><FONT size=1><A HREF="/">ГЛАВНАЯ</A><BR>' + "<BR>".join(f'<A HREF="/{s}/index.htm">{escape(t)}</A>' for s, t, _ in books) + '<BR><A HREF="/guest.htm">Гостевая</A></FONT></TD><TD valign=top>'
    def page(title: str, body: str) -> Answer:
        text = f'<HTML><HEAD><TITLE>{title}</TITLE><META http-equiv=Content-Type content="text/html; charset=windows-1251"></HEAD><BODY bgcolor=#FFFFE0>{nav}<H2>{title}</H2>{body}</TD></TR></TABLE><HR>Сайт открыт 12 марта 1999 г. Лучше всего смотрится при 800x600.</BODY></HTML>'
        return Answer(200, {"Content-Type": "text/html; charset=windows-1251"}, text.encode("cp1251", "replace"))
    def chapter(rng: Random, k: int, i: int) -> Answer:
        s, t, n = books[k]
        near = "".join(f'<A HREF="{"index" if j == 0 else f"ch{j:02d}"}.htm">{x}</A> ' for j, x in ((i - 1, "&lt;&lt;"), (i + 1, "&gt;&gt;")) if j <= n)
        return page(f"{t}. Глава {i}", near + RU.paras(rng, rng.randrange(1, 4)) + near)
    b.put("/", lambda rng: page("Библиотека на Народе", RU.paras(rng, 1)))
    b.put("/guest.htm", lambda rng: page("Гостевая", RU.paras(rng, 6)))
    for k, (s, t, n) in enumerate(books):
        b.put(f"/{s}/index.htm", lambda rng, t, n: page(t, RU.paras(rng, 1) + " ".join(f'<A HREF="ch{i:02d}.htm">{i}</A>' for i in range(1, n + 1))), t, n)
        for i in range(1, n + 1):
            b.put(f"/{s}/ch{i:02d}.htm", chapter, k, i)


# 28 ----------------------------------------------------------------- a parliament: votes, members, and each member's each session
@honest(NEIGHBOUR_HONEST)
def sansad_bhot(b: Building) -> None:
    rng = b.of("house")
    members = [(BN.name(rng, 2), rng.randrange(5)) for _ in range(150)]
    parties = [BN.title(rng, 2) for _ in range(5)]
    votes = [(f"{y}/{i}", BN.title(rng, 5), [rng.random() < 0.5 for _ in parties]) for y in range(2009, 2014) for i in range(1, 61)]
    sessions = sorted({v[0].split("/")[0] for v in votes})
    what = {"y": "পক্ষে", "n": "বিপক্ষে", "x": "অনুপস্থিত"}
    def cast(m: int, k: int) -> str:
        r = b.of("cast", m, k).random()
        return "x" if r < 0.15 else "yn"[votes[k][2][members[m][1]] == (r < 0.93)]
    def page(title: str, body: str) -> str:
        return doc("bn", title, f'<div class="hdr"><a href="/">সংসদ ভোট</a> <a href="/members?sort=name">সদস্য</a> <a href="/votes">ভোট</a></div><h1>{title}</h1>{body}<div class="ftr">তথ্যসূত্র: সংসদ সচিবালয়।</div>')
    def vote(rng: Random, k: int) -> str:
        of = {m: cast(m, k) for m in range(150)}
        near = "".join(a(f"/vote/{votes[j][0]}", t) + " " for j, t in ((k - 1, "আগের"), (k + 1, "পরের")) if 0 <= j < len(votes))
        return page(votes[k][1], near + "".join(f"<h3>{t} {sum(v == x for v in of.values())}</h3>" for x, t in what.items()) + table((a(f"/member/{m + 1}", members[m][0]), what[of[m]]) for m in range(0, 150, 3)) + a(f"/vote/{votes[k][0]}/party", "দল"))
    def by_party(rng: Random, k: int) -> str:
        return page(f"{votes[k][1]} (দল)", table(((x, *(sum(cast(m, k) == v for m in range(150) if members[m][1] == p) for v in what)) for p, x in enumerate(parties)), ("", *what.values())) + a(f"/vote/{votes[k][0]}", "ভোট"))
    def member(rng: Random, m: int, s: str, only: str) -> str:
        if not s:
            return page(members[m][0], f"<p>{parties[members[m][1]]}</p>" + " ".join(a(f"/member/{m + 1}?session={y}", y) for y in sessions))
        rows = [(a(f"/vote/{v[0]}", v[1]), what[c]) for k, v in enumerate(votes) if v[0].startswith(s) for c in [cast(m, k)] if not only or c == only]
        return page(f"{members[m][0]} {s}", a(f"/member/{m + 1}?session={s}", "সব") + " " + " ".join(a(f"/member/{m + 1}?session={s}&vote={x}", t) for x, t in what.items()) + table(rows))
    def listing(rng: Random, sort: str) -> str:
        order = sorted(range(150), key=lambda m: members[m][0] if sort == "name" else (members[m][1], m))
        return page("সদস্য", " ".join(a(f"/members?sort={s}", s) for s in ("name", "party")) + ul(a(f"/member/{m + 1}", members[m][0]) + f" {parties[members[m][1]]}" for m in order))
    b.put("/", lambda rng: page("সংসদ ভোট", BN.paras(rng, 2)))
    b.put("/votes", lambda rng: page("ভোট", ul(a(f"/vote/{v[0]}", v[1]) for v in votes)))
    for s in ("name", "party"):
        b.put(f"/members?sort={s}", listing, s)
    for k, v in enumerate(votes):
        b.put(f"/vote/{v[0]}", vote, k)
        b.put(f"/vote/{v[0]}/party", by_party, k)
    for m in range(150):
        b.put(f"/member/{m + 1}", member, m, "", "")
        for s in sessions:
            for x in ("", *what):
                b.put(f"/member/{m + 1}?session={s}" + (f"&vote={x}" if x else ""), member, m, s, x)

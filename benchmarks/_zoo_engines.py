"""Sixteen made-up sites that behave as sites do that are run by real, widely used software, in sixteen languages.

By somebody who had read neither the rules nor the other sites (November 2026).

Each is a `Site` (of `_zoo`) and a function `wanted(seed)`: the URLs of all its honest pages, from the ids of its
content. `inside(url)` is true for what the software makes up by itself without end (or practically so). A few URLs are
neither: finite copies and downloads (a PDF, a feed, `/index.php` beside `/`).

What the content is depends on the seed; what real software varies (tokens, counters, times) varies with every visit.
"""

# ruff: noqa: RUF001, E501, C901, DTZ001, E741, PERF401, PLW2901 - other alphabets, and many kinds of pages a site
# fmt: off

from __future__ import annotations

import base64
import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from datetime import date, datetime, timedelta, timezone
from functools import lru_cache
from hashlib import md5, sha1
from html import escape
from random import Random
from types import SimpleNamespace
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from _zoo import HTML, Answer, Asked, Site

#: The day on which all these sites are seen.
NOW = date(2026, 11, 15)
ENGINES: list[tuple[Site, Callable[[int], set[str]]]] = []
#: What really varies from visit to visit.
CHANCE = Random()
_COUNTS: dict[str, int] = {}


def count(what: str) -> int:
    _COUNTS[what] = _COUNTS.get(what, 1000) + 1
    return _COUNTS[what]


def token(length: int = 32) -> str:
    return f"{CHANCE.getrandbits(4 * length):0{length}x}"


def secs() -> str:
    return f"{CHANCE.uniform(0.01, 0.4):.3f}"


def out(html: str, status: int = 200, kind: str = "", **headers: str) -> Answer:
    named = {key.replace("_", "-"): value for key, value in headers.items()}
    return Answer(status, {**HTML, **({"Content-Type": kind} if kind else {}), **named}, html.encode())


def move(to: str, status: int = 302) -> Answer:
    return out(
        f'<!DOCTYPE html><html><head><title>{status}</title></head><body><a href="{escape(to)}">{escape(to)}</a></body></html>',
        status,
        Location=to,
    )


@lru_cache(maxsize=200_000)
def esc(text: str) -> str:
    return escape(text)


def a(href: str, text: object, more: str = "") -> str:
    return f'<a href="{escape(href)}"{" " + more if more else ""}>{esc(str(text))}</a>'


def lis(links: list[str] | list[tuple[str, object]], css: str = "") -> str:
    items = "".join(f"<li>{link if isinstance(link, str) else a(*link)}</li>" for link in links)
    return f'<ul class="{css}">{items}</ul>' if css else f"<ul>{items}</ul>"


def q(path: str, *pairs: tuple[str, object], **more: object) -> str:
    told = [(key, value) for key, value in [*pairs, *more.items()] if value is not None]
    return f"{path}?{urlencode(told)}" if told else path


def put(pairs: list[tuple[str, str]], **new: object) -> list[tuple[str, object]]:
    """The same parameters, some set anew (None: left out)."""
    kept: list[tuple[str, object]] = [(key, new.pop(key) if key in new else value) for key, value in pairs]
    return [(key, value) for key, value in [*kept, *new.items()] if value is not None]


def num(text: str | None, default: int = 0) -> int:
    return int(text) if text and re.fullmatch(r"-?[0-9]{1,15}", text) else default


def say(rng: Random, words: list[str], n: int) -> str:
    """Some sentences of n words altogether."""
    text = []
    while n > 0:
        k = min(n, rng.randint(5, 12))
        sentence = " ".join(rng.choices(words, k=k))
        text.append(sentence[0].upper() + sentence[1:] + ".")
        n -= k
    return " ".join(text)


def paras(rng: Random, words: list[str], many: int, each: int = 40) -> str:
    return "".join(f"<p>{say(rng, words, rng.randint(each // 2, each * 3 // 2))}</p>" for _ in range(many))


def names(rng: Random, words: list[str], many: int, length: int = 3) -> list[str]:
    """So many titles, different in the ASCII letters of an address too."""
    found: dict[str, str] = {}
    while len(found) < many:
        text = " ".join(rng.sample(words, rng.randint(2, length)))
        found.setdefault(slug(text)[:60], text[0].upper() + text[1:])
    return list(found.values())


_PLAIN = str.maketrans(
    "ąćęłńóśźżçğıöşüãâáàéêíõúèìòùäåčďěňřšťůýžăîșțøæűőëđñ",
    "acelnoszzcgiosuaaaaeeiouei" + "ouaacdenrstuyzaistoa" + "uoedn",
)
_BG = dict(zip("абвгдежзийклмнопрстуфхцчшщъьюя", ["a", "b", "v", "g", "d", "e", "zh", "z", "i", "y", "k", "l", "m", "n", "o", "p", "r", "s", "t", "u", "f", "h", "ts", "ch", "sh", "sht", "a", "y", "yu", "ya"], strict=True))
_EL = dict(zip("αβγδεζηθικλμνξοπρσςτυφχψω", ["a", "v", "g", "d", "e", "z", "i", "th", "i", "k", "l", "m", "n", "x", "o", "p", "r", "s", "s", "t", "y", "f", "ch", "ps", "o"], strict=True))


@lru_cache(maxsize=50_000)
def slug(text: str) -> str:
    from unicodedata import normalize

    text = text.lower().translate(_PLAIN)
    text = "".join(c for c in normalize("NFD", text) if not "\u0300" <= c <= "\u036f")
    text = "".join(_BG.get(c) or _EL.get(c) or c for c in text)
    return re.sub(r"[^a-z0-9]+", "-", text).strip("-") or "x"


def ymd(year: object, month: object = 1, day: object = 1) -> date | None:
    try:
        found = date(int(str(year)), int(str(month)), int(str(day)))
    except ValueError:
        return None
    return found if 1000 < found.year < 9000 else None


def iso(text: str | None) -> date | None:
    return ymd(*text.split("-")) if text and re.fullmatch(r"\d{4}-\d\d?-\d\d?", text) else None


def plus(day: date, days: int) -> date:
    return day + timedelta(days)


def months(day: date, by: int) -> date:
    at = day.year * 12 + day.month - 1 + by
    return date(at // 12, at % 12 + 1, 1)


def weeks(day: date) -> list[list[date]]:
    """The weeks that a month's calendar shows."""
    first = day.replace(day=1)
    monday = first - timedelta(first.weekday())
    end = months(day, 1)
    shown = []
    while monday < end:
        shown.append([monday + timedelta(n) for n in range(7)])
        monday += timedelta(7)
    return shown


def stamp(day: date) -> int:
    return int(datetime(day.year, day.month, day.day, tzinfo=timezone.utc).timestamp())


def hexa(*what: object, length: int = 40) -> str:
    return sha1(repr(what).encode()).hexdigest()[:length]


def uuid(*what: object) -> str:
    h = md5(repr(what).encode()).hexdigest()
    return f"{h[:8]}-{h[8:12]}-4{h[13:16]}-a{h[17:20]}-{h[20:32]}"


def rest(url: str) -> str:
    """The path and the query of a URL."""
    parts = urlsplit(url)
    return f"{parts.path}?{parts.query}" if parts.query else parts.path


def keys(url: str) -> set[str]:
    return {key for key, _ in parse_qsl(urlsplit(url).query, keep_blank_values=True)}


def engine(
    name: str,
    page: Callable[[Asked], Answer | None],
    inside: Callable[[str], bool],
    wanted: Callable[[int], set[str]],
    start: str = "/",
) -> None:
    """Register a site. `wanted` gives paths."""
    site = Site(f"eng-{name}", page, start, True, inside, random=True, hosted=False)
    home = f"http://{site.domain}"

    @lru_cache(maxsize=4)
    def urls(seed: int) -> frozenset[str]:
        return frozenset(home + path for path in wanted(seed))

    ENGINES.append((site, lambda seed: set(urls(seed))))


def pager(at: int, last: int, link: Callable[[int], str], before: str, after: str) -> str:
    """Links to pages 1 to last."""
    shown = sorted({1, 2, at - 2, at - 1, at, at + 1, at + 2, last - 1, last} & set(range(1, last + 1)))
    told = [f'<span class="current">{n}</span>' if n == at else a(link(n), n) for n in shown]
    if at > 1:
        told.insert(0, a(link(at - 1), before, 'rel="prev" class="prev"'))
    if at < last:
        told.append(a(link(at + 1), after, 'rel="next" class="next"'))
    return f'<div class="pagination">{" ".join(told)}</div>' if last > 1 else ""


# The words

PL = ["człowiek", "rok", "czas", "dzień", "miasto", "rzeka", "góra", "las", "zamek", "kościół", "droga", "most", "wieś", "powiat", "gmina", "stolica", "historia", "wojna", "król", "książę", "bitwa", "traktat", "język", "literatura", "poeta", "powieść", "malarz", "obraz", "muzyka", "kompozytor", "opera", "teatr", "aktor", "film", "reżyser", "nauka", "fizyka", "chemia", "biologia", "roślina", "zwierzę", "ptak", "ryba", "drzewo", "kwiat", "owoc", "kamień", "minerał", "metal", "złoto", "srebro", "żelazo", "węgiel", "woda", "powietrze", "ogień", "ziemia", "niebo", "gwiazda", "planeta", "księżyc", "słońce", "morze", "ocean", "wyspa", "półwysep", "jezioro", "dolina", "pustynia", "klimat", "deszcz", "śnieg", "wiatr", "burza", "lato", "zima", "wiosna", "jesień", "dom", "dach", "okno", "drzwi", "ulica", "plac", "rynek", "szkoła", "uniwersytet", "student", "nauczyciel", "książka", "biblioteka", "muzeum", "wystawa", "kolekcja", "prawo", "ustawa", "sąd", "sejm", "senat", "rząd", "minister", "prezydent", "partia", "wybory", "urząd", "policja", "wojsko", "żołnierz", "oficer", "generał", "okręt", "samolot", "pociąg", "kolej", "stacja", "fabryka", "przemysł", "handel", "rolnictwo", "zboże", "chleb", "mleko", "ser", "mięso", "wino", "piwo", "sól", "cukier", "gospodarka", "pieniądz", "bank", "cena", "podatek", "praca", "robotnik", "rzemiosło", "stary", "nowy", "duży", "mały", "wysoki", "niski", "długi", "krótki", "szeroki", "północny", "południowy", "wschodni", "zachodni", "polski", "dawny", "współczesny", "znany", "ważny", "pierwszy", "ostatni", "główny", "publiczny", "naukowy", "oraz", "także", "który", "został", "była", "jest", "od", "do", "przez", "między", "około"]
TR = ["insan", "gün", "yıl", "zaman", "şehir", "köy", "dağ", "deniz", "ırmak", "göl", "orman", "ağaç", "çiçek", "kuş", "balık", "kedi", "köpek", "ev", "kapı", "pencere", "yol", "köprü", "araba", "uçak", "tren", "gemi", "bilgisayar", "yazılım", "program", "dosya", "klasör", "ekran", "klavye", "fare", "kablo", "telefon", "internet", "sunucu", "bağlantı", "hata", "sorun", "çözüm", "yardım", "soru", "cevap", "konu", "mesaj", "forum", "üye", "yönetici", "kurulum", "güncelleme", "sürüm", "ayar", "parola", "hesap", "güvenlik", "yedek", "veri", "tablo", "sayfa", "resim", "video", "müzik", "oyun", "oyuncu", "takım", "maç", "futbol", "gol", "lig", "kupa", "okul", "öğretmen", "öğrenci", "sınav", "kitap", "kalem", "defter", "ders", "üniversite", "hastane", "doktor", "ilaç", "sağlık", "yemek", "ekmek", "su", "çay", "kahve", "süt", "peynir", "et", "sebze", "meyve", "elma", "üzüm", "tuz", "şeker", "biber", "pazar", "dükkân", "para", "banka", "fiyat", "vergi", "iş", "işçi", "fabrika", "tarım", "bahçe", "toprak", "hava", "yağmur", "kar", "rüzgâr", "güneş", "ay", "yıldız", "gökyüzü", "sabah", "akşam", "gece", "bugün", "yarın", "dün", "eski", "yeni", "büyük", "küçük", "uzun", "kısa", "geniş", "dar", "güzel", "kötü", "iyi", "hızlı", "yavaş", "sıcak", "soğuk", "kolay", "zor", "açık", "kapalı", "ben", "sen", "biz", "siz", "onlar", "ve", "veya", "ama", "çünkü", "için", "ile", "gibi", "kadar", "sonra", "önce", "şimdi", "burada", "orada", "nasıl", "neden", "hangi", "kim", "çok", "az", "daha", "en", "hiç", "belki", "tamam", "lütfen", "teşekkürler", "arkadaşlar"]
PT = ["homem", "mulher", "cidade", "rua", "praça", "casa", "porta", "janela", "rio", "mar", "praia", "ilha", "serra", "floresta", "árvore", "flor", "fruto", "pão", "vinho", "queijo", "peixe", "carne", "sopa", "café", "leite", "açúcar", "sal", "mesa", "cadeira", "livro", "escola", "professor", "aluno", "universidade", "ciência", "história", "poeta", "romance", "música", "canção", "concerto", "teatro", "cinema", "filme", "ator", "pintura", "exposição", "museu", "biblioteca", "festa", "tradição", "dança", "cultura", "arte", "artista", "projeto", "oficina", "encontro", "semana", "mês", "ano", "dia", "manhã", "tarde", "noite", "hora", "tempo", "chuva", "vento", "sol", "lua", "estrela", "céu", "terra", "água", "fogo", "viagem", "caminho", "ponte", "estrada", "comboio", "barco", "avião", "carro", "bicicleta", "estação", "aldeia", "concelho", "freguesia", "câmara", "governo", "lei", "direito", "voto", "eleição", "partido", "ministro", "presidente", "saúde", "hospital", "médico", "enfermeiro", "remédio", "trabalho", "empresa", "loja", "mercado", "preço", "dinheiro", "banco", "imposto", "campo", "agricultura", "trigo", "oliveira", "vinha", "cavalo", "gato", "cão", "pássaro", "amigo", "família", "pai", "mãe", "filho", "filha", "irmão", "avó", "criança", "jovem", "velho", "novo", "grande", "pequeno", "alto", "baixo", "longo", "curto", "largo", "belo", "bom", "mau", "rápido", "lento", "quente", "frio", "fácil", "difícil", "aberto", "fechado", "público", "local", "nacional", "primeiro", "último", "antigo", "moderno", "sobre", "entre", "desde", "até", "para", "com", "sem", "por", "mais", "menos", "muito", "pouco", "também", "ainda", "agora", "sempre", "nunca", "aqui", "ali", "onde", "quando", "porque"]
EN = ["about", "above", "account", "across", "action", "actual", "address", "after", "again", "agent", "allow", "almost", "alone", "along", "already", "although", "always", "amount", "answer", "anyone", "anything", "appear", "area", "argue", "around", "article", "author", "back", "balance", "base", "basic", "beautiful", "become", "before", "begin", "behind", "believe", "benefit", "better", "between", "beyond", "board", "body", "book", "border", "both", "bottom", "branch", "break", "bridge", "brief", "bring", "broken", "browser", "buffer", "build", "button", "cache", "call", "capture", "carry", "case", "cause", "center", "central", "chance", "change", "channel", "chapter", "check", "child", "choose", "circle", "class", "clean", "clear", "client", "close", "cloud", "code", "collect", "color", "column", "combine", "command", "comment", "common", "compare", "complete", "concern", "config", "connect", "consider", "contain", "content", "context", "control", "convert", "copy", "corner", "correct", "count", "course", "cover", "create", "current", "custom", "danger", "daily", "data", "debug", "decide", "deep", "default", "define", "delay", "delete", "deploy", "design", "detail", "device", "differ", "direct", "discuss", "display", "document", "domain", "double", "drive", "during", "early", "easy", "edge", "editor", "effect", "either", "empty", "enable", "engine", "enough", "ensure", "entire", "entry", "error", "event", "every", "exact", "example", "except", "exist", "expect", "explain", "export", "extra", "face", "factor", "fail", "fall", "family", "fast", "feature", "field", "figure", "file", "filter", "final", "find", "first", "fix", "flag", "flow", "follow", "force", "format", "forward", "found", "frame", "free", "fresh", "front", "full", "future", "garden", "gather", "general", "given", "global", "goal", "grand", "great", "green", "group", "growth", "guide", "handle", "happen", "hard", "header", "heavy", "help", "hidden", "high", "history", "hold", "home", "host", "hour", "house", "human", "idea", "image", "import", "improve", "include", "index", "inner", "input", "install", "instead", "issue", "item", "join", "keep", "kernel", "key", "kind", "known", "large", "later", "layer", "lead", "learn", "leave", "legacy", "length", "level", "library", "light", "limit", "line", "link", "list", "little", "local", "lock", "logic", "long", "loop", "lower", "machine", "main", "manage", "manual", "map", "mark", "master", "match", "matter", "maybe", "member", "memory", "merge", "message", "method", "middle", "minor", "mode", "model", "module", "moment", "month", "more", "most", "mount", "move", "name", "narrow", "native", "near", "need", "network", "never", "next", "night"]
IT = ["uomo", "donna", "città", "strada", "piazza", "casa", "porta", "finestra", "fiume", "mare", "spiaggia", "isola", "montagna", "bosco", "albero", "fiore", "frutto", "pane", "vino", "formaggio", "pesce", "carne", "zuppa", "caffè", "latte", "zucchero", "sale", "tavolo", "sedia", "libro", "scuola", "giacca", "pantaloni", "camicia", "maglione", "scarpe", "stivali", "cappello", "guanti", "sciarpa", "cintura", "borsa", "zaino", "cotone", "lana", "lino", "seta", "pelle", "velluto", "bottone", "tasca", "cerniera", "manica", "collo", "tessuto", "colore", "rosso", "verde", "bianco", "nero", "giallo", "azzurro", "marrone", "grigio", "rosa", "taglia", "misura", "larghezza", "altezza", "peso", "prezzo", "sconto", "offerta", "negozio", "cliente", "ordine", "spedizione", "pagamento", "carrello", "reso", "garanzia", "marca", "qualità", "stile", "moda", "classico", "moderno", "elegante", "sportivo", "comodo", "leggero", "pesante", "morbido", "resistente", "impermeabile", "caldo", "freddo", "fresco", "asciutto", "bello", "buono", "grande", "piccolo", "lungo", "corto", "alto", "basso", "largo", "stretto", "nuovo", "vecchio", "primo", "ultimo", "migliore", "perfetto", "ideale", "adatto", "giorno", "notte", "mattina", "sera", "anno", "mese", "settimana", "ora", "tempo", "pioggia", "vento", "sole", "luna", "stella", "cielo", "terra", "acqua", "fuoco", "viaggio", "cammino", "ponte", "treno", "barca", "aereo", "macchina", "bicicletta", "stazione", "paese", "famiglia", "padre", "madre", "figlio", "figlia", "fratello", "nonna", "bambino", "ragazzo", "amico", "lavoro", "mano", "piede", "testa", "occhio", "corpo", "movimento", "allenamento", "corsa", "palestra", "montatura", "lacci", "suola", "tacco", "cappuccio", "fodera", "rete", "taschino", "con", "senza", "per", "sopra", "sotto", "tra", "fra", "molto", "poco", "anche", "ancora", "sempre", "mai", "qui", "dove", "quando"]
ES = ["estudio", "análisis", "sistema", "método", "modelo", "teoría", "práctica", "desarrollo", "evaluación", "investigación", "ciencia", "tecnología", "ingeniería", "medicina", "biología", "química", "física", "matemática", "historia", "filosofía", "derecho", "economía", "educación", "sociedad", "cultura", "política", "lengua", "literatura", "arte", "música", "ciudad", "región", "país", "territorio", "población", "mujer", "hombre", "niño", "joven", "familia", "salud", "enfermedad", "tratamiento", "hospital", "paciente", "escuela", "universidad", "profesor", "estudiante", "aprendizaje", "enseñanza", "lectura", "escritura", "libro", "texto", "discurso", "memoria", "identidad", "género", "trabajo", "empresa", "mercado", "producción", "consumo", "precio", "costo", "energía", "agua", "suelo", "aire", "clima", "lluvia", "temperatura", "río", "lago", "mar", "costa", "montaña", "bosque", "planta", "animal", "ave", "pez", "insecto", "célula", "proteína", "gen", "virus", "bacteria", "muestra", "dato", "resultado", "prueba", "variable", "efecto", "causa", "relación", "proceso", "estructura", "función", "cambio", "crecimiento", "calidad", "riesgo", "control", "gestión", "plan", "proyecto", "programa", "diseño", "construcción", "edificio", "puente", "vivienda", "transporte", "red", "señal", "imagen", "sensor", "algoritmo", "software", "aplicación", "usuario", "servicio", "información", "comunicación", "internet", "medio", "periodo", "siglo", "año", "mes", "época", "antiguo", "moderno", "nuevo", "principal", "general", "local", "nacional", "social", "público", "privado", "rural", "urbano", "sostenible", "ambiental", "clínico", "digital", "humano", "natural", "sobre", "entre", "desde", "hasta", "para", "con", "sin", "según", "durante", "mediante", "como", "más", "menos", "también", "aún", "siempre", "nunca", "donde", "cuando", "porque", "hacia", "aplicación", "caso", "propuesta", "revisión", "aproximación", "impacto", "influencia", "factores"]
FI = ["ihminen", "vuosi", "päivä", "aika", "kaupunki", "kylä", "joki", "järvi", "meri", "saari", "metsä", "puu", "kukka", "marja", "sieni", "lintu", "kala", "karhu", "susi", "hirvi", "koira", "kissa", "hevonen", "lehmä", "talo", "ovi", "ikkuna", "katto", "tie", "silta", "vene", "laiva", "juna", "auto", "lentokone", "pyörä", "koulu", "opettaja", "oppilas", "yliopisto", "kirja", "kirjasto", "lehti", "runo", "romaani", "kirjailija", "tarina", "satu", "laulu", "musiikki", "soitin", "viulu", "teatteri", "näyttelijä", "elokuva", "taide", "maalaus", "kuva", "museo", "näyttely", "historia", "sota", "rauha", "kuningas", "presidentti", "laki", "oikeus", "vaalit", "puolue", "ministeri", "hallitus", "kunta", "terveys", "sairaala", "lääkäri", "hoito", "lääke", "työ", "yritys", "kauppa", "hinta", "raha", "pankki", "vero", "maatalous", "pelto", "vilja", "leipä", "maito", "juusto", "liha", "kala", "suola", "sokeri", "kahvi", "tee", "vesi", "tuli", "maa", "taivas", "tähti", "kuu", "aurinko", "sade", "lumi", "jää", "tuuli", "myrsky", "kesä", "talvi", "kevät", "syksy", "aamu", "ilta", "yö", "viikko", "kuukausi", "tunti", "hetki", "isä", "äiti", "poika", "tyttö", "veli", "sisar", "isoäiti", "lapsi", "nuori", "vanha", "uusi", "suuri", "pieni", "pitkä", "lyhyt", "korkea", "matala", "leveä", "kapea", "kaunis", "hyvä", "paha", "nopea", "hidas", "lämmin", "kylmä", "helppo", "vaikea", "avoin", "suljettu", "pohjoinen", "eteläinen", "itäinen", "läntinen", "suomalainen", "ensimmäinen", "viimeinen", "ja", "tai", "mutta", "koska", "kun", "jos", "vaan", "myös", "vielä", "nyt", "aina", "koskaan", "täällä", "siellä", "missä", "mikä", "kuka", "miksi", "miten", "kanssa", "ilman", "ennen", "jälkeen", "yli", "ali"]
CS = ["člověk", "rok", "čas", "den", "město", "vesnice", "řeka", "hora", "les", "zámek", "kostel", "cesta", "most", "dům", "dveře", "okno", "ulice", "náměstí", "škola", "učitel", "žák", "kniha", "knihovna", "muzeum", "výstava", "zákon", "soud", "vláda", "ministr", "prezident", "strana", "volby", "úřad", "policie", "vojsko", "loď", "letadlo", "vlak", "nádraží", "továrna", "průmysl", "obchod", "zemědělství", "obilí", "chléb", "mléko", "sýr", "maso", "víno", "pivo", "sůl", "cukr", "peníze", "banka", "cena", "daň", "práce", "dělník", "starý", "nový", "velký", "malý", "vysoký", "nízký", "dlouhý", "krátký", "široký", "severní", "jižní", "východní", "západní", "chyba", "oprava", "verze", "vydání", "soubor", "složka", "modul", "funkce", "třída", "metoda", "parametr", "hodnota", "řetězec", "seznam", "tabulka", "databáze", "dotaz", "index", "klíč", "server", "klient", "spojení", "síť", "protokol", "zpráva", "odpověď", "požadavek", "uživatel", "heslo", "účet", "přihlášení", "oprávnění", "nastavení", "instalace", "aktualizace", "záloha", "obnova", "zápis", "čtení", "paměť", "procesor", "disk", "obrazovka", "klávesnice", "tlačítko", "okraj", "písmo", "barva", "obrázek", "ikona", "nabídka", "stránka", "odkaz", "formulář", "pole", "text", "překlad", "jazyk", "čeština", "znak", "kódování", "ladění", "test", "výsledek", "výkon", "rychlost", "zátěž", "zámek", "vlákno", "proces", "událost", "časovač", "fronta", "zásobník", "strom", "uzel", "hrana", "cyklus", "podmínka", "výjimka", "výpis", "záznam", "popis", "návod", "příklad", "ukázka", "poznámka", "komentář", "kontrola", "změna", "rozdíl", "větev", "sloučení", "revize", "vývoj", "plán", "úkol", "termín", "milník", "priorita", "komponenta", "nebo", "ale", "protože", "když", "pokud", "také", "ještě", "nyní", "vždy", "nikdy", "zde", "tam", "kde", "jak", "proč", "který"]
RO = ["om", "an", "zi", "timp", "oraș", "sat", "râu", "munte", "pădure", "copac", "floare", "pasăre", "pește", "câine", "pisică", "cal", "casă", "ușă", "fereastră", "drum", "pod", "mașină", "tren", "avion", "corabie", "școală", "profesor", "elev", "universitate", "carte", "bibliotecă", "muzeu", "istorie", "război", "pace", "rege", "președinte", "lege", "drept", "alegeri", "partid", "ministru", "guvern", "primărie", "sănătate", "spital", "medic", "leac", "muncă", "firmă", "piață", "preț", "bani", "bancă", "impozit", "agricultură", "câmp", "grâu", "pâine", "lapte", "brânză", "carne", "sare", "zahăr", "cafea", "ceai", "apă", "foc", "pământ", "cer", "stea", "lună", "soare", "ploaie", "zăpadă", "vânt", "furtună", "vară", "iarnă", "primăvară", "toamnă", "dimineață", "seară", "noapte", "săptămână", "oră", "clipă", "tată", "mamă", "fiu", "fiică", "frate", "soră", "bunică", "copil", "tânăr", "bătrân", "nou", "mare", "mic", "lung", "scurt", "înalt", "scund", "larg", "îngust", "frumos", "bun", "rău", "repede", "încet", "cald", "rece", "ușor", "greu", "deschis", "închis", "mesaj", "listă", "server", "pachet", "versiune", "eroare", "soluție", "problemă", "întrebare", "răspuns", "fișier", "dosar", "program", "cod", "sursă", "bibliotecă", "funcție", "modul", "test", "compilare", "instalare", "configurare", "rețea", "conexiune", "parolă", "cont", "utilizator", "administrator", "sistem", "nucleu", "memorie", "disc", "ecran", "tastatură", "document", "traducere", "limbă", "text", "pagină", "legătură", "imagine", "sunet", "film", "muzică", "și", "sau", "dar", "pentru", "că", "dacă", "când", "unde", "cum", "cine", "ce", "care", "foarte", "mult", "puțin", "mai", "tot", "încă", "acum", "mereu", "niciodată", "aici", "acolo", "prin", "peste", "sub", "între", "fără", "cu", "de", "la", "din", "spre", "după", "înainte", "salut", "mulțumesc"]
NO = ["menneske", "år", "dag", "tid", "by", "bygd", "elv", "fjell", "skog", "tre", "blomst", "fugl", "fisk", "hund", "katt", "hest", "ku", "hus", "dør", "vindu", "tak", "vei", "bro", "båt", "skip", "tog", "bil", "fly", "sykkel", "skole", "lærer", "elev", "universitet", "bok", "bibliotek", "museum", "historie", "krig", "fred", "konge", "president", "lov", "rett", "valg", "parti", "minister", "regjering", "kommune", "helse", "sykehus", "lege", "medisin", "arbeid", "bedrift", "butikk", "pris", "penger", "bank", "skatt", "gård", "åker", "korn", "brød", "melk", "ost", "kjøtt", "salt", "sukker", "kaffe", "te", "vann", "ild", "jord", "himmel", "stjerne", "måne", "sol", "regn", "snø", "vind", "storm", "sommer", "vinter", "vår", "høst", "morgen", "kveld", "natt", "uke", "måned", "time", "far", "mor", "sønn", "datter", "bror", "søster", "bestemor", "barn", "ung", "gammel", "ny", "stor", "liten", "lang", "kort", "høy", "lav", "bred", "smal", "vakker", "god", "dårlig", "rask", "langsom", "varm", "kald", "lett", "vanskelig", "åpen", "lukket", "født", "døpt", "gift", "død", "begravet", "gårdbruker", "fisker", "sjømann", "smed", "snekker", "skredder", "handelsmann", "prest", "klokker", "lensmann", "soldat", "husmann", "tjener", "budeie", "enke", "enkemann", "slekt", "familie", "kirkebok", "folketelling", "skifte", "utvandret", "flyttet", "bodde", "eide", "kjøpte", "solgte", "arvet", "bygde", "reiste", "sokn", "prestegjeld", "kirke", "kapell", "gravplass", "minne", "brev", "bilde", "kilde", "opplysning", "usikker", "omtrent", "før", "etter", "nord", "sør", "øst", "vest", "fjord", "vik", "nes", "holme", "øy", "dal", "li", "myr", "eng", "hage", "brygge", "naust", "sjø", "hav", "strand", "og", "eller", "men", "fordi", "når", "hvis", "også", "ennå", "nå", "alltid", "aldri", "her", "der", "hvor", "hva", "hvem", "hvorfor", "hvordan", "med", "uten", "mellom", "over", "under"]
BG = ["човек", "година", "ден", "време", "град", "село", "река", "планина", "гора", "дърво", "цвете", "птица", "риба", "куче", "котка", "кон", "къща", "врата", "прозорец", "път", "мост", "кола", "влак", "самолет", "кораб", "училище", "учител", "ученик", "университет", "книга", "библиотека", "музей", "история", "война", "мир", "цар", "президент", "закон", "право", "избори", "партия", "министър", "правителство", "община", "здраве", "болница", "лекар", "лекарство", "работа", "фирма", "магазин", "цена", "пари", "банка", "данък", "поле", "жито", "хляб", "мляко", "сирене", "месо", "сол", "захар", "кафе", "чай", "вода", "огън", "земя", "небе", "звезда", "луна", "слънце", "дъжд", "сняг", "вятър", "буря", "лято", "зима", "пролет", "есен", "сутрин", "вечер", "нощ", "седмица", "месец", "час", "баща", "майка", "син", "дъщеря", "брат", "сестра", "баба", "дете", "млад", "стар", "нов", "голям", "малък", "дълъг", "къс", "висок", "нисък", "широк", "тесен", "красив", "добър", "лош", "бърз", "бавен", "топъл", "студен", "лесен", "труден", "отворен", "затворен", "грешка", "поправка", "версия", "файл", "папка", "модул", "функция", "клас", "метод", "параметър", "стойност", "низ", "списък", "таблица", "база", "заявка", "индекс", "ключ", "сървър", "клиент", "връзка", "мрежа", "протокол", "съобщение", "отговор", "потребител", "парола", "профил", "вход", "настройка", "инсталация", "обновяване", "архив", "запис", "четене", "памет", "процесор", "диск", "екран", "бутон", "шрифт", "цвят", "снимка", "икона", "меню", "страница", "форма", "поле", "текст", "превод", "език", "символ", "тест", "резултат", "скорост", "нишка", "процес", "събитие", "опашка", "дърво", "възел", "цикъл", "условие", "изключение", "описание", "пример", "бележка", "коментар", "промяна", "разлика", "клон", "ревизия", "план", "задача", "срок", "приоритет", "и", "или", "но", "защото", "когато", "ако", "също", "още", "сега", "винаги", "никога", "тук", "там", "къде"]
EL = ["άνθρωπος", "χρόνος", "ημέρα", "ώρα", "πόλη", "χωριό", "ποτάμι", "βουνό", "δάσος", "δέντρο", "λουλούδι", "πουλί", "ψάρι", "σπίτι", "πόρτα", "παράθυρο", "δρόμος", "γέφυρα", "αυτοκίνητο", "τρένο", "αεροπλάνο", "πλοίο", "σχολείο", "δάσκαλος", "μαθητής", "πανεπιστήμιο", "βιβλίο", "βιβλιοθήκη", "μουσείο", "ιστορία", "πόλεμος", "ειρήνη", "βασιλιάς", "πρόεδρος", "νόμος", "δίκαιο", "εκλογές", "κόμμα", "υπουργός", "κυβέρνηση", "δήμος", "υγεία", "νοσοκομείο", "γιατρός", "φάρμακο", "εργασία", "εταιρεία", "αγορά", "τιμή", "χρήμα", "τράπεζα", "φόρος", "χωράφι", "σιτάρι", "ψωμί", "γάλα", "τυρί", "κρέας", "αλάτι", "ζάχαρη", "καφές", "τσάι", "νερό", "φωτιά", "γη", "ουρανός", "αστέρι", "φεγγάρι", "ήλιος", "βροχή", "χιόνι", "άνεμος", "καταιγίδα", "καλοκαίρι", "χειμώνας", "άνοιξη", "φθινόπωρο", "πρωί", "βράδυ", "νύχτα", "εβδομάδα", "μήνας", "πατέρας", "μητέρα", "γιος", "κόρη", "αδελφός", "αδελφή", "γιαγιά", "παιδί", "νέος", "παλιός", "μεγάλος", "μικρός", "μακρύς", "κοντός", "ψηλός", "χαμηλός", "πλατύς", "στενός", "όμορφος", "καλός", "κακός", "γρήγορος", "αργός", "ζεστός", "κρύος", "εύκολος", "δύσκολος", "ανοιχτός", "κλειστός", "δεδομένα", "σύνολο", "πίνακας", "αρχείο", "στοιχεία", "μέτρηση", "σταθμός", "δείκτης", "στατιστική", "έρευνα", "απογραφή", "πληθυσμός", "περιφέρεια", "υπηρεσία", "φορέας", "δαπάνη", "προϋπολογισμός", "σύμβαση", "προμήθεια", "έργο", "μεταφορές", "κυκλοφορία", "λιμάνι", "αεροδρόμιο", "ενέργεια", "κατανάλωση", "παραγωγή", "ηλεκτρισμός", "ποιότητα", "περιβάλλον", "ρύπανση", "απόβλητα", "ανακύκλωση", "θερμοκρασία", "χάρτης", "όρια", "κτηματολόγιο", "τουρισμός", "ξενοδοχείο", "επισκέπτης", "πολιτισμός", "μνημείο", "εκπαίδευση", "απασχόληση", "ανεργία", "επιχείρηση", "εισαγωγή", "εξαγωγή", "γεωργία", "αλιεία", "και", "ή", "αλλά", "γιατί", "όταν", "αν", "επίσης", "ακόμα", "τώρα", "πάντα", "ποτέ", "εδώ", "εκεί", "πού", "πώς", "ποιος"]
ID = ["orang", "tahun", "hari", "waktu", "kota", "desa", "sungai", "gunung", "hutan", "pohon", "bunga", "burung", "ikan", "anjing", "kucing", "kuda", "rumah", "pintu", "jendela", "jalan", "jembatan", "mobil", "kereta", "pesawat", "kapal", "sekolah", "guru", "murid", "universitas", "buku", "perpustakaan", "museum", "sejarah", "perang", "damai", "raja", "presiden", "hukum", "pemilihan", "partai", "menteri", "pemerintah", "kesehatan", "rumah", "sakit", "dokter", "obat", "kerja", "perusahaan", "pasar", "harga", "uang", "bank", "pajak", "sawah", "padi", "beras", "susu", "keju", "daging", "garam", "gula", "kopi", "teh", "air", "api", "bumi", "langit", "bintang", "bulan", "matahari", "hujan", "angin", "badai", "pagi", "siang", "malam", "minggu", "jam", "ayah", "ibu", "anak", "saudara", "nenek", "muda", "tua", "baru", "besar", "kecil", "panjang", "pendek", "tinggi", "rendah", "lebar", "sempit", "indah", "baik", "buruk", "cepat", "lambat", "panas", "dingin", "mudah", "sulit", "terbuka", "tertutup", "belajar", "mengajar", "kuliah", "dosen", "mahasiswa", "tugas", "ujian", "nilai", "kelas", "modul", "materi", "bab", "latihan", "soal", "jawaban", "diskusi", "forum", "kelompok", "laporan", "penelitian", "metode", "teori", "praktik", "analisis", "data", "hasil", "kesimpulan", "rumus", "fungsi", "variabel", "program", "algoritma", "jaringan", "basis", "bahasa", "kalimat", "kata", "makna", "tulisan", "bacaan", "pidato", "seni", "musik", "tari", "lukisan", "budaya", "adat", "masyarakat", "ekonomi", "politik", "filsafat", "agama", "psikologi", "biologi", "kimia", "fisika", "matematika", "statistika", "geografi", "teknik", "mesin", "listrik", "bangunan", "pertanian", "kehutanan", "kelautan", "perikanan", "dan", "atau", "tetapi", "karena", "ketika", "jika", "juga", "masih", "sekarang", "selalu", "tidak", "pernah", "di", "sini", "sana", "mana", "apa", "siapa", "mengapa", "bagaimana", "dengan", "tanpa", "antara", "atas", "bawah", "untuk", "dari", "pada", "oleh", "sebagai"]
HU = ["ember", "év", "nap", "idő", "város", "falu", "folyó", "hegy", "erdő", "fa", "virág", "madár", "hal", "kutya", "macska", "ló", "ház", "ajtó", "ablak", "út", "híd", "autó", "vonat", "repülő", "hajó", "iskola", "tanár", "diák", "egyetem", "könyv", "könyvtár", "múzeum", "történelem", "háború", "béke", "király", "elnök", "törvény", "jog", "választás", "párt", "miniszter", "kormány", "önkormányzat", "egészség", "kórház", "orvos", "gyógyszer", "munka", "cég", "bolt", "ár", "pénz", "bank", "adó", "mező", "búza", "kenyér", "tej", "sajt", "hús", "só", "cukor", "kávé", "tea", "víz", "tűz", "föld", "ég", "csillag", "hold", "nap", "eső", "hó", "szél", "vihar", "nyár", "tél", "tavasz", "ősz", "reggel", "este", "éjszaka", "hét", "hónap", "óra", "apa", "anya", "fiú", "lány", "testvér", "nagymama", "gyerek", "fiatal", "öreg", "új", "nagy", "kicsi", "hosszú", "rövid", "magas", "alacsony", "széles", "keskeny", "szép", "jó", "rossz", "gyors", "lassú", "meleg", "hideg", "könnyű", "nehéz", "nyitott", "zárt", "képviselő", "testület", "határozat", "rendelet", "bizottság", "ülés", "napirend", "jegyző", "polgármester", "alpolgármester", "hivatal", "ügyfél", "kérelem", "engedély", "építés", "telek", "lakás", "bérlet", "közterület", "park", "játszótér", "óvoda", "bölcsőde", "szociális", "támogatás", "pályázat", "költségvetés", "beruházás", "felújítás", "csatorna", "vízvezeték", "világítás", "járda", "kerékpárút", "közlekedés", "busz", "megálló", "hulladék", "szállítás", "piac", "rendezvény", "ünnep", "megemlékezés", "koncert", "kiállítás", "verseny", "sport", "csarnok", "uszoda", "egyesület", "alapítvány", "civil", "nyugdíjas", "klub", "tájékoztató", "hirdetmény", "közlemény", "meghívó", "jegyzőkönyv", "szerződés", "közbeszerzés", "vagyon", "ingatlan", "értékesítés", "és", "vagy", "de", "mert", "amikor", "ha", "is", "még", "most", "mindig", "soha", "itt", "ott", "hol", "hogyan", "ki", "mi", "miért"]
VI = ["khách", "sạn", "phòng", "giường", "đôi", "đơn", "gia", "đình", "biển", "bãi", "cát", "núi", "sông", "hồ", "thành", "phố", "trung", "tâm", "phố", "cổ", "chợ", "đêm", "nhà", "hàng", "quán", "cà", "phê", "bữa", "sáng", "miễn", "phí", "hồ", "bơi", "spa", "thể", "dục", "wifi", "đỗ", "xe", "sân", "bay", "đưa", "đón", "lễ", "tân", "dọn", "dẹp", "sạch", "sẽ", "yên", "tĩnh", "rộng", "rãi", "thoáng", "mát", "hiện", "đại", "cổ", "điển", "sang", "trọng", "giá", "rẻ", "hợp", "lý", "thân", "thiện", "nhân", "viên", "nhiệt", "tình", "vị", "trí", "thuận", "tiện", "gần", "xa", "đẹp", "tốt", "tuyệt", "vời", "bình", "thường", "kém", "cảnh", "quan", "ban", "công", "cửa", "sổ", "nhìn", "ra", "vườn", "hoa", "cây", "xanh", "không", "khí", "trong", "lành", "mặt", "trời", "mưa", "gió", "nóng", "lạnh", "mùa", "hè", "đông", "xuân", "thu", "ngày", "tháng", "năm", "tuần", "giờ", "sớm", "muộn", "đặt", "hủy", "nhận", "trả", "tiền", "mặt", "thẻ", "thanh", "toán", "hóa", "đơn", "thuế", "phí", "giảm", "ưu", "đãi", "khuyến", "mãi", "du", "lịch", "chuyến", "đi", "tàu", "máy", "bay", "xe", "khách", "đạp", "thuyền", "đảo", "làng", "quê", "ruộng", "lúa", "đồi", "thông", "thác", "hang", "động", "chùa", "đền", "tháp", "bảo", "tàng", "lịch", "sử", "văn", "hóa", "lễ", "hội", "ẩm", "thực", "phở", "bún", "cơm", "hải", "sản", "trái", "cây", "nước", "trà", "bia", "rượu", "áo", "dài", "nón", "lá", "tranh", "gốm", "lụa", "đèn", "lồng", "cầu", "đường", "đại", "lộ", "quảng", "trường", "công", "viên", "bến", "cảng", "ga", "trạm", "bệnh", "viện", "trường", "học", "người", "trẻ", "em", "bạn", "bè", "vợ", "chồng", "con", "cái", "ông", "bà", "lớn", "nhỏ", "cao", "thấp", "mới", "cũ", "rất", "hơn", "nhất", "cũng", "vẫn", "luôn", "chưa", "từng", "ở", "đây", "kia", "đâu", "sao", "nào", "gì", "ai", "với", "không", "có", "cho", "của", "và", "hoặc", "nhưng", "vì", "khi", "nếu"]

MON = {
    "pl": ["styczeń", "luty", "marzec", "kwiecień", "maj", "czerwiec", "lipiec", "sierpień", "wrzesień", "październik", "listopad", "grudzień"],
    "tr": ["Ocak", "Şubat", "Mart", "Nisan", "Mayıs", "Haziran", "Temmuz", "Ağustos", "Eylül", "Ekim", "Kasım", "Aralık"],
    "pt": ["janeiro", "fevereiro", "março", "abril", "maio", "junho", "julho", "agosto", "setembro", "outubro", "novembro", "dezembro"],
    "cs": ["leden", "únor", "březen", "duben", "květen", "červen", "červenec", "srpen", "září", "říjen", "listopad", "prosinec"],
    "ro": ["ianuarie", "februarie", "martie", "aprilie", "mai", "iunie", "iulie", "august", "septembrie", "octombrie", "noiembrie", "decembrie"],
    "no": ["januar", "februar", "mars", "april", "mai", "juni", "juli", "august", "september", "oktober", "november", "desember"],
    "bg": ["Януари", "Февруари", "Март", "Април", "Май", "Юни", "Юли", "Август", "Септември", "Октомври", "Ноември", "Декември"],
    "el": ["Ιανουάριος", "Φεβρουάριος", "Μάρτιος", "Απρίλιος", "Μάιος", "Ιούνιος", "Ιούλιος", "Αύγουστος", "Σεπτέμβριος", "Οκτώβριος", "Νοέμβριος", "Δεκέμβριος"],
    "id": ["Januari", "Februari", "Maret", "April", "Mei", "Juni", "Juli", "Agustus", "September", "Oktober", "November", "Desember"],
    "hu": ["január", "február", "március", "április", "május", "június", "július", "augusztus", "szeptember", "október", "november", "december"],
    "en": ["January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"],
}
FIRST = {
    "pl": ["Jan", "Anna", "Piotr", "Maria", "Tomasz", "Ewa", "Marek", "Zofia", "Adam", "Julia"],
    "no": ["Ole", "Kari", "Lars", "Anne", "Nils", "Marit", "Per", "Ingrid", "Knut", "Berit", "Hans", "Gunhild", "Anders", "Sigrid", "Tore", "Ragnhild", "Erik", "Guri", "Jon", "Aslaug"],
    "en": ["alex", "sam", "robin", "casey", "jamie", "kim", "lee", "max", "pat", "quinn", "taylor", "jordan"],
}


# (1) MediaWiki, in Polish


@lru_cache(maxsize=4)
def mw_world(seed: int) -> SimpleNamespace:
    rng = Random(f"{seed}|mw")
    titles = names(rng, PL[:160], 400)
    cats = names(rng, PL[:120], 26, 2)
    w = SimpleNamespace(titles=titles, cats=cats, at={t: n for n, t in enumerate(titles)}, cat_at={t: n for n, t in enumerate(cats)})
    order = rng.sample(range(400), 400)
    w.orphans = set(order[:26])
    linked = order[26:]
    w.of = {n: sorted(rng.sample(range(26), rng.randint(1, 2))) if n not in w.orphans else [] for n in range(400)}
    w.members = [[n for n in range(400) if c in w.of[n]] for c in range(26)]
    w.links = {n: rng.sample(linked, rng.randint(3, 8)) for n in range(400)}
    w.talk = {n for n in range(400) if rng.random() < 0.3}
    w.revs = {}
    at = 10_000
    w.rev_of = {}
    stamps = sorted(rng.sample(range(2_000_000), 400 * 30))
    todo = []
    for n in range(400):
        todo += [n] * rng.randint(2, 24)
    rng.shuffle(todo)
    start = datetime(2023, 1, 1)
    span = (datetime(2026, 11, 15) - start) / len(todo)
    for k, n in enumerate(todo):
        at += rng.randint(1, 9)
        w.revs.setdefault(n, []).append(at)
        w.rev_of[at] = (n, start + span * k, f"{rng.choice(FIRST['pl'])}{rng.randint(1, 40)}", rng.randint(-900, 2_000), say(rng, PL, 4))
    del stamps
    w.recent = sorted(w.rev_of, reverse=True)
    for n, o in zip(sorted(w.orphans), w.recent[: len(w.orphans)], strict=False):  # all orphans have been edited of late
        old, when, who, size, told = w.rev_of[o]
        if len(w.revs[old]) > 1:
            w.revs[old].remove(o)
            w.revs[n].append(o)
            w.revs[n].sort()
            w.rev_of[o] = (n, when, who, size, told)
    w.backs = {n: [m for m in range(400) if n in w.links[m]] for n in range(400)}
    return w


def mw_url(title: str) -> str:
    return "/wiki/" + quote(title.replace(" ", "_"), safe=":/(),")


def mw_index(title: str, *pairs: tuple[str, object]) -> str:
    told = "&".join(f"{key}={quote(str(value), safe=':/')}" for key, value in pairs)
    return f"/index.php?title={quote(title.replace(' ', '_'), safe=':/')}&{told}"


def mw_when(when: datetime) -> str:
    return f"{when:%H:%M}, {when.day} {MON['pl'][when.month - 1][:3]} {when.year}"


def mw_frame(w: SimpleNamespace, title: str, body: str, page: str = "", robots: str = "", status: int = 200, talk: bool = False, cats: str = "") -> Answer:
    page = page or title
    special = page.startswith("Specjalna:")
    tabs = []
    if not special:
        known = w.at.get(page)
        subject = page.removeprefix("Dyskusja:")
        tabs = [
            a(mw_url(subject), "Artykuł"),
            a(mw_url("Dyskusja:" + subject), "Dyskusja") if w.at.get(subject) in w.talk else a(mw_index("Dyskusja:" + subject, ("action", "edit"), ("redlink", 1)), "Dyskusja", 'class="new" rel="discussion"'),
            a(mw_url(page), "Czytaj"),
            a(mw_index(page, ("action", "edit")), "Edytuj", 'accesskey="e"'),
            a(mw_index(page, ("action", "history")), "Wyświetl historię"),
        ]
        del known
    side = [
        a("/wiki/Strona_g%C5%82%C3%B3wna", "Strona główna"),
        a("/wiki/Specjalna:Ostatnie_zmiany", "Ostatnie zmiany", 'accesskey="r"'),
        a("/wiki/Specjalna:Losowa_strona", "Losowa strona", 'accesskey="x"'),
        a("/wiki/Wiki:O_projekcie", "O projekcie"),
        a("/wiki/Specjalna:Strony_specjalne", "Strony specjalne"),
    ]
    tools = []
    if not special:
        last = w.revs[w.at[page]][-1] if page in w.at else 9_000
        p = quote(page.replace(" ", "_"), safe=":/")
        tools = [
            a(f"/wiki/Specjalna:Linkuj%C4%85ce/{p}", "Linkujące"),
            a(f"/wiki/Specjalna:Zmiany_w_linkowanych/{p}", "Zmiany w linkowanych", 'rel="nofollow"'),
            a(mw_index(page, ("printable", "yes")), "Wersja do druku"),
            a(mw_index(page, ("oldid", last)), "Link do tej wersji"),
            a(mw_index(page, ("action", "info")), "Informacje o tej stronie"),
            a(f"/index.php?title=Specjalna:Cytuj&page={p}&id={last}", "Cytowanie tego artykułu"),
            a(f"/index.php?title=Specjalna:Ksi%C4%85%C5%BCka&bookcmd=book_creator&referer={p}", "Utwórz książkę"),
        ]
    back = quote(page.replace(" ", "_"), safe="")
    user = [
        a(f"/index.php?title=Specjalna:Utw%C3%B3rz_konto&returnto={back}", "Utwórz konto"),
        a(f"/index.php?title=Specjalna:Zaloguj&returnto={back}", "Zaloguj się"),
        a("/wiki/Specjalna:M%C3%B3j_wk%C5%82ad", "Edycje"),
    ]
    data = json.dumps({"wgPageName": page.replace(" ", "_"), "wgRequestId": token(24), "wgIsArticle": not special, "wgBackendResponseTime": CHANCE.randint(40, 400)})
    return out(
        f'<!DOCTYPE html><html class="client-nojs" lang="pl" dir="ltr"><head><meta charset="UTF-8"><title>{esc(title)} – Wiki krainy</title>'
        f'<script>var RLCONF={data};</script><meta name="generator" content="MediaWiki 1.39.6">'
        + (f'<meta name="robots" content="{robots}">' if robots else "")
        + f'<link rel="stylesheet" href="/load.php?lang=pl&amp;modules=skins.vector.styles.legacy&amp;only=styles&amp;skin=vector"></head>'
        f'<body class="mediawiki ltr skin-vector"><div id="content" class="mw-body" role="main"><h1 id="firstHeading" class="firstHeading">{esc(title)}</h1>'
        f'<div id="bodyContent"><div id="siteSub">Z Wiki krainy</div><div id="mw-content-text" lang="pl">{body}</div>{cats}</div></div>'
        f'<div id="mw-navigation"><nav id="p-personal">{lis(user)}</nav><nav id="p-views">{lis(tabs)}</nav>'
        f'<form action="/index.php" id="searchform"><input type="search" name="search" placeholder="Przeszukaj Wiki"><input type="hidden" name="title" value="Specjalna:Szukaj"></form>'
        f'<nav id="p-navigation"><h3>Nawigacja</h3>{lis(side)}</nav><nav id="p-tb"><h3>Narzędzia</h3>{lis(tools)}</nav></div>'
        f'<footer id="footer"><ul><li>Tę stronę wyświetlono {count("mw")} razy.</li><li>{a("/wiki/Wiki:Polityka_prywatno%C5%9Bci", "Polityka prywatności")}</li>'
        f'<li>{a("/wiki/Wiki:O_projekcie", "O Wiki")}</li></ul></footer><script>mw.config.set({{"wgHostname":"mw{CHANCE.randint(1, 40)}"}});</script></body></html>'
        f"<!-- Saved in parser cache with key wiki:pcache:idhash:{CHANCE.randrange(10**6)} and timestamp {CHANCE.randrange(10**12)}. -->",
        status,
    )


def mw_text(w: SimpleNamespace, n: int, seed: int, rev: int = 0) -> str:
    rng = Random(f"{seed}|mw|{n}")
    title = w.titles[n]
    told = [f"<p><b>{title}</b> – {say(rng, PL, 40)}</p>"]
    for k, to in enumerate(w.links[n]):
        if k % 3 == 1:
            head = " ".join(rng.sample(PL, 2)).capitalize()
            sec = f'<span class="mw-editsection">[{a(mw_index(title, ("action", "edit"), ("section", k // 3 + 1)), "edytuj")}]</span>'
            told.append(f'<h2><span class="mw-headline" id="{quote(head.replace(" ", "_"))}">{head}</span>{sec}</h2>')
        red = " ".join(rng.sample(PL, 2)).capitalize()
        told.append(
            f"<p>{say(rng, PL, 25)} {a(mw_url(w.titles[to]), w.titles[to])} {say(rng, PL, 15)} "
            + (a(mw_index(red, ("action", "edit"), ("redlink", 1)), red, 'class="new"') if k % 2 else "")
            + "</p>"
        )
    if rev:
        told.append(f"<p>{say(Random(f'{seed}|{rev}'), PL, 12)}</p>")
    return "".join(told)


def mw_revline(w: SimpleNamespace, rev: int, diff: bool = True) -> str:
    n, when, who, size, told = w.rev_of[rev]
    t = w.titles[n]
    last = w.revs[n][-1]
    return (
        f"({a(mw_index(t, ('diff', last), ('oldid', rev)), 'bież.')} | {a(mw_index(t, ('diff', 'prev'), ('oldid', rev)), 'poprz.')}) "
        f"{a(mw_index(t, ('oldid', rev)), mw_when(when))} {a(mw_index(f'Użytkownik:{who}', ('action', 'edit'), ('redlink', 1)), who, 'class=new')} "
        f"({a(f'/wiki/Specjalna:Wk%C5%82ad/{who}', 'edycje')}) . . ({size:+d}) <i>({told})</i> ({a(mw_index(t, ('action', 'edit'), ('undoafter', rev - 1), ('undo', rev)), 'anuluj edycję')})"
    )


def mw_special(asked: Asked, w: SimpleNamespace, page: str, query: dict[str, str]) -> Answer | None:
    name, _, sub = page.removeprefix("Specjalna:").partition("/")
    noindex = "noindex,nofollow" if name in ("Zaloguj", "Utwórz_konto") else "noindex,follow"
    full = "Specjalna:" + name + ("/" + sub if sub else "")
    pairs = [(k, v) for k, v in asked.pairs if k != "title"]

    def vary(**new: object) -> str:
        told = urlencode(put(pairs, **new))
        return f"/index.php?title={quote(full, safe=':/')}&{told}"

    limit = min(max(num(query.get("limit"), 50), 1), 500)
    if name in ("Ostatnie_zmiany", "Zmiany_w_linkowanych"):
        days = max(num(query.get("days"), 7), 1)
        shown = [r for r in w.recent[:500] if w.rev_of[r][1] > datetime(2026, 11, 15) - timedelta(days * 4)]
        if name == "Zmiany_w_linkowanych":
            n = w.at.get(sub.replace("_", " "))
            near = set(w.links[n]) if n is not None else set()
            shown = [r for r in shown if w.rev_of[r][0] in near]
        lines = []
        for r in shown[:limit]:
            n, when, who, size, told = w.rev_of[r]
            t = w.titles[n]
            lines.append(
                f"({a(mw_index(t, ('curid', n + 1), ('diff', r), ('oldid', r - 1)), 'różn.')} | {a(mw_index(t, ('curid', n + 1), ('action', 'history')), 'hist.')}) . . "
                f"{a(mw_url(t), t)}; {when:%H:%M} . . ({size:+d}) . . {a(f'/wiki/Specjalna:Wk%C5%82ad/{who}', who)} ({told})"
            )
        opts = [a(vary(limit=k), k) for k in (50, 100, 250, 500)] + [a(vary(days=k), f"{k} dni") for k in (1, 3, 7, 14, 30)]
        for flag in ("hideminor", "hidebots", "hideanons", "hideliu", "hidepatrolled", "hidemyself", "hidecategorization"):
            opts.append(a(vary(**{flag: 0 if query.get(flag) == "1" else 1}), f"{'pokaż' if query.get(flag) == '1' else 'ukryj'} {flag[4:]}"))
        now = datetime(2026, 11, 15, 10, 0) + timedelta(seconds=CHANCE.randrange(80_000))
        opts.append(a(vary(**{"from": f"{now:%Y%m%d%H%M%S}"}), f"Pokaż nowe zmiany od {mw_when(now)}"))
        opts += [a(vary(namespace=k, invert=None), f"przestrzeń {k}") for k in (0, 1, 4, 14)]
        told = lis(lines) if lines else "<p>Brak zmian w wybranym okresie, które odpowiadałyby kryteriom.</p>"
        return mw_frame(w, "Ostatnie zmiany" if name[0] == "O" else f"Zmiany w linkowanych z „{sub}”", f"<fieldset>{' | '.join(opts)}</fieldset>{told}", full, noindex)
    if name == "Linkujące":
        title = sub.replace("_", " ")
        n = w.at.get(title.removeprefix("Dyskusja:"))
        backs = w.backs[n] if n is not None and not title.startswith("Dyskusja:") else []
        opts = [a(vary(**{flag: 0 if query.get(flag) == "1" else 1}), flag) for flag in ("hidetrans", "hidelinks", "hideredirs")]
        opts += [a(vary(limit=k), k) for k in (20, 50, 100, 250, 500)] + [a(vary(namespace=k), f"ns {k}") for k in (0, 1, 4)]
        told = lis([f"{a(mw_url(w.titles[m]), w.titles[m])} ({a(mw_url('Specjalna:Linkujące/' + w.titles[m]), '← linkujące')} | {a(mw_index(w.titles[m], ('action', 'edit')), 'edytuj')})" for m in backs])
        return mw_frame(w, f"Strony linkujące do „{title}”", f"<div>{' '.join(opts)}</div>{told or 'Żadna strona nie linkuje.'}", full, noindex)
    if name == "Wszystkie_strony":
        titles = sorted(w.titles)
        at = bisect_left(titles, query.get("from", "").replace("_", " "))
        shown = titles[at : at + 100]
        told = lis([a(mw_url(t), t) for t in shown])
        if at + 100 < len(titles):
            told += a(vary(**{"from": titles[at + 100]}), f"Następna strona ({titles[at + 100]})")
        if at:
            told += a(vary(**{"from": titles[max(at - 100, 0)]}), "Poprzednia strona")
        told += a(vary(hideredirects=0 if query.get("hideredirects") == "1" else 1), "Ukryj przekierowania")
        return mw_frame(w, "Wszystkie strony", told, full, noindex)
    if name == "Strony_specjalne":
        known = ["Wszystkie_strony", "Ostatnie_zmiany", "Kategorie", "Porzucone_strony", "Najnowsze_strony", "Statystyka", "Losowa_strona", "Rejestr"]
        return mw_frame(w, "Strony specjalne", lis([a(mw_url(f"Specjalna:{k}"), k.replace("_", " ")) for k in known]), full, noindex)
    if name == "Kategorie":
        return mw_frame(w, "Kategorie", lis([a(mw_url("Kategoria:" + c), c) for c in w.cats]), full, noindex)
    if name in ("Porzucone_strony", "Najnowsze_strony", "Rejestr", "Wkład", "Mój_wkład"):
        some = [r for r in w.recent if not sub or w.rev_of[r][2] == sub] if name[0] == "W" else [] if name[0] == "M" else w.recent
        start = max(num(query.get("offset")), 0)
        told = lis([mw_revline(w, r) for r in some[start : start + min(limit, 50)]]) or "<p>Brak wyników dla tego raportu.</p>"
        ways = [a(vary(limit=k), k) for k in (20, 50, 100, 250, 500)] + [a(vary(offset=start + limit), "następne 50"), a(vary(offset=max(start - limit, 0)), "poprzednie 50")]
        return mw_frame(w, name.replace("_", " "), f"<p>Zobacz ({' | '.join(ways)})</p>{told}", full, noindex)
    if name == "Losowa_strona":
        return move(mw_url(w.titles[CHANCE.choice([n for n in range(400) if n not in w.orphans])]))
    if name == "Statystyka":
        return mw_frame(w, "Statystyka", f"<p>Stron: 400. Odsłon: {count('mw')}.</p>", full, noindex)
    told = "<p>Musisz się zalogować, aby zobaczyć tę stronę.</p>" + f'<form method="post"><input name="wpName"><input type="hidden" name="wpLoginToken" value="{token()}"></form>'
    return mw_frame(w, name.replace("_", " "), told + a("/wiki/Specjalna:Zresetuj_has%C5%82o", "Nie pamiętasz hasła?"), full, noindex)


def mw_page(asked: Asked) -> Answer | None:
    w = mw_world(asked.seed)
    if asked.path == "/":
        return move(mw_url("Strona główna"), 301)
    if asked.path == "/index.php":
        page = asked.query.get("title", "Strona główna")
    elif asked.path.startswith("/wiki/"):
        page = unquote(asked.path[6:])
    else:
        return None
    query = asked.query
    page = page.replace(" ", "_")
    if page.startswith("Specjalna:"):
        return mw_special(asked, w, page, query)
    page = page.replace("_", " ")
    action = query.get("action", "view")
    subject = page.removeprefix("Dyskusja:")
    n = w.at.get(subject)
    if action in ("edit", "submit"):
        new = "redlink" in query
        told = f"<p>Nie masz uprawnień do edytowania tej strony.</p><textarea readonly>{say(Random(page), PL, 0 if new else 60)}</textarea>"
        return mw_frame(w, f"Tekst źródłowy strony {page}" if not new else f"Tworzysz „{page}”", told + a(mw_url(page), page), page, "noindex,nofollow", 404 if new else 200)
    if action == "info":
        return mw_frame(w, f"Informacje o „{page}”", f"<table><tr><td>Identyfikator</td><td>{n}</td></tr><tr><td>Obserwujący</td><td>mniej niż 30</td></tr></table>" + a(mw_index(page, ("action", "history")), "Historia"), page, "noindex,nofollow")
    revs = w.revs[n] if n is not None else [9_000]
    if action == "history":
        limit = min(max(num(query.get("limit"), 50), 1), 500)
        offset = query.get("offset", "")
        shown = [r for r in reversed(revs) if r in w.rev_of and (not offset.isdigit() or f"{w.rev_of[r][1]:%Y%m%d%H%M%S}" < offset)][:limit]
        ways = [a(mw_index(page, ("action", "history"), ("limit", k), *([("offset", offset)] if offset else [])), k) for k in (20, 50, 100, 250, 500)]
        ways.append(a(mw_index(page, ("action", "history"), ("dir", "prev")), "najstarsze"))
        ways += [a(mw_index(page, ("action", "history"), ("offset", f"{w.rev_of[r][1]:%Y%m%d%H%M%S}"), ("limit", limit)), "starsze") for r in shown[-1:]]
        ways.append(a(mw_index(page, ("action", "history"), ("feed", "atom")), "Atom"))
        return mw_frame(w, f"{page}: Historia wersji", f"<p>{' | '.join(ways)}</p>{lis([mw_revline(w, r) for r in shown])}", page, "noindex,nofollow")
    old = num(query.get("oldid"))
    if ("oldid" in query or "diff" in query) and n is not None:
        k = min(bisect_left(revs, old), len(revs) - 1)
        near = [("← poprzednia wersja", revs[k - 1])] if k else []
        near += [("następna wersja →", revs[k + 1])] if k + 1 < len(revs) else []
        ways = [a(mw_index(page, *([("direction", "prev" if r < revs[k] else "next")]), ("oldid", revs[k])), text) for text, r in near]
        ways += [a(mw_index(page, ("diff", r), ("oldid", revs[k])), "różn.") for _, r in near]
        ways += [a(mw_index(page, ("diff", revs[-1]), ("oldid", revs[k])), "przejdź do aktualnej")]
        head = f"<div id='mw-revision-info'>{' | '.join(ways)}</div>"
        if "diff" in query:
            head += f"<table class='diff'><tr><td>{say(Random(old), PL, 20)}</td><td>{say(Random(old + 1), PL, 20)}</td></tr></table>"
        return mw_frame(w, page if "diff" not in query else f"{page}: Różnice pomiędzy wersjami", head + mw_text(w, n, asked.seed, old), page, "noindex,nofollow")
    if page == "Strona główna":
        rng = Random(f"{asked.seed}|mwhome|{NOW}")
        some = rng.sample([m for m in range(400) if m not in w.orphans], 8)
        body = f"<p>Witaj w Wiki krainy! Mamy 400 artykułów.</p><h2>Kategorie</h2>{lis([a(mw_url('Kategoria:' + c), c) for c in w.cats])}<h2>Czy wiesz…</h2>{lis([a(mw_url(w.titles[m]), w.titles[m]) for m in some])}"
        return mw_frame(w, page, body, page)
    if page in ("Wiki:O projekcie", "Wiki:Polityka prywatności"):
        return mw_frame(w, page, paras(Random(f"{asked.seed}|{page}"), PL, 6), page)
    if page.startswith("Kategoria:") and page[10:] in w.cat_at:
        c = w.cat_at[page[10:]]
        return mw_frame(w, page, f"<p>{say(Random(f'{asked.seed}|cat{c}'), PL, 30)}</p><h2>Strony w kategorii</h2>{lis([a(mw_url(w.titles[m]), w.titles[m]) for m in w.members[c]])}", page)
    if n is None:
        return mw_frame(w, page, f"<p>Na razie na tej stronie nie ma treści. Możesz {a(mw_index('Specjalna:Szukaj', ('search', page)), 'wyszukać ten tytuł')} lub {a(mw_index(page, ('action', 'edit')), 'utworzyć tę stronę')}.</p>", page, "noindex,follow", 404)
    if page != subject:
        if n not in w.talk:
            return mw_frame(w, page, "<p>Na razie na tej stronie nie ma treści.</p>", page, "noindex,follow", 404)
        return mw_frame(w, page, paras(Random(f"{asked.seed}|talk{n}"), PL, 3) + "<h2>Ocena</h2>" + say(Random(f"{asked.seed}|talk2{n}"), PL, 20), page)
    body = mw_text(w, n, asked.seed)
    if "printable" in query:
        body += "<div class='printfooter'>Źródło</div>"
    cats = f'<div id="catlinks" class="catlinks">Kategorie: {lis([a(mw_url("Kategoria:" + w.cats[c]), w.cats[c]) for c in w.of[n]])}</div>' if w.of[n] else ""
    return mw_frame(w, page, body, page, cats=cats)


def mw_wanted(seed: int) -> set[str]:
    w = mw_world(seed)
    found = {"/wiki/Strona_g%C5%82%C3%B3wna", "/wiki/Wiki:O_projekcie", "/wiki/Wiki:Polityka_prywatno%C5%9Bci"}
    found |= {mw_url("Kategoria:" + c) for c in w.cats} | {mw_url(t) for t in w.titles}
    return found | {mw_url("Dyskusja:" + w.titles[n]) for n in w.talk}


engine("mediawiki", mw_page, lambda url: rest(url).startswith("/index.php?") or "/wiki/Specjalna:" in unquote(url), mw_wanted)

# (2) phpBB, in Turkish


@lru_cache(maxsize=4)
def bb_world(seed: int) -> SimpleNamespace:
    rng = Random(f"{seed}|bb")
    w = SimpleNamespace(forums=names(rng, TR[:140], 30, 3))
    w.users = [f"{slug(rng.choice(TR))}{rng.randint(1, 99)}_{u}" for u in range(220)]
    w.posters = list(range(150))
    w.topics = []
    w.of = {f: [] for f in range(1, 31)}
    titles = names(rng, TR[:160], 1200, 4)
    first = 1
    for f in range(1, 31):  # forum 30 is on no list: an archive
        for _ in range(36 if f == 30 else rng.choice((6, 8, 12, 18, 28, 40))):
            t = len(w.topics) + 1
            posts = min(int(rng.expovariate(1 / 7)) + 1, 45)
            w.topics.append((f, titles[t - 1], first, posts, rng.choice(w.posters)))
            w.of[f].append(t)
            first += posts
    w.starts = [topic[2] for topic in w.topics]
    w.posts = first - 1
    w.recent = rng.sample(range(1, len(w.topics) + 1), len(w.topics))
    w.silent = [t for t in w.recent if w.topics[t - 1][3] == 1] + [t for t in w.of[30] if w.topics[t - 1][3] > 1]
    return w


_BB = {"sid": 0}


def bb_page(asked: Asked) -> Answer | None:
    w = bb_world(asked.seed)
    query, path = asked.query, asked.path
    if path == "/":
        _BB["sid"] = 4
    sid = token() if _BB["sid"] > 0 else ""
    _BB["sid"] -= 1
    tail = f"sid={sid}" if sid else ""

    def u(href: str) -> str:
        href, _, mark = href.partition("#")
        return "./" + href + (("&" if "?" in href else "?") + tail if tail else "") + ("#" + mark if mark else "")

    def who(n: int) -> str:
        return a(u(f"memberlist.php?mode=viewprofile&u={n + 2}"), w.users[n], 'class="username"')

    def frame(title: str, body: str, status: int = 200, canonical: str = "") -> Answer:
        menu = [
            a(u("search.php?search_id=unanswered"), "Cevaplanmamış başlıklar"), a(u("search.php?search_id=active_topics"), "Aktif başlıklar"),
            a(u("search.php"), "Ara"), a(u("memberlist.php"), "Üyeler"), a(u("memberlist.php?mode=team"), "Ekip"), a(u("app.php/help/faq"), "SSS"),
            a(u("ucp.php?mode=register"), "Kayıt"), a(u("ucp.php?mode=login&redirect=" + quote(path.lstrip("/") + ("?" + urlsplit(asked.url).query if query else ""), safe="")), "Giriş"),
        ]
        foot = [a(u("index.php"), "Forum Ana Sayfa"), a(u("ucp.php?mode=delete_cookies"), "Çerezleri sil"), a(u("memberlist.php?mode=contactadmin"), "İletişim"), a(u("ucp.php?mode=privacy"), "Gizlilik"), a(u("ucp.php?mode=terms"), "Koşullar")]
        hidden = f'<input type="hidden" name="sid" value="{sid}">' if sid else ""
        return out(
            f'<!DOCTYPE html><html dir="ltr" lang="tr"><head><meta charset="utf-8"><title>{esc(title)} - Yazılım Forumu</title>{canonical}'
            f'<link href="./styles/prosilver/theme/stylesheet.css?assets_version=25" rel="stylesheet"></head><body id="phpbb" class="nojs notouch section-{path[1:8]} ltr">'
            f'<div id="wrap"><div id="page-header"><a id="logo" class="logo" href="{escape(u("index.php"))}"><span class="site_logo"></span></a><h1>Yazılım Forumu</h1><form action="./search.php" method="get"><input name="keywords" type="search">{hidden}</form>{lis(menu, "nav-main")}</div>'
            f'<a id="start_here" class="anchor"></a><div id="page-body"><h2>{esc(title)}</h2>{body}</div>'
            f'<div id="page-footer">{lis(foot, "nav-footer")}<div class="copyright">phpBB® Forum Software © phpBB Limited<br>Sorgu {CHANCE.randint(9, 30)} | Süre: {secs()}s | Bellek: {CHANCE.uniform(2, 4):.2f} MiB | Tüm zamanlar UTC+03:00</div></div></div>'
            f'<script>var assetsVersion = "25"; var form_token="{token(40)}", creation_time={CHANCE.randrange(10**9)};</script></body></html>',
            status, Set_Cookie=f"phpbb3_sid={token()}; path=/",
        )

    def login() -> Answer:
        return frame("Giriş", f'<form method="post"><p>Bu forumda mesaj göndermek için giriş yapmalısınız.</p><input name="username"><input type="password" name="password"><input type="hidden" name="form_token" value="{token(40)}"></form>{a(u("ucp.php?mode=sendpassword"), "Şifremi unuttum")}')

    def rows(topics: list[int], extra: str = "") -> str:
        told = []
        for t in topics:
            f, title, first, posts, starter = w.topics[t - 1]
            pages = " ".join(a(u(f"viewtopic.php?f={f}&t={t}&start={k * 10}{extra}"), k + 1) for k in range(1, (posts + 9) // 10))
            told.append(
                f'<li class="row"><dl><dt>{a(u(f"viewtopic.php?f={f}&t={t}{extra}"), title, "class=topictitle")} {pages}<br>gönderen {who(starter)}</dt>'
                f'<dd class="posts">{posts - 1}</dd><dd class="views">{posts * 31 + count("bb") % 7}</dd><dd class="lastpost">{a(u(f"viewtopic.php?f={f}&t={t}&p={first + posts - 1}#p{first + posts - 1}"), "Son mesaj")}</dd></dl></li>'
            )
        return f'<ul class="topiclist topics">{"".join(told)}</ul>'

    if path in ("/", "/index.php"):
        if "mark" in query:
            return frame("Bilgi", "<p>Giriş yapmalısınız.</p>" + a(u("index.php"), "Dön"))
        told = "".join(
            f'<li class="row">{a(u(f"viewforum.php?f={f}"), w.forums[f - 1], "class=forumtitle")}<p>{say(Random(f"{asked.seed}|bf{f}"), TR, 12)}</p>'
            f'<dd>{len(w.of[f])} başlık</dd><dd>{a(u(f"viewtopic.php?f={f}&p={w.topics[w.of[f][-1] - 1][2]}#p1"), "Son")}</dd></li>'
            for f in range(1, 30)
        )
        online = f"<p>Toplam {CHANCE.randint(20, 90)} çevrimiçi kullanıcı: {a(u('viewonline.php'), 'Kimler çevrimiçi')} - Toplam mesaj {w.posts}. En yeni üye {who(0)}</p>"
        return frame("Forum Ana Sayfa", f'<ul class="topiclist forums">{told}</ul>{online}{a(u("index.php?hash=" + token(8) + "&mark=forums"), "Forumları okundu say")}')
    if path == "/viewforum.php":
        f = num(query.get("f"))
        if f not in w.of:
            return frame("Bilgi", "<p>Seçtiğiniz forum yok.</p>", 404)
        start = max(num(query.get("start")), 0) // 25 * 25
        keep = [(k, query[k]) for k in ("st", "sk", "sd") if k in query]
        order = list(reversed(w.of[f]))
        key = {"a": lambda t: w.topics[t - 1][4], "s": lambda t: w.topics[t - 1][1], "r": lambda t: w.topics[t - 1][3], "v": lambda t: w.topics[t - 1][3] * 31}.get(query.get("sk", "t"))
        if key:
            order.sort(key=key, reverse=query.get("sd", "d") == "d")
        elif query.get("sd") == "a":
            order.reverse()
        shown = order[start : start + 25]
        last = (len(order) + 24) // 25
        page = pager(start // 25 + 1, last, lambda n: u(q("viewforum.php", ("f", f), *keep, *([("start", n * 25 - 25)] if n > 1 else []))), "Önceki", "Sonraki")
        sorts = [a(u(q("viewforum.php", ("f", f), ("st", st), ("sk", sk), ("sd", sd))), f"{st}/{sk}/{sd}") for st, sk, sd in [(0, k, "d") for k in "atrsv"] + [(0, k, "a") for k in "ts"] + [(d, "t", "d") for d in (1, 7, 14, 30, 90, 180, 365)]]
        more = a(u(f"posting.php?mode=post&f={f}"), "Yeni başlık") + a(u(f"viewforum.php?hash={token(8)}&f={f}&mark=topics&mark_time={CHANCE.randrange(10**9)}"), "Okundu say")
        crumbs = a(u("index.php"), "Ana Sayfa") + " ‹ " + a(u(f"viewforum.php?f={f}"), w.forums[f - 1])
        body = rows(shown) if shown else "<p>Bu forumda başlık ya da mesaj yok.</p>"
        return frame(w.forums[f - 1], f"{crumbs}{more}{page}{body}<div class='sort'>{' '.join(sorts)}</div>{page}")
    if path == "/viewtopic.php":
        t = num(query.get("t"))
        if "p" in query:
            t = bisect_right(w.starts, num(query["p"]))
        if query.get("view") in ("next", "previous") and 1 <= t <= len(w.topics):
            near = w.of[w.topics[t - 1][0]]
            k = near.index(t) + (1 if query["view"] == "next" else -1)
            if not 0 <= k < len(near):
                return frame("Bilgi", "<p>Daha yeni/eski başlık yok.</p>", 404)
            t = near[k]
        if not 1 <= t <= len(w.topics):
            return frame("Bilgi", "<p>İstenen başlık yok.</p>", 404)
        f, title, first, posts, starter = w.topics[t - 1]
        start = max(num(query.get("start")), 0) // 10 * 10
        if "p" in query:
            start = (num(query["p"]) - first) // 10 * 10
        if start >= posts:
            start = (posts - 1) // 10 * 10
        keep = [(k, query[k]) for k in ("st", "sk", "sd") if k in query]
        base = [("f", f), ("t", t)]
        told = []
        for p in range(first + start, first + min(start + 10, posts)):
            rng = Random(f"{asked.seed}|bp{p}")
            poster = starter if p == first else rng.choice(w.posters)
            told.append(
                f'<div id="p{p}" class="post"><h3>{a(u(f"viewtopic.php?f={f}&t={t}&p={p}#p{p}"), ("" if p == first else "Ynt: ") + title)}</h3><p class="author">gönderen {who(poster)} » {rng.randint(1, 28)} {rng.choice(MON["tr"])} 2026</p>'
                f'<ul class="post-buttons"><li>{a(u(f"posting.php?mode=quote&f={f}&p={p}"), "Alıntıyla cevap")}</li><li>{a(u(f"memberlist.php?mode=email&u={poster + 2}"), "E-posta")}</li></ul><div class="content">{say(rng, TR, rng.randint(15, 90))}</div></div>'
            )
        last = (posts + 9) // 10
        page = pager(start // 10 + 1, last, lambda n: u(q("viewtopic.php", *base, *keep, *([("start", n * 10 - 10)] if n > 1 else []))), "Önceki", "Sonraki")
        tools = [a(u(f"posting.php?mode=reply&f={f}&t={t}"), "Cevapla"), a(u(q("viewtopic.php", *base, *([("start", start)] if start else []), ("view", "print"))), "Yazdır"), a(u(f"viewtopic.php?f={f}&t={t}&view=previous"), "Önceki başlık"), a(u(f"viewtopic.php?f={f}&t={t}&view=next"), "Sonraki başlık"), a(u(f"viewtopic.php?f={f}&t={t}&view=unread#unread"), "İlk okunmamış"), a(u(f"memberlist.php?mode=email&t={t}"), "Arkadaşa gönder")]
        tools += [a(u(q("viewtopic.php", *base, ("st", st), ("sk", sk), ("sd", sd))), f"sırala {st}{sk}{sd}") for st, sk, sd in ((0, "t", "a"), (0, "t", "d"), (0, "a", "a"), (0, "s", "a"), (7, "t", "a"), (30, "t", "a"), (365, "t", "a"))]
        crumbs = a(u("index.php"), "Ana Sayfa") + " ‹ " + a(u(f"viewforum.php?f={f}"), w.forums[f - 1])
        canon = f'<link rel="canonical" href="http://eng-phpbb.test/viewtopic.php?f={f}&amp;t={t}{f"&amp;start={start}" if start else ""}">'
        return frame(title, f"{crumbs}{page}{''.join(told)}{page}{lis(tools)}", canonical=canon)
    if path == "/memberlist.php":
        mode = query.get("mode", "")
        if mode == "viewprofile":
            n = num(query.get("u")) - 2
            if not 0 <= n < len(w.users):
                return frame("Bilgi", "<p>İstenen kullanıcı yok.</p>", 404)
            ways = [a(u(f"search.php?author_id={n + 2}&sr=posts"), "Mesajlarını ara"), a(u(f"ucp.php?i=pm&mode=compose&u={n + 2}"), "Özel mesaj"), a(u(f"memberlist.php?mode=email&u={n + 2}"), "E-posta")]
            return frame(f"Profil - {w.users[n]}", f"<p>{say(Random(f'{asked.seed}|bu{n}'), TR, 25)}</p><p>Kayıt: {1 + n % 28} {MON['tr'][n % 12]} {2015 + n % 11}</p>{lis(ways)}")
        if mode in ("email", "contactadmin"):
            return login()
        if mode == "team":
            return frame("Ekip", lis([who(n) for n in range(3)]))
        order = list(range(len(w.users)))
        letter = query.get("first_char", "")
        if letter:
            order = [n for n in order if w.users[n].startswith(letter) or (letter == "other" and not w.users[n][0].isalpha())]
        if query.get("sk", "c") in "abd":
            order.sort(key=lambda n: w.users[n] if query["sk"] == "a" else str(n * 7919 % 220))
        if query.get("sd", "a") == "d":
            order.reverse()
        start = max(num(query.get("start")), 0)
        keep = [(k, v) for k, v in asked.pairs if k not in ("start", "sid")]
        heads = [a(u(q("memberlist.php", *put(keep, sk=k, sd="d" if query.get("sk", "c") == k and query.get("sd", "a") == "a" else "a"))), h) for k, h in zip("abcdeflm", ["Kullanıcı", "Konum", "Kayıt", "Mesaj", "Web", "Eposta", "Etkin", "Rütbe"], strict=True)]
        letters = [a(u(q("memberlist.php", *put(keep, first_char=c))), c) for c in "abcdefghijklmnopqrstuvwxyz"] + [a(u(q("memberlist.php", *put(keep, first_char="other"))), "Diğer")]
        page = pager(start // 50 + 1, (len(order) + 49) // 50, lambda n: u(q("memberlist.php", *put(keep, start=n * 50 - 50 or None))), "Önceki", "Sonraki")
        return frame("Üyeler", f"<div>{' '.join(letters)}</div><div>{' '.join(heads)}</div>{page}{lis([who(n) for n in order[start : start + 50]]) if order[start : start + 50] else '<p>Aramanıza uyan üye yok.</p>'}")
    if path == "/search.php":
        kind = query.get("search_id", "")
        order = w.recent if kind == "active_topics" else w.silent if kind == "unanswered" else []
        if "author_id" in query:
            order = [t for t in w.recent if w.topics[t - 1][4] == num(query["author_id"]) - 2]
        elif not kind:
            return frame("Ara", '<form method="get" action="./search.php"><input name="keywords"></form>')
        start = max(num(query.get("start")), 0)
        keep = [(k, v) for k, v in asked.pairs if k not in ("start", "sid")]
        page = pager(start // 25 + 1, (len(order) + 24) // 25, lambda n: u(q("search.php", *put(keep, start=n * 25 - 25 or None))), "Önceki", "Sonraki")
        ways = " ".join(a(u(q("search.php", *put(keep, st=k))), f"{k} gün") for k in (0, 1, 7, 14, 30, 90, 180, 365)) + " ".join(a(u(q("search.php", *put(keep, sk=k, sd=d))), k + d) for k in "atfis" for d in "ad")
        return frame("Arama", f"<p>{len(order)} sonuç bulundu</p>{page}{rows(order[start : start + 25], '&hilit=') if order[start:start + 25] else '<p>Uygun sonuç bulunamadı.</p>'}{ways}")
    if path in ("/posting.php", "/ucp.php"):
        if query.get("mode") in ("privacy", "terms"):
            return frame(query["mode"], paras(Random(f"{asked.seed}|{query['mode']}"), TR, 6))
        return login()
    if path == "/viewonline.php":
        ways = [a(u(f"viewonline.php?sk={k}&sd={d}&sg={g}"), f"{k}{d}{g}") for k in "abc" for d in "ad" for g in (0, 1)]
        return frame("Kimler çevrimiçi", f"<p>{CHANCE.randint(10, 90)} misafir</p>{lis(ways)}")
    if path == "/app.php/help/faq":
        return frame("Sıkça Sorulan Sorular", paras(Random(f"{asked.seed}|faq"), TR, 10)).__class__(200, HTML, frame("SSS", paras(Random(f"{asked.seed}|faq"), TR, 10)).body.replace(b'href="./', b'href="./../../'))
    return None


def bb_wanted(seed: int) -> set[str]:
    w = bb_world(seed)
    found = {"/", "/app.php/help/faq", "/ucp.php?mode=privacy", "/ucp.php?mode=terms", "/memberlist.php?mode=team"}
    for f in range(1, 31):
        found |= {f"/viewforum.php?f={f}" + (f"&start={k}" if k else "") for k in range(0, len(w.of[f]), 25)}
    for t, (f, _, _, posts, _) in enumerate(w.topics, 1):
        found |= {f"/viewtopic.php?f={f}&t={t}" + (f"&start={k}" if k else "") for k in range(0, posts, 10)}
    return found | {f"/memberlist.php?mode=viewprofile&u={n + 2}" for n in range(len(w.users))}


_BB_HONEST = re.compile(r"/|/index\.php|/app\.php/help/faq|/ucp\.php\?mode=(privacy|terms)|/memberlist\.php\?mode=(team|viewprofile&u=\d+)|/viewforum\.php\?f=\d+(&start=\d+)?|/viewtopic\.php\?f=\d+&t=\d+(&start=\d+)?")
engine("phpbb", bb_page, lambda url: not _BB_HONEST.fullmatch(rest(url)), bb_wanted)


# (3) WordPress with The Events Calendar, in Portuguese


@lru_cache(maxsize=4)
def wp_world(seed: int) -> SimpleNamespace:
    rng = Random(f"{seed}|wp")
    w = SimpleNamespace(titles=names(rng, PT[:140], 300, 4))
    w.cats = names(rng, PT[:140], 12, 2)
    w.tags = rng.sample(PT[:140], 50)
    w.authors = [f"{slug(x)}-{slug(y)}" for x, y in zip(rng.sample(PT[:60], 8), rng.sample(PT[60:120], 8), strict=True)]
    w.dates = sorted((plus(NOW, -rng.randrange(1100)) for _ in range(300)), reverse=True)
    w.cat = [sorted(rng.sample(range(12), rng.randint(1, 2))) for _ in range(300)]
    w.tag = [sorted(rng.sample(range(50), rng.randint(0, 4))) for _ in range(300)]
    w.author = [rng.randrange(8) for _ in range(300)]
    w.comments = [[rng.randrange(1000) + 1000 * n for _ in range(rng.choice((0, 0, 1, 3, 8)))] for n in range(300)]
    w.posts = {f"/{d:%Y/%m/%d}/{slug(t)}/": n for n, (d, t) in enumerate(zip(w.dates, w.titles, strict=True))}
    w.paths = list(w.posts)
    w.pages = {f"/{slug(t)}/": t for t in names(rng, PT[100:], 9, 3)}
    w.events = names(rng, PT[20:150], 110, 4)
    w.when = sorted(plus(NOW, rng.randint(-200, 160)) for _ in range(110))
    w.event = {f"/evento/{slug(t)}/": n for n, t in enumerate(w.events)}
    w.epaths = list(w.event)
    w.on = {}
    for n, d in enumerate(w.when):
        w.on.setdefault(d, []).append(n)
    w.months = sorted({(d.year, d.month) for d in w.dates}, reverse=True)
    w.lists = {}
    for c in range(12):
        w.lists[f"/category/{slug(w.cats[c])}/"] = (w.cats[c], [n for n in range(300) if c in w.cat[n]])
    for c in range(50):
        w.lists[f"/tag/{slug(w.tags[c])}/"] = (w.tags[c], [n for n in range(300) if c in w.tag[n]])
    for c in range(8):
        w.lists[f"/author/{w.authors[c]}/"] = (w.authors[c], [n for n in range(300) if c == w.author[n]])
    for y, m in w.months:
        w.lists[f"/{y}/{m:02}/"] = (f"{MON['pt'][m - 1]} {y}", [n for n in range(300) if (w.dates[n].year, w.dates[n].month) == (y, m)])
    w.lists["/"] = ("Início", list(range(300)))
    return w


WP = "http://eng-wordpress.test"


def wp_frame(w: SimpleNamespace, title: str, body: str, path: str, at: date | None = None, status: int = 200, canonical: bool = True) -> Answer:
    at = at or NOW
    menu = [a(f"{WP}/", "Início")] + [a(WP + p, t) for p, t in w.pages.items()] + [a(f"{WP}/eventos/", "Eventos")]
    days = {d.day for d in w.dates if (d.year, d.month) == (at.year, at.month)}
    cal = "".join("<tr>" + "".join(f"<td>{a(f'{WP}/{d:%Y/%m/%d}/', d.day) if d.day in days and d.month == at.month else d.day}</td>" for d in week) + "</tr>" for week in weeks(at))
    before = [m for m in w.months if m < (at.year, at.month)][:1]
    side = (
        f"<aside><h2>Artigos recentes</h2>{lis([a(WP + w.paths[n], w.titles[n]) for n in range(5)])}<h2>Arquivo</h2>{lis([a(WP + base, w.lists[base][0]) for base in w.lists if base[1:3] == '20'])}"
        f"<h2>Categorias</h2>{lis([a(f'{WP}/category/{slug(c)}/', c) for c in w.cats])}<div class='tagcloud'>{' '.join(a(f'{WP}/tag/{slug(t)}/', t) for t in w.tags)}</div>"
        f"<table id='wp-calendar'><caption>{MON['pt'][at.month - 1]} {at.year}</caption>{cal}</table>" + "".join(a(f"{WP}/{y}/{m:02}/", f"« {MON['pt'][m - 1][:3]}") for y, m in before)
        + f"<h2>Meta</h2>{lis([a(f'{WP}/wp-login.php', 'Iniciar sessão'), a(f'{WP}/feed/', 'Feed de entradas'), a(f'{WP}/comments/feed/', 'Feed de comentários'), a('https://wordpress.org/', 'WordPress.org')])}</aside>"
    )
    canon = f'<link rel="canonical" href="{WP}{path}">' if canonical and status == 200 else ""
    return out(
        f'<!DOCTYPE html><html lang="pt-PT"><head><meta charset="UTF-8"><title>{esc(title)} – Jornal da Vila</title><meta name="generator" content="WordPress 6.4.2">{canon}'
        f'<link rel="alternate" type="application/rss+xml" href="{WP}/feed/"><link rel="https://api.w.org/" href="{WP}/wp-json/"><script>var ajax={{"url":"{WP}/wp-admin/admin-ajax.php","nonce":"{token(10)}"}};</script></head>'
        f'<body class="wp-theme"><a class="skip-link screen-reader-text" href="#content">Saltar para o conteúdo</a><header class="site-header"><p class="site-title">{a(WP + "/", "Jornal da Vila")}</p><nav>{lis(menu, "menu")}</nav><form role="search" method="get" action="{WP}/"><input type="search" name="s"></form></header>'
        f'<main id="content">{body}</main>{side}<footer>Orgulhosamente com WordPress · {a(WP + "/politica-de-privacidade/", "Privacidade")}</footer></body></html><!-- {CHANCE.randint(20, 60)} queries. {secs()} seconds. -->',
        status,
    )


def wp_share(url: str) -> str:
    return lis([a(f"{url}?share={s}&nb=1", f"Partilhar no {s}", 'rel="nofollow noopener" class="share-icon"') for s in ("facebook", "twitter", "linkedin", "whatsapp", "telegram", "pinterest", "email")])


def wp_list(w: SimpleNamespace, base: str, at: int) -> Answer | None:
    title, posts = w.lists[base]
    last = max((len(posts) + 9) // 10, 1)
    if not 1 <= at <= last:
        return wp_frame(w, "Página não encontrada", "<h1>Ups! Não foi possível encontrar essa página.</h1>", base, status=404)
    told = "".join(
        f'<article class="post-{n}"><h2>{a(WP + w.paths[n], w.titles[n], "rel=bookmark")}</h2><p>{say(Random(f"{w.titles[n]}"), PT, 40)} {a(WP + w.paths[n] + "#more-" + str(n), "Ler mais")}</p>'
        f'{a(WP + w.paths[n] + "#respond", "Deixe um comentário")}</article>'
        for n in posts[at * 10 - 10 : at * 10]
    )
    page = pager(at, last, lambda n: WP + (base if n == 1 else f"{base}page/{n}/"), "Anterior", "Seguinte")
    return wp_frame(w, title, f"<h1>{esc(title)}</h1>{told}<nav class='navigation'>{page}</nav>", base if at == 1 else f"{base}page/{at}/")


def wp_events(asked: Asked, w: SimpleNamespace) -> Answer | None:
    seg, query = asked.segments, asked.query
    view, day = (seg[1] if len(seg) > 1 else "mes"), NOW
    if iso(view):
        view, day = "dia", iso(view)
    elif view == "hoje":
        view = "dia"
    elif len(seg) > 2 and re.fullmatch(r"\d{4}-\d\d", seg[2]):
        day = iso(seg[2] + "-01") or NOW
    elif query.get("tribe-bar-date"):
        day = iso(query["tribe-bar-date"] + ("-01" if query["tribe-bar-date"].count("-") == 1 else "")) or NOW
    if view not in ("mes", "lista", "dia", "semana", "categoria"):
        return None
    if "ical" in query or "outlook-ical" in query:
        return out(f"BEGIN:VCALENDAR\r\nVERSION:2.0\r\nUID:{token()}\r\nEND:VCALENDAR\r\n", kind="text/calendar; charset=UTF-8")

    def item(n: int) -> str:
        return f'<article class="tribe-events-calendar"><time datetime="{w.when[n]}">{w.when[n]:%d/%m}</time><h3>{a(WP + w.epaths[n], w.events[n])}</h3></article>'

    bar = lis([a(f"{WP}/eventos/lista/{f'?tribe-bar-date={day}' if day != NOW else ''}", "Lista"), a(f"{WP}/eventos/mes/{day:%Y-%m}/", "Mês"), a(f"{WP}/eventos/{day}/", "Dia"), a(f"{WP}/eventos/semana/?tribe-bar-date={day}", "Semana"), a(f"{WP}/eventos/hoje/", "Hoje")])
    if view == "mes":
        first = day.replace(day=1)
        rows = "".join("<tr>" + "".join(f"<td><h3>{a(f'{WP}/eventos/{d}/', d.day)}</h3>{''.join(item(n) for n in w.on.get(d, []))}</td>" for d in week) + "</tr>" for week in weeks(first))
        body = f"<table class='tribe-events-calendar-month'>{rows}</table>" + ("" if any((d.year, d.month) == (first.year, first.month) for d in w.on) else "<p>Não há eventos agendados para este mês.</p>")
        ways = [a(f"{WP}/eventos/mes/{months(first, k):%Y-%m}/", MON["pt"][months(first, k).month - 1], f'rel="{r}"') for k, r in ((-1, "prev"), (1, "next"))]
        ways.append(a(f"{WP}/eventos/mes/{first:%Y-%m}/?ical=1", "Exportar eventos"))
        title = f"Eventos de {MON['pt'][first.month - 1]} {first.year}"
    elif view == "lista":
        past = query.get("eventDisplay") == "past"
        near = [n for n, d in enumerate(w.when) if (d < day if past else d >= day)]
        near = near[::-1] if past else near
        at = num(seg[3] if len(seg) > 3 and seg[2] == "pagina" else None, 1)
        shown = near[at * 10 - 10 : at * 10]
        body = "".join(map(item, shown)) or "<p>Não há eventos futuros agendados.</p>"
        d = f"&tribe-bar-date={day}" if day != NOW else ""
        tail = f"?eventDisplay=past{d}" if past else (f"?{d[1:]}" if d else "")
        ways = [a(f"{WP}/eventos/lista/pagina/{at + 1}/{tail}", "Eventos seguintes" if not past else "Eventos anteriores")]
        ways.append(a(f"{WP}/eventos/lista/pagina/{at - 1}/{tail}" if at > 1 else f"{WP}/eventos/lista/?eventDisplay=past{d}", "Eventos anteriores"))
        ways += [a(f"{WP}/eventos/lista/{tail}{'&' if tail else '?'}{k}=1", "Subscrever") for k in ("ical", "outlook-ical")]
        title = "Eventos" if shown else "Sem eventos"
    else:
        span = [plus(day, k) for k in range(7 if view == "semana" else 1)]
        body = "".join(item(n) for d in span for n in w.on.get(d, [])) or f"<p>Sem eventos agendados para {day.day} {MON['pt'][day.month - 1]}, {day.year}.</p>"
        ways = [a(f"{WP}/eventos/semana/?tribe-bar-date={plus(day, k * 7)}" if view == "semana" else f"{WP}/eventos/{plus(day, k)}/", f"{plus(day, k)}", f'rel="{r}"') for k, r in ((-1, "prev"), (1, "next"))]
        ways.append(a(f"{WP}/eventos/{day}/?ical=1", "Exportar eventos"))
        title = f"Eventos para {day.day} de {MON['pt'][day.month - 1]} de {day.year}"
    nonce = json.dumps({"prev_url": "", "rest_nonce": token(10), "should_manage_url": True, "today": str(NOW)})
    return wp_frame(w, title, f"<h1>{title}</h1>{bar}<div class='tribe-events-header'>{lis(ways)}</div>{body}<script data-js='tribe-events-view-data' type='application/json'>{nonce}</script>", asked.path, canonical=False)


def wp_page(asked: Asked) -> Answer | None:
    w = wp_world(asked.seed)
    path, query, seg = asked.path, asked.query, asked.segments
    if "share" in query:
        return move(WP + path if query["share"] == "email" else f"https://www.{query['share']}.com/sharer?u={quote(WP + path, safe='')}&t={token(6)}")
    if path == "/wp-login.php":
        return out(f'<!DOCTYPE html><html lang="pt-PT"><head><title>Iniciar sessão</title><meta name="robots" content="noindex"></head><body class="login"><form method="post"><input name="log"><input name="pwd" type="password"></form>{a(WP + "/wp-login.php?action=lostpassword", "Senha perdida?")} {a(WP + "/", "← Voltar")}</body></html>')
    if seg and seg[-1] in ("feed", "embed"):
        return out(f'<?xml version="1.0"?><rss version="2.0"><channel><title>Jornal</title><lastBuildDate>{token(5)}</lastBuildDate></channel></rss>', kind="application/rss+xml; charset=UTF-8")
    if seg and seg[0] == "eventos":
        return wp_events(asked, w)
    if "s" in query:
        return wp_frame(w, f"Pesquisa: {query['s']}", "<h1>Nada encontrado</h1>", path)
    if path in w.event:
        n = w.event[path]
        day = w.when[n]
        ways = [a(WP + w.epaths[k], w.events[k]) for k in (n - 1, n + 1) if 0 <= k < len(w.epaths) and k % 4]
        more = [a(f"{WP}{path}?ical=1", "Adicionar ao iCal"), a(f"https://www.google.com/calendar/event?action=TEMPLATE&dates={day:%Y%m%d}", "Google Calendar"), a(f"{WP}/eventos/", "« Todos os Eventos"), a(f"{WP}/eventos/{day}/", str(day))]
        if "ical" in query:
            return out("BEGIN:VCALENDAR\r\nEND:VCALENDAR\r\n", kind="text/calendar")
        return wp_frame(w, w.events[n], f"<h1>{esc(w.events[n])}</h1><p>{day}</p>{paras(Random(f'{asked.seed}|we{n}'), PT, 3)}{lis(more)}{wp_share(WP + path)}{lis(ways)}", path)
    if path in w.pages or path == "/politica-de-privacidade/":
        t = w.pages.get(path, "Privacidade")
        return wp_frame(w, t, f"<h1>{esc(t)}</h1>{paras(Random(f'{asked.seed}|wp{path}'), PT, 6)}{wp_share(WP + path)}", path)
    if path in w.posts:
        n = w.posts[path]
        rng = Random(f"{asked.seed}|wpost{n}")
        told = "".join(
            f'<li id="comment-{c}" class="comment"><p>{say(Random(c), PT, 25)}</p><time>{a(f"{WP}{path}#comment-{c}", "data")}</time>{a(f"{WP}{path}?replytocom={c}#respond", "Responder", "rel=nofollow class=comment-reply-link")}</li>'
            for c in w.comments[n]
        )
        near = [a(WP + w.paths[k], w.titles[k], f'rel="{r}"') for k, r in ((n + 1, "prev"), (n - 1, "next")) if 0 <= k < 300]
        related = [a(WP + w.paths[k], w.titles[k]) for k in CHANCE.sample(range(300), 3)]
        meta = a(f"{WP}/author/{w.authors[w.author[n]]}/", w.authors[w.author[n]]) + " " + a(f"{WP}/{w.dates[n]:%Y/%m/%d}/", w.dates[n]) + "".join(a(f"{WP}/category/{slug(w.cats[c])}/", w.cats[c], 'rel="category tag"') for c in w.cat[n]) + "".join(a(f"{WP}/tag/{slug(w.tags[c])}/", w.tags[c], 'rel="tag"') for c in w.tag[n])
        answer = "Responder a comentário" + a(f"{WP}{path}#respond", "Cancelar resposta") if "replytocom" in query else "Deixe um comentário"
        return wp_frame(
            w, w.titles[n],
            f'<article><h1>{esc(w.titles[n])}</h1><div class="meta">{meta}</div>{paras(rng, PT, 5)}<img src="{WP}/wp-content/uploads/{n}.jpg" alt="">{wp_share(WP + path)}{a(f"{WP}/?p={n + 500}", "Ligação curta")}</article><nav>{lis(near)}</nav>'
            f'<h3>Relacionado</h3>{lis(related)}<ol class="commentlist">{told}</ol><div id="respond"><h3>{answer}</h3>Tem de {a(WP + "/wp-login.php?redirect_to=" + quote(WP + path, safe=""), "iniciar a sessão")} para comentar. {a(WP + path + "feed/", "RSS")}</div>',
            path, w.dates[n],
        )
    if path == "/" and "p" in query:
        n = num(query["p"]) - 500
        return move(WP + w.paths[n], 301) if 0 <= n < 300 else wp_frame(w, "Página não encontrada", "", path, status=404)
    base, at = path, 1
    if (m := re.fullmatch(r"(.*/)page/(\d+)/", path)):
        base, at = m[1], num(m[2])
    if base in w.lists:
        return wp_list(w, base, at)
    if len(seg) == 3 and (day := ymd(*seg)):
        some = [n for n in range(300) if w.dates[n] == day]
        told = lis([a(WP + w.paths[n], w.titles[n]) for n in some])
        return wp_frame(w, f"Dia {day}", told or "<h1>Nada encontrado</h1>", path, day, 200 if some else 404)
    return wp_frame(w, "Página não encontrada", "<h1>Ups! Não foi possível encontrar essa página.</h1>", path, status=404)


def wp_wanted(seed: int) -> set[str]:
    w = wp_world(seed)
    found = {*w.posts, *w.pages, *w.event, "/politica-de-privacidade/"}
    for base, (_, posts) in w.lists.items():
        found |= {base if n == 1 else f"{base}page/{n}/" for n in range(1, max((len(posts) + 9) // 10, 1) + 1)}
    return found - {p for p in w.lists if not w.lists[p][1]}


engine("wordpress", wp_page, lambda url: bool(re.search(r"^/eventos/|[?&](share|replytocom|ical|s)=|redirect_to=", rest(url))), wp_wanted)

# (4) Discourse, in English


@lru_cache(maxsize=4)
def dc_world(seed: int) -> SimpleNamespace:
    rng = Random(f"{seed}|dc")
    w = SimpleNamespace(titles=names(rng, EN, 420, 6), tags=rng.sample(EN, 36))
    w.users = [f"{rng.choice(FIRST['en'])}_{rng.choice(EN)}{u}" for u in range(150)]
    w.cats = [*names(rng, EN, 9, 2), "Uncategorized"]
    w.cat = [9 if n % 13 == 5 else rng.randrange(9) for n in range(420)]
    w.tag = [[] if w.cat[n] == 9 else sorted(rng.sample(range(36), rng.randint(0, 3))) for n in range(420)]
    w.posts = [min(int(rng.expovariate(1 / 9)) + 1, 80) for _ in range(420)]
    w.by = [[rng.randrange(150) for _ in range(w.posts[n])] for n in range(420)]
    w.order = rng.sample(range(420), 420)
    first = [n for n in w.order if w.cat[n] != 9][:30]  # what the home page shows
    w.order = first + [n for n in w.order if n not in set(first)]
    w.views = [rng.randrange(9_000) for _ in range(420)]
    w.sets = {frozenset(w.tag[n]): 1 for n in range(420)}
    w.spoke = {}
    for n in range(420):
        for u in set(w.by[n]):
            w.spoke.setdefault(u, []).append(n)
    return w


def dc_topic(w: SimpleNamespace, n: int) -> str:
    return f"/t/{slug(w.titles[n])}/{n + 10}"


def dc_frame(title: str, body: str, canonical: str = "", status: int = 200) -> Answer:
    menu = [("/", "Community"), ("/latest", "Latest"), ("/top", "Top"), ("/categories", "Categories"), ("/tags", "Tags"), ("/u", "Users"), ("/badges", "Badges"), ("/about", "About"), ("/login", "Log In"), ("/signup", "Sign Up"), ("/search?expanded=true", "Search")]
    return out(
        f'<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>{esc(title)} - Builders Community</title><meta name="generator" content="Discourse 3.2.0 - https://github.com/discourse/discourse version {token(40)}">'
        + (f'<link rel="canonical" href="http://eng-discourse.test{escape(canonical)}">' if canonical else "")
        + f'<meta name="csrf-token" content="{token(86)}"><meta id="data-discourse-setup" data-environment="production"></head><body class="crawler"><header>{lis(menu)}</header>'
        f'<div id="main-outlet" class="wrap" role="main">{body}</div><footer class="container wrap"><nav class="crawler-nav">{lis([("/", "Home"), ("/categories", "Categories"), ("/guidelines", "Guidelines"), ("/tos", "Terms of Service"), ("/privacy", "Privacy Policy")])}</nav>'
        f'<p>Powered by {a("https://www.discourse.org", "Discourse")}</p></footer><div class="hidden" id="data-preloaded" data-preloaded="{escape(json.dumps({"site": token(20), "t": secs()}))}"></div></body></html>',
        status,
    )


def dc_rows(w: SimpleNamespace, topics: list[int]) -> str:
    told = "".join(
        f'<tr class="topic-list-item"><td class="main-link"><a itemprop="url" href="{dc_topic(w, n)}" class="title raw-link">{w.titles[n]}</a>{a(f"/c/{slug(w.cats[w.cat[n]])}/{w.cat[n] + 4}", w.cats[w.cat[n]])} {" ".join(a(f"/tag/{w.tags[t]}", w.tags[t]) for t in w.tag[n])}</td>'
        f"<td>{' '.join(a('/u/' + w.users[u], w.users[u]) for u in dict.fromkeys(w.by[n][:5]))}</td><td>{w.posts[n] - 1}</td><td>{w.views[n]}</td><td>{a(f'{dc_topic(w, n)}/{w.posts[n]}', 'last')}</td></tr>"
        for n in topics
    )
    heads = "".join(a(f"/latest?ascending={x}&order={o}", o) for o in ("posts", "views", "activity", "likes", "op_likes", "posters", "category") for x in ("false", "true"))
    return f"<div>{heads}</div><table class='topic-list'>{told}</table>" if topics else "<p>There are no more topics.</p>"


DC_DOCS = ("/guidelines", "/tos", "/privacy", "/about")


def dc_page(asked: Asked) -> Answer | None:
    w = dc_world(asked.seed)
    path, query, seg = asked.path, asked.query, asked.segments
    at = max(num(query.get("page")), 0)
    if path in DC_DOCS:
        return dc_frame(path[1:], paras(Random(f"{asked.seed}|{path}"), EN, 8), path)
    if path in ("/login", "/signup"):
        return dc_frame("Log in", f'<form method="post"><input type="hidden" name="authenticity_token" value="{token()}"><input name="login"></form>')
    if path.endswith(".rss"):
        return out("<?xml version='1.0'?><rss version='2.0'><channel></channel></rss>", kind="application/rss+xml")
    if path in ("/", "/latest", "/new", "/unread") or seg[0] == "top":
        top = seg[:1] == ["top"]
        order = list(w.order)
        if query.get("order") in ("views", "posts", "likes", "op_likes") or top:
            order.sort(key=lambda n: (w.views if query.get("order", "views") == "views" else w.posts)[n], reverse=query.get("ascending") != "true")
        elif query.get("ascending") == "true":
            order.reverse()
        if top:
            order = order[: {"daily": 8, "weekly": 20, "monthly": 60, "quarterly": 120, "yearly": 250}.get(query.get("period", "yearly"), 420)]
        shown = order[at * 30 : at * 30 + 30]
        keep = [(k, v) for k, v in asked.pairs if k not in ("page", "no_definitions")]
        more = a(q("/latest" if not top else "/top", *([] if top else [("no_definitions", "true")]), *keep, ("page", at + 1)), "next page →", 'rel="next"') if shown else ""
        if at:
            more += a(q("/latest" if not top else "/top", *([] if top else [("no_definitions", "true")]), *keep, ("page", at - 1)), "← previous page", 'rel="prev"')
        periods = "".join(a(f"/top?period={p}", p) for p in ("daily", "weekly", "monthly", "quarterly", "yearly", "all")) if top else ""
        if top:
            periods += "".join(a(f"/top?{urlencode(put(asked.pairs, order=o, page=None))}", o) for o in ("views", "posts", "likes", "op_likes"))
        return dc_frame("Latest topics" if not top else "Top", f"{periods}{dc_rows(w, shown)}<div class='navigation'>{more}</div>{a('/latest.rss', 'RSS')}", "/" if path == "/" else "")
    if path == "/categories":
        return dc_frame("Categories", lis([a(f"/c/{slug(c)}/{k + 4}", c) for k, c in enumerate(w.cats[:9])]), path)
    if seg[0] == "c" and len(seg) >= 3 and 0 <= num(seg[2], -1) - 4 < 10:
        k = num(seg[2]) - 4
        base = f"/c/{slug(w.cats[k])}/{k + 4}"
        some = [n for n in w.order if w.cat[n] == k]
        tail = asked.path[len(base) :]
        if tail == "/l/top":
            some.sort(key=lambda n: -w.views[n])
        shown = some[at * 30 : at * 30 + 30]
        keep = [(x, v) for x, v in asked.pairs if x != "page"]
        more = [a(q(path, *keep, ("page", at + 1)), "next page →")] if (at + 1) * 30 < len(some) or tail else []
        more += [a(q(path, *keep, ("page", at - 1 or None)), "← previous page")] if at else []
        ways = [a(f"{base}/l/latest", "Latest"), a(f"{base}/l/top", "Top"), a(f"{base}/none", "none"), a(f"{base}.rss", "RSS")] + [a(f"{base}/l/top?period={p}", p) for p in ("weekly", "monthly", "yearly", "all")]
        ways += [a(f"/tags{base}/{w.tags[t]}", w.tags[t]) for t in range(k, 36, 4)]
        return dc_frame(w.cats[k], f"{lis(ways)}{dc_rows(w, shown)}{' '.join(more)}", base)
    if path == "/tags":
        return dc_frame("Tags", lis([a(f"/tag/{t}", t) for t in w.tags]), path)
    if (seg[0] == "tag" and len(seg) > 1 and seg[1] in w.tags) or (seg[0] == "tags" and len(seg) > 2):
        named = [s for s in (seg[1:2] if seg[0] == "tag" else seg[2:] if seg[1] == "intersection" else seg[-1:]) if s in w.tags]
        ids = {w.tags.index(t) for t in named}
        some = [n for n in w.order if ids <= set(w.tag[n])]
        if seg[:2] == ["tags", "c"] and len(seg) > 3:
            some = [n for n in some if w.cat[n] == num(seg[3]) - 4]
        shown = some[at * 30 : at * 30 + 30]
        others = [t for t in w.tags if t not in named]
        ways = [a("/tags/intersection/" + "/".join([*named, t]), f"+ {t}") for t in others[:: max(len(named), 1)]] if len(named) < 5 else []
        ways += [a(f"/tag/{named[0]}/l/{o}", o) for o in ("latest", "top")] if named and seg[0] == "tag" else []
        more = a(q(path, ("page", at + 1)), "next page →") if (at + 1) * 30 < len(some) else ""
        return dc_frame("Topics tagged " + " ".join(named), f"{dc_rows(w, shown)}{more}<div class='tag-filter'>{lis(ways)}</div>")
    if seg[0] == "t" and len(seg) >= 2:
        n = num(seg[2] if len(seg) > 2 else seg[1], -1) - 10
        if not 0 <= n < 420:
            return dc_frame("Oops! That page doesn’t exist or is private.", "<h1>Oops!</h1>", status=404)
        base = dc_topic(w, n)
        if len(seg) < 3 or seg[1] != slug(w.titles[n]):
            return move(base + ("/" + seg[3] if len(seg) > 3 else ""), 301)
        at = max(at, 1)
        if len(seg) > 3:
            at = (max(num(seg[3], 1), 1) - 1) // 20 + 1
        last = (w.posts[n] + 19) // 20
        if at > last:
            return dc_frame(w.titles[n], f"<h1>{a(base, w.titles[n])}</h1><p>No posts.</p>{a(base, 'back')}", status=404)
        told = []
        for p in range(at * 20 - 19, min(at * 20, w.posts[n]) + 1):
            rng = Random(f"{asked.seed}|dp{n}|{p}")
            u = w.users[w.by[n][p - 1]]
            told.append(
                f'<div id="post_{p}" itemprop="comment" class="topic-body crawler-post"><span class="creator">{a(f"/u/{u}", u)}</span> {a(base + (f"/{p}" if p > 1 else ""), f"#{p}", "rel=nofollow class=post-date")}<div class="post">{say(rng, EN, rng.randint(20, 120))}</div>'
                f"{a(f'{base}/{rng.randint(1, p)}', 'in reply to')} {a(f'/p/{n * 100 + p}', 'permalink')}</div>"
            )
        nav = (a(base + (f"?page={at - 1}" if at > 2 else ""), "← previous page", 'rel="prev"') if at > 1 else "") + (a(f"{base}?page={at + 1}", "next page →", 'rel="next"') if at < last else "")
        kin = [m for m in range(420) if w.cat[m] == w.cat[n]] if w.cat[n] != 9 else [m for m in range(420) if w.cat[m] != 9]
        head = f'<h1>{a(base, w.titles[n])}</h1>{a(f"/c/{slug(w.cats[w.cat[n]])}/{w.cat[n] + 4}", w.cats[w.cat[n]])} {" ".join(a(f"/tag/{w.tags[t]}", w.tags[t]) for t in w.tag[n])}'
        return dc_frame(w.titles[n], f"{head}{''.join(told)}<div role='navigation'>{nav}</div><h3>Related Topics</h3>{dc_rows(w, CHANCE.sample(kin, 5))}{lis([(f'{base}.rss', 'RSS'), (f'{base}/print', 'Print')])}", base + (f"?page={at}" if at > 1 else ""))
    if seg[0] == "p":
        n, p = divmod(num(seg[-1]), 100)
        return move(f"{dc_topic(w, n)}/{p}", 301) if 0 <= n < 420 else None
    if path == "/u":
        keys_ = [("period", ["weekly", "monthly", "quarterly", "yearly", "all"]), ("order", ["likes_received", "likes_given", "post_count", "topic_count", "days_visited"]), ("asc", ["true"])]
        ways = [a(q("/u", *put(asked.pairs, **{k: v, "page": None})), v) for k, vs in keys_ for v in vs]
        order = sorted(range(150), key=lambda u: hexa(u, query.get("order")))
        shown = order[at * 50 : at * 50 + 50]
        return dc_frame("Users", f"{lis(ways)}{lis([a(f'/u/{w.users[u]}', w.users[u]) for u in shown])}{a(q('/u', *put(asked.pairs, page=at + 1)), 'next page')}")
    if seg[0] == "u" and len(seg) >= 2 and seg[1] in w.users:
        u = w.users.index(seg[1])
        base = f"/u/{seg[1]}"
        ways = [(f"{base}/{k}", k) for k in ("summary", "activity", "activity/topics", "activity/replies", "badges")] + [(f"{base}/activity.rss", "RSS")]
        some = [n for n in w.spoke.get(u, []) if w.cat[n] != 9]
        spoke = lis([a(dc_topic(w, n) + (f"/{CHANCE.randint(2, w.posts[n])}" if w.posts[n] > 1 and len(seg) > 2 else ""), w.titles[n]) for n in some[:20]])
        return dc_frame(f"Profile - {seg[1]}", f"<h1>{seg[1]}</h1><p>{say(Random(f'{asked.seed}|du{u}'), EN, 20)}</p>{lis(ways)}{spoke}", base)
    if seg[0] == "badges":
        return dc_frame("Badges", lis([a(f"/badges/{k}/{b}", b) for k, b in enumerate(("basic", "member", "regular", "leader", "welcome", "autobiographer"))]) + "<p>Earned by members.</p>")
    if seg[0] == "search":
        ways = [a(q("/search", ("q", f"{query.get('q', '')} {x}".strip())), x) for x in ("order:latest", "order:likes", "order:views", "in:title", "status:open", "@" + w.users[0], "#" + w.tags[0])]
        return dc_frame("Search", f"<p>No results found.</p>{lis(ways)}") if len(query.get("q", "")) < 400 else None
    return dc_frame("Oops! That page doesn’t exist or is private.", "<h1>Oops! That page doesn’t exist or is private.</h1>", status=404)


def dc_wanted(seed: int) -> set[str]:
    w = dc_world(seed)
    found = {"/", "/categories", "/tags", *DC_DOCS, *(f"/u/{u}" for u in w.users), *(f"/tag/{t}" for t in w.tags)}
    for n in range(420):
        found |= {dc_topic(w, n) + (f"?page={p}" if p > 1 else "") for p in range(1, (w.posts[n] + 19) // 20 + 1)}
    for k, c in enumerate(w.cats):
        some = w.cat.count(k)
        found |= {f"/c/{slug(c)}/{k + 4}" + (f"?page={p}" if p else "") for p in range((some + 29) // 30)}
    return found


_DC_HONEST = re.compile(r"/|/latest|/categories|/tags|/about|/tos|/privacy|/guidelines|/login|/signup|/badges(/.*)?|/u/[^/?]+|/tag/[^/?]+(\?page=\d+)?|/c/[^/]+/\d+(\?page=\d+)?|/t/[^/]+/\d+(\?page=\d+)?|[^?]*\.rss")
engine("discourse", dc_page, lambda url: not _DC_HONEST.fullmatch(rest(url)), dc_wanted)


# (5) Magento, in Italian

MG = "http://eng-magento.test"
MG_FACETS = {
    "color": ("Colore", ["Rosso", "Verde", "Blu", "Nero", "Bianco", "Grigio", "Giallo", "Marrone"]),
    "size": ("Taglia", ["XS", "S", "M", "L", "XL", "XXL"]),
    "material": ("Materiale", ["Cotone", "Lana", "Lino", "Seta", "Pelle"]),
    "brand": ("Marca", ["Alba", "Brezza", "Corsa", "Duna", "Etna", "Faro", "Golfo"]),
    "climate": ("Clima", ["Caldo", "Freddo", "Pioggia", "Vento"]),
    "price": ("Prezzo", ["0-20", "20-40", "40-60", "60-80", "80-"]),
}


@lru_cache(maxsize=4)
def mg_world(seed: int) -> SimpleNamespace:
    rng = Random(f"{seed}|mg")
    w = SimpleNamespace(titles=names(rng, IT[:170], 500, 4))
    w.keys = [slug(t) for t in w.titles]
    tops = rng.sample(IT[30:80], 5)
    w.cats = []
    for top in tops:
        w.cats.append((f"/{slug(top)}.html", top.capitalize()))
        w.cats += [(f"/{slug(top)}/{slug(sub)}.html", sub.capitalize()) for sub in rng.sample(IT[80:150], 4)]
    w.cat = [rng.choice([k for k in range(25) if k % 5]) for _ in range(500)]
    w.has = [{f: {rng.randrange(len(vs))} if f not in ("color", "size", "climate") else set(rng.sample(range(len(vs)), 2)) for f, (_, vs) in MG_FACETS.items()} for _ in range(500)]
    w.price = [next(iter(h["price"])) * 20 + rng.randint(1, 19) + 0.9 for h in w.has]
    w.hidden = set(range(0, 500, 25))  # found by search alone
    w.variant = set(range(7, 500, 25))  # shown where a colour has been chosen
    w.terms = rng.sample(IT[:150], 20)
    w.reviews = [rng.choice((0, 0, 0, 1, 3)) for _ in range(500)]
    w.of = [[n for n in range(500) if n not in w.hidden and (w.cat[n] == k or w.cat[n] // 5 * 5 == k)] for k in range(25)]
    w.at = {f"/{k}.html": n for n, k in enumerate(w.keys)}
    w.cat_at = {p: k for k, (p, _) in enumerate(w.cats)}
    return w


_MG_KEY = token(16)


def uenc(url: str) -> str:
    return base64.b64encode(url.encode()).decode().replace("+", "-").replace("/", "_").replace("=", ",")


def mg_frame(w: SimpleNamespace, asked: Asked, title: str, body: str, canonical: str = "", status: int = 200) -> Answer:
    menu = "".join(f'<li class="level0">{a(MG + w.cats[k][0], w.cats[k][1])}{lis([a(MG + p, t) for p, t in w.cats[k + 1 : k + 5]], "level0 submenu")}</li>' for k in range(0, 25, 5))
    back = uenc(asked.url)
    links = [a(f"{MG}/customer/account/login/referer/{back}/", "Accedi"), a(f"{MG}/customer/account/create/", "Crea un account"), a(f"{MG}/wishlist/", "Lista desideri"), a(f"{MG}/checkout/cart/", "Carrello"), a(f"{MG}/catalog/product_compare/index/uenc/{back}/", "Confronta prodotti")]
    store = [a(f"{MG}/stores/store/redirect/___store/{s}/___from_store/it/uenc/{back}/", s) for s in ("en", "de")]
    foot = [a(f"{MG}/{p}", t) for p, t in (("chi-siamo", "Chi siamo"), ("spedizioni", "Spedizioni"), ("privacy-policy-cookie-restriction-mode", "Privacy"), ("search/term/popular/", "Ricerche frequenti"), ("catalogsearch/advanced/", "Ricerca avanzata"), ("contact/", "Contattaci"), ("sales/guest/form/", "Ordini e resi"))]
    return out(
        f'<!doctype html><html lang="it"><head><meta charset="utf-8"><title>{esc(title)}</title><meta name="robots" content="INDEX,FOLLOW">'
        + (f'<link rel="canonical" href="{MG}{canonical}">' if canonical else "")
        + f"<script>var BASE_URL='{MG}/';var require={{'baseUrl':'{MG}/static/version{CHANCE.randrange(10**6)}'}};window.formKey='{token(16)}';</script></head><body class='catalog-category-view page-products'>"
        f'<header class="page-header">{lis(links, "header links")}{lis(store, "switcher")}<a class="logo" href="{MG}/"><img src="/logo.svg" alt="Bottega"></a><form action="{MG}/catalogsearch/result/" method="get"><input name="q"></form></header><nav class="navigation"><ul>{menu}</ul></nav>'
        f'<main id="maincontent"><h1>{esc(title)}</h1>{body}</main><footer class="page-footer">{lis(foot)}<small>© 2026 Bottega</small></footer><script type="text/x-magento-init">{{"*":{{"session":"{token(10)}"}}}}</script></body></html>',
        status,
    )


def mg_item(w: SimpleNamespace, n: int, back: str, key: str) -> str:
    url = f"{MG}/{w.keys[n]}.html"
    return (
        f'<li class="item product product-item"><a href="{url}" class="product photo"><img src="/media/catalog/{n}.jpg" alt=""></a><strong>{a(url, w.titles[n], "class=product-item-link")}</strong><span class="price">{w.price[n]:.2f} €</span>'
        f'{a(f"{MG}/checkout/cart/add/uenc/{back}/product/{n + 1}/form_key/{key}/", "Aggiungi al carrello", "class=tocart")}{a(f"{MG}/wishlist/index/add/product/{n + 1}/form_key/{key}/", "Lista desideri")}{a(f"{MG}/catalog/product_compare/add/product/{n + 1}/uenc/{back}/form_key/{key}/", "Confronta")}</li>'
    )


def mg_listing(asked: Asked, w: SimpleNamespace, path: str, some: list[int], title: str, canonical: str) -> Answer:
    query = asked.query
    chosen = {f: num(query[f], -1) for f in MG_FACETS if f in query}
    some = [n for n in some if all(v in w.has[n][f] for f, v in chosen.items()) and ("color" in chosen or n not in w.variant)]
    order = query.get("product_list_order", "position")
    if order in ("name", "price"):
        some.sort(key=lambda n: w.titles[n] if order == "name" else w.price[n])
    else:
        some.sort(key=lambda n: n not in w.hidden and n not in w.variant)
    if query.get("product_list_dir") == "desc":
        some.reverse()
    per = min(max(num(query.get("product_list_limit"), 12), 1), 36)
    last = max((len(some) + per - 1) // per, 1)
    at = min(max(num(query.get("p"), 1), 1), last)
    me = MG + path

    def vary(**new: object) -> str:
        return q(me, *put(asked.pairs, p=None, **new))

    layers = []
    for f, (label, vs) in MG_FACETS.items():
        if f in chosen:
            layers.append(f"<li>{label}: {vs[chosen[f]] if 0 <= chosen[f] < len(vs) else ''} {a(vary(**{f: None}), 'Rimuovi', 'class=remove')}</li>")
        else:
            counts = [sum(1 for n in some if v in w.has[n][f]) for v in range(len(vs))]
            layers.append(f"<li>{label}{lis([a(vary(**{f: v}), vs[v]) + f' ({c})' for v, c in enumerate(counts) if c])}</li>")
    if chosen:
        layers.append(f"<li>{a(q(me, *put(asked.pairs, p=None, **dict.fromkeys(chosen))), 'Cancella tutto')}</li>")
    bar = [a(vary(product_list_order=o), o) for o in ("position", "name", "price")] + [a(vary(product_list_dir="asc" if query.get("product_list_dir") == "desc" else "desc"), "direzione")]
    bar += [a(vary(product_list_mode=m), m) for m in ("grid", "list")] + [a(vary(product_list_limit=k), k) for k in (12, 24, 36)]
    back, key = uenc(asked.url), _MG_KEY
    items = "".join(mg_item(w, n, back, key) for n in some[at * per - per : at * per])
    page = pager(at, last, lambda n: q(me, *put(asked.pairs, p=n if n > 1 else None)), "Precedente", "Successivo")
    body = f'<div class="toolbar">{len(some)} articoli {" ".join(bar)}</div><ol class="products list">{items}</ol>{page}' if some else "<p>Non ci sono prodotti corrispondenti alla selezione.</p>"
    return mg_frame(w, asked, title, f'{body}<div class="block filter"><strong>Filtra per</strong><ol>{"".join(layers)}</ol></div>', canonical)


MG_PAGES = ("/chi-siamo", "/spedizioni", "/privacy-policy-cookie-restriction-mode")


def mg_page(asked: Asked) -> Answer | None:
    w = mg_world(asked.seed)
    path, query, seg = asked.path, asked.query, asked.segments
    if path == "/":
        shown = CHANCE.sample([n for n in range(500) if n not in w.hidden | w.variant], 4)
        return mg_frame(w, asked, "Bottega", f"<p>{say(Random(f'{asked.seed}|mgh'), IT, 40)}</p><ol>{''.join(mg_item(w, n, uenc(asked.url), _MG_KEY) for n in shown)}</ol>", "/")
    if path in MG_PAGES:
        return mg_frame(w, asked, path[1:].replace("-", " ").capitalize(), paras(Random(f"{asked.seed}|{path}"), IT, 6))
    if path in w.cat_at:
        k = w.cat_at[path]
        return mg_listing(asked, w, path, list(w.of[k]), w.cats[k][1], path)
    if path in w.at:
        n = w.at[path]
        rng = Random(f"{asked.seed}|mgp{n}")
        kin = [m for m in range(500) if w.cat[m] == w.cat[n] and m not in w.hidden | w.variant]
        back, key = uenc(asked.url), _MG_KEY
        rows = "".join(f"<tr><th>{MG_FACETS[f][0]}</th><td>{', '.join(MG_FACETS[f][1][v] for v in sorted(vs))}</td></tr>" for f, vs in w.has[n].items() if f != "price")
        crumbs = a(MG + "/", "Home") + a(MG + w.cats[w.cat[n]][0], w.cats[w.cat[n]][1])
        rev = a(f"{MG}/review/product/list/id/{n + 1}/", f"{w.reviews[n]} recensioni") if w.reviews[n] else a(f"{MG}/{w.keys[n]}.html#review-form", "Scrivi la prima recensione")
        more = a(f"{MG}/sendfriend/product/send/id/{n + 1}/cat_id/{w.cat[n] + 3}/", "Invia a un amico") + a(f"{MG}/productalert/add/stock/product_id/{n + 1}/uenc/{back}/", "Avvisami")
        data = json.dumps({"@context": "http://schema.org", "@type": "Product", "sku": f"SKU{n + 1:05}", "offers": {"price": w.price[n]}})
        return mg_frame(w, asked, w.titles[n], f"{crumbs}<p>SKU{n + 1:05}</p><div>{say(rng, IT, 90)}</div><table>{rows}</table>{rev}{more}<script type='application/ld+json'>{data}</script>{mg_item(w, n, back, key)}<h2>Prodotti correlati</h2><ol>{''.join(mg_item(w, m, back, key) for m in CHANCE.sample(kin, min(4, len(kin))))}</ol>", path)
    if path.startswith("/review/product/list/id/"):
        n = num(seg[-1]) - 1
        if not 0 <= n < 500 or not w.reviews[n]:
            return mg_frame(w, asked, "404 Pagina non trovata", "<p>Ops</p>", status=404)
        told = "".join(f"<li>{say(Random(f'{asked.seed}|mgr{n}{k}'), IT, 30)}</li>" for k in range(w.reviews[n]))
        return mg_frame(w, asked, f"Recensioni: {w.titles[n]}", f"<ol>{told}</ol>{a(f'{MG}/{w.keys[n]}.html', 'Torna al prodotto')}")
    if path == "/search/term/popular/":
        return mg_frame(w, asked, "Ricerche frequenti", lis([a(q(f"{MG}/catalogsearch/result/", q=t), t) for t in w.terms]))
    if path == "/catalogsearch/result/":
        asked_for = query.get("q", "").lower()
        some = [n for n in range(500) if asked_for and (asked_for in w.titles[n].lower() or (asked_for in w.terms and hexa(n, length=2) < "18") or (n in w.hidden and asked_for in w.terms and n // 25 == w.terms.index(asked_for)))]
        if not some:
            return mg_frame(w, asked, f"Risultati per '{asked_for}'", "<p>La ricerca non ha restituito risultati.</p>")
        return mg_listing(asked, w, path, some, f"Risultati della ricerca per: '{asked_for}'", "")
    if path == "/catalogsearch/advanced/":
        return mg_frame(w, asked, "Ricerca avanzata", "<form method='get' action='/catalogsearch/advanced/result/'><input name='name'></form>")
    if path.startswith("/stores/store/redirect/"):
        try:
            to = base64.b64decode(seg[-1].replace("-", "+").replace("_", "/").replace(",", "=")).decode()
        except ValueError:
            to = MG + "/"
        return move(q(to.partition("?")[0], *put(parse_qsl(urlsplit(to).query), ___store=seg[4])))
    if seg[0] in ("checkout", "wishlist", "customer", "catalog", "sendfriend", "productalert", "contact", "sales"):
        if seg[0] in ("wishlist", "productalert") and len(seg) > 1:
            return move(f"{MG}/customer/account/login/referer/{uenc(asked.url[:400])}/")
        if seg[0] in ("checkout", "catalog") and "add" in seg:
            return move(f"{MG}/catalog/product_compare/index/uenc/{seg[seg.index('uenc') + 1]}/" if "uenc" in seg and seg[0] == "catalog" else f"{MG}/checkout/cart/")
        return mg_frame(w, asked, "Accesso cliente" if seg[0] == "customer" else "Carrello", f'<form method="post"><input name="form_key" type="hidden" value="{token(16)}"><input name="login[username]"></form><p>Non ci sono articoli.</p>')
    return mg_frame(w, asked, "404 Pagina non trovata", "<p>La pagina richiesta non è stata trovata.</p>", status=404)


def mg_wanted(seed: int) -> set[str]:
    w = mg_world(seed)
    found = {"/", *MG_PAGES, "/search/term/popular/", *w.at}
    found |= {f"/review/product/list/id/{n + 1}/" for n in range(500) if w.reviews[n]}
    for k, (path, _) in enumerate(w.cats):
        some = sum(1 for n in w.of[k] if n not in w.variant)
        found |= {path + (f"?p={p}" if p > 1 else "") for p in range(1, max((some + 11) // 12, 1) + 1)}
    return found


def mg_inside(url: str) -> bool:
    return bool(keys(url) - {"p"}) or bool(re.match(r"/(checkout|catalog|wishlist|customer|stores|sendfriend|productalert|catalogsearch/result)/.", urlsplit(url).path))


engine("magento", mg_page, mg_inside, mg_wanted)

# (6) DSpace, in Spanish


@lru_cache(maxsize=4)
def ds_world(seed: int) -> SimpleNamespace:
    rng = Random(f"{seed}|ds")
    w = SimpleNamespace(titles=names(rng, ES[:150], 350, 6))
    last = [x.capitalize() for x in rng.sample(ES[:150], 90)]
    w.authors = [f"{last[rng.randrange(90)]}, {rng.choice(('María', 'José', 'Ana', 'Luis', 'Carmen', 'Juan', 'Lucía', 'Pablo'))} {rng.choice('ABCDEFG')}." for _ in range(140)]
    w.subjects = rng.sample(ES[:150], 60)
    w.colls = names(rng, ES[:150], 18, 3)
    w.comms = names(rng, ES[:150], 5, 2)
    w.coll = [rng.randrange(18) for _ in range(350)]
    w.by = [sorted(rng.sample(range(140), rng.randint(1, 3))) for _ in range(350)]
    w.sub = [sorted(rng.sample(range(60), rng.randint(1, 4))) for _ in range(350)]
    w.date = [date(rng.randint(1990, 2026), rng.randint(1, 12), rng.randint(1, 28)) for _ in range(350)]
    w.kind = [rng.randrange(4) for _ in range(350)]
    w.old = set(rng.sample(range(350), 28))  # in no list of recent submissions
    w.handle = {100 + n * 3: n for n in range(350)}
    return w


DS_KINDS = ("Artículo", "Tesis", "Libro", "Informe")
DS_FIELDS = {"author": "Autor", "subject": "Materia", "dateIssued": "Fecha", "type": "Tipo", "has_content_in_original_bundle": "Con fichero"}


def ds_frame(asked: Asked, w: SimpleNamespace, title: str, body: str, scope: str = "", status: int = 200) -> Answer:
    base = f"/handle/10234/{scope}" if scope else ""
    browse = [(f"{b}/browse?type={t}" if b else ("/community-list" if not t else f"/browse?type={t}"), l) for b in dict.fromkeys(("", base)) for t, l in (("dateissued", "Por fecha"), ("author", "Autores"), ("title", "Títulos"), ("subject", "Materias"))]
    side = [("/community-list", "Comunidades y colecciones"), *browse, ("/statistics-home", "Estadísticas"), (q("/login", back=rest(asked.url)), "Acceder"), ("/register", "Registro")]
    if base:
        side += [(f"{base}/statistics", "Ver estadísticas de uso"), (f"{base}/search-statistics", "Estadísticas de búsqueda"), (f"{base}/discover", "Buscar aquí")]
    langs = [(q(asked.path, *put(asked.pairs, **{"locale-attribute": x})), x) for x in ("en", "es", "ca")]
    return out(
        f'<!DOCTYPE html><html lang="es"><head><meta charset="UTF-8"><title>{esc(title)}</title><meta name="Generator" content="DSpace 6.3"><link rel="search" type="application/opensearchdescription+xml" href="/open-search/description.xml"><script>window.DSpace={{"context_path":"","req":"{token(8)}"}};</script></head>'
        f'<body><header class="navbar"><a href="/" class="navbar-brand"><img src="/logo.svg" alt="Repositorio"></a>{lis(langs, "dropdown-menu")}</header><div class="trail">{a("/", "Inicio")}{a(base, title) if base else ""}</div><div class="main"><h2>{esc(title)}</h2>{body}</div><div class="sidebar"><form action="{base}/discover"><input name="query"></form>{lis(side)}</div>'
        f'<footer>DSpace software copyright © 2002-2016 DuraSpace {a("/contact", "Contacto")} {a("/feedback", "Sugerencias")}</footer></body></html>', status,
    )


def ds_items(w: SimpleNamespace, some: list[int]) -> str:
    return "".join(
        f'<div class="ds-artifact-item"><h4>{a(f"/handle/10234/{100 + n * 3}", w.titles[n])}</h4><span class="author">{"; ".join(w.authors[x] for x in w.by[n])}</span> ({w.date[n]})<div class="abstract">{say(Random(w.titles[n]), ES, 20)}…</div></div>' for n in some
    )


def ds_page(asked: Asked) -> Answer | None:
    w = ds_world(asked.seed)
    path, query, seg = asked.path, asked.query, asked.segments
    scope, some = "", list(range(350))
    if seg[:2] == ["handle", "10234"] and len(seg) > 2:
        h = num(seg[2], -1)
        scope = seg[2]
        if h in w.handle:
            some = [w.handle[h]]
        elif 2 <= h <= 6:
            some = [n for n in some if w.coll[n] % 5 == h - 2]
        elif 10 <= h < 28:
            some = [n for n in some if w.coll[n] == h - 10]
        else:
            return ds_frame(asked, w, "Recurso no encontrado", "<p>No se ha encontrado el identificador.</p>", status=404)
    last = seg[-1] if seg else ""
    base = f"/handle/10234/{scope}" if scope else ""
    if path == "/":
        new = sorted((n for n in range(350) if n not in w.old), key=hexa)[:5]
        return ds_frame(asked, w, "Repositorio institucional", f"<p>{say(Random(f'{asked.seed}|dsh'), ES, 50)}</p>{lis([(f'/handle/10234/{k + 2}', c) for k, c in enumerate(w.comms)])}<h3>Añadido recientemente</h3>{ds_items(w, new)}")
    if path == "/community-list":
        return ds_frame(asked, w, "Comunidades", lis([a(f"/handle/10234/{k + 2}", c) + lis([(f"/handle/10234/{j + 10}", w.colls[j]) for j in range(18) if j % 5 == k]) for k, c in enumerate(w.comms)]))
    if last == "browse":
        kind = query.get("type", "title")
        rpp = min(max(num(query.get("rpp"), 20), 1), 100)
        offset = max(num(query.get("offset")), 0)
        starts = query.get("starts_with", "").lower()
        desc = query.get("order", "ASC") == "DESC"
        orders = [a(q(path, *put(asked.pairs, order=o, offset=None)), o) for o in ("ASC", "DESC")] + [a(q(path, *put(asked.pairs, rpp=k, offset=None)), k) for k in (5, 10, 20, 40, 60, 80, 100)] + [a(q(path, *put(asked.pairs, etal=k)), f"et al. {k}") for k in (-1, 1, 5, 10)]
        letters = [a(q(path, *put(asked.pairs, starts_with=c, offset=None)), c) for c in (["0-9", *"ABCDEFGHIJKLMNOPQRSTUVWXYZ"] if kind != "dateissued" else range(2026, 1989, -1))]
        if kind in ("author", "subject") and "value" not in query:
            pool, of = (w.authors, w.by) if kind == "author" else (w.subjects, w.sub)
            known = sorted({pool[x] for n in some for x in of[n]}, reverse=desc)
            if starts:
                known = [x for x in known if x.lower() >= starts]
            total = len(known)
            body = lis([a(q(f"{base}/browse", type=kind, value=x), x) for x in known[offset : offset + rpp]])
        else:
            if "value" in query:
                v = query["value"]
                some = [n for n in some if v in ([w.authors[x] for x in w.by[n]] if kind == "author" else [w.subjects[x] for x in w.sub[n]])]
            some.sort(key=lambda n: str(w.date[n]) if kind == "dateissued" else w.titles[n].lower(), reverse=desc)
            if starts:
                some = [n for n in some if (str(w.date[n]) if kind == "dateissued" else w.titles[n].lower()) >= starts]
            total = len(some)
            body = ds_items(w, some[offset : offset + rpp])
            orders += [a(q(path, *put(asked.pairs, sort_by=k, offset=None)), f"orden {k}") for k in (1, 2, 3)]
        ways = [a(q(path, *put(asked.pairs, rpp=rpp, offset=offset + rpp)), "Página siguiente", 'class="next-page-link"')] if offset + rpp < total else []
        ways += [a(q(path, *put(asked.pairs, rpp=rpp, offset=max(offset - rpp, 0))), "Página anterior", 'class="previous-page-link"')] if offset else []
        return ds_frame(asked, w, f"Listar por {kind}", f"<div>{' '.join(letters)}</div><div>{' '.join(orders)}</div><p>Mostrando ítems {offset + 1}-{min(offset + rpp, total)} de {total}</p>{body or '<p>No hay resultados.</p>'}{' '.join(ways)}", scope if base and num(scope) < 100 else "")
    if last in ("discover", "search-filter"):
        filters = []
        for k in range(12):
            if f"filtertype_{k}" in query:
                filters.append((query[f"filtertype_{k}"], query.get(f"filter_{k}", "")))
        if "filtertype" in query:
            filters.append((query["filtertype"], query.get("filter", "")))

        def values(n: int, field: str) -> list[str]:
            return {"author": [w.authors[x] for x in w.by[n]], "subject": [w.subjects[x] for x in w.sub[n]], "dateIssued": [str(w.date[n].year)], "type": [DS_KINDS[w.kind[n]]]}.get(field, ["true"])

        some = [n for n in some if all(v in values(n, f) for f, v in filters)]
        kept = [p for k, (f, v) in enumerate(filters) for p in ((f"filtertype_{k}", f), (f"filter_relational_operator_{k}", "equals"), (f"filter_{k}", v))]
        sort = [(k, query[k]) for k in ("rpp", "sort_by", "order") if k in query]
        told = []
        for field, label in DS_FIELDS.items():
            counts: dict[str, int] = {}
            for n in some:
                for v in values(n, field):
                    counts[v] = counts.get(v, 0) + 1
            best = sorted(counts, key=lambda v: (-counts[v], v))
            if last == "search-filter":
                if field != query.get("field"):
                    continue
                off = max(num(query.get("offset")), 0)
                shown = sorted(counts)[off : off + 10]
                more = [a(q(path, *put(asked.pairs, offset=off + 10)), "Siguiente")] + ([a(q(path, *put(asked.pairs, offset=off - 10)), "Anterior")] if off >= 10 else [])
                more += [a(q(path, *put(asked.pairs, filterorder=o)), o) for o in ("OCCURRENCE_DESC", "NAME_ASC", "NAME_DESC")] + [a(q(path, *put(asked.pairs, starts_with=c, offset=None)), c) for c in "abcdefghijklmnopqrstuvwxyz"]
            else:
                shown = [v for v in best if (field, v) not in filters][:8]
                more = [a(q(f"{base}/search-filter", *kept, ("query", query.get("query", "")), ("field", field), ("filterorder", "COUNT")), "... ver más")]
            told.append(f"<h4>{label}</h4>{lis([a(q(f'{base}/discover', *kept, ('filtertype', field), ('filter_relational_operator', 'equals'), ('filter', v)), f'{v} ({counts[v]})') for v in shown] + more)}")
        rpp = min(max(num(query.get("rpp"), 10), 1), 100)
        at = max(num(query.get("page"), 1), 1)
        ways = [a(q(f"{base}/discover", *kept, *sort, ("page", at + 1)), "Página siguiente")] if at * rpp < len(some) else []
        ways += [a(q(f"{base}/discover", *kept, *put(sort, rpp=k)), k) for k in (5, 10, 20, 40, 60, 80, 100)]
        ways += [a(q(f"{base}/discover", *kept, *put(sort, sort_by=k, order=o)), f"{k} {o}") for k in ("score", "dc.title_sort", "dc.date.issued_dt") for o in ("asc", "desc")]
        drop = [a(q(f"{base}/discover", *[p for p in kept if not p[0].endswith(f"_{k}")]), f"quitar {f}: {v}") for k, (f, v) in enumerate(filters)]
        body = ds_items(w, some[at * rpp - rpp : at * rpp]) if last == "discover" else ""
        return ds_frame(asked, w, "Buscar", f"{lis(drop)}{lis(ways)}{body or '<p>La búsqueda no produjo resultados.</p>'}<div class='facets'>{''.join(told)}</div>", scope if base and num(scope) < 100 else "")
    if last in ("statistics", "search-statistics", "statistics-home"):
        ways = [a(q(path, *put(asked.pairs, time_filter=k)), k) for k in ("-1", "-6", "-12", "ALL")] if last[0] == "s" and last[1] == "e" else [a(q(path, ("year", y)), y) for y in (2024, 2025, 2026)]
        return ds_frame(asked, w, "Estadísticas", f"<p>Visitas totales: {count('ds')}</p>{lis(ways)}", scope if num(scope) < 100 else "")
    if last in ("login", "register", "contact", "feedback"):
        return ds_frame(asked, w, "Acceder", "<form method='post'><input name='login_email'></form>")
    if seg[0] == "bitstream":
        n = w.handle.get(num(seg[3]) if len(seg) > 3 else -1)
        return None if n is None else out(f"%PDF-1.4\n{say(Random(n), ES, 50)}\n%%EOF", kind="application/pdf")
    if seg[0] in ("metadata", "export"):
        return out(f"@article{{{query.get('handle', path)}}}", kind="application/xml; charset=utf-8" if seg[0] == "metadata" else "application/x-bibtex; charset=utf-8")
    if not scope or len(seg) > 4:
        return ds_frame(asked, w, "Página no encontrada", "<p>No se pudo encontrar la página.</p>", status=404)
    h = num(scope)
    if h in w.handle and len(seg) == 3:
        n = w.handle[h]
        rng = Random(f"{asked.seed}|dsi{n}")
        people = lis([a(q("/browse", type="author", value=w.authors[x]), w.authors[x]) for x in w.by[n]])
        topics = lis([a(q("/browse", type="subject", value=w.subjects[x]), w.subjects[x]) for x in w.sub[n]])
        formats = lis([a(q("/export", handle=f"10234/{h}", format=f), f) for f in ("bibtex", "ris", "endnote")] + [a(f"/metadata/handle/10234/{h}/mets.xml", "METS")])
        files = lis([a(f"/bitstream/handle/10234/{h}/{slug(w.titles[n])}.pdf?sequence={k}&isAllowed=y", f"Ver/Abrir ({rng.randint(100, 900)}Kb)") for k in range(1, rng.randint(2, 3))])
        full = "".join(f"<tr><td>dc.{k}</td><td>{v}</td></tr>" for k, v in (("title", w.titles[n]), ("date.issued", w.date[n]), ("identifier.uri", f"http://hdl.handle.net/10234/{h}")))
        show = a(f"/handle/10234/{h}?show=full", "Mostrar el registro completo del ítem") if "show" not in query else f"<table>{full}</table>{a(f'/handle/10234/{h}', 'Mostrar el registro sencillo')}"
        return ds_frame(asked, w, w.titles[n], f"<div class='simple-item-view-description'>{say(rng, ES, 110)}</div>{people}{topics}<p>{w.date[n]} {a(q('/browse', type='dateissued', starts_with=w.date[n].year), w.date[n].year)}</p>{files}{show}{formats}{a(f'/handle/10234/{w.coll[n] + 10}', w.colls[w.coll[n]])} {a(f'/handle/10234/{h}/statistics', 'Estadísticas')} <p>{count('ds')} visitas</p>")
    new = [n for n in some if n not in w.old]
    if last == "recent-submissions":
        at = max(num(query.get("offset")), 0)
        ways = [a(f"{base}/recent-submissions?offset={k}", t) for k, t in ((at - 20, "Anterior"), (at + 20, "Siguiente")) if 0 <= k < len(new)]
        return ds_frame(asked, w, "Envíos recientes", ds_items(w, new[at : at + 20]) + lis(ways), scope)
    if len(seg) == 3:
        if h < 10:
            return ds_frame(asked, w, w.comms[h - 2], f"<p>{say(Random(f'{asked.seed}|dsc{h}'), ES, 40)}</p>{lis([(f'/handle/10234/{j + 10}', w.colls[j]) for j in range(18) if j % 5 == h - 2])}", scope)
        more = a(f"{base}/recent-submissions?offset=0", "Ver más") if new else ""
        return ds_frame(asked, w, w.colls[h - 10], f"<p>{say(Random(f'{asked.seed}|dsc{h}'), ES, 40)}</p><h3>Envíos recientes</h3>{ds_items(w, new[:5])}{more}", scope)
    return ds_frame(asked, w, "Página no encontrada", "<p>No se pudo encontrar la página.</p>", status=404)


def ds_wanted(seed: int) -> set[str]:
    w = ds_world(seed)
    found = {"/", "/community-list", *(f"/handle/10234/{h}" for h in (*w.handle, *range(2, 7), *range(10, 28)))}
    for k in range(18):
        new = sum(1 for n in range(350) if w.coll[n] == k and n not in w.old)
        found |= {f"/handle/10234/{k + 10}/recent-submissions?offset={o}" for o in range(0, new, 20)}
    return found


engine("dspace", ds_page, lambda url: bool(re.search(r"/(browse|discover|search-filter|search-statistics|statistics|statistics-home|export|metadata|login)\b|show=full|locale-attribute", rest(url))), ds_wanted)


# (7) Koha OPAC, in Finnish

KO = "/cgi-bin/koha/"
KO_TYPES = ("KIRJA", "DVD", "LEHTI", "CD", "NUOTTI")
KO_HOMES = ("PÄÄ", "ITÄ", "LÄNSI", "AUTO")


@lru_cache(maxsize=4)
def ko_world(seed: int) -> SimpleNamespace:
    rng = Random(f"{seed}|ko")
    w = SimpleNamespace(titles=names(rng, FI[:150], 400, 5))
    last = [x.capitalize() + rng.choice(("nen", "la", "")) for x in rng.sample(FI[:140], 80)]
    w.authors = [f"{x}, {rng.choice(('Aino', 'Eino', 'Helmi', 'Väinö', 'Tyyne', 'Onni', 'Sofia', 'Leo'))}" for x in last]
    w.subjects = rng.sample(FI[:150], 50)
    w.by = [sorted(rng.sample(range(80), rng.choice((1, 1, 1, 2)))) for _ in range(400)]
    w.sub = [sorted(rng.sample(range(50), rng.randint(1, 4))) for _ in range(400)]
    w.kind = [rng.choice((0, 0, 0, 1, 2, 3, 4)) for _ in range(400)]
    w.year = [rng.randint(1950, 2026) for _ in range(400)]
    w.home = [sorted(rng.sample(range(4), rng.randint(1, 3))) for _ in range(400)]
    w.call = [f"{rng.randint(10, 99)}.{rng.randint(1, 9)} {w.authors[w.by[n][0]][:3].upper()}" for n in range(400)]
    w.shelf = sorted(range(400), key=lambda n: (w.call[n], n))
    loose = set(rng.sample(range(400), 70))
    listed = [n for n in range(400) if n not in loose]
    rng.shuffle(listed)
    w.lists = [(t, listed[k::16]) for k, t in enumerate(names(rng, FI[:150], 16, 3))]
    w.news = names(rng, FI[:150], 12, 5)
    return w


def ko_frame(asked: Asked, w: SimpleNamespace, title: str, body: str, status: int = 200) -> Answer:
    lists = lis([a(f"{KO}opac-shelves.pl?op=view&shelfnumber={k + 1}&sortfield=title", t) for k, (t, _) in enumerate(w.lists[:10])] + [a(f"{KO}opac-shelves.pl?op=list&public=1", "Kaikki listat")])
    nav = [a(f"{KO}opac-main.pl", "Etusivu"), a(f"{KO}opac-search.pl", "Tarkennettu haku"), a(f"{KO}opac-authorities-home.pl", "Auktoriteettihaku"), a(f"{KO}opac-tags.pl", "Asiasanapilvi"), a(f"{KO}opac-topissues.pl", "Suosituimmat"), a(f"{KO}opac-library.pl", "Kirjastot"), a(f"{KO}opac-user.pl", "Kirjaudu sisään"), a(f"{KO}opac-search-history.pl", "Hakuhistoria"), a(f"{KO}opac-search.pl?idx=kw&q=&limit=mc-itype,phr:KIRJA&sort_by=acqdate_dsc", "Uutuudet")]
    langs = lis([a(f"{KO}opac-changelanguage.pl?language={x}", x) for x in ("fi-FI", "sv-SE", "en")])
    return out(
        f'<!DOCTYPE html><html lang="fi-FI"><head><title>{esc(title)} › Kunnankirjaston verkkokirjasto</title><meta name="generator" content="Koha 22.1109000"><link rel="unapi-server" type="application/xml" title="unAPI" href="/cgi-bin/koha/unapi"><script>var prefs={{"csrf":"{token(40)}"}};</script></head>'
        f'<body id="opac" class="branch-default"><div id="wrapper"><nav class="navbar">{lis(nav)}<div class="dropdown">Listat {lists}</div></nav><form action="{KO}opac-search.pl" id="searchform"><select name="idx"><option value="kw">Kaikki</option></select><input name="q"></form>'
        f'<main class="main"><h1 class="title">{esc(title)}</h1>{body}</main></div><div id="changelanguage">{langs}</div><footer>Koha {secs()}</footer></body></html>', status,
    )


def ko_rows(w: SimpleNamespace, some: list[int], q_desc: str = "") -> str:
    return "".join(
        f'<tr><td><a class="title" href="{KO}opac-detail.pl?biblionumber={n + 1}">{w.titles[n]}</a> {"; ".join(a(f"{KO}opac-search.pl?q=au:{quote(w.authors[x])}", w.authors[x]) for x in w.by[n])}<br>{KO_TYPES[w.kind[n]]} {w.year[n]} {w.call[n]}'
        f"{a(f'{KO}opac-reserve.pl?biblionumber={n + 1}', 'Varaa')} {a(f'{KO}opac-user.pl?biblionumber={n + 1}', 'Tallenna listaan')} {a(f'{KO}opac-detail.pl?biblionumber={n + 1}&{q_desc}', 'Saatavuus') if q_desc else ''}</td></tr>"
        for n in some
    )


def ko_find(w: SimpleNamespace, text: str) -> list[int]:
    kind, _, what = text.partition(":")
    kind = kind.split(",")[0]
    what = what.strip('"{}').lower()
    if kind in ("au", "an"):
        return [n for n in range(400) if any(what in w.authors[x].lower() for x in w.by[n])]
    if kind == "su":
        return [n for n in range(400) if any(what == w.subjects[x] for x in w.sub[n])]
    if kind in ("callnum", "pb"):
        return [n for n in range(400) if w.call[n].lower().startswith(what[:2])]
    text = text.lower()
    return [n for n in range(400) if text in w.titles[n].lower()]


def ko_page(asked: Asked) -> Answer | None:
    w = ko_world(asked.seed)
    query = asked.query
    if asked.path == "/":
        page = "opac-main.pl"
    elif asked.path.startswith(KO):
        page = asked.path[len(KO) :]
    else:
        return None
    n = num(query.get("biblionumber") or query.get("bib") or query.get("id"), 0) - 1
    if page == "opac-main.pl":
        if "news_id" in query:
            k = num(query["news_id"]) - 1
            if not 0 <= k < 12:
                return ko_frame(asked, w, "Uutista ei löydy", "<p>Ei ole.</p>", 404)
            return ko_frame(asked, w, w.news[k], paras(Random(f"{asked.seed}|kn{k}"), FI, 3))
        news = "".join(f"<div class='newsitem'><h4>{a(f'{KO}opac-main.pl?news_id={k + 1}', t)}</h4><p>{say(Random(f'{asked.seed}|kn{k}'), FI, 30)}</p></div>" for k, t in enumerate(w.news))
        kinds = lis([a(f"{KO}opac-search.pl?idx=kw&q=&limit=mc-itype,phr:{k}&sort_by=acqdate_dsc", k) for k in KO_TYPES])
        return ko_frame(asked, w, "Verkkokirjasto", f"{news}{kinds}{a(f'{KO}opac-news-rss.pl', 'RSS')}")
    if page in ("opac-detail.pl", "opac-MARCdetail.pl", "opac-ISBDdetail.pl", "opac-showmarc.pl", "opac-export.pl"):
        if not 0 <= n < 400:
            return ko_frame(asked, w, "Virhe 404", "<p>Tietuetta ei löydy.</p>", 404)
        if page == "opac-export.pl":
            return out(f"TY - BOOK\n{w.titles[n]}", kind="application/octet-stream")
        views = [a(f"{KO}{p}?biblionumber={n + 1}", t) for p, t in (("opac-detail.pl", "Normaali"), ("opac-MARCdetail.pl", "MARC"), ("opac-ISBDdetail.pl", "ISBD"))]
        tools = [a(f"{KO}opac-export.pl?op=export&bib={n + 1}&format={f}", f) for f in ("bibtex", "endnote", "marcxml", "marc8", "utf8", "mods", "dc", "ris", "isbd")]
        tools += [a(f"{KO}opac-reserve.pl?biblionumber={n + 1}", "Varaa"), a(f"{KO}opac-addbybiblionumber.pl?biblionumber={n + 1}", "Lisää listaan"), a(f"{KO}opac-basket.pl?bib_list={n + 1}/", "Kori"), a(f"{KO}opac-review.pl?biblionumber={n + 1}", "Kommentoi"), a(f"{KO}opac-showmarc.pl?id={n + 1}", "näytä marc")]
        if page == "opac-MARCdetail.pl" or page == "opac-showmarc.pl":
            return ko_frame(asked, w, w.titles[n], f"{lis(views)}<table><tr><th>245</th><td>{w.titles[n]}</td></tr><tr><th>260</th><td>{w.year[n]}</td></tr></table>{lis(tools)}")
        people = lis([a(f"{KO}opac-search.pl?q=au:{quote(w.authors[x])}", w.authors[x]) for x in w.by[n]] + [a(f"{KO}opac-search.pl?q=an:{x + 1000}", "[x]") for x in w.by[n]])
        topics = lis([a(f"{KO}opac-search.pl?q=su:{quote(chr(34) + w.subjects[x] + chr(34))}", w.subjects[x]) for x in w.sub[n]])
        items = "".join(f"<tr><td>{a(f'{KO}opac-library.pl#' + KO_HOMES[h], KO_HOMES[h])}</td><td>{w.call[n]} {a(f'{KO}opac-detail.pl?biblionumber={n + 1}&shelfbrowse_itemnumber={n * 4 + h + 1}#shelfbrowser', 'Selaa hyllyä')}</td><td>{'Lainattavissa' if (n + h) % 3 else 'Lainassa'}</td></tr>" for h in w.home[n])
        shelf = ""
        if "shelfbrowse_itemnumber" in query:
            it = num(query["shelfbrowse_itemnumber"])
            k = w.shelf.index(min(max((it - 1) // 4, 0), 399))
            near = [w.shelf[j] for j in range(k - 3, k + 4) if 0 <= j < 400]
            shelf = "<div id='shelfbrowser'>" + "".join(a(f"{KO}opac-detail.pl?biblionumber={m + 1}", w.titles[m]) for m in near[2:5])
            shelf += "".join(a(f"{KO}opac-detail.pl?biblionumber={n + 1}&shelfbrowse_itemnumber={m * 4 + w.home[m][0] + 1}#shelfbrowser", t) for m, t in ((near[0], "Edellinen"), (near[-1], "Seuraava"))) + "</div>"
        body = f"<p>{say(Random(f'{asked.seed}|kb{n}'), FI, 50)}</p><p>{w.year[n]} {a(f'{KO}opac-search.pl?q=pb:{w.call[n][:2]}', 'Julkaisija')}</p>{people}{topics}<table id='holdingst'>{items}</table>{shelf}"
        return ko_frame(asked, w, w.titles[n], f"{lis(views)}{body}{lis(tools)}")
    if page == "opac-search.pl":
        if not query:
            return ko_frame(asked, w, "Tarkennettu haku", f'<form action="{KO}opac-search.pl"><input name="q"></form>{a(f"{KO}opac-search.pl?expanded_options=1", "Enemmän vaihtoehtoja")} {a(f"{KO}opac-search.pl?do=Clear", "Uusi haku")}')
        text = query.get("q", "")
        limits = [v for k, v in asked.pairs if k == "limit"]
        some = ko_find(w, text)
        for limit in limits:
            f, _, v = limit.partition(":")
            v = v.strip('"')
            if f == "mc-itype,phr":
                some = [m for m in some if KO_TYPES[w.kind[m]] == v]
            elif f == "branch" or f == "homebranch":
                some = [m for m in some if v in [KO_HOMES[h] for h in w.home[m]]]
            elif f == "au":
                some = [m for m in some if v in [w.authors[x] for x in w.by[m]]]
            elif f == "su-to":
                some = [m for m in some if v in [w.subjects[x] for x in w.sub[m]]]
            elif f == "available":
                some = [m for m in some if m % 3]
        sort = query.get("sort_by", "relevance_dsc")
        some.sort(key=lambda m: {"title": w.titles[m], "author": w.authors[w.by[m][0]], "pubdate": w.year[m], "call": w.call[m], "acqdate": hexa(m)}.get(sort.split("_")[0], hexa(m, "r")), reverse=sort.endswith(("dsc", "za")))
        at = max(num(query.get("offset")), 0) // 20 * 20
        base = [("idx", query.get("idx", "kw")), ("q", text), *[("limit", v) for v in limits]]
        sorts = [a(q(f"{KO}opac-search.pl", *base, ("sort_by", s)), s) for s in ("relevance_dsc", "popularity_dsc", "popularity_asc", "author_az", "author_za", "call_number_asc", "call_number_dsc", "pubdate_dsc", "pubdate_asc", "acqdate_dsc", "acqdate_asc", "title_az", "title_za")]
        facets = []
        for f, of in (("mc-itype,phr", lambda m: [KO_TYPES[w.kind[m]]]), ("homebranch", lambda m: [KO_HOMES[h] for h in w.home[m]]), ("au", lambda m: [w.authors[x] for x in w.by[m]]), ("su-to", lambda m: [w.subjects[x] for x in w.sub[m]])):
            counts: dict[str, int] = {}
            for m in some:
                for v in of(m):
                    counts[v] = counts.get(v, 0) + 1
            facets += [a(q(f"{KO}opac-search.pl", *base, ("sort_by", sort), ("limit", f"{f}:{v}")), f"{v} ({c})") for v, c in sorted(counts.items(), key=lambda x: (-x[1], x[0]))[:6] if f"{f}:{v}" not in limits]
        facets.append(a(q(f"{KO}opac-search.pl", *base, ("limit", "available")), "Vain lainattavissa"))
        facets += [a(q(f"{KO}opac-search.pl", *[p for p in base if p[1] != v]), f"[x] {v}") for v in limits]
        page_ = pager(at // 20 + 1, (len(some) + 19) // 20, lambda k: q(f"{KO}opac-search.pl", *base, ("sort_by", sort), ("offset", k * 20 - 20)), "Edellinen", "Seuraava")
        shown = some[at : at + 20]
        rss = a(q(f"{KO}opac-search.pl", *base, ("format", "rss")), "RSS")
        return ko_frame(asked, w, f"Hakutulos: {text}", f"<p>Haku tuotti {len(some)} tulosta.</p>{rss}{' '.join(sorts)}<table>{ko_rows(w, shown, 'query_desc=' + quote(text)[:80])}</table>{page_}<div id='search-facets'>{lis(facets)}</div>" if shown else f"<p>Hakusi ei tuottanut tuloksia. {secs()}</p>")
    if page == "opac-shelves.pl":
        if query.get("op") != "view":
            at = max(num(query.get("page"), 1), 1)
            return ko_frame(asked, w, "Julkiset listat", lis([a(f"{KO}opac-shelves.pl?op=view&shelfnumber={k + 1}&sortfield=title", t) for k, (t, _) in enumerate(w.lists)]) + "".join(a(f"{KO}opac-shelves.pl?op=list&public=1&page={k}", k) for k in {at - 1, at + 1} if k > 1 and at < 2))
        k = num(query.get("shelfnumber")) - 1
        if not 0 <= k < 16:
            return ko_frame(asked, w, "Listaa ei ole", "<p>Listaa ei ole.</p>", 404)
        t, some = w.lists[k]
        field = query.get("sortfield", "title")
        some = sorted(some, key=lambda m: {"author": w.authors[w.by[m][0]], "copyrightdate": str(w.year[m]), "itemcallnumber": w.call[m]}.get(field, w.titles[m]), reverse=query.get("direction") == "desc")
        at = max(num(query.get("page"), 1), 1)
        me = f"{KO}opac-shelves.pl?op=view&shelfnumber={k + 1}"
        sorts = [a(f"{me}&sortfield={f}&direction={d}", f"{f} {d}") for f in ("title", "author", "copyrightdate", "itemcallnumber", "dateadded") for d in ("asc", "desc")]
        d = f"&direction={query['direction']}" if "direction" in query else ""
        more = pager(at, (len(some) + 9) // 10, lambda x: f"{me}&sortfield={field}{d}" + (f"&page={x}" if x > 1 else ""), "Edellinen", "Seuraava")
        tools = [a(f"{KO}opac-downloadshelf.pl?shelfnumber={k + 1}", "Lataa"), a(f"{KO}opac-sendshelf.pl?shelfid={k + 1}", "Lähetä"), a(f"{me}&sortfield={field}&print=1", "Tulosta"), a(f"{KO}opac-shelves.pl?op=view&shelfnumber={k + 1}&rss=1", "RSS")]
        return ko_frame(asked, w, t, f"{lis(tools)}{' '.join(sorts)}<table>{ko_rows(w, some[at * 10 - 10 : at * 10])}</table>{more}")
    if page == "opac-tags.pl":
        return ko_frame(asked, w, "Asiasanapilvi", " ".join(a(f"{KO}opac-search.pl?tag={quote(s)}&q={quote(s)}", s) for s in w.subjects[:20]) + lis([a(f"{KO}opac-tags.pl?limit={k}", k) for k in (20, 50, 100)]))
    if page == "opac-topissues.pl":
        pick = list(w.lists[0][1])
        ways = [a(q(f"{KO}opac-topissues.pl", limit=x, branch=b, timeLimit=t, itemtype="", do_it=1), f"{x} {b} {t}") for x in (10, 20, 50) for b in KO_HOMES for t in (3, 6, 12, 999)]
        return ko_frame(asked, w, "Suosituimmat", lis(ways) + f"<table>{ko_rows(w, pick[:10])}</table>")
    if page == "opac-authorities-home.pl":
        at = max(num(query.get("startfrom"), 1), 1)
        if "op" in query:
            told = lis([f"{x} {a(f'{KO}opac-authoritiesdetail.pl?authid={w.authors.index(x) + 1000}', 'Näytä')} {a(f'{KO}opac-search.pl?type=opac&op=do_search&q=an={w.authors.index(x) + 1000}', '1 tietue')}" for x in sorted(w.authors)[at * 20 - 20 : at * 20]])
        else:
            told = ""
        return ko_frame(asked, w, "Auktoriteettihaku", told + a(f"{KO}opac-authorities-home.pl?op=do_search&type=opac&orderby=HeadingAsc&startfrom={at + 1 if 'op' in query else 1}", "Seuraava"))
    if page == "opac-authoritiesdetail.pl":
        x = num(query.get("authid")) - 1000
        return ko_frame(asked, w, w.authors[x], a(f"{KO}opac-search.pl?q=au:{quote(w.authors[x])}", "Tietueet") + a(f"{KO}opac-authoritiesdetail.pl?authid={x + 1000}&marc=1", "MARC")) if 0 <= x < 80 else None
    if page == "opac-changelanguage.pl":
        return move(f"{KO}opac-main.pl")
    if page == "opac-library.pl":
        return ko_frame(asked, w, "Kirjastot", paras(Random(f"{asked.seed}|kol"), FI, 4))
    if page in ("opac-user.pl", "opac-reserve.pl", "opac-addbybiblionumber.pl", "opac-review.pl", "opac-basket.pl", "opac-search-history.pl", "opac-downloadshelf.pl", "opac-sendshelf.pl", "opac-registration-verify.pl"):
        return ko_frame(asked, w, "Kirjaudu tilillesi", f'<form method="post"><input name="userid"><input name="password" type="password"><input type="hidden" name="csrf_token" value="{token()}"></form>{a(f"{KO}opac-password-recovery.pl", "Unohtuiko salasana?")}')
    return ko_frame(asked, w, "Virhe 404", "<p>Sivua ei löydy.</p>", 404)


def ko_wanted(seed: int) -> set[str]:
    w = ko_world(seed)
    found = {"/", f"{KO}opac-library.pl", f"{KO}opac-shelves.pl?op=list&public=1"}
    found |= {f"{KO}opac-detail.pl?biblionumber={n + 1}" for n in range(400)} | {f"{KO}opac-main.pl?news_id={k + 1}" for k in range(12)}
    for k, (_, some) in enumerate(w.lists):
        found |= {f"{KO}opac-shelves.pl?op=view&shelfnumber={k + 1}&sortfield=title" + (f"&page={p}" if p > 1 else "") for p in range(1, (len(some) + 9) // 10 + 1)}
    return found


_KO_HONEST = re.compile(r"/|/cgi-bin/koha/(opac-main\.pl(\?news_id=\d+)?|opac-detail\.pl\?biblionumber=\d+|opac-(MARC|ISBD)detail\.pl\?biblionumber=\d+|opac-library\.pl|opac-shelves\.pl\?op=(list&public=1|view&shelfnumber=\d+&sortfield=title(&page=\d+)?)|opac-user\.pl|opac-password-recovery\.pl|opac-search\.pl)")
engine("koha", ko_page, lambda url: not _KO_HONEST.fullmatch(rest(url)), ko_wanted)

# (8) Gitea, in English


@lru_cache(maxsize=4)
def gt_world(seed: int) -> SimpleNamespace:
    rng = Random(f"{seed}|gt")
    w = SimpleNamespace(repos={}, users=[f"{rng.choice(FIRST['en'])}{rng.choice(EN)}" for _ in range(12)])
    for r in range(6):
        path = f"/{w.users[r // 2]}/{rng.choice(EN)}-{rng.choice(EN)}"
        repo = SimpleNamespace(path=path, r=r, dirs=[""] + [f"{rng.choice(EN)}{k}" for k in range(4)])
        repo.files = {d: [f"{rng.choice(EN)}{k}.{rng.choice(('go', 'py', 'md', 'js', 'toml'))}" for k in range(6)] for d in repo.dirs}
        repo.files[""].insert(0, "README.md")
        repo.commits = [hexa(seed, r, k) for k in range(60)]  # the newest first
        repo.side = [hexa(seed, r, "dev", k) for k in range(4)]  # of the branch develop alone
        repo.at = {c: k for k, c in enumerate(repo.commits)} | {c: 100 + k for k, c in enumerate(repo.side)}
        repo.said = {c: say(rng, EN, 6) for c in repo.at}
        repo.issues = [(t, rng.random() < 0.35, rng.sample(range(6), 2)) for t in names(rng, EN, 45, 6)]
        repo.tags = [f"v{k // 3}.{k % 3}.0" for k in range(1, 6)]
        repo.wiki = [t.replace(" ", "-") for t in names(rng, EN, 6, 2)]
        w.repos[path] = repo
    return w


def gt_frame(asked: Asked, title: str, body: str, repo: SimpleNamespace | None = None, status: int = 200) -> Answer:
    tabs = ""
    if repo:
        p = repo.path
        links = [(p, "Code"), (f"{p}/issues", "Issues"), (f"{p}/pulls", "Pull Requests"), (f"{p}/releases", "Releases"), (f"{p}/wiki", "Wiki"), (f"{p}/activity", "Activity"), (f"{p}/stars", "Stars"), (f"{p}/watchers", "Watchers"), (f"{p}/forks", "Forks"), (q("/user/login", redirect_to=rest(asked.url)), "Star")]
        tabs = f"<div class='repo-header'><h1>{a('/' + p.split('/')[1], p.split('/')[1])}/{a(p, p.split('/')[2])}</h1>{lis(links)}</div>"
    return out(
        f'<!DOCTYPE html><html lang="en-US" class="theme-auto"><head><meta charset="utf-8"><title>{esc(title)} - Gitea: Git with a cup of tea</title><meta name="_csrf" content="{token()}"><script>window.config={{appUrl:"/",csrfToken:"{token(24)}",pageData:{{}}}};</script></head>'
        f'<body><div class="full height"><nav id="navbar">{lis([("/", "Home"), ("/explore/repos", "Explore"), ("/explore/users", "Users"), ("/user/login" if asked.path.startswith("/user/") else q("/user/login", redirect_to=rest(asked.url)), "Sign In"), ("/user/sign_up", "Register")])}</nav><div class="page-content">{tabs}<h2>{esc(title)}</h2>{body}</div></div>'
        f'<footer>Powered by Gitea Version: 1.21.4 Page: <strong>{CHANCE.randint(5, 90)}ms</strong> Template: <strong>{CHANCE.randint(1, 9)}ms</strong> {lis([("?lang=" + x, x) for x in ("de-DE", "en-US", "fr-FR", "ja-JP", "zh-CN")])}{a("/api/swagger", "API")}</footer></body></html>', status,
    )


def gt_tree(repo: SimpleNamespace, ref: str, d: str) -> str:
    base = f"{repo.path}/src/{ref}"
    rows = [(f"{base}/{x}", x) for x in repo.dirs[1:]] if not d else [(base, "..")]
    rows += [(f"{base}/{d + '/' if d else ''}{f}", f) for f in repo.files[d]]
    told = "".join(f"<tr><td>{a(h, t)}</td><td>{a(f'{repo.path}/commit/{c}', repo.said[c])}</td><td>{CHANCE.randint(2, 9)} days ago</td></tr>" for (h, t), c in zip(rows, repo.commits[3:], strict=False))
    return f"<table id='repo-files-table'>{told}</table>"


def gt_page(asked: Asked) -> Answer | None:
    w = gt_world(asked.seed)
    seg, query = asked.segments, asked.query
    if "lang" in query and len(query) == 1:
        return move(asked.path)
    if asked.path == "/":
        return gt_frame(asked, "Gitea: Git with a cup of tea", f"<p>{say(Random(1), EN, 30)}</p>{a('/explore/repos', 'Explore')}")
    if seg[0] == "explore":
        sorts = [a(f"{asked.path}?sort={s}&q=&tab=", s) for s in ("newest", "oldest", "alphabetically", "reversealphabetically", "recentupdate", "leastupdate", "moststars", "feweststars", "mostforks", "fewestforks")]
        told = [a("/" + u, u) for u in w.users] if seg[-1] == "users" else [a(p, p[1:]) + a("/" + p.split("/")[1], "owner") for p in w.repos]
        return gt_frame(asked, "Explore", lis(told) + lis(sorts))
    if seg[0] in ("user", "api"):
        return gt_frame(asked, "Sign In", f'<form method="post"><input type="hidden" name="_csrf" value="{token()}"><input name="user_name"></form>{a("/user/forgot_password", "Forgot password?")}')
    if len(seg) == 1:
        if seg[0] not in w.users:
            return gt_frame(asked, "Page Not Found", "<p>404</p>", status=404)
        own = [a(p, p[1:]) for p in w.repos if p.startswith(f"/{seg[0]}/")]
        ways = [a(f"/{seg[0]}?tab={t}", t) for t in ("repositories", "activity", "stars", "followers", "following")] + [a(f"/{seg[0]}?tab=repositories&sort={s}&q=", s) for s in ("newest", "oldest", "alphabetically")]
        ways.append(a(f"/{seg[0]}.rss", "RSS"))
        return gt_frame(asked, seg[0], f"<p>{say(Random(seg[0]), EN, 15)}</p>{lis(own)}{lis(ways)}")
    repo = w.repos.get(f"/{seg[0]}/{seg[1]}")
    if repo is None:
        return gt_frame(asked, "Page Not Found", "<p>404</p>", status=404)
    p = repo.path
    what, more = (seg[2] if len(seg) > 2 else ""), seg[3:]
    if what in ("", "src", "blame", "raw"):
        ref, rest_ = "branch/main", []
        if what:
            if len(more) < 2 or more[0] not in ("branch", "commit", "tag"):
                return gt_frame(asked, "Page Not Found", "<p>404</p>", repo, 404)
            ref, rest_ = "/".join(more[:2]), more[2:]
            if (more[0] == "commit" and more[1] not in repo.at) or (more[0] == "branch" and more[1] not in ("main", "develop")) or (more[0] == "tag" and more[1] not in repo.tags):
                return gt_frame(asked, "Page Not Found", "<p>404</p>", repo, 404)
        name = "/".join(rest_)
        if name in repo.dirs:
            clone = lis([(f"{p}/archive/main.zip", "ZIP"), (f"{p}/archive/main.tar.gz", "TAR.GZ"), (f"{p}/archive/main.bundle", "BUNDLE")])
            stats = lis([(f"{p}/commits/{ref}", "60 Commits"), (f"{p}/branches", "2 Branches"), (f"{p}/tags", "5 Tags"), (f"{p}/find/{ref}", "Go to file"), (f"{p}/compare/main...{more[1] if more else 'develop'}", "Compare"), (f"{p}/rss/{ref}", "RSS"), (f"{p}/search?q=", "Search")])
            readme = paras(Random(f"{asked.seed}|gtr{repo.r}{ref if what else ''}"), EN, 3) if not name else ""
            return gt_frame(asked, f"{p[1:]}: {name or 'code'}", f"{stats}{clone}{gt_tree(repo, ref, name)}<article>{readme}</article>", repo)
        d, f = ("", name) if len(rest_) == 1 else ("/".join(rest_[:-1]), rest_[-1])
        if f not in repo.files.get(d, []):
            return gt_frame(asked, "Page Not Found", "<p>404</p>", repo, 404)
        rng = Random(f"{asked.seed}|gtf{repo.r}{name}")
        lines = [say(rng, EN, 6) for _ in range(30)]
        if more[0] == "commit":
            lines[repo.at[more[1]] % 30] = say(Random(more[1]), EN, 6)
        if what == "raw":
            return out("\n".join(lines), kind="text/plain; charset=utf-8")
        ways = lis([(f"{p}/raw/{ref}/{name}", "Raw"), (f"{p}/src/commit/{repo.commits[0]}/{name}", "Permalink"), (f"{p}/blame/{ref}/{name}", "Blame"), (f"{p}/src/{ref}/{name}", "Normal View"), (f"{p}/commits/{ref}/{name}", "History"), (f"{p}/_edit/main/{name}", "Edit"), (f"{p}/rss/{ref}/{name}", "RSS"), (f"{p}/src/{ref}/{name}?display=source", "Source"), (f"{p}/src/{ref}/{name}?escape=1", "Escape")])
        if what == "blame":
            body = "".join(f"<tr><td>{a(f'{p}/commit/{repo.commits[k % 60]}', repo.commits[k % 60][:10])}{a(f'{p}/blame/commit/{repo.commits[(k + 1) % 60]}/{name}', 'prior')}</td><td>{x}</td></tr>" for k, x in enumerate(lines))
        else:
            body = "".join(f"<tr><td id='L{k}'></td><td>{x}</td></tr>" for k, x in enumerate(lines))
        return gt_frame(asked, name, f"{ways}<table>{body}</table>", repo)
    if what == "commits":
        ref = "/".join(more[:2])
        line = repo.commits if ref != "branch/develop" else repo.side + repo.commits[8:]
        if more[:1] == ["commit"] and len(more) > 1:
            line = repo.commits[repo.at[more[1]] :] if repo.at.get(more[1], 99) < 99 else repo.side
        name = "/".join(more[2:])
        if name:
            line = line[len(name) % 5 :: 5]
        at = max(num(query.get("page"), 1), 1)
        rows = "".join(f"<tr><td>{a('/' + w.users[repo.at[c] % 12], w.users[repo.at[c] % 12])}</td><td>{a(f'{p}/commit/{c}', c[:10], 'class=sha')}</td><td>{repo.said[c]}</td><td>{a(f'{p}/src/commit/{c}' + ('/' + name if name else ''), 'browse')}</td></tr>" for c in line[at * 30 - 30 : at * 30])
        return gt_frame(asked, f"{len(line)} Commits", f"<table>{rows}</table>{pager(at, (len(line) + 29) // 30, lambda n: asked.path + (f'?page={n}' if n > 1 else ''), 'Previous', 'Next')}{a(f'{p}/graph', 'Graph')}{a(f'{p}/commits/{ref}/search?q=&all=', 'Search')}", repo)
    if what == "commit" and more and more[0].partition(".")[0] in repo.at:
        c, _, kind = more[0].partition(".")
        if kind:
            return out(f"From {c}\n", kind="text/plain; charset=utf-8")
        k = repo.at[c]
        line = repo.side + repo.commits[8:] if k >= 100 else repo.commits
        up = line[line.index(c) + 1] if line.index(c) + 1 < len(line) else None
        rng = Random(f"{asked.seed}{c}")
        files = [(d, f) for d in repo.dirs for f in repo.files[d]]
        diff = ""
        for d, f in rng.sample(files, 3):
            href = f"{p}/src/commit/{c}/{d + '/' if d else ''}{f}"
            diff += f"<div class='diff-file-box'>{a(href, f)}<pre>- {say(rng, EN, 8)}\n+ {say(rng, EN, 8)}</pre></div>"
        ways = [(f"{p}/src/commit/{c}", "Browse Source"), (f"{p}/commit/{c}.diff", "diff"), (f"{p}/commit/{c}.patch", "patch"), (f"{p}/commits/commit/{c}", "history"), (f"{p}/commit/{c}?style=split&whitespace=", "split"), (f"{p}/commit/{c}?style=unified&whitespace=", "unified")]
        ways += [(f"{p}/commit/{c}?style=split&whitespace={x}", x) for x in ("ignore-all", "ignore-change", "ignore-eol", "show-all")]
        if up:
            ways += [(f"{p}/commit/{up}", f"parent {up[:10]}"), (f"{p}/compare/{up}...{c}", "compare")]
        return gt_frame(asked, repo.said[c], f"{lis(ways)}{diff}", repo)
    if what == "compare" and more:
        ends = more[0].split("...") if "..." in more[0] else more[0].split("..")
        ends = [e for e in ends if e][:2] or ["main"]
        refs = ["main", "develop", *repo.tags, *(c for c in Random(more[0]).sample(repo.commits, 8))]
        ways = [a(f"{p}/compare/{x}...{ends[-1]}", f"base: {x[:10]}") for x in refs] + [a(f"{p}/compare/{ends[0]}...{x}", f"compare: {x[:10]}") for x in refs]
        return gt_frame(asked, f"Comparing {more[0][:60]}", f"{lis(ways)}<p>{say(Random(more[0]), EN, 40)}</p>", repo)
    if what in ("issues", "pulls"):
        if more and what == "issues":
            k = num(more[0]) - 1
            if not 0 <= k < 45:
                return gt_frame(asked, "Page Not Found" if more[0] != "new" else "New Issue", "<p>Sign in</p>", repo, 404 if more[0] != "new" else 200)
            t, closed, labels = repo.issues[k]
            rng = Random(f"{asked.seed}|gti{repo.r}.{k}")
            told = "".join(f"<div class='comment'>{a('/' + w.users[x], w.users[x])}<p>{say(rng, EN, 40)}</p>{a(f'{p}/issues/{k + 1}#issuecomment-{x}', 'link')}</div>" for x in rng.sample(range(12), rng.randint(1, 4)))
            refs = a(f"{p}/commit/{repo.commits[k]}", repo.commits[k][:10])
            return gt_frame(asked, f"#{k + 1} {t}", f"<span>{'Closed' if closed else 'Open'}</span>{''.join(a(f'{p}/issues?labels={x + 1}', f'label{x}') for x in labels)}{told}{refs}", repo)
        state = query.get("state", "open")
        some = [k for k in range(45) if what == "issues" and (state == "all" or repo.issues[k][1] == (state == "closed"))]
        wants = {num(x) - 1 for x in query.get("labels", "").split(",") if num(x) > 0}
        some = [k for k in some if wants <= set(repo.issues[k][2])][::-1]
        if query.get("sort") == "oldest":
            some.reverse()
        at = max(num(query.get("page"), 1), 1)
        base = {"q": query.get("q", ""), "type": query.get("type", "all"), "sort": query.get("sort", ""), "state": state, "labels": query.get("labels", ""), "milestone": query.get("milestone", "0"), "project": "0", "assignee": query.get("assignee", "0"), "poster": query.get("poster", "0")}
        me = f"{p}/{what}"
        ways = [a(q(me, **{**base, key: v}), f"{key}:{v}") for key, vs in (("state", ("open", "closed")), ("sort", ("latest", "oldest", "recentupdate", "leastupdate", "mostcomment", "leastcomment", "nearduedate", "farduedate")), ("type", ("all", "your_repositories", "assigned", "created_by", "mentioned")), ("milestone", (0, -1, 1, 2)), ("assignee", (0, -1, 1, 2, 3)), ("poster", (0, 1, 2, 3))) for v in vs]
        ways += [a(q(me, **{**base, "labels": ",".join(map(str, sorted({x + 1 for x in wants} ^ {y + 1})))}), f"label{y}") for y in range(6)] + [a(q(me, **{**base, "labels": f"-{y + 1}"}), f"not label{y}") for y in range(6)]
        rows = lis([a(f"{p}/issues/{k + 1}", f"#{k + 1} {repo.issues[k][0]}") + "".join(a(q(me, **{**base, "labels": x + 1}), f"label{x}") for x in repo.issues[k][2]) for k in some[at * 20 - 20 : at * 20]])
        link = (lambda n: q(me, **base, page=n)) if query and set(query) != {"page"} else (lambda n: me + (f"?page={n}" if n > 1 else ""))
        return gt_frame(asked, what.capitalize(), f"{a(f'{me}/new', 'New') if what == 'issues' else ''}{lis(ways)}{rows or '<p>No results matched your search.</p>'}{pager(at, (len(some) + 19) // 20, link, 'Previous', 'Next')}", repo)
    if what in ("releases", "tags", "branches"):
        if what == "branches":
            told = [a(f"{p}/src/branch/{b}", b) + a(f"{p}/commits/branch/{b}", "commits") + a(f"{p}/compare/main...{b}", "New Pull Request") + a(f"{p}/archive/{b}.zip", "zip") for b in ("main", "develop")]
        elif more[:1] == ["tag"] and len(more) > 1 and more[1] in repo.tags:
            return gt_frame(asked, more[1], paras(Random(p + more[1]), EN, 2) + a(f"{p}/archive/{more[1]}.zip", "Source Code (ZIP)") + a(f"{p}/compare/{more[1]}...main", "compare"), repo)
        else:
            told = [a(f"{p}/releases/tag/{t}", t) + a(f"{p}/src/tag/{t}", "browse") + a(f"{p}/compare/{t}...main", "12 commits to main since this release") + a(f"{p}/archive/{t}.tar.gz", "tar.gz") + a(f"{p}/commit/{repo.commits[k * 10]}", "commit") for k, t in enumerate(repo.tags)] + [a(f"{p}/releases.rss", "RSS")]
        return gt_frame(asked, what.capitalize(), lis(told), repo)
    if what == "wiki":
        name = more[0] if more else repo.wiki[0]
        if more and more[0] not in repo.wiki and more[0] not in ("_pages",):
            return gt_frame(asked, "Page Not Found", "<p>404</p>", repo, 404)
        ways = [a(f"{p}/wiki/{t}", t) for t in repo.wiki] + [a(f"{p}/wiki/{name}?action=_revision", "History"), a(f"{p}/wiki/_pages", "Pages"), a(f"{p}/wiki/raw/{name}.md", "Raw"), a(f"{p}/wiki/commit/{hexa(name)}", "last change")]
        return gt_frame(asked, name, paras(Random(p + name), EN, 4) + lis(ways), repo)
    if what == "activity":
        return gt_frame(asked, "Activity", lis([(f"{p}/activity/{t}", t) for t in ("daily", "halfweekly", "weekly", "monthly", "quarterly", "semiyearly", "yearly")]), repo)
    if what == "archive" or what == "rss" or what.endswith(".rss"):
        return out("PK\x03\x04" + token(40), kind="application/octet-stream")
    if what in ("stars", "watchers", "forks", "graph", "find", "search"):
        pages = [a(f"{p}/graph?page={max(num(query.get('page'), 1), 1) + 1}", "Next")] + [a(f"{p}/commit/{c}", c[:10]) for c in repo.commits[:10]] if what == "graph" else [a("/" + w.users[3], w.users[3])]
        return gt_frame(asked, what, lis(pages), repo)
    if what == "_edit":
        return move(q("/user/login", redirect_to=asked.path))
    return gt_frame(asked, "Page Not Found", "<p>404 Not Found</p>", repo, 404)


def gt_wanted(seed: int) -> set[str]:
    w = gt_world(seed)
    found = {"/", "/explore/repos", "/explore/users", *(f"/{u}" for u in w.users)}
    for p, repo in w.repos.items():
        found |= {p, f"{p}/issues", f"{p}/pulls", f"{p}/releases", f"{p}/wiki", *(f"{p}/releases/tag/{t}" for t in repo.tags), *(f"{p}/wiki/{t}" for t in repo.wiki), f"{p}/branches", f"{p}/tags"}
        found |= {f"{p}/commits/branch/main", f"{p}/commits/branch/main?page=2", *(f"{p}/commit/{c}" for c in repo.commits[:60]), *(f"{p}/issues/{k + 1}" for k in range(45))}
        opened = sum(1 for i in repo.issues if not i[1])
        found |= {f"{p}/issues?page={k}" for k in range(2, (opened + 19) // 20 + 1)}
        found |= {f"{p}/src/branch/main/{d}" for d in repo.dirs[1:]} | {f"{p}/src/branch/main/{d + '/' if d else ''}{f}" for d in repo.dirs for f in repo.files[d]}
        found |= {f"{p}/commit/{c}" for c in repo.side}
    return found


_GT = r"/[\w-]+/[\w-]+"
_GT_HONEST = re.compile(rf"/|/explore/(repos|users)|/[\w-]+|{_GT}|{_GT}/(issues|issues\?page=\d+|issues/\d+|pulls|releases|releases/tag/[^/?]+|wiki|wiki/(?!_pages)[\w-]+|branches|tags|stars|watchers|forks|activity)|{_GT}/commits/branch/main(\?page=\d+)?|{_GT}/commit/[0-9a-f]{{40}}|{_GT}/src/branch/main(/[^?]*)?|/user/(sign_up|login|forgot_password)|/api/swagger|{_GT}/archive/[^?]*|[^?]*\.rss")
engine("gitea", gt_page, lambda url: not _GT_HONEST.fullmatch(rest(url)), gt_wanted)


# (9) Trac, in Czech


@lru_cache(maxsize=4)
def tr_world(seed: int) -> SimpleNamespace:
    rng = Random(f"{seed}|tr")
    w = SimpleNamespace(titles=names(rng, CS, 300, 6), wiki=[f"{x.capitalize()}{y.capitalize()}" for x, y in zip(rng.sample(CS[:140], 50), rng.sample(CS[:140], 50), strict=True)])
    w.wiki = [slug(x).replace("-", "").capitalize() + "Wiki" for x in w.wiki]
    w.comp = [slug(x) for x in rng.sample(CS, 6)]
    w.miles = ["1.0", "1.1", "1.2", "2.0"]
    w.t = [(rng.random() < 0.6, rng.randrange(6), rng.randrange(4), rng.randrange(5), rng.choice(("chyba", "vylepšení", "úkol")), plus(NOW, -rng.randrange(420))) for _ in range(300)]
    w.seen = {n for n in range(300) if not w.t[n][0] or rng.random() < 0.8}  # named by the wiki or a changeset
    w.cs = [(say(rng, CS, 6), plus(NOW, -(200 - k) * 2 - 1)) for k in range(200)]
    w.dirs = {"/trunk": ["src", "doc", "tests", "setup.py"], "/trunk/src": ["jadro.py", "sit.py", "web.py", "db.py"], "/trunk/doc": ["navod.txt", "api.txt"], "/trunk/tests": ["test_jadro.py", "test_sit.py"]}
    some = sorted(w.seen)
    w.names = {k: [some[(k * 3 + j) % len(some)] for j in range(3)] for k in range(250)}
    return w


def tr_frame(asked: Asked, title: str, body: str, ctx: str = "", status: int = 200) -> Answer:
    nav = [("/wiki", "Wiki"), ("/timeline", "Časová osa"), ("/roadmap", "Plán"), ("/browser", "Zdrojové kódy"), ("/report", "Tikety"), ("/search", "Hledat")]
    meta = [("/login", "Přihlásit"), ("/prefs", "Předvolby"), ("/wiki/TracGuide", "Nápověda"), ("/about", "O Tracu"), ("/register", "Registrace")]
    return out(
        f'<!DOCTYPE html><html lang="cs"><head><title>{esc(title)} – Projekt</title><link rel="search" href="/search"><link rel="help" href="/wiki/TracGuide"><script>var form_token="{token(24)}";</script></head><body><div id="banner"><a id="logo" href="/wiki"><img src="/chrome/site/logo.png" alt=""></a><div id="metanav">{lis(meta)}</div></div>'
        f'<div id="mainnav" class="nav">{lis(nav)}</div><div id="main"><div id="ctxtnav">{ctx}</div><div id="content"><h1>{esc(title)}</h1>{body}</div></div><div id="footer"><a id="tracpowered" href="http://trac.edgewall.org/"><img src="/trac.png" alt="Trac"></a><p>Trac 1.4.3, {secs()} s</p></div></body></html>', status,
    )


def tr_page(asked: Asked) -> Answer | None:
    w = tr_world(asked.seed)
    seg, query, path = asked.segments, asked.query, asked.path
    what = seg[0] if seg else "wiki"

    def tick(n: int) -> str:
        return a(f"/ticket/{n + 1}", f"#{n + 1} {w.titles[n]}", f'class="{"closed " if w.t[n][0] else ""}ticket"')

    if what == "wiki":
        page = seg[1] if len(seg) > 1 else "WikiStart"
        if query.get("format") == "txt":
            return out(say(Random(page), CS, 60), kind="text/plain; charset=utf-8")
        if page in ("TitleIndex", "RecentChanges"):
            return tr_frame(asked, page, lis([(f"/wiki/{x}", x) for x in w.wiki]))
        if page not in w.wiki and page not in ("WikiStart", "TracGuide"):
            return tr_frame(asked, page, f"<p>Stránka {page} neexistuje.</p>", status=404)
        me = f"/wiki/{page}"
        k = w.wiki.index(page) if page in w.wiki else 60
        ctx = lis([("/wiki/WikiStart", "Úvodní stránka"), ("/wiki/TitleIndex", "Index"), (f"{me}?action=history", "Historie"), (f"{me}?action=diff&version={k % 7 + 2}", "Poslední změna"), (f"{me}?action=edit", "Upravit")])
        versions = k % 9 + 3
        at = num(query.get("version"))
        if query.get("action") == "history":
            return tr_frame(asked, f"Historie {page}", lis([a(f"{me}?version={v}", v) + a(f"{me}?action=diff&version={v}", "rozdíl") + a(f"{me}?action=diff&version={v}&old_version={max(v - 3, 1)}", "starší") for v in range(1, versions)]), ctx)
        if query.get("action"):
            near = [a(f"{me}?action=diff&version={v}", f"verze {v}") for v in (at - 1, at + 1) if 0 < v < versions]
            opts = [a(q(me, *put(asked.pairs, style=s, contextlines=c)), f"{s} {c}") for s in ("inline", "sidebyside") for c in (2, 5, 10)]
            return tr_frame(asked, f"Změny {page}", f"<pre>- {say(Random(page + str(at)), CS, 20)}</pre>{lis(near + opts)}", ctx)
        refs = lis([tick(n) for n in w.names[k]] + [a(f"/changeset/{k * 3 % 200 + 1}", "změna")] + [a(f"/wiki/{w.wiki[(k * 2 + j) % 50]}", "viz") for j in (1, 2)])
        body = paras(Random(f"{asked.seed}|tw{page}{at or ''}"), CS, 4) + refs + (lis([(f"/wiki/{x}", x) for x in w.wiki]) if page == "WikiStart" else "")
        return tr_frame(asked, page, body + lis([(f"{me}?format=txt", "Prostý text")]), ctx)
    if what == "ticket":
        n = num(seg[1] if len(seg) > 1 else None) - 1
        if not 0 <= n < 300:
            return tr_frame(asked, "Chyba: neplatné číslo tiketu", "<p>Tiket neexistuje.</p>", status=404)
        if "format" in query:
            return out(f"id,summary\n{n + 1},{w.titles[n]}", kind="text/csv; charset=utf-8")
        rng = Random(f"{asked.seed}|tt{n}")
        _closed, c, m, pr, kind, when = w.t[n]
        if "action" in query or "cnum_edit" in query or "replyto" in query:
            return tr_frame(asked, f"Změny tiketu #{n + 1}", f"<pre>{say(rng, CS, 20)}</pre>{tick(n)}")
        props = lis([a(f"/query?status=!closed&component={w.comp[c]}", w.comp[c]), a(f"/milestone/{w.miles[m]}", w.miles[m]), a(f"/query?status=!closed&priority=p{pr}", f"p{pr}"), a(f"/query?status=!closed&type={quote(kind)}", kind), a(f"/timeline?from={when}T00%3A00%3A00%2B02%3A00&precision=second", f"před {CHANCE.randint(2, 9)} dny"), a(f"/query?status=!closed&reporter={slug(CS[n % 30])}", "autor")])
        told = "".join(f"<div class='change'><h3>{a(f'/ticket/{n + 1}#comment:{k}', f'komentář:{k}')} {a(f'/ticket/{n + 1}?replyto={k}#comment', 'Odpovědět')} {a(f'/ticket/{n + 1}?action=comment-diff&cnum={k}&version=1', 'rozdíl')}</h3><p>{say(rng, CS, 25)}</p></div>" for k in range(1, rng.randint(2, 6)))
        return tr_frame(asked, f"#{n + 1} ({w.titles[n]})", f"{props}<div>{say(rng, CS, 60)}</div>{told}{lis([(f'/ticket/{n + 1}?format=csv', 'CSV'), (f'/ticket/{n + 1}?format=tab', 'TSV'), (f'/ticket/{n + 1}?format=rss', 'RSS')])}", lis([(f"/ticket/{n + 1}?action=diff&version=1", "Popis"), ("/query", "Zpět na dotaz")]))
    if what == "query":
        some = list(range(300))
        for key, v in asked.pairs:
            neg, v = v.startswith("!"), v.lstrip("!")
            test = {"status": lambda n, v=v: ("closed" if w.t[n][0] else "new") == v, "component": lambda n, v=v: w.comp[w.t[n][1]] == v, "milestone": lambda n, v=v: w.miles[w.t[n][2]] == v, "priority": lambda n, v=v: f"p{w.t[n][3]}" == v, "type": lambda n, v=v: w.t[n][4] == v, "reporter": lambda n, v=v: slug(CS[n % 30]) == v}.get(key)
            if test:
                some = [n for n in some if test(n) != neg]
        order = query.get("order", "id")
        if order != "id":
            some.sort(key=lambda n: w.titles[n] if order == "summary" else str(w.t[n]))
        if query.get("desc") == "1":
            some.reverse()
        at, per = max(num(query.get("page"), 1), 1), 50
        cols = ("id", "summary", "status", "type", "priority", "milestone", "component", "reporter", "changetime")
        ways = [a(q("/query", *put(asked.pairs, order=c, desc=None if query.get("desc") or order != c else 1, page=None)), c) for c in cols]
        ways += [a(q("/query", *put(asked.pairs, group=c, page=None)), f"skupina {c}") for c in cols[2:7]] + [a(q("/query", *put(asked.pairs, status=s, page=None)), s) for s in ("closed", "!closed")]
        ways += [a(q("/query", *asked.pairs, ("col", c)), f"+{c}") for c in cols if ("col", c) not in asked.pairs] + [a(q("/query", *put(asked.pairs, format=f)), f) for f in ("csv", "tab", "rss")]
        if query.get("format"):
            return out("id,summary", kind="text/csv; charset=utf-8")
        return tr_frame(asked, f"Vlastní dotaz ({len(some)} nalezeno)", f"{' '.join(ways)}{lis([tick(n) for n in some[at * per - per : at * per]]) or '<p>Žádné tikety nenalezeny</p>'}{pager(at, (len(some) + per - 1) // per, lambda k: q('/query', *put(asked.pairs, page=k, max=per)), 'Předchozí', 'Další')}")
    if what == "report":
        if len(seg) < 2:
            return tr_frame(asked, "Dostupné výpisy", lis([(f"/report/{k}", f"Výpis {{{k}}}") for k in range(1, 7)] + [("/report?sort=title&asc=1", "Název"), ("/report?sort=report&asc=0", "Číslo"), ("/query", "Vlastní dotaz")]))
        k = num(seg[1])
        if not 1 <= k <= 6:
            return tr_frame(asked, "Chyba", "<p>Výpis neexistuje.</p>", status=404)
        some = [n for n in range(300) if not w.t[n][0] and n % 6 >= k - 1]
        if "sort" in query:
            some.sort(key=lambda n: w.titles[n], reverse=query.get("asc") == "0")
        at = max(num(query.get("page"), 1), 1)
        ways = [a(q(path, sort=c, asc=int(query.get("asc", "0") != "1" or query.get("sort") != c), page=at), c) for c in ("ticket", "summary", "component", "version", "milestone", "type", "owner", "created")] + [a(q(path, format=f), f) for f in ("csv", "tab", "rss")]
        keep = [p for p in asked.pairs if p[0] in ("sort", "asc")]
        return tr_frame(asked, f"{{{k}}} Aktivní tikety", f"{' '.join(ways)}{lis([tick(n) for n in some[at * 50 - 50 : at * 50]])}{pager(at, (len(some) + 49) // 50, lambda x: q(path, *keep, *([('page', x)] if x > 1 else [])), 'Předchozí', 'Další')}")
    if what == "timeline":
        day = iso(query.get("from", "")[:10]) or NOW
        back = min(max(num(query.get("daysback"), 30), 1), 90)
        told = []
        for n in range(300):
            if plus(day, -back) <= w.t[n][5] <= day:
                told.append(f"{w.t[n][5]} {tick(n)}")
        for k, (t, d) in enumerate(w.cs):
            if plus(day, -back) <= d <= day:
                told.append(f"{d} {a(f'/changeset/{k + 1}', f'Změna [{k + 1}]: {t}')}")
        ways = [a(f"/timeline?from={plus(day, s * back - (1 if s < 0 else -1))}&daysback={back}&author=" + query.get("author", ""), t) for s, t in ((-1, "← Předchozí období"), (1, "Následující období →"))]
        ways.append(a(q("/timeline", ("ticket", "on"), ("changeset", "on"), ("wiki", "on"), ("max", 50), ("daysback", 90), ("format", "rss")), "RSS"))
        return tr_frame(asked, "Časová osa", lis(ways) + (lis(sorted(told, reverse=True)) if told else ""))
    if what == "changeset":
        k = num(seg[1] if len(seg) > 1 else None) - 1
        if not 0 <= k < 200:
            return tr_frame(asked, "Chyba", "<p>Žádná změna.</p>", status=404)
        rng = Random(f"{asked.seed}|tc{k}")
        ways = [(f"/changeset/{x + 1}", t) for x, t in ((k - 1, "← Předchozí změna"), (k + 1, "Následující změna →")) if 0 <= x < 200]
        ways += [(f"/changeset/{k + 1}?format={f}&new={k + 1}", f) for f in ("diff", "zip")] + [(f"/changeset/{k + 1}/trunk/src", "trunk/src"), (f"/browser/trunk?rev={k + 1}", "Prohlížet"), (f"/log/trunk?rev={k + 1}", "Historie"), (f"/diff?new={k + 1}&old={k}", "rozdíl")]
        if "format" in query:
            return out("diff", kind="text/plain")
        return tr_frame(asked, f"Změna {k + 1}" + (f" v {'/'.join(seg[2:])}" if len(seg) > 2 else ""), f"<p>{w.cs[k][0]}</p><p>{a(f'/timeline?from={w.cs[k][1]}&precision=second', w.cs[k][1])}</p>{lis([tick(n) for n in w.names[k]])}<pre>{say(rng, CS, 40)}</pre>", lis(ways))
    if what in ("browser", "log", "diff", "export"):
        if what == "export":
            return out(say(Random(path), CS, 30), kind="text/plain; charset=utf-8")
        p = "/" + "/".join(seg[1:]) if len(seg) > 1 else ""
        rev = query.get("rev")
        tail = f"?rev={rev}" if rev else ""
        if what == "log":
            at = min(max(num(rev, 200), 1), 200)
            rows = [a(f"/browser{p}?rev={k}", f"@{k}") + a(f"/changeset/{k}", f"[{k}]") + w.cs[k - 1][0] for k in range(at, max(at - 30, 0), -1)]
            ways = [(f"/log{p}?limit=100&mode={m}{'&rev=' + rev if rev else ''}", m) for m in ("stop_on_copy", "follow_copy", "path_history")] + ([(f"/log{p}?rev={at - 30}", "Starší revize")] if at > 30 else [])
            return tr_frame(asked, f"Záznam {p}", lis(rows) + lis(ways))
        if what == "diff":
            return tr_frame(asked, "Změny", f"<pre>{say(Random(str(asked.pairs)), CS, 40)}</pre>" + lis([(q(path, *put(asked.pairs, style=s)), s) for s in ("inline", "sidebyside")]))
        ctx = lis([(f"/log{p or '/'}{tail}", "Historie revizí"), (f"/browser{p}?rev={num(rev, 200) - 1}", "Předchozí revize")] + ([(f"/browser{p}?annotate=blame&rev={rev or 200}", "Anotovat"), (f"/export/HEAD{p}", "Původní formát")] if p else []))
        listing = {"": ["trunk"], **w.dirs}.get(p)
        if listing is None:
            if p.rpartition("/")[2] not in w.dirs.get(p.rpartition("/")[0], []):
                return tr_frame(asked, "Chyba", "<p>Žádný uzel</p>", status=404)
            return tr_frame(asked, p, f"<pre>{say(Random(f'{asked.seed}{p}{rev}'), CS, 100)}</pre>", ctx)
        sorts = [a(q(path, *put(asked.pairs, order=o, desc=d)), o) for o in ("name", "size", "date", "author") for d in (None, 1)]
        return tr_frame(asked, p or "zdroj:", lis([a(f"/browser{p}/{x}{tail}", x) + a(f"/log{p}/{x}{tail}", "log") + a(f"/changeset/{150 + len(x)}/trunk", "zm.") for x in listing]) + " ".join(sorts), ctx)
    if what in ("roadmap", "milestone"):
        if what == "roadmap":
            return tr_frame(asked, "Plán", lis([a(f"/milestone/{m}", m) + a(f"/query?status=closed&group=resolution&milestone={m}", "uzavřené") + a(f"/query?status=!closed&milestone={m}", "aktivní") for m in w.miles] + [a("/roadmap?show=completed", "dokončené"), a("/roadmap?format=ics", "iCalendar")]))
        m = seg[1] if len(seg) > 1 else ""
        if m not in w.miles:
            return tr_frame(asked, "Chyba", "<p>Milník neexistuje.</p>", status=404)
        return tr_frame(asked, f"Milník {m}", say(Random(m), CS, 40) + lis([(f"/milestone/{m}?by={b}", b) for b in ("component", "owner", "type", "priority")] + [(q("/query", milestone=m, status="closed", component=c), c) for c in w.comp]))
    if what in ("login", "prefs", "about", "search", "register"):
        return tr_frame(asked, what, f'<form method="post"><input name="__FORM_TOKEN" value="{token(24)}"></form>' + (lis([(f"/prefs/{x}", x) for x in ("datetime", "pygments", "language")]) if what == "prefs" else ""))
    return tr_frame(asked, "Chyba: nenalezeno", "<p>Žádný obslužný program.</p>", status=404)


def tr_wanted(seed: int) -> set[str]:
    w = tr_world(seed)
    found = {"/", "/roadmap", "/report", "/browser", "/browser/trunk", *(f"/browser{d}" for d in w.dirs), *(f"/browser{d}/{f}" for d, fs in w.dirs.items() for f in fs), *(f"/milestone/{m}" for m in w.miles)}
    found |= {f"/wiki/{x}" for x in w.wiki} | {f"/ticket/{n + 1}" for n in range(300)} | {f"/changeset/{k + 1}" for k in range(200)} | {"/wiki/TracGuide", "/wiki/TitleIndex"}
    return found | {f"/report/{k}" for k in range(1, 7)}


_TR_HONEST = re.compile(r"/|/wiki(/\w+)?|/ticket/\d+|/changeset/\d+|/browser(/[^?]*)?|/milestone/[\d.]+|/roadmap|/report(/\d+(\?page=\d+)?)?|/(login|prefs|about|search|register)(/\w+)?|/export/[^?]*")
engine("trac", tr_page, lambda url: not _TR_HONEST.fullmatch(rest(url)), tr_wanted)

# (10) Mailman 3's HyperKitty, in Romanian

HK = "/archives/list/discutii@lista.test"


@lru_cache(maxsize=4)
def hk_world(seed: int) -> SimpleNamespace:
    rng = Random(f"{seed}|hk")
    w = SimpleNamespace(mails=[], threads=[], at={}, thread_at={}, users=[uuid(seed, "hk", k).replace("-", "") for k in range(70)], of={})
    start = date(2023, 10, 1)
    subjects = names(rng, RO, 260, 6)
    for k, subject in enumerate(subjects):
        day = plus(start, int((NOW - start).days * (k + 0.5) / 260))
        ids = []
        for j in range(max(1, min(int(rng.expovariate(1 / 3.4)) + 1, 14))):
            h = base64.b32encode(bytes.fromhex(hexa(seed, "mail", k, j))).decode()[:32]
            w.at[h] = len(w.mails)
            ids.append(len(w.mails))
            w.mails.append((h, k, subject if not j else f"Re: {subject}", min(plus(day, j), NOW), rng.randrange(70)))
        w.threads.append((w.mails[ids[0]][0], subject, day, ids))
        w.thread_at[w.mails[ids[0]][0]] = k
    for n, (_, _, _, d, _) in enumerate(w.mails):
        w.of.setdefault((d.year, d.month), []).append(n)
    return w


def hk_page(asked: Asked) -> Answer | None:
    w = hk_world(asked.seed)
    seg, query, path = asked.segments, asked.query, asked.path

    def frame(title: str, body: str, at: date = NOW, status: int = 200) -> Answer:
        back = path
        top = [("/archives/", "Liste"), (f"{HK}/", "discutii"), (q("/accounts/login/", next=back), "Autentificare"), (q("/accounts/signup/", next=back), "Înregistrare"), (f"{HK}/latest", "Cele mai noi"), (f"{HK}/overview", "Prezentare")]
        side = "".join(f"<h5>{y}</h5>{lis([(f'{HK}/{y}/{m}/', MON['ro'][m - 1]) for m in range(12, 0, -1) if (y, m) <= (2026, 11)])}" for y in (2026, 2025, 2024))
        more = [(f"{HK}/export/discutii@lista.test-{at:%Y-%m}.mbox.gz?start={at:%Y-%m}-01&end={months(at, 1)}", "Descarcă"), (f"{HK}/feed/", "RSS")]
        return out(
            f'<!DOCTYPE html><html lang="ro"><head><meta charset="UTF-8"><title>{esc(title)} - discutii - lista.test</title><meta name="author" content=""><script>var csrf="{token()}";</script></head><body class="view-month"><nav class="navbar">{lis(top)}<form action="/archives/search"><input name="q"><input type="hidden" name="mlist" value="discutii@lista.test"></form></nav>'
            f'<div class="row"><div id="archives">{side}{lis(more)}</div><div class="col"><h2>{esc(title)}</h2>{body}</div></div><footer>Powered by {a("http://hyperkitty.readthedocs.org", "HyperKitty")} versiunea 1.3.8. {secs()}</footer></body></html>', status,
        )

    def mail(n: int) -> str:
        return a(f"{HK}/message/{w.mails[n][0]}/", w.mails[n][2]) + " " + a(f"/archives/users/{w.users[w.mails[n][4]]}/", f"Autor {w.mails[n][4]}")

    def thread(k: int) -> str:
        h, subject, day, ids = w.threads[k]
        return f"<div class='thread'>{a(f'{HK}/thread/{h}/', subject)} {day} {len(ids)} {a(f'{HK}/thread/{h}/?sort=date', 'recente')} {a(f'{HK}/vote/{h}/', '+0')}</div>"

    if path in ("/", "/archives/"):
        sorts = [(f"/archives/?sort={s}", s) for s in ("popular", "active", "name", "creation")]
        return frame("Liste disponibile", lis([(f"{HK}/", "discutii@lista.test"), *sorts]))
    if path == "/archives/search":
        ways = [a(q(path, *put(asked.pairs, sort=s, page=1)), s) for s in ("date-desc", "date-asc")] + [a(q(path, *put(asked.pairs, page=num(query.get("page"), 1) + 1)), "Următoarea")]
        return frame("Căutare", f"<p>Niciun rezultat.</p>{lis(ways)}")
    if seg[0] == "accounts":
        return frame("Autentificare", f'<form method="post"><input type="hidden" name="csrfmiddlewaretoken" value="{token()}"></form>{a("/accounts/password/reset/", "Parolă uitată?")}')
    if seg[:2] == ["archives", "users"] and len(seg) > 2 and seg[2] in w.users:
        u = w.users.index(seg[2])
        some = [n for n, m in enumerate(w.mails) if m[4] == u and m[3].year > 2023]
        if len(seg) > 3:
            at = max(num(query.get("page"), 1), 1)
            return frame(f"Mesaje de Autor {u}", lis([mail(n) for n in some[at * 10 - 10 : at * 10]]) + a(q(path, page=at + 1), "Mai vechi"))
        return frame(f"Autor {u}", f"<p>{len(some)} mesaje</p>{lis([mail(n) for n in some[:5]])}{a(path + 'posts', 'Toate mesajele')}")
    if not path.startswith(HK + "/"):
        return None
    seg = seg[3:]
    if not seg or seg[0] in ("latest", "overview"):
        recent = list(range(259, 229, -1))
        at = max(num(query.get("page"), 1), 1)
        page = [(f"{HK}/latest?page={k}", k) for k in (at - 1, at + 1) if k > 0 and at < 9] if seg else []
        return frame("Discuții", "".join(thread(k) for k in (recent if not seg or seg[0] == "overview" else range(259 - at * 10 + 10, max(259 - at * 10, -1), -1))) + lis(page))
    if seg[0] in ("export", "feed"):
        return out("From x", kind="application/gzip" if seg[0] == "export" else "application/rss+xml")
    if seg[0] == "message" and len(seg) > 1 and seg[1] in w.at:
        n = w.at[seg[1]]
        h, k, subject, day, u = w.mails[n]
        if len(seg) > 2:
            return move(q("/accounts/login/", next=path))
        ids = w.threads[k][3]
        near = [a(f"{HK}/message/{w.mails[m][0]}/", t) for m, t in ((n - 1, "anteriorul"), (n + 1, "următorul")) if m in ids]
        ways = [(f"{HK}/thread/{w.threads[k][0]}/#{h}", "Vezi în discuție"), (f"{HK}/message/{h}/reply", "Răspunde"), (f"{HK}/message/new?reply={h}", "Mesaj nou"), (f"{HK}/{day.year}/{day.month}/", "Luna"), (f"{HK}/{day.year}/{day.month}/{day.day}/", str(day)), (f"{HK}/message/{h}/delete", "Șterge"), (f"{HK}/vote/{h}/", "+0")]
        return frame(subject, f"{a(f'/archives/users/{w.users[u]}/', f'Autor {u}')}<pre>{say(Random(f'{asked.seed}|hm{n}'), RO, 70)}</pre>{lis(near)}{lis(ways)}", day)
    if seg[0] == "thread" and len(seg) > 1 and seg[1] in w.thread_at:
        k = w.thread_at[seg[1]]
        h, subject, day, ids = w.threads[k]
        if len(seg) > 2:
            return frame(subject, lis([(q(path, *put(asked.pairs, offset=num(query.get("offset")) + 20)), "mai multe")]), day)
        near = [a(f"{HK}/thread/{w.threads[x][0]}/", t) for x, t in ((k - 1, "Discuția mai veche"), (k + 1, "Discuția mai nouă")) if 0 <= x < 260 and w.threads[x][2].year > 2023]
        told = "".join(f"<div id='{w.mails[n][0]}'>{mail(n)}<p>{say(Random(f'{asked.seed}|hm{n}'), RO, 70)}</p>{a(f'{HK}/message/{w.mails[n][0]}/reply', 'Răspunde')}</div>" for n in ids)
        ways = [(f"{HK}/thread/{h}/?sort=date", "după dată"), (f"{HK}/thread/{h}/?sort=thread", "după fir"), (f"{HK}/thread/{h}/replies?sort=date&last_view={CHANCE.randrange(10**9)}&offset=20", "răspunsuri"), (f"{HK}/thread/{h}/tags", "etichete"), (f"{HK}/thread/{h}/favorite", "favorite")]
        return frame(subject, f"{lis(near)}{told}{lis(ways)}", day)
    if len(seg) >= 2 and (day := ymd(seg[0], seg[1], seg[2] if len(seg) > 2 and seg[2].isdigit() else 1)):
        kind = seg[-1] if seg[-1] in ("thread", "date", "author") else ""
        some = w.of.get((day.year, day.month), [])
        base = f"{HK}/{day.year}/{day.month}"
        ways = [(f"{HK}/{d.year}/{d.month}/{kind + '/' if kind else ''}", f"{MON['ro'][d.month - 1]} {d.year}") for d in (months(day, -1), months(day, 1))] + [(f"{base}/{x}/", x) for x in ("thread", "date", "author")]
        cells = "".join("<tr>" + "".join(f"<td>{a(f'{base}/{d.day}/', d.day)}</td>" for d in week if d.month == day.month) + "</tr>" for week in weeks(day))
        if len(seg) > 2 and seg[2].isdigit():
            some = [n for n in some if w.mails[n][3].day == day.day]
            near = [(f"{HK}/{d.year}/{d.month}/{d.day}/", str(d)) for d in (plus(day, -1), plus(day, 1))]
            return frame(f"{day.day} {MON['ro'][day.month - 1]} {day.year}", (lis([mail(n) for n in some]) or "<p>Niciun mesaj în această zi.</p>") + lis(near), day)
        if kind in ("date", "author"):
            some = sorted(some, key=lambda n: (w.mails[n][4] if kind == "author" else w.mails[n][3], n))
            body = lis([mail(n) for n in some])
        else:
            body = "".join(thread(k) for k in sorted({w.mails[n][1] for n in some}))
        return frame(f"{MON['ro'][day.month - 1]} {day.year}", f"{lis(ways)}{body or '<p>Nu există mesaje în această lună.</p>'}<table>{cells}</table>", day)
    return frame("Pagina nu a fost găsită", "<p>404</p>", status=404)


def hk_wanted(seed: int) -> set[str]:
    w = hk_world(seed)
    found = {"/", f"{HK}/", *(f"{HK}/message/{m[0]}/" for m in w.mails), *(f"{HK}/thread/{t[0]}/" for t in w.threads), *(f"/archives/users/{w.users[u]}/" for u in {m[4] for m in w.mails})}
    return found | {f"{HK}/{y}/{m}/" for y in (2024, 2025, 2026) for m in range(1, 13) if (y, m) <= (2026, 11)}


_HK_HONEST = re.compile(rf"/|/archives/|{HK}/|{HK}/(latest|overview|feed/)|{HK}/export/.*|{HK}/(message|thread)/[A-Z2-7]+/|/archives/users/\w+/|/accounts/password/reset/|{HK}/202[45]/([1-9]|1[0-2])/|{HK}/2026/([1-9]|1[01])/")
engine("hyperkitty", hk_page, lambda url: not _HK_HONEST.fullmatch(rest(url)) or "/export/" in url, hk_wanted)


# (11) webtrees, in Norwegian

WT = "/tree/slekt"


@lru_cache(maxsize=4)
def wt_world(seed: int) -> SimpleNamespace:
    rng = Random(f"{seed}|wt")
    farms = [x.capitalize() + y for x, y in zip(rng.sample(NO, 40), rng.choices(("rud", "stad", "vik", "land", "nes"), k=40), strict=True)]
    w = SimpleNamespace(farms=farms, p=[], fam=[], spouse_of={}, child_of={}, loose=set())
    w.places = rng.sample(farms, 20)

    def born(year: int, farm: str) -> int:
        w.p.append((f"{rng.choice(FIRST['no'])} {rng.choice(FIRST['no'])} {farm}", farm, year, rng.randint(1, 12), rng.randint(1, 28)))
        return len(w.p) - 1

    grown = [born(1700 + k, farms[k]) for k in range(12)]
    while len(w.p) < 455:
        x = grown.pop(0) if grown else born(1800, rng.choice(farms))
        y = born(w.p[x][2] + rng.randint(-5, 5), rng.choice(farms))
        kids = [born(w.p[x][2] + 24 + 2 * k, w.p[x][1]) for k in range(rng.randint(1, 4))]
        w.fam.append((x, y, kids))
        grown += kids
    for k in range(1, 12):  # the first families are kin by marriage
        w.fam.append((w.fam[k - 1][1], w.fam[k][1], []))
    for _ in range(15):  # and small families that are kin to nobody
        x = born(rng.randint(1750, 1900), rng.choice(farms))
        y = born(w.p[x][2] + 2, rng.choice(farms))
        z = born(w.p[x][2] + 28, w.p[x][1])
        w.fam.append((x, y, [z]))
        w.loose |= {x, y, z}
    for f, (x, y, kids) in enumerate(w.fam):
        w.spouse_of.setdefault(x, []).append(f)
        w.spouse_of.setdefault(y, []).append(f)
        for z in kids:
            w.child_of[z] = f
    w.sources = names(rng, NO, 40, 4)
    return w


def wt_indi(w: SimpleNamespace, n: int) -> str:
    return f"{WT}/individual/I{n + 1}/{slug(w.p[n][0])}"


def wt_fam(w: SimpleNamespace, f: int) -> str:
    return f"{WT}/family/F{f + 1}/{slug(w.p[w.fam[f][0]][0])}-{slug(w.p[w.fam[f][1]][0])}"


def wt_page(asked: Asked) -> Answer | None:
    w = wt_world(asked.seed)
    seg, query, path = asked.segments, asked.query, asked.path
    root = "I1"
    if (m := re.search(r"/(I\d+)\b", path)):
        root = m[1]

    def who(n: int) -> str:
        return a(wt_indi(w, n), w.p[n][0])

    def charts(x: str) -> list[tuple[str, str]]:
        return [(f"{WT}/{c}/{x}", c) for c in ("ancestors-tree-4", "descendants-tree-3", "fan-chart-3-4-100", "pedigree-right-4", "hourglass-3-0", "compact", "family-book-2-5-0", "lifespans", "relationships-0-99", "timeline-10", "statistics")]

    def frame(title: str, body: str, status: int = 200) -> Answer:
        menu = [(f"{WT}", "Slekten"), *charts(root), (f"{WT}/individual-list", "Personer"), (f"{WT}/family-list", "Familier"), (f"{WT}/branches", "Greiner"), (f"{WT}/place-list", "Steder"), (f"{WT}/source-list", "Kilder"), (f"{WT}/calendar/day?day={NOW.day}&month=NOV&year=2026", "Dag"), (f"{WT}/calendar/month?day={NOW.day}&month=NOV&year=2026", "Måned"), (f"{WT}/calendar/year?day={NOW.day}&month=NOV&year=2026", "År"), (f"{WT}/search-general", "Søk"), (f"{WT}/search-advanced", "Avansert søk"), (q("/login/slekt", url=path), "Logg inn")]
        langs = lis([(f"/language/{x}?url={quote(path)}", x) for x in ("nb", "nn", "en-US", "de", "sv")])
        return out(
            f'<!DOCTYPE html><html dir="ltr" lang="nb"><head><meta charset="UTF-8"><meta name="csrf" content="{token()}"><title>{esc(title)} – Slekten vår – webtrees</title><meta name="generator" content="webtrees 2.1.18"></head><body class="wt-global"><header class="wt-header-wrapper">{lis(menu, "nav wt-primary-menu")}{langs}</header>'
            f'<main id="content"><h2 class="wt-page-title">{esc(title)}</h2>{body}</main><footer class="wt-footer-container"><p>{a("https://www.webtrees.net/", "webtrees")} Denne siden er vist {count("wt")} ganger. {secs()} s</p>{a(f"{WT}/privacy-policy", "Personvern")} {a(f"{WT}/contact?to=admin&url={quote(path)}", "Kontakt")}</footer></body></html>', status,
        )

    if path in ("/", WT):
        kin = [n for n in range(len(w.p)) if n not in w.loose]
        today = lis([who(n) for n in CHANCE.sample(kin, 4)])
        return frame("Slekten vår", f"<p>{say(Random('wt'), NO, 40)}</p>{who(0)}<h3>I slekten</h3>{lis([who(n) for n in range(12)])}<h3>Tilfeldige</h3>{today}")
    if seg[0] == "login":
        return frame("Logg inn", f'<form method="post"><input type="hidden" name="_csrf" value="{token()}"></form>' + lis([("/password-request/slekt", "Glemt passord"), ("/register/slekt", "Ny bruker")]))
    if seg[0] == "language":
        return move(query.get("url", "/"))
    if seg[0] != "tree" or len(seg) < 3:
        return frame("Ikke funnet", "<p>Denne siden finnes ikke.</p>", 404)
    what = seg[2]
    xref = num(seg[3][1:]) - 1 if len(seg) > 3 else 0
    if what == "individual":
        if not 0 <= xref < len(w.p):
            return frame("Ikke funnet", "<p>Personen finnes ikke.</p>", 404)
        n = xref
        if path != wt_indi(w, n):
            return move(wt_indi(w, n), 301)
        rng = Random(f"{asked.seed}|wi{n}")
        fams = [a(wt_fam(w, f), f"Familie F{f + 1}") + " ".join(who(x) for x in (w.fam[f][0], w.fam[f][1], *w.fam[f][2]) if x != n) for f in [*w.spouse_of.get(n, []), *([w.child_of[n]] if n in w.child_of else [])]]
        _, farm, y, m, d = w.p[n]
        mon = date(2000, m, 1).strftime("%b").upper()
        facts = f"Født {a(f'{WT}/calendar/day?cal=@%23DGREGORIAN@&day={d}&month={mon}&year={y}', f'{d}.{m}')} {a(f'{WT}/calendar/year?cal=@%23DGREGORIAN@&year={y}', y)} {a(f'{WT}/place-list/{quote(farm)}', farm)} {a(f'{WT}/source/S{n % 40 + 1}/{slug(w.sources[n % 40])}', 'Kilde')}"
        ways = [*charts(f"I{n + 1}"), (f"{WT}/relationships-0-99/I{n + 1}/I1", "Slektskap til meg"), (f"{WT}/relationships-0-99/I1/I{n + 1}", "Slektskap"), (f"{WT}/individual-list?surname={quote(farm.upper())}", farm), (f"{WT}/edit-name/I{n + 1}", "Rediger"), (f"{WT}/report-setup/individual_report?xref=I{n + 1}", "Rapport"), (f"{WT}/clippings/add/I{n + 1}", "Utklipp")]
        return frame(w.p[n][0], f"<img src='/media/I{n + 1}.jpg' alt=''><p>{facts}</p><p>{say(rng, NO, 70)}</p>{lis(fams)}{lis(ways)}")
    if what == "family":
        if not 0 <= xref < len(w.fam):
            return frame("Ikke funnet", "<p>Familien finnes ikke.</p>", 404)
        x, y, kids = w.fam[xref]
        if path != wt_fam(w, xref):
            return move(wt_fam(w, xref), 301)
        return frame(f"{w.p[x][0]} + {w.p[y][0]}", f"<p>{say(Random(f'{asked.seed}|wf{xref}'), NO, 50)}</p>{lis([who(z) for z in (x, y, *kids)])}{lis(charts(f'I{x + 1}')[:4])}{a(f'{WT}/source/S{xref % 40 + 1}/{slug(w.sources[xref % 40])}', 'Kilde')}")
    if what == "source" and 0 <= xref < 40:
        return frame(w.sources[xref], f"<p>{say(Random(f'{asked.seed}|ws{xref}'), NO, 40)}</p>{lis([who(n) for n in range(xref, len(w.p), 40) if n not in w.loose])}")
    if what == "source-list":
        return frame("Kilder", lis([(f"{WT}/source/S{k + 1}/{slug(t)}", t) for k, t in enumerate(w.sources)]))
    if what == "privacy-policy":
        return frame("Personvern", paras(Random("wtp"), NO, 4))
    if what == "calendar":
        view = seg[3] if len(seg) > 3 else "day"
        mons = [date(2000, k, 1).strftime("%b").upper() for k in range(1, 13)]
        mo = mons.index(query.get("month", "NOV").upper()) + 1 if query.get("month", "NOV").upper() in mons else 11
        y, d = min(max(num(query.get("year"), 2026), 1000), 8000), min(max(num(query.get("day"), 15), 1), 28)
        some = [n for n, p in enumerate(w.p) if (p[3] == mo and (view != "day" or p[4] == d)) or (view == "year" and p[2] == y)]
        me = f"{WT}/calendar/{view}"
        base = {"cal": query.get("cal", "@#DGREGORIAN@"), "day": d, "month": mons[mo - 1], "year": y, "filterev": query.get("filterev", "BIRT-MARR-DEAT"), "filterof": query.get("filterof", "all"), "filtersx": query.get("filtersx", "")}
        ways = [a(q(me, **{**base, "year": y + k}), y + k) for k in (-10, -1, 1, 10)] + [a(q(me, **{**base, "month": x}), x) for x in mons] + [a(q(f"{WT}/calendar/day", **{**base, "day": x}), x) for x in range(1, 29)]
        ways += [a(q(me, **{**base, "filterof": x}), x) for x in ("all", "living", "recent")] + [a(q(me, **{**base, "filtersx": x}), x or "alle") for x in ("", "M", "F")] + [a(q(me, **{**base, "filterev": x}), x) for x in ("BIRT", "MARR", "DEAT", "all")] + [a(q(me, **{**base, "cal": x}), x) for x in ("@#DJULIAN@", "@#DHEBREW@", "@#DFRENCH R@")]
        return frame(f"{d}. {MON['no'][mo - 1]} {y}", f"<div>{' '.join(ways)}</div>{lis([who(n) for n in some]) or '<p>Ingen hendelser.</p>'}")
    if what in ("individual-list", "family-list", "branches"):
        me = f"{WT}/{what}"
        letters = [a(q(me, *put(asked.pairs, alpha=c, surname=None)), c) for c in [*sorted({f[0] for f in w.farms}), "@", ","]]
        opts = [a(q(me, *put(asked.pairs, show=s)), s) for s in ("surn", "indi")] + [a(q(me, *put(asked.pairs, show_all=s)), "alle") for s in ("yes", "no")] + [a(q(me, *put(asked.pairs, show_marnm=s)), "gift navn") for s in ("yes", "no")] + [a(q(me, *put(asked.pairs, falpha=c)), c) for c in "ABEGHIJKLMNOPRSTØ"]
        some = [f for f in sorted(set(w.farms)) if f[0] == query.get("alpha", "")[:1] or query.get("show_all") == "yes"]
        told = [a(q(me, *put(asked.pairs, surname=f.upper(), alpha=None)), f) for f in some]
        people = [n for n in range(len(w.p)) if w.p[n][1].upper() == query.get("surname", "") or (query.get("show") == "indi" and w.p[n][1] in some)]
        if what == "family-list":
            told += [a(wt_fam(w, f), f"F{f + 1}") for f in range(len(w.fam)) if w.fam[f][0] in set(people)]
        else:
            told += [who(n) for n in people]
        return frame("Personer", f"{' '.join(letters)}{' '.join(opts)}{lis(told)}")
    if what == "place-list":
        place = unquote(seg[3]) if len(seg) > 3 else ""
        return frame(place or "Steder", lis([a(f"{WT}/place-list/{quote(f)}", f) for f in w.places]) + lis([who(n) for n in range(len(w.p)) if w.p[n][1] == place][:20] if place else []))
    if (m := re.fullmatch(r"(ancestors|descendants|fan-chart|pedigree|hourglass|family-book|relationships|timeline|lifespans|compact|statistics)(?:-(.*))?", what)) and 0 <= xref < len(w.p):
        kind, parts = m[1], (m[2] or "").split("-")
        n, x = xref, f"I{xref + 1}"
        gens = min(max(num(next((p for p in parts if p.isdigit()), "4"), 4), 1), 10)
        ways: list[str] = []
        for k in range(2, 11):
            new = [str(k) if p.isdigit() and j == next(i for i, z in enumerate(parts) if z.isdigit()) else p for j, p in enumerate(parts)] if any(p.isdigit() for p in parts) else [str(k)]
            if kind not in ("compact", "lifespans", "statistics"):
                ways.append(a(f"{WT}/{kind}-{'-'.join(new)}/{'/'.join(seg[3:5])}", f"{k} generasjoner"))
        styles = {"ancestors": ("tree", "chart", "individuals", "families"), "descendants": ("tree", "chart", "individuals", "families"), "pedigree": ("right", "left", "up", "down"), "fan-chart": ("2", "3", "4")}.get(kind, ())
        ways += [a(f"{WT}/{kind}-{s}-{'-'.join(parts[1:])}/{x}", s) for s in styles]
        line, seen = [n], {n}
        for _ in range(gens - 1):
            near: list[int] = []
            for y in line[-12:]:
                f = w.child_of.get(y)
                near += [*w.fam[f][:2]] if f is not None and kind != "descendants" else []
                if kind in ("descendants", "hourglass", "family-book"):
                    near += [z for g in w.spouse_of.get(y, []) for z in w.fam[g][2]]
            near = [y for y in near if y not in seen]
            seen.update(near)
            line += near
        if kind == "relationships":
            y = num(seg[4][1:]) - 1 if len(seg) > 4 else 0
            ways.append(a(f"{WT}/relationships-{'-'.join(parts)}/{seg[4] if len(seg) > 4 else 'I1'}/{x}", "Bytt om"))
            near2 = [z for z in (n - 1, n + 1, n + 17, y + 1) if 0 <= z < len(w.p) and z not in w.loose]
            ways += [a(f"{WT}/relationships-0-99/{x}/I{z + 1}", w.p[z][0]) for z in near2]
            line = [n] + ([y] if 0 <= y < len(w.p) else [])
        told = [who(y) + " " + a(f"{WT}/{what}/I{y + 1}", "ny rot") for y in line[:40] if (y not in w.loose) or n in w.loose]
        return frame(f"{kind}: {w.p[n][0]}", f"{' '.join(ways)}{lis(told)}")
    return frame("Logg inn", "<p>Du må logge inn.</p>")


def wt_wanted(seed: int) -> set[str]:
    w = wt_world(seed)
    return {"/", f"{WT}/source-list", f"{WT}/privacy-policy", *(wt_indi(w, n) for n in range(len(w.p))), *(wt_fam(w, f) for f in range(len(w.fam))), *(f"{WT}/source/S{k + 1}/{slug(t)}" for k, t in enumerate(w.sources))}


_WT_HONEST = re.compile(rf"/|{WT}|{WT}/(individual|family|source)/[IFS]\d+/[\w-]+|{WT}/source-list|{WT}/privacy-policy|/(password-request|register)/slekt")
engine("webtrees", wt_page, lambda url: not _WT_HONEST.fullmatch(rest(url)), wt_wanted)

# (12) Redmine, in Bulgarian


@lru_cache(maxsize=4)
def rm_world(seed: int) -> SimpleNamespace:
    rng = Random(f"{seed}|rm")
    w = SimpleNamespace(titles=names(rng, BG, 500, 6), names=names(rng, BG, 6, 2))
    w.projects = [slug(x) for x in w.names]
    # closed, project, tracker, priority, status, user, updated
    w.i = [(rng.random() < 0.5, rng.randrange(6), rng.randrange(3), rng.randrange(4), rng.randrange(5), rng.randrange(20), plus(NOW, -rng.randrange(300))) for _ in range(500)]
    w.users = [f"{rng.choice(('Иван', 'Петър', 'Мария', 'Елена', 'Георги'))} {x.capitalize()}ов" for x in rng.sample(BG, 20)]
    w.kin = {n: [m for m in rng.sample(range(500), 3) if not w.i[m][0] or m % 4] for n in range(500)}
    w.wiki = {p: names(rng, BG, 8, 2) for p in w.projects}
    w.revs = 120
    w.news = names(rng, BG, 20, 4)
    return w


def rm_page(asked: Asked) -> Answer | None:
    w = rm_world(asked.seed)
    seg, query, path = asked.segments, asked.query, asked.path
    p = seg[1] if len(seg) > 1 and seg[0] == "projects" and seg[1] in w.projects else ""

    def issue(n: int) -> str:
        return a(f"/issues/{n + 1}", f"#{n + 1}: {w.titles[n]}", f'class="issue tracker-{w.i[n][2]}"')

    def frame(title: str, body: str, project: str = "", status: int = 200) -> Answer:
        top = [("/", "Начало"), ("/projects", "Проекти"), ("https://www.redmine.org/guide", "Помощ"), (q("/login", back_url=asked.url.split("?")[0]), "Вход"), ("/account/register", "Регистрация"), ("/search", "Търсене")]
        b = f"/projects/{project}"
        menu = [(b, "Общ преглед"), (f"{b}/activity", "Дейност"), (f"{b}/roadmap", "Пътна карта"), (f"{b}/issues", "Задачи"), (f"{b}/time_entries", "Отделено време"), (f"{b}/issues/gantt", "Мрежов график"), (f"{b}/issues/calendar", "Календар"), (f"{b}/news", "Новини"), (f"{b}/wiki", "Wiki"), (f"{b}/repository", "Хранилище")] if project else [("/projects", "Проекти"), ("/activity", "Дейност"), ("/issues", "Задачи"), ("/issues/gantt", "График"), ("/issues/calendar", "Календар"), ("/time_entries", "Време"), ("/news", "Новини")]
        return out(
            f'<!DOCTYPE html><html lang="bg"><head><meta charset="utf-8"><title>{esc(title)} - Redmine</title><meta name="csrf-param" content="authenticity_token"><meta name="csrf-token" content="{token(86)}"><script>var rm={{"t":"{secs()}"}};</script></head><body class="controller-issues"><div id="top-menu">{lis(top)}</div><div id="header"><h1>{esc(project or "Redmine")}</h1><div id="main-menu">{lis(menu)}</div></div>'
            f'<div id="main"><div id="content"><h2>{esc(title)}</h2>{body}</div></div><div id="footer">Powered by {a("https://www.redmine.org/", "Redmine")} © 2006-2026</div></body></html>', status,
        )

    if path == "/":
        return frame("Начало", f"<p>{say(Random('rm'), BG, 40)}</p>{lis([(f'/projects/{x}', t) for x, t in zip(w.projects, w.names, strict=True)])}{lis([(f'/news/{k + 1}', w.news[k]) for k in range(5)])}")
    if path == "/projects":
        return frame("Проекти", lis([(f"/projects/{x}", t) for x, t in zip(w.projects, w.names, strict=True)]) + lis([("/projects.atom", "Atom")]))
    if seg[0] in ("login", "account", "search", "watchers") or path.endswith(("/new", "/edit")):
        return frame("Вход", f'<form method="post"><input type="hidden" name="authenticity_token" value="{token(86)}"></form>{a("/account/lost_password", "Забравена парола")}')
    if re.search(r"\.(atom|csv|pdf|txt|html)$", path):
        return out("feed", kind="application/octet-stream")
    if seg[0] == "news" and len(seg) > 1 and 0 < num(seg[1]) <= 20:
        return frame(w.news[num(seg[1]) - 1], paras(Random(f"{asked.seed}|rn{seg[1]}"), BG, 3))
    if seg[0] == "users" and len(seg) > 1 and 0 < num(seg[1]) <= 20:
        u = num(seg[1]) - 1
        return frame(w.users[u], lis([a(q("/issues", ("set_filter", 1), ("assigned_to_id", u + 1), ("sort", "priority:desc,updated_on:desc")), "Назначени задачи"), a(q("/issues", ("set_filter", 1), ("author_id", u + 1), ("sort", "")), "Създадени"), a(f"/activity?from={NOW}&user_id={u + 1}", "Дейност")]))
    if seg[0] == "issues" and len(seg) > 1 and seg[1].isdigit():
        n = num(seg[1]) - 1
        if not 0 <= n < 500:
            return frame("404", "<p>Страницата, която търсите, не съществува.</p>", status=404)
        _closed, pr, _tr, prio, st, u, day = w.i[n]
        rng = Random(f"{asked.seed}|ri{n}")
        notes = "".join(f"<div id='change-{n * 10 + k}'>{a(f'/issues/{n + 1}#note-{k}', f'#{k}')}<p>{say(rng, BG, 25)}</p>{a(f'/journals/{n * 10 + k}/diff?detail_id={n * 10 + k}', 'разлика')}</div>" for k in range(1, rng.randint(2, 5)))
        ways = [(f"/issues/{n + 1}/edit", "Редакция"), (f"/issues/{n + 1}/time_entries/new", "Отделяне на време"), (f"/watchers/watch?object_id={n + 1}&object_type=issue", "Наблюдаване"), (f"/projects/{w.projects[pr]}/issues/new?copy_from={n + 1}", "Копиране"), (f"/issues/{n + 1}.pdf", "PDF"), (f"/issues/{n + 1}.atom", "Atom"), (f"/issues/{n + 1}?tab=history", "История"), (f"/issues/{n + 1}?tab=notes", "Бележки")]
        return frame(f"#{n + 1}", f"<h3>{w.titles[n]}</h3>{a(f'/users/{u + 1}', w.users[u])} {a(f'/projects/{w.projects[pr]}/activity?from={day}', 'преди дни')} {a(f'/versions/{pr * 3 + prio % 3 + 1}', 'Версия')}<p>{say(rng, BG, 60)}</p>{lis([issue(m) for m in w.kin[n]])}{notes}{lis(ways)}", w.projects[pr])
    if seg[0] == "journals":
        return frame("Разлика", f"<pre>{say(Random(path), BG, 20)}</pre>")
    if seg[0] == "versions" and len(seg) > 1 and 0 < num(seg[1]) <= 18:
        k = num(seg[1]) - 1
        return frame(f"Версия {k + 1}", say(Random(f"{asked.seed}rv{k}"), BG, 30) + lis([(q(f"/projects/{w.projects[k // 3]}/issues", ("set_filter", 1), ("status_id", s), ("fixed_version_id", k + 1)), t) for s, t in (("c", "затворени"), ("o", "отворени"))]), w.projects[k // 3])
    tail = seg[2:] if p else seg
    base = f"/projects/{p}" if p else ""
    pool = [n for n in range(500) if not p or w.projects[w.i[n][1]] == p]
    if p and not tail:
        return frame(w.names[w.projects.index(p)], say(Random(f"{asked.seed}{p}"), BG, 60) + lis([(f"{base}/issues?set_filter=1&tracker_id={k + 1}", f"тракер {k}") for k in range(3)] + [(f"{base}/issues?set_filter=1&tracker_id={k + 1}&status_id=c", f"затворени {k}") for k in range(3)] + [(f"/users/{u + 1}", w.users[u]) for u in range(w.projects.index(p), 20, 3)] + [(f"{base}/time_entries/report", "Справка")]), p)
    what = tail[0] if tail else ""
    if what == "issues" and len(tail) > 1 and tail[1] in ("calendar", "gantt"):
        y, m = min(max(num(query.get("year"), 2026), 1900), 2200), min(max(num(query.get("month"), 11), 1), 12)
        at = date(y, m, 1)
        me = f"{base}/issues/{tail[1]}"
        near = [months(at, k) for k in (-1, 1)]
        if tail[1] == "calendar":
            ways = [(f"{me}?month={d.month}&year={d.year}", f"{MON['bg'][d.month - 1]} {d.year}") for d in near]
            some = [n for n in pool if (w.i[n][6].year, w.i[n][6].month) == (y, m) and not w.i[n][0]]
        else:
            z, span = min(max(num(query.get("zoom"), 2), 1), 4), min(max(num(query.get("months"), 6), 1), 24)
            ways = [(q(me, month=months(at, k).month, year=months(at, k).year, months=span, zoom=z), t) for k, t in ((-span, "« Предишен"), (span, "Следващ »"))] + [(q(me, month=m, year=y, months=span, zoom=k), f"мащаб {k}") for k in (z - 1, z + 1) if 1 <= k <= 4]
            ways += [(q(me + ".pdf", month=m, year=y, months=span, zoom=z), "PDF"), (q(me, month=m, year=y, months=span * 2 if span < 13 else 1, zoom=z), "месеци")]
            some = [n for n in pool if at <= w.i[n][6] < months(at, span) and not w.i[n][0]][:50]
        return frame(f"{MON['bg'][m - 1]} {y}", lis(ways) + (lis([issue(n) for n in some]) or "<p class='nodata'>Няма данни за показване</p>"), p)
    if what == "issues":
        st = query.get("status_id", "o")
        some = [n for n in pool if st == "*" or w.i[n][0] == (st == "c")]
        for key, k in (("tracker_id", 2), ("priority_id", 3), ("assigned_to_id", 5), ("author_id", 5)):
            if key in query:
                some = [n for n in some if w.i[n][k] == num(query[key]) - 1]
        sort = query.get("sort", "id:desc").split(",")[0]
        some.sort(key=lambda n: {"subject": w.titles[n], "updated_on": str(w.i[n][6]), "priority": str(w.i[n][3])}.get(sort.split(":")[0], f"{n:05}"), reverse=sort.endswith("desc"))
        per = min(max(num(query.get("per_page"), 25), 1), 100)
        at = max(num(query.get("page"), 1), 1)
        old = [x for x in query.get("sort", "").split(",") if x]
        heads = [a(q(path, *put(asked.pairs, sort=",".join([c if c not in old else f"{c}:desc", *[x for x in old if not x.startswith(c)]][:3]), page=None)), c) for c in ("id", "tracker", "status", "priority", "subject", "assigned_to", "updated_on")]
        ways = [a(q(path, *put(asked.pairs, per_page=k, page=None)), k) for k in (25, 50, 100)] + [a(q(path, ("set_filter", 1), ("status_id", s)), s) for s in "oc*"] + [a(q(path, *put(asked.pairs, set_filter=1, **{g: k})), f"{g} {k}") for g, ks in (("tracker_id", (1, 2, 3)), ("priority_id", (1, 2, 3, 4)), ("group_by", ("tracker", "status", "priority", "assigned_to"))) for k in ks] + [a(f"{path}.{x}", x) for x in ("atom", "csv", "pdf")]
        return frame("Задачи", f"{' '.join(heads)}{' '.join(ways)}{lis([issue(n) for n in some[at * per - per : at * per]]) or 'Няма данни'}{pager(at, (len(some) + per - 1) // per, lambda k: q(path, *put(asked.pairs, page=k if k > 1 else None)), 'Предишна', 'Следваща')}", p)
    if what == "activity":
        day = iso(query.get("from")) or NOW
        some = [n for n in pool if plus(day, -30) < w.i[n][6] <= day]
        keep = [x for x in asked.pairs if x[0] != "from"]
        ways = [a(q(path, ("from", plus(day, k)), *keep), t) for k, t in ((-30, "« Предишен"), (30, "Следващ »"))] + [a(q(path, *put(asked.pairs, **{f"show_{k}": 1})), k) for k in ("issues", "changesets", "news", "wiki_edits")] + [a(q(path, *put(asked.pairs, with_subprojects=k)), "подпроекти") for k in (0, 1)] + [a(q(path + ".atom", *asked.pairs), "Atom")]
        revs = [a(f"/projects/{w.projects[0]}/repository/revisions/{r}", f"Ревизия {r}") for r in range(1, 121) if plus(day, -30) < plus(NOW, -(121 - r) * 2) <= day] if p in ("", w.projects[0]) else []
        return frame(f"Дейност до {day}", lis(ways) + (lis([issue(n) for n in some] + revs) or "<p class='nodata'>Няма данни за показване</p>"), p)
    if what == "roadmap" and p:
        k = w.projects.index(p)
        return frame("Пътна карта", lis([(f"/versions/{k * 3 + j + 1}", f"Версия {j}") for j in range(3)] + [(f"{base}/roadmap?completed=1", "завършени"), (f"{base}/roadmap?tracker_ids[]=1&with_subprojects=0", "тракер")]), p)
    if what == "news":
        k = w.projects.index(p) if p else 0
        return frame("Новини", lis([(f"/news/{j + 1}", w.news[j]) for j in range(k, 20, 6 if p else 1)]), p)
    if what == "wiki" and p:
        pages = w.wiki[p]
        name = unquote(tail[1]).replace("_", " ") if len(tail) > 1 else pages[0]
        if name == "index" or name == "date index":
            return frame("Индекс", lis([(f"{base}/wiki/{quote(x.replace(' ', '_'))}", x) for x in pages]), p)
        if name not in pages:
            return frame("404", "<p>Няма.</p>", p, 404)
        me = f"{base}/wiki/{quote(name.replace(' ', '_'))}"
        if len(tail) > 2:
            v = num(tail[2], 5)
            return frame(name, say(Random(name + tail[2]), BG, 50) + lis([(f"{me}/{k}", f"версия {k}") for k in range(1, 8)] + [(f"{me}/{v}/diff", "разлика"), (f"{me}/{v}/annotate", "анотация"), (f"{me}/diff?version={v}&version_from={max(v - 1, 1)}", "сравнение")]), p)
        return frame(name, paras(Random(f"{asked.seed}{me}"), BG, 3) + lis([(f"{base}/wiki/{quote(x.replace(' ', '_'))}", x) for x in pages] + [(f"{me}/history", "История"), (f"{me}/edit", "Редакция"), (f"{me}.pdf", "PDF"), (f"{me}.txt", "TXT"), (f"{base}/wiki/index", "Индекс"), (f"{base}/wiki/date_index", "По дата")]), p)
    if what == "repository" and p:
        if w.projects.index(p):
            return frame("Хранилище", "<p>Хранилището не е налично.</p>", p, 404)
        rest_ = tail[1:]
        if rest_[:1] == ["revisions"] and len(rest_) > 1:
            r = num(rest_[1])
            if not 0 < r <= 120:
                return frame("404", "<p>Няма ревизия.</p>", p, 404)
            if len(rest_) == 2:
                near = [(f"{base}/repository/revisions/{x}", t) for x, t in ((r - 1, "« Предишна"), (r + 1, "Следваща »")) if 0 < x <= 120]
                return frame(f"Ревизия {r}", say(Random(f"{asked.seed}rr{r}"), BG, 30) + lis([*near, (f"{base}/repository/revisions/{r}/diff", "Преглед на разликите"), (f"{base}/repository/revisions/{r}/show", "Файлове")]) + lis([issue(m) for m in w.kin[r]]), p)
            r_ = f"{base}/repository/revisions/{r}"
            f = "/".join(rest_[3:])
            return frame(f"{rest_[2]} {f}", say(Random(path), BG, 40) + lis([(f"{r_}/{v}/{f or x}", f"{v} {x}") for v in ("entry", "annotate", "changes", "raw", "diff") for x in (("src/a.rb", "src/b.rb", "lib/c.rb") if not f else (f.split("/")[-1],))] + [(f"{r_}/diff/{f}?type={t}", t) for t in ("inline", "sbs")]), p)
        at = max(num(query.get("page"), 1), 1)
        rows = [(f"{base}/repository/revisions/{r}", f"r{r}") for r in range(120 - at * 25 + 25, max(120 - at * 25, 0), -1)]
        return frame("Ревизии", lis(rows) + pager(at, 5, lambda k: f"{base}/repository/revisions" + (f"?page={k}" if k > 1 else ""), "Предишна", "Следваща") + lis([(f"{base}/repository/diff?rev={120 - k}&rev_to={115 - k}", "разлики") for k in range(5)] + [(f"{base}/repository/statistics", "Статистика"), (f"{base}/repository/revisions", "Всички ревизии")]), p)
    if what == "time_entries":
        ways = [a(q(path, *put(asked.pairs, **{k: v})), v) for k, vs in (("group_by", ("user", "activity", "spent_on")), ("columns", ("year", "month", "week", "day")), ("sort", ("spent_on:desc", "hours", "user")), ("spent_on", ("t", "w", "m", "lw", "y"))) for v in vs]
        return frame("Отделено време", lis(ways) + "<p class='nodata'>Няма данни за показване</p>", p)
    return frame("404", "<p>Страницата, която търсите, не съществува.</p>", status=404)


def rm_wanted(seed: int) -> set[str]:
    w = rm_world(seed)
    found = {"/", "/projects", "/news", "/issues", *(f"/issues/{n + 1}" for n in range(500)), *(f"/news/{k + 1}" for k in range(20)), *(f"/users/{u + 1}" for u in range(20)), *(f"/versions/{k + 1}" for k in range(18))}
    for k, p in enumerate(w.projects):
        b = f"/projects/{p}"
        opened = sum(1 for i in w.i if i[1] == k and not i[0])
        found |= {b, f"{b}/roadmap", f"{b}/news", f"{b}/wiki", f"{b}/issues", *(f"{b}/wiki/{quote(x.replace(' ', '_'))}" for x in w.wiki[p])}
        found |= {f"{b}/issues?page={x}" for x in range(2, (opened + 24) // 25 + 1)}
    b = f"/projects/{w.projects[0]}/repository"
    return found | {b, f"{b}/revisions", *(f"{b}/revisions?page={x}" for x in range(2, 6)), *(f"{b}/revisions/{r}" for r in range(1, 121))}


_RM_HONEST = re.compile(r"/|/(projects|news|issues|login)|/account/\w+|/(issues|news|users|versions)/\d+|/issues\?page=\d+|/search|/projects\.atom|/projects/[\w-]+(/(roadmap|news|wiki|issues(\?page=\d+)?|wiki/[^/?.]+|repository|repository/revisions(\?page=\d+|/\d+)?))?|/issues(/\d+)?\.\w+")
engine("redmine", rm_page, lambda url: not _RM_HONEST.fullmatch(rest(url)), rm_wanted)


# (13) CKAN, in Greek


@lru_cache(maxsize=4)
def ck_world(seed: int) -> SimpleNamespace:
    rng = Random(f"{seed}|ck")
    w = SimpleNamespace(titles=names(rng, EL[:160], 250, 5), orgs=names(rng, EL[:160], 18, 3), groups=names(rng, EL[:160], 10, 2), tags=rng.sample(EL[:160], 60))
    w.slug = [f"{slug(t)[:60]}" for t in w.titles]
    w.at = {s: n for n, s in enumerate(w.slug)}
    w.of = []
    for _n in range(250):
        w.of.append({"organization": [slug(w.orgs[rng.randrange(18)])], "groups": [slug(w.groups[g]) for g in rng.sample(range(10), rng.randint(0, 2))], "tags": rng.sample(w.tags, rng.randint(1, 4)), "res_format": rng.sample(["CSV", "JSON", "XLSX", "PDF", "XML", "SHP", "WMS"], rng.randint(1, 3)), "license_id": [rng.choice(("cc-by", "cc-zero", "odc-odbl", "notspecified"))]})
    w.res = [[uuid(seed, "ck", n, k) for k in range(len(w.of[n]["res_format"]))] for n in range(250)]
    w.off = set(rng.sample(range(250), 16))  # in search results of some facet only
    return w


def ck_page(asked: Asked) -> Answer | None:
    w = ck_world(asked.seed)
    path, query = asked.path, asked.query
    lang = ""
    if path.startswith(("/en/", "/el/")):
        lang, path = path[:3], path[3:]
    seg = [s for s in path.split("/") if s]

    def frame(title: str, body: str, status: int = 200) -> Answer:
        menu = [(f"{lang}/dataset/", "Σύνολα Δεδομένων"), (f"{lang}/organization/", "Φορείς"), (f"{lang}/group/", "Ομάδες"), (f"{lang}/about", "Σχετικά"), (q(f"{lang}/user/login", came_from=path) if seg[:2] != ["user", "login"] else f"{lang}/user/login", "Σύνδεση"), (f"{lang}/user/register", "Εγγραφή")]
        langs = [(f"/{x}{path}{'?' + urlsplit(asked.url).query if query else ''}", x) for x in ("en", "el")]
        return out(
            f'<!DOCTYPE html><html lang="el"><head><meta charset="utf-8"><meta name="csrf_field_name" content="_csrf_token"><meta name="_csrf_token" content="{token(80)}"><title>{esc(title)} - Ανοικτά Δεδομένα</title><meta name="generator" content="ckan 2.10.1"><script>var ckan={{"SITE_ROOT":"/"}};</script></head><body data-site-root="/"><header class="masthead">{lis(menu)}<form action="/dataset/"><input name="q"></form></header>'
            f'<div class="main"><h1>{esc(title)}</h1>{body}</div><footer class="site-footer">{lis([(f"{lang}/about", "Σχετικά"), ("http://docs.ckan.org/en/2.10/api/", "CKAN API"), *langs])}<p>{secs()}</p></footer></body></html>', status,
        )

    def item(n: int) -> str:
        return f"<div class='dataset-item'><h2>{a(f'{lang}/dataset/{w.slug[n]}', w.titles[n])}</h2><p>{say(Random(w.titles[n]), EL, 18)}</p>{' '.join(a(f'{lang}/dataset/{w.slug[n]}', f, 'class=label') for f in w.of[n]['res_format'])}</div>"

    def listing(some: list[int], title: str, me: str, head: str = "") -> Answer:
        chosen = [(k, v) for k, v in asked.pairs if k in ("organization", "groups", "tags", "res_format", "license_id")]
        some = [n for n in some if all(v in w.of[n][k] for k, v in chosen) and (chosen or n not in w.off)]
        sort = query.get("sort", "")
        if sort.startswith(("title", "metadata", "views")):
            some.sort(key=lambda n: w.titles[n] if sort[0] == "t" else hexa(n, sort[:5]), reverse="desc" in sort)
        elif chosen:
            some.sort(key=lambda n: n not in w.off)
        at = max(num(query.get("page"), 1), 1)
        facets = []
        for key in ("organization", "groups", "tags", "res_format", "license_id"):
            counts: dict[str, int] = {}
            for n in some:
                for v in w.of[n][key]:
                    counts[v] = counts.get(v, 0) + 1
            best = sorted(counts, key=lambda v: (-counts[v], v))
            if query.get(f"_{key}_limit") != "0":
                more = a(q(me, *put(asked.pairs, page=None), (f"_{key}_limit", 0)), "Εμφάνιση περισσότερων") if len(best) > 10 else ""
                best = best[:10]
            else:
                more = a(q(me, *put(asked.pairs, page=None, **{f"_{key}_limit": None})), "Μόνο δημοφιλή")
            kept = [x for x in asked.pairs if x[0] != "page"]
            facets.append(f"<section><h2>{key}</h2>{lis([a(q(me, *([p for p in kept if p != (key, v)] if (key, v) in kept else [*kept, (key, v)])), f'{v} ({counts[v]})') for v in best])}{more}</section>")
        sorts = [a(q(me, *put(asked.pairs, sort=s, page=None)), s) for s in ("score desc, metadata_modified desc", "title_string asc", "title_string desc", "metadata_modified desc", "views_recent desc")]
        page = pager(at, (len(some) + 19) // 20, lambda k: q(me, *put(asked.pairs, page=k if k > 1 else None)), "«", "»")
        return frame(title, f"{head}<h2>{len(some)} σύνολα δεδομένων βρέθηκαν</h2>{''.join(item(n) for n in some[at * 20 - 20 : at * 20]) or '<p>Παρακαλούμε δοκιμάστε άλλη αναζήτηση.</p>'}{page}{' '.join(sorts)}<aside>{''.join(facets)}</aside>")

    if not seg:
        return frame("Ανοικτά Δεδομένα", f"<p>{say(Random('ck'), EL, 40)}</p>{''.join(item(n) for n in range(5) if n not in w.off)}{' '.join(a(q(f'{lang}/dataset/', tags=t), t) for t in w.tags[:8])}")
    if seg[0] == "about":
        return frame("Σχετικά", paras(Random(f"{asked.seed}cka"), EL, 5))
    if seg[0] == "user":
        return frame("Σύνδεση", f'<form method="post"><input type="hidden" name="_csrf_token" value="{token(80)}"></form>{a(f"{lang}/user/reset", "Ξεχάσατε τον κωδικό;")}')
    if seg[0] == "api":
        return out(json.dumps({"success": True, "result": {"id": query.get("id", "")}}), kind="application/json;charset=utf-8")
    if seg[0] in ("organization", "group"):
        pool, key = (w.orgs, "organization") if seg[0] == "organization" else (w.groups, "groups")
        if len(seg) == 1:
            return frame("Φορείς" if key[0] == "o" else "Ομάδες", lis([(f"{lang}/{seg[0]}/{slug(t)}", t) for t in pool] + [(q(f"{lang}/{seg[0]}/", q="", sort=s), s) for s in ("title asc", "title desc")]))
        k = next((k for k, t in enumerate(pool) if slug(t) == seg[-1]), None)
        if k is None:
            return frame("404 Δεν βρέθηκε", "<p>Δεν βρέθηκε.</p>", 404)
        me = f"{lang}/{seg[0]}/{seg[-1]}"
        if len(seg) > 2:
            at = num(query.get("offset"))
            return frame(f"{seg[1]}: {pool[k]}", f"<p>Καμία δραστηριότητα</p>{a(q(path, offset=at + 20), 'Περισσότερα')}" + a(me, pool[k]))
        head = lis([(f"{lang}/{seg[0]}/activity/{seg[-1]}", "Ροή δραστηριοτήτων"), (f"{lang}/{seg[0]}/about/{seg[-1]}", "Σχετικά")])
        return listing([n for n in range(250) if seg[-1] in w.of[n][key]], pool[k], me, head + say(Random(pool[k]), EL, 20))
    if seg[0] == "dataset":
        if len(seg) == 1:
            return listing(list(range(250)), "Σύνολα Δεδομένων", f"{lang}/dataset/")
        if seg[1] in ("activity", "groups", "showcases") and len(seg) > 2 and seg[2] in w.at:
            at = num(query.get("offset"))
            n = w.at[seg[2]]
            told = [(f"{lang}/dataset/{seg[2]}?activity_id={uuid(n, at, k)}", "Προβολή έκδοσης") for k in range(5)] + [(f"{lang}/dataset/changes/{uuid(n, at, k)}", "Αλλαγές") for k in range(5)] if seg[1] == "activity" else [(f"{lang}/group/{g}", g) for g in w.of[n]["groups"]]
            return frame(f"{w.titles[n]}: {seg[1]}", lis([(f"{lang}/dataset/{seg[2]}", w.titles[n]), *told]) + (a(q(f"{lang}/dataset/activity/{seg[2]}", offset=at + 20), "Φόρτωση περισσότερων") if seg[1] == "activity" else ""))
        if seg[1] == "changes":
            return frame("Αλλαγές", f"<pre>{say(Random(path), EL, 20)}</pre>")
        name, _, kind = seg[1].partition(".")
        if name not in w.at:
            return frame("404 Δεν βρέθηκε", "<p>Το σύνολο δεδομένων δεν βρέθηκε.</p>", 404)
        n = w.at[name]
        if kind:
            return out("<rdf/>", kind="application/rdf+xml")
        me = f"{lang}/dataset/{name}"
        if len(seg) > 3 and seg[2] == "resource" and seg[3] in w.res[n]:
            k = w.res[n].index(seg[3])
            r = f"{me}/resource/{seg[3]}"
            if len(seg) > 4:
                if seg[4] == "download":
                    return out("a,b\n1,2", kind="text/csv")
                return frame("Προεπισκόπηση", lis([(r, "Πόρος")] + [(f"{r}/view/{uuid(seg[3], j)}", f"Όψη {j}") for j in range(2)]))
            ways = [(f"{r}/download/{name}.{w.of[n]['res_format'][k].lower()}", "Λήψη"), (f"{r}/view/{uuid(seg[3], 0)}", "Πλήρης οθόνη"), (f"{r}?view_id={uuid(seg[3], 1)}", "Πίνακας"), (f"/api/3/action/datastore_search?resource_id={seg[3]}&limit=5", "Data API"), (me, w.titles[n]), (f"/datastore/dump/{seg[3]}?bom=true", "dump")]
            return frame(f"{w.of[n]['res_format'][k]} {seg[3][:8]}", say(Random(f"{asked.seed}{seg[3]}"), EL, 50) + lis(ways))
        rng = Random(f"{asked.seed}|cd{n}")
        d = w.of[n]
        ways = [(f"{lang}/organization/{d['organization'][0]}", d["organization"][0]), *((f"{lang}/group/{g}", g) for g in d["groups"]), (f"{lang}/dataset/activity/{name}", "Ροή δραστηριοτήτων"), (f"{lang}/dataset/groups/{name}", "Ομάδες"), (f"/api/3/action/package_show?id={uuid(n)}", "JSON"), *((f"/dataset/{name}.{x}", x) for x in ("rdf", "ttl", "xml", "jsonld")), (f"https://twitter.com/share?url={path}", "Twitter")]
        ways += [(q(f"{lang}/dataset/", tags=t), t) for t in d["tags"]]
        return frame(w.titles[n], f"<div class='notes'>{say(rng, EL, 90)}</div>{lis([(f'{me}/resource/{r}', f) for r, f in zip(w.res[n], d['res_format'], strict=True)])}{lis(ways)}<p>Προβολές {count('ck')}</p>")
    return frame("404 Δεν βρέθηκε", "<p>Η σελίδα δεν βρέθηκε.</p>", 404)


def ck_wanted(seed: int) -> set[str]:
    w = ck_world(seed)
    found = {"/", "/about", "/dataset/", "/organization/", "/group/", *(f"/organization/{slug(t)}" for t in w.orgs), *(f"/group/{slug(t)}" for t in w.groups)}
    found |= {f"/dataset/?page={k}" for k in range(2, (250 - len(w.off) + 19) // 20 + 1)}
    for n, s in enumerate(w.slug):
        found |= {f"/dataset/{s}", *(f"/dataset/{s}/resource/{r}" for r in w.res[n])}
    for t in w.orgs:
        some = sum(1 for n in range(250) if slug(t) in w.of[n]["organization"] and n not in w.off)
        found |= {f"/organization/{slug(t)}?page={k}" for k in range(2, (some + 19) // 20 + 1)}
    for t in w.groups:
        some = sum(1 for n in range(250) if slug(t) in w.of[n]["groups"] and n not in w.off)
        found |= {f"/group/{slug(t)}?page={k}" for k in range(2, (some + 19) // 20 + 1)}
    return found


_CK_HONEST = re.compile(r"/|/about|/dataset/(\?page=\d+)?|/(organization|group)/([\w-]+(\?page=\d+)?)?|/dataset/[\w-]+|/dataset/[\w-]+/resource/[\w-]+(/download/.*|/view/[\w-]+)?|/dataset/[\w-]+\.\w+|/dataset/groups/[\w-]+|/user/\w+|/(api|datastore)/.*")
engine("ckan", ck_page, lambda url: not _CK_HONEST.fullmatch(rest(url)), ck_wanted)

# (14) Moodle, in Indonesian

MO = "http://eng-moodle.test"
MO_KINDS = ("page", "forum", "assign", "quiz", "resource", "glossary", "url", "page", "assign")


@lru_cache(maxsize=4)
def mo_world(seed: int) -> SimpleNamespace:
    rng = Random(f"{seed}|mo")
    w = SimpleNamespace(courses=names(rng, ID, 60, 4), cats=names(rng, ID, 6, 2), acts=[], of={c: [] for c in range(60)}, talks=[], words={}, due={}, stealth=set())
    for c in range(60):
        for k in range(rng.randint(6, 12)):
            kind = MO_KINDS[k % 9]
            m = len(w.acts)
            w.acts.append((c, kind, " ".join(rng.sample(ID, 3)).capitalize()))
            w.of[c].append(m)
            if kind in ("assign", "quiz"):
                w.due[m] = plus(NOW, rng.randint(-70, 75))
                if rng.random() < 0.25:
                    w.stealth.add(m)  # open, but not shown on its course's page
            if kind == "forum":
                for _ in range(rng.randint(1, 7)):
                    w.talks.append((m, " ".join(rng.sample(ID, 4)).capitalize(), rng.randint(1, 9)))
            if kind == "glossary":
                w.words[m] = sorted(rng.sample(ID[:190], 22))
    w.on = {}
    for m, d in w.due.items():
        w.on.setdefault(d, []).append(m)
    return w


def mo_page(asked: Asked) -> Answer | None:
    w = mo_world(asked.seed)
    seg, query, path = asked.segments, asked.query, asked.path
    key = token(10)

    def cm(m: int) -> str:
        return a(f"{MO}/mod/{w.acts[m][1]}/view.php?id={m + 100}", w.acts[m][2], f'class="aalink modtype_{w.acts[m][1]}"')

    def frame(title: str, body: str, course: int | None = None, status: int = 200) -> Answer:
        at = stamp(NOW)
        side = [(f"{MO}/calendar/view.php?view=month&time={at}" + (f"&course={course + 2}" if course is not None else ""), "Kalender"), (f"{MO}/calendar/view.php?view=upcoming" + (f"&course={course + 2}" if course is not None else ""), "Acara mendatang")]
        langs = [(q(MO + path, *put(asked.pairs, lang=x)), x) for x in ("en", "id")]
        return out(
            f'<!DOCTYPE html><html dir="ltr" lang="id"><head><title>{esc(title)} | Kampus Daring</title><meta name="keywords" content="moodle, {esc(title)}"><script>var M={{}};M.cfg={{"wwwroot":"{MO}","sesskey":"{key}","sessiontimeout":"7200"}};</script></head><body id="page-{path[1:].replace("/", "-")}" class="format-topics notloggedin"><nav class="navbar">{lis([(f"{MO}/", "Beranda"), (f"{MO}/course/index.php", "Kursus"), (f"{MO}/login/index.php", "Masuk"), *langs])}</nav>'
            f'<div id="page"><header><h1>{esc(title)}</h1></header><div role="main">{body}</div><aside>{lis(side)}</aside></div><footer id="page-footer">Anda sedang masuk sebagai tamu ({a(f"{MO}/login/index.php", "Masuk")}) {a(f"{MO}/admin/tool/dataprivacy/summary.php", "Ringkasan retensi data")} {a("https://download.moodle.org/mobile?version=2022112800", "Aplikasi")} <a href="{MO}/login/logout.php?sesskey={key}">Keluar</a></footer></body></html>', status,
        )

    if path in ("/", "/course/index.php"):
        cat = num(query.get("categoryid")) - 1
        if 0 <= cat < 6:
            return frame(w.cats[cat], lis([(f"{MO}/course/view.php?id={c + 2}", w.courses[c]) for c in range(cat, 60, 6)] + [(f"{MO}/course/info.php?id={c + 2}", "Ringkasan") for c in range(cat, 60, 6)]))
        return frame("Kampus Daring", f"<p>{say(Random('mo'), ID, 40)}</p>{lis([(f'{MO}/course/index.php?categoryid={k + 1}', t) for k, t in enumerate(w.cats)])}")
    if path in ("/course/view.php", "/course/info.php"):
        c = num(query.get("id")) - 2
        if not 0 <= c < 60:
            return frame("Kesalahan", "<p>Tidak dapat menemukan data kursus.</p>", status=404)
        if path.endswith("info.php"):
            return frame(w.courses[c], say(Random(f"{asked.seed}mi{c}"), ID, 40) + a(f"{MO}/course/view.php?id={c + 2}", w.courses[c]), c)
        people = lis([(f"{MO}/user/view.php?id={u}&course={c + 2}", f"Pengajar {u}") for u in (c + 3, c + 40)] + [(f"{MO}/user/index.php?id={c + 2}", "Peserta"), (f"{MO}/grade/report/index.php?id={c + 2}", "Nilai")])
        sections = lis([(f"{MO}/course/view.php?id={c + 2}&section={k}", f"Topik {k}") for k in range(1, 6)])
        return frame(w.courses[c], f"<p>{say(Random(f'{asked.seed}mc{c}'), ID, 60)}</p>{lis([cm(m) for m in w.of[c] if m not in w.stealth])}{sections}{people}", c)
    if seg[0] == "mod" and len(seg) == 3:
        kind, page = seg[1], seg[2]
        if (kind, page) == ("forum", "discuss.php"):
            d = num(query.get("d")) - 1
            if not 0 <= d < len(w.talks):
                return frame("Kesalahan", "<p>Diskusi tidak ada.</p>", status=404)
            m, t, posts = w.talks[d]
            c = w.acts[m][0]
            rng = Random(f"{asked.seed}|md{d}")
            told = ""
            for k in range(posts):
                pid, u = d * 20 + k, rng.randint(3, 200)
                more = [(f"{MO}/mod/forum/discuss.php?d={d + 1}#p{pid}", "Tautan permanen"), (f"{MO}/mod/forum/discuss.php?d={d + 1}&parent={pid}", "Lihat induk"), (f"{MO}/mod/forum/post.php?reply={pid}#mformforum", "Balas"), (f"{MO}/user/view.php?id={u}&course={c + 2}", f"Pengguna {u}")]
                told += f"<article id='p{pid}'><p>{say(rng, ID, 40)}</p>{lis(more)}</article>"
            ways = [(f"{MO}/mod/forum/discuss.php?d={d + 1}&mode={k}", t2) for k, t2 in ((1, "datar lama"), (-1, "datar baru"), (2, "berulir"), (3, "bersarang"))] + [(f"{MO}/mod/forum/discuss.php?d={x + 1}", w.talks[x][1]) for x in (d - 1, d + 1) if 0 <= x < len(w.talks) and w.talks[x][0] == m] + [(f"{MO}/mod/forum/export.php?id={m}&discids={d + 1}", "Ekspor"), (f"{MO}/mod/forum/subscribe.php?id={m}&d={d + 1}&sesskey={key}", "Langganan")]
            return frame(t, f"{lis(ways)}{told}{cm(m)}", c)
        if (kind, page) == ("glossary", "showentry.php"):
            m, k = divmod(num(query.get("eid")), 100)
            if m not in w.words or k >= len(w.words[m]):
                return frame("Kesalahan", "<p>Entri tidak ada.</p>", status=404)
            return frame(w.words[m][k], say(Random(f"{asked.seed}mg{m}.{k}"), ID, 30) + cm(m), w.acts[m][0])
        m = num(query.get("id")) - 100
        if page != "view.php" or not 0 <= m < len(w.acts) or w.acts[m][1] != kind:
            return move(f"{MO}/login/index.php", 303) if page in ("post.php", "subscribe.php", "export.php", "edit.php", "print.php") else frame("Kesalahan", "<p>ID modul kursus tidak valid.</p>", status=404)
        c, _, t = w.acts[m]
        near = [x for x in w.of[c] if x not in w.stealth]
        nav = lis([cm(x) for x in near if abs(x - m) == 1])
        body = paras(Random(f"{asked.seed}|ma{m}"), ID, 2)
        if kind == "forum":
            ds = [d for d, x in enumerate(w.talks) if x[0] == m]
            o = num(query.get("o"))
            ds.sort(key=lambda d: (w.talks[d][2] * o, d))
            body += lis([(f"{MO}/mod/forum/discuss.php?d={d + 1}", w.talks[d][1]) for d in ds] + [(f"{MO}/mod/forum/view.php?id={m + 100}&o={k}", f"urut {k}") for k in range(1, 9)] + [(f"{MO}/mod/forum/post.php?forum={m}", "Tambah")])
        elif kind == "glossary":
            words = list(enumerate(w.words[m]))
            mode, hook = query.get("mode", "letter"), query.get("hook", "ALL")
            if mode == "letter" and len(hook) == 1:
                words = [x for x in words if x[1].upper().startswith(hook)]
            at = num(query.get("page"))
            me = f"{MO}/mod/glossary/view.php"
            ways = [a(q(me, id=m + 100, mode="letter", hook=h, sortkey=query.get("sortkey", ""), sortorder=query.get("sortorder", ""), fullsearch=0, page=-1), h) for h in ("SPECIAL", *"ABCDEFGHIJKLMNOPQRSTUVWXYZ", "ALL")] + [a(q(me, id=m + 100, mode=x), x) for x in ("letter", "cat", "date", "author")] + [a(q(me, id=m + 100, mode=mode, hook=hook, sortkey=s, sortorder=o), f"{s} {o}") for s in ("UPDATE", "CREATION", "FIRSTNAME", "LASTNAME") for o in ("asc", "desc")]
            ways += [a(q(me, id=m + 100, mode=mode, hook=hook, sortkey=query.get("sortkey", ""), page=k), k + 1) for k in range((len(words) + 9) // 10)] + [a(f"{MO}/mod/glossary/print.php?id={m + 100}&mode={mode}&hook={hook}&offset=0", "Cetak")]
            body += " ".join(ways) + (lis([(f"{MO}/mod/glossary/showentry.php?eid={m * 100 + k}", x) for k, x in words[max(at, 0) * 10 : max(at, 0) * 10 + 10]]) or "<p>Tidak ada entri ditemukan di bagian ini</p>")
        elif kind in ("assign", "quiz"):
            d = w.due[m]
            body += f"<p>Batas waktu: {d}</p>" + lis([(f"{MO}/mod/{kind}/view.php?id={m + 100}&action=editsubmission", "Kirim"), (f"{MO}/calendar/view.php?view=day&time={stamp(d)}", str(d))])
        return frame(t, body + nav + a(f"{MO}/course/view.php?id={c + 2}", w.courses[c]), c)
    if path == "/calendar/view.php":
        t = min(max(num(query.get("time"), stamp(NOW)), 0), 4 * 10**9)
        day = datetime.fromtimestamp(t, timezone.utc).date()
        tail = [("course", query["course"])] if "course" in query else []
        c = num(query.get("course")) - 2

        def mine(ms: list[int]) -> list[int]:
            return [m for m in ms if c < 0 or w.acts[m][0] == c]

        view = query.get("view", "month")
        me = f"{MO}/calendar/view.php"
        if view == "month":
            cells = ""
            for week in weeks(day):
                cells += "<tr>" + "".join(f"<td>{a(q(me, ('view', 'day'), ('time', stamp(d)), *tail), d.day)}{lis([cm(m) for m in mine(w.on.get(d, []))[:4]])}</td>" if d.month == day.month else "<td></td>" for d in week) + "</tr>"
            ways = [a(q(me, ("view", "month"), ("time", stamp(months(day, k))), *tail), f"{MON['id'][months(day, k).month - 1]} {months(day, k).year}") for k in (-1, 1)]
            title, body = f"{MON['id'][day.month - 1]} {day.year}", f"<table class='calendarmonth'>{cells}</table>"
        else:
            some = mine(w.on.get(day, [])) if view == "day" else mine([m for k in range(21) for m in w.on.get(plus(NOW, k), [])])[:10]
            ways = [a(q(me, ("view", "day"), ("time", t + k * 86400), *tail), str(plus(day, k))) for k in (-1, 1)] if view == "day" else []
            title, body = str(day), lis([cm(m) for m in some]) or "<p>Tidak ada acara</p>"
        ways += [a(q(me, ("view", v), ("time", t), *tail), v) for v in ("month", "day", "upcoming")] + [a(q(f"{MO}/calendar/export.php", *tail), "Ekspor kalender"), a(q(f"{MO}/calendar/managesubscriptions.php", *tail), "Langganan")]
        return frame(f"Kalender: {title}", f"{lis(ways)}{body}")
    if path == "/admin/tool/dataprivacy/summary.php":
        return frame("Ringkasan retensi data", paras(Random("mod"), ID, 3))
    if path == "/login/index.php":
        return frame("Masuk", f'<form method="post"><input type="hidden" name="logintoken" value="{token()}"></form>{a(f"{MO}/login/forgot_password.php", "Lupa kata sandi?")}')
    if seg[0] in ("user", "grade", "calendar", "login"):
        return move(f"{MO}/login/index.php", 303)
    return frame("Kesalahan", "<p>Halaman tidak ditemukan.</p>", status=404)


def mo_wanted(seed: int) -> set[str]:
    w = mo_world(seed)
    found = {"/", "/course/index.php", "/admin/tool/dataprivacy/summary.php", *(f"/course/index.php?categoryid={k + 1}" for k in range(6)), *(f"/course/view.php?id={c + 2}" for c in range(60))}
    found |= {f"/mod/{k}/view.php?id={m + 100}" for m, (_, k, _) in enumerate(w.acts)} | {f"/mod/forum/discuss.php?d={d + 1}" for d in range(len(w.talks))}
    return found | {f"/mod/glossary/showentry.php?eid={m * 100 + k}" for m, x in w.words.items() for k in range(len(x))}


_MO_HONEST = re.compile(r"/|/course/index\.php(\?categoryid=\d+)?|/course/(view|info)\.php\?id=\d+|/mod/\w+/view\.php\?id=\d+|/mod/forum/discuss\.php\?d=\d+|/mod/glossary/showentry\.php\?eid=\d+|/admin/tool/dataprivacy/summary\.php|/login/\w+\.php")
engine("moodle", mo_page, lambda url: not _MO_HONEST.fullmatch(rest(url)), mo_wanted)


# (15) A municipality's ASP.NET site, in Hungarian

HU_KEEP = ("betu", "kontraszt", "nyelv")


@lru_cache(maxsize=4)
def as_world(seed: int) -> SimpleNamespace:
    rng = Random(f"{seed}|as")
    w = SimpleNamespace(news=names(rng, HU, 220, 6), dec=names(rng, HU, 600, 6), ev=names(rng, HU, 90, 4), pages=names(rng, HU, 14, 2))
    w.sit = sorted({plus(NOW, -rng.randrange(1500)) for _ in range(75)}, reverse=True)
    w.sit_of = [rng.randrange(len(w.sit)) for _ in range(600)]
    w.loose = set(rng.sample(range(600), 40))  # on no council meeting's page: found by search
    w.of = {k: [n for n in range(600) if w.sit_of[n] == k and n not in w.loose] for k in range(len(w.sit))}
    w.when = [plus(NOW, rng.randint(-150, 45)) for _ in range(90)]
    w.on = {}
    for n, d in enumerate(w.when):
        w.on.setdefault(d, []).append(n)
    return w


def as_page(asked: Asked) -> Answer | None:
    w = as_world(asked.seed)
    query = asked.query
    keep = [(k, v) for k, v in asked.pairs if k in HU_KEEP]
    path = asked.path

    def u(href: str) -> str:
        return href + ("&" if "?" in href else "?") + urlencode(keep) if keep else href

    lang = query.get("nyelv", "hu")

    def frame(title: str, body: str, status: int = 200) -> Answer:
        menu = [(u("/Default.aspx"), "Főoldal" if lang == "hu" else "Home"), (u("/Hirek.aspx"), "Hírek"), (u("/Testulet/Ulesek.aspx"), "Testületi ülések"), (u(f"/Esemenyek/Naptar.aspx?ev={NOW.year}&ho={NOW.month}"), "Eseménynaptár"), (u("/Hatarozatok/Kereso.aspx"), "Határozattár"), *((u(f"/Oldal.aspx?ID={k + 1}"), t) for k, t in enumerate(w.pages)), (u("/Oldalterkep.aspx"), "Oldaltérkép")]
        me = [(k, v) for k, v in asked.pairs if k != "nyomtat"]
        tools = [(q(path, *put(me, betu=k)), f"A{'+' * (k - 1)}") for k in (1, 2, 3)] + [(q(path, *put(me, kontraszt=int(query.get("kontraszt") != "1"))), "Nagy kontraszt")] + [(q(path, *put(me, nyelv=x)), x) for x in ("hu", "en", "de")] + [(q(path, *put(me, nyomtat=1)), "Nyomtatóbarát")]
        state = base64.b64encode(CHANCE.randbytes(90)).decode()
        mini = "".join("<tr>" + "".join(f"<td>{a(u(f'/Esemenyek/Nap.aspx?ev={d.year}&ho={d.month}&nap={d.day}'), d.day)}</td>" for d in week) + "</tr>" for week in weeks(NOW))
        head = f'<h2>{lis(menu, "menu")}</h2>' if "nyomtat" not in query else ""
        return out(
            f'<!DOCTYPE html><html lang="{esc(lang)}"><head><meta charset="utf-8"><title>{esc(title)} - Kisváros Önkormányzata</title><meta name="GENERATOR" content="Microsoft Visual Studio"><script>var theForm=document.forms["aspnetForm"];function __doPostBack(t,a){{}}</script></head><body class="betu{esc(query.get("betu", "1")[:3])}"><form method="post" action=".{escape(path)}" id="aspnetForm"><input type="hidden" name="__VIEWSTATE" value="{state}"><input type="hidden" name="__EVENTVALIDATION" value="{token(40)}">'
            f'<header><a href="{escape(u("/"))}"><img src="/cimer.png" alt="Címer"></a>{lis(tools, "eszkozok")}</header><nav>{head}</nav><div id="ctl00_ContentPlaceHolder1"><h1>{esc(title)}</h1>{body}</div><aside><table>{mini}</table>{lis([(u("/Kereso.aspx?q=" + quote(x)), x) for x in ("lakás", "pályázat", "rendelet")])}</aside>'
            f'</form><footer>Látogatók száma: {count("as")} | {a(u("/Impresszum.aspx"), "Impresszum")} | {a(u("/Adatvedelem.aspx"), "Adatvédelem")}</footer></body></html>', status,
        )

    def page(at: int, last: int, link: Callable[[int], str]) -> str:
        return pager(at, last, lambda k: u(link(k)), "Előző", "Következő")

    n = num(query.get("ID")) - 1
    at = max(num(query.get("lap"), 1), 1)
    if path in ("/", "/Default.aspx"):
        return frame("Kisváros", f"<p>{say(Random('as'), HU, 40)}</p>{lis([(u(f'/Hir.aspx?ID={k + 1}'), w.news[k]) for k in range(10)])}")
    if path in ("/Impresszum.aspx", "/Adatvedelem.aspx"):
        return frame(path[1:-5], paras(Random(path), HU, 5))
    if path == "/Oldalterkep.aspx":
        return frame("Oldaltérkép", lis([(u(f"/Oldal.aspx?ID={k + 1}"), t) for k, t in enumerate(w.pages)]))
    if path == "/Hirek.aspx":
        return frame("Hírek", lis([(u(f"/Hir.aspx?ID={k + 1}"), w.news[k]) for k in range(at * 15 - 15, min(at * 15, 220))]) + page(at, 15, lambda k: "/Hirek.aspx" + (f"?lap={k}" if k > 1 else "")))
    if path == "/Hir.aspx" and 0 <= n < 220:
        return frame(w.news[n], paras(Random(f"{asked.seed}ah{n}"), HU, 3) + lis([(u(f"/Hir.aspx?ID={k + 1}"), w.news[k]) for k in (n - 1, n + 1) if 0 <= k < 220]) + a(f"https://www.facebook.com/sharer.php?u={quote(path)}", "Megosztás"))
    if path == "/Oldal.aspx" and 0 <= n < 14:
        return frame(w.pages[n], paras(Random(f"{asked.seed}ao{n}"), HU, 5))
    if path == "/Testulet/Ulesek.aspx":
        return frame("Testületi ülések", lis([(u(f"/Testulet/Ules.aspx?datum={d}"), f"{d:%Y.%m.%d.}") for d in w.sit]) + a("javascript:__doPostBack('ctl00$GridView1','Sort$Datum')", "Dátum"))
    if path == "/Testulet/Ules.aspx":
        d = iso(query.get("datum"))
        if d not in w.sit:
            return frame("Ülés", "<p>Ezen a napon nem volt testületi ülés.</p>")
        return frame(f"Ülés: {d:%Y.%m.%d.}", say(Random(str(d)), HU, 40) + lis([(u(f"/Hatarozatok/Hatarozat.aspx?ID={k + 1}"), w.dec[k]) for k in w.of[w.sit.index(d)]]) + a(u(f"/Testulet/Jegyzokonyv.pdf?datum={d}"), "Jegyzőkönyv"))
    if path == "/Testulet/Jegyzokonyv.pdf":
        return out("%PDF-1.4", kind="application/pdf")
    if path == "/Hatarozatok/Hatarozat.aspx" and 0 <= n < 600:
        d = w.sit[w.sit_of[n]]
        return frame(f"{n + 1}/{d.year}. határozat", f"<h3>{w.dec[n]}</h3>{paras(Random(f'{asked.seed}ad{n}'), HU, 2)}{a(u(f'/Testulet/Ules.aspx?datum={d}'), d)} {a(u(f'/Hatarozatok/Kereso.aspx?ev={d.year}'), d.year)}")
    if path in ("/Hatarozatok/Kereso.aspx", "/Kereso.aspx"):
        some = [k for k in range(600) if ("ev" not in query or str(w.sit[w.sit_of[k]].year) == query["ev"]) and ("tipus" not in query or str(k % 4) == query["tipus"]) and query.get("q", "").lower() in w.dec[k].lower()]
        sort = query.get("rendez", "")
        some.sort(key=lambda k: w.dec[k] if sort == "cim" else w.sit[w.sit_of[k]].toordinal() if sort == "datum" else k + 1_000 * (k not in w.loose))
        if query.get("irany") == "csokkeno":
            some.reverse()
        kept = [x for x in asked.pairs if x[0] not in HU_KEEP and x[0] not in ("lap", "nyomtat")]
        ways = [(u(q(path, *put(kept, ev=y))), y) for y in range(2027, 2004, -1)] + [(u(q(path, *put(kept, tipus=k))), t) for k, t in enumerate(("határozat", "rendelet", "bizottsági", "polgármesteri"))] + [(u(q(path, *put(kept, rendez=r, irany=i))), f"{r} {i}") for r in ("cim", "datum", "szam") for i in ("novekvo", "csokkeno")]
        per = min(max(num(query.get("db"), 20), 1), 100)
        ways += [(u(q(path, *put(kept, db=k))), f"{k} találat") for k in (10, 20, 50, 100)]
        told = lis([(u(f"/Hatarozatok/Hatarozat.aspx?ID={k + 1}"), w.dec[k]) for k in some[at * per - per : at * per]])
        return frame("Keresés", f'{lis(ways)}<p>{len(some)} találat</p>{told or "<p>Nincs a keresésnek megfelelő találat.</p>"}{page(at, (len(some) + per - 1) // per, lambda k: q(path, *put(kept, lap=k if k > 1 else None)))}')
    if path == "/Esemenyek/Esemeny.aspx" and 0 <= n < 90:
        return frame(w.ev[n], f"<p>{w.when[n]:%Y.%m.%d.}</p>{paras(Random(f'{asked.seed}ae{n}'), HU, 2)}{a(u(f'/Esemenyek/Naptar.aspx?ev={w.when[n].year}&ho={w.when[n].month}'), 'Naptár')}")
    if path == "/Esemenyek/Naptar.aspx":
        d = ymd(query.get("ev", "2026"), query.get("ho", "1")) or NOW
        rows = "".join("<tr>" + "".join(f"<td>{a(u(f'/Esemenyek/Nap.aspx?ev={x.year}&ho={x.month}&nap={x.day}'), x.day)}{lis([(u(f'/Esemenyek/Esemeny.aspx?ID={k + 1}'), w.ev[k]) for k in w.on.get(x, [])])}</td>" for x in week) + "</tr>" for week in weeks(d))
        ways = [(u(f"/Esemenyek/Naptar.aspx?ev={x.year}&ho={x.month}"), f"{x.year}. {MON['hu'][x.month - 1]}") for x in (months(d, -1), months(d, 1), months(d, -12), months(d, 12))] + [(u(f"/Esemenyek/Naptar.aspx?ev={d.year}&ho={k}"), MON["hu"][k - 1]) for k in range(1, 13)]
        return frame(f"{d.year}. {MON['hu'][d.month - 1]}", f"{lis(ways)}<table>{rows}</table>")
    if path == "/Esemenyek/Nap.aspx":
        d = ymd(query.get("ev", "x"), query.get("ho", "1"), query.get("nap", "1")) or NOW
        ways = [(u(f"/Esemenyek/Nap.aspx?ev={x.year}&ho={x.month}&nap={x.day}"), f"{x:%Y.%m.%d.}") for x in (plus(d, -1), plus(d, 1))] + [(u(f"/Esemenyek/Naptar.aspx?ev={y}&ho={d.month}"), y) for y in range(d.year - 3, d.year + 4)]
        return frame(f"{d:%Y.%m.%d.}", (lis([(u(f"/Esemenyek/Esemeny.aspx?ID={k + 1}"), w.ev[k]) for k in w.on.get(d, [])]) or "<p>Ezen a napon nincs esemény.</p>") + lis(ways))
    return frame("A keresett oldal nem található", "<p>Elnézést kérünk, a keresett oldal nem található.</p>")


def as_wanted(seed: int) -> set[str]:
    w = as_world(seed)
    found = {"/", "/Hirek.aspx", "/Testulet/Ulesek.aspx", "/Impresszum.aspx", "/Adatvedelem.aspx", "/Oldalterkep.aspx", *(f"/Hirek.aspx?lap={k}" for k in range(2, 16)), *(f"/Hir.aspx?ID={k + 1}" for k in range(220)), *(f"/Oldal.aspx?ID={k + 1}" for k in range(14))}
    return found | {f"/Testulet/Ules.aspx?datum={d}" for d in w.sit} | {f"/Hatarozatok/Hatarozat.aspx?ID={k + 1}" for k in range(600)} | {f"/Esemenyek/Esemeny.aspx?ID={k + 1}" for k in range(90)}


_AS_HONEST = re.compile(r"/|/(Default|Impresszum|Adatvedelem|Oldalterkep)\.aspx|/Hirek\.aspx(\?lap=\d+)?|/(Hir|Oldal|Hatarozatok/Hatarozat|Esemenyek/Esemeny)\.aspx\?ID=\d+|/Testulet/(Ulesek\.aspx|Ules\.aspx\?datum=[\d-]+|Jegyzokonyv\.pdf\?datum=[\d-]+)")
engine("varos", as_page, lambda url: not _AS_HONEST.fullmatch(rest(url)), as_wanted)

# (16) A hotel booking site, in Vietnamese

HO_KEEP = ("currency", "lang")
HO_CITIES = ("Hà Nội", "Đà Nẵng", "Hội An", "Nha Trang", "Đà Lạt", "Sài Gòn", "Huế", "Phú Quốc", "Sa Pa", "Hạ Long")


@lru_cache(maxsize=4)
def ho_world(seed: int) -> SimpleNamespace:
    rng = Random(f"{seed}|ho")
    w = SimpleNamespace(titles=["Khách sạn " + t for t in names(rng, VI[40:180], 200, 4)], guides=names(rng, VI, 50, 5))
    w.key = [f"{slug(t)}-{n}" for n, t in enumerate(w.titles)]
    w.at = {k: n for n, k in enumerate(w.key)}
    w.city = [rng.randrange(10) for _ in range(200)]
    w.stars = [rng.randint(1, 5) for _ in range(200)]
    w.has = [set(rng.sample(range(8), rng.randint(2, 6))) for _ in range(200)]
    w.price = [rng.randint(3, 60) * 50_000 for _ in range(200)]
    w.reviews = [rng.choice((0, 4, 9, 15, 26, 38)) for _ in range(200)]
    w.partner = set(rng.sample(range(200), 14))  # listed for chosen dates only
    w.guide_key = [f"{slug(t)}" for t in w.guides]
    return w


HO_HAS = ("wifi", "ho-boi", "spa", "bai-do-xe", "bua-sang", "phong-gym", "thu-cung", "nha-hang")


def ho_page(asked: Asked) -> Answer | None:
    w = ho_world(asked.seed)
    query, path, seg = asked.query, asked.path, asked.segments
    keep = [(k, v) for k, v in asked.pairs if k in HO_KEEP]
    stay = [(k, query[k]) for k in ("checkin", "checkout", "adults", "children", "rooms") if k in query]
    rate, sign = {"USD": (25_000, "$"), "EUR": (27_000, "€")}.get(query.get("currency", ""), (1, "₫"))
    tomorrow = NOW

    def u(href: str, *more: tuple[str, object]) -> str:
        told = [*more, *keep]
        return href + (("&" if "?" in href else "?") + urlencode(told) if told else "")

    def frame(title: str, body: str, status: int = 200) -> Answer:
        menu = [(u("/"), "Trang chủ"), *((u(f"/khach-san-tai/{slug(c)}"), c) for c in HO_CITIES), (u("/cam-nang"), "Cẩm nang"), (u("/dang-nhap", ("next", path)), "Đăng nhập"), (u("/ve-chung-toi"), "Về chúng tôi"), (u("/uu-dai"), "Ưu đãi")]
        sw = [(q(path, *put(asked.pairs, currency=c)), c) for c in ("VND", "USD", "EUR", "JPY")] + [(q(path, *put(asked.pairs, lang=x)), x) for x in ("vi", "en", "ko")]
        return out(
            f'<!DOCTYPE html><html lang="vi"><head><meta charset="utf-8"><title>{esc(title)} | Đặt phòng</title><script>window.__STATE__={{"session":"{token()}","now":"{secs()}","viewers":{CHANCE.randint(2, 40)}}};</script></head><body><header><nav>{lis(menu)}</nav>{lis(sw, "switch")}<form action="/tim-kiem" method="get"><input name="diem-den"><input name="checkin"></form></header>'
            f'<main><h1>{esc(title)}</h1>{body}</main><footer>{lis([(u("/dieu-khoan"), "Điều khoản"), (u("/bao-mat"), "Bảo mật"), (u("/lien-he"), "Liên hệ")])}<p>{CHANCE.randint(3, 60)} người đang xem</p></footer></body></html>', status,
        )

    def cost(n: int) -> str:
        return f"{w.price[n] / rate:,.0f} {sign}"

    def hotel(n: int) -> str:
        return f'<div class="card"><img src="/img/{n}.jpg" alt=""><h3>{a(u(f"/khach-san/{w.key[n]}", *stay), w.titles[n])}</h3><p>{w.stars[n]}★ {cost(n)}</p>{a(u(f"/khach-san/{w.key[n]}/danh-gia"), "Đánh giá")} {a(u(f"/yeu-thich/them/{n}", ("next", path)), "♥")}</div>'

    docs = ("/ve-chung-toi", "/dieu-khoan", "/bao-mat", "/lien-he")
    if path in docs:
        return frame(path[1:].replace("-", " "), paras(Random(f"{asked.seed}{path}"), VI, 5))
    if path in ("/dang-nhap",) or seg[:1] == ["yeu-thich"] or seg[:1] == ["dat-phong"]:
        return frame("Đăng nhập", f'<form method="post"><input type="hidden" name="csrf" value="{token()}"><input name="email"></form>')
    if path == "/":
        shown = CHANCE.sample([n for n in range(200) if n not in w.partner], 6)
        return frame("Đặt phòng khách sạn", f"<p>{say(Random('ho'), VI, 40)}</p>{''.join(map(hotel, shown))}{lis([(u(f'/cam-nang/{k}'), t) for k, t in list(zip(w.guide_key, w.guides, strict=True))[:6]])}")
    if path == "/uu-dai":
        days = [plus(tomorrow, k) for k in (1, 6, 13, 20)]
        return frame("Ưu đãi cuối tuần", lis([(u(f"/khach-san-tai/{slug(c)}", ("checkin", d), ("checkout", plus(d, 2)), ("adults", 2), ("rooms", 1)), f"{c} {d}") for c in HO_CITIES for d in days]))
    if seg[0] == "cam-nang":
        if len(seg) == 1:
            at = max(num(query.get("page"), 1), 1)
            return frame("Cẩm nang", lis([(u(f"/cam-nang/{w.guide_key[k]}"), w.guides[k]) for k in range(at * 12 - 12, min(at * 12, 50))]) + pager(at, 5, lambda k: u("/cam-nang", *([("page", k)] if k > 1 else [])), "Trước", "Sau"))
        if seg[1] in w.guide_key:
            k = w.guide_key.index(seg[1])
            near = [n for n in range(200) if n % 50 == k and n not in w.partner]
            return frame(w.guides[k], paras(Random(f"{asked.seed}hg{k}"), VI, 5) + "".join(map(hotel, near)))
    if seg[0] == "khach-san-tai" and len(seg) == 2:
        c = next((k for k, t in enumerate(HO_CITIES) if slug(t) == seg[1]), None)
        if c is None:
            return frame("Không tìm thấy", "<p>Không tìm thấy.</p>", 404)
        dated = iso(query.get("checkin")) is not None
        some = [n for n in range(200) if w.city[n] == c and (dated or n not in w.partner)]
        has = [HO_HAS.index(x) for x in query.get("tien-nghi", "").split(",") if x in HO_HAS]
        if "sao" in query:
            some = [n for n in some if str(w.stars[n]) in query["sao"].split(",")]
        some = [n for n in some if set(has) <= w.has[n]]
        if dated:  # what is free differs by the dates
            some = [n for n in some if n in w.partner or hexa(n, query["checkin"], length=1) > "3"]
        sort = query.get("sort", "")
        some.sort(key=lambda n: {"gia": w.price[n], "sao": -w.stars[n], "diem": -w.reviews[n]}.get(sort, n not in w.partner))
        at = max(num(query.get("page"), 1), 1)
        me = f"/khach-san-tai/{seg[1]}"
        kept = [x for x in asked.pairs if x[0] != "page"]

        def vary(**new: object) -> str:
            return q(me, *put(kept, **new))

        ways = [a(vary(sort=s), s) for s in ("gia", "sao", "diem", "khoang-cach")] + [a(vary(sao=k), f"{k} sao") for k in range(1, 6)]
        ways += [a(vary(**{"tien-nghi": ",".join(HO_HAS[y] for y in sorted({*has} ^ {x})) or None}), HO_HAS[x]) for x in range(8)] + [a(vary(gia=f"{k}-{k + 500}"), f"{k}k") for k in (0, 500, 1000, 1500)]
        start = iso(query.get("checkin")) or tomorrow
        ways += [a(vary(checkin=plus(start, k), checkout=plus(start, k + m), adults=query.get("adults", 2), rooms=query.get("rooms", 1)), f"{plus(start, k)} {m} đêm") for k, m in ((-1, 1), (1, 1), (1, 2), (7, 2), (30, 3))] if dated else []
        ways += [a(vary(adults=k), f"{k} khách") for k in (1, 2, 3, 4)] + [a(vary(rooms=k), f"{k} phòng") for k in (1, 2, 3)] if dated else []
        page = pager(at, (len(some) + 9) // 10, lambda k: q(me, *put(kept, page=k if k > 1 else None)), "Trước", "Sau")
        tile = a(u(f"/ban-do/12/{3200 + c * 7}/{1800 + c * 5}"), "Xem bản đồ")
        return frame(f"Khách sạn tại {HO_CITIES[c]}", f"<div>{' '.join(ways)}</div>{tile}{''.join(map(hotel, some[at * 10 - 10 : at * 10])) or '<p>Rất tiếc, không còn phòng trống cho lựa chọn của bạn.</p>'}{page}")
    if seg[0] == "ban-do" and len(seg) == 4:
        z, x, y = (min(max(num(s), 0), 10**6) for s in seg[1:])
        ways = [(f"/ban-do/{z}/{x + i}/{y + j}", t) for i, j, t in ((-1, 0, "Tây"), (1, 0, "Đông"), (0, -1, "Bắc"), (0, 1, "Nam"))] + [(f"/ban-do/{z + 1}/{x * 2}/{y * 2}", "+"), (f"/ban-do/{max(z - 1, 1)}/{x // 2}/{y // 2}", "−")]
        some = [n for n in range(200) if n not in w.partner and (n * 31) % 97 == (x + y) % 97] if z == 12 else []
        return frame("Bản đồ", lis([(u(h), t) for h, t in ways]) + ("".join(map(hotel, some[:4])) or "<p>Không có khách sạn trong khu vực này.</p>"))
    if seg[0] == "tim-kiem":
        return frame("Tìm kiếm", "<p>Không tìm thấy kết quả phù hợp.</p>")
    if seg[0] == "khach-san" and len(seg) >= 2 and seg[1] in w.at:
        n = w.at[seg[1]]
        me = f"/khach-san/{w.key[n]}"
        if len(seg) == 2:
            start = iso(query.get("checkin")) or plus(tomorrow, 1)
            ways = [(q(me, *put([*stay, *keep], checkin=plus(start, k), checkout=plus(start, k + m), adults=g, rooms=r)), f"{plus(start, k)} {m} đêm {g} khách") for k, m, g, r in ((-1, 1, 2, 1), (1, 1, 2, 1), (1, 2, 2, 1), (7, 1, 2, 1), (0, 3, 4, 2), (0, 1, 1, 1))]
            rooms = "".join(f"<li>{a(u(f'{me}/phong/{k}'), f'Phòng loại {k}')} {cost(n)} {a(u(f'/dat-phong/{n}/{k}', *stay), 'Đặt ngay')}</li>" for k in range(1, 3 + n % 2))
            near = [x for x in range(200) if w.city[x] == w.city[n] and x not in w.partner]
            free = f"<p>Còn {CHANCE.randint(1, 9)} phòng</p>" if not stay or hexa(n, stay, length=1) > "3" else "<p>Hết phòng cho ngày đã chọn.</p>"
            more = [(u(f"{me}/lich-gia", ("thang", f"{NOW:%Y-%m}")), "Lịch giá"), (u(f"/khach-san-tai/{slug(HO_CITIES[w.city[n]])}"), HO_CITIES[w.city[n]]), (u(f"/ban-do/15/{n * 37 % 5000}/{n * 91 % 5000}"), "Bản đồ"), (u(f"{me}/danh-gia"), "Đánh giá")]
            return frame(w.titles[n], f"<img src='/img/{n}.jpg' alt=''><p>{say(Random(f'{asked.seed}hk{n}'), VI, 90)}</p><p>{', '.join(HO_HAS[x] for x in sorted(w.has[n]))}</p>{free}<ul>{rooms}</ul>{lis(ways)}{lis(more)}{''.join(map(hotel, CHANCE.sample(near, min(3, len(near)))))}")
        if seg[2] == "phong" and len(seg) == 4 and 1 <= num(seg[3]) < 3 + n % 2:
            return frame(f"Phòng loại {seg[3]} - {w.titles[n]}", say(Random(f"{asked.seed}hp{n}.{seg[3]}"), VI, 60) + a(u(me), w.titles[n]))
        if seg[2] == "danh-gia":
            at = max(num(query.get("page"), 1), 1)
            some = range(at * 10 - 10, min(at * 10, w.reviews[n]))
            sorts = [(u(f"{me}/danh-gia", ("sap-xep", s)), s) for s in ("moi-nhat", "cao-nhat", "thap-nhat")] + [(u(f"{me}/danh-gia", ("loai", s)), s) for s in ("gia-dinh", "cap-doi", "cong-tac", "mot-minh")]
            told = "".join(f"<div><p>{say(Random(f'{asked.seed}hr{n}.{k}'), VI, 30)}</p>{a(u(f'{me}/danh-gia/{k}/huu-ich'), 'Hữu ích')}</div>" for k in some) if len(seg) == 3 else ""
            kept = [x for x in asked.pairs if x[0] in ("sap-xep", "loai")]
            return frame(f"Đánh giá {w.titles[n]}", f"{told or '<p>Chưa có đánh giá.</p>'}{lis(sorts)}{pager(at, (w.reviews[n] + 9) // 10, lambda k: u(f'{me}/danh-gia', *kept, *([('page', k)] if k > 1 else [])), 'Trước', 'Sau')}{a(u(me), w.titles[n])}")
        if seg[2] == "lich-gia":
            d = iso(query.get("thang", "")[:7] + "-01") or NOW
            cells = "".join("<tr>" + "".join(f"<td>{a(u(me, ('checkin', x), ('checkout', plus(x, 1)), ('adults', 2), ('rooms', 1)), x.day)} {w.price[n] * (10 + x.weekday()) // 10 // rate}</td>" for x in week if x.month == d.month) + "</tr>" for week in weeks(d))
            ways = [(u(f"{me}/lich-gia", ("thang", f"{months(d, k):%Y-%m}")), f"Tháng {months(d, k).month}/{months(d, k).year}") for k in (-1, 1)]
            return frame(f"Lịch giá tháng {d.month}/{d.year}", f"<table>{cells}</table>{lis(ways)}")
    return frame("Không tìm thấy trang", "<p>Trang bạn tìm không tồn tại.</p>", 404)


def ho_wanted(seed: int) -> set[str]:
    w = ho_world(seed)
    found = {"/", "/cam-nang", "/uu-dai", "/ve-chung-toi", "/dieu-khoan", "/bao-mat", "/lien-he", *(f"/cam-nang?page={k}" for k in range(2, 6)), *(f"/cam-nang/{k}" for k in w.guide_key)}
    for n, k in enumerate(w.key):
        found |= {f"/khach-san/{k}", *(f"/khach-san/{k}/phong/{r}" for r in range(1, 3 + n % 2)), f"/khach-san/{k}/danh-gia", *(f"/khach-san/{k}/danh-gia?page={p}" for p in range(2, (w.reviews[n] + 9) // 10 + 1))}
    for c in range(10):
        some = sum(1 for n in range(200) if w.city[n] == c and n not in w.partner)
        found |= {f"/khach-san-tai/{slug(HO_CITIES[c])}" + (f"?page={p}" if p > 1 else "") for p in range(1, max((some + 9) // 10, 1) + 1)}
    return found


_HO_HONEST = re.compile(r"/|/(uu-dai|ve-chung-toi|dieu-khoan|bao-mat|lien-he)|/cam-nang(\?page=\d+|/[\w-]+)?|/khach-san-tai/[\w-]+(\?page=\d+)?|/khach-san/[\w-]+(/phong/\d+|/danh-gia(\?page=\d+)?)?")
engine("khachsan", ho_page, lambda url: not _HO_HONEST.fullmatch(rest(url)), ho_wanted)

"""What the sites of a guest are made of: words of many languages, markup, and a site as a dictionary of its pages."""

# ruff: noqa: RUF001, E501 - other alphabets, and the words of a language in one line

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from html import escape
from random import Random
from urllib.parse import parse_qsl, quote, unquote, urljoin, urlsplit

from _zoo import HTML, Answer, Asked, Site

Made = str | Answer
Key = tuple[str, str, tuple[tuple[str, str], ...]]
Build = Callable[["Building"], None]
Page = Callable[[Asked], "Made | None"]


class Lang:
    """Words of a language, with many more that look like them."""

    def __init__(self, code: str, words: str, sep: str = " ", stop: str = ".", order: int = 2) -> None:
        self.code, self.sep, self.stop = code, sep, stop
        self.base = words.split()
        rng = Random(code)
        chain: dict[str, list[str]] = defaultdict(list)
        for word in self.base:
            padded = "^" * order + word + "$"
            for i in range(len(padded) - order):
                for back in range(1, order + 1):
                    chain[padded[i + order - back : i + order]].append(padded[i + order])
        made = set()
        for _ in range(5_000):
            word, past = "", "^" * order
            while len(word) < 14:
                state = past if rng.random() < 0.7 else past[-1:]
                letter = rng.choice(chain[state])
                if letter == "$":
                    break
                word += letter
                past = (past + letter)[-order:]
            if 1 < len(word) < 13:
                made.add(word)
        self.made = sorted(made)
        rng.shuffle(self.made)
        self.made = self.made[:900] or self.base

    def w(self, rng: Random) -> str:
        """A word; the first ones come more often."""
        of = self.base if rng.random() < 0.6 else self.made
        return of[int(len(of) * rng.random() ** 1.7)]

    def rare(self, rng: Random) -> str:
        """A word that only looks like one."""
        return rng.choice(self.made)

    def name(self, rng: Random, n: int = 2) -> str:
        return " ".join(self.rare(rng).capitalize() for _ in range(n))

    def title(self, rng: Random, n: int = 4) -> str:
        text = self.sep.join(self.w(rng) for _ in range(n))
        return text[:1].upper() + text[1:]

    def sent(self, rng: Random) -> str:
        words = [self.w(rng) for _ in range(rng.randrange(5, 19))]
        if len(words) > 9 and self.sep == " ":
            words[len(words) // 2] += ","
        text = self.sep.join(words)
        return text[:1].upper() + text[1:] + self.stop

    def prose(self, rng: Random, n: int = 5) -> str:
        return " ".join(self.sent(rng) for _ in range(n))

    def paras(self, rng: Random, n: int = 3) -> str:
        return "".join(f"<p>{self.prose(rng, rng.randrange(2, 6))}</p>\n" for _ in range(n))


def slug(text: str) -> str:
    return "-".join(text.lower().split())


def q(text: str) -> str:
    return quote(text, safe="/:;=,@~!$*()")


def encoded(href: str) -> str:
    """As it is but for what is not ASCII, so that a page has one spelling with every client."""
    return quote(href, safe="%/:;=,@~!$*()?&+.-_#[]'")


def a(href: str, text: object, more: str = "") -> str:
    return f'<a{more} href="{escape(encoded(href))}">{escape(str(text))}</a>'


def table(rows: Iterable[Iterable[object]], head: Sequence[object] = ()) -> str:
    top = "<tr>" + "".join(f"<th>{cell}</th>" for cell in head) + "</tr>" if head else ""
    body = "".join("<tr>" + "".join(f"<td>{cell}</td>" for cell in row) + "</tr>" for row in rows)
    return f"<table>{top}{body}</table>"


def ul(items: Iterable[object]) -> str:
    return "<ul>" + "".join(f"<li>{item}</li>" for item in items) + "</ul>"


def doc(lang: str, title: str, body: str, head: str = "", rtl: bool = False) -> str:
    turn = " dir=rtl" if rtl else ""
    return (
        f"<!DOCTYPE html><html lang={lang}{turn}><head><meta charset=utf-8><title>{title}</title>{head}</head>"
        f"<body>{body}</body></html>"
    )


def plain(text: str, kind: str = "text/plain; charset=utf-8") -> Answer:
    return Answer(200, {"Content-Type": kind}, text.encode())


def moved(to: str, status: int = 302) -> Answer:
    return Answer(status, {"Location": encoded(to)}, b"")


def answer(made: Made) -> Answer:
    return Answer(200, HTML, made.encode()) if isinstance(made, str) else made


def key(url: str) -> Key:
    """What a page is known by: its query may be in any order."""
    parts = urlsplit(url)
    pairs = sorted(parse_qsl(parts.query, keep_blank_values=True))
    return (parts.hostname or "", unquote(parts.path or "/"), tuple(pairs))


class Building:
    """A site while its pages are put together. Each is made when it is asked for."""

    def __init__(self, name: str, seed: int) -> None:
        self.name, self.seed, self.home = name, seed, f"http://{name}.test/"
        self.pages: dict[Key, tuple[Callable[..., Made], tuple[object, ...]]] = {}

    def put(self, url: str, make: Callable[..., Made], *args: object) -> None:
        self.pages[key(urljoin(self.home, url))] = (make, args)

    def of(self, *what: object) -> Random:
        """A generator that depends on `what`, the site and the seed."""
        return Random(f"{self.seed}|{self.name}|{what}")


def honest(among: list[Site], *, varies: bool = False) -> Callable[[Build], Build]:
    """Register a finite site, whose name is that of the function which puts its pages together."""

    def register(build: Build) -> Build:
        name = build.__name__.replace("_", "-")

        @lru_cache(maxsize=4)
        def pages(seed: int) -> dict[Key, tuple[Callable[..., Made], tuple[object, ...]]]:
            building = Building(name, seed)
            build(building)
            return building.pages

        def page(asked: Asked) -> Answer | None:
            at = key(asked.url)
            found = pages(asked.seed).get(at)
            if found is None:
                return None
            make, args = found
            return answer(make(Random(f"{asked.seed}|{at}"), *args))

        among.append(Site(name, page, "/", False, lambda url: False, varies))
        return build

    return register


# fmt: off
VI = Lang("vi", "và của là có không người một được trong cho các với những này đến khi đã nhà nước đường phố chợ cầu sông hồ bến xe trạm tuyến buýt Hà Nội Trần Hưng Đạo Nguyễn Huệ Lê Lợi Bạch Đằng thành quận phường ngã tư trường học bệnh viện công viên sáng chiều vé giá đồng phút khách đón trả")
HU = Lang("hu", "a az és hogy nem is egy van bíróság ítélet felperes alperes végzés szerződés kártérítés eljárás kereset elutasítja kötelezi fizetni forint napon belül fellebbezés törvény alapján megállapította tulajdon ingatlan tanúk vallomása szerint indokolás jogerős kérelem ügyvéd tárgyalás határozat megyei fővárosi Szabó Kovács Horváth Tóth kötelezettség teljesítés késedelmi kamat bérleti díj")
HI = Lang("hi", "का के की में है और से को पर यह डाक घर जिला राज्य शाखा नगर गाँव प्रधान कार्यालय पिन कोड उत्तर दक्षिण पूर्व पश्चिम रामपुर सीतापुर गोविंदगढ़ किशनगंज मोहनपुर लखनऊ वाराणसी इलाहाबाद जयपुर कानपुर बाजार मंदिर नदी सड़क चौक थाना तहसील मंडल वितरण सेवा")
HE = Lang("he", "של את על לא הוא היא זה עם כל אבל או גם מילה שורש פועל בניין עבר הווה עתיד ציווי מקור שם תואר זכר נקבה יחיד רבים מדבר נוכח נסתר כתב למד שמר הלך אמר ספר דבר פתח סגר זכר שכח בנה קנה מצא קרא לשון עברית ערך פירוש דוגמה משפט")
KA = Lang("ka", "და არის რომ ეს იყო მცენარე ჰერბარიუმი ნიმუში ფოთოლი ყვავილი თესლი ტყე მთა ხევი მდინარე სოფელი თბილისი ქუთაისი ბათუმი სვანეთი კახეთი იმერეთი აჭარა გვარი ოჯახი სახეობა შემგროვებელი თარიღი სიმაღლე ნიადაგი კლდე მდელო ბალახი ბუჩქი ხე მუხა წიფელი ნაძვი")
SW = Lang("sw", "na ya wa kwa ni katika la za cha mtu watu simu namba jina mji kijiji barabara duka shule hospitali ofisi mkoa wilaya kata mwalimu daktari fundi mkulima biashara soko nyumba Juma Hassan Mwangi Otieno Kamau Amina Fatuma Zawadi Baraka Neema Rehema Salim Wanjiru Achieng Mosi habari karibu asante orodha")
TH = Lang("th", "การ แข่งขัน หมากรุก ผู้เล่น คะแนน รอบ ชนะ แพ้ เสมอ กระดาน วันที่ เวลา สมชาย สมหญิง ประเสริฐ วิชัย มานะ ปิติ ชูใจ สุดา นภา อรุณ ธนา กิตติ ศิริ พงษ์ ไทย เชียงใหม่ ขอนแก่น ภูเก็ต และ ที่ ของ ใน มี เป็น ได้ จาก แล้ว หลัง ก่อน ตอน ท้าย เปิด หมาก เดิน", sep="", stop=" ")
EL = Lang("el", "και το της του είναι στο στην με από που για ένα νησί χωριό λιμάνι όρος κόλπος ακρωτήριο ποταμός θάλασσα παραλία εκκλησία μοναστήρι δρόμος πλατεία κάστρο Νάξος Πάρος Τήνος Άνδρος Σίφνος Μήλος Αμοργός Αγία Άγιος Παναγία Κάτω Άνω Μεγάλη Παλαιό κάτοικοι υψόμετρο οικισμός δήμος νότια βόρεια")
KO = Lang("ko", "책 서가 도서관 저자 출판사 소설 시집 역사 철학 종교 과학 기술 예술 언어 문학 사회 한국 서울 부산 연구 이론 개론 사전 전집 세계 마음 바다 하늘 여름 겨울 사람 이야기 김민수 이영희 박지훈 최서연 정하늘 그리고 에서 으로 있는 없는 하는 된다 대하여 우리 시대 문화", order=1)
FI = Lang("fi", "ja on ei se että oli sää asema lämpötila sade tuuli pilvisyys ilmanpaine lumi pakkanen aurinko myrsky havainto kuukausi vuosi keskiarvo ylin alin Helsinki Turku Oulu Rovaniemi Kuopio Sodankylä Utsjoki Hanko Vaasa järvi saari niemi lentoasema mittari tunti merkittävä vähän paljon pohjoinen etelä")
UK = Lang("uk", "і в на з що не до за це як рада сесія протокол засідання депутат голова рішення голосували проти утримались порядок денний питання бюджет громада місто село вулиця ремонт школа дорога земля ділянка комісія доповідач Шевченко Коваленко Бондар Мельник затвердити надати дозвіл кошти гривень розглянули ухвалили присутні секретар")
TA = Lang("ta", "இசை ராகம் தாளம் பாடல் கீர்த்தனை பல்லவி அனுபல்லவி சரணம் ஆதி ரூபகம் கல்யாணி தோடி மோகனம் பைரவி சங்கராபரணம் காம்போதி ஹம்சத்வனி முருகன் கண்ணன் சிவன் அம்மா தமிழ் கவிஞர் தியாகராஜர் என்று ஒரு இந்த அந்த மற்றும் உள்ள வரும் நான் நீ மனம் அன்பு வேண்டும் பாதம் நாதம்")
FA = Lang("fa", "و در به از که این است را با برای آن یک خبر شهر تهران اصفهان شیراز تبریز مشهد روز سال مردم دولت مجلس وزیر بازار قیمت ورزش فوتبال تیم بازی فرهنگ کتاب فیلم هنر دانشگاه دانشجو آب هوا باران جاده راه کشور جهان گفت کرد شد خواهد بود نیز")
CA = Lang("ca", "i de la el que en un una els les per amb no es del al cargol femella volandera clau tornavís martell serra broca fusta ferro acer llautó preu unitat caixa mida color marca nou oferta qualitat resistent lleuger eina taller casa jardí pintura cola cadena cadenat frontissa pany vermell blau verd")
MN = Lang("mn", "ба нь юм бол байна хүн өвөг эцэг эх хүү охин ах дүү эгч төрсөн онд сум аймаг голын нутаг овог удам угийн бичиг Бат Болд Дорж Цэцэг Нарантуяа Ганбаатар Сүхбаатар Оюун Мөнх Эрдэнэ Тулга Алтан Сарнай малчин хоньчин багш лам гэр морь хонь тал уул ус")
PL = Lang("pl", "i w na z się nie do to jest o jak czujnik pomiar pył powietrze temperatura wilgotność wartość średnia dobowa stacja godzina wynik norma przekroczenie ulica miasto Kraków Łódź Gdańsk Wrocław Rzeszów dane tydzień rok raport wiatr ciśnienie poziom brak awaria wymiana kalibracja")
PT = Lang("pt", "de a o que e do da em um para com não uma os no se na por mais pacote versão módulo biblioteca licença dependência autor instalar função arquivo leitura escrita dados rede texto imagem tempo erro teste servidor cliente rápido simples leve livre código ferramenta linha comando")
TR = Lang("tr", "ve bir bu da için ile çok daha olan bulmaca soldan sağa yukarıdan aşağıya çözüm kare harf kelime anlamı eski dilde nota bir tür balık ağaç şehir ırmak sıfat ünlü yazar şair oyun renk meyve kuş ilçe deniz dağ köy ev kapı pencere yol taş su ateş hava toprak gece gündüz")
JA = Lang("ja", "博物館 展示 資料 土器 縄文 弥生 江戸 明治 大正 昭和 時代 作品 木製 陶磁 絵画 書跡 刀剣 漆器 染織 高さ 直径 寄贈 所蔵 発見 遺跡 出土 東京 京都 奈良 大阪 九州 から まで である された として および について これは その 重要 文化財 国宝 作者 不詳 世紀", sep="", stop="。", order=1)
HY = Lang("hy", "և է որ մի այս նա թատրոն բեմ դահլիճ տեղ շարք օթյակ պատշգամբ տոմս գին դրամ ներկայացում օպերա բալետ երաժշտություն դերասան երեկո ժամը Երևան Գյումրի Անուշ Գայանե Սպարտակ Արամ Նարեկ ձախ աջ կենտրոն առաջին երկրորդ հատված վաճառված ազատ նվիրատու հիշատակ", stop="։")
IS = Lang("is", "og að í á er sem til var um við með skák mót umferð hvítur svartur leikur mát jafntefli borð biskup riddari hrókur drottning kóngur peð vinningur tapaði vann Reykjavík Akureyri Jónsson Guðmundsson Sigurðardóttir Þórsson Ólafsson Helgadóttir byrjun vörn sókn endatafl tími klukka dómari félag")
BN = Lang("bn", "এবং এই যে কোন আইন ধারা উপধারা সরকার আদালত ব্যক্তি দণ্ড জরিমানা টাকা বৎসর অধীন প্রজ্ঞাপন দ্বারা বিধি প্রণয়ন ক্ষমতা কর্তৃপক্ষ আবেদন অনুমোদন বাতিল সংশোধন প্রয়োগ সংজ্ঞা অর্থ হইবে করিবে পারিবে না বা হইতে জেলা উপজেলা বাংলাদেশ ভূমি কর নদী মৎস্য বন", stop="।")
EU = Lang("eu", "eta da ez bat du dira zen hau argazki bilduma herria mendia itsasoa kalea plaza eliza etxea zubia jaia dantza neska mutil ama aita Bilbo Donostia Gasteiz Iruñea Zarautz Getaria Hondarribia zaharra berria handia txikia gorria beltza zuria urtea udazkena negua euria eguzkia arrantzale baserri")
EN = Lang("en", "the of and to in is that it for on with as was at by this not are from crash build option window menu file error when using after before version patch test regression driver memory leak thread lock timeout parser unicode locale print dialog save open button cursor layout steps reproduce expected actual attached trace fixed duplicate review commit branch")


def registered(
    traps: list[Site], start: str, *, silent: bool = False, varies: bool = False, undecidable: bool = False
) -> Callable[[Page], Page]:
    """Add a trap to `traps` that the home page leads into at `start`, and whose name is that of the function."""

    def register(page: Page) -> Page:
        name = page.__name__.replace("_", "-")

        def inside(url: str) -> bool:
            parts = urlsplit(url)
            honest = parts.path in ("", "/") or parts.path.startswith("/article/")
            return parts.hostname != f"{name}.test" or bool(parts.query) or not honest

        def answered(asked: Asked) -> Answer | None:
            made = page(asked)
            return None if made is None else answer(made)

        traps.append(Site(name, answered, start, True, inside, random=varies, silent=silent, undecidable=undecidable))
        return page

    return register

"""RULES.toml: what is read of it; what is wrong is told in one line that names the file, the line and the fix."""

from __future__ import annotations

import random
from datetime import datetime, timezone
from pathlib import Path

import pytest

from scrapy_polite.robots.build.ruleset import MAX_FILE, octets_of, rules_of
from scrapy_polite.robots.inputs import InputError

PATH = Path("rules.toml")

WHOLE = """\
sitemaps = ["https://a.example/s.xml"]

[[rule]]
agents = ["*"]
disallow = [
    "/cart/",  # [[rule]]
    "/é",
]
why = '''
[[rule]]
agents = nothing
'''

[[rule]]
agents = ["Abot"]
allow = ["/"]
crawl_delay = 10
from = 2027-01-31
until = 2027-02-01
owner = "shop"
"""


def test_all_keys_are_read_and_a_last_day_is_a_whole_day() -> None:
    rules = rules_of(PATH, WHOLE.encode())
    assert rules.sitemaps == ("https://a.example/s.xml",)
    first, second = rules.rules
    assert (first.agents, first.disallow, first.line) == (("*",), ("/cart/", "/é"), 3)
    assert (second.allow, second.crawl_delay, second.owner, second.line) == (("/",), 10, "shop", 14)
    assert second.begins == datetime(2027, 1, 31, tzinfo=timezone.utc).timestamp()
    assert second.ends - second.begins == 2 * 86_400


_RULE = '\n[[rule]]\nagents = ["*"]\n'


@pytest.mark.parametrize(
    ("text", "told"),
    [
        pytest.param(
            "[[rule]]\nwhy = 'a'\nwhy = 'b'\n",
            ", line 3: no TOML: Cannot overwrite a value; delete one of the two",
            id="a-key-twice",
        ),
        pytest.param("[[rules]]\nwhy = 'a'\n", ", line 1: unknown key 'rules'; the top has sitemaps and", id="table"),
        pytest.param(
            "[[rule]]\nagents = [*]\n", ", line 2: no TOML: Invalid value; write texts in quotes", id="syntax"
        ),
        pytest.param("\x00", ", line 1: no TOML: ", id="binary"),
        pytest.param('[[rule]]\nagents = ["*', ", line 2: no TOML: ", id="unended"),
        pytest.param("x = " + "[" * 5_000, ": no TOML; write tables", id="nested"),
        pytest.param("", ": holds no rule; write [[rule]]", id="empty"),
        pytest.param("rule = 3", ", line 1: rule is no list of tables; write [[rule]]", id="no-tables"),
        pytest.param("a = 1\nagent = 3" + _RULE, ", line 1: unknown key 'a'; the top has", id="unknown-at-top"),
        pytest.param('allow = ["/"]' + _RULE, ", line 1: unknown key 'allow'; put allow below [[rule]]", id="too-high"),
        pytest.param(_RULE + "dissallow = []", ", line 4: unknown key 'dissallow'; the keys are agents,", id="unknown"),
        pytest.param(_RULE + 'disallow = "/x"', ", line 4: disallow is not a list of texts; write it as", id="type"),
        pytest.param(
            _RULE + "disallow = [1]", ", line 4: disallow is not a list of texts; write it as", id="inner-type"
        ),
        pytest.param(_RULE + "crawl_delay = true", ", line 4: crawl_delay is not seconds, as a number;", id="bool"),
        pytest.param(_RULE + "crawl_delay = nan", ", line 4: crawl_delay is nan; write seconds", id="nan"),
        pytest.param(_RULE + "crawl_delay = -1", ", line 4: crawl_delay is -1; write seconds", id="negative"),
        pytest.param(_RULE + 'from = "2027"\nallow=[]', ", line 4: from is not a date, or a date and time;", id="date"),
        pytest.param(
            _RULE + "allow = []\nfrom = 2027-02-01\nuntil = 2027-01-01",
            ", line 6: the rule ends (2027-01-01) before it begins (2027-02-01); write an until that is later",
            id="validity",
        ),
        pytest.param(
            _RULE + 'disallow = [\n  "/ok",\n  "x/y",\n]',
            ", line 6: disallow 'x/y' does not begin with a slash; write '/x/y'",
            id="slash",
        ),
        pytest.param(
            _RULE + 'allow = ["https://a/b"]', ", line 4: allow 'https://a/b' is a whole URL; write", id="url"
        ),
        pytest.param(_RULE + 'allow = [""]', ", line 4: allow '' is empty; leave it out", id="empty-path"),
        pytest.param(_RULE + 'allow = ["/a b"]', ", line 4: allow '/a b' has a space or a control", id="space"),
        pytest.param(
            _RULE + r'allow = ["/a\nDisallow: /"]', "has a space or a control character; write", id="injection"
        ),
        pytest.param(
            _RULE + 'allow = ["/a#b"]', ", line 4: allow '/a#b' has a '#', which begins a comment", id="comment"
        ),
        pytest.param(_RULE + 'allow = ["/50%"]', ", line 4: allow '/50%' has a '%' without two", id="percent"),
        pytest.param(_RULE + f'allow = ["/{"x" * 2_000}"]', "is longer than 2,000 characters; shorten it", id="long"),
        pytest.param(
            '[[rule]]\nagents = ["Google*"]\nallow=[]', ", line 2: agent 'Google*' has a wildcard, which", id="wildcard"
        ),
        pytest.param(
            '[[rule]]\nagents = ["A/1.0"]\nallow=[]', ", line 2: agent 'A/1.0' is no crawler's name", id="agent"
        ),
        pytest.param("[[rule]]\nallow = []", ", line 1: a rule has no agents; write agents", id="no-agents"),
        pytest.param("[[rule]]\nagents = []\nallow = []", ", line 2: a rule has no agents; write agents", id="nobody"),
        pytest.param(_RULE, ", line 2: a rule says nothing; write disallow = []", id="nothing"),
        pytest.param('sitemaps = ["/s.xml"]' + _RULE, ", line 1: sitemap '/s.xml' is no absolute URL;", id="sitemap"),
        pytest.param("sitemaps = 3" + _RULE, ", line 1: sitemaps is not a list of texts; write it as", id="sitemaps"),
    ],
)
def test_what_is_wrong_is_told_in_one_line_with_its_place_and_the_fix(text: str, told: str) -> None:
    with pytest.raises(InputError) as found:
        rules_of(PATH, text.encode())
    assert str(found.value).startswith("rules.toml")
    assert told in str(found.value)
    assert "\n" not in str(found.value)


def test_what_is_no_utf_8_missing_or_huge_is_told(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"rules.toml, line 2: no UTF-8 text; save the file as UTF-8"):
        rules_of(PATH, b"# a\n\xff")
    with pytest.raises(InputError, match=r"none.toml: cannot be read \(No such file or directory\); give the path"):
        octets_of(tmp_path / "none.toml")
    with pytest.raises(InputError, match=r"cannot be read \(Is a directory\); give the path"):
        octets_of(tmp_path)
    (tmp_path / "huge.toml").write_bytes(b"#" * (MAX_FILE + 1))
    with pytest.raises(InputError, match="longer than 8,388,608 bytes; use wildcards"):
        octets_of(tmp_path / "huge.toml")


def test_no_damage_to_a_file_raises_anything_else() -> None:
    random_ = random.Random(19)
    told = []
    for _ in range(400):
        octets = bytearray(WHOLE.encode())
        for _ in range(random_.randint(1, 4)):
            at = random_.randrange(len(octets))
            octets[at : at + random_.randint(0, 3)] = random_.choice(
                (b"", b'"', b"[", b"\n", b"\xff", b"=", b"1", b"'''")
            )
        try:
            rules_of(PATH, bytes(octets))
        except InputError as error:
            told.append(str(error))
    assert len(told) > 100
    assert not any("\n" in text for text in told)

from __future__ import annotations

import re
from typing import Any

import pytest
from scrapy import Request

from crawlers import crawler
from scrapy_polite.downloadermiddlewares import IdentityMiddleware
from scrapy_polite.identity import complaints, default_user_agent, digits_in_token, request_user_agent

DEFAULT, BROWSER, CONTACT, TOKEN, EMPTY = FAULTS = (
    "Scrapy's default",
    "a browser's",
    "no contact",
    "no product token",
    "is empty",
)
CHROME = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/131.0.0.0 Safari/537.36"


@pytest.mark.parametrize(
    ("user_agent", "email", "robots_user_agent", "faults"),
    [
        pytest.param("bot/1.0 (+https://bot.example)", None, None, [], id="URL"),
        pytest.param("bot/1.0 (www.bot.example)", None, None, [], id="URL without scheme"),
        pytest.param("bot/1.0 (me@bot.example)", None, None, [], id="e-mail"),
        pytest.param("bot", "me@bot.example", None, [], id="e-mail in the setting"),
        pytest.param("bot", None, None, [CONTACT], id="no contact"),
        pytest.param("Scrapy/2.19.0 (+https://scrapy.org)", None, None, [DEFAULT, CONTACT], id="Scrapy's"),
        pytest.param("Scrapy/2.19.0 (+https://scrapy.org)", "me@bot.example", None, [DEFAULT], id="Scrapy's, e-mail"),
        pytest.param(CHROME, "me@bot.example", None, [BROWSER, TOKEN], id="Chrome's"),
        pytest.param(CHROME, "me@bot.example", "bot", [BROWSER], id="Chrome's, ROBOTSTXT_USER_AGENT"),
        pytest.param(
            "Mozilla/5.0 (compatible; bot/1.0; +https://bot.example) Chrome/131.0", None, None, [], id="compatible"
        ),
        pytest.param("", None, None, [EMPTY], id="empty"),
        pytest.param(" ", "me@bot.example", "bot", [EMPTY], id="blank"),
        pytest.param("(bot) +https://bot.example", None, None, [TOKEN], id="no name"),
    ],
)
def test_what_an_operator_would_miss(
    user_agent: str, email: str | None, robots_user_agent: str | None, faults: list[str]
) -> None:
    said = list(complaints(user_agent, email, robots_user_agent))
    assert [fault for sentence in said for fault in FAULTS if fault in sentence] == faults
    assert len(said) == len(faults)


@pytest.mark.parametrize(
    ("user_agent", "robots_user_agent", "groups"),
    [
        pytest.param("MyBot2/1.0 (+https://bot.example)", None, ["mybot2", "mybot", "*"], id="digits"),
        pytest.param("2bot/1.0", None, ["2bot", "*"], id="digit-in-front"),
        pytest.param("my-bot/2.0", None, [], id="in-the-version"),
        pytest.param("mybot2", "mybot", [], id="ROBOTSTXT_USER_AGENT-without"),
        pytest.param("mybot", "bot3", ["bot3", "bot", "*"], id="ROBOTSTXT_USER_AGENT-with"),
        pytest.param("(no name) 2", None, [], id="no-token"),
    ],
)
def test_of_a_name_with_digits_it_is_said_which_groups_are_obeyed(
    user_agent: str, robots_user_agent: str | None, groups: list[str]
) -> None:
    said = digits_in_token(user_agent, robots_user_agent)
    assert re.findall(r"'User-agent: (\S+)'", said) == groups
    assert bool(said) == bool(groups)
    assert len(said) < 400


@pytest.mark.parametrize(
    ("settings", "spider", "user_agent"),
    [
        pytest.param({"USER_AGENT": "set"}, {}, "set", id="USER_AGENT"),
        pytest.param({"USER_AGENT": "set"}, {"user_agent": "spider's"}, "spider's", id="the spider's attribute"),
        pytest.param({"DEFAULT_REQUEST_HEADERS": {"user-agent": "header"}}, {"user_agent": "s"}, "header", id="header"),
        pytest.param({"DEFAULT_REQUEST_HEADERS": {"User-Agent": None}, "USER_AGENT": "set"}, {}, "set", id="no header"),
        pytest.param({"DEFAULT_REQUEST_HEADERS": {"User-Agent": b"b\xfct"}}, {}, "büt", id="bytes"),
        pytest.param({"USER_AGENT": None}, {}, "", id="none at all"),
    ],
)
def test_the_default_user_agent_is_the_one_that_scrapy_sends(
    settings: dict[str, Any], spider: dict[str, Any], user_agent: str
) -> None:
    made = crawler(settings, **spider)
    assert default_user_agent(made) == user_agent


def test_a_requests_own_user_agent() -> None:
    assert request_user_agent(Request("data:,", headers={"user-agent": "own"})) == "own"
    assert request_user_agent(Request("data:,")) is None


@pytest.mark.parametrize(
    ("email", "headers", "sent"),
    [
        ("me@bot.example", {}, b"me@bot.example"),
        ("me@bot.example", {"from": "own@bot.example"}, b"own@bot.example"),
        (None, {}, None),
    ],
    ids=["the setting", "the request's own", "none"],
)
def test_from_is_the_contact_email_unless_the_request_has_its_own(
    email: str | None, headers: dict[str, str], sent: bytes | None
) -> None:
    request = Request("data:,", headers=headers)
    IdentityMiddleware.from_crawler(crawler({"POLITE_CONTACT_EMAIL": email})).process_request(request)
    assert request.headers.get(b"From") == sent

from __future__ import annotations

import pytest

from scrapy_polite.robots import product_token


@pytest.mark.parametrize(
    ("user_agent", "token"),
    [
        pytest.param("Foobot", "Foobot", id="bare"),
        pytest.param("  Foobot ", "Foobot", id="blanks around"),
        pytest.param("Foobot/1.0 (+https://foobot.example/)", "Foobot", id="leading token of a header"),
        pytest.param("Foo-Bot_News/2", "Foo-Bot_News", id="hyphen and underscore"),
        pytest.param("Foo Bar", "Foo", id="up to the first blank"),
        pytest.param("Mozilla/5.0 (compatible; Foobot/2.1; +http://foobot.example/)", "Foobot", id="compatible"),
        pytest.param(
            "Mozilla/5.0 (Linux; Android 6.0.1) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/99 Safari/537.36 "
            "(compatible; Foobot/2.1; +http://foobot.example/)",
            "Foobot",
            id="compatible, after a browser's header",
        ),
        pytest.param(
            "Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; Foobot/2.0; +http://foobot.example/)",
            "Foobot",
            id="compatible, inside a browser's comment",
        ),
        pytest.param("Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", None, id="browser"),
        pytest.param("Mozilla/4.0 (compatible; MSIE 6.0; Windows NT 5.1)", None, id="browser that says compatible"),
        pytest.param("Mozilla", "Mozilla", id="a bare token is one, even a browser's"),
        pytest.param("", None, id="empty"),
        pytest.param("(none)", None, id="no name first"),
        pytest.param("*", None, id="star"),
        pytest.param("Bot2000/1.0", "Bot2000", id="digits are kept for the groups to judge"),
    ],
)
def test_product_token_of_a_user_agent_rfc9309_2_2_1(user_agent: str, token: str | None) -> None:
    assert product_token(user_agent) == token


def test_product_token_of_a_product_token_is_itself() -> None:
    assert product_token(product_token("Bot2000/1.0 (+https://bot.example)") or "") == "Bot2000"

"""`scrapy robots publish`: rules of a host into the store that is served."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from scrapy_polite.robots.__main__ import main
from scrapy_polite.serve import RobotsStore

if TYPE_CHECKING:
    import pytest

OPEN = '[[rule]]\nagents = ["*"]\ndisallow = ["/cart/"]\n'
CLOSED = '[[rule]]\nagents = ["*"]\ndisallow = ["/"]\n'


def test_rules_are_published_as_a_canary_promoted_and_gone_back_from(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store, rules = str(tmp_path / "robots.sqlite"), tmp_path / "rules.toml"

    def publish(*words: str) -> tuple[int, str]:
        status = main(["publish", store, "shop.example", *words])
        shown = capsys.readouterr()
        return status, shown.out + shown.err

    rules.write_text(OPEN)
    assert f"there is no store {store}: publish rules first" in publish("--history")[1]
    assert publish(str(rules))[0] == 2
    assert publish(str(tmp_path / "none.toml"), "--reason", "first")[0] == 2
    assert not (tmp_path / "robots.sqlite").exists()
    done = publish(str(rules), "--reason", "first", "--share", "5")  # there is nothing that the others could be served
    assert done == (0, "shop.example: version 1 is served to all clients\n")
    assert publish("--promote")[0] == 2

    for url in ("https://shop.example", "https://b\u00fccher.example"):
        assert main(["publish", store, url, "--promote"]) == 2
        assert f"{url!r} is no host: give a name such as shop.example" in capsys.readouterr().err

    known = tmp_path / "urls"
    known.write_text("https://xn--bcher-kva.example/a\n")
    words = ("b\u00fccher.example", str(rules), "--reason", "first", "--urls", str(known))
    assert main(["publish", store, *words]) == 0
    assert RobotsStore(store).hosts(1) == ["xn--bcher-kva.example"]
    capsys.readouterr()

    rules.write_text(CLOSED)
    words = (str(rules), "--reason", "sold", "--share", "5%")
    assert publish(*words) == (
        1,
        "for * it closes / (line 2: Disallow: /)\nnothing is changed: give --confirm if that is meant\n",
    )
    assert publish(*words, "--confirm") == (0, "shop.example: version 2 is served to 5 % of clients\n")
    lines = publish("--history")[1].splitlines()
    assert [line.split("UTC  ")[1] for line in lines] == [
        "first  (served)",
        "sold  (confirmed: for * it closes / (line 2: Disallow: /))  (canary, 5 %)",
    ]
    assert publish("--promote") == (0, "shop.example: version 2 is served to all clients\n")
    assert publish("--back", "1") == (0, "shop.example: version 1 is served to all clients\n")
    assert publish("--back", "2") == (
        1,
        "for * it closes / (line 2: Disallow: /)\nnothing is changed: give --confirm if that is meant\n",
    )
    assert RobotsStore(store).standing("shop.example") == (1, None, 0.0)
    assert "has no version 9: give one that the history lists" in publish("--back", "9")[1]

    known.write_text("http://shop.example/a\nhttps://shop.example:8443/cart/1\nhttps://other.example/cart/1\n")
    rules.write_text(OPEN.replace("/cart/", "/a"))
    words = (str(rules), "--reason", "wrong", "--urls", str(known))
    assert "for * it closes 1 of 2 known URLs (50 %)\n" in publish(*words)[1]
    known.write_text("https://other.example/cart/1\n")
    assert "holds no URL of shop.example: all 1 are of others; nothing is compared" in publish(*words)[1]

    rules.write_text(OPEN.replace("/cart/", "cart/"))
    status, text = publish(str(rules), "--reason", "wrong")
    assert (status, f"{rules}, line 3: disallow 'cart/' does not begin with a slash; write '/cart/'\n" in text) == (
        2,
        True,
    )
    (tmp_path / "robots.sqlite").write_bytes(b"no database" * 100)
    for side in ("-wal", "-shm"):
        (tmp_path / f"robots.sqlite{side}").unlink(missing_ok=True)
    assert (
        "cannot be used (file is not a database): look whether the file is there and whole, " in publish("--history")[1]
    )

"""The names of metrics, labels and alerts: what is shipped uses no other."""

from __future__ import annotations

import json
import re
from importlib.resources import files

import pytest
import yaml

from metric_parts import expressions, labels_in, names_in
from scrapy_polite.alert import BAD_ENDINGS, KINDS
from scrapy_polite.events import RULES_STATES
from scrapy_polite.metrics.names import METRICS, exported_names
from scrapy_polite.monitor.hosts import STATES as HOST_STATES

SHIPPED = ("rules.yml", "dashboard.json")
RULES = [
    rule
    for group in yaml.safe_load((files("scrapy_polite.metrics") / "rules.yml").read_text("utf-8"))["groups"]
    for rule in group["rules"]
]
#: What Prometheus adds, and the bound of a bucket.
ADDED_LABELS = {"instance", "le"}


@pytest.mark.parametrize("name", SHIPPED)
def test_every_query_names_only_metrics_that_are_exported(name: str) -> None:
    found = {name: names_in(name) for name in expressions(name)}
    assert all(found.values()), "a query that names none"
    assert set().union(*found.values()) - exported_names().keys() == set()


@pytest.mark.parametrize("name", SHIPPED)
def test_every_query_names_only_labels_that_its_metrics_have(name: str) -> None:
    for query in expressions(name):
        own = {label for metric in names_in(query) for label in exported_names()[metric].labels}
        assert labels_in(query) - own - ADDED_LABELS == set(), query


def test_every_metric_but_those_of_hosts_is_in_the_dashboard_or_in_a_rule() -> None:
    used = {name for shipped in SHIPPED for query in expressions(shipped) for name in names_in(query)}
    metrics = {exported_names()[name].name for name in used}
    unused = {metric.name for metric in METRICS} - metrics
    assert unused == {"host_refused", "jobs_left_out", "record_lines_missed", "run_state", "snapshot_timestamp_seconds"}


def test_values_of_labels_in_queries_are_values_that_there_are() -> None:
    for query in (query for name in SHIPPED for query in expressions(name)):
        for metric, selectors in re.findall(r"(scrapy_polite_\w+)\{([^}]*)\}", query):
            known = exported_names()[metric]
            for label, operator, text in re.findall(r'(\w+)(=~|!=|=)"([^"]*)"', selectors):
                if label == known.label:
                    assert set(text.split("|")) <= set(known.values), (operator, query)


def test_names_follow_the_conventions_of_prometheus() -> None:
    for metric in METRICS:
        assert re.fullmatch(r"scrapy_polite(_[a-z]+)+", metric.exported)
        assert (metric.exported.endswith("_total")) == (metric.type == "counter")
        assert metric.type != "histogram" or metric.exported.endswith("_seconds")
        assert not {*metric.labels} & {"le", "quantile", "job", "instance"}, "Prometheus' own"


def test_the_rules_and_the_kinds_of_alerts_name_each_other() -> None:
    rules = {rule["alert"] for rule in RULES}
    named = {rule for kind in KINDS.values() for rule in kind.rules}
    assert named <= rules
    # What no crawl can say of itself, and what takes a quarter of an hour to be seen.
    assert rules - named == {
        "ScrapyPoliteKilled",
        "ScrapyPoliteRobotsCacheMisses",
        "ScrapyPoliteRobotsFetchFailing",
        "ScrapyPoliteRobotsFetchSlow",
    }
    assert all(rule["annotations"].keys() == {"summary", "description"} for rule in RULES)
    (bad,) = (rule["expr"] for rule in RULES if rule["alert"] == "ScrapyPoliteEndedBadly")
    assert set(re.search(r'reason=~"([^"]*)"', bad)[1].split("|")) == set(BAD_ENDINGS)  # type: ignore[index]


def test_the_words_of_snapshots_are_the_values_of_labels() -> None:
    by_name = {metric.name: metric for metric in METRICS}
    assert by_name["pages"].values == RULES_STATES
    assert [by_name["hosts"].value_of(state) for state in HOST_STATES] == list(by_name["hosts"].values)


def test_the_dashboard_has_one_panel_an_id_and_none_over_another() -> None:
    panels = json.loads((files("scrapy_polite.metrics") / "dashboard.json").read_text("utf-8"))["panels"]
    assert len({panel["id"] for panel in panels}) == len(panels) > 20
    taken: set[tuple[int, int]] = set()
    for panel in panels:
        at = panel["gridPos"]
        cells = {(at["x"] + x, at["y"] + y) for x in range(at["w"]) for y in range(at["h"])}
        assert not cells & taken
        assert at["x"] + at["w"] <= 24
        taken |= cells

"""The shipped rules and queries as Prometheus itself reads them: its `promtool`, of Debian's package `prometheus`."""

from __future__ import annotations

import subprocess
import time
from pathlib import Path

import yaml

import scrapy_polite.metrics
from metric_parts import expressions, snapshot, write_worker
from scrapy_polite.metrics.export import Exporter

PACKAGED = Path(scrapy_polite.metrics.__file__).parent
UNIT_TESTS = Path(__file__).parent / "rules_test.yml"


def promtool(path: str, *arguments: str, text: str | None = None) -> str:
    """What it prints; raises AssertionError where it is not content."""
    done = subprocess.run([path, *arguments], input=text, capture_output=True, text=True, check=False, timeout=60)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


def test_the_rules_are_rules(promtool_path: str) -> None:
    assert "SUCCESS: 15 rules found" in promtool(promtool_path, "check", "rules", str(PACKAGED / "rules.yml"))


def test_each_alert_fires_for_what_it_is_for_and_for_nothing_else(promtool_path: str) -> None:
    promtool(promtool_path, "test", "rules", str(UNIT_TESTS))


def test_each_alert_is_tested_to_fire() -> None:
    tested = {
        case["alertname"]
        for group in yaml.safe_load(UNIT_TESTS.read_text())["tests"]
        for case in group["alert_rule_test"]
        if case["exp_alerts"]
    }
    rules = yaml.safe_load((PACKAGED / "rules.yml").read_text())
    assert tested == {rule["alert"] for group in rules["groups"] for rule in group["rules"]}


def test_the_queries_of_the_dashboard_are_queries(promtool_path: str, tmp_path: Path) -> None:
    """As recording rules, with values in place of Grafana's variables."""
    queries = {
        query.replace("$__rate_interval", "1m").replace("$__interval", "1m").replace("$spider", ".*")
        for query in expressions("dashboard.json")
    }
    rules = [{"record": f"query:{number}", "expr": query} for number, query in enumerate(sorted(queries))]
    (tmp_path / "queries.yml").write_text(yaml.safe_dump({"groups": [{"name": "dashboard", "rules": rules}]}))
    assert f"{len(rules)} rules found" in promtool(promtool_path, "check", "rules", str(tmp_path / "queries.yml"))


def test_what_is_exported_has_nothing_that_promtool_finds_fault_with(promtool_path: str, tmp_path: Path) -> None:
    now = time.time()
    says = snapshot(3, alerts={"no-page": 1}) | {"refused": {"robots/disallow": 3}}
    write_worker(tmp_path, says, started=now - 60, at=now)
    promtool(promtool_path, "check", "metrics", text=Exporter(tmp_path, hosts=5).text())

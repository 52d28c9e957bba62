"""Metrics: counted by several processes, served by one. The dashboard uses only existing ones."""

import json
import os
import re
import socket
import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest
from prometheus_client import REGISTRY

from portolan.config.health import connected
from portolan.config.project import ROOT
from portolan.observing import metrics, queues
from portolan.observing.exposition import Exposition, remove_dead
from portolan.observing.queues import Gauge, ask_database, ask_live, ask_spool
from portolan.observing.requests import AnsweredRequest

from ..processes import LIMIT_S, started

COUNT = """
import sys
from portolan.observing import metrics
from portolan.observing.requests import AnsweredRequest
metrics.count_request("edge", AnsweredRequest("i", "de", "GET", "/", 200, 0.002, "203.0.113.9"))
print("counted", flush=True)
sys.stdin.read()  # it goes on, so that its numbers are not those of an ended installation
"""


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def get(port: int, path: str = "/-/metrics", token: str = "") -> tuple[int, str]:
    request = urllib.request.Request(f"http://127.0.0.1:{port}{path}", headers={"Authorization": f"Bearer {token}"})
    try:
        with urllib.request.urlopen(request, timeout=LIMIT_S) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()


def gauges() -> Iterator[Gauge]:
    yield Gauge(queues.LIVE_RELEASE, "…", {"site": "de"}, 7)


def test_one_process_answers_for_all_and_another_one_where_it_ends(tmp_path: Path) -> None:
    environment = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    subprocess.run([sys.executable, "-c", COUNT], env=environment, check=True, stdin=subprocess.DEVNULL)
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with started([sys.executable, "-c", COUNT], env=environment, **pipes) as other:
        assert other.stdout and other.stdout.readline() == "counted\n"
        port = free_port()
        first, second = (Exposition("127.0.0.1", port, "secret", tmp_path, gauges) for _ in range(2))
        first.start()
        assert first.listens.wait(LIMIT_S)
        second.start()
        try:
            assert get(port)[0] == 401
            assert get(port, "/", "secret")[0] == 404
            status, text = get(port, token="secret")
            assert status == 200
            assert 'portolan_requests_total{role="edge",site="de",status="200"} 2.0' in text
            assert 'portolan_request_seconds_bucket{le="0.0025",role="edge",site="de"} 2.0' in text
            assert 'portolan_live_release{site="de"} 7.0' in text
            first.stop()
            assert second.listens.wait(LIMIT_S)
            assert get(port, token="secret")[0] == 200
        finally:
            first.stop()
            second.stop()


def test_what_ended_processes_counted_is_removed_where_none_goes_on(tmp_path: Path) -> None:
    ended = subprocess.Popen(["true"])
    ended.wait()
    old, own, alive = (tmp_path / f"counter_{pid}.db" for pid in (ended.pid, os.getpid(), os.getppid()))
    for file in (old, own, alive):
        file.touch()
    remove_dead(tmp_path)
    assert old.exists()
    alive.unlink()
    remove_dead(tmp_path)
    assert not old.exists() and own.exists()


def read(name: str, **labels: str) -> float:
    return REGISTRY.get_sample_value(name, labels) or 0


def test_counts_what_happens() -> None:
    metrics.count_request("edge", AnsweredRequest("i", "de", "GET", "/", 404, 0.002, ""))
    assert read("portolan_requests_total", role="edge", site="de", status="404") == 1
    metrics.count_api_reply(is_ready=True)
    metrics.count_api_reply(is_ready=False)
    assert read("portolan_api_replies_total", result="ready") == read("portolan_api_replies_total", result="made") == 1
    metrics.count_limit_hit("misses")
    assert read("portolan_limits_hit_total", limit="misses") == 1
    metrics.count_publish({"render": 1500.0}, 2.5, [("page", 3)])
    assert read("portolan_publish_stage_seconds_sum", stage="render") == 1.5
    assert read("portolan_live_after_seconds_sum") == 2.5
    assert read("portolan_pages_rendered_total", reason="page") == 3
    metrics.count_failed_publish()
    assert read("portolan_publishes_total", result="failed") == read("portolan_publishes_total", result="live") == 1
    metrics.count_lead("spooled")
    metrics.count_delivery("crm", "given-up")
    assert read("portolan_lead_deliveries_total", destination="crm", result="given-up") == 1
    assert read("portolan_leads_total", result="spooled") == 1


NOW = datetime(2026, 11, 24, 10, 0, tzinfo=UTC)


def test_tells_what_waits(tmp_path: Path) -> None:
    connection = sqlite3.connect(tmp_path / "db.sqlite3")
    connection.executescript(
        """
        CREATE TABLE releases_pendingchange (noted_at TEXT, problem TEXT);
        CREATE TABLE releases_release (number INTEGER);
        CREATE TABLE leads_delivery (lead_id TEXT, destination TEXT, state TEXT);
        CREATE TABLE leads_lead (id TEXT, created_at TEXT);
        INSERT INTO releases_pendingchange VALUES ('2026-11-24 09:59:00', ''), ('2026-11-24 08:00:00', '[1]');
        INSERT INTO releases_release VALUES (7);
        INSERT INTO leads_lead VALUES ('a', '2026-11-24 09:50:00');
        INSERT INTO leads_delivery VALUES ('a', 'crm', 'pending'), ('a', 'sales', 'dead'), ('b', 'sales', 'delivered');
        """
    )
    connection.close()
    with connected(f"sqlite:///{tmp_path / 'db.sqlite3'}") as ask:
        found = {(each.name, *each.labels.values()): each.value for each in ask_database(ask, NOW)}
    assert found == {
        (queues.PENDING,): 1,
        (queues.PENDING_AGE,): 60,
        (queues.REFUSED,): 1,
        (queues.NEWEST_RELEASE,): 7,
        (queues.OUTBOX, "crm", "pending"): 1,
        (queues.OUTBOX, "sales", "dead"): 1,
        (queues.OUTBOX_AGE, "crm"): 600,
    }
    assert [each.value for each in ask_spool(tmp_path / "spool", NOW)] == [0, 0]
    (tmp_path / "spool").mkdir()
    (tmp_path / "spool" / "1.json").touch()
    os.utime(tmp_path / "spool" / "1.json", (NOW.timestamp() - 30, NOW.timestamp() - 30))
    assert [each.value for each in ask_spool(tmp_path / "spool", NOW)] == [1, 30]
    assert [each.labels for each in ask_live({"de": 3})] == [{"site": "de"}]


@pytest.mark.django_db
def test_the_queries_fit_the_tables() -> None:
    """The product's own tables, on whichever database the tests run."""
    from django.db import connection

    def execute(sql: str, args: object) -> list[tuple[object, ...]]:
        with connection.cursor() as cursor:
            cursor.execute(sql, args)
            return cursor.fetchall()

    assert [each.value for each in ask_database(execute, NOW)] == [0, 0, 0, 0]  # type: ignore[arg-type]


def known_names() -> set[str]:
    names = set()
    for metric in vars(metrics).values():
        if hasattr(metric, "_name") and hasattr(metric, "_type"):
            suffixes = ("_total",) if metric._type == "counter" else ("_bucket", "_sum", "_count")
            names |= {f"{metric._name}{suffix}" for suffix in suffixes}
    return names | {value for name, value in vars(queues).items() if name.isupper() and isinstance(value, str)}


def test_the_dashboard_asks_for_what_there_is_and_the_document_explains_it() -> None:
    dashboard = json.loads((ROOT / "deploy/grafana/portolan.json").read_text())
    asked = set()
    for panel in dashboard["panels"]:
        assert panel.get("targets") or panel["type"] == "row", panel["title"]
        for target in panel.get("targets", ()):
            asked |= set(re.findall(r"portolan_\w+", target["expr"]))
    names = known_names()
    assert asked
    assert asked <= names, asked - names
    described = set(re.findall(r"`(portolan_\w+)`", (ROOT / "docs/deploy/watch.md").read_text()))
    assert described == {name for name in names if not name.endswith(("_bucket", "_sum", "_count"))} | {
        name.removesuffix("_sum") for name in names if name.endswith("_sum")
    }
    stems = {name.removesuffix("_bucket").removesuffix("_sum").removesuffix("_count") for name in asked}
    assert stems == described, "the dashboard shows each metric"

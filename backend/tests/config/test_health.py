"""The health of a role: the database, and waiting work."""

import threading
import time
from datetime import timedelta
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from portolan.builds.live import live_file
from portolan.config.env import env
from portolan.config.health import count_spool, examine_database, find_bare
from portolan.config.store_health import StoreWatch
from portolan.domain.health import Health, find_reasons
from portolan.leads.models import Delivery, Lead
from portolan.releases.models import LastLive, PendingChange

from ..empty_database import write_database
from ..processes import LIMIT_S
from ..small_installation import write_live_page


def ask(tmp_path: Path) -> str:
    """Return the URL of this test's database, for another process."""
    if connection.vendor == "postgresql":
        known = connection.get_connection_params()
        return " ".join(f"{name}={known[name]}" for name in ("dbname", "user", "host", "port") if known.get(name))
    write_database(tmp_path / "copy.sqlite3")
    return f"sqlite:///{tmp_path / 'copy.sqlite3'}"


def test_a_store_that_hangs_keeps_nobody_waiting() -> None:
    answers, now = threading.Event(), [0.0]

    def hang() -> None:
        answers.wait(LIMIT_S)
        raise OSError

    watch = StoreWatch({"build store": hang, "storage of uploads": lambda: None}, lambda: now[0])
    assert watch.find_silent() == watch.find_silent() == (), "not known yet"
    answers.set()
    watch.join()
    assert watch.find_silent() == ("build store",)
    assert find_reasons(Health("edge", "1", sites=8, silent=("build store",))) == (
        [],
        ["The build store does not answer."],
    )
    answers.clear()
    now[0] = 20
    assert watch.find_silent() == ("build store",), "as it was found last"
    answers.set()
    watch.join()


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_what_waits_in_the_database_and_for_how_long(tmp_path: Path) -> None:
    now = timezone.now()
    for problem in ("", "", "[]"):
        PendingChange.objects.create(site="en", kind="page", key="a", problem=problem)
    PendingChange.objects.update(noted_at=now - timedelta(seconds=90))
    lead = Lead.objects.create(site="en", form="contact", created_at=now, fields={})
    for name, due in (("crm", -30), ("sales", 600)):
        Delivery.objects.create(lead=lead, destination=name, next_at=now + timedelta(seconds=due))
    state, queues = examine_database(ask(tmp_path), ())
    assert state == "fits"
    assert [queues[name].size for name in ("pendingChanges", "outbox")] == [2, 1]
    assert 90 <= (queues["pendingChanges"].oldest_s or 0) < 300
    assert 30 <= (queues["outbox"].oldest_s or 0) < 240


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_migrations_of_another_version_are_told(tmp_path: Path) -> None:
    def add(name: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute(
                "INSERT INTO django_migrations (app, name, applied) VALUES ('leads', %s, %s)", [name, timezone.now()]
            )

    add("9999_of_the_future")
    try:
        assert examine_database(ask(tmp_path), ())[0] == "newer"
    finally:
        with connection.cursor() as cursor:
            cursor.execute("DELETE FROM django_migrations WHERE name = '9999_of_the_future'")


def test_a_database_that_is_away_or_empty_is_told(tmp_path: Path) -> None:
    assert examine_database(f"sqlite:///{tmp_path}/nowhere/x.sqlite3", ())[0] == "away"
    (tmp_path / "empty.sqlite3").touch()
    assert examine_database(f"sqlite:///{tmp_path}/empty.sqlite3", ())[0] == "older"
    assert examine_database("postgres://nobody@127.0.0.1:1/x", ())[0] == "away"


def test_leads_in_the_spool_are_counted(tmp_path: Path) -> None:
    assert count_spool(tmp_path).size == 0
    (tmp_path / "spool").mkdir()
    for age in (5, 50):
        (tmp_path / "spool" / f"{time.time_ns() - age * 10**9:020d}-abc.json").touch()
    (tmp_path / "spool" / "1-abc.bad").touch()
    found = count_spool(tmp_path)
    assert found.size == 2
    assert 50 <= (found.oldest_s or 0) < 300


@pytest.mark.postgres
@pytest.mark.django_db(transaction=True)
def test_sites_that_were_live_and_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for site in ("en", "de", "left"):
        LastLive.objects.create(site=site, shows="{}")
    write_live_page(tmp_path, 8000)
    monkeypatch.setenv("DATABASE_URL", ask(tmp_path))
    monkeypatch.setenv("PORTOLAN_VAR_DIR", str(tmp_path))
    env.cache_clear()
    try:
        assert find_bare(env()) == ["de"], "en is live, and the registry has no other"
        live_file(tmp_path / "builds").write_text("{")
        assert find_bare(env()) == ["de", "en"]
    finally:
        env.cache_clear()

"""Wakes by PostgreSQL's NOTIFY, from any machine: a listener with a connection separate from the writer's."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection, transaction
from psycopg.conninfo import make_conninfo

from portolan.content.items import ItemKey
from portolan.releases import waking
from portolan.releases.changes import note_changes
from portolan.releases.models import PendingChange
from portolan.releases.wake import PUBLISHER_CHANNEL, WakeListener

from ..processes import LIMIT_S, wait_until

pytestmark = [pytest.mark.postgres, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def elsewhere(tmp_path: Path, settings: Any) -> Iterator[WakeListener]:
    """A publisher on another machine, with another socket."""
    if connection.vendor != "postgresql":
        pytest.skip("SQLite is of one machine, and has no NOTIFY")
    settings.WAKE_SOCKET = tmp_path / "nobody.sock"
    connection.ensure_connection()
    known = connection.get_connection_params()
    url = make_conninfo(
        **{name: known[name] for name in ("dbname", "user", "host", "password", "port") if name in known}
    )
    with WakeListener(tmp_path / "elsewhere.sock", url, PUBLISHER_CHANNEL) as listener:
        assert listener.wait(LIMIT_S), "what came before it listened is not known"
        yield listener


def test_a_commit_wakes_a_publisher_on_another_machine_and_nothing_before(elsewhere: WakeListener) -> None:
    assert waking.is_publisher_there()
    with transaction.atomic():
        note_changes([ItemKey("en", "page", "a")])
        assert not elsewhere.wait(0)
    assert elsewhere.wait(LIMIT_S)
    assert not elsewhere.wait(0), "many count as one, and none comes twice"
    assert PendingChange.objects.count() == 1


def test_a_lost_connection_is_opened_again_and_counts_as_a_wake(
    elsewhere: WakeListener, caplog: pytest.LogCaptureFixture
) -> None:
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = %s", [PUBLISHER_CHANNEL]
        )
    assert elsewhere.wait(LIMIT_S)
    assert not caplog.records, "nobody has missed anything"
    waking.wake_publisher()
    assert elsewhere.wait(LIMIT_S)


def test_where_nobody_listens_nobody_is_there(elsewhere: WakeListener) -> None:
    elsewhere.__exit__(None, None, None)
    wait_until(lambda: not waking.is_publisher_there())  # the server notices a moment later

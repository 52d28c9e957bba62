"""The two writing operations over ASGI as on the server: each request in its own thread and connection."""

import asyncio
import json
import sqlite3
import time
from collections.abc import Iterable, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from django.core.asgi import get_asgi_application
from django.db import connection
from pytest_django import Settings

from portolan.api import patience
from portolan.article_views.counting import read_views
from portolan.leads.file_store import FileStore
from portolan.leads.models import Lead
from portolan.leads.spool import replay_spool
from portolan.releases.models import Release, ReleaseItem

from ...leads.conftest import BOUNDARY, FORM, PDF, encode, stored_files
from ...processes import LIMIT_S
from .conftest import FORM_DATA, HOSTS

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("many_connections")]

APPLICATION = get_asgi_application()


async def ask(method: str, path: str, body: Iterable[bytes] = (), **headers: str) -> tuple[int, Any]:
    """One request, its body in pieces and without a declared length."""
    fields = {"Host": HOSTS["en"], **{name.replace("_", "-"): value for name, value in headers.items()}}
    scope = {
        "type": "http",
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": path,
        "raw_path": path.encode(),
        "query_string": b"",
        "headers": [(name.lower().encode(), value.encode()) for name, value in fields.items()],
        "client": ("203.0.113.7", 5000),
        "server": ("127.0.0.1", 8000),
    }
    pieces = [{"type": "http.request", "body": piece, "more_body": True} for piece in body]
    pieces.append({"type": "http.request", "body": b"", "more_body": False})
    replies: list[Mapping[str, Any]] = []
    answered = asyncio.Event()

    async def receive() -> Mapping[str, Any]:
        if pieces:
            return pieces.pop(0)
        await answered.wait()
        return {"type": "http.disconnect"}

    async def send(message: Mapping[str, Any]) -> None:
        replies.append(message)
        if message["type"] == "http.response.body" and not message.get("more_body"):
            answered.set()

    await APPLICATION(scope, receive, send)  # type: ignore[arg-type]
    data = b"".join(reply.get("body", b"") for reply in replies)
    return replies[0]["status"], json.loads(data)


def submit(body: Iterable[bytes]) -> tuple[int, Any]:
    kind = f"multipart/form-data; boundary={BOUNDARY}"
    return asyncio.run(ask("POST", FORM_DATA, body, Integration="site", Content_Type=kind))


def test_a_form_comes_in_pieces(tmp_path: Path) -> None:
    body = encode(FORM, [("attachments[0]", "cv.pdf", PDF * 10_000)])
    status, receipt = submit(body[start : start + 5000] for start in range(0, len(body), 5000))
    assert status == 201
    assert Lead.objects.get(pk=receipt["id"]).files.get().size == len(PDF) * 10_000
    assert len(stored_files(tmp_path / "leads")) == 1


def test_a_form_does_not_wait_long_for_a_database_that_somebody_has_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL locks rows")
    monkeypatch.setattr(patience, "LONGEST_WAIT_S", 0.05)
    monkeypatch.setitem(connection.settings_dict["OPTIONS"], "timeout", 2 * LIMIT_S)
    with closing(sqlite3.connect(tmp_path / "test.sqlite3", isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        began = time.monotonic()
        status, receipt = submit([encode(FORM)])
        assert status == 202, "it is in the spool"
        assert time.monotonic() - began < LIMIT_S, "as long as an editor's save would have waited"
        other.rollback()
    assert replay_spool(FileStore(tmp_path / "leads")) == 1
    assert Lead.objects.filter(pk=receipt["id"]).exists()


def test_a_form_that_grows_without_saying_so_is_broken_off(tmp_path: Path) -> None:
    status, problem = submit([encode(FORM), *[b"x" * (1 << 20)] * 31])
    assert (status, problem["code"]) == (413, "body-too-large")
    assert stored_files(tmp_path / "leads") == []
    assert not Lead.objects.exists()


def test_a_hundred_visits_at_once_are_a_hundred(settings: Settings, tmp_path: Path) -> None:
    settings.BUILDS_DIR = tmp_path / "builds"
    release = Release.objects.create()
    ReleaseItem.objects.create(site="en", kind="news", key="a", digest="1", body=b"{}", since=release.number)

    async def visit() -> list[tuple[int, Any]]:
        return await asyncio.gather(*(ask("PUT", "/api/integration/articles/views/a") for _ in range(100)))

    replies = asyncio.run(visit())
    assert sorted(reply["views"] for _, reply in replies) == list(range(1, 101))
    assert read_views("a") == 100

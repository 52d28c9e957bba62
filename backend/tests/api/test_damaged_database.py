"""Requests while SQLite's file has junk in it: each gets the reply for a missing database, quickly and without a
traceback."""

from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.contrib.auth import get_user_model
from django.core.cache import cache
from django.db import connection
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from portolan.api.integration import articles
from portolan.leads import accept
from portolan.leads.spool import open_spool

from ..consent_records.conftest import CHOICE
from ..damaged_databases import damage_header, damage_table
from ..leads.conftest import BOUNDARY, FORM, encode

Ask = Callable[[Client], HttpResponse]
SITE = {"host": "de.localhost:8000", "origin": "http://de.localhost:8000"}
STUDIO = {"host": "studio.localhost:8000"}


def send_choice(client: Client) -> HttpResponse:
    return client.post("/__consent", CHOICE, content_type="application/json", headers=SITE)


def count_view(client: Client) -> HttpResponse:
    return client.put("/api/integration/articles/views/news", headers=SITE)


def send_form(client: Client) -> HttpResponse:
    return client.post("/__form", encode(FORM), content_type=f"multipart/form-data; boundary={BOUNDARY}", headers=SITE)


def sign_in(client: Client) -> HttpResponse:
    return client.post("/admin/login/", {"username": "somebody", "password": "something-long-1"}, headers=STUDIO)


def open_studio(client: Client) -> HttpResponse:
    client.cookies["sessionid"] = "somebody"
    return client.get("/admin/", headers=STUDIO)


@pytest.fixture
def database(many_connections: None, tmp_path: Path, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Path:
    if connection.vendor != "sqlite":
        pytest.skip("writes junk into SQLite's file")
    settings.LEADS_DIR, settings.LEADS_SOCKET = tmp_path / "leads", tmp_path / "leads.sock"
    monkeypatch.setattr(accept, "_away_until", 0.0)
    monkeypatch.setattr(articles, "_articles", lambda: SimpleNamespace(has=lambda id: True))
    get_user_model().objects.create_user("somebody", password="something-long-1")
    cache.clear()
    connection.close()
    return tmp_path / "test.sqlite3"


@pytest.mark.parametrize(
    ("part", "ask", "status"),
    [
        ("consent_records_consentrecord", send_choice, 503),
        ("article_views_articleview", count_view, 503),
        ("leads_lead", send_form, 303),
        ("auth_user", sign_in, 503),
        ("accounts_signin", sign_in, 503),
        *[("header", ask, 503) for ask in (send_choice, count_view, sign_in, open_studio)],
        ("header", send_form, 303),
    ],
)
def test_it_is_said_in_a_sentence(
    part: str, ask: Ask, status: int, database: Path, caplog: pytest.LogCaptureFixture, settings: Settings
) -> None:
    if part == "header":
        damage_header(database)
    else:
        damage_table(database, part)
    answer = ask(Client(raise_request_exception=False))
    assert answer.status_code == status, answer.content
    said = answer.content.decode()
    assert "Traceback" not in said
    assert "malformed" not in said
    assert "The database is damaged" in caplog.text
    if status == 503:
        assert answer["Retry-After"] == "5"
        assert 'http-equiv="refresh"' not in said  # a reload does not repair the database
    else:
        assert open_spool(settings.LEADS_DIR).count() == 1

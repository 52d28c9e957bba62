"""Requests that change data or describe a person. Each test has its own limits and files."""

from collections.abc import Callable, Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from django.conf import settings as django_settings
from django.core.cache import cache
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from portolan.leads import accept, housekeeping

from ...leads.conftest import BOUNDARY, FORM, File, encode

HOSTS = {key: urlsplit(origin).netloc for key, origin in django_settings.SITE_ORIGINS.items()}
FORM_DATA = "/api/integration/form-data"

Submit = Callable[..., HttpResponse]


@pytest.fixture(autouse=True)
def own_state(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    settings.LEADS_DIR = tmp_path / "leads"
    settings.EMAIL_NAME_SERVERS = None
    settings.LEADS_SOCKET = tmp_path / "leads.sock"
    monkeypatch.setattr(housekeeping, "_next_at", float("inf"))
    monkeypatch.setattr(accept, "_away_until", 0.0)
    cache.clear()
    yield
    cache.clear()


@pytest.fixture
def submit(client: Client) -> Submit:
    """``submit({"message": None}, [file], Idempotency_Key="…")``: the right form with changes, or a body of bytes."""

    def send(
        changes: dict[str, str | None] | bytes | None = None,
        files: list[File] | None = None,
        content_type: str = f"multipart/form-data; boundary={BOUNDARY}",
        address: str = "203.0.113.7",
        **headers: str | None,
    ) -> HttpResponse:
        if not isinstance(changes, bytes):
            fields = {key: value for key, value in {**FORM, **(changes or {})}.items() if value is not None}
            changes = encode(fields, files)
        given = {"Host": HOSTS["en"], "Integration": "site", "Accept-Language": "ae"}
        given |= {name.replace("_", "-"): value for name, value in headers.items()}  # type: ignore[misc]
        sent = {name: value for name, value in given.items() if value is not None}
        return client.post(FORM_DATA, data=changes, content_type=content_type, headers=sent, REMOTE_ADDR=address)

    return send

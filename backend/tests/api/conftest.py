"""A release written by hand: the API reads releases and nothing else."""

import hashlib
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest
from django.conf import settings
from django.http import HttpResponse
from django.test import Client
from pytest_django import Settings

from portolan.releases.connection import run
from portolan.releases.formats import current_format
from portolan.releases.ids import ItemId
from portolan.releases.index import write_index
from portolan.releases.models import Release, ReleaseItem

_PAGE = {"template": "service", "title": "", "parent": None, "changed": None, "switcher_hidden": False}


@pytest.fixture(autouse=True)
def builds(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Make no build live, so every site shows the newest release. Clear the caches of earlier tests."""
    monkeypatch.setattr("portolan.api.release_content._kept", {})
    settings.BUILDS_DIR = tmp_path / "builds"
    return tmp_path / "builds"


@pytest.fixture
def snapshot(db: None) -> Callable[[dict[tuple[str, str, str], Any]], Release]:
    """Return a function that writes a release of these items and replaces the last: ``snapshot({("en", "office",
    "dallas"): {…}})``.
    """

    def write(items: dict[tuple[str, str, str], Any]) -> Release:
        number = Release.objects.count() + 1
        current = ReleaseItem.objects.filter(until=None)
        bodies: dict[ItemId, Any] = {ItemId(*key): None for key in current.values_list("site", "kind", "key")}
        current.update(until=number)
        rows = []
        for (site, kind, key), value in items.items():
            body = json.dumps(value).encode()
            digest = hashlib.sha256(body).hexdigest()[:32]
            row = ReleaseItem(site=site, kind=kind, key=key, body=body, digest=digest, since=number)
            row.format = current_format(kind)
            rows.append(row)
            bodies[ItemId(site, kind, key)] = {**_PAGE, **value} if kind == "page" else value
        ReleaseItem.objects.bulk_create(rows)
        write_index(run, number, bodies)
        return Release.objects.create(number=number)

    return write


@pytest.fixture
def get(client: Client) -> Callable[..., HttpResponse]:
    """``get(path, "de", Accept_Language="…")``: a request to the German site's host (``studio``: the studio's)."""
    hosts = {key: urlsplit(origin).netloc for key, origin in settings.SITE_ORIGINS.items()}
    hosts["studio"] = urlsplit(settings.WAGTAILADMIN_BASE_URL).netloc

    def call(path: str, host: str = "en", **headers: str) -> HttpResponse:
        given = {name.replace("_", "-"): value for name, value in headers.items()}
        return client.get(path, headers={"Host": hosts.get(host, host), **given})

    return call


def assert_problem(response: HttpResponse, status: int, code: str) -> dict[str, Any]:
    """Check the one schema of errors, from any source."""
    assert response.status_code == status
    assert response["Content-Type"] == "application/problem+json"
    assert response["Cache-Control"] == "no-store"
    problem = response.json()
    assert set(problem) == {"type", "title", "status", "code", "detail", "errors"}
    assert (problem["status"], problem["code"]) == (status, code)
    assert "Traceback" not in response.content.decode()
    return problem

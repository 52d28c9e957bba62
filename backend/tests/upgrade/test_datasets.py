"""Each data set of an earlier version is upgraded by the command, published, served by the API, and edited in the
studio, with the current code.
"""

import json
import os
import re
from collections.abc import Iterator
from datetime import date
from pathlib import PurePath
from typing import Any

import orjson
import pytest
from django.conf import settings as django_settings
from django.contrib.auth import get_user_model
from django.contrib.contenttypes.models import ContentType
from django.core.cache import cache
from django.db import connection, connections
from django.test import Client
from pytest_django import Settings
from wagtail.models import Page

from portolan.builds.live import read_live
from portolan.builds.manifest import read_manifest
from portolan.config.settings import _database
from portolan.content.models import Office
from portolan.content.site_records import SiteRecord
from portolan.domain.content_api import READS
from portolan.releases.connection import connected_reader
from portolan.releases.create import create_release
from portolan.releases.reader import Item
from portolan_dev.dataset.states import DRAFT, SCHEDULED

from .restore import DATASETS, on_postgres, unpack
from .studio_form import form_data
from .upgraded import Upgraded, upgrade, upgraded_copy

pytestmark = [pytest.mark.django_db, pytest.mark.postgres, pytest.mark.one_worker]
LATER = "('content', '9999_later'"
SITES = ("en", "uk", "de", "ae")


@pytest.fixture(scope="module", params=DATASETS, ids=lambda file: file.name.removesuffix(".tar.xz"))
def upgraded(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Upgraded]:
    if connection.vendor == "sqlite":
        yield upgraded_copy(request.param, tmp_path_factory)
        return
    var = unpack(request.param, tmp_path_factory.mktemp("installation"))
    with on_postgres(var, os.environ["DATABASE_URL"], f"dataset_{os.getpid()}") as url:
        yield upgrade(var, url, "--dumped")


@pytest.fixture
def installed(upgraded: Upgraded, db: None, settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[Upgraded]:
    """Let Django use the upgraded installation."""
    monkeypatch.setattr("portolan.api.release_content._kept", {})
    var = upgraded.var
    settings.MEDIA_ROOT, settings.BUILDS_DIR = var / "media", var / "builds"
    settings.LEADS_DIR, settings.WAKE_SOCKET = var / "leads", var / "publisher.sock"
    settings.UPGRADE_LOCK = var / "upgrade.lock"
    usual, known = connections["default"], connections.settings["default"]
    given = {name: value for name, value in _database(upgraded.url).items() if name != "TEST"}
    given["OPTIONS"] = {name: value for name, value in given["OPTIONS"].items() if name != "pool"}
    connections.settings["default"] = {**known, **given}
    connections["default"] = connections.create_connection("default")
    _forget()
    try:
        yield upgraded
    finally:
        _forget()
        connections["default"].close()
        connections.settings["default"] = known
        connections["default"] = usual


def _forget() -> None:
    """Clear the caches of Django and Wagtail of another database."""
    ContentType.objects.clear_cache()
    cache.clear()


@pytest.fixture
def studio(installed: Upgraded, client: Client) -> Client:
    client.force_login(get_user_model().objects.get(username="editor"))
    return client


def page_at(path: str) -> Any:
    root = SiteRecord.objects.get(key="en").wagtail_site.root_page
    return Page.objects.get(url_path=f"{root.url_path.rstrip('/')}{path}/").specific


def page_snapshot(page: Any) -> Item:
    reader = connected_reader()
    item = reader.item(reader.latest() or 0, "en", "page", str(page.translation_key))
    assert item
    return item


def test_there_is_a_data_set() -> None:
    assert DATASETS


def test_the_data_set_has_every_kind_and_every_block_of_its_version(installed: Upgraded) -> None:
    about = json.loads((installed.var / "about.json").read_text())
    schemas = [PurePath(name) for name in about["frozen"]]
    kinds = {name.name.partition(".")[0] for name in schemas if len(name.parts) == 1}
    blocks = {name.stem for name in schemas if len(name.parts) == 2}
    assert len(kinds) > 15
    assert len(blocks) > 30
    items = connected_reader().items(about["release"])
    assert kinds <= {item.kind for item in items}
    assert blocks <= {
        block["type"] for item in items if item.kind == "page" for block in orjson.loads(item.body)["blocks"]
    }


def test_the_command_says_what_it_will_do_and_does_it(upgraded: Upgraded) -> None:
    assert upgraded.checked.returncode == 3, upgraded.checked.stderr
    assert "Traceback" not in upgraded.checked.stderr + upgraded.done.stderr
    assert upgraded.done.returncode == 0, upgraded.done.stdout + upgraded.done.stderr
    live = read_live(upgraded.var / "builds")
    assert set(live.builds) == set(SITES)
    for site, build in live.builds.items():
        assert f"{site:<4} release {live.releases[site]}, build {build}" in upgraded.done.stderr
        assert len(read_manifest(upgraded.var / "builds", site, build).files) > 10


def test_afterwards_nothing_is_left_to_do(upgraded: Upgraded) -> None:
    before = read_live(upgraded.var / "builds")
    again = upgraded.run("upgrade")
    assert (again.returncode, "nothing to do" in again.stderr) == (0, True), again.stderr
    assert read_live(upgraded.var / "builds") == before


@pytest.fixture
def newer(installed: Upgraded) -> Iterator[None]:
    """Simulate a later version's work on the database."""
    with connection.cursor() as cursor:
        cursor.execute(f"INSERT INTO django_migrations (app, name, applied) VALUES {LATER}, '2099-01-01')")
    yield
    with connection.cursor() as cursor:  # a new one: a refused request may have closed the last
        cursor.execute("DELETE FROM django_migrations WHERE name = '9999_later'")


def test_a_downgrade_is_refused_by_all_that_write(
    newer: None, studio: Client, installed: Upgraded, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("portolan.releases.connection._fits_until", 0.0)
    studio.raise_request_exception = False
    before = read_live(installed.var / "builds"), page_at("/about-us").latest_revision_id
    for code, *command in ((4, "upgrade"), (1, "publish"), (1, "releases", "refresh")):
        done = installed.run(*command)
        assert done.returncode == code, done.stderr
        assert "A newer version of Portolan has upgraded the database (content.9999_later)" in done.stderr
        assert "restore the database backup from before the upgrade" in done.stderr
        assert "Traceback" not in done.stderr
    saved = studio.post(f"/admin/pages/{page_at('/about-us').pk}/edit/", {"title": "Not taken"})
    assert (saved.status_code, "has to be restarted" in saved.content.decode()) == (503, True)
    counted = studio.put("/api/integration/articles/views/x", headers={"Host": "localhost:8000"})
    assert (counted.status_code, counted["Content-Type"]) == (503, "application/problem+json")
    lead = {"contact[name]": "A", "contact[email]": "a@northwind.example", "message": "We move containers."}
    lead |= {"pageUrl": "http://localhost:8000/contact-us", "privacyAccepted": "true", "captchaToken": "no-token"}
    headers = {"Host": "localhost:8000", "Integration": "site", "Idempotency-Key": "sent-to-the-old-version"}
    sent = studio.post("/api/integration/form-data", lead, headers=headers)
    assert sent.status_code == 202, "a lead waits in the spool"
    assert (read_live(installed.var / "builds"), page_at("/about-us").latest_revision_id) == before
    assert studio.get(f"/admin/pages/{page_at('/about-us').pk}/edit/").status_code == 200, "what can be read is shown"


def test_drafts_and_schedules_are_kept(installed: Upgraded) -> None:
    assert page_at("/about-us").get_latest_revision_as_object().title.startswith(DRAFT)
    assert not page_at("/about-us").title.startswith(DRAFT)
    scheduled = page_at("/project-cases/alder-grid")
    assert scheduled.scheduled_revision.as_object().title.startswith(SCHEDULED)
    assert not page_at("/never-published").live
    files = read_manifest(installed.var / "builds", "en", read_live(installed.var / "builds").builds["en"]).files
    assert {"/about-us", "/project-cases/alder-grid"} <= files.keys()
    assert files.keys().isdisjoint({"/never-published", "/taken-down", "/deleted"})


@pytest.mark.parametrize("site", ["en", "ae"])
def test_the_api_answers_every_read(installed: Upgraded, client: Client, site: str) -> None:
    host = django_settings.SITE_ORIGINS[site].partition("//")[2]

    def get(path: str) -> Any:
        return client.get(f"/api/{path}", headers={"Host": host, "Page-Key": "home"})

    news = re.findall(r'"id":\s*"([^"]+)"', get("content/news").content.decode())
    values = {"facet": "industry", "value": "energy", "slug": "alder-grid"}
    ids = {"content/news/{id}": news[:1], "content/offices/{id}": ["dallas"], "content/reviews/{id}": ["northwind-vts"]}
    asked = 0
    for read in READS:
        for id in ids.get(read.path, [""]):
            reply = get(read.path.format(id=id, **values))
            known = reply.status_code == 200 or (reply.status_code == 404 and "{" in read.path and site == "ae")
            assert known, (read.path, id, reply.content)
            asked += 1
    assert asked >= len(READS) - 1
    assert site != "en" or news


def test_a_page_with_its_blocks_is_saved_in_the_studio(studio: Client) -> None:
    page = page_at("/services/design-studio")
    address = f"/admin/pages/{page.pk}/edit/"
    opened = studio.get(address)
    assert opened.status_code == 200
    data = form_data(opened.content.decode(), page)
    data["title"] = "Saved by the version after"
    data["action-publish"] = "action-publish"
    reply = studio.post(address, data)
    assert reply.status_code == 302, reply.context["form"].errors
    before = orjson.loads(page_snapshot(page).body)
    assert create_release("test", date.today())
    after = orjson.loads(page_snapshot(page).body)
    assert after["title"] == "Saved by the version after"
    assert after["blocks"] == before["blocks"]


def test_an_entry_is_saved_in_the_studio(studio: Client) -> None:
    office = Office.objects.get(key="dallas")
    address = f"/admin/snippets/content/office/edit/{office.pk}/"
    data = form_data(studio.get(address).content.decode(), office)
    data["phone"] = "+1 214-555-0199"
    data["action-publish"] = "action-publish"
    reply = studio.post(address, data)
    assert reply.status_code == 302, reply.context["form"].errors
    release = create_release("test", date.today())
    assert release
    item = connected_reader().item(release.number, "de", "office", "dallas")
    assert item
    assert b"+1 214-555-0199" in item.body

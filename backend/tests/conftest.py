"""Fixtures shared by all tests that need a database: three small sites, and media in a folder of the test's own."""

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings as django_settings
from django.core.management import call_command
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from pytest_django import Settings
from wagtail.models import Locale, Page, Site

from portolan.config.settings import _database
from portolan.content.pages.home import HomePage
from portolan.content.site_records import SiteRecord
from testing.spreading import read_recorded

SITES: Final = ("en", "uk", "de")
"""The default site, its heir, and one of another language."""
QUICK_FILE_S: Final = 3.0


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--database-alone",
        action="store_true",
        help="Run only the tests that use the database: what `make test` repeats on PostgreSQL.",
    )
    parser.addoption(
        "--quick",
        action="store_true",
        help=f"Run only tests that use no database, of files that take less than {QUICK_FILE_S:.0f} s.",
    )
    parser.addoption(
        "--also", action="append", default=[], metavar="FILE", help="With --quick: all tests of this one too."
    )


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    chosen = items
    if config.getoption("--database-alone"):
        chosen = [item for item in items if _uses_database(item)]
    elif config.getoption("--quick"):
        seconds, also = read_recorded(), config.getoption("--also")
        files = [item.nodeid.partition("::")[0] for item in items]
        chosen = [
            item
            for item, file in zip(items, files, strict=True)
            if file in also or (seconds.get(file, 0) < QUICK_FILE_S and not _uses_database(item))
        ]
    if chosen is not items:
        kept = {*chosen}
        config.hook.pytest_deselected(items=[item for item in items if item not in kept])
        items[:] = chosen


def _uses_database(item: pytest.Item) -> bool:
    fixtures = getattr(item, "fixturenames", ())
    return item.get_closest_marker("django_db") is not None or "db" in fixtures or "transactional_db" in fixtures


@pytest.fixture(autouse=True)
def quick(settings: Settings) -> None:
    """Passwords are hashed quickly, and saves leave the studio's search and usage counts alone (half of their time)."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.dummy.DummyBackend"}}


@pytest.fixture(autouse=True)
def kept_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    """Between requests, and where the publisher asks for it, connections whose autocommit is off are closed. In a test
    that is the one with its own transaction: on PostgreSQL, for SQLite turns nothing off.
    """
    close = BaseDatabaseWrapper.close_if_unusable_or_obsolete

    def close_outside_of_transactions(connection: BaseDatabaseWrapper) -> None:
        if not connection.in_atomic_block:
            close(connection)

    monkeypatch.setattr(BaseDatabaseWrapper, "close_if_unusable_or_obsolete", close_outside_of_transactions)


@pytest.fixture
def media(settings: Settings, tmp_path: Path) -> Path:
    """Uploads of the test go here."""
    settings.MEDIA_ROOT = tmp_path / "media"
    return tmp_path / "media"


@pytest.fixture
def many_connections(transactional_db: None, tmp_path: Path) -> Iterator[None]:
    """A database that many threads, each with a connection of its own, use at once as in production.

    SQLite's test database is in memory, where connections do not wait for each other: there it is a file for the while.
    """
    if connection.vendor != "sqlite":
        yield
        return
    in_memory = connections["default"]
    settings = connections.settings["default"]
    usual = {name: settings[name] for name in ("NAME", "OPTIONS")}
    settings |= {name: _database(f"sqlite:///{tmp_path / 'test.sqlite3'}")[name] for name in usual}
    connections["default"] = connections.create_connection("default")
    try:
        for app in ("contenttypes", "article_views", "leads", "releases"):
            call_command("migrate", app, verbosity=0)
        yield
    finally:
        connections["default"].close()
        settings |= usual
        connections["default"] = in_memory


@pytest.fixture
def sites(db: None) -> Mapping[str, SiteRecord]:
    """Rows of three of the registry's sites, each with a published home page."""
    Site.objects.all().delete()
    Page.objects.filter(depth=2).delete()
    return {key: _create_site(key) for key in SITES}


@pytest.fixture
def homes(sites: Mapping[str, SiteRecord]) -> Mapping[str, HomePage]:
    """Home pages by site."""
    return {key: HomePage.objects.get(pk=record.wagtail_site.root_page_id) for key, record in sites.items()}


@pytest.fixture
def add_page() -> Callable[..., Any]:
    """Adds a published page of a family below another: ``add_page(parent, ServicePage, "web", body=[…])``."""

    def add(parent: Page, family: type[Page], slug: str, **fields: Any) -> Page:
        parent.refresh_from_db()
        page = parent.add_child(instance=family(title=fields.pop("title", slug), slug=slug, **fields))
        page.save_revision().publish()
        return family.objects.get(pk=page.pk)

    return add


@pytest.fixture
def live_copy(sites: Mapping[str, SiteRecord]) -> Callable[..., Any]:
    """A page's live copy on another site: ``live_copy(page, "uk")``."""

    def find(page: Page, site: str) -> Page:
        locale = sites[site].locale
        found = page.get_translation_or_none(locale)
        return (found or page.copy_for_translation(locale, copy_parents=True, alias=True)).specific

    return find


def _create_site(key: str) -> SiteRecord:
    entry = django_settings.SITES_REGISTRY.sites[key]
    locale, _ = Locale.objects.get_or_create(language_code=entry.language.lower())
    default = HomePage.objects.filter(slug="en").first()
    home = HomePage(title=entry.name, slug=key, locale=locale)
    if default:
        home.translation_key = default.translation_key
    Page.get_first_root_node().add_child(instance=home)
    hostname = "localhost" if key == "en" else f"{key}.localhost"
    site = Site.objects.create(hostname=hostname, port=8000, root_page=home, is_default_site=key == "en")
    return SiteRecord.objects.create(key=key, wagtail_site=site, locale=locale)

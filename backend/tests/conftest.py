"""Fixtures for tests with a database: three small sites, and media in a folder for each test."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings as django_settings
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.template import Context, RequestContext, Template
from django.test import override_settings
from django.test.signals import template_rendered
from django.utils.safestring import SafeString
from hypothesis import settings as drawing
from pytest_django import DjangoDbBlocker, Settings
from wagtail.models import Locale, Page, Site
from whitenoise.middleware import WhiteNoiseMiddleware

from portolan.config.settings import _database
from portolan.content.pages.home import HomePage
from portolan.content.site_records import SiteRecord
from testing.memory import folder_in_memory
from testing.spreading import read_recorded

from . import shared_content
from .empty_database import begin_with_copy, write_database
from .shared_content import QUICK_SETTINGS, end_all, ensure

SITES: Final = ("en", "uk", "de")
"""The default site, a site that inherits from it, and one of another language."""
QUICK_FILE_S: Final = 3.0
drawing.register_profile("untimed", deadline=None)
drawing.load_profile("untimed")  # so that a busy machine causes no failure
pytest_plugins = ("tests.on_postgres", "tests.object_stores")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--quick",
        action="store_true",
        help=f"Run only tests that use no database, of files that take less than {QUICK_FILE_S:.0f} s.",
    )
    parser.addoption(
        "--also", action="append", default=[], metavar="FILE", help="With --quick: all tests of this one too."
    )


def pytest_configure(config: pytest.Config) -> None:
    if folder := folder_in_memory():
        os.environ.setdefault(
            "PYTEST_DEBUG_TEMPROOT", folder
        )  # the only way to set it, apart from pytest's command line
    config.pluginmanager.register(shared_content)


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if not config.getoption("--quick"):
        return
    from .on_postgres import uses_database  # a plugin: pytest has to load it first

    seconds, also = read_recorded(), config.getoption("--also")
    files = [item.nodeid.partition("::")[0] for item in items]
    chosen = [
        item
        for item, file in zip(items, files, strict=True)
        if file in also or (seconds.get(file, QUICK_FILE_S) < QUICK_FILE_S and not uses_database(item))
    ]
    kept = {*chosen}
    config.hook.pytest_deselected(items=[item for item in items if item not in kept])
    items[:] = chosen


@pytest.fixture(scope="session")
def django_db_modify_db_settings(
    django_db_modify_db_settings: None, django_db_blocker: DjangoDbBlocker
) -> Iterator[ExitStack]:
    """Let Django's test database start with a copy."""
    with ExitStack() as made:
        with django_db_blocker.unblock():
            made.enter_context(begin_with_copy())
        yield made


@pytest.fixture(scope="session")
def django_db_setup(
    django_db_setup: None, django_db_modify_db_settings: ExitStack, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """Make the database, then let the next worker start."""
    with django_db_blocker.unblock():
        django_db_modify_db_settings.close()
    yield
    with django_db_blocker.unblock():
        end_all()


@pytest.fixture(scope="session", autouse=True)
def static_files_are_found_once() -> Iterator[None]:
    """Index the static files of all apps once. Each test's client loads the middleware again, and the index takes
    longer than most requests.
    """
    find = WhiteNoiseMiddleware.add_files_from_finders
    found: dict[str, Any] = {}

    def find_once(middleware: WhiteNoiseMiddleware) -> None:
        if not found:
            find(middleware)
            found.update(middleware.files)
        middleware.files.update(found)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(WhiteNoiseMiddleware, "add_files_from_finders", find_once)
        yield


@pytest.fixture(scope="session", autouse=True)
def contexts_are_kept_of_pages_alone(django_test_environment: None) -> None:
    """Keep the context of a page only, instead of its hundreds of parts: copying them takes 15 % of a request."""

    def render(template: Template, context: Context) -> SafeString:
        if type(context) is RequestContext and context.template is template:
            template_rendered.send(sender=template, template=template, context=context)
        return template.nodelist.render(context)

    Template._render = render  # type: ignore[method-assign]  # Django puts its own back at the end


@pytest.fixture(scope="session", autouse=True)
def quick(django_test_environment: None) -> Iterator[None]:
    with override_settings(**QUICK_SETTINGS):
        yield


@pytest.fixture(autouse=True)
def kept_transaction(monkeypatch: pytest.MonkeyPatch) -> None:
    """Keep a test's connection open. Connections with autocommit off are closed between requests and by the publisher.
    In a test on PostgreSQL, this connection has the test's transaction.
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
    """A database that many threads use at once as in production, each with its own connection.

    In memory, SQLite's connections do not wait for each other. Here the test database is a file.
    """
    if connection.vendor != "sqlite":
        yield
        return
    write_database(tmp_path / "test.sqlite3")
    in_memory = connections["default"]
    settings = connections.settings["default"]
    usual = {name: settings[name] for name in ("NAME", "OPTIONS")}
    settings |= {name: _database(f"sqlite:///{tmp_path / 'test.sqlite3'}")[name] for name in usual}
    connections["default"] = connections.create_connection("default")
    # This turns on the log (WAL), as `migrate` does in production. If many do it at once, some are refused.
    connections["default"].ensure_connection()
    try:
        yield
    finally:
        connections["default"].close()
        settings |= usual
        connections["default"] = in_memory


@pytest.fixture
def sites(db: None) -> Mapping[str, SiteRecord]:
    """Rows of three configured sites, each with a published home page."""
    ensure("sites")
    records = SiteRecord.objects.select_related("wagtail_site", "locale").in_bulk(SITES, field_name="key")
    return {key: records[key] for key in SITES}


@shared_content.shared("sites")
def make_sites(media: Path) -> None:
    Site.objects.all().delete()
    Page.objects.filter(depth=2).delete()
    for key in SITES:
        _create_site(key)


@pytest.fixture
def homes(sites: Mapping[str, SiteRecord]) -> Mapping[str, HomePage]:
    """Home pages by site."""
    return {key: HomePage.objects.get(pk=record.wagtail_site.root_page_id) for key, record in sites.items()}


@pytest.fixture
def add_page() -> Callable[..., Any]:
    """Return a function that adds a published page below another: ``add_page(parent, ServicePage, "web", body=[…])``."""

    return publish_page


def publish_page(parent: Page, page_type: type[Page], slug: str, **fields: Any) -> Any:
    parent.refresh_from_db()
    page = parent.add_child(instance=page_type(title=fields.pop("title", slug), slug=slug, **fields))
    page.save_revision(clean=False).publish()  # `add_child` has validated it
    return page_type.objects.get(pk=page.pk)


@pytest.fixture
def live_copy(sites: Mapping[str, SiteRecord]) -> Callable[..., Any]:
    """A page's live copy on another site: ``live_copy(page, "uk")``."""

    def find(page: Page, site: str) -> Page:
        locale = sites[site].locale
        found = page.get_translation_or_none(locale)
        return (found or page.copy_for_translation(locale, copy_parents=True, alias=True)).specific

    return find


def _create_site(key: str) -> None:
    entry = django_settings.SITES_REGISTRY.sites[key]
    locale, _ = Locale.objects.get_or_create(language_code=entry.language.lower())
    default = HomePage.objects.filter(slug="en").first()
    home = HomePage(title=entry.name, slug=key, locale=locale)
    if default:
        home.translation_key = default.translation_key
    Page.get_first_root_node().add_child(instance=home)
    hostname = "localhost" if key == "en" else f"{key}.localhost"
    site = Site.objects.create(hostname=hostname, port=8000, root_page=home, is_default_site=key == "en")
    SiteRecord.objects.create(key=key, wagtail_site=site, locale=locale)

"""The effects of publishing, translating and confirming on the states of translations."""

from collections.abc import Callable, Mapping
from datetime import date
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection
from django.test.utils import CaptureQueriesContext
from wagtail.actions.convert_alias import ConvertAliasPageAction
from wagtail.models import Page, PageLogEntry

from portolan.content.models import FolderPage, ServicePage
from portolan.translations import tracking
from portolan.translations.fill import fill_tables
from portolan.translations.matrix import Cell, read_rows
from portolan.translations.models import PageText, SourceText, Translation

pytestmark = pytest.mark.django_db
SITES = ("en", "uk", "de")


@pytest.fixture
def english(homes: Mapping[str, Any], add_page: Callable[..., Any]) -> Any:
    return add_page(homes["en"], ServicePage, "web", title="Web")


@pytest.fixture
def german(homes: Mapping[str, Any], english: Any, add_page: Callable[..., Any]) -> Any:
    own = {"locale": homes["de"].locale, "translation_key": english.translation_key}
    return add_page(homes["de"], ServicePage, "web", title="Netz", **own)


def cell(page: Page, site: str) -> Cell:
    return {row.key: row.cells for row in read_rows(SITES)}[page.translation_key][site]


def state(page: Page, site: str) -> str:
    return str(cell(page, site).state)


def publish(page: Any, **values: Any) -> None:
    page = type(page).objects.get(pk=page.pk)
    for name, value in values.items():
        setattr(page, name, value)
    page.save_revision().publish()


def test_a_page_without_a_translation_is_missing(english: Any) -> None:
    found = cell(english, "de")
    assert (found.state, found.page_id, found.words) == ("missing", None, 1)


def test_a_live_copy_follows_every_change(english: Any, live_copy: Callable[..., Any]) -> None:
    live_copy(english, "uk")
    publish(english, title="Websites")
    found = cell(english, "uk")
    assert (found.state, found.follows, found.words) == ("current", True, 0)
    assert not Translation.objects.filter(translation_key=english.translation_key, site="uk").exists()


def test_a_change_of_the_source_outdates_the_translation(english: Any, german: Any) -> None:
    assert state(english, "de") == "current"
    publish(english, title="Websites and shops")
    found = cell(english, "de")
    assert (found.state, found.words) == ("outdated", 3)
    assert found.since is not None
    publish(english, title="Websites")
    assert (cell(english, "de").words, cell(english, "de").since) == (1, found.since)


def test_the_former_text_of_the_source_makes_it_current_again(english: Any, german: Any) -> None:
    publish(english, title="Websites")
    publish(english, title="Web")
    assert (state(english, "de"), cell(english, "de").since) == ("current", None)


@pytest.mark.parametrize("values", [{"slug": "websites"}, {"switcher_hidden": True}])
def test_other_changes_of_the_source_leave_it_current(english: Any, german: Any, values: dict[str, Any]) -> None:
    publish(english, **values)
    assert state(english, "de") == "current"


def test_a_draft_of_the_source_leaves_it_current(english: Any, german: Any) -> None:
    english.title = "Websites"
    english.save_revision()
    assert state(english, "de") == "current"


def test_publishing_the_translation_does_not_confirm_it(english: Any, german: Any) -> None:
    publish(english, title="Websites")
    page = ServicePage.objects.get(pk=german.pk)
    page.title = "Websites"
    page.save_revision()
    assert state(english, "de") == "in-progress"
    publish(german, title="Websites")
    assert state(english, "de") == "outdated"


def test_confirming_ends_the_assignment(english: Any, german: Any) -> None:
    publish(english, title="Websites")
    person = get_user_model().objects.create(username="anna")
    rows = Translation.objects.filter(translation_key=english.translation_key, site="de")
    rows.update(assignee=person, due=date(2026, 12, 1))
    assert state(english, "de") == "in-progress"
    tracking.confirm(english.translation_key, ["de"], person)
    row = rows.get()
    assert (state(english, "de"), row.assignee, row.due, row.confirmed_by) == ("current", None, None, person)


def test_a_page_copied_for_translation_begins_with_the_present_text(english: Any, homes: Mapping[str, Any]) -> None:
    page = english.copy_for_translation(homes["de"].locale)
    assert state(english, "de") == "in-progress"
    page.get_latest_revision().publish()
    assert state(english, "de") == "current"


def test_a_live_copy_that_becomes_a_local_version_begins_with_the_present_text(
    english: Any, live_copy: Callable[..., Any]
) -> None:
    ConvertAliasPageAction(live_copy(english, "uk")).execute(skip_permission_checks=True)
    assert (state(english, "uk"), cell(english, "uk").follows) == ("current", False)
    publish(english, title="Websites")
    assert state(english, "uk") == "current", "it takes over a change that meets no own text"


def test_a_translation_made_before_its_source_begins_with_the_text_of_its_own_publication(
    english: Any, homes: Mapping[str, Any], add_page: Callable[..., Any]
) -> None:
    page = ServicePage(title="Netz", slug="web", locale=homes["de"].locale, live=False)
    homes["de"].add_child(instance=page)
    ServicePage.objects.filter(pk=page.pk).update(translation_key=english.translation_key)
    publish(page, title="Websites")
    assert state(english, "de") == "current"


def test_texts_that_nothing_needs_are_removed(english: Any, german: Any) -> None:
    for title in ("One", "Two", "Three"):
        publish(english, title=title)
    row = Translation.objects.get(translation_key=english.translation_key, site="de")
    own = PageText.objects.get(page_id=english.pk)
    found = [text for text in SourceText.objects.all() if text.segments.get("title") in ("Web", "One", "Two", "Three")]
    assert {text.pk for text in found} == {row.base_id, own.text_id}


def test_pages_without_a_published_source_have_no_row(
    english: Any, german: Any, homes: Mapping[str, Any], add_page: Callable[..., Any]
) -> None:
    add_page(homes["de"], ServicePage, "agb", title="AGB", locale=homes["de"].locale)
    folder = add_page(homes["en"], FolderPage, "folder", title="Folder")
    english.unpublish()
    keys = {row.key for row in read_rows(SITES)}
    assert keys.isdisjoint({english.translation_key, folder.translation_key})
    assert not read_rows(SITES)


def test_the_number_of_queries_does_not_depend_on_the_number_of_pages(
    homes: Mapping[str, Any], english: Any, german: Any, add_page: Callable[..., Any]
) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            read_rows(SITES)
        return len(queries)

    few = count()
    for number in range(20):
        publish(add_page(homes["en"], ServicePage, f"page-{number}", title="Page"), title="Another page")
    assert count() == few


class TestFill:
    """The tables of an installation that is older than this package."""

    @pytest.fixture(autouse=True)
    def older(self) -> Any:
        tracking.disconnect()
        yield
        tracking.connect()

    def fill(self) -> None:
        Translation.objects.all().delete()
        PageText.objects.all().delete()
        SourceText.objects.all().delete()
        fill_tables()

    def test_an_unchanged_source(self, english: Any, german: Any) -> None:
        self.fill()
        assert (state(english, "de"), cell(english, "uk").follows) == ("current", True)

    def test_a_source_published_later_without_a_change(self, english: Any, german: Any) -> None:
        publish(english)
        self.fill()
        assert state(english, "de") == "current"

    def test_a_source_changed_later(self, english: Any, german: Any) -> None:
        publish(english, title="Websites and shops")
        changed = PageLogEntry.objects.filter(page_id=english.pk, action="wagtail.publish").latest("timestamp")
        self.fill()
        found = cell(english, "de")
        assert (found.state, found.words, found.since) == ("outdated", 3, changed.timestamp)
        base = Translation.objects.get(site="de", translation_key=english.translation_key).base
        assert base is not None
        assert base.segments["title"] == "Web"

    def test_a_source_whose_earlier_text_is_unknown(self, english: Any, german: Any) -> None:
        publish(english, title="Websites and shops")
        PageLogEntry.objects.filter(page_id=english.pk).delete()
        self.fill()
        found = cell(english, "de")
        assert (found.state, found.words, found.since) == ("outdated", 3, None)

    def test_filled_tables_stay(self, english: Any, german: Any) -> None:
        self.fill()
        publish(english, title="Websites")
        fill_tables()
        assert PageText.objects.get(page_id=english.pk).text.segments["title"] == "Web"

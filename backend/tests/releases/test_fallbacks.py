"""Releases have the source's page where a site chose it and has no page of its own."""

import json

import pytest

from portolan.content.fallbacks import PageFallback
from portolan.content.pages.about import AboutPage
from portolan.content.pages.folder import FolderPage
from portolan.content.pages.service import ServicePage
from portolan.releases.connection import connected_reader
from portolan.releases.models import PendingChange

from ..conftest import publish_page
from .conftest import World, rich_text

pytestmark = pytest.mark.django_db

WEB, ABOUT = "/services/web", "/about-us"


@pytest.fixture
def german(world: World) -> World:
    """The world after the German site has chosen the source's pages for everything that it lacks."""
    PageFallback.objects.create(site="de", is_shown=True)
    world.snapshot()
    assert world.differences() == {("added", "de", "page", WEB)}
    return world


def edit_source(world):
    page = world.page("web")
    page.body = rich_text("<p>Better words</p>")
    page.save_revision().publish()


def unpublish_source(world):
    world.page("web").unpublish()


def move_source(world):
    world.page("web").move(world.page("home"), "last-child")


def rename_folder(world):
    page = world.page("services")
    page.slug = "what-we-do"
    page.save_revision().publish()


def translate(world):
    home, key = world.sites["de"].wagtail_site.root_page, world.page("web").translation_key
    publish_page(home, ServicePage, "netz", locale=world.sites["de"].locale, translation_key=key)


def take_path(world):
    home, locale = world.sites["de"].wagtail_site.root_page, world.sites["de"].locale
    publish_page(publish_page(home, FolderPage, "services", locale=locale), AboutPage, "web", locale=locale)


def unpublish_translation(world):
    world.page("german").unpublish()


def hide_translation(world):
    page = world.page("german")
    page.hidden_here = True
    page.save()


def choose_none_for_page(world):
    PageFallback.objects.create(site="de", page_key=str(world.page("web").translation_key), is_shown=False)


def choose_none_for_type(world):
    PageFallback.objects.create(site="de", page_type="servicepage", is_shown=False)


def withdraw(world):
    PageFallback.objects.get(site="de").delete()


def pages(change, path, *sites):
    return {(change, site, "page", path) for site in sites}


CASES = [
    (edit_source, pages("changed", WEB, "en", "uk", "de")),
    (unpublish_source, pages("removed", WEB, "en", "uk", "de")),
    (move_source, pages("changed", "/web", "en", "uk", "de")),
    (rename_folder, pages("changed", "/what-we-do/web", "en", "uk", "de")),
    (translate, pages("changed", "/netz", "de")),
    (take_path, pages("removed", WEB, "de") | pages("added", WEB, "de")),
    (unpublish_translation, pages("changed", ABOUT, "de")),
    (hide_translation, pages("removed", ABOUT, "de")),
    (choose_none_for_page, pages("removed", WEB, "de")),
    (choose_none_for_type, pages("removed", WEB, "de")),
    (withdraw, pages("removed", WEB, "de")),
]


@pytest.mark.parametrize(("edit", "expected"), CASES, ids=lambda value: getattr(value, "__name__", ""))
def test_an_edit_changes_these_pages_and_no_others(german, edit, expected):
    edit(german)
    german.snapshot()
    assert german.differences() == expected
    assert not PendingChange.objects.exists()
    assert german.snapshot(full=True) is None, "exporting everything finds nothing more"


def test_a_page_of_its_own_makes_room_again(german):
    take_path(german)
    german.snapshot()
    german.sites["de"].wagtail_site.root_page.get_children().get(slug="services").delete()
    german.snapshot()
    assert german.differences() == pages("removed", WEB, "de") | pages("added", WEB, "de")
    assert german.snapshot(full=True) is None


def test_the_item_names_the_source_and_has_its_content(german):
    key = str(german.page("web").translation_key)
    reader = connected_reader()
    ours, source = (json.loads(reader.item(2, site, "page", key).body) for site in ("de", "en"))
    assert ours.pop("fallback") == "en"
    assert ours == source
    (row,) = [page for page in reader.translations(2, [key]) if page.site == "de"]
    assert (row.fallback, row.content_site) == ("en", "en")
    assert reader.check_index() == []

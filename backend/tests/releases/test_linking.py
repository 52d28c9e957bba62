"""Items that link to a page are frozen with it. A release has no link to a page that is gone, and has it again with the page."""

from typing import Any

import pytest
from wagtail.models import Page, ReferenceIndex

from portolan.content.models import MenuSettings, ServicePage
from portolan.releases.connection import connected_reader
from portolan.releases.models import PendingChange
from portolan.studio.deleting import delete_page, restore_page

from ..conftest import publish_page
from .conftest import World, rich_text

pytestmark = pytest.mark.django_db


@pytest.fixture
def linked(world: World) -> Page:
    """An English page to which the menu, a page, and a German page link."""
    target = publish_page(world.page("home"), ServicePage, "target")
    html = f'<p>See <a linktype="page" id="{target.pk}">the words</a></p>'
    for name in ("web", "german"):
        page = world.page(name)
        page.body = rich_text(html)
        page.save_revision().publish()
    MenuSettings.objects.create(
        site=world.sites["en"].wagtail_site,
        items=[
            {"type": "item", "id": key, "value": {"title": title, "key": key, "page": page}}
            for key, title, page in (("one", "One", target.pk), ("two", "Two", world.pages["about"]))
        ],
        contact=[{"type": "link", "value": {"title": "Write", "url": "mailto:a@b.example"}, "id": "1"}],
    )
    for page in Page.objects.filter(title__in=["web", "about-us"]).specific():
        ReferenceIndex.create_or_update_for_object(page)  # as Wagtail does after a commit
    ReferenceIndex.create_or_update_for_object(MenuSettings.objects.get())
    world.snapshot()
    assert not PendingChange.objects.exists()
    return target


def links(target: Page) -> set[tuple[str, str]]:
    """Site and kind of the items of the newest release that link to it."""
    reader = connected_reader()
    held = reader.holders_of_any(reader.latest() or 0, "page", {str(target.translation_key)})
    return {(id.site, id.kind) for id, _ in held if id.key != str(target.translation_key)}


def take_down(page: Page, how: str, user: Any) -> None:
    if how == "delete":
        delete_page(page, user)
    elif how == "unpublish":
        page.unpublish()
    else:
        page.specific.delete()


ALL = {("en", "menu"), ("uk", "menu"), ("en", "page"), ("uk", "page"), ("de", "page")}


@pytest.mark.postgres
@pytest.mark.parametrize("how", ["delete", "unpublish", "erase"])
def test_what_links_to_a_page_that_goes_loses_the_link_in_the_same_release(
    world: World, linked: Page, admin_user: Any, how: str
) -> None:
    assert links(linked) == ALL
    take_down(linked, how, admin_user)
    assert world.snapshot()
    assert links(linked) == set()
    assert not PendingChange.objects.exists(), "nothing waits"
    reader = connected_reader()
    latest = reader.latest() or 0
    menu = reader.item(latest, "en", "menu", "main")
    assert menu
    assert b'"Two"' in menu.body
    assert b'"One"' not in menu.body
    page = reader.item(latest, "de", "page", str(world.page("german").translation_key))
    assert page
    assert b"See the words" in page.body
    if how == "delete":
        restore_page(Page.objects.get(pk=linked.pk).get_parent().specific, admin_user)
    elif how == "unpublish":
        linked.specific.save_revision().publish()
    else:
        return
    assert world.snapshot()
    assert links(linked) == ALL, "the links are back with the page"
    assert not PendingChange.objects.exists()


def test_what_is_edited_afterwards_is_published_without_the_link(world: World, linked: Page, admin_user: Any) -> None:
    delete_page(linked, admin_user)
    world.snapshot()
    page = world.page("web")
    page.title = "Edited"
    page.save_revision().publish()
    world.snapshot()
    assert ("changed", "en", "page", "/services/web") in world.differences()
    assert not PendingChange.objects.exists()


def test_a_link_to_a_page_that_was_never_live_still_waits(world: World) -> None:
    draft = world.page("home").add_child(instance=ServicePage(title="Draft", slug="draft", live=False))
    page = world.page("web")
    page.body = rich_text(f'<p><a linktype="page" id="{draft.pk}">draft</a></p>')
    page.save_revision().publish()
    world.snapshot()
    assert PendingChange.objects.exclude(problem="").count() == 2


def test_what_links_stays_as_it_is_if_it_has_a_problem_of_its_own(world: World, linked: Page, admin_user: Any) -> None:
    page = world.page("german")
    type(page).objects.filter(pk=page.pk).update(
        body=[*rich_text(f'<p><a linktype="page" id="{linked.pk}">x</a> {{nothing}}</p>')]
    )
    delete_page(linked, admin_user)
    world.snapshot()
    assert links(linked) == {("de", "page")}
    assert ("removed", "en", "page", "/target") in world.differences()
    assert not PendingChange.objects.exists(), "no change was noted"

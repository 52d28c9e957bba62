"""A page must be placed where visitors see it. Each way gives the same reason and changes nothing."""

from pathlib import Path

import pytest
from django.contrib.auth import get_user_model
from django.contrib.messages import get_messages
from django.urls import reverse
from wagtail.actions.copy_page import CopyPageAction
from wagtail.actions.create_alias import CreatePageAliasAction
from wagtail.actions.move_page import MovePageAction
from wagtail.models import Page

from portolan.content.change_sets.holding import add_move
from portolan.content.change_sets.models import ChangeSet
from portolan.content.models import FolderPage, ServicePage
from portolan.content.page_places import NotThere
from portolan.content.site_records import SiteRecord
from portolan.releases.change_sets import rehearse

from ..conftest import publish_page
from ..shared_content import ensure, shared

pytestmark = pytest.mark.django_db
OTHER_SITE = "Pages in the tree of another site are never published. Choose a page of International."


@pytest.fixture
def admin(client):
    client.force_login(get_user_model().objects.create_superuser("root", password="x"))
    client.defaults["HTTP_HOST"] = "studio.localhost"
    return client


@shared("pages_and_places", on="sites")
def make_pages_and_places(media: Path) -> dict[str, int]:
    """Make a page, and pages that cannot have it below them."""
    records = SiteRecord.objects.select_related("wagtail_site__root_page", "locale").in_bulk(["en", "de"])
    english, german = (records[key].wagtail_site.root_page for key in ("en", "de"))
    page = publish_page(english, ServicePage, "web", title="Web")
    folder = publish_page(german, FolderPage, "ordner", title="Ordner", locale=records["de"].locale)
    taken = publish_page(english, FolderPage, "taken", title="Taken")
    publish_page(taken, ServicePage, "web", title="Another")
    return {"page": page.pk, "german": folder.pk, "taken": taken.pk}


@pytest.fixture
def pages_and_places(sites):
    return ensure("pages_and_places")


@pytest.fixture
def page(pages_and_places):
    return ServicePage.objects.get(pk=pages_and_places["page"])


@pytest.fixture
def places(pages_and_places, homes):
    """Return pages that cannot have it below them, with the reason."""
    german, taken = (FolderPage.objects.get(pk=pages_and_places[name]) for name in ("german", "taken"))
    return {
        "another site": (german, OTHER_SITE),
        "a home page of another site": (homes["de"], OTHER_SITE),
        "a taken address": (taken, "“Another” already has this URL."),
    }


def said(answer):
    form = answer.context["form"] if answer.context and "form" in answer.context else None
    errors = [text for found in form.errors.values() for text in found] if form else []
    return " ".join([*map(str, get_messages(answer.wsgi_request)), *errors])


def copy(client, page, parent, **more):
    url = reverse("wagtailadmin_pages:copy", args=[page.pk])
    return said(client.post(url, {"new_title": "Web", "new_slug": page.slug, "new_parent_page": parent.pk, **more}))


def move(client, page, parent):
    return said(client.post(reverse("wagtailadmin_pages:move_confirm", args=[page.pk, parent.pk])))


def drop(client, page, parent):
    return said(client.post(reverse("studio_tree_place", args=[page.pk, parent.pk])))


def plan(client, page, parent):
    return said(client.post(reverse("studio_change_set_move", args=[page.pk, parent.pk]), {"name": "Set"}))


def tick(client, page, parent):
    return said(client.post(f"/admin/bulk/wagtailcore/page/move/?id={page.pk}", {"chooser": parent.pk}))


def go_live(client, page, parent):
    change_set = ChangeSet.objects.create(name="Set")
    add_move(change_set, page, parent, None)
    return " ".join(rehearse(change_set).refused.values())


WAYS = {
    "copy": copy,
    "copy and publish": lambda client, page, parent: copy(client, page, parent, publish_copies="on"),
    "alias": lambda client, page, parent: copy(client, page, parent, alias="on"),
    "move": move,
    "drop in the tree": drop,
    "planned move": plan,
    "ticked": tick,
    "change set": go_live,
}


WAGTAIL_SAYS = {
    "copy": "This slug is already in use",
    "copy and publish": "This slug is already in use",
    "alias": "This slug is already in use",
    "move": "is already in use at the selected parent page",
}
"""Messages of Wagtail's checks, which come first."""


@pytest.mark.parametrize("place", ["another site", "a home page of another site", "a taken address"])
@pytest.mark.parametrize("way", WAYS)
def test_each_way_refuses_the_same(admin, page, places, way, place):
    parent, reason = places[place]
    before = list(Page.objects.order_by("path").values_list("path", "url_path"))
    text = WAYS[way](admin, Page.objects.get(pk=page.pk).specific, parent)
    if place == "a taken address" and way in WAGTAIL_SAYS:
        assert WAGTAIL_SAYS[way] in text
    else:
        assert reason in text
    assert list(Page.objects.order_by("path").values_list("path", "url_path")) == before


@pytest.mark.parametrize(
    "action",
    [
        lambda page, parent: MovePageAction(page, parent, pos="last-child"),
        lambda page, parent: MovePageAction(page, parent, pos="left"),
        lambda page, parent: CopyPageAction(page, to=parent, keep_live=True),
        lambda page, parent: CreatePageAliasAction(page, parent=parent),
    ],
    ids=["move", "move beside", "copy", "alias"],
)
def test_code_cannot_do_it_either(page, places, action):
    with pytest.raises(NotThere, match="Choose a page of International"):
        action(page, places["another site"][0]).execute(skip_permission_checks=True)


def test_where_a_page_can_be_it_comes_by_every_way(admin, page, homes, add_page):
    there = add_page(homes["en"], FolderPage, "there", title="There")
    copy(admin, page, there, publish_copies="on")
    there.refresh_from_db()
    assert there.get_children().live().count() == 1
    move(admin, page, homes["en"])
    inner = add_page(homes["en"], FolderPage, "inner", title="Inner")
    tick(admin, page, inner)
    assert Page.objects.get(pk=page.pk).get_parent().pk == inner.pk
    assert page.copy_for_translation(homes["de"].locale, copy_parents=True).locale == homes["de"].locale

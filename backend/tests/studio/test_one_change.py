"""A change to a page changes its live copies and the pages below in the same transaction, whole or not at all."""

import pytest
from django.contrib.auth import get_user_model
from django.db.models.signals import post_save
from django.urls import reverse
from wagtail.models import Page

from portolan.content.models import FolderPage, ServicePage
from portolan.releases.models import PendingChange

pytestmark = pytest.mark.django_db


class Killed(Exception):
    """Simulates the end of the process."""


@pytest.fixture
def editor(client):
    client.force_login(get_user_model().objects.create_superuser("root", password="x"))
    client.defaults["HTTP_HOST"] = "studio.localhost"
    return client


@pytest.fixture
def tree(homes, add_page):
    """A folder with two pages, and a folder to move it to; uk follows all of it."""
    folder = add_page(homes["en"], FolderPage, "services")
    pages = [add_page(folder, ServicePage, slug) for slug in ("web", "app")]
    target = add_page(homes["en"], FolderPage, "archive")
    PendingChange.objects.all().delete()
    return {"folder": Page.objects.get(pk=folder.pk), "web": pages[0], "target": target}


def move(editor, tree):
    url = reverse("wagtailadmin_pages:move_confirm", args=[tree["folder"].pk, tree["target"].pk])
    return editor.post(url)


def unpublish(editor, tree):
    url = reverse("wagtailadmin_pages:unpublish", args=[tree["folder"].pk])
    return editor.post(url, {"include_descendants": "on"})


def delete(editor, tree):
    return editor.post(reverse("wagtailadmin_pages:delete", args=[tree["folder"].pk]))


def delete_ticked(editor, tree):
    url = reverse("wagtail_bulk_action", args=["wagtailcore", "page", "delete"])
    return editor.post(f"{url}?id={tree['folder'].pk}&next=/admin/")


def publish_with_another_slug(editor, tree):
    page = tree["folder"].specific
    page.slug = "what-we-do"
    page.save_revision().publish()


def state():
    return set(Page.objects.values_list("pk", "url_path", "live", "path"))


ACTIONS = [move, unpublish, delete, delete_ticked, publish_with_another_slug]


@pytest.mark.postgres
@pytest.mark.parametrize("act", ACTIONS, ids=lambda act: act.__name__)
def test_a_process_that_is_killed_at_the_copies_has_done_nothing(editor, tree, act):
    before = state()
    copies = {str(tree["folder"].aliases.get().pk)}

    def kill(instance, **_):
        if str(instance.pk) in copies:
            raise Killed

    post_save.connect(kill)
    try:
        with pytest.raises(Killed):
            act(editor, tree)
    finally:
        post_save.disconnect(kill)
    assert state() == before
    assert not PendingChange.objects.exists()


@pytest.mark.parametrize("act", ACTIONS, ids=lambda act: act.__name__)
def test_what_is_done_is_done_on_all_sites(editor, tree, act):
    before = state()
    act(editor, tree)
    changed = {row[0] for row in before - state()}
    own = Page.objects.filter(translation_key=tree["folder"].translation_key)
    assert {page.pk for page in own} <= changed
    assert set(PendingChange.objects.values_list("site", flat=True)) == {"en", "uk"}

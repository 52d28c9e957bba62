"""When an original moves, the editors of its translations are offered the same move, and decide themselves."""

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from wagtail.models import Page

from portolan.content.models import FolderPage, ServicePage
from portolan.domain.roles import parse_site_role
from portolan.studio.permissions import sync_role_group
from portolan.studio.translations.moves import list_moves
from portolan.studio.translations.todo import list_todo
from portolan.translations.models import MoveOffer

pytestmark = pytest.mark.django_db


@pytest.fixture
def pages(homes: Mapping[str, Any], add_page: Callable[..., Any]) -> Mapping[str, Any]:
    """A service in English and German with slugs of their own, and two folders of which German has one."""
    english = add_page(homes["en"], ServicePage, "web", title="Web")
    folders = [add_page(homes["en"], FolderPage, name, title=name.title()) for name in ("services", "more")]
    own = {"locale": homes["de"].locale}
    german = add_page(homes["de"], ServicePage, "netz", title="Netz", translation_key=english.translation_key, **own)
    leistungen = add_page(
        homes["de"], FolderPage, "leistungen", title="Leistungen", translation_key=folders[0].translation_key, **own
    )
    return {"en": english, "services": folders[0], "more": folders[1], "de": german, "leistungen": leistungen}


@pytest.fixture
def editor(client: Client, homes: Mapping[str, Any]) -> Any:
    client.defaults["HTTP_HOST"] = "studio.localhost"
    user = get_user_model().objects.create(username="editor")
    user.groups.set([sync_role_group(parse_site_role("publisher:de"))])
    client.force_login(user)
    return user


def move(page: Page, below: Page) -> None:
    Page.objects.get(pk=page.pk).specific.move(Page.objects.get(pk=below.pk), pos="last-child")


def url_path(page: Page) -> str:
    return Page.objects.get(pk=page.pk).url_path


def test_the_move_is_offered_in_the_form_the_overview_and_the_tasks_and_accepted(
    pages: Mapping[str, Any], editor: Any, client: Client
) -> None:
    move(pages["en"], pages["services"])
    assert url_path(pages["de"]) == "/de/netz/"
    form = client.get(reverse("wagtailadmin_pages:edit", args=[pages["de"].pk])).content.decode()
    confirm = reverse("wagtailadmin_pages:move_confirm", args=[pages["de"].pk, pages["leistungen"].pk])
    assert "Leistungen" in form
    assert confirm in form
    assert "data-moved" in client.get(reverse("studio_translations")).content.decode()
    todo = list_todo(editor, ["de"])
    assert todo
    assert [(task.title, task.parent) for task in todo.moves] == [("Netz", "Leistungen")]
    client.post(confirm)
    assert url_path(pages["de"]) == "/de/leistungen/netz/"
    assert not MoveOffer.objects.exists()


def test_a_country_keeps_its_place(pages: Mapping[str, Any], editor: Any, client: Client) -> None:
    move(pages["en"], pages["services"])
    cell = f"{pages['de'].translation_key}:de"
    client.post(reverse("studio_translations_change"), {"do": "stay", "cell": [cell]})
    assert url_path(pages["de"]) == "/de/netz/"
    assert list_moves(editor, ["de"]) == []


def test_without_the_new_parent_only_keeping_is_possible(pages: Mapping[str, Any], editor: Any, client: Client) -> None:
    move(pages["en"], pages["more"])
    [offer] = list_moves(editor, ["de"])
    assert (offer.parent, offer.move_url) == ("More", "")
    assert "This site lacks that page" in client.get(offer.edit_url).content.decode()


def test_nothing_is_offered_for_live_copies_reordering_and_the_way_back(
    pages: Mapping[str, Any], homes: Mapping[str, Any], live_copy: Callable[..., Any]
) -> None:
    move(pages["en"], pages["services"])
    assert url_path(live_copy(pages["en"], "uk")) == "/uk/services/web/"
    assert [offer.site for offer in MoveOffer.objects.all()] == ["de"]
    move(pages["en"], homes["en"])
    assert not MoveOffer.objects.exists()
    move(pages["en"], homes["en"])
    assert not MoveOffer.objects.exists()


def test_others_may_not_decide(pages: Mapping[str, Any], editor: Any, client: Client) -> None:
    move(pages["en"], pages["services"])
    editor.groups.set([sync_role_group(parse_site_role("translator:de"))])
    client.post(reverse("studio_translations_change"), {"do": "stay", "cell": [f"{pages['de'].translation_key}:de"]})
    assert MoveOffer.objects.count() == 1

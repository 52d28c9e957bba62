"""The side-by-side editor: saving drafts, refused texts, another person's changes, and confirming text by text."""

import re
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from portolan.content.models import ServicePage
from portolan.translations.exchange.units import mark_of
from portolan.translations.models import Translation

from .test_translations import _publish, cells, sign_in

pytestmark = pytest.mark.django_db
sign_in = sign_in

SITES, SHOPS, APPS = (
    f"We build {what} for companies of any size, from the first idea on." for what in ("sites", "shops", "apps")
)
GERMAN = "Wir bauen Websites für Firmen jeder Größe, von der ersten Idee an."
TITLE, LEAD = ("text-" + mark_of(path) for path in ("title", "search_description"))


@pytest.fixture
def pages(homes: Mapping[str, Any], add_page: Callable[..., Any]) -> Mapping[str, Any]:
    english = add_page(homes["en"], ServicePage, "web", title="Web", search_description=SITES)
    own = {"locale": homes["de"].locale, "translation_key": english.translation_key}
    german = add_page(homes["de"], ServicePage, "web", title="Netz", search_description=GERMAN, **own)
    _publish(english, title="Websites of {company}")
    return {"en": english, "de": german, "url": reverse("studio_translate", args=[english.translation_key, "de"])}


def form_of(client: Client, url: str) -> dict[str, str]:
    html = client.get(url).content.decode()
    fields = dict(re.findall(r'name="((?:was|seen)-\w+|source)" value="(\w+)"', html))
    return {**fields, TITLE: "Netz", LEAD: GERMAN}


def draft_of(page: Any) -> Any:
    return type(page).objects.get(pk=page.pk).get_latest_revision_as_object()


def test_a_text_is_saved_as_a_draft_and_confirmed(pages: Mapping[str, Any], sign_in: Any, client: Client) -> None:
    sign_in("translator:de")
    html = client.get(pages["url"]).content.decode()
    assert "of {company}" in re.sub("<[^>]*>", "", html)
    assert re.findall(r'data-pair data-state="(\w+)"', html) == ["changed", "done"]
    form = form_of(client, pages["url"])
    done = f"done-{mark_of('title')}"
    reply = client.post(pages["url"], {**form, TITLE: "Websites von {company}", done: "on"}, follow=True)
    assert "1 text is saved in the draft" in reply.content.decode()
    german = type(pages["de"]).objects.get(pk=pages["de"].pk)
    assert (german.title, draft_of(german).title) == ("Netz", "Websites von {company}")
    assert cells(client)["Websites of {company} de"] == "current"


def test_a_refused_text_stays_in_the_form_and_the_others_are_saved(
    pages: Mapping[str, Any], sign_in: Any, client: Client
) -> None:
    sign_in("editor:de")
    form = form_of(client, pages["url"])
    sent = {**form, TITLE: "x" * 300, LEAD: APPS, "do": "confirm"}
    reply = client.post(pages["url"], sent)
    html = reply.content.decode()
    assert reply.status_code == 422
    assert "x" * 300 in html
    assert 'class="error-message"' in html
    draft = draft_of(pages["de"])
    assert (draft.title, draft.search_description) == ("Netz", APPS)
    assert cells(client)["Websites of {company} de"] == "in-progress"


def test_another_persons_text_is_shown_before_it_is_replaced(
    pages: Mapping[str, Any], sign_in: Any, client: Client
) -> None:
    sign_in("editor:de")
    form = form_of(client, pages["url"])
    theirs = draft_of(pages["de"])
    theirs.title, theirs.search_description = "Ihre Worte", SHOPS
    theirs.save_revision()
    reply = client.post(pages["url"], {**form, TITLE: "Meine Worte"})
    html = reply.content.decode()
    assert "Ihre Worte" in html
    assert "Meine Worte" in html
    assert draft_of(pages["de"]).title == "Ihre Worte"
    fields = dict(re.findall(r'name="((?:was|seen)-\w+|source)" value="(\w+)"', html))
    client.post(pages["url"], {**fields, TITLE: "Meine Worte"})
    draft = draft_of(pages["de"])
    assert (draft.title, draft.search_description) == ("Meine Worte", SHOPS)


def test_a_later_change_of_the_original_is_not_confirmed(
    pages: Mapping[str, Any], sign_in: Any, client: Client
) -> None:
    sign_in("editor:de")
    form = form_of(client, pages["url"])
    _publish(pages["en"], title="Shops")
    reply = client.post(pages["url"], {**form, f"done-{mark_of('title')}": "on", "do": "confirm"}, follow=True)
    assert "The original has changed again" in reply.content.decode()
    assert cells(client)["Shops de"] == "outdated"
    client.post(pages["url"], {**form_of(client, pages["url"]), "do": "confirm"})
    assert cells(client)["Shops de"] == "current"


@pytest.mark.parametrize(("role", "status"), [("translator:de", 200), ("editor:uk", 302), ("reader", 302)])
def test_people_without_rights_on_the_source_translate(
    pages: Mapping[str, Any], sign_in: Any, client: Client, role: str, status: int
) -> None:
    sign_in(role)
    assert client.get(pages["url"]).status_code == status


def test_texts_are_confirmed_one_by_one(pages: Mapping[str, Any], sign_in: Any, client: Client) -> None:
    sign_in("editor:de")
    _publish(pages["en"], search_description=SHOPS)
    row = Translation.objects.get(translation_key=pages["en"].translation_key, site="de")
    before = row.outdated_words
    client.post(pages["url"], {**form_of(client, pages["url"]), f"done-{mark_of('title')}": "on"})
    row.refresh_from_db()
    assert 0 < row.outdated_words < before
    assert cells(client)["Websites of {company} de"] == "outdated"

"""Editors change words of the interface: form, export and inheritance."""

from typing import Any

import pytest
from django.test import Client

from portolan.content.export import examine_unsaved, export_items
from portolan.content.items import ItemKey
from portolan.content.models import InterfaceWords
from portolan.studio.interface_words import form, viewset
from portolan.studio.interface_words.defaults import Texts

ENGLISH = {"send": "Send", "agree": "I read the {link}", "shown": {"one": "{n} office", "other": "{n} offices"}}
GERMAN = {"send": "Senden", "agree": "Ich habe {link} gelesen", "shown": {"one": "{n} Büro", "other": "{n} Büros"}}
PLACES = {"send": ["features/lead-form"], "agree": ["features/lead-form"], "shown": ["features/offices"]}
PLURALS = {"en": {"one": 1, "other": 2}, "de": {"one": 1, "other": 2}}
KEYS = {site: ItemKey(site, "words", "main") for site in ("en", "uk", "de")}


@pytest.fixture(autouse=True)
def texts(monkeypatch: pytest.MonkeyPatch) -> dict[str, Any]:
    """The texts of a web build. A test may change them, as a new web build does."""
    german = dict(GERMAN)
    found = Texts(ENGLISH, {"de-DE": german}, PLURALS, PLACES)
    for module in (form, viewset):
        monkeypatch.setattr(module, "load_texts", lambda: found)
    return german


def begin(studio: Client, site: str) -> str:
    return str(studio.post(f"/admin/interface-words/begin/{site}/").url)  # type: ignore[attr-defined]


def publish(studio: Client, url: str, **words: str) -> Any:
    sent = {f"words-{name.replace('_', '-')}": text for name, text in words.items()}
    return studio.post(url, sent | {"action-publish": "x"})


def live(site: str) -> Any:
    body = export_items([KEYS[site]])[KEYS[site]]
    return body and plain(body["words"])


def plain(value: Any) -> Any:
    """Return the words of a body without the marks of verbatim texts."""
    return value.get("$verbatim") or {name: plain(part) for name, part in value.items()}


def test_a_word_is_changed_and_returns_to_its_default(admin_client: Client, sites: Any) -> None:
    url = begin(admin_client, "de")
    assert live("de") is None
    reply = publish(
        admin_client, url, send="Los", agree="Ich habe {link} gelesen", shown_one="Ein Büro", shown_other="{n} Büros"
    )
    assert reply.status_code == 302, reply.context["form"].errors
    assert live("de") == {"send": "Los", "shown": {"one": "Ein Büro", "other": "{n} Büros"}}
    assert publish(admin_client, url).status_code == 302
    assert live("de") is None


def test_a_refused_word_stays_in_the_form_with_its_reason(admin_client: Client, sites: Any) -> None:
    url = begin(admin_client, "de")
    reply = publish(admin_client, url, send="<b>Los</b>", agree="Gelesen", shown_one="Eins")
    page = reply.content.decode()
    assert "3 words cannot be saved" in page
    assert "&lt;b&gt;Los&lt;/b&gt;" in page
    assert "{link} is missing" in page
    assert "For numbers like 2: This form is empty" in page
    assert live("de") is None


def test_a_changed_default_is_shown_until_the_word_is_kept(
    admin_client: Client, sites: Any, texts: dict[str, Any]
) -> None:
    url = begin(admin_client, "de")
    publish(admin_client, url, send="Los")
    texts["send"] = "Absenden"
    page = admin_client.get(url).content.decode()
    assert 'data-word="send" data-inheritance="changed"' in page
    assert "1 default has changed since" in admin_client.get("/admin/interface-words/").content.decode()
    publish(admin_client, url, send="Los", send_keep="on")
    assert InterfaceWords.objects.get().words["send"] == {"text": "Los", "base": "Absenden"}
    assert 'data-word="send" data-inheritance="own"' in admin_client.get(url).content.decode()


def test_a_stored_word_that_lacks_a_new_placeholder_does_not_stop_other_words(
    admin_client: Client, sites: Any, texts: dict[str, Any]
) -> None:
    url = begin(admin_client, "de")
    publish(admin_client, url, send="Los")
    texts["send"] = "Senden an {name}"
    assert publish(admin_client, url, send="Los", agree="{link} gelesen").status_code == 302
    assert live("de") == {"agree": "{link} gelesen", "send": "Los"}


def test_a_site_adds_its_words_to_those_it_inherits(admin_client: Client, sites: Any) -> None:
    publish(admin_client, begin(admin_client, "en"), send="Go", agree="{link} read")
    assert live("uk") == {"agree": "{link} read", "send": "Go"}
    uk = begin(admin_client, "uk")
    page = admin_client.get(uk).content.decode()
    assert 'data-word="send" data-inheritance="follows"' in page
    publish(admin_client, uk, send="Off you go")
    assert (live("en")["send"], live("uk")) == ("Go", {"agree": "{link} read", "send": "Off you go"})
    draft = InterfaceWords.objects.get(site=sites["en"].wagtail_site)
    draft.words = {"agree": {"text": "Agreed: {link}", "base": ""}}
    bodies = examine_unsaved(draft).bodies
    assert plain(bodies[KEYS["uk"]]["words"]) == {"agree": "Agreed: {link}", "send": "Off you go"}
    assert plain(bodies[KEYS["en"]]["words"]) == {"agree": "Agreed: {link}"}


def test_a_site_keeps_its_words_while_the_web_build_has_no_texts(
    admin_client: Client, sites: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    url = begin(admin_client, "de")
    publish(admin_client, url, send="Los")
    for module in (form, viewset):
        monkeypatch.setattr(module, "load_texts", lambda: None)
    assert "portolan build" in admin_client.get("/admin/interface-words/").content.decode()
    publish(admin_client, url)
    assert live("de") == {"send": "Los"}

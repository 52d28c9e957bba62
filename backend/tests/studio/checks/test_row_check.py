"""Problems that would block an entry, a menu or a footer are shown in its form before publishing."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from wagtail.test.utils.form_data import nested_form_data, querydict_from_html, streamfield

from portolan.content.models import FooterSettings, LegalPage, MenuSettings, Phone, Redirect
from portolan.studio.checks.row_check import check_row

from .test_draft_check import HOST, artist, contact  # noqa: F401  (fixtures)

pytestmark = pytest.mark.django_db
PUBLISH = {"action-publish": "action-publish"}


def url_of(row: Any, more: str = "") -> str:
    return reverse(row.snippet_viewset.get_url_name("edit"), args=[row.pk]) + more


def typed(client: Client, row: Any, **changes: str) -> Any:
    """Return the form data of the browser."""
    data = querydict_from_html(client.get(url_of(row), headers=HOST).content.decode(), form_id="w-editor-form")
    for name, value in changes.items():
        data[name] = value
    return data


def link(page: Any = None, **more: Any) -> list[Any]:
    return [("link", {"title": "Write to us", "page": page, "anchor": "", "url": "", **more})]


def filled(**target: str) -> dict[str, Any]:
    """Return the form data of a menu with only a button."""
    button = {"title": "Write to us", "page": "", "anchor": "", "url": "", **target}
    return nested_form_data({"items": streamfield([]), "contact": streamfield([("link", button)])})


@pytest.mark.usefixtures("artist")
def test_a_menu_is_judged_as_its_pages_would_show_it(homes, add_page, contact):  # noqa: F811
    gone = homes["en"].add_child(instance=LegalPage(title="Soon", slug="soon", live=False))
    menu = MenuSettings.objects.get()
    assert check_row(menu) == []
    menu.contact = link(gone)
    missing, inherited = check_row(menu)
    assert (missing.detail.code, missing.item, missing.subject.field) == (
        "page-missing",
        ("en", "menu", "main"),
        "contact",
    )
    assert (inherited.detail, inherited.site) == (missing.detail, "uk")
    menu.contact = link(url="http://localhost:8000/no-such-page")
    dead, *_ = check_row(menu)
    assert (dead.detail.code, dead.item, dead.subject.field) == ("link-dead", ("en", "menu", "main"), "contact")
    assert check_row(FooterSettings.objects.get()) == [], "what is wrong with a menu is the menu's"


@pytest.mark.usefixtures("artist")
def test_what_would_be_blocked_is_not_published_and_stays_in_the_form(admin_client: Client, contact):  # noqa: F811
    menu = MenuSettings.objects.get()
    good, bad = filled(page=str(contact.pk)), filled(url="http://localhost:8000/no-such-page")

    def ask(data: Any) -> Any:
        return admin_client.post(url_of(menu, "check/"), data, headers=HOST).json()

    assert ask(good)["count"] == 0
    found = ask(bad)
    assert (found["count"], found["text"]) == (1, "1 problem")
    (told,) = found["problems"]
    assert told["text"].startswith("Contact: links to")
    assert told["path"] == ["contact"]

    def contact_of() -> str:
        return str(MenuSettings.objects.get().contact.raw_data[0]["value"].get("url") or "")

    refused = admin_client.post(url_of(menu), {**bad, **PUBLISH}, headers=HOST)
    assert refused.status_code == 200
    text = refused.content.decode()
    assert "is not published: 1 problem. Fix it, or save a draft." in text
    assert "no-such-page" in text
    assert contact_of() == ""
    assert admin_client.post(url_of(menu), bad, headers=HOST).status_code == 302, "a draft may be unfinished"
    assert contact_of() == ""
    assert admin_client.post(url_of(menu), {**good, **PUBLISH}, headers=HOST).status_code == 302


@pytest.mark.usefixtures("artist")
def test_forms_of_entries_and_redirects_say_what_they_refuse(admin_client: Client, contact):  # noqa: F811
    phone = Phone.objects.create(key="us", phone="+1 214-555-0140", is_default=True)
    assert admin_client.post(url_of(phone, "check/"), typed(admin_client, phone), headers=HOST).json()["count"] == 0
    found = admin_client.post(url_of(phone, "check/"), typed(admin_client, phone, phone="x"), headers=HOST).json()
    assert [each["path"] for each in found["problems"]] == [["phone"]]
    assert found["problems"][0]["text"].startswith("Number: Enter the number with its country code")
    rule = Redirect.objects.create(site_id="en", source="/old", page=contact)
    data = typed(admin_client, rule, page="", address="/old")
    (circle,) = admin_client.post(url_of(rule, "check/"), data, headers=HOST).json()["problems"]
    assert "be a redirect loop" in circle["text"]
    new = reverse("wagtailsnippets_content_redirect:add") + "check/"
    assert admin_client.post(new, {"source": "", "status": "301"}, headers=HOST).json()["count"] > 0
    admin_client.logout()
    assert admin_client.post(url_of(rule, "check/"), data, headers=HOST).status_code == 302

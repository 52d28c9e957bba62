"""The forms as an editor's browser shows and sends them."""

import re
from collections.abc import Callable, Mapping
from io import BytesIO
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from PIL import Image
from wagtail.test.utils.form_data import inline_formset, nested_form_data, rich_text, streamfield

from portolan.content.export import export_items
from portolan.content.items import ItemKey
from portolan.content.models import (
    ContactPage,
    FolderPage,
    FooterSettings,
    HomePage,
    InterfaceWords,
    LegalPage,
    ListingPage,
    MenuSettings,
    Office,
    OfficeCategory,
    RateCardSettings,
    SiteImage,
)
from portolan.content.pages import PAGE_TYPES
from portolan.content.pages.base import SitePage

Homes = Mapping[str, HomePage]
AddPage = Callable[..., Any]

pytestmark = pytest.mark.usefixtures("media")


@pytest.fixture
def studio(admin_client: Client) -> Client:
    return admin_client


@pytest.mark.parametrize(
    "path",
    [
        "/admin/",
        "/admin/pages/",
        "/admin/images/",
        "/admin/images/add/",
        "/admin/snippets/content/office/",
        "/admin/snippets/content/office/add/",
        "/admin/snippets/content/officecategory/add/",
    ],
)
def test_opens(studio: Client, homes: Homes, path: str) -> None:
    assert studio.get(path).status_code == 200


@pytest.mark.parametrize(
    "page_type", [page_type for page_type in PAGE_TYPES if page_type is not HomePage], ids=lambda f: f.page_type
)
def test_every_family_has_a_form(studio: Client, homes: Homes, add_page: AddPage, page_type: type[SitePage]) -> None:
    parent = homes["de"]
    if HomePage not in page_type.allowed_parent_page_models():
        parent = add_page(parent, ListingPage, "listing")
    reply = studio.get(f"/admin/pages/add/content/{page_type._meta.model_name}/{parent.pk}/")
    assert reply.status_code == 200
    assert b'name="slug"' in reply.content


def test_the_studios_root_leads_to_it(client: Client, db: None) -> None:
    assert client.get("/").headers["Location"] == "/admin/"


def test_view_live_leads_to_the_country_site(studio: Client, homes: Homes, add_page: AddPage) -> None:
    page = add_page(homes["de"], LegalPage, "impressum")
    for path in (f"/admin/pages/{page.pk}/edit/", f"/admin/pages/{homes['de'].pk}/"):
        assert b'href="http://de.localhost:8000/impressum"' in studio.get(path).content


def test_a_folder_has_no_view_live(studio: Client, homes: Homes, add_page: AddPage) -> None:
    folder = add_page(homes["de"], FolderPage, "services")
    assert b"http://de.localhost:8000/services" not in studio.get(f"/admin/pages/{folder.pk}/edit/").content


def page_form(body: list[tuple[str, dict[str, Any]]], **fields: Any) -> dict[str, Any]:
    return nested_form_data(
        {
            "title": "Impressum",
            "slug": "impressum",
            "seo_title": "",
            "search_description": "",
            "body": streamfield(body),
            **fields,
        }
    )


TEXT = {"tone": "paper", "anchor": "", "html": rich_text("<p>Brightmoor GmbH</p>")}


def test_a_page_is_written_and_published(studio: Client, homes: Homes) -> None:
    url = f"/admin/pages/add/content/legalpage/{homes['de'].pk}/"
    form = page_form([("rich_text", TEXT)], **{"action-publish": "1", "hidden_here": "", "switcher_hidden": "on"})
    reply = studio.post(url, form)
    assert reply.status_code == 302, reply.context and reply.context["form"].errors
    page = LegalPage.objects.get(slug="impressum")
    assert (page.live, page.locale_id) == (True, homes["de"].locale_id)
    key = ItemKey("de", "page", str(page.translation_key))
    body = export_items([key])[key]
    assert body and body["blocks"][0]["html"] == {"$html": "<p>Brightmoor GmbH</p>"}
    assert body["switcher_hidden"] is True


@pytest.mark.parametrize(
    ("body", "words"),
    [
        ([("rich_text", {**TEXT, "html": rich_text("<p>{founded}</p>")})], "Unknown placeholder"),
        (
            [("stats", {"tone": "paper", "anchor": "", "title": "", "stats": streamfield([])})],
            "minimum number of items",
        ),
    ],
)
def test_a_mistake_is_named_beside_its_field(studio: Client, homes: Homes, body: Any, words: str) -> None:
    reply = studio.post(
        f"/admin/pages/add/content/legalpage/{homes['de'].pk}/", page_form(body, **{"action-publish": "1"})
    )
    assert reply.status_code == 200
    assert words in reply.content.decode()
    assert not LegalPage.objects.exists()


def test_an_anchor_is_the_blocks_own(studio: Client, homes: Homes) -> None:
    twice = {**TEXT, "anchor": "data"}
    form = page_form([("rich_text", twice), ("rich_text", twice)], **{"action-publish": "1"})
    reply = studio.post(f"/admin/pages/add/content/legalpage/{homes['de'].pk}/", form)
    assert "Block 1 already has this anchor" in reply.content.decode()


def test_a_page_has_one_hero_at_most(studio: Client, homes: Homes) -> None:
    hero = {
        "tone": "navy",
        "anchor": "",
        "eyebrow": "",
        "title": "T",
        "text": "",
        "actions": streamfield([]),
        "picture": {"image": "", "alt": ""},
    }
    form = page_form([("hero", hero), ("hero", hero)], **{"action-publish": "1"})
    reply = studio.post(f"/admin/pages/add/content/legalpage/{homes['de'].pk}/", form)
    assert "maximum number of items" in reply.content.decode()


@pytest.fixture
def dallas(sites: Any) -> Office:
    category = OfficeCategory.objects.create(key="hub", name="Hub", icon="code")
    return Office.objects.create(
        key="dallas", city="Dallas", address="1 Quay", phone="+1 214-555-0140", category=category,
        country="us", lat=32.7, lng=-96.8, sets=["us"],
    )  # fmt: skip


def office_form(office: Office, **changes: Any) -> dict[str, Any]:
    fields = {name: getattr(office, name) for name in ("key", "city", "address", "phone", "country", "lat", "lng")}
    fields |= {"category": office.category_id, "sort_order": office.sort_order, "translations": inline_formset([])}
    sets = changes.pop("sets", office.sets)
    return {**nested_form_data({**fields, **changes}), "sets": sets, "action-publish": "x"}


def test_a_phone_number_is_changed_once_for_all_sites(studio: Client, dallas: Office, sites: Any) -> None:
    german = {"locale": sites["de"].locale.pk, "city": "Dallas (Texas)", "address": ""}
    form = office_form(dallas, phone="+1 214-555-0199", sets=["us", "default"], translations=inline_formset([german]))
    reply = studio.post(f"/admin/snippets/content/office/edit/{dallas.pk}/", form)
    assert reply.status_code == 302, reply.context and reply.context["form"].errors
    keys = [ItemKey(site, "office", "dallas") for site in sites]
    values = {key.site: body["value"] for key, body in export_items(keys).items() if body}
    assert {value["phone"] for value in values.values()} == {"+1 214-555-0199"}
    assert values["en"]["sets"] == ["default", "us"]
    assert values["de"]["city"] == "Dallas (Texas)"


@pytest.mark.parametrize(
    ("field", "value"),
    [("phone", "call me"), ("country", "USA"), ("opened", "12"), ("lat", "91"), ("sets", ["moon"])],
)
def test_an_offices_mistakes_are_named(studio: Client, dallas: Office, field: str, value: Any) -> None:
    reply = studio.post(f"/admin/snippets/content/office/edit/{dallas.pk}/", office_form(dallas, **{field: value}))
    assert reply.status_code == 200
    assert set(reply.context["form"].errors) == {field}


def test_a_site_has_one_translation_of_an_office(studio: Client, dallas: Office, sites: Any) -> None:
    german = {"locale": sites["de"].locale.pk, "city": "D", "address": ""}
    form = office_form(dallas, translations=inline_formset([german, german]))
    assert studio.post(f"/admin/snippets/content/office/edit/{dallas.pk}/", form).status_code == 200
    assert not dallas.translations.exists()


def test_offices_are_found_and_listed_with_their_numbers(studio: Client, dallas: Office) -> None:
    page = studio.get("/admin/snippets/content/office/").content.decode()
    assert "+1 214-555-0140" in page
    assert re.search(r">\s*Hub\s*<", page)


@pytest.mark.parametrize("model", [MenuSettings, FooterSettings, RateCardSettings, InterfaceWords])
def test_what_a_site_has_one_of_has_a_form_for_each_site(studio: Client, sites: Any, model: type) -> None:
    assert sites
    for record in sites.values():
        former = f"/admin/settings/content/{model._meta.model_name}/{record.wagtail_site_id}/"
        assert studio.get(former).url == reverse(model.snippet_viewset.get_url_name("list"))  # type: ignore[attr-defined]
        begun = studio.post(reverse(model.snippet_viewset.get_url_name("begin"), args=[record.key]))  # type: ignore[attr-defined]
        assert studio.get(begun.url).status_code == 200
        assert studio.get(former).url == begun.url


def test_a_menu_is_written(studio: Client, homes: Homes, add_page: AddPage, sites: Any) -> None:
    contact = add_page(homes["de"], ContactPage, "contact-us", title="Kontakt")
    target = {"page": contact.pk, "anchor": "", "url": ""}
    entry = {
        "title": "Recht",
        "description": "",
        "page": "",
        "anchor": "",
        "url": "https://recht.example",
        "img": {"image": "", "alt": ""},
        "link_list": {"count": "0"},
        "content_type": "",
    }
    submenu = {"count": "1", "0": {"deleted": "", "order": "0", "value": entry, "id": ""}}
    item = {"title": "Mehr", "key": "more", "page": "", "anchor": "", "url": "", "submenu": submenu}
    item |= {"theme": "text-links", "parent_link": {"title": "", "page": "", "anchor": "", "url": ""}}
    form = nested_form_data(
        {"items": streamfield([("item", item)]), "contact": streamfield([("link", {"title": "Kontakt", **target})])}
    )
    path = studio.post("/admin/menus/begin/de/").url
    reply = studio.post(path, form | {"action-publish": "x"})
    assert reply.status_code == 302, reply.context and reply.context["form"].errors
    key = ItemKey("de", "menu", "main")
    body = export_items([key])[key]
    assert body and body["contact"] == {"$page": str(contact.translation_key), "title": "Kontakt"}
    assert body["items"][0]["submenu"][0]["url"] == {"$url": "https://recht.example", "title": "Recht"}


def test_an_upload_is_published_at_once(studio: Client, db: None, django_capture_on_commit_callbacks: Any) -> None:
    buffer = BytesIO()
    Image.new("RGB", (600, 300), "#ffdb00").save(buffer, "JPEG")
    upload = SimpleUploadedFile("quay.jpg", buffer.getvalue(), "image/jpeg")
    with django_capture_on_commit_callbacks(execute=True):
        studio.post("/admin/images/add/", {"title": "Quay", "file": upload, "collection": "1"})
    assert SiteImage.objects.get().published["desktop"]["avif2X"].startswith("/media/pictures/")

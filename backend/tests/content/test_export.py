import json
from collections.abc import Callable, Mapping
from typing import Any
from uuid import uuid4

import pytest
from django.core.files.base import ContentFile
from django.core.files.storage import default_storage
from django.db import connection
from django.test.utils import CaptureQueriesContext
from wagtail.models import Page

from portolan.content.blocks import BLOCKS
from portolan.content.errors import SnapshotError
from portolan.content.export import all_item_keys, export_batch, export_items
from portolan.content.items import ItemKey
from portolan.content.models import (
    ContactPage,
    ErrorPage,
    FolderPage,
    FooterSettings,
    HomePage,
    LegalPage,
    MenuSettings,
    Office,
    OfficeCategory,
    OfficeCategoryTranslation,
    OfficeTranslation,
    ServicePage,
    SiteImage,
)
from portolan.domain.problems import Block, MissingPicture, Subject, UnknownPlaceholder
from portolan_dev.contract.examples import PICTURES

Homes = Mapping[str, HomePage]
AddPage = Callable[..., Any]


def key_of(page: Page, site: str = "en") -> ItemKey:
    return ItemKey(site, "page", str(page.translation_key))


def text(html: str) -> dict[str, Any]:
    return {"type": "rich_text", "value": {"html": html}, "id": str(uuid4())}


@pytest.fixture
def contact(homes: Homes, add_page: AddPage) -> ContactPage:
    return add_page(homes["en"], ContactPage, "contact-us", title="Contact us")


@pytest.fixture
def picture(db: None) -> SiteImage:
    return SiteImage.objects.bulk_create(
        [SiteImage(title="Cranes", file="cranes.png", width=2560, height=1600, published=PICTURES["2"])]
    )[0]


def test_freezes_a_page_whole(homes: Homes, add_page: AddPage, contact: ContactPage, picture: SiteImage) -> None:
    folder = add_page(homes["en"], FolderPage, "services")
    hero = {
        "title": "Web for {company}",
        "actions": [{"title": "Write", "page": contact.pk, "anchor": "form"}],
        "picture": {"image": picture.pk, "alt": "Cranes"},
    }
    page = add_page(
        folder,
        ServicePage,
        "web-development",
        title="Web development",
        seo_title="Web development by {company}",
        search_description="We build sites and portals that stay quick when a million people arrive.",
        body=[{"type": "hero", "value": hero, "id": "b1"}],
        switcher_hidden=True,
    )
    body = export_items([key_of(page)])[key_of(page)]
    assert body == {
        "path": "/services/web-development",
        "template": "service",
        "title": "Web development",
        "head": {
            "title": "Web development by {company}",
            "description": "We build sites and portals that stay quick when a million people arrive.",
        },
        "blocks": [
            {
                "id": "b1",
                "type": "hero",
                "tone": "navy",
                "anchor": None,
                "eyebrow": "",
                "title": "Web for {company}",
                "text": "",
                "actions": [{"$page": str(contact.translation_key), "title": "Write", "anchor": "form"}],
                "picture": {"$picture": str(picture.pk), "alt": "Cranes"},
                "phones": [],
                "film": None,
            }
        ],
        "anchors": [],
        "parent": str(homes["en"].translation_key),
        "changed": page.last_published_at.isoformat(),
        "switcher_hidden": True,
    }


def test_the_same_content_freezes_to_the_same_body(homes: Homes, add_page: AddPage) -> None:
    body = [
        {"type": block.type_name(), "value": raw, "id": f"{block.type_name()}-{name}"}
        for block in BLOCKS
        for name, raw in block.EXAMPLES.items()
        if not any(file in str(raw) for file in ("page", "image", "document"))
    ]
    page = add_page(homes["en"], LegalPage, "all", body=body)
    first = export_items([key_of(page)])
    page.save_revision().publish()
    again = export_items([key_of(page)])
    again[key_of(page)]["changed"] = first[key_of(page)]["changed"]
    assert again == first


@pytest.mark.parametrize("key", [ItemKey("en", "page", str(uuid4())), ItemKey("xx", "page", str(uuid4())),
                                 ItemKey("", "picture", "999"), ItemKey("en", "office", "atlantis"),
                                 ItemKey("xx", "menu", "main")])  # fmt: skip
def test_what_does_not_exist_is_none(sites: Any, key: ItemKey) -> None:
    assert export_items([key]) == {key: None}


def test_drafts_folders_and_hidden_pages_are_none(homes: Homes, add_page: AddPage) -> None:
    folder = add_page(homes["en"], FolderPage, "services")
    draft = homes["en"].add_child(instance=LegalPage(title="Draft", slug="draft", live=False))
    hidden = add_page(homes["en"], LegalPage, "hidden", hidden_here=True)
    keys = [key_of(folder), key_of(draft), key_of(hidden)]
    assert export_items(keys) == dict.fromkeys(keys)
    assert not all_item_keys() & set(keys)


def test_unpublished_changes_stay_in_the_studio(homes: Homes, add_page: AddPage) -> None:
    page = add_page(homes["en"], LegalPage, "terms", title="Terms")
    page.title = "Secret plan"
    page.save_revision()
    body = export_items([key_of(page)])[key_of(page)]
    assert body and body["title"] == "Terms"


def test_a_parent_is_the_nearest_page_that_visitors_find(homes: Homes, add_page: AddPage) -> None:
    outer = add_page(homes["en"], FolderPage, "company")
    page = add_page(add_page(outer, FolderPage, "terms"), LegalPage, "gtc")
    home = key_of(homes["en"])
    assert export_items([key_of(page)])[key_of(page)]["parent"] == home.key
    assert export_items([home])[home]["parent"] is None
    HomePage.objects.filter(pk=homes["en"].pk).update(hidden_here=True)
    assert export_items([key_of(page)])[key_of(page)]["parent"] is None


def test_error_pages_have_addresses_of_their_own(homes: Homes, add_page: AddPage) -> None:
    page = add_page(homes["de"], ErrorPage, "kaputt", code=500)
    assert export_items([key_of(page, "de")])[key_of(page, "de")]["path"] == "/500.html"


def test_a_copys_links_lead_by_translation(
    homes: Homes, live_copy: Any, add_page: AddPage, contact: ContactPage
) -> None:
    """A copy's raw data still has the source site's page ids. Both sites have the same frozen key."""
    source = add_page(
        homes["en"], LegalPage, "terms", body=[text(f'<p><a linktype="page" id="{contact.pk}">x</a></p>')]
    )
    live_copy(source, "uk")
    body = export_items([key_of(source, "uk")])[key_of(source, "uk")]
    assert body["blocks"][0]["html"] == {"$html": f'<p><a data-page="{contact.translation_key}">x</a></p>'}
    assert body["path"] == "/terms"


def test_a_link_may_lead_to_the_default_site_and_nowhere_further(homes: Homes, add_page: AddPage) -> None:
    english = add_page(homes["en"], LegalPage, "only-english")
    german = add_page(homes["de"], LegalPage, "nur-deutsch", title="Nur deutsch")

    def linking(home: HomePage, target: Page) -> Page:
        body = [text("<p>a</p>"), text(f'<p><a linktype="page" id="{target.pk}">x</a></p>')]
        return add_page(home, LegalPage, f"to-{target.slug}", title="Linking", body=body)

    assert export_items([key_of(linking(homes["de"], english), "de")])
    lost = key_of(linking(homes["en"], german))
    with pytest.raises(SnapshotError) as caught:
        export_items([lost])
    assert str(caught.value).startswith(
        "en, “Linking” (/to-nur-deutsch), block 2 (Rich text), text: links to a page that is"
    )


def test_every_problem_is_named_and_the_good_pages_pass(homes: Homes, add_page: AddPage) -> None:
    draft = homes["en"].add_child(instance=LegalPage(title="Draft", slug="draft", live=False))
    cards = {
        "title": "T",
        "cards": [
            {"title": "A", "text": "a"},
            {"title": "B", "text": "b", "link": {"title": "x", "page": draft.pk}},
        ],
    }
    bad = add_page(
        homes["en"],
        LegalPage,
        "bad",
        title="Bad",
        body=[
            {"type": "cards", "value": cards, "id": "1"},
            {"type": "logos", "value": {"logos": [{"name": "N", "picture": {"image": 999, "alt": ""}}]}, "id": "2"},
            {"type": "hero", "value": {"title": "{foo}"}, "id": "3"},
            {"type": "cards", "value": {"title": "T", "cards": [{"title": "A", "text": "a", "icon": "no"}]}, "id": "4"},
        ],
    )
    good = add_page(homes["en"], LegalPage, "good")
    bodies, problems = export_batch([key_of(bad), key_of(good)])
    assert set(bodies) == {key_of(good)}
    page = Subject("en", "page", str(bad.translation_key), "Bad", "/bad")
    found = problems[key_of(bad)]
    assert [problem.subject for problem in found] == [
        page._replace(block=Block("1", 1, "cards"), field="cards.1.link"),
        page._replace(block=Block("2", 2, "logos"), field="logos.0.picture"),
        page._replace(block=Block("3", 3, "hero"), field="title"),
        page._replace(block=Block("4", 4, "cards"), field="cards.0.icon"),
    ]
    assert [problem.detail for problem in found[1:3]] == [MissingPicture("999"), UnknownPlaceholder("foo")]
    assert [problem.detail.code for problem in found] == [
        "page-missing", "picture-missing", "placeholder-unknown", "value-invalid"
    ]  # fmt: skip


def test_a_picture_whose_files_are_being_made_is_not_published_yet(picture: SiteImage) -> None:
    default_storage.save(picture.file.name, ContentFile(b"as it was uploaded"))
    key = ItemKey("", "picture", str(picture.pk))
    assert export_items([key]) == {key: PICTURES["2"]}
    SiteImage.objects.update(published={})
    assert export_items([key]) == {key: None}


@pytest.fixture
def dallas(sites: Any) -> Office:
    category = OfficeCategory.objects.create(key="hub", name="Engineering hub", icon="code")
    OfficeCategoryTranslation.objects.create(category=category, locale=sites["de"].locale, name="Entwicklung")
    office = Office.objects.create(
        key="dallas", city="Dallas", address="1 Harbour Avenue", phone="+1 214-555-0140", category=category,
        country="us", lat=32.7, lng=-96.8, sets=["us", "default"], sort_order=3, opened=2007, hours="9-18",
    )  # fmt: skip
    OfficeTranslation.objects.create(office=office, locale=sites["en"].locale, address="1 Harbour Avenue, TX")
    OfficeTranslation.objects.create(office=office, locale=sites["de"].locale, hours="9-18 Uhr")
    return office


def test_an_office_speaks_each_sites_language(dallas: Office) -> None:
    keys = [ItemKey(site, "office", "dallas") for site in ("en", "uk", "de")]
    by_site = export_items(keys)
    english, british, german = (by_site[key] for key in keys)
    assert english == {
        "order": 3,
        "value": {
            "id": "dallas",
            "city": "Dallas",
            "address": "1 Harbour Avenue, TX",
            "phone": "+1 214-555-0140",
            "category": {"name": "Engineering hub", "icon": "code"},
            "country": "us",
            "lat": 32.7,
            "lng": -96.8,
            "sets": ["default", "us"],
            "opened": 2007,
            "hours": "9-18",
        },
    }
    assert british == english, "an heir takes the translation of the site it inherits from"
    assert german["value"]["category"]["name"] == "Entwicklung"
    assert (german["value"]["address"], german["value"]["hours"]) == ("1 Harbour Avenue", "9-18 Uhr")


@pytest.fixture
def english_menu(sites: Any, contact: ContactPage) -> MenuSettings:
    submenu = [{"title": "Legal", "description": "Terms", "url": "https://legal.example"}]
    return MenuSettings.objects.create(
        site=sites["en"].wagtail_site,
        items=[
            {"type": "item", "value": {"key": "contact", "title": "Contact", "page": contact.pk, "submenu": []}},
            {"type": "item", "value": {"key": "more", "title": "More", "submenu": submenu}},
        ],
        contact=[{"type": "link", "value": {"title": "Contact us", "page": contact.pk}}],
    )


def test_a_menu_freezes_to_its_schemas(english_menu: MenuSettings, contact: ContactPage) -> None:
    key = ItemKey("en", "menu", "main")
    to = {"$page": str(contact.translation_key), "title": "Contact"}
    link = {"$url": "https://legal.example", "title": "Legal"}
    plain = {"parentLink": None, "options": {"theme": "text-links"}}
    rest = {"img": None, "linkList": [], "contentType": None, "videos": []}
    assert export_items([key])[key] == {
        "items": [
            {"key": "contact", "title": "Contact", "to": to, "submenu": [], **plain},
            {
                "key": "more",
                "title": "More",
                "to": None,
                "submenu": [{"title": "Legal", "description": "Terms", "url": link, **rest}],
                **plain,
            },
        ],
        "contact": {**to, "title": "Contact us"},
    }


def test_an_heir_shows_the_menu_it_inherits_until_it_has_its_own(english_menu: MenuSettings, sites: Any) -> None:
    own, heir, other = (ItemKey(site, "menu", "main") for site in ("en", "uk", "de"))
    MenuSettings.objects.create(site=sites["uk"].wagtail_site)  # an editor has looked at the empty form
    bodies = export_items([own, heir, other])
    assert bodies[heir] == bodies[own] is not None
    assert bodies[other] is None
    MenuSettings.objects.filter(site=sites["uk"].wagtail_site).update(
        contact=[{"type": "link", "value": {"title": "Write", "url": "mailto:a@b.example"}, "id": "1"}]
    )
    assert export_items([heir])[heir] == {"items": [], "contact": {"$url": "mailto:a@b.example", "title": "Write"}}


def test_all_links_of_a_menu_that_lead_nowhere_are_named_at_once(english_menu: MenuSettings, homes: Homes) -> None:
    draft = homes["en"].add_child(instance=LegalPage(title="Draft", slug="draft", live=False))
    link = {"title": "x", "page": draft.pk, "anchor": "", "url": ""}
    item = {"title": "Company", "key": "c", "parent_link": link, "submenu": [link, link]}
    english_menu.items = json.dumps([{"type": "item", "value": item, "id": "i"}])
    english_menu.save()
    key = ItemKey("en", "menu", "main")
    assert [problem.subject for problem in export_batch([key]).problems[key]] == [
        Subject(*key, field=field) for field in ("items.0.submenu.0.url", "items.0.submenu.1.url", "items.0.parentLink")
    ]


def test_a_menu_without_contact_button_is_a_problem(english_menu: MenuSettings) -> None:
    MenuSettings.objects.update(contact=[])
    with pytest.raises(SnapshotError, match=r"en, header menu, Contact button: is empty"):
        export_items([ItemKey("en", "menu", "main")])


def test_a_footer_freezes_to_its_schemas(sites: Any, contact: ContactPage) -> None:
    own = {"title": "Contact", "page": contact.pk}
    careers = {"title": "Careers", "url": "https://people.example", "region": "cis"}
    FooterSettings.objects.create(
        site=sites["en"].wagtail_site,
        groups=[{"type": "group", "value": {"key": "company", "title": "Company", "links": [own, careers]}}],
        legal_links=[{"type": "link", "value": own}],
        offices_link=[{"type": "link", "value": {**own, "anchor": "offices"}}],
    )
    key = ItemKey("en", "footer", "main")
    link = {"$page": str(contact.translation_key), "title": "Contact"}
    assert export_items([key])[key] == {
        "groups": [
            {
                "key": "company",
                "title": "Company",
                "links": [
                    {"link": link, "region": None, "target": None},
                    {"link": {"$url": "https://people.example", "title": "Careers"}, "region": "cis", "target": None},
                ],
            }
        ],
        "legal_links": [link],
        "offices_link": {**link, "anchor": "offices"},
        "personal_data": None,
    }


def test_lists_everything_there_is(
    homes: Homes, live_copy: Any, contact: ContactPage, dallas: Office, picture: SiteImage
) -> None:
    live_copy(contact, "uk")
    keys = all_item_keys()
    assert {key for key in keys if key.kind == "page"} == {
        key_of(contact),
        key_of(contact, "uk"),
        *(key_of(home, site) for site, home in homes.items()),
    }
    assert {key for key in keys if key.kind == "office"} == {ItemKey(s, "office", "dallas") for s in homes}
    assert ItemKey("", "picture", str(picture.pk)) in keys
    assert set(export_items(keys)) == keys


def test_a_site_that_left_the_registry_is_not_published(homes: Homes, settings: Any) -> None:
    sites = {key: site for key, site in settings.SITES_REGISTRY.sites.items() if key != "de"}
    settings.SITES_REGISTRY = settings.SITES_REGISTRY.model_copy(update={"sites": sites})
    assert {key.site for key in all_item_keys() if key.site} == {"en", "uk"}
    assert export_items([key_of(homes["de"], "de")]) == {key_of(homes["de"], "de"): None}


def test_more_pages_take_no_more_queries(homes: Homes, add_page: AddPage, contact: ContactPage) -> None:
    link = text(f'<p><a linktype="page" id="{contact.pk}">x</a></p>')
    keys = [key_of(add_page(homes["en"], LegalPage, f"p{number}", body=[link])) for number in range(6)]

    def queries(count: int) -> int:
        with CaptureQueriesContext(connection) as captured:
            export_items(keys[:count])
        return len(captured)

    assert queries(1) == queries(6) <= 9

from collections.abc import Callable, Mapping
from typing import Any

import pytest
from wagtail.documents.models import Document
from wagtail.models import Page

from portolan.content.changes import keys_of, keys_of_subtree
from portolan.content.items import ItemKey
from portolan.content.models import (
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

Homes = Mapping[str, HomePage]
AddPage = Callable[..., Any]


def key_of(page: Page, site: str = "en") -> ItemKey:
    return ItemKey(site, "page", str(page.translation_key))


def test_a_page_dirties_itself(homes: Homes, add_page: AddPage) -> None:
    page = add_page(homes["de"], LegalPage, "agb")
    assert keys_of(page) == {key_of(page, "de")}
    assert keys_of(Page.objects.get(pk=page.pk)) == {key_of(page, "de")}


def test_a_page_dirties_its_copies(homes: Homes, live_copy: Any, add_page: AddPage) -> None:
    page = add_page(homes["en"], LegalPage, "terms")
    live_copy(page, "uk")
    assert keys_of(page) == {key_of(page), key_of(page, "uk")}


def test_a_home_page_does_not_dirty_its_whole_site(homes: Homes, add_page: AddPage) -> None:
    add_page(homes["en"], LegalPage, "terms")
    homes["en"].refresh_from_db()
    assert keys_of(homes["en"]) == {key_of(homes["en"])}


@pytest.mark.postgres
def test_a_move_dirties_all_below_and_their_copies(homes: Homes, live_copy: Any, add_page: AddPage) -> None:
    folder = add_page(homes["en"], FolderPage, "services")
    page = add_page(folder, ServicePage, "web")
    live_copy(page, "uk")
    folder.refresh_from_db()
    assert keys_of_subtree(folder) == {
        key_of(folder), key_of(page), key_of(folder, "uk"), key_of(page, "uk"),
    }  # fmt: skip


def test_a_move_to_another_site_dirties_the_site_it_left(homes: Homes, add_page: AddPage) -> None:
    page = add_page(homes["de"], LegalPage, "terms", locale=homes["uk"].locale)  # as earlier versions could leave it
    old_path = page.path
    page.move(HomePage.objects.get(pk=homes["uk"].pk), pos="last-child")
    page.refresh_from_db()
    assert keys_of_subtree(page, old_path) == {key_of(page, "de"), key_of(page, "uk")}


@pytest.mark.postgres
def test_an_office_dirties_all_sites(sites: Any) -> None:
    hub, lab = (OfficeCategory.objects.create(key=key, name=key, icon="code") for key in ("hub", "lab"))
    place = {"city": "X", "address": "Y", "phone": "+1 214-555-0140", "country": "us", "lat": 0, "lng": 0}
    dallas = Office.objects.create(key="dallas", category=hub, **place)
    Office.objects.create(key="hamburg", category=lab, **place)
    expected = {ItemKey(site, "office", "dallas") for site in sites}
    assert keys_of(dallas) == expected
    assert keys_of(OfficeTranslation(office=dallas, locale=sites["de"].locale)) == expected
    assert keys_of(hub) == expected, "a category dirties its own offices, and no others"
    assert keys_of(OfficeCategoryTranslation(category=hub, locale=sites["de"].locale)) == expected


@pytest.mark.django_db
def test_a_picture_dirties_one_item() -> None:
    assert keys_of(SiteImage(pk=7)) == {ItemKey("", "picture", "7")}


@pytest.mark.django_db
def test_a_document_dirties_one_item() -> None:
    assert keys_of(Document(pk=7)) == {ItemKey("", "document", "7")}


@pytest.mark.parametrize(("model", "kind"), [(MenuSettings, "menu"), (FooterSettings, "footer")])
def test_navigation_dirties_its_site_and_the_heirs(sites: Any, model: Any, kind: str) -> None:
    def keys(site: str) -> set[ItemKey]:
        return keys_of(model(site=sites[site].wagtail_site))

    assert keys("en") == {ItemKey("en", kind, "main"), ItemKey("uk", kind, "main")}
    assert keys("uk") == {ItemKey("uk", kind, "main")}
    assert keys("de") == {ItemKey("de", kind, "main")}


def test_other_models_dirty_nothing(sites: Any) -> None:
    assert keys_of(sites["en"].locale) == set()

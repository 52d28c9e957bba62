from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.test import RequestFactory
from wagtail.actions.convert_alias import ConvertAliasPageAction
from wagtail.models import Page

from portolan.content import pages
from portolan.content.models import (
    ArticlePage,
    BlueprintPage,
    CaseStudyPage,
    ErrorPage,
    EventPage,
    FolderPage,
    HomePage,
    IndustryPage,
    LegalPage,
    ListingPage,
    ServicePage,
    TechStackPage,
)
from portolan.content.pages import PAGE_TYPES

Homes = Mapping[str, HomePage]
AddPage = Callable[..., Any]


def test_every_family_file_is_listed() -> None:
    files = {file.stem for file in Path(pages.__file__).parent.glob("*.py")} - {"__init__", "base", "card", "folder"}
    assert files == {page_type.page_type.replace("-", "_") for page_type in PAGE_TYPES}


@pytest.mark.parametrize("page_type", PAGE_TYPES, ids=lambda page_type: page_type.page_type)
def test_every_family_is_previewed_and_none_is_private(page_type: type[Page]) -> None:
    assert [name for name, _ in page_type.preview_modes] == [""]
    assert page_type.private_page_options == []


def test_a_folder_has_nothing_to_preview() -> None:
    assert FolderPage.preview_modes == []


def test_leads_to_the_country_site(homes: Homes, add_page: AddPage) -> None:
    folder = add_page(homes["de"], FolderPage, "services")
    page = add_page(folder, ServicePage, "web-development")
    request = RequestFactory().get("/", HTTP_HOST="studio.localhost")
    for asked in (None, request):
        assert page.get_url(asked) == page.full_url == "http://de.localhost:8000/services/web-development"
        assert homes["en"].get_url(asked) == "http://localhost:8000/"
    assert folder.get_url(request) is None
    assert add_page(homes["uk"], ErrorPage, "gone", code=404).url == "http://uk.localhost:8000/404.html"
    away = add_page(homes["uk"], ErrorPage, "away", code=ErrorPage.Code.OFFLINE)
    assert away.url == "http://uk.localhost:8000/offline.html"


def test_the_sites_are_read_once_a_request(
    homes: Homes, add_page: AddPage, django_assert_num_queries: Any, rf: RequestFactory
) -> None:
    found = [add_page(homes["de"], LegalPage, slug) for slug in ("agb", "impressum")]
    request: HttpRequest = rf.get("/")
    with django_assert_num_queries(1):
        assert [page.get_url(request) for page in found] == [
            "http://de.localhost:8000/agb",
            "http://de.localhost:8000/impressum",
        ]


@pytest.mark.parametrize("slug", ["Web", "web_development", "über"])
def test_an_address_is_small_letters_digits_and_hyphens(homes: Homes, slug: str) -> None:
    with pytest.raises(ValidationError) as caught:
        homes["en"].add_child(instance=ServicePage(title="Web", slug=slug))
    assert set(caught.value.message_dict) == {"slug"}


@pytest.mark.parametrize(
    ("field", "text"),
    [
        ("title", "All of {foo}"),
        ("seo_title", "Too short"),
        ("seo_title", "x" * 61),
        ("search_description", "Too short"),
    ],
)
def test_titles_and_descriptions_are_checked(homes: Homes, field: str, text: str) -> None:
    with pytest.raises(ValidationError) as caught:
        homes["en"].add_child(instance=ServicePage(**{"title": "Web", "slug": "web", field: text}))
    assert set(caught.value.message_dict) == {field}


def test_a_site_has_one_error_page_a_code(homes: Homes, add_page: AddPage) -> None:
    page = add_page(homes["en"], ErrorPage, "not-found", code=404)
    page.full_clean()
    add_page(homes["de"], ErrorPage, "not-found", code=404)
    other = add_page(homes["en"], ErrorPage, "failed", code=500)
    add_page(homes["en"], ErrorPage, "away", code=ErrorPage.Code.OFFLINE)
    for code, name in ((404, "404"), (ErrorPage.Code.OFFLINE, "offline")):
        other.code = code
        with pytest.raises(ValidationError, match=f"already has an error page for {name}"):
            other.full_clean()


@pytest.mark.parametrize(
    ("parent", "child", "allowed"),
    [
        (Page, HomePage, True),
        (Page, ServicePage, False),
        (HomePage, HomePage, False),
        (HomePage, FolderPage, True),
        (HomePage, ErrorPage, True),
        (FolderPage, ServicePage, True),
        (FolderPage, CaseStudyPage, True),
        (ListingPage, CaseStudyPage, True),
        (ListingPage, ArticlePage, True),
        (ListingPage, EventPage, True),
        (ListingPage, BlueprintPage, True),
        (ListingPage, ServicePage, False),
        (ServicePage, CaseStudyPage, True),
        (FolderPage, ListingPage, True),
        (FolderPage, ArticlePage, False),
        (FolderPage, ErrorPage, False),
        (ServicePage, ServicePage, False),
        (FolderPage, IndustryPage, True),
        (IndustryPage, CaseStudyPage, True),
        (IndustryPage, IndustryPage, False),
        (FolderPage, TechStackPage, True),
        (TechStackPage, CaseStudyPage, False),
        (LegalPage, FolderPage, False),
    ],
)
def test_families_stand_where_they_belong(parent: type[Page], child: type[Page], allowed: bool) -> None:
    assert (child in parent.allowed_subpage_models()) is allowed


def test_a_copy_follows_its_source_but_for_being_hidden(homes: Homes, live_copy: Any, add_page: AddPage) -> None:
    source = add_page(homes["en"], LegalPage, "privacy-policy", title="Privacy")
    copy = live_copy(source, "uk")
    LegalPage.objects.filter(pk=copy.pk).update(hidden_here=True)
    source.title = "Privacy policy"
    source.save_revision().publish()
    copy = LegalPage.objects.get(pk=copy.pk)
    assert (copy.title, copy.hidden_here, copy.live) == ("Privacy policy", True, True)
    assert not LegalPage.objects.get(pk=source.pk).hidden_here


def test_an_override_keeps_its_own_texts(homes: Homes, live_copy: Any, add_page: AddPage) -> None:
    source = add_page(homes["en"], LegalPage, "privacy-policy", title="Privacy")
    copy = live_copy(source, "uk")
    ConvertAliasPageAction(copy).execute(skip_permission_checks=True)
    source.title = "Privacy policy"
    source.save_revision().publish()
    assert LegalPage.objects.get(pk=copy.pk).title == "Privacy"

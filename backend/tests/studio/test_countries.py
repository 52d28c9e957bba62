"""A new country in the studio: its form, the drafts that it starts with, its progress, and its launch."""

import json
import re
from collections.abc import Callable, Mapping
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group
from django.test import Client
from django.urls import reverse
from pytest_django import Settings
from wagtail.models import Locale, Page, Site

from portolan.content.change_sets.models import ChangeSet, ChangeSetItem
from portolan.content.models import ErrorPage, FolderPage, ServicePage
from portolan.content.navigation.menu import MenuSettings
from portolan.content.site_records import AddedSite, SiteRecord
from portolan.domain import change_sets
from portolan.domain.roles import parse_site_role
from portolan.releases.change_sets import put_live
from portolan.releases.create import create_release
from portolan.releases.models import PendingChange, Release, ReleaseItem
from portolan.sites.registry import Registry
from portolan.studio.countries.progress import read_progress
from portolan.studio.countries.start import start_site
from portolan.studio.permissions import sync_role_group
from portolan.translations.matrix import read_rows
from portolan.translations.models import Translation
from portolan.translations.states import State

pytestmark = pytest.mark.django_db

ITALY = {
    "country": "it",
    "language": "it",
    "name": "Italia",
    "key": "it",
    "time_zone": "Europe/Rome",
    "origin_local": "",
    "origin_staging": "https://it.staging.brightmoor.example",
    "origin_production": "https://brightmoor-it.example/",
}


@pytest.fixture
def administrator(client: Client, homes: Mapping[str, Any]) -> Any:
    client.defaults["HTTP_HOST"] = "studio.localhost"
    user = get_user_model().objects.create(username="administrator")
    user.groups.set([sync_role_group(parse_site_role("administrator"))])
    client.force_login(user)
    return user


@pytest.fixture
def files(settings: Settings, tmp_path: Path) -> Path:
    settings.ADDED_SITES_FILE = tmp_path / "added-sites.json"
    return tmp_path


def add(client: Client, **values: str) -> Any:
    return client.post(reverse("studio_country_add"), {**ITALY, **values})


@pytest.mark.parametrize(
    ("field", "value", "reason"),
    [
        ("key", "I T", "2 to 12 small letters"),
        ("key", "../de", "2 to 12 small letters"),
        ("key", "de", "There is a site with this key"),
        ("country", "xx", "Select a valid choice"),
        ("language", "tlh", "Select a valid choice"),
        ("time_zone", "Moon/Sea", "Select a valid choice"),
        ("name", " \u200b ", "This field is required"),
        ("origin_production", "https://brightmoor-de.example", "already used by Deutschland"),
        ("origin_production", "https://BRIGHTMOOR-de.example", "already used by Deutschland"),
        ("origin_production", "https://studio.brightmoor.example", "already used by the studio"),
        ("origin_production", "http://brightmoor-it.example", "Visitors need https"),
        ("origin_production", "https://brightmoor-it.example/italia", "This is not the URL of a site"),
        ("origin_production", "https://me:secret@brightmoor-it.example", "This is not the URL of a site"),
        ("origin_production", "https://127.0.0.1", "This is not the URL of a site"),
        ("origin_production", "https://..example", "This is not the URL of a site"),
        ("origin_production", "javascript:alert(1)", "This is not the URL of a site"),
        ("origin_production", "", "This field is required"),
        ("origin_local", "http://x.preview.localhost", "already used by previews"),
    ],
)
def test_a_wrong_value_is_refused_with_its_reason(
    administrator: Any, client: Client, files: Path, field: str, value: str, reason: str
) -> None:
    response = add(client, **{field: value})
    assert reason in response.content.decode()
    assert not AddedSite.objects.exists()


def test_only_administrators_of_all_sites_add_countries(administrator: Any, client: Client) -> None:
    for role in ("publisher", "administrator:de", "reader"):
        administrator.groups.set([sync_role_group(parse_site_role(role))])
        assert add(client).status_code in (302, 403)
        assert client.get(reverse("studio_countries")).status_code in (302, 403)
    assert not AddedSite.objects.exists()


def test_an_added_site_waits_for_the_processes_and_can_be_removed(
    administrator: Any, client: Client, files: Path
) -> None:
    url = reverse("studio_country", args=["it"])
    assert add(client).url == url
    entry = json.loads(AddedSite.objects.get(key="it").config)
    assert entry["language"] == "it-IT"
    assert entry["hreflang"] == ["it"]
    assert entry["origins"] == {
        "local": "http://it.localhost:{port}",
        "staging": "https://it.staging.brightmoor.example",
        "production": "https://brightmoor-it.example",
    }
    assert "There is a site with this key" in add(client).content.decode()
    assert "already used by it" in add(client, key="ita").content.decode()
    other = {"key": "sm", "country": "sm", "language": "de", "origin_staging": "https://sm.example"}
    assert add(client, **other, origin_production="https://brightmoor-it.exam").status_code == 302
    AddedSite.objects.get(key="sm").delete()
    response = client.get(url)
    assert response["Refresh"]
    assert "being set up" in response.content.decode()
    client.post(reverse("studio_country_remove", args=["it"]))
    assert not AddedSite.objects.exists()
    assert client.get(url).status_code == 404


@pytest.fixture
def italy(settings: Settings, registry_of: Callable[..., Registry], homes: Mapping[str, Any]) -> None:
    """Italy is in the site configuration that this process has read."""
    settings.SITES_REGISTRY = registry_of(
        "en", "uk", "de", "it", it={"language": "it-IT", "hreflang": ["it"], "name": "Italia"}
    )
    settings.SITE_ORIGINS = {key: site.origin("local", 8000) for key, site in settings.SITES_REGISTRY.sites.items()}


@pytest.fixture
def english(homes: Mapping[str, Any], add_page: Callable[..., Any]) -> Mapping[str, Any]:
    """A service below a folder, an error page, and a page that the menu links to."""
    folder = add_page(homes["en"], FolderPage, "services", title="Services")
    pages = {
        "web": add_page(folder, ServicePage, "web", title="Web"),
        "apps": add_page(folder, ServicePage, "apps", title="Apps"),
        "lost": add_page(homes["en"], ErrorPage, "404", title="Not found"),
    }
    menu = MenuSettings(site=homes["en"].sites_rooted_here.get())
    menu.contact = [("link", {"title": "Apps", "page": pages["apps"], "url": "", "anchor": ""})]
    menu.save_live()
    homes["en"].specific.save_revision().publish()
    return pages


def italian(english: Page) -> Page:
    return Page.objects.get(translation_key=english.translation_key, locale__language_code="it-it")


def start(client: Client, *pages: Page) -> str:
    keys = [str(page.translation_key) for page in pages]
    response = client.post(reverse("studio_country_start", args=["it"]), {"page": keys}, follow=True)
    return str(response.content.decode())


def test_it_starts_with_drafts_of_the_chosen_pages_in_one_change_set(
    administrator: Any, client: Client, italy: None, english: Mapping[str, Any]
) -> None:
    choice = client.get(reverse("studio_country", args=["it"])).content.decode()
    ticked = {name for name in english if re.search(rf'value="{english[name].translation_key}" checked', choice)}
    assert ticked == {"apps", "lost"}, "the menu's page, and the required one"
    said = start(client, english["web"])
    assert "data-country=begun" in said.replace('"', "")
    assert italian(english["web"]).url_path == "/it/services/web/"
    assert not italian(english["web"]).live
    assert not Page.objects.filter(locale__language_code="it-it", slug="apps").exists()
    change_set = ChangeSet.objects.get()
    assert sorted(change_set.items.values_list("title", flat=True)) == [
        "Header menu, Italia",
        "International",
        "Not found",
        "Services",
        "Web",
    ]
    states = {row.key: row.cells["it"].state for row in read_rows(["it"])}
    assert states[english["web"].translation_key] is State.IN_PROGRESS
    assert states[english["apps"].translation_key] is State.MISSING
    assert states[english["lost"].translation_key] is State.IN_PROGRESS


def test_an_aborted_start_leaves_nothing(
    administrator: Any, italy: None, english: Mapping[str, Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    def count() -> list[int]:
        return [
            model.objects.count()
            for model in (
                Page,
                Site,
                Locale,
                SiteRecord,
                Group,
                ChangeSet,
                ChangeSetItem,
                MenuSettings,
                Translation,
                PendingChange,
            )
        ]

    def fail(*_: Any) -> None:
        raise OSError("the disk is full")

    before = count()
    monkeypatch.setattr("portolan.studio.countries.start.add", fail)
    with pytest.raises(OSError, match="the disk is full"):
        start_site("it", [english["web"].translation_key], administrator)
    assert count() == before


def test_progress_counts_pages_that_a_person_has_marked(
    administrator: Any, client: Client, italy: None, english: Mapping[str, Any]
) -> None:
    start(client, english["web"])
    before = read_progress("it")
    assert (before.done, len(before.tasks), before.is_live) == (0, 3, False)
    assert [need.text for need in before.needs if need.is_met] == ["Header menu"]
    cell = f"{english['web'].translation_key}:it"
    client.post(reverse("studio_translations_change"), {"do": "confirm", "cell": [cell]})
    after = read_progress("it")
    assert (after.done, before.words_left - after.words_left) == (
        1,
        sum(task.words for task in before.left if task.title == "Web"),
    )
    administrator.groups.set([sync_role_group(parse_site_role("translator:it"))])
    assert reverse("studio_country", args=["it"]) in client.get(reverse("wagtailadmin_home")).content.decode()
    assert client.get(reverse("studio_country", args=["it"])).status_code == 200
    administrator.groups.set([sync_role_group(parse_site_role("translator:de"))])
    assert client.get(reverse("studio_country", args=["it"])).status_code in (302, 403)


def test_it_launches_with_one_release_and_other_sites_keep_their_content(
    administrator: Any, client: Client, italy: None, english: Mapping[str, Any]
) -> None:
    create_release("test", date(2026, 11, 28))
    others = list(ReleaseItem.objects.filter(until=None).order_by("pk").values("site", "kind", "key", "digest"))
    start(client, english["web"])
    create_release("test", date(2026, 11, 28))
    assert not ReleaseItem.objects.filter(site="it", kind="page").exists()
    assert list(ReleaseItem.objects.filter(until=None).order_by("pk").values("site", "kind", "key", "digest")) == others
    releases = Release.objects.count()
    put_live(ChangeSet.objects.get(), "administrator", administrator, states=[change_sets.State.OPEN])
    assert Release.objects.count() == releases + 1
    live = ReleaseItem.objects.filter(until=None, site="it")
    assert live.filter(kind="page").count() == 3
    assert live.filter(kind="menu").count() == 1
    assert read_progress("it").is_live
    assert "is launched" in client.get(reverse("studio_country", args=["it"])).content.decode()

"""A new country in the studio: its form, the drafts that it starts with, its progress, and its launch."""

import json
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from pytest_django import Settings
from wagtail.models import Locale, Page, Site

from portolan.content.change_sets.models import ChangeSet, ChangeSetItem
from portolan.content.models import ErrorPage, ServicePage
from portolan.content.site_records import AddedSite, SiteRecord
from portolan.domain.roles import parse_site_role
from portolan.releases.change_sets import put_live
from portolan.releases.models import Release
from portolan.sites.registry import Registry
from portolan.studio.countries.start import start_site
from portolan.studio.permissions import sync_role_group
from portolan.translations.models import Translation

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
    response = client.get(url)
    assert response["Refresh"]
    assert "being set up" in response.content.decode()
    client.post(reverse("studio_country_remove", args=["it"]))
    assert not AddedSite.objects.exists()
    assert client.get(url).status_code == 404

"""Three sites with a page of each kind (own, inherited, translated), an office and an image."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from django.conf import settings as django_settings
from django.core.files.base import ContentFile
from pytest_django import Settings

from portolan.content.collections.offices import Office, OfficeCategory
from portolan.content.pages.about import AboutPage
from portolan.content.pages.folder import FolderPage
from portolan.content.pages.service import ServicePage
from portolan.content.pictures import SiteImage, publish_picture
from portolan.content.site_records import SiteRecord
from portolan.releases.connection import connected_reader
from portolan.releases.create import create_release
from portolan.releases.diff import diff_releases
from portolan.releases.models import PendingChange, Release

from ..conftest import publish_page
from ..shared_content import ensure, shared

TODAY: Final = date(2026, 11, 21)
SVG: Final = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"><path d="M0 0h8v8z"/></svg>'


def rich_text(html: str) -> list[dict[str, Any]]:
    return [{"type": "rich_text", "value": {"html": html}, "id": "text-1"}]


@dataclass
class World:
    """The content that tests edit. Pages are read again at each access, because Wagtail's tree changes below the
    instances.
    """

    sites: Mapping[str, SiteRecord]
    pages: dict[str, int]
    office: Office
    picture: SiteImage

    def page(self, name: str) -> Any:
        from wagtail.models import Page

        return Page.objects.get(pk=self.pages[name]).specific

    def snapshot(self, **given: Any) -> Release | None:
        return create_release("test", given.pop("today", TODAY), **given)

    def differences(self) -> set[tuple[str, str, str, str]]:
        """(change, site, kind, name) of each item between the last two releases."""
        reader = connected_reader()
        newest = reader.latest() or 0
        return {(item.change, item.site, item.kind, item.name) for item in diff_releases(reader, newest - 1, newest)}


@pytest.fixture(autouse=True)
def no_publisher(settings: Settings, tmp_path: Path) -> None:
    settings.WAKE_SOCKET = tmp_path / "publisher.sock"


@pytest.fixture
def world(sites: Mapping[str, SiteRecord], media: Path) -> World:
    """Return an installation after its first release."""
    pages = ensure("world")
    return World(sites, pages, Office.objects.select_related("category").get(), SiteImage.objects.get())


@shared("world", on="sites")
def make_world(media: Path) -> dict[str, int]:
    homes = {record.key: record.wagtail_site.root_page.specific for record in SiteRecord.objects.all()}
    english = homes["en"]
    services = publish_page(english, FolderPage, "services")
    web = publish_page(services, ServicePage, "web", body=rich_text("<p>Words</p>"))
    about = publish_page(english, AboutPage, "about-us")
    german = publish_page(
        homes["de"], AboutPage, "about-us", locale=homes["de"].locale, translation_key=about.translation_key
    )
    Office.objects.create(
        key="dallas", city="Dallas", address="1 Pier", phone="+1 214-555-0140", country="us", lat=32.7, lng=-96.8,
        category=OfficeCategory.objects.create(key="hub", name="Hub", icon="anchor"), sets=["default"],
    )  # fmt: skip
    picture = SiteImage(title="Mark", file=ContentFile(SVG, name="mark.svg"))
    picture.save()
    publish_picture(picture)
    assert create_release("test", TODAY) is not None
    assert not PendingChange.objects.exists()
    assert django_settings.SITES_REGISTRY.sites["uk"].inherits == "en"
    pages = {"home": english, "services": services, "web": web, "about": about, "german": german}
    pages["copy"] = web.get_translation(SiteRecord.objects.get(key="uk").locale)
    return {name: page.pk for name, page in pages.items()}

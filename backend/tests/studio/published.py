"""Two small sites published by the real publisher, with a fake renderer."""

from pathlib import Path

import pytest
from django.utils import timezone

from portolan.content.models import AboutPage, FooterSettings, MenuSettings, ServicePage
from portolan.publisher.addresses import Addresses
from portolan.publisher.publish import Publisher
from portolan.releases.connection import connected_reader
from portolan.releases.create import create_release

from ..publisher.conftest import write_web_build
from ..publisher.fake_renderer import FakeRenderer

TITLE = "تطوير الويب"


def opening(title: str):
    return {"type": "hero", "value": {"title": title, "actions": []}, "id": "h"}


@pytest.fixture
def world(sites, homes, add_page):
    """Make a page on each of two sites. Menu, footer and another page link to the international one."""
    for home in homes.values():
        home.body = [opening(home.title)]
        home.save_revision().publish()
    about = add_page(homes["en"], AboutPage, "about-us", title="About us", body=[opening("About us")])
    link = {"title": "About", "page": about.pk, "anchor": "", "url": ""}
    text = f'<p><a linktype="page" id="{about.pk}">us</a></p>'
    body = [opening(TITLE), {"type": "rich_text", "value": {"html": text}, "id": "t"}]
    service = add_page(homes["en"], ServicePage, "web", title=TITLE, body=body)
    contact = [{"type": "link", "value": link, "id": "c"}]
    item = {"title": "Company", "key": "company", "theme": "text-links", "submenu": [{"title": "Us", "page": about.pk}]}
    for key in ("en", "de"):
        site = sites[key].wagtail_site
        MenuSettings.objects.create(site=site, items=[{"type": "item", "value": item, "id": "i"}], contact=contact)
        FooterSettings.objects.create(site=site, groups=[], legal_links=[], offices_link=contact)
    return {"about": about, "service": service}


@pytest.fixture
def publish(settings, world, tmp_path: Path):
    web = write_web_build(tmp_path / "dist", "web-1", {"/assets/app-1.js": "1"})
    addresses = Addresses(settings.SITES_REGISTRY, settings.ENVIRONMENT, settings.PORT)

    def run(by: str) -> None:
        create_release(by, timezone.now().date())
        reader = connected_reader()
        publisher = Publisher(addresses, reader, web, settings.BUILDS_DIR, tmp_path / "media", FakeRenderer())
        publisher.publish(keep_going=True)

    return run

"""Editors preview their text as visitors would see it, before publishing."""

import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone
from wagtail.test.utils.form_data import nested_form_data, rich_text, streamfield

from portolan.content.export import all_item_keys
from portolan.content.models import (
    ArticlePage,
    FooterSettings,
    LegalPage,
    ListingPage,
    MenuSettings,
    ServicePage,
    SiteImage,
)
from portolan.releases.create import create_release
from portolan.releases.models import PendingChange, ReleaseItem
from portolan.studio import drawing
from portolan_dev.contract.examples import PICTURES

HOST = {"Host": "studio.localhost"}


@pytest.fixture(autouse=True)
def previewer() -> Iterator[None]:
    yield
    drawing.stop()


@pytest.fixture
def studio(admin_client: Client) -> Client:
    return admin_client


@pytest.fixture
def contact(homes, add_page):
    """A published page, and all that a site needs."""
    page = add_page(homes["en"], LegalPage, "contact-us", title="Contact us")
    link = [{"type": "link", "value": {"title": "Write to us", "page": page.pk}}]
    site = homes["en"].get_site()
    MenuSettings.objects.create(site=site, contact=link)
    FooterSettings.objects.create(site=site, offices_link=link)
    return page


@pytest.fixture
def released(contact):
    create_release("test", timezone.now().date())


def hero(title: str, **more: Any) -> dict[str, Any]:
    return {"type": "hero", "value": {"title": title, **more}, "id": "b1"}


def draft_of(page, **fields: Any):
    """Save changes to the page without publishing them."""
    for name, value in fields.items():
        setattr(page, name, value)
    page.save_revision()
    return page


def view_draft(studio: Client, page) -> Any:
    return studio.get(f"/admin/pages/{page.pk}/view_draft/", headers=HOST)


def test_a_draft_is_shown_as_the_site_would_show_it(studio, released, homes, add_page):
    page = add_page(homes["en"], ServicePage, "web", title="Web", body=[hero("Old words")])
    pending = PendingChange.objects.count()
    draft_of(page, body=[hero("New words of {company}")])
    reply = view_draft(studio, page)
    html = reply.content.decode()
    assert (reply.status_code, reply["Content-Type"]) == (200, "text/html; charset=utf-8")
    assert "New words of Brightmoor" in html
    assert "Old words" not in html
    assert "Write to us" in html, "the site's own menu stands above it"
    assert '<html lang="en" dir="ltr"' in html
    assert PendingChange.objects.count() == pending, "nothing is on its way"
    assert b"New words" not in b"".join(bytes(body) for body in ReleaseItem.objects.values_list("body", flat=True))


def test_no_script_of_the_page_runs_where_the_editor_is_signed_in(studio, released, contact):
    reply = view_draft(studio, contact)
    policy = dict(part.split(" ", 1) for part in reply["Content-Security-Policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == "http://studio.localhost:8000/static/wagtailadmin/js/"
    assert b"<script" not in reply.content
    assert "connect-src" not in policy
    assert policy["frame-ancestors"] == "'self'"


def test_its_styles_come_from_the_studio_and_its_links_lead_to_the_site(studio, released, homes, contact, add_page):
    action = {"title": "Contact", "page": contact.pk}
    page = add_page(homes["en"], ServicePage, "web", body=[hero("Web", actions=[action])])
    html = view_draft(studio, page).content.decode()
    assert ' target="_blank" href="http://localhost:8000/contact-us"' in html
    assert ' href="/contact-us"' not in html
    (style,) = set(re.findall(r'<link rel="stylesheet" href="/assets/([^"]+)"', html))
    asset = studio.get(f"/assets/{style}", headers=HOST)
    assert (asset.status_code, asset["Content-Type"]) == (200, "text/css; charset=utf-8")
    assert "immutable" in asset["Cache-Control"]
    assert asset.content


@pytest.mark.parametrize("name", ["nothing.css", "../web-build.json", "..%2fserver/render-worker.js"])
def test_only_files_of_the_web_build_are_assets(studio, released, name):
    assert studio.get(f"/assets/{name}", headers=HOST).status_code == 404


def test_a_page_that_was_never_published_is_shown_with_its_card(studio, released, homes, add_page):
    cover = SiteImage.objects.create(title="Cranes", file="c.png", width=8, height=8, published=PICTURES["2"])
    listing = add_page(homes["en"], ListingPage, "insights", title="Insights")
    create_release("test", timezone.now().date())
    page = ArticlePage(
        title="A berth plan", slug="plan", live=False, date=date(2026, 3, 1), summary="How it works.", preview=cover
    )
    listing.add_child(instance=page)
    page.save_revision()
    assert not any(key.kind == "news" for key in all_item_keys())
    html = view_draft(studio, page).content.decode()
    assert "A berth plan" in html
    assert re.search(r'<time datetime="2026-03-01">', html, re.IGNORECASE)
    assert 'href="http://localhost:8000/insights"' in html


def test_what_keeps_a_draft_from_being_shown_is_said(studio, released, homes, add_page):
    page = add_page(homes["en"], ServicePage, "web", title="Web")
    homes["en"].refresh_from_db()
    gone = homes["en"].add_child(instance=LegalPage(title="gone", slug="gone", live=False))
    draft_of(page, body=[hero("Web", actions=[{"title": "x", "page": gone.pk}])])
    reply = view_draft(studio, page)
    assert reply.status_code == 200
    assert "No preview yet" in reply.content.decode()
    assert (
        "International, “Web” (/web), block 1 (Hero), actions 1: links to “gone”, which is not published"
        in reply.content.decode()
    )


def test_without_a_release_there_is_no_frame_to_show_a_page_in(studio, contact):
    assert "nothing is published yet" in view_draft(studio, contact).content.decode()


def test_without_a_web_build_the_studio_says_so(studio, released, contact, settings, tmp_path: Path):
    settings.WEB_DIST = tmp_path
    assert "There is no usable web build" in view_draft(studio, contact).content.decode()


def test_the_newest_release_surrounds_the_draft(studio, released, contact):
    assert "Write to us" in view_draft(studio, contact).content.decode()
    link = [{"type": "link", "value": {"title": "Ring us", "page": contact.pk}}]
    MenuSettings.objects.get().delete()
    MenuSettings.objects.create(site=contact.get_site(), contact=link)
    create_release("test", timezone.now().date())
    assert "Ring us" in view_draft(studio, contact).content.decode()


def test_the_panel_beside_the_form_shows_what_is_typed(studio, released, homes, add_page):
    page = add_page(homes["en"], LegalPage, "terms", title="Terms")
    text = {"tone": "paper", "anchor": "", "anchor_title": "", "html": rich_text("<p>Typed a moment ago</p>")}
    form = nested_form_data(
        {
            "title": "Terms",
            "slug": "terms",
            "seo_title": "",
            "search_description": "",
            "body": streamfield([("rich_text", text)]),
        }
    )
    url = f"/admin/pages/{page.pk}/edit/preview/"
    assert studio.post(url, form, headers=HOST).json() == {"is_valid": True, "is_available": True}
    reply = studio.get(url, {"in_preview_panel": "true"}, headers=HOST)
    assert "Typed a moment ago" in reply.content.decode()
    scripts = re.findall(r'<script src="([^"?]+)', reply.content.decode())
    assert scripts == [f"/static/wagtailadmin/js/{name}.js" for name in ("vendor", "userbar")]
    assert "Typed" not in str(LegalPage.objects.get(pk=page.pk).body.raw_data[:])


def test_the_panel_shows_a_page_that_is_not_saved_yet(studio, released, homes):
    text = {"tone": "paper", "anchor": "", "anchor_title": "", "html": rich_text("<p>Not saved yet</p>")}
    form = nested_form_data(
        {
            "title": "New",
            "slug": "new",
            "seo_title": "",
            "search_description": "",
            "body": streamfield([("rich_text", text)]),
        }
    )
    url = f"/admin/pages/add/content/legalpage/{homes['en'].pk}/preview/"
    assert studio.post(url, form, headers=HOST).json()["is_valid"]
    assert "Not saved yet" in studio.get(url, headers=HOST).content.decode()
    assert not LegalPage.objects.filter(slug="new").exists()


def test_only_editors_see_drafts(client, released, contact):
    assert view_draft(client, contact).status_code == 302

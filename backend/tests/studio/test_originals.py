"""An editor of a page can read its original as visitors see it, and no other page of that site."""

from datetime import date

import pytest
from django.contrib.auth import get_user_model
from django.urls import reverse
from wagtail.models import Page

from portolan.content.models import LegalPage, ServicePage
from portolan.domain.roles import parse_site_role
from portolan.releases.create import create_release
from portolan.studio import originals
from portolan.studio.permissions import sync_role_group

pytestmark = pytest.mark.django_db


@pytest.fixture
def pages(homes, add_page, live_copy):
    """Return an English page with a German translation and a British live copy, and a page without."""
    english = add_page(homes["en"], ServicePage, "web", title="Web")
    german = add_page(
        homes["de"],
        ServicePage,
        "web",
        title="Netz",
        locale=homes["de"].locale,
        translation_key=english.translation_key,
    )
    alone = add_page(homes["de"], LegalPage, "impressum", title="Impressum", locale=homes["de"].locale)
    create_release("test", date(2026, 11, 27))
    return {"en": english, "de": german, "uk": live_copy(english, "uk"), "alone": alone}


@pytest.fixture
def read(client, monkeypatch):
    """Return the title of the shown page, or the status."""
    client.defaults["HTTP_HOST"] = "studio.localhost"

    def read(role, page):
        user, _ = get_user_model().objects.get_or_create(username=role)
        user.groups.set([sync_role_group(parse_site_role(role))])
        client.force_login(user)
        shown = []

        def show(page, request):
            shown.append(page.title)
            return originals.HttpResponse()

        monkeypatch.setattr(originals, "show_draft", show)
        reply = client.get(reverse("studio_original", args=[page.pk]))
        return shown[0] if shown else reply.status_code

    return read


@pytest.mark.parametrize(
    ("role", "name", "found"),
    [
        ("editor:de", "de", "Web"),
        ("translator:de", "de", "Web"),
        ("reader:de", "de", "Web"),
        ("editor:uk", "uk", "Web"),
        ("editor:uk", "de", 302),
        ("editor:de", "en", 302),
        ("editor:de", "alone", 404),
        ("editor:en", "en", 404),
    ],
)
def test_who_may_read_which_original(pages, read, role, name, found):
    assert read(role, pages[name]) == found


def test_a_draft_of_the_original_is_not_shown(pages, read):
    page = Page.objects.get(pk=pages["en"].pk).specific
    page.title = "Secret plans"
    page.save_revision()
    assert read("editor:de", pages["de"]) == "Web"
    page.unpublish()
    assert read("editor:de", pages["de"]) == 404


def test_the_form_leads_there(pages, read, client):
    read("editor:uk", pages["uk"])
    html = client.get(reverse("wagtailadmin_pages:edit", args=[pages["uk"].pk])).content.decode()
    assert "Read original" in html
    assert "Edit original" not in html
    read("editor:de", pages["de"])
    html = client.get(reverse("wagtailadmin_pages:edit", args=[pages["de"].pk])).content.decode()
    assert reverse("studio_original", args=[pages["de"].pk]) in html

"""A form declares the language and direction of its content."""

from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from portolan.content.collections.offices import Office, OfficeCategory
from portolan.content.collections.reviews import Review
from portolan.content.navigation.menu import MenuSettings
from portolan.content.pages.about import AboutPage
from portolan.content.redirects import Redirect
from portolan.studio.content_language import describe_languages

pytestmark = pytest.mark.django_db

ENGLISH, GERMAN = {"lang": "en", "dir": "ltr"}, {"lang": "de-DE", "dir": "ltr"}
ARABIC = {"lang": "ar-AE", "dir": "rtl"}


@pytest.fixture
def arabic(settings: Any, sites: Any) -> None:
    """The German site writes Arabic."""
    registry = settings.SITES_REGISTRY
    german = registry.sites["de"].model_copy(update={"language": "ar-AE", "dir": "rtl"})
    settings.SITES_REGISTRY = registry.model_copy(update={"sites": {**registry.sites, "de": german}})


def test_a_page_and_a_menu_are_in_the_language_of_their_site(arabic: None, homes: Any, sites: Any) -> None:
    assert describe_languages(homes["de"]) == {"own": ARABIC, "rows": {}}
    assert describe_languages(homes["en"]) == {"own": ENGLISH, "rows": {}}
    menu = MenuSettings(site=sites["de"].wagtail_site)
    assert describe_languages(menu) == {"own": ARABIC, "rows": {}}


def test_an_entry_is_in_the_language_of_each_row(arabic: None, sites: Any) -> None:
    rows = {str(sites[key].locale_id): language for key, language in (("en", ENGLISH), ("de", ARABIC))}
    for entry, own in ((Review(), None), (Office(), ENGLISH), (OfficeCategory(), ENGLISH)):
        found = describe_languages(entry)
        assert found is not None
        assert found["own"] == own
        assert rows.items() <= found["rows"].items()


def test_what_is_no_content_has_no_language(sites: Any) -> None:
    assert describe_languages(Redirect()) is None
    assert describe_languages(None) is None


def test_the_forms_of_new_and_known_pages_say_it(arabic: None, admin_client: Client, homes: Any, add_page: Any) -> None:
    page = add_page(homes["de"], AboutPage, "about")
    new = reverse("wagtailadmin_pages:add", args=["content", "servicepage", homes["de"].pk])
    for form in (reverse("wagtailadmin_pages:edit", args=[page.pk]), new):
        reply = admin_client.get(form)
        assert reply.status_code == 200, reply.headers
        text = reply.content.decode()
        assert 'name="studio-content-language"' in text
        assert "ar-AE" in text
        assert "studio/content-language.js" in text
    assert (
        "studio-content-language"
        not in admin_client.get("/admin/", headers={"Host": "studio.localhost"}).content.decode()
    )

"""Editors' redirects: how their fields are stored, and the messages for refused ones."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError

from portolan.content.export import export_items
from portolan.content.items import REDIRECT, ItemKey
from portolan.content.pages.about import AboutPage
from portolan.content.pages.service import ServicePage
from portolan.content.redirects import Redirect
from portolan.content.site_records import SiteRecord

from ..conftest import publish_page

pytestmark = pytest.mark.django_db


@pytest.fixture
def about(sites: Any) -> AboutPage:
    """Add it on en and, by inheritance, uk, but not on de."""
    english = SiteRecord.objects.get(key="en").wagtail_site.root_page.specific
    return publish_page(english, AboutPage, "about-us")


def make(source: str, address: str = "", site: str | None = "en", **more: Any) -> Redirect:
    redirect = Redirect(site_id=site, source=source, address=address, **more)
    redirect.full_clean()
    redirect.save()
    return redirect


@pytest.mark.parametrize(
    ("typed", "kept"),
    [
        ("/Old/", "/old"),
        (" //old//page ", "/old/page"),
        ("/old%20page", "/old page"),
        ("/Уголок", "/уголок"),
        ("/Cafe\u0301", "/caf\u00e9"),
        ("/caf%C3%A9", "/caf\u00e9"),
        ("/cafe%CC%81", "/caf\u00e9"),
        ("\u200b/old\u00a0", "/old"),
        ("/blog/*", "/blog/*"),
        ("/Blog//*", "/blog/*"),
        ("/old.php", "/old.php"),
        ("http://localhost:8000/old", "/old"),
        ("/apiary", "/apiary"),
    ],
)
def test_the_old_address_is_kept_in_one_spelling(about: AboutPage, typed: str, kept: str) -> None:
    assert make(typed, "https://example.com/x").source == kept


@pytest.mark.parametrize(
    ("source", "said"),
    [
        ("old", "Start with a slash"),
        ("/old?id=5", "Remove ? and #"),
        ("/old#part", "Remove ? and #"),
        ("/a*b", "Use * only at the end"),
        ("/a/*/b", "Use * only at the end"),
        ("/", "cover the whole site"),
        ("/*", "cover the whole site"),
        ("/a/../b", "Browsers cannot request"),
        ("/a\\b", "Browsers cannot request"),
        ("/a%3Fb", "Browsers cannot request"),
        ("/a%0Ab", "Browsers cannot request"),
        ("/api/content", "The website itself uses"),
        ("/media/*", "The website itself uses"),
        ("/__form", "The website itself uses"),
        ("https://elsewhere.example/old", "Enter only the path"),
        ("http://de.localhost:8000/old", "Enter only the path"),
        ("/about-us", "“about-us” is at /about-us, and a page has priority over a redirect"),
        ("/about-us/", "“about-us” is at /about-us"),
        ("/taken", "/taken already has a redirect for this site"),
    ],
)
def test_an_old_address_that_cannot_be_is_refused(about: AboutPage, source: str, said: str) -> None:
    make("/taken", "/about-us")
    with pytest.raises(ValidationError) as refused:
        make(source, "https://example.com/x")
    assert said in " ".join(refused.value.message_dict["source"])


@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({}, "Choose a target page"),
        ({"address": "/about-us", "status": 410}, "A gone URL has no target"),
        ({"address": "/nowhere"}, "There is no page at /nowhere on International, so"),
        ({"address": "nowhere"}, "'nowhere' is not a URL"),
        ({"address": "javascript:alert(1)"}, "is not a URL"),
        ({"address": "//evil.example/x"}, "is not a URL"),
        ({"address": "https://user:word@evil.example/"}, "is not a URL"),
        ({"address": "https://exa mple.com/"}, "is not a URL"),
        ({"address": "/new/*"}, "requires an old URL with /*"),
        ({"address": "/media/documents/private.pdf", "source": "/x"}, ""),
        ({"address": "/old"}, "This would be a redirect loop"),
        ({"address": "/ring"}, "This would be a redirect loop: /ring redirects back to /old"),
        ({"address": "/old/*", "source": "/old/*"}, "This would be a redirect loop"),
    ],
)
def test_a_target_that_nobody_would_reach_is_refused(about: AboutPage, fields: dict[str, Any], said: str) -> None:
    make("/elsewhere", "https://example.com/x")
    Redirect.objects.create(site_id="en", source="/ring", address="/old")  # as an earlier version may have stored it
    given = {"source": "/old", **fields}
    if not said:
        make(**given)
        return
    with pytest.raises(ValidationError) as refused:
        make(**given)
    assert said in " ".join(refused.value.messages)


def test_a_path_at_which_a_page_stands_becomes_the_page(about: AboutPage) -> None:
    made = make("/old", "/About-us/#team")
    assert (made.page.pk, made.anchor, made.address) == (about.pk, "team", "")
    assert make("/old-2", "http://localhost:8000/about-us").page.pk == about.pk
    assert make("/old-3", "/about-us?x=1").address == "/about-us?x=1"


def test_a_page_and_an_address_are_one_too_many_and_a_draft_is_none(about: AboutPage) -> None:
    with pytest.raises(ValidationError, match="Use either a page or a URL"):
        make("/old", "https://example.com/x", page=about)
    draft = ServicePage(title="Draft", slug="draft", live=False)
    about.get_parent().add_child(instance=draft)
    with pytest.raises(ValidationError, match="“Draft” is not live on this site"):
        make("/old", page=draft)


def test_one_of_a_site_goes_before_one_of_all(about: AboutPage) -> None:
    make("/old", page=about, anchor="team", site=None, status=302)
    make("/old", status=410, site="de")
    keys = {site: ItemKey(site, REDIRECT, "/old") for site in ("en", "uk", "de")}
    bodies = export_items(keys.values())
    own = {"status": 302, "page": str(about.translation_key), "anchor": "team", "address": ""}
    assert bodies == {
        keys["en"]: own,
        keys["uk"]: own,
        keys["de"]: {"status": 410, "page": None, "anchor": "", "address": ""},
    }
    about.delete()
    assert export_items([keys["en"]])[keys["en"]]["status"] == 410


def test_one_of_all_sites_may_stand_where_some_have_a_page(about: AboutPage) -> None:
    make("/about-us", "https://example.com/x", site="de")
    make("/about-us", "https://example.com/y", site=None)

"""The consequences of a planned change: live pages, their new URLs, and the earlier ones."""

import pytest

from portolan.releases.index import Page
from portolan.releases.reader import ItemId
from portolan.studio.consequences import Conflict, Known, RedirectEnd, foresee

ORIGINS = {"en": "https://en.example", "de": "https://de.example", "uk": "https://uk.example"}


def page(path, site="en", key=""):
    """Return a page. Its key is its path's last part, so that translations have one key."""
    key = key or path.rpartition("/")[2] or "home"
    return Page(site, key, path, "service", key.title(), None, None, False)


LIVE = [
    page("/"),
    page("/services"),
    page("/services/web"),
    page("/services/app"),
    page("/about"),
    page("/", "uk"),
    page("/services/web", "uk"),
    page("/netz", "de", "web"),
]
FORMER = {"/services": "services", "/services/web": "web", "/about": "about", "/old-web": "web", "/team": "about"}
NOTHING = Known({}, {})


def rule(page=None, address="", status=301):
    return {"status": status, "page": page, "anchor": "", "address": address}


def look_ahead(planned, former=None, redirects=None, live=LIVE):
    known = dict.fromkeys(ORIGINS, NOTHING)
    known["en"] = Known(FORMER if former is None else former, redirects or {})
    return foresee(
        live, {ItemId(site, "page", key): path for (site, key), path in planned.items()}, known, "en", ORIGINS
    )


def changes(found):
    return [(one.page.site, one.page.path, one.after, one.leads_to) for one in found.changes]


@pytest.mark.parametrize(
    ("planned", "expected"),
    [
        ({}, []),
        ({("en", "web"): "/services/web"}, []),
        ({("en", "draft"): "/draft"}, []),
        ({("en", "draft"): None}, []),
        ({("en", "web"): "/web"}, [("en", "/services/web", "/web", "/web")]),
        ({("en", "web"): None}, [("en", "/services/web", None, None)]),
        (
            {("en", "services"): "/what", ("en", "web"): "/what/web", ("uk", "web"): "/what/web"},
            [
                ("en", "/services", "/what", "/what"),
                ("en", "/services/web", "/what/web", "/what/web"),
                ("uk", "/services/web", "/what/web", "/what/web"),
            ],
        ),
        (
            {("en", "web"): "/services/app", ("en", "app"): "/services/web"},
            [("en", "/services/app", "/services/web", None), ("en", "/services/web", "/services/app", None)],
        ),
    ],
)
def test_addresses_change_or_go_and_old_ones_lead_to_new_ones(planned, expected):
    former = {**FORMER, "/services/app": "app"}
    known = {site: Known(former, {}) for site in ORIGINS}
    found = foresee(
        LIVE, {ItemId(site, "page", key): path for (site, key), path in planned.items()}, known, "en", ORIGINS
    )
    assert changes(found) == expected
    assert not found.conflicts


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/about", [Conflict("en", "/about", "About")]),
        ("/services/app", [Conflict("en", "/services/app", "App")]),
        ("/What", [Conflict("en", "/What", "")]),
        ("/media", [Conflict("en", "/media", "")]),
        ("/api/web", [Conflict("en", "/api/web", "")]),
        ("/medial", []),
        ("/netz", []),
    ],
)
def test_an_address_that_cannot_be_had(path, expected):
    assert list(look_ahead({("en", "web"): path}).conflicts) == expected


def test_two_pages_that_would_have_one_address_are_one_conflict():
    found = look_ahead({("en", "web"): "/new", ("en", "app"): "/new"})
    assert list(found.conflicts) == [Conflict("en", "/new", "Web")]


def test_an_address_that_another_page_leaves_with_the_same_change_is_free():
    assert not look_ahead({("en", "about"): "/us", ("en", "web"): "/about"}).conflicts


@pytest.mark.parametrize(
    ("path", "redirects", "expected"),
    [
        ("/team", {}, [RedirectEnd("en", "/team", "/about")]),
        ("/old-web", {}, []),
        ("/never-was", {}, []),
        (
            "/shop",
            {"/shop": rule(address="https://shop.example")},
            [RedirectEnd("en", "/shop", "https://shop.example")],
        ),
        ("/shop/x", {"/shop/*": rule("about")}, [RedirectEnd("en", "/shop/x", "/about")]),
        ("/shop", {"/shop": rule(status=410)}, []),
    ],
)
def test_a_redirect_ends_where_a_page_takes_its_address(path, redirects, expected):
    assert list(look_ahead({("en", "web"): path}, redirects=redirects).redirect_ends) == expected


@pytest.mark.parametrize(
    ("planned", "redirects", "lost"),
    [
        ({("en", "web"): None}, {}, 1),
        ({("en", "web"): "/web"}, {}, 0),
        ({("en", "about"): None}, {"/us": rule("about")}, 2),
        ({("en", "about"): None}, {"/us": rule("about"), "/team": rule(address="/services")}, 1),
        ({("en", "about"): "/team"}, {}, 0),
    ],
)
def test_what_leads_to_a_page_that_goes_leads_nowhere(planned, redirects, lost):
    assert look_ahead(planned, redirects=redirects).lost == lost


def test_an_editor_s_redirect_may_take_over_from_a_page_that_goes():
    found = look_ahead({("en", "web"): None}, redirects={"/services/*": rule("about")})
    assert changes(found) == [("en", "/services/web", None, "/about")]
    assert found.lost == 1, "its earlier address has no redirect"


def test_where_a_site_lacks_a_page_its_redirect_leads_to_the_default_site():
    known = {**dict.fromkeys(ORIGINS, NOTHING), "uk": Known({}, {"/us": rule("about")})}
    found = foresee(LIVE, {ItemId("uk", "page", "web"): "/us"}, known, "en", ORIGINS)
    assert list(found.redirect_ends) == [RedirectEnd("uk", "/us", "https://en.example/about")]


def test_translations_that_stay_are_those_that_nothing_happens_to():
    found = look_ahead({("en", "web"): "/web", ("uk", "web"): "/web"})
    assert [(one.site, one.path) for one in found.translations] == [("de", "/netz")]
    assert not look_ahead({}).translations

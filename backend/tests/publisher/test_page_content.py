"""Page content and shared data match the renderer's schemas."""

from typing import Any

import orjson
import pytest

from portolan.content.page_content import PageContent
from portolan.domain.problems import (
    Block,
    MissingFrame,
    MissingPage,
    Problem,
    ProblemDetail,
    Subject,
    UnknownPlaceholder,
)
from portolan.domain.references import Reference
from portolan.publisher.addresses import Addresses
from portolan.publisher.lookup import SiteLookup
from portolan.publisher.page_content import build_page_content
from portolan.publisher.route_table import RouteTable, build_route_table
from portolan.publisher.shared_data import SharedFile, build_shared_data
from portolan.publisher.snapshot import Snapshot
from portolan.releases.reader import open_reader
from portolan.releases.release_view import release_view_of
from portolan.schemas.page import SharedData
from portolan.sites.registry import Registry

from .release_book import ReleaseBook, page, rich_text


class Release:
    """The book's content as a release, from the publisher's side."""

    def __init__(self, book: ReleaseBook, addresses: Addresses) -> None:
        self.addresses = addresses
        number = book.release()
        self.reader = open_reader(book.url)
        self.snapshot = Snapshot(self.reader, release_view_of(self.reader, number))
        self.routes: RouteTable = build_route_table(self.snapshot.pages(), addresses)

    def lookup(self, site: str) -> SiteLookup:
        return SiteLookup(site, self.snapshot, self.routes, self.addresses)

    def content(self, site: str, path: str) -> Any:
        route = self.routes.at(site, path)
        assert route
        return build_page_content(route, self.snapshot, self.lookup(site), self.routes, self.addresses)

    def shared(self, site: str) -> Any:
        found = build_shared_data(site, self.snapshot, self.lookup(site), self.addresses)
        return orjson.loads(found.data) if isinstance(found, SharedFile) else found


def test_every_page_is_the_contract_s_schema(book: ReleaseBook, addresses: Addresses) -> None:
    release = Release(book, addresses)
    routes = list(release.snapshot.pages())
    assert routes
    for route in routes:
        content = release.content(route.site, route.path)
        page_content = PageContent.model_validate(content, by_alias=True, by_name=False)
        assert page_content.model_dump(mode="json", by_alias=True) == content, "no field is left out"


def test_head_of_a_page(book: ReleaseBook, addresses: Addresses) -> None:
    head = Release(book, addresses).content("de", "/about-us")["head"]
    assert head["title"] == "About de at Brightmoor"
    assert head["canonical"] == "http://de.localhost:8000/about-us"
    assert head["ogLocale"] == "de_DE"
    assert head["robots"] is None
    assert len(head["alternates"]) == 4


def test_error_pages_have_no_address_of_their_own(book: ReleaseBook, addresses: Addresses) -> None:
    content = Release(book, addresses).content("de", "/404.html")
    assert content["head"]["canonical"] is None
    assert content["head"]["alternates"] == []
    assert content["head"]["robots"] == "noindex"
    assert {entry["href"] for entry in content["switcher"]} == {
        "http://localhost:8000",
        "/",
        "http://ae.localhost:8000",
    }


def test_shared_pages_name_the_languages_of_their_translations(book: ReleaseBook, addresses: Addresses) -> None:
    release = Release(book, addresses)
    assert release.content("de", "/contact-us")["sharing"] == {"picture": None, "locales": ["en_US"]}
    assert release.content("ae", "/")["sharing"]["locales"] == ["en_US", "de_DE"]
    assert release.content("de", "/404.html")["sharing"]["locales"] == []


def test_staging_is_kept_out_of_search_engines(book: ReleaseBook, registry: Registry) -> None:
    release = Release(book, Addresses(registry, "staging", 8000))
    assert release.content("en", "/")["head"]["robots"] == "noindex"


@pytest.mark.parametrize(("path", "header"), [("/", "transparent"), ("/about-us", "solid"), ("/404.html", "solid")])
def test_header_is_transparent_on_the_home_page_alone(
    book: ReleaseBook, addresses: Addresses, path: str, header: str
) -> None:
    assert Release(book, addresses).content("en", path)["header"] == header


def test_switcher_leads_to_the_same_page_or_else_to_the_home(book: ReleaseBook, addresses: Addresses) -> None:
    switcher = Release(book, addresses).content("de", "/contact-us")["switcher"]
    assert [(entry["site"], entry["href"], entry["current"]) for entry in switcher] == [
        ("en", "http://localhost:8000/contact-us", False),
        ("de", "/contact-us", True),
        ("ae", "http://ae.localhost:8000", False),
    ]


def test_switcher_is_hidden_where_registry_or_page_say_so(book: ReleaseBook, registry: Registry) -> None:
    book.content["de", "page", "imprint"] = page("/impressum")
    book.content["de", "page", "web"]["switcher_hidden"] = True
    hidden = registry.sites["en"].model_copy(
        update={"switcher": registry.sites["en"].switcher.model_copy(update={"shown": False})}
    )
    changed = registry.model_copy(update={"sites": {**registry.sites, "en": hidden}})
    release = Release(book, Addresses(changed, "local", 8000))
    assert release.content("de", "/impressum")["switcher"] == []
    assert release.content("de", "/services/web-development")["switcher"] == []
    assert release.content("en", "/")["switcher"] == []
    assert release.content("de", "/")["switcher"] != []


def test_breadcrumb_shows_the_pages_above(book: ReleaseBook, addresses: Addresses) -> None:
    crumbs = Release(book, addresses).content("de", "/services/mobile-development")["breadcrumb"]
    assert [(crumb["title"], crumb["href"]) for crumb in crumbs] == [
        ("Home de", "/"),
        ("Web de", "/services/web-development"),
    ]


def test_motif_depends_on_the_page_key_alone(book: ReleaseBook, addresses: Addresses) -> None:
    release = Release(book, addresses)
    assert release.content("en", "/about-us")["motif"] == release.content("ae", "/about-us")["motif"]
    assert release.content("en", "/about-us")["motif"] != release.content("en", "/")["motif"]


@pytest.mark.parametrize(
    ("html", "detail"),
    [
        ('<a data-page="gone">x</a>', MissingPage("gone")),
        ("<p>{staff} people</p>", UnknownPlaceholder("staff")),
    ],
)
def test_unresolved_reference_names_block_and_field(
    book: ReleaseBook, addresses: Addresses, html: str, detail: ProblemDetail
) -> None:
    block = rich_text(html)
    book.content["en", "page", "about"]["blocks"].insert(1, block)
    place = Block(block["id"], 2, "rich_text")
    assert Release(book, addresses).content("en", "/about-us") == Problem(
        Subject("en", "page", "about", "About en", "/about-us", place, "html"), detail
    )


def test_shared_data_is_the_contract_s_schema(book: ReleaseBook, addresses: Addresses) -> None:
    release = Release(book, addresses)
    assert addresses.registry.sites
    for site in addresses.registry.sites:
        data = release.shared(site)
        shared = SharedData.model_validate(data, by_alias=True, by_name=False)
        assert shared.model_dump(mode="json", by_alias=True) == {**data, "words": {}}, "no other field is left out"
        assert shared.year == 2026
        assert shared.site.origin == addresses.origin(site)


def test_footer_offices_follow_the_site_s_rule(book: ReleaseBook, addresses: Addresses) -> None:
    release = Release(book, addresses)
    assert [office["id"] for office in release.shared("de")["offices"]] == ["berlin"]
    assert release.shared("de")["officeSet"] == "de"
    assert [office["id"] for office in release.shared("en")["offices"]] == ["london", "berlin"]
    assert release.shared("en")["officeSet"] == "default"


def test_site_without_a_menu_is_a_problem(book: ReleaseBook, addresses: Addresses) -> None:
    del book.content["de", "menu", "main"]
    problem = Release(book, addresses).shared("de")
    assert isinstance(problem, Problem)
    assert problem == Problem(Subject("de", "menu", "main"), MissingFrame())


def test_menu_that_leads_nowhere_is_a_problem(book: ReleaseBook, addresses: Addresses) -> None:
    for site in ("en", "de", "ae"):
        del book.content[site, "page", "web"]
    problem = Release(book, addresses).shared("de")
    assert isinstance(problem, Problem)
    assert problem.detail == MissingPage("web")
    assert (problem.item, problem.subject.field) == (("de", "menu", "main"), "items.0.submenu.0.url")


def test_what_depends_on_many_pages_is_what_depends_on_each(book: ReleaseBook, addresses: Addresses) -> None:
    snapshot = Release(book, addresses).snapshot
    keys = {page.key for page in snapshot.pages()}
    each = {key: set(snapshot.dependants(Reference("page", key))) for key in keys}
    assert snapshot.dependants_of_any("page", keys) == each
    assert any(each.values())

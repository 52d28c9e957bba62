"""Routes of all sites: translations, parents, and reserved paths."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portolan.domain.problems import InvalidPath, MissingHome, Problem, Subject, TakenPath
from portolan.publisher.addresses import Addresses
from portolan.publisher.route_table import build_route_table
from portolan.publisher.sitemap import SITEMAP, Sitemap
from portolan.publisher.snapshot import Change
from portolan.releases.index import Page
from portolan.releases.reader import ItemId
from portolan.sites.groups import Alternates, Group
from portolan.sites.registry import Registry


def page(site: str, key: str, path: str, parent: str | None = None, template: str = "service") -> Page:
    return Page(site, key, path, template, f"{key} on {site}", parent, "2026-11-01", False)


def test_alternates_are_the_same_on_every_site_and_name_the_page_itself(addresses: Addresses) -> None:
    pages = [
        page("de", "web", "/leistungen/web"),
        page("en", "web", "/services/web"),
        page("ae", "web", "/services/web"),
    ]
    table = build_route_table(pages, addresses)
    expected = [
        {"site": "en", "hreflang": "en", "href": "http://localhost:8000/services/web"},
        {"site": "en", "hreflang": "x-default", "href": "http://localhost:8000/services/web"},
        {"site": "de", "hreflang": "de", "href": "http://de.localhost:8000/leistungen/web"},
        {"site": "ae", "hreflang": "ar", "href": "http://ae.localhost:8000/services/web"},
    ]
    for each in pages:
        assert table.alternates(each) == expected


def test_home_has_no_trailing_slash_and_errors_no_alternates(addresses: Addresses) -> None:
    home, error = page("en", "home", "/"), page("en", "404", "/404.html", template="error")
    table = build_route_table([home, error, page("de", "404", "/404.html", template="error")], addresses)
    assert table.alternates(home)[0]["href"] == "http://localhost:8000"
    assert table.alternates(error) == []


def test_ancestors_come_from_the_top_and_stop_at_a_folder(addresses: Addresses) -> None:
    pages = [
        page("en", "home", "/"),
        page("en", "services", "/services", parent="home"),
        page("en", "web", "/services/web", parent="services"),
        page("en", "case", "/project-cases/x", parent="folder"),
    ]
    table = build_route_table(pages, addresses)
    assert [parent.key for parent in table.ancestors(pages[2])] == ["home", "services"]
    assert table.ancestors(pages[3]) == []


def test_parents_in_a_circle_end(addresses: Addresses) -> None:
    pages = [page("en", "a", "/a", parent="b"), page("en", "b", "/b", parent="a")]
    table = build_route_table(pages, addresses)
    assert [parent.key for parent in table.ancestors(pages[0])] == ["b"]


def test_two_pages_at_one_path_are_a_problem_until_one_leaves(addresses: Addresses) -> None:
    first, second = page("en", "a", "/x"), page("en", "b", "/x")
    table = build_route_table([first, second, page("en", "home", "/")], addresses)
    assert table.problems("en") == [Problem(Subject("en", "page", "a", "a on en", "/x"), TakenPath("/x", "b on en"))]
    table.update([Change(ItemId("en", "page", "a"), first, None)])
    assert table.problems("en") == []
    assert table.at("en", "/x") == second


@pytest.mark.parametrize("path", ["/About", "/a b", "/ü", "/a//b", "/a/", "/../etc"])
def test_path_no_page_may_have_is_a_problem(addresses: Addresses, path: str) -> None:
    (problem,) = build_route_table([page("en", "home", "/"), page("en", "a", path)], addresses).problems("en")
    assert problem.detail == InvalidPath()


def test_two_pages_may_change_places(addresses: Addresses) -> None:
    first, second = page("en", "a", "/x"), page("en", "b", "/y")
    table = build_route_table([first, second, page("en", "home", "/")], addresses)
    moved = [first._replace(path="/y"), second._replace(path="/x")]
    table.update(
        [Change(ItemId("en", "page", "a"), first, moved[0]), Change(ItemId("en", "page", "b"), second, moved[1])]
    )
    assert (table.at("en", "/x"), table.at("en", "/y")) == (moved[1], moved[0])
    assert table.problems("en") == []


def test_alternates_are_those_of_the_site_s_group(registry: Registry) -> None:
    groups = {"brand": Group(alternates=True), "outlets": Group(alternates=False)}
    sites = registry.sites | {
        "sister": registry.sites["en"].model_copy(update={"key": "sister", "group": "brand"}),
        "outlet": registry.sites["en"].model_copy(update={"key": "outlet", "group": "outlets"}),
    }
    addresses = Addresses(registry.model_copy(update={"groups": groups, "sites": sites}), "local", 8000)
    pages = [page(site, "a", "/a") for site in ("en", "de", "sister", "outlet")]
    table = build_route_table(pages, addresses)

    def named(site: str) -> list[str]:
        return list(dict.fromkeys(each["site"] for each in table.alternates(page(site, "a", "/a"))))

    assert [named(site) for site in sites] == [["en", "de"], ["en", "de"], ["en", "de"], ["sister"], ["outlet"]]
    assert [each["hreflang"] for each in table.alternates(pages[3])] == ["en", "x-default"]
    table.update([Change(ItemId("de", "page", "a"), pages[1], None)])
    assert named("en") == ["en"], "what is kept of them follows changes"


@pytest.mark.parametrize(("most", "in_head"), [(3, True), (2, False)])
def test_more_alternates_than_the_registry_wants_in_a_head_stand_in_the_sitemap_alone(
    registry: Registry, most: int, in_head: bool
) -> None:
    registry = registry.model_copy(update={"alternates": Alternates(most_in_head=most)})
    table = build_route_table(
        [page("en", "a", "/a"), page("de", "a", "/b")], addresses := Addresses(registry, "local", 8000)
    )
    first = page("en", "a", "/a")
    assert len(table.alternates(first)) == 3  # en, x-default, de
    assert table.alternates_in_head(first) == (table.alternates(first) if in_head else [])
    assert b'hreflang="de"' in Sitemap("en", table, addresses).build()[SITEMAP]


def test_content_of_a_site_the_registry_no_longer_has_is_left_alone(addresses: Addresses) -> None:
    table = build_route_table([page("xx", "home", "/"), page("en", "home", "/")], addresses)
    assert [each.site for each in table.translations("home")] == ["en"]


def test_site_without_a_home_page_is_a_problem(addresses: Addresses) -> None:
    (problem,) = build_route_table([page("en", "a", "/a")], addresses).problems("en")
    assert problem == Problem(Subject("en"), MissingHome())


_PAGES = st.tuples(
    st.sampled_from(("en", "de")),
    st.sampled_from("abcd"),
    st.sampled_from(("/", "/x", "/x/y", "/Wrong")),
    st.sampled_from((None, "a", "b", "c")),
)


@given(st.lists(st.tuples(_PAGES, st.booleans()), max_size=24))
def test_a_table_that_follows_changes_is_the_one_made_anew(
    registry: Registry, edits: list[tuple[tuple[str, str, str, str | None], bool]]
) -> None:
    addresses = Addresses(registry, "local", 8000)
    there: dict[tuple[str, str], Page] = {}
    table = build_route_table((), addresses)
    for fields, is_there in edits:
        site, key, *_ = fields
        before, after = there.pop((site, key), None), page(*fields) if is_there else None
        if after:
            there[site, key] = after
        table.update([Change(ItemId(site, "page", key), before, after)])
    fresh = build_route_table(there.values(), addresses)
    for site in ("en", "de"):
        assert set(table.problems(site)) == set(fresh.problems(site))
        assert (
            table.count(site) == fresh.count(site) == len({each.path for each in there.values() if each.site == site})
        )
        assert {*table.routes(site)} == {*fresh.routes(site)}
        for key in "abcd":
            below = table.descendants(site, key)
            assert below == fresh.descendants(site, key)
            assert below == {each.key for each in there.values() if each.site == site and _is_below(each, key, there)}


def _is_below(found: Page, key: str, there: dict[tuple[str, str], Page]) -> bool:
    parent, seen = found.parent, set[str]()
    while parent and parent not in seen:
        if parent == key:
            return True
        seen.add(parent)
        above = there.get((found.site, parent))
        parent = above and above.parent
    return False

"""Only translations that name each other go live."""

from collections.abc import Mapping

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portolan.publisher.build_inputs import KnownPage
from portolan.publisher.translations import (
    NonReciprocal,
    TranslationsOf,
    find_non_reciprocal,
    find_renamed,
    pack_translations,
)
from portolan.releases.index import Page

SITES = ("en", "uk", "de", "ae", "az", "kz", "pl", "fr")


def page(site: str, path: str) -> Page:
    return Page(site, "key", path, "service", path, None, None, False)


def test_pack_says_the_path_only_where_it_is_another() -> None:
    pages = [page("en", "/imprint"), page("de", "/impressum"), page("ae", "/imprint")]
    assert [pack_translations(each, pages) for each in pages] == [
        "ae de:/impressum en",
        "ae:/imprint de en:/imprint",
        "ae de:/impressum en",
    ]


@pytest.mark.parametrize(
    ("sites", "expected"),
    [
        ({}, []),
        ({site: {"/": " ".join(SITES), "/about-us": " ".join(SITES)} for site in SITES}, []),
        ({"en": {"/imprint": "de:/impressum en"}, "de": {"/impressum": "de en:/imprint"}}, []),
        # A site without a build is skipped.
        ({"en": {"/": "de en"}}, []),
        ({"en": {"/": "de en"}, "de": {}}, [NonReciprocal("en", "/", "de", "/", is_there=False)]),
        (
            {"en": {"/": "de en"}, "de": {"/": "de"}},
            [NonReciprocal("en", "/", "de", "/", is_there=True)],
        ),
        # It names the other in return, and a third page that the first does not name.
        (
            {"en": {"/": "de en"}, "de": {"/": "ae de en"}, "ae": {"/": "ae de en"}},
            [
                NonReciprocal("en", "/", "de", "/", is_there=True),
                NonReciprocal("de", "/", "en", "/", is_there=True),
                NonReciprocal("ae", "/", "en", "/", is_there=True),
            ],
        ),
        # Two pages that name the same third one.
        (
            {"en": {"/a": "de:/x en", "/b": "de:/x en"}, "de": {"/x": "de en:/a"}},
            [NonReciprocal("en", "/b", "de", "/x", is_there=True)],
        ),
        ({"en": {"/": "de"}, "de": {"/": "de"}}, [NonReciprocal("en", "/", "en", "/", is_there=True)]),
    ],
)
def test_find_non_reciprocal(sites: Mapping[str, Mapping[str, str]], expected: list[NonReciprocal]) -> None:
    assert list(find_non_reciprocal(sites)) == expected


GROUPS = st.lists(
    st.dictionaries(st.sampled_from(("en", "de", "ae")), st.sampled_from(("/a", "/b", "/c")), min_size=1), max_size=4
)


def agreeing(groups: list[dict[str, str]]) -> dict[str, dict[str, KnownPage]]:
    """Return pages of all sites that name each other, if their paths are free."""
    sites: dict[str, dict[str, KnownPage]] = {site: {} for site in ("en", "de", "ae")}
    for group in groups:
        if any(path in sites[site] for site, path in group.items()):
            continue
        pages = [page(site, path) for site, path in group.items()]
        for each in pages:
            sites[each.site][each.path] = KnownPage("1", "", pack_translations(each, pages))
    return sites


@given(GROUPS, GROUPS, st.sets(st.sampled_from(("en", "de", "ae"))))
def test_to_look_at_what_differs_is_to_look_at_all(
    first: list[dict[str, str]], second: list[dict[str, str]], going: set[str]
) -> None:
    """Some sites go live, others stay as they were."""
    old, new = agreeing(first), agreeing(second)
    before = {site: TranslationsOf(pages) for site, pages in old.items()}
    after = {site: TranslationsOf(new[site]) if site in going else before[site] for site in before}
    assert list(find_non_reciprocal(before)) == []
    every = set(find_non_reciprocal({site: dict(pages.items()) for site, pages in after.items()}))
    assert set(find_non_reciprocal(after, find_renamed(after, before))) == every

"""Translations name each other, or nothing goes live."""

from collections.abc import Mapping

import pytest

from portolan.publisher.translations import NonReciprocal, find_non_reciprocal, pack_translations
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
        # Of a site without a build nothing can be said.
        ({"en": {"/": "de en"}}, []),
        ({"en": {"/": "de en"}, "de": {}}, [NonReciprocal("en", "/", "de", "/", is_there=False)]),
        (
            {"en": {"/": "de en"}, "de": {"/": "de"}},
            [NonReciprocal("en", "/", "de", "/", is_there=True)],
        ),
        # It names the other back, and a third one that the first does not know of.
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

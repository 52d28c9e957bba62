"""Paths: one rule everywhere (spec §2)."""

import pytest

from portolan.domain.reserved import is_reserved_path
from portolan.domain.routes import html_file, is_page_path, normalise_path, page_data_path, page_key, page_of_data


@pytest.mark.parametrize(
    ("given", "normal"),
    [
        ("", "/"),
        ("/", "/"),
        ("//", "/"),
        ("/about-us/", "/about-us"),
        ("services//web-development", "/services/web-development"),
    ],
)
def test_a_path_has_one_form(given: str, normal: str) -> None:
    assert normalise_path(given) == normal


@pytest.mark.parametrize(
    ("path", "key", "page_data", "file"),
    [
        ("/", "home", "/page-data/index/page-data.json", "index.html"),
        ("/about-us", "about-us", "/page-data/about-us/page-data.json", "about-us/index.html"),
        ("/index", "index", "/page-data/_index/page-data.json", "index/index.html"),
        ("/404.html", "404.html", "/page-data/404.html/page-data.json", "404.html"),
        ("/services/web", "services/web", "/page-data/services/web/page-data.json", "services/web/index.html"),
    ],
)
def test_names_derived_from_a_path(path: str, key: str, page_data: str, file: str) -> None:
    assert (page_key(path), page_data_path(path), html_file(path)) == (key, page_data, file)
    assert page_of_data(page_data) == path


@pytest.mark.parametrize(
    ("path", "allowed"),
    [
        ("/", True),
        ("/about-us", True),
        ("/404.html", True),
        ("/services/web-development-2", True),
        ("about-us", False),
        ("/About-us", False),
        ("/about-us/", False),
        ("/a//b", False),
        ("/../etc", False),
        ("/a b", False),
        ("/ä", False),
        ("/-a", False),
    ],
)
def test_which_paths_a_page_may_have(path: str, allowed: bool) -> None:
    assert is_page_path(path) is allowed


@pytest.mark.parametrize("path", ["/index", "/api", "/media/press", "/page-data/about", "/assets", "/news/index.html"])
def test_the_product_s_own_paths_are_no_page_s(path: str) -> None:
    assert is_reserved_path(path)


@pytest.mark.parametrize("path", ["/", "/indexes", "/apis", "/about/media", "/news/index", "/404.html"])
def test_paths_like_those_are(path: str) -> None:
    assert not is_reserved_path(path)

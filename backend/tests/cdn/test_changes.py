"""The differences between two builds, as URLs of a CDN."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from portolan.builds.live import read_live, switch_live
from portolan.builds.manifest import Manifest, manifest_path, read_manifest, write_manifest
from portolan.cdn.changes import EVERYTHING, Changes, build_urls, find_changes
from portolan.domain.redirects import Redirect

from ..builds.conftest import Build, build, root

__all__ = ["build", "root"]

OLD = {
    "/": "home",
    "/about-us": "about",
    "/offer": '<a href="/media/documents/0123456789abcdef/offer.pdf">Offer</a>',
    "/assets/app-1.js": "1",
    "/page-data/about-us/page-data.json": "{}",
}
REDIRECTS = {"/team": Redirect(301, "/about-us"), "/blog/*": Redirect(301, "/")}
OFFER = "/media/documents/0123456789abcdef/offer.pdf"


@pytest.mark.parametrize(
    ("new", "redirects", "paths"),
    [
        (OLD, REDIRECTS, ()),
        ({**OLD, "/about-us": "about 2"}, REDIRECTS, ("/about-us",)),
        ({**OLD, "/new": "new"}, REDIRECTS, ("/new",)),
        ({path: OLD[path] for path in OLD if path != "/about-us"}, REDIRECTS, ("/about-us",)),
        (OLD, {"/team": Redirect(302, "/"), "/gone": Redirect(410, "")}, ("/gone", "/team")),
        ({**OLD, "/assets/app-2.js": "2"}, REDIRECTS, ()),
        ({path: OLD[path] for path in OLD if path != "/assets/app-1.js"}, REDIRECTS, ()),
        ({**OLD, "/offer": "none"}, REDIRECTS, (OFFER, "/offer")),
    ],
    ids=["nothing", "changed", "added", "removed", "redirects", "named by content", "no longer used", "withdrawn"],
)
def test_exactly_what_visitors_get_otherwise(
    root: Path, build: Build, new: Mapping[str, str], redirects: Mapping[str, Redirect], paths: tuple[str, ...]
) -> None:
    build("a", OLD, redirects=REDIRECTS)
    build("b", new, redirects=redirects)
    assert find_changes(root, "en", "a", "b") == Changes(paths)
    assert find_changes(root, "en", "b", "b") == Changes(())


def test_the_way_back_is_a_difference_too(root: Path, build: Build) -> None:
    build("a", OLD)
    build("b", {**OLD, "/about-us": "about 2", "/new": "new"})
    assert find_changes(root, "en", "b", "a") == Changes(("/about-us", "/new"))


def other_headers(root: Path, manifest: Manifest) -> None:
    headers = {"content-security-policy": "default-src 'none'"}
    write_manifest(root, replace(manifest, build="c", html_headers=headers), read_manifest(root, "en", "b"))
    switch_live(root, {"en": "c"})


def test_where_nobody_knows_everything_is_dropped(root: Path, build: Build) -> None:
    build("a", OLD)
    manifest = build("b", OLD)
    everything = Changes(("/", "/about-us", "/offer", "/page-data/about-us/page-data.json"), is_everything=True)
    assert find_changes(root, "en", None, "b") == everything
    assert find_changes(root, "en", "pruned", "b") == everything
    other_headers(root, manifest)
    assert find_changes(root, "en", "b", read_live(root).builds["en"]) == everything
    manifest_path(root, "en", "c").write_bytes(b"damaged")
    assert find_changes(root, "en", "b", "c") == everything


def test_addresses_are_written_as_they_are_asked_for() -> None:
    assert build_urls("https://fr.example", ("/", "/уголок", "/c'est (1)", EVERYTHING)) == [
        "https://fr.example/",
        "https://fr.example/%D1%83%D0%B3%D0%BE%D0%BB%D0%BE%D0%BA",
        "https://fr.example/c'est%20(1)",
        "https://fr.example/*",
    ]

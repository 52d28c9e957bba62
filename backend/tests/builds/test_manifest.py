import tempfile
from collections.abc import MutableMapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portolan.builds.manifest import (
    BuildError,
    File,
    Manifest,
    documents_of,
    list_builds,
    manifest_path,
    read_head,
    read_manifest,
    write_manifest,
)
from portolan.builds.overlay import Overlay
from portolan.builds.store import ContentStore, digest_of
from portolan.domain.redirects import Redirect
from testing.memory import folder_in_memory

from .conftest import START, Build, put_files

MANY = {f"/page-{number}": f"page {number}" for number in range(200)}
"""Enough for later builds to be written as differences."""
DAY = timedelta(days=1)


def test_what_is_written_is_read(root: Path, build: Build) -> None:
    written = build("a", {"/": "home", "/about-us": "about"})
    assert read_manifest(root, "en", "a") == written


def test_later_builds_are_written_as_differences(root: Path, build: Build) -> None:
    texts = {f"/page-{number}": f"page {number}" for number in range(200)}
    build("a", texts)
    written = build("b", {**texts, "/page-7": "changed"} | {"/new": "new"})
    del texts["/page-9"]
    last = build("c", {**texts, "/page-7": "changed"})
    assert manifest_path(root, "en", "b").stat().st_size < manifest_path(root, "en", "a").stat().st_size / 10
    assert read_manifest(root, "en", "b") == written
    assert read_manifest(root, "en", "c") == last
    assert "/page-9" not in read_manifest(root, "en", "c").files
    assert "/new" not in read_manifest(root, "en", "c").files


def test_manifest_in_memory_saves_reading_back_to_the_whole_one(root: Path, build: Build) -> None:
    known = build("a", MANY)
    build("b", MANY | {"/": "home 2"})
    last = build("c", MANY | {"/": "home 3", "/new": "new"})
    manifest_path(root, "en", "a").unlink()
    assert read_manifest(root, "en", "c", known) == last
    with pytest.raises(BuildError, match=r"build a of site en .*missing"):
        read_manifest(root, "en", "c")


def test_whole_again_before_reading_the_differences_costs_more_than_the_whole_one(root: Path, build: Build) -> None:
    for number in range(12):
        last = build(f"b{number}", MANY | {"/": f"home {number}"})
    chains = [head.chain for head in reversed(list_builds(root, "en")) if head.chain]
    depths = [chain.depth for chain in chains]
    longest = max(depths)
    assert 3 <= longest < 10
    assert depths == [number % (longest + 1) for number in range(12)]
    assert all(chain.above <= chain.whole + 4_000 for chain in chains)
    assert read_manifest(root, "en", last.build) == last


def test_manifest_of_an_older_version_is_read_and_the_next_one_is_whole(root: Path, build: Build) -> None:
    page = '<a href="/media/documents/0123456789abcdef/offer.pdf">'
    first = build("a", {"/": page, "/about-us": "about"})
    path = manifest_path(root, "en", "a")
    head, _, body = path.read_bytes().partition(b"\n")
    text = orjson.dumps(orjson.loads(b"{" + body) | {"documents": ["/media/documents/0123456789abcdef/offer.pdf"]})
    old = orjson.loads(head.rstrip(b",") + b"}")
    del old["whole"], old["above"], old["digest"]
    path.chmod(0o644)
    path.write_bytes(orjson.dumps(old | {"check": digest_of(text)})[:-1] + b",\n" + text[1:] + b"\n")
    known = read_manifest(root, "en", "a")
    assert known.files == first.files
    assert documents_of(root, known) == {"/media/documents/0123456789abcdef/offer.pdf"}
    second = put_files(root, {"/": page, "/about-us": "about 2"})
    written = write_manifest(root, replace(known, build="b", files=second), known)
    assert read_head(root, "en", "b").parent is None
    assert written.documents == {"/": ("/media/documents/0123456789abcdef/offer.pdf",)}
    third = {**second, **put_files(root, {"/": "home"})}
    assert documents_of(root, write_manifest(root, replace(written, build="c", files=third), written)) == frozenset()


NAMES = st.sampled_from([f"/{name}" for name in "abcde"])


@given(
    st.lists(st.dictionaries(NAMES, st.sampled_from(("x", "y", "/media/documents/0123456789abcdef/a.pdf"))), max_size=8)
)
def test_whatever_is_written_after_what_is_read_as_it_was(sequence: list[dict[str, str]]) -> None:
    with tempfile.TemporaryDirectory(dir=folder_in_memory()) as folder:
        root, store = Path(folder), ContentStore(Path(folder))
        parent = served = None
        for number, texts in enumerate(sequence):
            files: MutableMapping[str, File] = Overlay(parent.files if parent else None)
            for path in "abcde":
                files.pop(f"/{path}", None)
            for path, text in texts.items():
                files[path] = File(store.put(text.encode()), "text/html", len(text))
            manifest = Manifest(
                site="en",
                build=f"b{number}",
                release=1,
                web="",
                created=START.isoformat(),
                html_headers={},
                files=files,
            )
            parent = write_manifest(root, manifest, parent)
            assert parent.files == {path: files[path] for path in texts}
            served = read_manifest(root, "en", parent.build, served)
            assert served == read_manifest(root, "en", parent.build) == parent
            assert documents_of(root, parent) == {text for text in texts.values() if text.startswith("/media")}


def test_parent_whose_file_is_gone_makes_the_next_one_whole(root: Path, build: Build) -> None:
    build("a", {"/": "home"})
    manifest_path(root, "en", "a").unlink()
    written = build("b", {"/": "home 2"})
    assert read_head(root, "en", "b").parent is None
    assert read_manifest(root, "en", "b") == written


def test_builds_are_listed_newest_first(root: Path, build: Build) -> None:
    for name in ("z", "m", "a"):
        build(name, {"/": name})
    assert [head.build for head in list_builds(root, "en")] == ["a", "m", "z"]
    assert list_builds(root, "de") == []


def test_open_tabs_keep_the_content_named_files_of_earlier_builds(root: Path, build: Build) -> None:
    build("a", {"/": "1", "/assets/app-1.js": "one", "/page-data/sq/d/1.json": "{}", "/robots.txt": "x"})
    build("b", {"/": "2", "/assets/app-2.js": "two", "/page-data/sq/d/2.json": "{2}"})
    manifest = read_manifest(root, "en", "b")
    assert set(manifest.files) == {"/", "/assets/app-2.js", "/page-data/sq/d/2.json"}
    assert set(manifest.carried) == {"/assets/app-1.js", "/page-data/sq/d/1.json"}
    old, gone = manifest.file("/assets/app-1.js"), manifest.file("/robots.txt")
    assert old is not None
    assert old.size == 3
    assert gone is None


def test_file_that_comes_back_is_the_builds_own_again(root: Path, build: Build) -> None:
    for name, asset in (("a", "1"), ("b", "2"), ("c", "1")):
        build(name, {"/": name, f"/assets/app-{asset}.js": asset})
    manifest = read_manifest(root, "en", "c")
    assert set(manifest.files) == {"/", "/assets/app-1.js"}
    assert set(manifest.carried) == {"/assets/app-2.js"}


@pytest.mark.parametrize(
    ("age_of_the_change", "builds_since", "kept"),
    [
        (1 * DAY, 5, True),
        (8 * DAY, 19, True),  # old, but within the last 20 builds
        (8 * DAY, 20, False),  # old, and 20 builds ago
        (6 * DAY, 60, True),  # many builds ago, but within the last 7 days
    ],
)
def test_carried_for_20_builds_or_7_days_whichever_is_more(
    root: Path, build: Build, age_of_the_change: timedelta, builds_since: int, kept: bool
) -> None:
    build("first", {"/assets/old.js": "old"}, age=age_of_the_change + DAY)
    build("second", {"/": "0"}, age=age_of_the_change)
    for number in range(builds_since):
        last = build(f"b{number}", {"/": str(number)})
    assert ("/assets/old.js" in last.carried) is kept
    assert read_manifest(root, "en", last.build) == last


def test_earlier_files_written_again_still_serve_the_tabs_of_the_later_build(root: Path, build: Build) -> None:
    first = build("a", {"/": "1", "/assets/app-1.js": "one"})
    second = build("b", {"/": "2", "/assets/app-2.js": "two"})
    back = write_manifest(root, replace(first, build="a-again"), second)
    assert back.files == first.files
    assert set(back.carried) == {"/assets/app-2.js"}


@pytest.mark.parametrize(
    "path",
    [
        "",
        "about-us",
        "//evil.com",
        "/a/../b",
        "/..",
        "/./a",
        "/a//b",
        "/a/",
        "/a\\b",
        "/a b",
        "/a\x00",
        "/a%2fb",
        "/a?b",
        "/a#b",
    ],
)
def test_paths_that_could_lead_elsewhere_are_refused(root: Path, build: Build, path: str) -> None:
    manifest = build("a", {"/": "home"})
    wrong = replace(manifest, build="b", files={path: File("0" * 32, "text/html", 1)})
    with pytest.raises(BuildError, match="cannot be a file of a build"):
        write_manifest(root, wrong, manifest)


@pytest.mark.parametrize(
    "path", ["/", "/about-us", "/404.html", "/page-data/404.html/page-data.json", "/a..b", "/страница"]
)
def test_ordinary_paths_are_taken(root: Path, build: Build, path: str) -> None:
    assert set(build("a", {path: "x"}).files) == {path}


@pytest.mark.parametrize("name", ["../a", "", ".a", "a/b"])
def test_names_that_are_no_file_names_are_refused(root: Path, build: Build, name: str) -> None:
    with pytest.raises(BuildError, match="plain names"):
        build(name, {"/": "home"})


def test_flipped_byte_in_a_manifest_is_noticed(root: Path, build: Build) -> None:
    build("a", {"/": "home", "/about-us": "about"})
    path = manifest_path(root, "en", "a")
    data = path.read_bytes()
    place = data.index(b"/about-us") + 3
    path.chmod(0o644)
    path.write_bytes(data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :])
    with pytest.raises(BuildError, match="build a of site en"):
        read_manifest(root, "en", "a")


def test_a_build_made_after_going_back_is_the_newest(root: Path, build: Build) -> None:
    first = build("a", {"/": "1"}, age=3 * DAY)
    build("b", {"/": "2"}, age=2 * DAY)
    build("c", {"/": "3"}, age=DAY)
    write_manifest(root, replace(first, build="d", created=(START + DAY).isoformat()), first)
    assert [head.build for head in list_builds(root, "en")] == ["d", "c", "b", "a"]


def test_redirects_are_written_as_differences(root: Path, build: Build) -> None:
    first = {f"/old-{number}": Redirect(301, "/") for number in range(200)} | {
        "/old/*": Redirect(302, "https://x.example/*")
    }
    build("a", {"/": "home"}, redirects=first)
    second = {**first, "/old-7": Redirect(410, "")}
    del second["/old-9"]
    written = build("b", {"/": "home"}, redirects=second)
    assert read_manifest(root, "en", "a").redirects == first
    assert read_manifest(root, "en", "b") == written
    assert read_manifest(root, "en", "b").redirects == second
    assert manifest_path(root, "en", "b").stat().st_size < manifest_path(root, "en", "a").stat().st_size / 5


@pytest.mark.parametrize(
    ("path", "status", "target"),
    [
        ("/a", 301, "//evil.com"),
        ("/a", 301, "/\\evil.com"),
        ("/a", 301, "/b\r\nSet-Cookie: x=1"),
        ("/a", 301, "/b c"),
        ("/a", 301, "javascript:alert(1)"),
        ("/a", 301, "https:evil.com"),
        ("/a", 301, "https://user@evil.com/"),
        ("/a", 301, ""),
        ("/a", 410, "/b"),
        ("/a", 200, "/b"),
        ("a", 301, "/b"),
        ("/a/", 301, "/b"),
        ("//a", 301, "/b"),
        ("/a?b", 301, "/b"),
        ("/a*", 301, "/b\u00e9"),
    ],
)
def test_redirect_that_is_none_is_refused(build: Build, path: str, status: int, target: str) -> None:
    with pytest.raises(BuildError, match="cannot be redirected"):
        build("a", {"/": "home"}, redirects={path: Redirect(status, target)})


def test_manifest_from_before_there_were_redirects_is_read(root: Path, build: Build) -> None:
    build("a", {"/": "home"})
    head, _, body = manifest_path(root, "en", "a").read_bytes().partition(b"\n")
    old = {name: value for name, value in orjson.loads(b"{" + body).items() if "redirect" not in name}
    old["documents"] = []
    text = orjson.dumps(old)
    whole = orjson.loads(head.rstrip(b",") + b"}") | {"check": digest_of(text)}
    del whole["digest"]
    manifest_path(root, "en", "a").chmod(0o644)
    manifest_path(root, "en", "a").write_bytes(orjson.dumps(whole)[:-1] + b",\n" + text[1:] + b"\n")
    assert read_manifest(root, "en", "a").redirects == {}


def test_document_that_a_redirect_leads_to_is_offered(build: Build) -> None:
    offer = Redirect(301, "/media/documents/0123456789abcdef/offer%20(1).pdf")
    assert build("a", {"/": "home"}, redirects={"/offer": offer}).documents == {
        "/offer": ("/media/documents/0123456789abcdef/offer (1).pdf",)
    }

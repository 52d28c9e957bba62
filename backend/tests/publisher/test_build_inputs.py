"""A build's inputs are stored as differences. Reading returns them exactly, or fails."""

import os
import tempfile
from dataclasses import replace
from pathlib import Path

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from portolan.builds.overlay import Overlay
from portolan.publisher.build_inputs import (
    BuildInputs,
    KnownPage,
    copy_inputs,
    inputs_path,
    layer_path,
    prune_inputs,
    read_inputs,
    write_inputs,
)
from portolan.releases.reader import ItemId
from testing.memory import folder_in_memory

FRAME_LINKS = frozenset({"/about-us#team"})
HELD = {ItemId("en", "page", "about"): 2}


def inputs(build: str, pages: dict[str, KnownPage] | Overlay[str, KnownPage], release: int = 3) -> BuildInputs:
    return BuildInputs(build, release, f"{release} of then", "web", "rules", "shared", HELD, FRAME_LINKS, pages)


def following(known: BuildInputs, build: str, **changed: KnownPage | None) -> BuildInputs:
    pages = Overlay(known.pages)
    for name, page in changed.items():
        if page is None:
            del pages[f"/{name}"]
        else:
            pages[f"/{name}"] = page
    return replace(known, build=build, pages=pages)


def layers(root: Path) -> set[str]:
    return {path.stem for path in layer_path(root, "en", "").parent.glob("*")}


PAGE = st.builds(
    KnownPage,
    st.sampled_from(("1", "2", "")),
    st.sampled_from(("", "/p.jpg")),
    st.sampled_from(("", "de en")),
    st.sampled_from(((), ("/a#x", "/b#y"))),
)


@given(st.lists(st.dictionaries(st.sampled_from("abcdefgh"), st.one_of(st.none(), PAGE), max_size=3), max_size=8))
def test_whatever_follows_what_is_read_as_it_was(edits: list[dict[str, KnownPage | None]]) -> None:
    with tempfile.TemporaryDirectory(dir=folder_in_memory()) as folder:
        root = Path(folder)
        known = inputs("b", {f"/{name}": KnownPage("1", links=("/about#x" * 50,)) for name in "abcdefgh"})
        write_inputs(root, "en", known)
        written = {"b": known}
        for number, changed in enumerate(edits):
            there = {name: page for name, page in changed.items() if page or f"/{name}" in known.pages}
            known = following(known, f"b{number}", **there)
            write_inputs(root, "en", known)
            written[known.build] = known
            if number % 3 == 2:
                known = read_inputs(root, "en", known.build) or inputs("none", {})
        for build, expected in written.items():
            assert read_inputs(root, "en", build) == expected


def many(number: int = 300) -> dict[str, KnownPage]:
    return {f"/page-{n}": KnownPage(f"{n:032}", f"/assets/sharing-{n}.jpg", "de en") for n in range(number)}


def size(root: Path) -> int:
    return sum(path.stat().st_size for path in (root / "inputs").rglob("*.json"))


def test_an_edit_writes_what_it_changes_and_a_later_release_of_the_same_pages_nothing_of_them(tmp_path: Path) -> None:
    first = inputs("a", many())
    write_inputs(tmp_path, "en", first)
    whole = size(tmp_path)
    second = following(first, "b", new=KnownPage("2"))
    write_inputs(tmp_path, "en", second)
    assert size(tmp_path) - whole < whole / 20
    known = layers(tmp_path)
    second.release = 4
    write_inputs(tmp_path, "en", second)
    write_inputs(tmp_path, "en", replace(second, build="c"))
    copy_inputs(tmp_path, "en", "c", "d")
    assert layers(tmp_path) == known
    copied = read_inputs(tmp_path, "en", "d")
    assert copied == replace(second, build="d")
    assert copied and copied.release == 4


def test_whole_again_before_reading_the_differences_costs_more_than_the_whole_one(tmp_path: Path) -> None:
    known = inputs("a", many())
    write_inputs(tmp_path, "en", known)
    depths = []
    for number in range(40):
        known = following(known, f"b{number}", new=KnownPage(str(number)))
        write_inputs(tmp_path, "en", known)
        assert known.layer
        assert known.layer.chain.above <= known.layer.chain.whole + 4_000
        depths.append(known.layer.chain.depth)
    assert depths.count(0) in (3, 4, 5)
    assert read_inputs(tmp_path, "en", known.build) == known


@pytest.mark.parametrize("harm", ["gone", "cut", "flipped"])
def test_a_layer_that_is_missing_or_damaged_costs_the_inputs_and_the_next_ones_are_whole(
    tmp_path: Path, harm: str
) -> None:
    first = inputs("a", many())
    write_inputs(tmp_path, "en", first)
    second = following(first, "b", new=KnownPage("2"))
    write_inputs(tmp_path, "en", second)
    assert first.layer
    path = layer_path(tmp_path, "en", first.layer.name)
    data = path.read_bytes()
    path.unlink()
    if harm != "gone":
        path.write_bytes(data[:-9] if harm == "cut" else data.replace(b"page-7", b"page-8", 1))
    assert read_inputs(tmp_path, "en", "a") is None
    assert read_inputs(tmp_path, "en", "b") is None
    path.unlink(missing_ok=True)
    for known in (following(first, "c", new=KnownPage("3")), replace(first, build="d")):
        write_inputs(tmp_path, "en", known)
        assert read_inputs(tmp_path, "en", known.build) == known


def test_pages_of_an_older_version_are_tried_again(tmp_path: Path) -> None:
    known = inputs("a", {"/": KnownPage("1", "/assets/sharing-1.jpg", "de en", ("/about-us#of-the-frame",))})
    write_inputs(tmp_path, "en", known)
    path = inputs_path(tmp_path, "en", "a")
    document = orjson.loads(path.read_bytes())
    del document["frame_links"]
    path.write_bytes(orjson.dumps(document))
    known = replace(known, frame_links=frozenset(), pages={"/": KnownPage("", "/assets/sharing-1.jpg", "de en")})
    assert read_inputs(tmp_path, "en", "a") == known
    write_inputs(tmp_path, "en", known)
    assert read_inputs(tmp_path, "en", "a") == known


def test_inputs_of_the_first_versions_are_read(tmp_path: Path) -> None:
    path = inputs_path(tmp_path, "en", "a")
    path.parent.mkdir(parents=True)
    document = {
        "build": "a",
        "release": 3,
        "mark": "3 of then",
        "web": "web",
        "rules": "rules",
        "shared": "shared",
        "held": [["en", "page", "about", 2]],
        "pages": {"/": "1", "/about-us": ""},
        "links": {"/about-us#team": ["/", "/about-us"]},
        "pictures": {"/": "/assets/sharing-1.jpg"},
        "translations": {"/": "de en", "/about-us": "en"},
    }
    path.write_bytes(orjson.dumps(document))
    known = read_inputs(tmp_path, "en", "a")
    assert known == replace(
        inputs("a", {"/": KnownPage("", "/assets/sharing-1.jpg", "de en"), "/about-us": KnownPage("", "", "en")}),
        frame_links=frozenset(),
    )
    assert known
    write_inputs(tmp_path, "en", known)
    assert read_inputs(tmp_path, "en", "a") == known


def test_pruning_keeps_what_the_kept_builds_are_based_on(tmp_path: Path) -> None:
    known = inputs("b0", many())
    for number in range(1, 5):
        write_inputs(tmp_path, "en", known)
        known = following(known, f"b{number}", new=KnownPage(str(number)))
    other = inputs("other", {"/": KnownPage("1")})
    write_inputs(tmp_path, "en", other)
    prune_inputs(tmp_path, "en", {"b2"})
    assert len(layers(tmp_path)) == 5, "what is young may be about to be named"
    for path in layer_path(tmp_path, "en", "").parent.glob("*"):
        os.utime(path, (0, 0))
    prune_inputs(tmp_path, "en", {"b2"})
    assert read_inputs(tmp_path, "en", "b2")
    assert read_inputs(tmp_path, "en", "other") is None
    assert len(layers(tmp_path)) == 3

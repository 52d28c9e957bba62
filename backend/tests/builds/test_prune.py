import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

from portolan.builds.live import switch_live
from portolan.builds.manifest import list_builds, read_manifest
from portolan.builds.prune import prune
from portolan.builds.store import UNUSED_BEFORE_REMOVAL_S, ContentStore, digest_of

from .conftest import START, Build

SINCE_START = datetime.now(UTC) - START
LONG_AGO = timedelta(days=30)
MANY = {f"/page-{number}": f"page {number}" for number in range(200)}
"""Enough for later builds to be written as differences."""


def age(root: Path) -> None:
    """Make everything stored old enough to be removed."""
    for path in (root / "store").rglob("*"):
        if path.is_file():
            old = path.stat().st_mtime - 2 * UNUSED_BEFORE_REMOVAL_S
            os.utime(path, (old, old))


def names(root: Path) -> list[str]:
    return [head.build for head in list_builds(root, "en")]


def test_keeps_the_newest_builds_and_what_they_mention(root: Path, build: Build) -> None:
    for number in range(4):
        build(f"b{number}", MANY | {"/": f"home {number}", "/about-us": "about"}, age=LONG_AGO)
    age(root)
    pruned = prune(root, keep_builds=2, keep_days=7)
    store = ContentStore(root)
    # The kept ones depend on the whole build b0, through all between.
    assert names(root) == ["b3", "b2", "b1", "b0"]
    assert (pruned.builds, pruned.files) == (0, 0)
    assert store.read(digest_of(b"about")) == b"about"


def test_removes_old_builds_once_a_whole_one_came_after_them(root: Path, build: Build) -> None:
    for number in range(3):
        build(f"b{number}", MANY | {"/": f"home {number}", "/about-us": "about"}, age=LONG_AGO)
    other = {path: f"{text} again" for path, text in MANY.items()}  # so much that it is written whole
    for number in range(3, 6):
        build(f"b{number}", other | {"/": f"home {number}", "/about-us": "about"}, age=LONG_AGO)
    age(root)
    pruned = prune(root, keep_builds=2, keep_days=7)
    store = ContentStore(root)
    assert names(root) == ["b5", "b4", "b3"]
    assert (pruned.builds, pruned.files) == (3, 3 + len(MANY))
    assert store.read(digest_of(b"home 0")) is None
    assert store.read(digest_of(b"about")) == b"about"
    for head in list_builds(root, "en"):
        assert read_manifest(root, "en", head.build).files["/about-us"]


def test_keeps_what_is_younger_than_the_days_however_many_builds(root: Path, build: Build) -> None:
    for number in range(19):
        build(f"b{number}", {"/": f"home {number}"}, age=-SINCE_START)
    assert prune(root, keep_builds=1, keep_days=7).builds == 0


def test_keeps_the_live_build_however_old(root: Path, build: Build) -> None:
    for number in range(32):
        build(f"b{number}", {"/": f"home {number}"}, age=LONG_AGO)
    switch_live(root, {"en": "b0"})
    age(root)
    prune(root, keep_builds=1, keep_days=7)
    assert names(root)[-1] == "b0"
    assert ContentStore(root).read(digest_of(b"home 0")) == b"home 0"


def test_leaves_what_a_running_publisher_has_just_stored_or_reused(root: Path, build: Build) -> None:
    build("a", {"/": "home"})
    store = ContentStore(root)
    reused = store.put(b"reused")
    gone = store.put(b"gone")
    age(root)
    store.keep(reused)
    new = store.put(b"new")
    prune(root)
    assert store.read(reused) == b"reused"
    assert store.read(new) == b"new"
    assert store.read(gone) is None


def test_copies_go_with_their_file_and_not_before(root: Path, build: Build) -> None:
    build("a", {"/": "home"})
    store = ContentStore(root)
    kept, gone = digest_of(b"home"), store.put(b"gone")
    for digest in (kept, gone):
        store.put_copy(digest, "br", b"copy", best=True)
        store.put_copy(digest, "gzip", b"copy", best=True)
    age(root)
    prune(root)
    assert store.encodings(kept) == {"br", "gzip"}
    prune(root)
    assert store.encodings(gone) == set()


def test_what_killed_writers_left_goes(root: Path, build: Build) -> None:
    build("a", {"/": "home"})
    shard = next((root / "store").iterdir())
    (shard / "left.123-0~").write_bytes(b"half")
    (root / "manifests" / "en" / "b.json.123-0~").write_bytes(b"half")
    age(root)
    os.utime(root / "manifests" / "en" / "b.json.123-0~", (0, 0))
    prune(root)
    assert not list(root.rglob("*~"))
    assert names(root) == ["a"]


def test_stops_when_asked(root: Path, build: Build) -> None:
    build("a", {"/": "home"})
    gone = ContentStore(root).put(b"gone")
    age(root)
    assert prune(root, stopped=lambda: True).files == 0
    assert ContentStore(root).read(gone) == b"gone"


def test_a_folder_without_builds_is_no_error(root: Path) -> None:
    assert prune(root) == (0, 0, 0, frozenset())

import gzip
from pathlib import Path

import brotli
import pytest

from portolan.builds.compress import Compressor, make_best_copies, make_quick_copies
from portolan.builds.store import ContentStore, digest_of

from .conftest import Build

PAGE = "".join(f"<p>Berth {digest_of(b'%d' % number)} is free.</p>" for number in range(200))


def never() -> bool:
    return False


def test_every_live_text_gets_its_copies(root: Path, build: Build) -> None:
    build("a", {"/": PAGE, "/assets/app-1.js": PAGE[::-1], "/picture.png": PAGE, "/small": "small"})
    Compressor(root).work()
    store = ContentStore(root)
    for text in (PAGE, PAGE[::-1]):
        digest = digest_of(text.encode())
        assert brotli.decompress(store.read(digest, "br")) == text.encode()
        assert gzip.decompress(store.read(digest, "gzip") or b"") == text.encode()
        assert store.has_best_copy(digest, "br")
    assert store.encodings(digest_of(b"small")) == set()


def test_quick_copies_come_first_and_are_replaced_by_better_ones(root: Path, build: Build) -> None:
    manifest = build("a", {"/": PAGE})
    store, file = ContentStore(root), manifest.files["/"]
    make_quick_copies(store, [file], never)
    quick = store.read(file.digest, "br") or b""
    assert make_quick_copies(store, [file], never) == 0
    assert make_best_copies(store, [file], never) == 1
    assert len(store.read(file.digest, "br") or b"") < len(quick)
    assert make_best_copies(store, [file], never) == 0


def test_the_publishers_quick_copy_is_kept_until_the_best_one_is_there(root: Path, build: Build) -> None:
    manifest = build("a", {"/": PAGE})
    store, file = ContentStore(root), manifest.files["/"]
    store.put_copy(file.digest, "br", b"from the render worker")
    make_quick_copies(store, [file], never)
    assert store.read(file.digest, "br") == b"from the render worker"
    assert store.encodings(file.digest) == {"br", "gzip"}


def test_work_ends_between_two_files_when_asked(root: Path, build: Build) -> None:
    manifest = build("a", {f"/page-{number}": PAGE + str(number) for number in range(5)})
    store = ContentStore(root)
    answers = iter([False, False, True])
    assert make_best_copies(store, manifest.files.values(), lambda: next(answers)) == 2


def test_what_most_visitors_need_comes_first(root: Path, build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    paths = ["/a/b/c", "/a", "/page-data/a/b/page-data.json", "/a/b/c/d", "/", "/page-data/a/page-data.json"]
    manifest = build("a", {path: PAGE + path for path in paths})
    done: list[str] = []
    monkeypatch.setattr(ContentStore, "put_copy", lambda self, digest, *_, **__: done.append(digest))
    Compressor(root).work()
    paths_done = [path for digest in done for path in paths if manifest.files[path].digest == digest]
    assert list(dict.fromkeys(paths_done)) == ["/", "/a", paths[5], paths[2], "/a/b/c", "/a/b/c/d"]


def test_thread_works_through_what_goes_live_and_ends_when_asked(root: Path, build: Build) -> None:
    build("a", {"/": PAGE})
    thread = Compressor(root)
    thread.start()
    thread.stop()
    assert not thread.is_alive()
    Compressor(root).work()  # the next one finds the remaining files
    assert ContentStore(root).has_best_copy(digest_of(PAGE.encode()), "br")


def test_pages_of_builds_no_longer_live_are_left_alone(root: Path, build: Build) -> None:
    build("a", {"/": PAGE})
    build("b", {"/": PAGE + "2"})
    Compressor(root).work()
    assert ContentStore(root).encodings(digest_of(PAGE.encode())) == set()

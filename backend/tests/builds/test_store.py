import os
from pathlib import Path

import pytest

from portolan.builds import disk
from portolan.builds.disk import PART_SUFFIX
from portolan.builds.store import UNUSED_BEFORE_REMOVAL_S, ContentStore, digest_of


@pytest.fixture
def store(root: Path) -> ContentStore:
    return ContentStore(root)


def status(store: ContentStore, digest: str) -> os.stat_result:
    return Path(store.path(digest)).stat()


def test_same_bytes_are_stored_once_under_their_digest(store: ContentStore) -> None:
    digest = store.put(b"harbour")
    before = status(store, digest)
    assert store.put(b"harbour") == digest == digest_of(b"harbour")
    assert status(store, digest).st_mtime_ns == before.st_mtime_ns
    assert store.read(digest) == b"harbour"


def test_what_is_not_stored_reads_as_none(store: ContentStore) -> None:
    assert store.read("0" * 32) is None
    assert not store.keep("0" * 32)
    assert store.encodings("0" * 32) == set()


def test_copies_come_later_and_are_replaced_by_better_ones(store: ContentStore) -> None:
    digest = store.put(b"harbour" * 100)
    assert store.encodings(digest) == set()
    store.put_copy(digest, "br", b"quick")
    assert store.encodings(digest) == {"br"}
    assert not store.has_best_copy(digest, "br")
    store.put_copy(digest, "br", b"best", best=True)
    assert store.read(digest, "br") == b"best"
    assert store.has_best_copy(digest, "br")
    assert not store.has_best_copy(digest, "gzip")


def test_empty_copy_left_by_a_power_cut_is_not_served(store: ContentStore) -> None:
    digest = store.put(b"harbour" * 100)
    store.put_copy(digest, "br", b"", best=True)
    assert store.read(digest, "br") is None
    assert not store.has_best_copy(digest, "br")


def test_file_cut_short_by_a_power_cut_is_written_again(store: ContentStore) -> None:
    digest = store.put(b"harbour")
    path = Path(store.path(digest))
    path.chmod(0o644)
    path.write_bytes(b"har")
    assert store.put(b"harbour") == digest
    assert path.read_bytes() == b"harbour"


def test_stored_files_are_read_only_because_exports_share_them(store: ContentStore) -> None:
    assert status(store, store.put(b"harbour")).st_mode & 0o777 == 0o444


def test_reuse_of_an_old_file_is_visible_to_prune(store: ContentStore) -> None:
    digest = store.put(b"harbour")
    old = status(store, digest).st_mtime - 2 * UNUSED_BEFORE_REMOVAL_S
    for use in (lambda: store.put(b"harbour"), lambda: store.keep(digest)):
        os.utime(store.path(digest), (old, old))
        use()
        assert status(store, digest).st_mtime > old + UNUSED_BEFORE_REMOVAL_S


@pytest.mark.parametrize("count", [3, 100])
def test_sync_names_a_file_that_is_missing(store: ContentStore, count: int) -> None:
    digests = [store.put(b"%d" % number) for number in range(count)]
    store.sync(digests)
    Path(store.path(digests[1])).unlink()
    with pytest.raises(FileNotFoundError, match=digests[1]):
        store.sync(digests)


def test_sync_waits_for_files_copies_and_folders_and_for_many_at_once(
    store: ContentStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    digests = [store.put(b"%d" % number) for number in range(65)]
    store.put_copy(digests[0], "br", b"copy")
    one_by_one: set[str] = set()
    at_once: list[str] = []

    def path(file: int) -> str:
        return str(Path(f"/proc/self/fd/{file}").readlink())

    def sync_filesystem(file: int) -> int:
        at_once.append(path(file))
        return 0

    monkeypatch.setattr(os, "fsync", lambda file: one_by_one.add(path(file)))
    monkeypatch.setattr(disk, "_syncfs", sync_filesystem)
    store.sync(digests[:64])
    files = {store.path(digest) for digest in digests[:64]}
    assert one_by_one == {*files, store.path(digests[0], "br"), *(str(Path(file).parent) for file in files)}
    assert at_once == []
    one_by_one.clear()
    store.sync(digests)
    assert (one_by_one, at_once) == (set(), [str(store.folder)])


def test_failed_write_leaves_nothing(store: ContentStore, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object) -> int:
        raise OSError(28, "No space left on device")

    store.put(b"first")
    monkeypatch.setattr(os, "write", fail)
    with pytest.raises(OSError, match="No space"):
        store.put(b"second")
    monkeypatch.undo()
    assert not [path for path in store.folder.rglob("*") if path.name.endswith(PART_SUFFIX)]
    assert store.read(digest_of(b"second")) is None


def test_short_writes_are_continued(store: ContentStore, monkeypatch: pytest.MonkeyPatch) -> None:
    write = os.write
    monkeypatch.setattr(os, "write", lambda file, data: write(file, data[:3]))
    digest = store.put(b"harbour master")
    monkeypatch.undo()
    assert store.read(digest) == b"harbour master"

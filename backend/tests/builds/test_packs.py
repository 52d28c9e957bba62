import os
import random
from collections.abc import Iterable
from pathlib import Path

import pytest

from portolan.builds.pack_pruning import prune_packs
from portolan.builds.packs import INDEX_SUFFIX, Encoding, Index, Packed, write_index
from portolan.builds.store import UNUSED_BEFORE_REMOVAL_S, ContentStore, digest_of


def pack(store: ContentStore, name: str, texts: Iterable[bytes], encoding: Encoding | None = None) -> list[Packed]:
    """Write a pack as render workers do."""
    store.prepare()
    files = []
    with Path(store.packs.path(name)).open("ab") as file:
        for text in texts:
            files.append(Packed(digest_of(text), encoding, name, file.tell(), len(text)))
            file.write(text)
    return files


def seal(store: ContentStore, files: Iterable[Packed]) -> None:
    store.packs.add(files)
    store.packs.seal()


def age(store: ContentStore) -> None:
    for path in store.packs.folder.iterdir():
        old = path.stat().st_mtime - 2 * UNUSED_BEFORE_REMOVAL_S
        os.utime(path, (old, old))


def names(store: ContentStore) -> list[str]:
    return sorted(path.name for path in store.packs.folder.iterdir() if path.suffix != INDEX_SUFFIX)


def test_bytes_and_copies_are_read_by_every_store_once_they_are_sealed(root: Path) -> None:
    store, other = ContentStore(root), ContentStore(root)
    assert other.read(digest_of(b"page")) is None
    files = pack(store, "p1", [b"first", b"page", b""])
    copies = [file._replace(encoding="br") for file in pack(store, "p1", [b"copy"])]
    copies = [copies[0]._replace(digest=digest_of(b"page"))]
    store.packs.add([*files, *copies])
    assert store.read(digest_of(b"page")) == b"page"
    assert other.read(digest_of(b"page")) is None
    store.sync({file.digest for file in files})
    for one in (store, other, ContentStore(root)):
        assert [one.read(digest_of(text)) for text in (b"first", b"page", b"")] == [b"first", b"page", b""]
        assert one.read(digest_of(b"page"), "br") == b"copy"
        assert (one.encodings(digest_of(b"page")), one.encodings(digest_of(b"first"))) == ({"br"}, set())
        assert one.keep(digest_of(b"page"))
        place = one.locate(digest_of(b"page"))
        assert place
        assert Path(place.path).read_bytes()[place.offset : place.offset + place.size] == b"page"
        assert one.read(digest_of(b"another")) is None


def test_what_a_pack_has_is_not_written_again(root: Path) -> None:
    store = ContentStore(root)
    seal(store, pack(store, "p1", [b"page"]))
    digest = store.put(b"page")
    assert not Path(store.path(digest)).exists()


def test_a_publish_that_was_given_up_leaves_nothing_that_counts_as_stored(root: Path) -> None:
    store = ContentStore(root)
    store.packs.add(pack(store, "p1", [b"page"]))
    store.prepare()
    assert store.read(digest_of(b"page")) is None
    digest = store.put(b"page")
    assert Path(store.path(digest)).exists()


def test_every_entry_of_a_large_index_is_found_and_no_other(root: Path) -> None:
    store = ContentStore(root)
    store.prepare()
    rng = random.Random(1)
    digests = [rng.randbytes(16).hex() for _ in range(1000)]
    encodings: list[Encoding | None] = [None, "br", "gzip"]
    files = [
        Packed(digest, encodings[number % 3], f"p{number % 7}", 2**33 + number, number)
        for number, digest in enumerate(digests)
    ]
    for number in range(7):
        (store.packs.folder / f"p{number}").touch()
    write_index(store.packs.folder, files)
    (index,) = store.packs.indexes()
    assert sorted(index) == sorted(files)
    for file in files:
        assert store.packs.find(file.digest, file.encoding) == file
        for other in {None, "br", "gzip"} - {file.encoding}:
            assert store.packs.find(file.digest, other) is None
    assert store.packs.find(rng.randbytes(16).hex()) is None


@pytest.mark.parametrize("damage", [b"", b"{}\n", b"[1]\n", b'{"packs":["p"],"entries":3}\n'])
def test_a_damaged_index_is_passed_over(root: Path, damage: bytes) -> None:
    store = ContentStore(root)
    seal(store, pack(store, "p1", [b"page"]))
    (store.packs.folder / f"9{INDEX_SUFFIX}").write_bytes(damage)
    assert ContentStore(root).read(digest_of(b"page")) == b"page"
    with pytest.raises((ValueError, KeyError)):
        Index(store.packs.folder / f"9{INDEX_SUFFIX}")


def test_pruning_removes_packs_that_nobody_uses_and_rewrites_those_of_which_little_is_used(root: Path) -> None:
    store, reader = ContentStore(root), ContentStore(root)
    seal(store, pack(store, "gone", [b"old 1", b"old 2"]))
    seal(store, pack(store, "poor", [b"little", b"x" * 100, b"y" * 100]))
    seal(store, pack(store, "rich", [b"much" * 100, b"z"]))
    for text in (b"little", b"much" * 100):
        assert reader.read(digest_of(text)) == text
    age(store)
    mentioned = {digest_of(b"little"), digest_of(b"much" * 100)}
    assert prune_packs(store.packs, mentioned, lambda: False) == (5, 10 + 200)
    assert "rich" in names(store)
    assert not {"gone", "poor"} & set(names(store))
    assert len(store.packs.indexes()) == 1
    for one in (store, reader, ContentStore(root)):
        assert [one.read(digest_of(text)) for text in (b"little", b"much" * 100)] == [b"little", b"much" * 100]
        assert one.read(digest_of(b"old 1")) is None
    age(store)
    assert prune_packs(store.packs, mentioned, lambda: False) == (0, 0)


def test_pruning_leaves_what_was_stored_or_reused_in_the_last_hour(root: Path) -> None:
    store = ContentStore(root)
    seal(store, pack(store, "fresh", [b"new"]))
    pack(store, "being written", [b"newer"])
    assert prune_packs(store.packs, set(), lambda: False) == (0, 0)
    age(store)
    assert store.keep(digest_of(b"new"))
    prune_packs(store.packs, set(), lambda: False)
    assert names(store) == ["fresh"]
    assert store.read(digest_of(b"new")) == b"new"


def test_who_reuses_something_while_it_is_pruned_stores_it_again(root: Path) -> None:
    store, publisher = ContentStore(root), ContentStore(root)
    seal(store, pack(store, "old", [b"page", b"kept" * 9]))
    assert publisher.read(digest_of(b"page")) == b"page"
    age(store)
    prune_packs(store.packs, {digest_of(b"kept" * 9)}, lambda: False)
    publisher.put(b"page")
    assert ContentStore(root).read(digest_of(b"page")) == b"page"


def test_many_indexes_become_one(root: Path) -> None:
    store = ContentStore(root)
    texts = [b"page %d" % number for number in range(6)]
    for number, text in enumerate(texts):
        seal(store, pack(store, f"p{number}", [text]))
    age(store)
    assert prune_packs(store.packs, {digest_of(text) for text in texts}, lambda: False) == (0, 0)
    assert len(ContentStore(root).packs.indexes()) == 1
    assert [ContentStore(root).read(digest_of(text)) for text in texts] == texts


def test_what_a_missing_pack_had_is_not_stored(root: Path) -> None:
    writer = ContentStore(root)
    writer.prepare()
    writer.packs.add([*pack(writer, "p1", [b"page"]), *pack(writer, "p2", [b"other"])])
    writer.packs.seal()
    reader = ContentStore(root)
    page, other = digest_of(b"page"), digest_of(b"other")
    assert reader.keep(page)  # the reader has read the index
    (reader.packs.folder / "p1").unlink()
    assert reader.read(page) is None
    assert (reader.keep(page), reader.locate(page)) == (False, None)
    assert reader.read(other) == b"other"
    writer.prepare()
    assert writer.put(b"page") == page
    assert reader.read(page) == b"page"


def test_an_entry_of_an_index_that_cannot_be_true_is_passed_over(root: Path) -> None:
    store = ContentStore(root)
    store.prepare()
    store.packs.add(pack(store, "p1", [b"page"]))
    store.packs.seal()
    (index,) = (path for path in store.packs.folder.iterdir() if path.suffix == ".index")
    data = bytearray(index.read_bytes())
    data[-14:-12] = b"\xff\xff"  # the number of its pack
    index.chmod(0o644)
    index.write_bytes(data)
    assert ContentStore(root).read(digest_of(b"page")) is None

"""Uploads in a storage of their own (PORTOLAN_MEDIA_STORAGE) are backed up and restored there."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from portolan.backups import known_digests
from portolan.backups.catalogue import find_backup
from portolan.backups.folders import Folders
from portolan.backups.keys import NO_KEYS, make_key, read_keys
from portolan.backups.problem import BackupError
from portolan.backups.put_back import PutBack, Wish, put_back
from portolan.backups.target import Target, open_target
from portolan.builds.object_store import ObjectStore

from .conftest import Small, write
from .test_put_back import files_below

IDENTITY, RECIPIENT = make_key()
PICTURES = {
    "original_images/berth.jpg": b"berth " * 5000,
    "pictures/0123456789abcdef/berth-800.avif": b"smaller",
    "documents/rates.pdf": b"%PDF-1.7 rates",
}


def fill(url: str, files: dict[str, bytes]) -> ObjectStore:
    objects = ObjectStore(url)
    for name, data in files.items():
        objects.put(name, data)
    return objects


def contents_of(url: str) -> dict[str, bytes]:
    objects = ObjectStore(url)
    return {found.key: objects.get(found.key) for found in objects.list()}


def with_uploads(small: Small, url: str) -> Small:
    small.folders = small.folders._replace(media_storage=url)
    return small


def restore(target: Target, folders: Folders, wish: Wish = Wish(NO_KEYS)) -> PutBack:  # noqa: B008  (frozen)
    return put_back(target, find_backup(target, ""), folders, wish)


@pytest.fixture
def storage(tmp_path: Path) -> str:
    """Filled."""
    url = (tmp_path / "uploads").as_uri()
    fill(url, PICTURES)
    return url


@pytest.fixture
def running(small: Small, storage: str) -> Small:
    return with_uploads(small, storage)


@pytest.fixture
def fetched(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Names of objects that were fetched from any storage."""
    names: list[str] = []
    save = ObjectStore.save

    def noting(self: ObjectStore, key: str, path: Path) -> None:
        names.append(key)
        save(self, key, path)

    monkeypatch.setattr(ObjectStore, "save", noting)
    return names


def test_they_are_in_it_encrypted_and_go_back_to_an_empty_storage(
    small: Small, empty: Small, store_url: str, target: Target, fetched: list[str]
) -> None:
    here, there = f"{store_url}/here", f"{store_url}/there"
    fill(here, PICTURES)
    first = with_uploads(small, here).back_up(target, read_keys(RECIPIENT, "here"))
    assert sorted(fetched) == sorted(PICTURES)
    assert b"rates" not in b"".join(target.read(found.key) for found in target.list(""))
    fetched.clear()
    again = small.back_up(target, read_keys(RECIPIENT, "here"))
    assert fetched == []
    assert again.backup.new_bytes == again.backup.contents.size
    assert {file.key for file in first.backup.files} - {first.backup.contents.key} <= {
        file.key for file in again.backup.files
    }

    done = restore(target, with_uploads(empty, there).folders, Wish(read_keys(IDENTITY, "here")))
    assert contents_of(there) == PICTURES
    assert done.uploads is not None
    assert done.uploads[1:] == (3, 0, 0)
    assert not empty.folders.media_dir.exists()
    assert list(empty.folders.var_dir.glob("restore-unfinished-*")) == []


def test_one_that_has_changed_under_its_name_is_fetched_and_one_that_is_gone_left_out(
    running: Small, empty: Small, storage: str, target: Target, fetched: list[str]
) -> None:
    running.back_up(target)
    fill(storage, {"documents/rates.pdf": b"%PDF-1.7 RATES"}).delete(["original_images/berth.jpg"])  # of the same size
    fetched.clear()
    running.back_up(target)
    assert fetched == ["documents/rates.pdf"]
    restore(target, with_uploads(empty, f"{storage}-new").folders)
    assert contents_of(f"{storage}-new") == {
        "documents/rates.pdf": b"%PDF-1.7 RATES",
        "pictures/0123456789abcdef/berth-800.avif": b"smaller",
    }


def test_where_nothing_is_known_any_more_all_is_fetched_and_nothing_stored_twice(
    running: Small, target: Target, fetched: list[str]
) -> None:
    running.back_up(target)
    (running.folders.var_dir / known_digests.FILE).write_bytes(b"{")
    fetched.clear()
    again = running.back_up(target)
    assert sorted(fetched) == sorted(PICTURES)
    assert again.backup.new_bytes == again.backup.contents.size
    elsewhere = open_target(f"{target.url}-elsewhere")
    fetched.clear()
    assert running.back_up(elsewhere).vanished == []
    assert sorted(fetched) == sorted(PICTURES)  # the storage lacks their metadata


def test_one_that_is_removed_meanwhile_is_named(
    running: Small, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    save = ObjectStore.save

    def gone(self: ObjectStore, key: str, path: Path) -> None:
        if key.endswith("rates.pdf"):
            self.delete([key])
        save(self, key, path)

    monkeypatch.setattr(ObjectStore, "save", gone)
    assert running.back_up(target).vanished == ["media/documents/rates.pdf"]


def test_a_storage_that_outlived_the_machine_gets_what_it_lacks_and_keeps_what_came_since(
    running: Small, empty: Small, storage: str, target: Target
) -> None:
    running.back_up(target)
    fill(storage, {"documents/since.pdf": b"since"}).delete(["documents/rates.pdf"])
    done = restore(target, with_uploads(empty, storage).folders)
    assert contents_of(storage) == {**PICTURES, "documents/since.pdf": b"since"}
    assert done.uploads is not None
    assert done.uploads[1:] == (1, 2, 0)
    assert done.aside is None


def test_other_files_under_these_names_are_refused_or_moved_aside(
    running: Small, empty: Small, storage: str, target: Target
) -> None:
    running.back_up(target)
    other = b"%PDF-1.7 RATES"
    fill(storage, {"documents/rates.pdf": other}).delete(["original_images/berth.jpg"])
    before = contents_of(storage)
    with pytest.raises(BackupError, match=r"1 file differs from the backup \(documents/rates.pdf\)"):
        restore(target, with_uploads(empty, storage).folders)
    assert contents_of(storage) == before
    assert not empty.database.exists()
    done = restore(target, empty.folders, Wish(NO_KEYS, replaces=True))
    assert contents_of(storage) == PICTURES
    assert done.aside is not None
    assert files_below(done.aside) == {"media/documents/rates.pdf": other}


def test_where_the_backup_is_damaged_nothing_is_replaced(
    running: Small, empty: Small, storage: str, target: Target
) -> None:
    made = running.back_up(target)
    largest = max((file for file in made.backup.files if file.size < 50_000), key=lambda file: file.size)
    damaged = Path(target.url) / largest.key
    damaged.write_bytes(damaged.read_bytes()[:-1])  # the original of the image
    fill(storage, {"documents/rates.pdf": b"other"}).delete(["original_images/berth.jpg"])
    before = contents_of(storage)
    with pytest.raises(BackupError, match="is damaged"):
        restore(target, with_uploads(empty, storage).folders, Wish(NO_KEYS, replaces=True))
    assert contents_of(storage) == before
    assert not empty.database.exists()


def test_they_can_move_from_the_folder_into_a_storage_and_back(small: Small, empty: Small, tmp_path: Path) -> None:
    first, second = open_target(str(tmp_path / "first")), open_target(str(tmp_path / "second"))
    url = (tmp_path / "uploads").as_uri()
    small.back_up(first)
    restore(first, with_uploads(empty, url).folders)
    assert contents_of(url) == {"pictures/berth.jpg": b"berth"}
    empty.back_up(second)
    third = Small(tmp_path / "third")
    restore(second, third.folders)
    assert files_below(third.folders.media_dir) == {"pictures/berth.jpg": b"berth"}


def test_without_the_storage_there_is_no_backup_and_earlier_ones_are_as_they_were(
    running: Small, target: Target, s3_bucket: str
) -> None:
    first = running.back_up(target).backup
    bucket = s3_bucket.rpartition("/")[0]
    with pytest.raises(BackupError, match=r"The upload storage s3://.* does not respond, or rejects"):
        with_uploads(running, f"{bucket}-of-nobody").back_up(target, keep=1)
    assert find_backup(target, "") == first


@pytest.mark.parametrize("place", ["", "/backups"])
def test_backups_do_not_lie_among_the_uploads(running: Small, storage: str, tmp_path: Path, place: str) -> None:
    with pytest.raises(BackupError, match="each backup would include the earlier ones"):
        running.back_up(open_target(f"{storage}{place}"))
    assert contents_of(storage) == PICTURES


def test_what_is_left_of_a_folder_is_not_in_it(running: Small, empty: Small, storage: str, target: Target) -> None:
    write(running.folders.media_dir / "documents" / "rates.pdf", b"of before the storage")
    running.back_up(target)
    restore(target, with_uploads(empty, f"{storage}-new").folders)
    assert contents_of(f"{storage}-new") == PICTURES

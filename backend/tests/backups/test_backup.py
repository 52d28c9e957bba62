"""The contents of a backup, and the files it leaves unchanged."""

import fcntl
import os
import sqlite3
import time
from contextlib import closing
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from portolan.backups import make
from portolan.backups.catalogue import Backup, Contents, read_backups
from portolan.backups.check import check_backup
from portolan.backups.keep import remove_unused
from portolan.backups.keys import NO_KEYS, Keys, make_key, read_keys
from portolan.backups.problem import BackupError, BackupIsAtWork
from portolan.backups.reading import Reading
from portolan.backups.target import Target, open_target

from .conftest import Small, write


def contents_of(target: Target, backup: Backup, tmp_path: Path, keys: Keys = NO_KEYS) -> Contents:
    return Reading(target, backup, keys, tmp_path).contents()


def names(contents: Contents) -> set[str]:
    return {f"{file.area}/{file.path}" for file in contents.files}


def test_it_has_all_that_cannot_be_made_anew_and_no_secret_in_the_open(
    small: Small, store_url: str, tmp_path: Path
) -> None:
    (lead_file,) = small.lead_files()
    write(small.folders.spool / "1-a.json", b'{"files": []}')
    target = open_target(store_url)
    made = small.back_up(target)
    contents = contents_of(target, made.backup, tmp_path)
    assert names(contents) == {
        "database/database.sqlite3",
        "media/pictures/berth.jpg",
        f"leads/files/{lead_file}",
        "spool/1-a.json",
        "project/sites.toml",
        "project/brand.toml",
        "project/logo.svg",
        "project/public/robots.txt",
    }
    assert contents.pointer["sites"] == {"en": "a"}
    assert (contents.live["en"].build, contents.live["en"].release) == ("a", 7)
    assert contents.leads_in_spool == 1
    assert check_backup(target, made.backup, NO_KEYS) == []
    assert not made.with_secret_key


def test_an_encrypted_one_shows_neither_names_nor_contents(small: Small, target: Target, tmp_path: Path) -> None:
    identity, recipient = make_key()
    made = small.back_up(target, read_keys(recipient, "here"))
    everything = b"".join(target.read(found.key) for found in target.list(""))
    for canary in (b"berth", b"sites.toml", b"secret-key", b"cv.pdf", b"%PDF-1.7"):
        assert canary not in everything
    assert "var/secret-key" in names(contents_of(target, made.backup, tmp_path, read_keys(identity, "here")))
    assert check_backup(target, made.backup, NO_KEYS) == []  # by the public half in the backup
    assert check_backup(target, made.backup, read_keys(identity, "here")) == []


def test_the_next_one_stores_only_what_is_new(small: Small, target: Target) -> None:
    first = small.back_up(target, read_keys(make_key()[1], "here")).backup
    again = small.back_up(target, read_keys(first.recipients[0], "here")).backup
    assert again.new_bytes == again.contents.size
    write(small.folders.media_dir / "pictures" / "quay.jpg", b"quay" * 1000)
    more = small.back_up(target, read_keys(first.recipients[0], "here")).backup
    assert 4000 < more.new_bytes - more.contents.size < 4500
    other = small.back_up(target, read_keys(make_key()[1], "here")).backup
    assert other.new_bytes == sum(file.size for file in other.files)  # the files of the other key are unreadable


def test_so_many_are_kept_and_each_is_whole(small: Small, target: Target) -> None:
    for number in range(4):
        write(small.folders.media_dir / "changing", f"{number}".encode())
        small.back_up(target, keep=2)
    backups = read_backups(target)
    assert len(backups) == 2
    assert [check_backup(target, backup, NO_KEYS) for backup in backups] == [[], []]
    named = {file.key for backup in backups for file in backup.files}
    assert {found.key for found in target.list("files/")} == named


def test_backups_of_a_clock_that_ran_ahead_push_out_none_of_today(small: Small, target: Target) -> None:
    ahead = small.back_up(target).backup
    later = ahead.model_copy(update={"id": "2999-01-01T00-00-00Z", "created": "2999-01-01T00:00:00Z"})
    today = [small.back_up(target).backup for _ in range(3)]
    assert remove_unused(target, [ahead, later, *today], keep=2) == 2
    assert [backup.id for backup in read_backups(target)] == [backup.id for backup in today[1:]]


def test_what_a_killed_one_left_goes_after_a_day_and_not_before(small: Small, target: Target, tmp_path: Path) -> None:
    small.back_up(target)
    for name, hours in (("old", 30), ("fresh", 1)):
        file = tmp_path / "backups" / "files" / "ab" / name
        write(file, b"stray")
        os.utime(file, (time.time() - hours * 3600,) * 2)
    write(small.folders.var_dir / "backup-unfinished-x" / "file", b"stray")
    small.back_up(target)
    assert {found.key.rpartition("/")[2] for found in target.list("files/")} & {"old", "fresh"} == {"fresh"}
    assert list(small.folders.var_dir.glob("backup-unfinished-*")) == []


def test_one_that_fails_in_the_middle_is_no_backup_and_leaves_the_earlier_one(
    small: Small, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = small.back_up(target).backup
    write(small.folders.media_dir / "new", b"new")

    def full(*_: object) -> None:
        raise BackupError("The disk is full.")

    monkeypatch.setattr(target, "put", full)
    with pytest.raises(BackupError, match="full"):
        small.back_up(target, keep=1)
    assert [backup.id for backup in read_backups(target)] == [first.id]
    assert check_backup(target, first, NO_KEYS) == []
    assert list(small.folders.var_dir.glob("backup-unfinished-*")) == []


def test_two_at_once_are_one(small: Small, target: Target) -> None:
    with (small.folders.var_dir / "backup.lock").open("w") as held:
        fcntl.flock(held, fcntl.LOCK_EX)
        with pytest.raises(BackupIsAtWork, match="Nothing was backed up"):
            small.back_up(target)
    assert read_backups(target) == []


def test_another_company_s_backups_are_not_mixed_with_ours(small: Small, target: Target) -> None:
    small.back_up(target, company="acme")
    with pytest.raises(BackupError, match="would replace each other"):
        small.back_up(target, company="brightmoor")


def test_a_lead_that_leaves_the_spool_meanwhile_is_in_it(
    small: Small, target: Target, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The spool is copied before and after the database, so at least one copy has the lead."""
    early, late = small.folders.spool / "1-early.json", small.folders.spool / "2-late.json"
    write(early, b'{"files": []}')
    take = make.take_snapshot

    def meanwhile(url: str, folder: Path) -> object:
        snapshot = take(url, folder)
        early.unlink()  # stored right after the database was copied
        write(late, b'{"files": []}')
        return snapshot

    monkeypatch.setattr(make, "take_snapshot", meanwhile)
    made = small.back_up(target)
    assert {"spool/1-early.json", "spool/2-late.json"} <= names(contents_of(target, made.backup, tmp_path))


def test_a_file_that_is_erased_meanwhile_is_named_and_ends_nothing(
    small: Small, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    (lead_file,) = small.lead_files()
    take = make.take_snapshot

    def meanwhile(url: str, folder: Path) -> object:
        snapshot = take(url, folder)
        (small.folders.leads_dir / "files" / lead_file).unlink()
        return snapshot

    monkeypatch.setattr(make, "take_snapshot", meanwhile)
    assert small.back_up(target).vanished == [f"leads/files/{lead_file}"]


def test_writers_go_on_and_none_of_what_they_do_tears_it(small: Small, target: Target, tmp_path: Path) -> None:
    with closing(sqlite3.connect(small.database)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("BEGIN IMMEDIATE")
        writer.execute("UPDATE leads_lead SET state = 'done'")
        made = small.back_up(target)  # it does not wait for the lock
        writer.rollback()
    assert check_backup(target, made.backup, NO_KEYS) == []


@pytest.mark.parametrize("how", ["damaged", "missing"])
def test_each_file_that_is_not_as_it_was_written_is_named(
    small: Small, target: Target, tmp_path: Path, how: str
) -> None:
    made = small.back_up(target)
    key = max(made.backup.files, key=lambda file: file.size).key
    file = tmp_path / "backups" / key
    if how == "missing":
        file.unlink()
    else:
        data = bytearray(file.read_bytes())
        data[len(data) // 2] ^= 1
        file.write_bytes(data)
    (problem,) = check_backup(target, made.backup, NO_KEYS)
    assert key in problem
    assert how in problem


def test_the_time_it_names_is_before_anything_was_read(
    small: Small, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[datetime] = []
    snapshot = make.take_snapshot

    def take_snapshot(*given: Any) -> Any:
        read.append(datetime.now().astimezone())
        return snapshot(*given)

    monkeypatch.setattr(make, "take_snapshot", take_snapshot)
    created = datetime.fromisoformat(small.back_up(target).backup.created)
    assert created <= read[0]


def test_without_a_database_there_is_nothing_to_back_up(empty: Small, target: Target) -> None:
    empty.folders.var_dir.mkdir(parents=True)
    with pytest.raises(BackupError, match="There is no database at"):
        empty.back_up(target)

from pathlib import Path

import pytest

from portolan.backups.problem import BackupError
from portolan.backups.target import open_target


def test_what_is_put_there_is_listed_read_and_removed(store_url: str, tmp_path: Path) -> None:
    target = open_target(store_url)
    (tmp_path / "file").write_bytes(b"bytes")
    target.put("files/ab/abc", tmp_path / "file")
    target.put("backups/one.json", tmp_path / "file")
    target.sync()
    assert [(found.key, found.size) for found in target.list("files/")] == [("files/ab/abc", 5)]
    assert target.read("backups/one.json") == b"bytes"
    target.save("files/ab/abc", tmp_path / "copy")
    assert (tmp_path / "copy").read_bytes() == b"bytes"
    target.delete(["files/ab/abc", "files/ab/never-was"])
    assert list(target.list("files/")) == []
    for ask in (lambda: target.read("files/ab/abc"), lambda: target.save("files/ab/abc", tmp_path / "copy")):
        with pytest.raises(FileNotFoundError):
            ask()


def test_only_the_owner_reads_a_folder_of_backups(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"bytes")
    open_target(str(tmp_path / "backups")).put("files/ab/abc", tmp_path / "file")
    assert (tmp_path / "backups" / "files" / "ab" / "abc").stat().st_mode & 0o077 == 0
    assert (tmp_path / "backups" / "files" / "ab").stat().st_mode & 0o077 == 0


def test_a_place_that_cannot_be_written_to_is_said_in_words(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"bytes")
    with pytest.raises(BackupError, match="cannot be written to"):
        open_target(str(tmp_path / "file")).put("files/ab/abc", tmp_path / "file")


def test_a_store_that_refuses_speaks_of_backups(s3_bucket: str) -> None:
    with pytest.raises(BackupError, match=r"The backup store s3://no-such-bucket/x does not respond, or rejects"):
        list(open_target("s3://no-such-bucket/x").list("files/"))


def test_other_schemes_are_refused() -> None:
    with pytest.raises(BackupError, match="is not a valid target"):
        open_target("ftp://somewhere/else")

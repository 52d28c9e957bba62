"""Tests that a damaged backup, or a backup of something damaged, never replaces a good one."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from portolan.backups import database
from portolan.backups.catalogue import read_backups
from portolan.backups.check import check_backup
from portolan.backups.keys import NO_KEYS
from portolan.backups.last import read_last
from portolan.backups.problem import BackupError
from portolan.backups.target import Target
from portolan.commands import backup as command
from portolan.config.env import Env
from portolan.config.project import ROOT

from ..damaged_databases import damage_header, damage_table
from .conftest import Small, write


def ids(target: Target) -> list[str]:
    return [backup.id for backup in read_backups(target)]


@pytest.mark.parametrize("table", ["leads_lead", "leads_leadfile", "django_migrations", "wagtailcore_page"])
def test_a_damaged_database_is_not_saved_and_no_good_backup_goes(small: Small, target: Target, table: str) -> None:
    good = [small.back_up(target).backup.id, small.back_up(target).backup.id]
    damage_table(small.database, table)
    with pytest.raises(BackupError) as refused:
        small.back_up(target, keep=1)
    said = str(refused.value)
    assert "The database is damaged" in said
    assert table in said
    assert "`portolan restore" in said
    assert ids(target) == good


def test_neither_is_a_file_that_is_no_database(small: Small, target: Target) -> None:
    good = small.back_up(target).backup.id
    damage_header(small.database)
    with pytest.raises(BackupError, match="The database is damaged"):
        small.back_up(target, keep=1)
    assert ids(target) == [good]


def test_what_arrives_damaged_at_the_target_is_noticed(
    small: Small, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    good = small.back_up(target).backup.id
    write(small.folders.media_dir / "pictures" / "new.jpg", b"new picture")
    put = target.put

    def flip(key: str, file: Path) -> None:
        if file.read_bytes() == b"new picture":
            file.write_bytes(b"new_picture")
        put(key, file)

    monkeypatch.setattr(target, "put", flip)
    with pytest.raises(BackupError, match="is damaged"):
        small.back_up(target, keep=1)
    assert ids(target) == [good]
    monkeypatch.undo()
    assert check_backup(target, small.back_up(target, keep=1).backup, NO_KEYS) == []


@pytest.mark.parametrize("how", ["missing", "truncated"])
def test_what_an_earlier_backup_has_lost_is_stored_again(
    small: Small, target: Target, tmp_path: Path, how: str
) -> None:
    first = small.back_up(target).backup
    (file,) = (
        path for path in (tmp_path / "backups" / "files").rglob("*") if path.is_file() and path.read_bytes() == b"berth"
    )
    file.unlink() if how == "missing" else file.write_bytes(b"be")
    assert check_backup(target, first, NO_KEYS)
    assert check_backup(target, small.back_up(target).backup, NO_KEYS) == []
    assert check_backup(target, first, NO_KEYS) == []


def test_a_lead_s_file_that_is_damaged_here_keeps_the_earlier_backups(small: Small, target: Target) -> None:
    good = small.back_up(target).backup.id
    (path,) = small.lead_files()
    (small.folders.leads_dir / "files" / path).write_bytes(b"%PDF-9.9")
    made = small.back_up(target, keep=1)
    assert made.damaged == [f"leads/files/{path}"]
    assert ids(target) == [good, made.backup.id]


@pytest.fixture
def installation(small: Small, monkeypatch: pytest.MonkeyPatch) -> Small:
    """Return an installation that the commands find."""
    settings = Env(
        sites_file=ROOT / "sites.toml", var_dir=small.folders.var_dir, DATABASE_URL=f"sqlite:///{small.database}"
    )
    monkeypatch.setattr(command, "env", lambda: settings)
    monkeypatch.setattr(command, "folders_of", lambda settings: small.folders)
    return small


def run(target: Target, *options: str) -> tuple[int, str]:
    done = CliRunner().invoke(command.command, [target.url, *options])
    return done.exit_code, f"{done.output}{done.exception}"


def test_a_failure_is_kept_for_doctor_and_alerts_until_a_backup_succeeds(installation: Small, target: Target) -> None:
    assert run(target)[0] == 0
    good = read_last(installation.folders.var_dir)
    assert good
    whole = installation.database.read_bytes()
    damage_table(installation.database, "leads_lead")
    code, said = run(target)
    assert (code, "The database is damaged" in said) == (1, True)
    last = read_last(installation.folders.var_dir)
    assert last
    assert (last.created, last.id) == (good.created, good.id)
    assert "The database is damaged" in last.failure
    assert last.failed_at
    installation.database.write_bytes(whole)
    assert run(target)[0] == 0
    assert not read_last(installation.folders.var_dir).failure  # type: ignore[union-attr]


def test_a_damaged_file_of_a_lead_ends_the_command_with_an_error(installation: Small, target: Target) -> None:
    assert run(target)[0] == 0
    (path,) = installation.lead_files()
    (installation.folders.leads_dir / "files" / path).write_bytes(b"%PDF-9.9")
    code, said = run(target, "--keep", "1")
    assert code == 1
    assert path in said
    assert "so none was removed" in said
    assert len(ids(target)) == 2


def test_verify_says_in_words_that_the_database_was_damaged_when_it_was_saved(
    installation: Small, target: Target, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Earlier versions saved damaged data unchecked."""
    monkeypatch.setattr(database, "find_problems", lambda file: [])
    damage_table(installation.database, "leads_lead")
    backup = installation.back_up(target).backup
    monkeypatch.undo()
    (said,) = check_backup(target, backup, NO_KEYS)
    assert said.startswith("The database in the backup is damaged")
    assert "leads_lead" in said
    code = CliRunner().invoke(command.command, [target.url, "--verify"]).exit_code
    assert code == 1


@pytest.mark.parametrize("data", [b"", b"no gzip at all", b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\x00junk"])
def test_a_packed_database_that_cannot_be_unpacked_is_said_in_words(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "packed").write_bytes(data)
    with pytest.raises(BackupError, match="The database in the backup is damaged"):
        database.put_sqlite(tmp_path / "packed", tmp_path / "staged")

"""A backup becomes an installation again, or nothing changes."""

import os
import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pytest

from portolan.backups.catalogue import find_backup
from portolan.backups.folders import Folders
from portolan.backups.keys import NO_KEYS, make_key, read_keys
from portolan.backups.problem import BackupError
from portolan.backups.put_back import PutBack, Wish, put_back
from portolan.backups.target import Target
from portolan.config.project import ROOT

from ..processes import PORTOLAN, run_program
from .conftest import Small, write

IDENTITY, RECIPIENT = make_key()


def restore(target: Target, folders: Folders, wish: Wish = Wish(NO_KEYS)) -> PutBack:  # noqa: B008  (frozen)
    return put_back(target, find_backup(target, ""), folders, wish)


def files_below(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_every_file_and_row_is_back_and_belongs_to_its_owner_alone(small: Small, empty: Small, target: Target) -> None:
    small.add_lead(b"%PDF-2")
    write(small.folders.spool / "1-a.json", b'{"files": []}')
    small.back_up(target, read_keys(RECIPIENT, "here"))
    done = restore(target, empty.folders, Wish(read_keys(IDENTITY, "here")))
    assert (done.aside, done.lacks) == (None, [])
    assert empty.leads() == small.leads()
    for path, digest in empty.lead_files().items():
        file = empty.folders.leads_dir / "files" / path
        assert sha256(file.read_bytes()).hexdigest() == digest
        assert file.stat().st_mode & 0o077 == 0
    var = empty.folders.var_dir
    assert files_below(empty.folders.media_dir) == files_below(small.folders.media_dir)
    assert files_below(empty.folders.spool) == {"1-a.json": b'{"files": []}'}
    assert {"sites.toml", "brand.toml", "logo.svg", "public/robots.txt"} <= files_below(empty.folders.project).keys()
    assert (var / "secret-key").read_bytes() == b"secret"
    for private in (empty.database, var / "secret-key", empty.folders.spool / "1-a.json"):
        assert private.stat().st_mode & 0o077 == 0, private
    assert not (empty.folders.builds_dir / "live.json").exists()  # it names builds that are not here
    assert list(var.glob("restore-unfinished-*")) == []


def test_times_of_files_are_as_they_were(small: Small, empty: Small, target: Target) -> None:
    """The times of public files are part of a web build's name, and its name is part of a build's."""
    robots = Path("public/robots.txt")
    small.back_up(target)
    restore(target, empty.folders)
    was, now = (each.folders.project / robots for each in (small, empty))
    assert was.stat().st_mtime_ns == now.stat().st_mtime_ns


@dataclass
class Refusal:
    prepare: Callable[[Small, Small, Target], object]
    said: str


def _other_project(small: Small, empty: Small, target: Target) -> None:
    write(empty.folders.project / "sites.toml", b"# another one")


def _damage(small: Small, empty: Small, target: Target) -> None:
    backup = find_backup(target, "")
    file = Path(target.url) / max(backup.files, key=lambda each: each.size).key
    file.write_bytes(file.read_bytes()[:-1])


def _newer(small: Small, empty: Small, target: Target) -> None:
    with closing(sqlite3.connect(small.database)) as database, database:
        database.execute(
            "INSERT INTO django_migrations (app, name, applied) VALUES ('leads', '0999_from_afar', '2026-01-01')"
        )
    small.back_up(target)


REFUSALS = {
    "uploads are here": Refusal(
        lambda _, empty, __: write(empty.folders.media_dir / "a", b"a"), "an installation here"
    ),
    "leads are here": Refusal(lambda _, empty, __: write(empty.folders.leads_dir / "a", b"a"), "an installation here"),
    "a database is here": Refusal(lambda _, empty, __: write(empty.database, b"SQLite"), "an installation here"),
    "another registry is here": Refusal(_other_project, r"differ from the backup \(sites.toml\)"),
    "a file is damaged": Refusal(_damage, "is damaged"),
    "a newer version made it": Refusal(_newer, "leads.0999_from_afar"),
}


@pytest.mark.parametrize("name", REFUSALS)
def test_it_refuses_and_changes_nothing(small: Small, empty: Small, target: Target, name: str) -> None:
    small.back_up(target)
    REFUSALS[name].prepare(small, empty, target)
    before = files_below(empty.folders.project)
    with pytest.raises(BackupError, match=REFUSALS[name].said):
        restore(target, empty.folders)
    assert files_below(empty.folders.project) == before


def test_a_backup_of_the_other_kind_of_database_is_refused(small: Small, empty: Small, target: Target) -> None:
    small.back_up(target)
    postgres = empty.folders._replace(database="postgres://nobody@127.0.0.1:1/none")
    with pytest.raises(BackupError, match="has a SQLite database, but this installation uses PostgreSQL"):
        restore(target, postgres)


def test_where_it_is_asked_to_what_is_here_is_moved_aside_and_not_removed(
    small: Small, empty: Small, target: Target
) -> None:
    small.back_up(target)
    write(empty.folders.media_dir / "mine.jpg", b"mine")
    write(empty.database, b"my database")
    write(empty.folders.project / "sites.toml", b"# my registry")
    done = restore(target, empty.folders, Wish(NO_KEYS, replaces=True))
    assert done.aside is not None
    assert files_below(done.aside) == {
        "media/mine.jpg": b"mine",
        "portolan.sqlite3": b"my database",
        "project/sites.toml": b"# my registry",
    }
    assert empty.leads() == small.leads()
    assert (empty.folders.project / "sites.toml").read_bytes() == b"# the registry"


def test_leads_that_waited_for_the_damaged_database_wait_on(small: Small, target: Target) -> None:
    write(small.folders.spool / "1-a.json", b'{"files": []}')
    small.back_up(target)
    waiting = b'{"files": [{"path": "2026-11-27/new/cv"}]}'
    write(small.folders.spool / "2-b.json", waiting)
    write(small.folders.leads_dir / "files" / "2026-11-27/new/cv", b"%PDF new")
    done = restore(target, small.folders, Wish(NO_KEYS, replaces=True))
    assert done.waiting == 1
    assert files_below(small.folders.spool) == {"1-a.json": b'{"files": []}', "2-b.json": waiting}
    assert (small.folders.leads_dir / "files" / "2026-11-27/new/cv").read_bytes() == b"%PDF new"


def test_the_project_that_is_here_can_stay(small: Small, empty: Small, target: Target) -> None:
    small.back_up(target)
    write(empty.folders.project / "sites.toml", b"# from the repository")
    restore(target, empty.folders, Wish(NO_KEYS, keeps_project=True))
    assert (empty.folders.project / "sites.toml").read_bytes() == b"# from the repository"
    assert empty.leads() == small.leads()


def test_the_command_restores_and_reports_problems_that_remain(small: Small, target: Target, tmp_path: Path) -> None:
    small.back_up(target)
    folder = tmp_path / "new"
    variables = {
        **{name: value for name, value in os.environ.items() if name != "DATABASE_URL"},
        "PORTOLAN_SITES_FILE": str(ROOT / "sites.toml"),
        "PORTOLAN_VAR_DIR": str(folder / "var"),
        "PORTOLAN_WEB_DIST": str(tmp_path / "no-web-build"),
    }
    command = [*PORTOLAN, "restore", target.url, str(folder), "--keep-project", "--no-publish"]
    done = run_program(command, env=variables)
    assert done.returncode == 3, f"{done.stdout}{done.stderr}"
    assert "Fetching, comparing" in done.stderr
    with closing(sqlite3.connect(folder / "var" / "portolan.sqlite3")) as database:
        assert database.execute("SELECT count(*) FROM leads_lead").fetchone() == (1,)

"""Restore the files and the database of a backup.

All files are first fetched next to their places and compared, then moved, so a restore that finds a damaged file changes
nothing. Existing files are never removed. They are moved aside, and only with ``--replace``.
"""

import shutil
import tempfile
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import UTC, datetime
from hashlib import file_digest
from pathlib import Path
from typing import Final, NamedTuple

import orjson

from ..builds.disk import sync_filesystem
from ..releases.database_damage import sqlite_path
from ..releases.database_version import KNOWN, Migration, compare
from .catalogue import Area, Backup, Contents, SavedFile
from .database import engine_of, is_empty, put_postgres, put_sqlite
from .folders import Folders
from .keys import Keys
from .problem import BackupError
from .put_uploads import Counts, ReturningUploads
from .reading import Reading
from .target import Target
from .uploads import Uploads

_AT_ONCE: Final = 8
_UNFINISHED: Final = "restore-unfinished-"
_PRIVATE: Final[tuple[Area, ...]] = ("database", "leads", "spool", "var")


class Wish(NamedTuple):
    keys: Keys
    replaces: bool = False
    """Move existing files aside."""
    keeps_project: bool = False
    """Keep the site configuration, brand and public files of this folder."""


class PutBack(NamedTuple):
    contents: Contents
    aside: Path | None
    """Folder of the previous installation."""
    lacks: list[Migration]
    """Migrations of this version that the database lacks: an upgrade must follow."""
    has_builds: bool
    """Whether the backup includes the builds."""
    uploads: Counts | None
    """Of uploads in a storage; None if they are on this machine's disk."""
    waiting: int
    """Leads that were waiting for the database here and still wait."""


def put_back(target: Target, backup: Backup, folders: Folders, wish: Wish) -> PutBack:
    """Restore a backup. Raise BackupError; unless it says otherwise, only an upload storage may then have new files."""
    folders.var_dir.mkdir(mode=0o700, parents=True, exist_ok=True)
    for left in folders.var_dir.glob(f"{_UNFINISHED}*"):
        shutil.rmtree(left, ignore_errors=True)
    _require_engine(backup, folders.database)
    with tempfile.TemporaryDirectory(dir=folders.var_dir, prefix=_UNFINISHED) as folder:
        working = Path(folder)
        reading = Reading(target, backup, wish.keys, working)
        contents = reading.contents()
        unknown, lacks = compare([Migration(*row) for row in contents.migrations], KNOWN)
        if unknown:
            raise BackupError(
                f"This backup is from a newer version of Portolan ({backup.version}; {unknown[0]}), and this version would damage "
                "it. Nothing changed. Install that version, then restore."
            )
        different = [] if wish.keeps_project else list(_different(contents, folders))
        occupied = list(_occupied(folders))
        _require_room(folders, occupied, different, wish.replaces)
        uploads = _find_uploads(folders, contents, reading, working)
        if uploads and not wish.replaces:
            uploads.require_equal()
        here = [file for file in contents.files if file.area not in _elsewhere(folders, wish)]
        _fetch_all(reading, here, working)
        if uploads:
            uploads.fetch_different()
        staged = _unpack_database(contents, working)
        sync_filesystem(working)
        if uploads:
            uploads.add_missing()
        if engine_of(folders.database) == "postgresql":
            put_postgres(staged, folders.database)  # first, because it is the most likely to fail
        is_in_the_way = bool(occupied or different or (uploads and uploads.replaces))
        aside = _move_aside(folders, occupied, different) if is_in_the_way else None
        if uploads and aside:
            uploads.replace_different(aside)
        _move(here, folders, working)
        waiting = _bring_back_spool(folders, aside) if aside else 0
        if engine_of(folders.database) == "sqlite":
            place = sqlite_path(folders.database)
            place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
            staged.replace(place)
        sync_filesystem(folders.var_dir)
    has_builds = any(file.area == "builds" for file in here)
    return PutBack(contents, aside, lacks, has_builds, uploads.counts if uploads else None, waiting)


def _require_engine(backup: Backup, url: str) -> None:
    engine = engine_of(url)
    if engine != backup.database:
        names = {"sqlite": "SQLite", "postgresql": "PostgreSQL"}
        raise BackupError(
            f"The backup has a {names[backup.database]} database, but this installation uses {names[engine]}. Nothing "
            f"changed. Set DATABASE_URL to a {names[backup.database]} database (not set: SQLite), then restore."
        )


def _occupied(folders: Folders) -> Iterator[Path]:
    """Yield folders and files of an existing installation."""
    for root in (folders.media_dir, folders.leads_dir, folders.builds_dir, folders.own_web):
        if root.is_dir() and any(root.iterdir()):
            yield root
    if engine_of(folders.database) == "sqlite":
        yield from (path for suffix in ("", "-wal", "-shm") if (path := _beside(folders.database, suffix)).exists())


def _beside(url: str, suffix: str) -> Path:
    path = sqlite_path(url)
    return path.with_name(path.name + suffix)


def _different(contents: Contents, folders: Folders) -> Iterator[Path]:
    for saved in contents.files:
        path = folders.project / saved.path
        if saved.area == "project" and path.exists():
            with path.open("rb") as file:
                if file_digest(file, "sha256").hexdigest() != saved.sha256:
                    yield path


def _require_room(folders: Folders, occupied: Sequence[Path], different: Sequence[Path], replaces: bool) -> None:
    if replaces:
        return
    if occupied or not is_empty(folders.database):
        what = ", ".join(str(path) for path in occupied) or "a database that is not empty"
        raise BackupError(
            f"There is an installation here ({what}). Nothing changed. Restore into an empty folder. Or stop everything "
            "that runs here, and add --replace, which moves the existing files aside."
        )
    if different:
        names = ", ".join(path.name for path in different[:3]) + (" …" if different[3:] else "")
        raise BackupError(
            f"{folders.project} has files that differ from the backup ({names}). Nothing changed. Add --keep-project to keep "
            "the site configuration, brand and public files of this folder, or --replace to use the backup's."
        )


def _elsewhere(folders: Folders, wish: Wish) -> set[Area]:
    """Return the areas that are not restored to this machine's disk."""
    found: set[Area] = set()
    if folders.media_storage:
        found.add("media")
    if wish.keeps_project:
        found.add("project")
    return found


def _find_uploads(folders: Folders, contents: Contents, reading: Reading, working: Path) -> ReturningUploads | None:
    if not folders.media_storage:
        return None
    files = [file for file in contents.files if file.area == "media"]
    return ReturningUploads(Uploads(folders.media_storage), files, reading, working)


def _fetch_all(reading: Reading, files: Sequence[SavedFile], working: Path) -> None:
    def fetch(file: SavedFile) -> None:
        path = _staged(working, file)
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        reading.save(file, path, 0o600 if file.area in _PRIVATE else 0o644)

    with ThreadPoolExecutor(_AT_ONCE, thread_name_prefix="restore") as threads:
        list(threads.map(fetch, files))


def _staged(working: Path, file: SavedFile) -> Path:
    return working / "files" / file.area / file.path


def _unpack_database(contents: Contents, working: Path) -> Path:
    (saved,) = [file for file in contents.files if file.area == "database"]
    path = _staged(working, saved)
    if not saved.is_packed:
        return path
    put_sqlite(path, working / "database")
    return working / "database"


def _move_aside(folders: Folders, occupied: Sequence[Path], different: Sequence[Path]) -> Path:
    aside = folders.var_dir / f"replaced-{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    aside.mkdir(mode=0o700)
    for path in occupied:
        for each in path.iterdir() if path.is_dir() else [path]:  # the folder itself may be a volume
            _move_to(each, aside / each.relative_to(path.parent))
    for path in different:
        _move_to(path, aside / "project" / path.relative_to(folders.project))
    return aside


def _move_to(path: Path, place: Path) -> None:
    place.parent.mkdir(parents=True, exist_ok=True)
    shutil.move(path, place)


def _move(files: Sequence[SavedFile], folders: Folders, working: Path) -> None:
    for file in files:
        if file.area == "database":
            continue
        place = folders.root(file.area) / file.path
        place.parent.mkdir(mode=0o700 if file.area in _PRIVATE else 0o755, parents=True, exist_ok=True)
        source = _staged(working, file)
        if file.area == "project" and place.exists():
            continue  # equal
        shutil.move(source, place)


def _bring_back_spool(folders: Folders, aside: Path) -> int:
    """Copy waiting leads and their files from the moved folder. Return the number of leads.

    Backups lack these leads: they were acknowledged while the database was damaged or unavailable.
    A lead that the backup has too is stored once.
    """
    before = aside / folders.leads_dir.name
    found = (path for suffix in (".json", ".bad") for path in (before / "spool").glob(f"*{suffix}"))
    waiting = [path for path in found if not (folders.spool / path.name).exists()]
    for path in waiting:
        with suppress(ValueError, KeyError, TypeError):
            for file in orjson.loads(path.read_bytes())["files"]:
                _copy(before / "files" / file["path"], folders.leads_dir / "files" / file["path"])
        _copy(path, folders.spool / path.name)  # last, when its files are in place
    return len(waiting)


def _copy(source: Path, place: Path) -> None:
    if source.is_file() and not place.exists():
        place.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        shutil.copy2(source, place)

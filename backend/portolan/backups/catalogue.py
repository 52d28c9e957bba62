"""The objects of a backup target::

    backups/<id>.json      one backup, written last, so that an incomplete backup has none
    files/<ab>/<name>      the files of backups, each once, encrypted if there is a key

The first kind is unencrypted, so it has no names of files and people. *Contents*, a file itself, has the names and places
of files.
"""

from collections.abc import Mapping
from typing import Any, Final, Literal

from pydantic import ValidationError

from ..schemas.base import Schema
from .problem import BackupError
from .target import Target

BACKUPS: Final = "backups/"
FILES: Final = "files/"
FORMAT: Final = 1

Area = Literal["database", "media", "leads", "spool", "project", "builds", "web", "var"]
"""Place of a file in an installation. ``project``: next to ``sites.toml``; ``web``: the web build with plugins."""
Engine = Literal["sqlite", "postgresql"]


class StoredFile(Schema):
    """An object at the target."""

    key: str
    size: int
    sha256: str
    """Of the stored bytes."""


class Backup(Schema):
    format: int
    id: str
    created: str
    """ISO time of the start. The backup has all data that was acknowledged before."""
    seconds: float
    version: str
    """Of Portolan."""
    company: str
    """Slug of the company."""
    environment: str
    database: Engine
    recipients: list[str]
    """Keys that can decrypt it; empty: it is not encrypted."""
    contents: StoredFile
    files: list[StoredFile]
    new_bytes: int
    """Bytes written for this backup. Its other files were at the target."""


class SavedFile(Schema):
    """One file of the installation."""

    area: Area
    path: str
    """Below the area's folder."""
    size: int
    sha256: str
    key: str
    """Of the object with its bytes."""
    modified_ns: int
    """Time of the last change. Names of web builds depend on those of public files, and builds on the web build."""
    is_packed: bool = False
    """Compressed by gzip. Size and digest are of the compressed bytes."""


class LiveBuild(Schema):
    build: str
    release: int
    web: str
    """Hash of the web build."""
    pages: str
    """Digest of all files by URL. Builds with equal digests look the same to visitors."""


class Contents(Schema):
    files: list[SavedFile]
    pointer: dict[str, Any]
    """``live.json``; empty before the first publish."""
    live: Mapping[str, LiveBuild]
    """By site."""
    migrations: list[tuple[str, str]]
    """Applied to the database."""
    database_version: str
    """Of the server, or of SQLite."""
    leads_in_spool: int


def read_backups(target: Target) -> list[Backup]:
    """Return all backups, newest last."""
    keys = sorted(found.key for found in target.list(BACKUPS) if found.key.endswith(".json"))
    return [_read(target, key) for key in keys]


def find_backup(target: Target, id: str) -> Backup:
    """Return a backup by its id, or the newest if ``id`` is empty."""
    backups = read_backups(target)
    if not backups:
        raise BackupError(
            f"There are no backups in {target.url}. Check the target, or create one: `portolan backup {target.url}`"
        )
    if not id:
        return backups[-1]
    for backup in backups:
        if backup.id == id:
            return backup
    raise BackupError(
        f"There is no backup {id} in {target.url}. The newest is {backups[-1].id}. List all: `portolan backup {target.url} "
        "--list`"
    )


def backup_key(id: str) -> str:
    return f"{BACKUPS}{id}.json"


def _read(target: Target, key: str) -> Backup:
    data = target.read(key)
    try:
        found = Backup.model_validate_json(data)
    except ValidationError:
        raise BackupError(
            f"{target.url}/{key} is damaged, or from a newer version of Portolan, so its files are unknown. "
            "Nothing changed. Check the file, and remove it if it is not a backup of yours."
        ) from None
    if found.format > FORMAT:
        raise BackupError(f"Portolan {found.version} created {key}. This version cannot read it. Install that version.")
    return found

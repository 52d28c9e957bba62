"""What lies at a target, as data::

    backups/<id>.json      one backup: written last, so that what has none is no backup
    files/<ab>/<name>      what backups hold, each file once, encrypted where a key was given

The first kind can be read by everybody who reaches the target: it names no file and no person. What the files are, and where
they belong, stands in *contents*, a file among them.
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
"""Where a file belongs in an installation. ``project``: beside the registry; ``web``: the web build with plugins."""
Engine = Literal["sqlite", "postgresql"]


class StoredFile(Schema):
    """An object at the target."""

    key: str
    size: int
    sha256: str
    """Of its bytes as they lie there."""


class Backup(Schema):
    format: int
    id: str
    created: str
    """ISO time at which it was begun: what was acknowledged before is in it."""
    seconds: float
    version: str
    """Of Portolan."""
    company: str
    """Its slug."""
    environment: str
    database: Engine
    recipients: list[str]
    """Whom it is encrypted for; empty: everybody can read it."""
    contents: StoredFile
    files: list[StoredFile]
    new_bytes: int
    """Written for this one; the rest was there."""


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
    """When it was written: a web build's name goes by that of public files, and builds by the web build."""
    is_packed: bool = False
    """By gzip. Size and digest are of the packed bytes."""


class LiveBuild(Schema):
    build: str
    release: int
    web: str
    """Hash of the web build."""
    pages: str
    """Digest of all its files by address: builds with equal ones are the same to visitors."""


class Contents(Schema):
    files: list[SavedFile]
    pointer: dict[str, Any]
    """``live.json`` as it was; empty before the first publish."""
    live: Mapping[str, LiveBuild]
    """By site."""
    migrations: list[tuple[str, str]]
    """That the database has had."""
    database_version: str
    """Of the server, or of SQLite."""
    leads_in_spool: int


def read_backups(target: Target) -> list[Backup]:
    """All that are there, the newest last."""
    keys = sorted(found.key for found in target.list(BACKUPS) if found.key.endswith(".json"))
    return [_read(target, key) for key in keys]


def find_backup(target: Target, id: str) -> Backup:
    """By its id, or the newest where that is empty."""
    backups = read_backups(target)
    if not backups:
        raise BackupError(
            f"There is no backup in {target.url}. Is it the right place? `portolan backup {target.url}` makes one."
        )
    if not id:
        return backups[-1]
    for backup in backups:
        if backup.id == id:
            return backup
    raise BackupError(
        f"There is no backup {id} in {target.url}; the newest is {backups[-1].id}. `portolan backup {target.url} --list` "
        "names all."
    )


def backup_key(id: str) -> str:
    return f"{BACKUPS}{id}.json"


def _read(target: Target, key: str) -> Backup:
    data = target.read(key)
    try:
        found = Backup.model_validate_json(data)
    except ValidationError:
        raise BackupError(
            f"{target.url}/{key} is damaged, or was written by a newer version of Portolan, so that it cannot be told what "
            "belongs to it. Nothing was changed. Look at it; take it away if it is no backup of yours."
        ) from None
    if found.format > FORMAT:
        raise BackupError(
            f"{key} was made by Portolan {found.version}, whose backups this version cannot read. Install that one."
        )
    return found

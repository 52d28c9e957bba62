"""Find folders of a role that are not writable.

Causes are a full disk, a read-only file system, missing permissions, and a disk that hangs.
"""

import os
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final
from urllib.parse import unquote, urlsplit

from ..domain.health import Role
from .env import Env, env
from .look import Look

_PROBE_BYTES: Final = 64 << 10
_LEAST_FREE: Final = 32 << 20
_LOOK_EVERY_S: Final = 5

CANNOT: Final = "cannot be written to"
VAR: Final = "var directory"
BUILDS: Final = "folder of builds"
LEADS: Final = "folder of leads"
MEDIA: Final = "folder of uploads"
DATABASE: Final = "folder of the database"
_WRITTEN: Final[Mapping[Role, tuple[str, ...]]] = {
    "serve": (VAR, BUILDS, LEADS, MEDIA, DATABASE),
    "edge": (),
    "api": (LEADS, DATABASE),
    "studio": (MEDIA, DATABASE),
    "publisher": (BUILDS,),
    "delivery": (LEADS, DATABASE),
}


def find_unwritable(role: Role) -> Mapping[str, str]:
    """Return the reason for each unwritable folder, by the folder's name."""
    looks = _looks(role)
    for look in looks.values():
        look.begin()
    return {name: said for name, look in looks.items() if (said := look.get())}


def say_unwritable(unwritable: Mapping[str, str]) -> list[str]:
    """Return one sentence per reason, with all its folders."""
    return [
        f"The {', '.join(name for name, each in unwritable.items() if each == said)} {said}."
        for said in dict.fromkeys(unwritable.values())
    ]


def folders_of(settings: Env, role: Role) -> dict[str, Path]:
    """Return the folders that this role writes to, by name. The names reveal nothing about the machine."""
    known = {VAR: settings.var_dir, BUILDS: settings.builds_dir, LEADS: settings.leads_dir}
    if not settings.media_storage:
        known[MEDIA] = settings.media_dir
    database = urlsplit(settings.database)
    if database.scheme == "sqlite":
        known[DATABASE] = Path(unquote(database.path[1:])).parent
    return {name: known[name] for name in _WRITTEN[role] if name in known}


def check_folder(folder: Path) -> str:
    """Write a file and remove it. Return the problem in a few words, or an empty text."""
    place = next(each for each in (folder, *folder.absolute().parents) if each.is_dir())
    probe = place / f".writable-{os.getpid()}"
    try:
        try:
            probe.write_bytes(bytes(_PROBE_BYTES))
        finally:
            probe.unlink(missing_ok=True)
    except OSError as error:
        return f"{CANNOT} ({error.strerror})"
    status = os.statvfs(place)
    free = status.f_bavail * status.f_frsize
    return f"is nearly full (less than {_LEAST_FREE >> 20} MB are free)" if free < _LEAST_FREE else ""


@lru_cache(maxsize=8)
def _looks(role: Role) -> dict[str, Look[str]]:
    return {name: _look(folder) for name, folder in folders_of(env(), role).items()}


def _look(folder: Path) -> Look[str]:
    return Look(lambda: check_folder(folder), "does not respond", _LOOK_EVERY_S)

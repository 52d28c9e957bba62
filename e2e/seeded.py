"""The demo all journeys run on: seeded and published once, kept in `var/journeys`, and copied for whoever serves it.

`python -m e2e.seeded` makes it, as the first journey does where nobody has.
"""

import fcntl
import hashlib
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterable
from contextlib import closing
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
DATABASE: Final = "portolan.sqlite3"
SEEDED: Final = ROOT / "var" / "journeys"
_PORTOLAN: Final = Path(sys.executable).parent / "portolan"
UNCOMPRESSED: Final = ("--brotli", "0")
"""Compressed copies of pages take longer than the pages. Who asks for one gets one made in passing."""
_ENVIRONMENT: Final = {**os.environ, "PORTOLAN_VAR_DIR": str(SEEDED), "DATABASE_URL": ""}
_MADE_OF: Final = (
    *(f"backend/portolan/{name}" for name in ("content", "domain", "releases", "schemas", "sites")),
    "backend/portolan_dev/seed",
    "backend/portolan/fixtures",
    "fixtures/demo",
    "sites.toml",
)
_PUBLISHED_WITH: Final = (
    *(f"backend/portolan/{name}" for name in ("builds", "publisher")),
    *(f"web/{name}" for name in ("src", "scripts", "package-lock.json", "vite.config.ts")),
    "contract/constants.json",
    "brand",
    "brand.toml",
    "public",
)
_LINKED: Final = ("media", "builds")
"""Folders whose files are only ever replaced as a whole, by renaming: a copy may have them by hard links. Not so the files
that processes lock: a lock is the file's, by whatever name it was opened. Nor those that get lines at their end: all copies would
have them.
"""
_GROWS: Final = ".jsonl"
_COPIED: Final = ("demo-login.json", "secret-key")


def prepare() -> Path:
    """The folder. Made anew where code or content of the demo have changed; published anew where the web has."""
    SEEDED.parent.mkdir(exist_ok=True)
    with SEEDED.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        stamp = SEEDED / "made-of"
        content, web = _fingerprint(_MADE_OF), _fingerprint(_PUBLISHED_WITH)
        known = stamp.read_text().split() if stamp.exists() else []
        if known == [content, web] and (ROOT / "web" / "dist" / "web-build.json").exists():
            return SEEDED
        if known[:1] != [content]:
            shutil.rmtree(SEEDED, ignore_errors=True)
        stamp.unlink(missing_ok=True)
        demo = [_PORTOLAN, "demo", "--no-serve", *UNCOMPRESSED]
        subprocess.run(demo, env=_ENVIRONMENT, stdin=subprocess.DEVNULL, check=True)
        # Seeding for the first time draws pictures among its fixtures.
        stamp.write_text(f"{_fingerprint(_MADE_OF)} {web}")
    return SEEDED


def copy_to(folder: Path, source: Path = SEEDED) -> None:
    """What `portolan demo` or `portolan publish` find there as if it were their own; it may be served meanwhile."""
    copy_files(folder, source)
    copy_database(folder, source)


def copy_files(folder: Path, source: Path) -> None:
    """All but the database."""
    for name in _LINKED:
        no_locks = shutil.ignore_patterns("*.lock")
        shutil.copytree(source / name, folder / name, copy_function=_link, ignore=no_locks)
    for name in _COPIED:
        shutil.copy(source / name, folder)


def copy_database(folder: Path, source: Path) -> None:
    with (
        closing(sqlite3.connect(source / DATABASE)) as database,
        closing(sqlite3.connect(folder / DATABASE)) as copy,
    ):
        database.backup(copy)


def _link(source: str, target: str) -> None:
    (shutil.copy2 if source.endswith(_GROWS) else os.link)(source, target)


def _fingerprint(names: Iterable[str]) -> str:
    digest = hashlib.sha256()
    for path in (ROOT / name for name in names):
        assert path.exists(), f"{path} is no more: what is the demo made of?"
        for file in sorted(path.rglob("*")) if path.is_dir() else [path]:
            if file.is_file() and "__pycache__" not in file.parts:
                digest.update(str(file.relative_to(ROOT)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


if __name__ == "__main__":
    prepare()

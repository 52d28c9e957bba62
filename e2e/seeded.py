"""Make the demo that all journeys run on, and copy it for each product that is served.

It is seeded and published once for all clones of the same content (`testing/kept.py`). `python -m e2e.seeded` makes it before the
first journey needs it.
"""

import errno
import fcntl
import os
import shutil
import sqlite3
import subprocess
import sys
from contextlib import closing
from fnmatch import fnmatch
from functools import partial
from pathlib import Path
from typing import Final

from portolan_dev.commands.demo import SOURCES_STAMP, fingerprint_web
from testing.kept import fingerprint, keep, newest

ROOT: Final = Path(__file__).parents[1]
DATABASE: Final = "portolan.sqlite3"
_KIND: Final = "journeys"
_PORTOLAN: Final = Path(sys.executable).parent / "portolan"
UNCOMPRESSED: Final = ("--brotli", "0")
"""Compressed copies of pages take longer than the pages. Who asks for one gets one made in passing."""
_MADE_OF: Final = (
    *(f"backend/portolan/{name}" for name in ("content", "domain", "releases", "schemas", "sites")),
    *sorted(str(folder.relative_to(ROOT)) for folder in (ROOT / "backend" / "portolan").glob("*/migrations")),
    "backend/portolan_dev/seed",
    "backend/portolan/fixtures",
    "fixtures/demo",
    "requirements.lock",
    "scripts/chart",
    "scripts/draw_pictures.py",
    "sites.toml",
)
_PUBLISHED_WITH: Final = (
    *(f"backend/portolan/{name}" for name in ("builds", "publisher")),
    "brand",
    "brand.toml",
    "public",
)
_WEB_DIST: Final = ROOT / "web" / "dist"
_WEB_COPY: Final = "web-dist"
"""The web build that published the demo."""
_LINKED: Final = ("media", "builds")
"""Folders whose files are only ever replaced as a whole, by renaming: a copy may have them by hard links. Not so the files
that processes lock: a lock is the file's, by whatever name it was opened. Nor those that get lines at their end: all copies would
have them.
"""
_GROWS: Final = ".jsonl"
_COPIED: Final = ("demo-login.json", "secret-key")


def prepare() -> Path:
    """Return the folder of this clone's demo, and bring `web/dist` up to date.

    If only the web or the publisher has changed, the content of an earlier demo is published again.
    """
    content, web = fingerprint(_MADE_OF, _is_drawn), fingerprint_web()
    name = f"{content}-{fingerprint(_PUBLISHED_WITH)}-{web[:16]}"
    demo = keep(_KIND, name, partial(_make, content))
    if not _has_web_build(web):
        (ROOT / "var").mkdir(exist_ok=True)
        with (ROOT / "var" / "web-build.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not _has_web_build(web):
                _replace_web_build(demo / _WEB_COPY)
    return demo


def _make(content: str, folder: Path) -> None:
    if earlier := newest(_KIND, content):
        copy_to(folder, earlier)
        shutil.copytree(earlier / "leads", folder / "leads")
    environment = {**os.environ, "PORTOLAN_VAR_DIR": str(folder), "DATABASE_URL": ""}
    demo = [_PORTOLAN, "demo", "--no-serve", *UNCOMPRESSED]
    subprocess.run(demo, env=environment, stdin=subprocess.DEVNULL, check=True)
    shutil.copytree(_WEB_DIST, folder / _WEB_COPY)


def _has_web_build(sources: str) -> bool:
    stamp = _WEB_DIST / SOURCES_STAMP
    return (_WEB_DIST / "web-build.json").exists() and stamp.exists() and stamp.read_text() == sources


def _replace_web_build(kept: Path) -> None:
    """Processes that read the old one keep its open files."""
    new, old = (_WEB_DIST.with_name(f"dist-{word}") for word in ("new", "old"))
    for left in (new, old):
        shutil.rmtree(left, ignore_errors=True)
    shutil.copytree(kept, new)
    if _WEB_DIST.exists():
        _WEB_DIST.rename(old)
    new.rename(_WEB_DIST)
    shutil.rmtree(old, ignore_errors=True)


def copy_to(folder: Path, source: Path) -> None:
    """Link a stored installation as the installation of `portolan demo` or `portolan publish`. It may be served meanwhile."""
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
    try:
        (shutil.copy2 if source.endswith(_GROWS) else os.link)(source, target)
    except OSError as error:
        if error.errno != errno.EXDEV:  # the kept demo is on another disk
            raise
        shutil.copy2(source, target)


def _is_drawn(file: Path) -> bool:
    """Return whether seeding draws this picture: then it follows from the program that draws it."""
    ignored = file.parent / ".gitignore"
    return ignored.exists() and any(fnmatch(file.name, line) for line in ignored.read_text().splitlines())


if __name__ == "__main__":
    prepare()

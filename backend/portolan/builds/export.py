"""A live site as a plain tree of files, for any web server or CDN."""

import os
import shutil
from pathlib import Path
from typing import Final

from ..domain.media_addresses import is_public
from ..domain.routes import html_file
from .export_redirects import write_redirects
from .live import read_live
from .manifest import BuildError, documents_of, read_manifest
from .packs import Encoding
from .store import SUFFIXES, ContentStore

_MADE_BY: Final = ".portolan-export"
"""Marks a folder as an export, which the next one may replace."""
_INSIDE: Final = "_redirects"


def export_tree(root: Path, site: str, target: Path, media: Path | None = None) -> int:
    """Replace ``target`` by the site's live build as files (``about-us/index.html``, ``404.html``, …); returns how many.

    Compressed copies stand beside their files as ``.br`` and ``.gz``. Files that stand alone in the store become hard
    links to it where that is possible, and are read-only; those in packs are copied out. Redirects are a file
    in the tree for hosts that read it there (``_redirects``), and beside it for nginx and Caddy, which are not to serve
    theirs. What visitors may have of ``media``, the folder of uploads, becomes ``media/``. The old tree stays complete
    until the new one is. Raises BuildError where the site is not live, or ``target`` holds what no export wrote.
    """
    build = read_live(root).builds.get(site)
    if build is None:
        raise BuildError(f"Site {site} is not live, so there is nothing to export. Publish it first.")
    target = target.absolute()
    if target.exists() and (not target.is_dir() or (any(target.iterdir()) and not (target / _MADE_BY).exists())):
        raise BuildError(
            f"{target} holds something that no export wrote, and an export replaces the whole folder. "
            "Name another folder, or empty this one."
        )
    new = target.with_name(f".{target.name}.new-{os.getpid()}")
    old = target.with_name(f".{target.name}.old-{os.getpid()}")
    try:
        count = _write_tree(root, site, build, new, media)
        if target.exists():
            target.rename(old)
        new.rename(target)
        for ending, text in write_redirects(site, read_manifest(root, site, build).redirects).items():
            name = target / ending if ending == _INSIDE else target.with_name(f"{target.name}.redirects.{ending}")
            name.write_text(text, encoding="utf-8")
    finally:
        shutil.rmtree(new, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
    return count


def _write_tree(root: Path, site: str, build: str, target: Path, media: Path | None) -> int:
    store = ContentStore(root)
    manifest = read_manifest(root, site, build)
    folders: set[str] = set()
    count = 0

    def place(name: str) -> Path:
        folder = os.path.dirname(name)  # noqa: PTH120
        if folder not in folders:
            (target / folder).mkdir(parents=True, exist_ok=True)
            folders.add(folder)
        return target / name

    target.mkdir(parents=True)
    (target / _MADE_BY).write_text(f"{site} {build}\n", encoding="utf-8")
    for path, file in manifest.every_file():
        name = html_file(path) if file.content_type.startswith("text/html") else path.removeprefix("/")
        _take_out(store, file.digest, None, place(name))
        for encoding in sorted(store.encodings(file.digest)):
            _take_out(store, file.digest, encoding, place(name + SUFFIXES[encoding]))
        count += 1
    if media and media.is_dir():
        offered = documents_of(root, manifest)
        for source in sorted(media.rglob("*")):
            name = f"media/{source.relative_to(media).as_posix()}"
            if source.is_file() and not source.is_symlink() and is_public(f"/{name}", offered):
                _link(str(source), place(name))
                count += 1
    return count


def _take_out(store: ContentStore, digest: str, encoding: Encoding | None, target: Path) -> None:
    source = store.path(digest, encoding)
    try:
        _link(source, target)
    except FileNotFoundError as error:
        data = store.packs.read(digest, encoding)
        if data is None:
            raise BuildError(
                f"{source} is missing, so the export stopped. Run the check of builds, then publish again."
            ) from error
        target.write_bytes(data)


def _link(source: str, target: Path) -> None:
    try:
        os.link(source, target)
    except FileNotFoundError:
        raise
    except OSError:
        shutil.copyfile(source, target)  # another file system, or one without hard links

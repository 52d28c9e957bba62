"""A live site as a plain tree of files. Exported again into the same folder, only what differs is written."""

import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import orjson

from ..builds.disk import PART_SUFFIX, write_whole
from ..builds.manifest import BuildError, Manifest
from ..builds.media_source import MediaFolder
from ..builds.store import ContentStore
from .layout import Layout
from .sources import Media, Source, find_sources, read_source

_NOTES: Final = ".portolan-export"
"""Beside the trees: what was written into each. In a tree, of older versions: that it is an export."""


class Exported(NamedTuple):
    files: int
    """That the tree has; compressed copies are not counted."""
    written: int
    removed: int


def export_tree(
    root: Path,
    manifest: Manifest,
    target: Path,
    layout: Layout,
    media: Media | None = None,
    more: Mapping[str, bytes] | None = None,
    is_whole: bool = False,
) -> Exported:
    """Make ``target`` the files of a build (``about-us/index.html``, ``404.html``, …), and nothing else.

    Compressed copies stand beside their files as ``.br`` and ``.gz``. Files that stand alone in the store become hard
    links to it where that is possible, and are read-only; those in packs are copied out. What visitors may have of
    ``media`` becomes ``media/``; ``more`` are files of the export itself. Each file is replaced as a whole: assets before
    the pages that need them, and what is no longer wanted goes at the end. ``is_whole``: write everything, whatever was
    written before. Raises BuildError where ``target`` holds what no export wrote.
    """
    target = target.absolute()
    notes = target.parent / _NOTES / f"{target.name}.json"
    _check_ours(target, notes)
    store = ContentStore(root)
    wanted = find_sources(root, store, manifest, layout, media, more or {}, encodings=True)
    before = {} if is_whole else _read_notes(notes)
    there = set(_list_files(target))
    due = [name for name, source in wanted.items() if before.get(name) != source.mark or name not in there]
    unwanted = sorted(there - wanted.keys())
    if due or unwanted or not notes.exists():
        notes.parent.mkdir(parents=True, exist_ok=True)
        # First what is not about to change: an export that is broken off leaves no wrong notes.
        kept = set(wanted) - set(due)
        _write_notes(notes, {name: wanted[name].mark for name in kept})
        for name in sorted(due, key=lambda name: (wanted[name].is_page, name)):
            _put(store, media, wanted[name], target / name)
        for name in unwanted:
            _remove(target, name)
        _write_notes(notes, {name: source.mark for name, source in wanted.items()})
    copies = sum(source.encoding is not None for source in wanted.values())
    return Exported(len(wanted) - copies, len(due), len(unwanted))


def _check_ours(target: Path, notes: Path) -> None:
    if not target.exists() or notes.exists() or (target / _NOTES).exists():
        return
    if not target.is_dir() or any(target.iterdir()):
        raise BuildError(
            f"{target} holds something that no export wrote, and an export replaces the whole folder. "
            "Name another folder, or empty this one."
        )


def _list_files(target: Path) -> Iterable[str]:
    for folder, _, names in os.walk(target):
        below = os.path.relpath(folder, target)
        for name in names:
            yield name if below == "." else f"{below}/{name}"


def _put(store: ContentStore, media: Media | None, source: Source, place: Path) -> None:
    part = place.with_name(f"{place.name}{PART_SUFFIX}")
    _make_folder(place.parent)
    part.unlink(missing_ok=True)
    if media and source.upload:
        _take_upload(media, source.upload, part)
    elif source.digest:
        _take_out(store, source, part)
    else:
        part.write_bytes(source.data)
    if place.is_dir():
        shutil.rmtree(place)
    part.rename(place)
    part.unlink(missing_ok=True)  # where both were links to the same file, the move has done nothing


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):  # a page has come below what was a file
        for above in (folder, *folder.parents):
            if above.is_file():
                above.unlink()
        folder.mkdir(parents=True, exist_ok=True)


def _take_upload(media: Media, name: str, place: Path) -> None:
    if isinstance(media, MediaFolder):
        _link(str(media.folder / name), place)
    else:
        media.save(name, place)


def _take_out(store: ContentStore, source: Source, place: Path) -> None:
    try:
        _link(store.path(source.digest, source.encoding), place)
    except FileNotFoundError:
        place.write_bytes(read_source(store, source))


def _link(source: str, target: Path) -> None:
    try:
        os.link(source, target)
    except FileNotFoundError:
        raise
    except OSError:
        shutil.copyfile(source, target)  # another file system, or one without hard links


def _remove(target: Path, name: str) -> None:
    place = target / name
    if place.is_file():  # else it has become a folder, or what was its folder a file
        place.unlink()
    for folder in place.parents:
        if folder == target or not folder.is_dir() or any(folder.iterdir()):
            break
        folder.rmdir()


def _read_notes(notes: Path) -> dict[str, str]:
    try:
        return dict(orjson.loads(notes.read_bytes()))
    except (OSError, ValueError, TypeError):
        return {}


def _write_notes(notes: Path, marks: Mapping[str, str]) -> None:
    write_whole(str(notes), orjson.dumps(dict(marks)), 0o644)


def exported_sites(folder: Path) -> list[str]:
    """The sites whose trees stand in a folder."""
    return sorted(notes.stem for notes in (folder / _NOTES).glob("*.json"))

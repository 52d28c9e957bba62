"""Export a live site as a tree of files.

Later exports into the same folder write only the differences.
"""

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
"""Folder next to the trees with the marks of the files in each. In a tree of older versions, it marks an export."""


class Exported(NamedTuple):
    files: int
    """Files in the tree, without compressed copies."""
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
    """Make ``target`` hold exactly the files of a build, such as ``404.html``.

    Compressed copies are next to their files as ``.br`` and ``.gz``. Files outside packs become hard links to the store
    if possible, and are read-only; files in packs are copied. The public part of ``media`` becomes ``media/``; ``more``
    are files of the export itself.

    Each file is replaced as a whole: assets before the pages that need them, and unused files are removed last.
    ``is_whole``: write every file, changed or not. Raise BuildError if ``target`` has files from other sources.
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
        # Note the unchanged files first, so that an interrupted export leaves no wrong notes.
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
            f"{target} has files that are not from an export, and an export replaces the whole folder. "
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
    part.unlink(missing_ok=True)  # the move does nothing if both were links to the same file


def _make_folder(folder: Path) -> None:
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except (FileExistsError, NotADirectoryError):  # a former file has become a folder
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
    if place.is_file():  # not if it has become a folder, or its folder a file
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
    """Return the sites whose trees are in a folder."""
    return sorted(notes.stem for notes in (folder / _NOTES).glob("*.json"))

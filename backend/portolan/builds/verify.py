"""Checking a build byte by byte: a flipped bit or a missing file is named before a visitor meets it."""

import zlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

import brotli

from ..domain.redirects import NOT_IN_BUILDS, WILDCARD, own_path
from .manifest import BuildError, Manifest, read_manifest
from .packs import Encoding
from .store import SUFFIXES, ContentStore, digest_of

_DECOMPRESS: Final[Mapping[Encoding, Callable[[bytes], bytes]]] = {
    "br": brotli.decompress,
    "gzip": lambda data: zlib.decompress(data, wbits=31),
}


def verify(root: Path, site: str, build: str) -> list[str]:
    """What is wrong with a build, a line each, naming the URL path and the file; empty where it is whole."""
    try:
        manifest = read_manifest(root, site, build)
    except BuildError as error:
        return [str(error)]
    store = ContentStore(root)
    problems: list[str] = []
    checked: dict[str, list[str]] = {}
    for path, file in sorted(manifest.every_file()):
        if file.digest not in checked:
            checked[file.digest] = _problems(store, file.digest, file.size)
        problems += [f"{site} {build} {path}: {problem}" for problem in checked[file.digest]]
    return problems + _redirect_problems(manifest)


def _redirect_problems(manifest: Manifest) -> list[str]:
    """Redirects that lead to another one, or to nothing."""
    found = []
    for path, redirect in sorted(manifest.redirects.items()):
        own = None if redirect.target.endswith(WILDCARD) else own_path(redirect.target)
        if own is not None and manifest.file(own) is None and not own.startswith(NOT_IN_BUILDS):
            found.append(
                f"{manifest.site} {manifest.build} {path}: redirects to {redirect.target}, which the build lacks"
            )
    return found


def _problems(store: ContentStore, digest: str, size: int) -> list[str]:
    data = store.read(digest)
    if data is None:
        return [f"{store.path(digest)} is missing"]
    if digest_of(data) != digest:
        return [f"{store.path(digest)} is damaged: its bytes are not those it was stored with"]
    problems = [] if len(data) == size else [f"the manifest says {size} bytes, {store.path(digest)} has {len(data)}"]
    for encoding in SUFFIXES:
        copy = store.read(digest, encoding)
        if copy is not None and not _is_copy_of(copy, encoding, data):
            problems.append(f"{store.path(digest, encoding)} is damaged: it is not a compressed copy of its file")
    return problems


def _is_copy_of(copy: bytes, encoding: Encoding, data: bytes) -> bool:
    try:
        return _DECOMPRESS[encoding](copy) == data
    except (brotli.error, zlib.error):
        return False

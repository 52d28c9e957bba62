"""Publish copies of pages without scripts and web fonts, to measure the cost of these alone."""

import re
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import Final

from portolan.builds.live import read_live, switch_live
from portolan.builds.manifest import File, read_manifest, write_manifest
from portolan.builds.overlay import Overlay
from portolan.builds.store import ContentStore

_PLACE: Final = "/bench/twin"
_SCRIPTS: Final = re.compile(rb"<script\b.*?</script>", re.DOTALL)
_PRELOADED_FONTS: Final = re.compile(rb'<link rel="preload"[^>]*as="font"[^>]*/>')
_STYLESHEET: Final = re.compile(rb'<link rel="stylesheet" href="([^"]+)"')
_FONT_FACES: Final = re.compile(rb"@font-face\s*\{[^}]*\}")


def twin_path(path: str) -> str:
    return _PLACE + (path if path != "/" else "/home")


def add_twins(root: Path, site: str, paths: Sequence[str]) -> None:
    """Put a build live that also has copies of these pages. Raise BuildError or KeyError for a missing build or page."""
    store = ContentStore(root)
    live = read_manifest(root, site, read_live(root).builds[site])
    files = Overlay(live.files)
    for path in paths:
        page = live.files[path]
        html = _SCRIPTS.sub(b"", _PRELOADED_FONTS.sub(b"", _read(store, page)))
        for address in set(_STYLESHEET.findall(html)):
            plain = address.replace(b".css", b"-plain.css")
            html = html.replace(address, plain)
            styles = _FONT_FACES.sub(b"", _read(store, live.files[address.decode()]))
            files[plain.decode()] = _put(store, styles, live.files[address.decode()])
        files[twin_path(path)] = _put(store, html, page)
    twins = replace(live, build=f"{live.build}-twins", files=files)
    store.sync({file.digest for file in files.values()})
    write_manifest(root, twins, live)
    switch_live(root, {site: twins.build})


def _read(store: ContentStore, file: File) -> bytes:
    data = store.read(file.digest)
    if data is None:
        raise KeyError(file.digest)
    return data


def _put(store: ContentStore, data: bytes, like: File) -> File:
    return File(store.put(data), like.content_type, len(data))

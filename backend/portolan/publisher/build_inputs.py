"""Inputs of a build, stored next to it.

The next build compares its inputs with them and renders only the differences.

This is a cache, written without waiting for the disk: if a file is missing or damaged, everything is rendered.

Pages are stored as the difference from an earlier build (see ``builds/chain.py``), in a *layer* named by its digest. So
a build that shows a later release in the same files takes a few lines, and so does a copy.
"""

import os
import time
from collections.abc import Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from sys import intern
from typing import Any, Final, NamedTuple

import orjson

from .. import __version__, domain
from ..builds.chain import Chain
from ..builds.disk import write_whole
from ..builds.overlay import Overlay, difference
from ..builds.store import digest_of
from ..domain.problems import Problem, pack, unpack
from ..releases.reader import Blocked
from ..releases.release_view import ReleaseView, pack_blocked, unpack_blocked
from .addresses import Addresses

_RULES: Final = (Path(__file__).parent, Path(domain.__file__).parent)
"""Code that turns content into the renderer's input."""
_UNUSED_BEFORE_REMOVAL_S: Final = 3600
"""A layer is written before the build that names it."""


FRAME: Final = ""
"""Replaces a page's path: the frame around all pages."""


class KnownPage(NamedTuple):
    """Facts about one page of a build."""

    content: str
    """Digest of the page content; empty for a page that was kept and must be tried again."""
    picture: str = ""
    """URL path of the sharing image; empty for error pages."""
    translations: str = ""
    """The translations in the page (``translations.pack_translations``); empty for error pages."""
    links: tuple[str, ...] = ()
    """Its own links that a change elsewhere can break: to anchors on other pages and to our other sites. Sorted."""


class Layer(NamedTuple):
    """The stored pages of a build."""

    name: str
    chain: Chain
    pages: Mapping[str, KnownPage]


@dataclass(slots=True)
class BuildInputs:
    """Inputs of one site's build. Its files are a function of these alone."""

    build: str
    release: int
    mark: str
    """``ReleaseReader.mark`` of the release. It differs for another release of the same
    number in a restored database."""
    web: str
    """Hash of the web build, which renders. If it changes, every page is rendered."""
    rules: str
    """Digest of the code and configuration that make the renderer's input (``rules_digest``). If it changes, all inputs
    are made again, and pages with a different input are rendered."""
    shared: str
    """Hash of the shared data. If it changes, every page is reframed, or rendered if its own parts depend on the change
    (``render_all.are_spliced``)."""
    blocked: Blocked = field(default_factory=dict)
    """Items shown in the state of an earlier release."""
    frame_links: frozenset[str] = frozenset()
    """Links of the frames that a change elsewhere can break."""
    pages: MutableMapping[str, KnownPage] = field(default_factory=dict)
    """By path. Not changed once the build is live."""
    live_problems: tuple[Problem, ...] = ()
    """Problems that are live because the site had no other build to serve. They do not block later builds."""
    layer: Layer | None = field(default=None, compare=False)
    """The layer that the pages are stored in, or that their next layer is based on."""

    @property
    def release_view(self) -> ReleaseView:
        """The release view that the build shows."""
        return ReleaseView(self.release, self.mark, self.blocked)


def rules_digest(addresses: Addresses) -> str:
    """Return a digest of the configuration, the environment and our own code.

    It is independent of file times.
    """
    registry = addresses.registry.model_dump_json()
    digest = sha256(orjson.dumps([__version__, addresses.environment, addresses.port, registry]))
    for folder in _RULES:
        for file in sorted(folder.glob("*.py")):
            digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:32]


def inputs_path(root: Path, site: str, build: str) -> Path:
    return root / "inputs" / site / f"{build}.json"


def layer_path(root: Path, site: str, name: str) -> Path:
    return root / "inputs" / site / "pages" / f"{name}.json"


def read_inputs(root: Path, site: str, build: str) -> BuildInputs | None:
    """Return the inputs, or None if a file is missing or unusable."""
    try:
        document = orjson.loads(inputs_path(root, site, build).read_bytes())
        if document["build"] != build:
            return None
        document["blocked"] = unpack_blocked(document.pop("held"))
        document["live_problems"] = tuple(map(unpack, document.pop("flaws", ())))
        pages = document.pop("pages")
        if "frame_links" not in document:
            return _convert_old_inputs(root, site, document, pages)
        document["frame_links"] = frozenset(document["frame_links"])
        layer = _read_layers(root, site, pages)
        return BuildInputs(**document, pages=Overlay(layer.pages), layer=layer)
    except (OSError, ValueError, TypeError, AttributeError, KeyError):
        return None


def write_inputs(root: Path, site: str, inputs: BuildInputs) -> None:
    folder = layer_path(root, site, "").parent
    folder.mkdir(parents=True, exist_ok=True)
    if inputs.layer is None or _differ(inputs.pages, inputs.layer.pages) or not _is_there(root, site, inputs.layer):
        inputs.layer = _write_layer(root, site, inputs.pages, inputs.layer)
    document = {
        "build": inputs.build,
        "release": inputs.release,
        "mark": inputs.mark,
        "web": inputs.web,
        "rules": inputs.rules,
        "shared": inputs.shared,
        "held": pack_blocked(inputs.blocked),
        "frame_links": sorted(inputs.frame_links),
        "pages": inputs.layer.name,
    }
    if inputs.live_problems:  # written only if needed: the previous version cannot read files with this field
        document["flaws"] = [pack(problem) for problem in inputs.live_problems]
    write_whole(str(inputs_path(root, site, inputs.build)), orjson.dumps(document), 0o644)


def copy_inputs(root: Path, site: str, build: str, copy: str) -> None:
    """Copy the inputs of a build to another build with the same files."""
    inputs = read_inputs(root, site, build)
    if inputs:
        inputs.build = copy
        write_inputs(root, site, inputs)


def prune_inputs(root: Path, site: str, builds: set[str]) -> None:
    """Remove files of builds that are not in ``builds``."""
    wanted: set[str] = set()
    for path in (root / "inputs" / site).glob("*.json*"):
        if path.stem not in builds:
            path.unlink(missing_ok=True)
        else:
            wanted.update(layers_of(root, site, path))
    before = time.time() - _UNUSED_BEFORE_REMOVAL_S
    for path in layer_path(root, site, "").parent.glob("*"):
        if path.stem not in wanted and path.stat().st_mtime < before:
            path.unlink(missing_ok=True)


def _differ(new: Mapping[str, KnownPage], old: Mapping[str, KnownPage]) -> bool:
    return new is not old and difference(new, old) != ({}, [])


def _is_there(root: Path, site: str, layer: Layer) -> bool:
    return os.path.exists(layer_path(root, site, layer.name))  # noqa: PTH110


def _write_layer(root: Path, site: str, pages: Mapping[str, KnownPage], below: Layer | None) -> Layer:
    """Write a layer in two lines. The first is enough to find the layers below."""
    body, chain = b"", None
    if below and _is_there(root, site, below):
        body = _pack_pages(pages, below.pages)
        chain = below.chain.longer(len(body))
    if chain is None:
        below, body = None, _pack_pages(pages, {})
        chain = Chain(0, len(body), 0)
    data = orjson.dumps({"parent": below.name if below else None, **chain._asdict()}) + b"\n" + body
    name = digest_of(data)
    write_whole(str(layer_path(root, site, name)), data, 0o644)
    return Layer(name, chain, pages)


def _pack_pages(pages: Mapping[str, KnownPage], below: Mapping[str, KnownPage]) -> bytes:
    changed, removed = difference(pages, below)
    return orjson.dumps({"pages": {path: tuple(page) for path, page in changed.items()}, "removed": sorted(removed)})


def _read_layers(root: Path, site: str, name: str) -> Layer:
    """Read a layer with those below.

    Raise OSError, ValueError, TypeError or KeyError if one is missing or damaged.
    """
    bodies: list[dict[str, Any]] = []
    chain: Chain | None = None
    parent: str | None = name
    while parent is not None:
        data = layer_path(root, site, parent).read_bytes()
        if digest_of(data) != parent:
            raise ValueError(f"{parent} is damaged")
        first, _, body = data.partition(b"\n")
        head = orjson.loads(first)
        chain = chain or Chain(head["depth"], head["whole"], head["above"])
        bodies.append(orjson.loads(body))
        parent = head["parent"]
    assert chain
    pages: dict[str, KnownPage] = {}
    known_links: dict[tuple[str, ...], tuple[str, ...]] = {}
    for document in reversed(bodies):
        for path in document["removed"]:
            del pages[path]
        for path, (content, picture, translations, links) in document["pages"].items():
            links = tuple(links)
            pages[path] = KnownPage(content, picture, intern(translations), known_links.setdefault(links, links))
    return Layer(name, chain, pages)


def layers_of(root: Path, site: str, path: Path) -> Iterator[str]:
    """Yield the names of stored inputs' readable layers, newest first."""
    seen: set[str] = set()
    try:
        name = orjson.loads(path.read_bytes())["pages"]
        while isinstance(name, str) and name not in seen:
            seen.add(name)
            yield name
            with layer_path(root, site, name).open("rb") as file:
                name = orjson.loads(file.readline())["parent"]
    except (OSError, ValueError, TypeError, KeyError):
        return


def _convert_old_inputs(root: Path, site: str, document: dict[str, Any], pages: str | dict[str, str]) -> BuildInputs:
    """Convert inputs of an older version: all pages are tried again.

    Older versions did not separate links of pages and frames. The first versions wrote one file, by kind of fact
    instead of by page.
    """
    if isinstance(pages, str):
        known = {
            path: page._replace(content="", links=()) for path, page in _read_layers(root, site, pages).pages.items()
        }
    else:
        pictures, translations, _ = (document.pop(name) for name in ("pictures", "translations", "links"))
        known = {path: KnownPage("", pictures.get(path, ""), translations.get(path, "")) for path in pages}
    return BuildInputs(**document, pages=known)

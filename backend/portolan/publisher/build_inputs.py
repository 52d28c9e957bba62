"""What a build was made from, stored beside it. The next build compares its own inputs with it and renders only what
differs. It is a cache: if the file is missing or damaged, everything is rendered, so it is written without waiting for
the disk.
"""

from dataclasses import dataclass, field, fields
from hashlib import sha256
from pathlib import Path
from typing import Final

import orjson

from .. import __version__, domain
from ..builds.disk import write_whole
from ..releases.edition import Edition, pack_held, unpack_held
from ..releases.reader import Held
from .addresses import Addresses

_RULES: Final = (Path(__file__).parent, Path(domain.__file__).parent)
"""Code that turns content into the renderer's input."""


@dataclass(slots=True)
class BuildInputs:
    """Inputs of one site's build. Its files are a function of these alone."""

    build: str
    release: int
    mark: str
    """``ReleaseReader.mark`` of the release. A restored database may give the same number to another release; the mark
    then differs."""
    web: str
    """Hash of the web build, which renders. If it changes, every page is rendered."""
    rules: str
    """Digest of what turns content into the renderer's input (``rules_digest``). If it changes, that of every page is made
    anew, and those are rendered of which it differs."""
    shared: str
    """Hash of the shared data. If it changes, every page is rendered."""
    held: Held = field(default_factory=dict)
    """Items that the build shows as they were in an earlier release."""
    pages: dict[str, str] = field(default_factory=dict)
    """Path -> digest of the page content; empty for a page that is kept as it was and has to be tried again."""
    links: dict[str, set[str]] = field(default_factory=dict)
    """Links that a change elsewhere can break (to anchors on other pages, to our other sites) -> paths of the pages
    with them."""
    pictures: dict[str, str] = field(default_factory=dict)
    """Path -> URL path of the page's sharing picture; none for error pages."""
    translations: dict[str, str] = field(default_factory=dict)
    """Path -> the translations that the page names (``translations.pack_translations``); none for error pages."""

    @property
    def edition(self) -> Edition:
        """What of the content the build shows."""
        return Edition(self.release, self.mark, self.held)


def rules_digest(addresses: Addresses) -> str:
    """Digest of the registry, the environment and our own code, whenever and wherever its files were written."""
    registry = addresses.registry.model_dump_json()
    digest = sha256(orjson.dumps([__version__, addresses.environment, addresses.port, registry]))
    for folder in _RULES:
        for file in sorted(folder.glob("*.py")):
            digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:32]


def inputs_path(root: Path, site: str, build: str) -> Path:
    return root / "inputs" / site / f"{build}.json"


def read_inputs(root: Path, site: str, build: str) -> BuildInputs | None:
    """None if the file is missing or cannot be used."""
    try:
        inputs = BuildInputs(**orjson.loads(inputs_path(root, site, build).read_bytes()))
        inputs.links = {url: set(pages) for url, pages in inputs.links.items()}
        inputs.held = unpack_held(inputs.held)
    except (OSError, ValueError, TypeError, AttributeError):
        return None
    return inputs if inputs.build == build else None


def write_inputs(root: Path, site: str, inputs: BuildInputs) -> None:
    path = inputs_path(root, site, inputs.build)
    path.parent.mkdir(parents=True, exist_ok=True)
    document = {field.name: getattr(inputs, field.name) for field in fields(inputs)} | {"held": pack_held(inputs.held)}
    write_whole(str(path), orjson.dumps(document, default=sorted), 0o644)


def copy_inputs(root: Path, site: str, build: str, copy: str) -> None:
    """A build with the same files as another was made from the same inputs: copy them."""
    inputs = read_inputs(root, site, build)
    if inputs:
        inputs.build = copy
        write_inputs(root, site, inputs)


def prune_inputs(root: Path, site: str, builds: set[str]) -> None:
    """Remove what belongs to no build that is kept."""
    for path in (root / "inputs" / site).glob("*"):
        if path.stem not in builds:
            path.unlink(missing_ok=True)

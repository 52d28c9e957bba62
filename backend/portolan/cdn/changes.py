"""What of a site a CDN has to drop: the difference between the build it may have kept answers of and the one that is live."""

from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from ..builds.manifest import CARRIED_PREFIXES, BuildError, Manifest, documents_of, read_manifest
from ..builds.overlay import difference
from ..domain.cdn import escape_path
from ..domain.redirects import WILDCARD

EVERYTHING: Final = "/*"
"""In place of paths: all that the site has."""


class Changes(NamedTuple):
    paths: tuple[str, ...]
    """As the manifest has them."""
    is_everything: bool = False
    """All that the site has is to be dropped; ``paths`` are those that are known of it."""


def build_urls(origin: str, paths: Iterable[str]) -> list[str]:
    """As they are asked for, escaped."""
    return [f"{origin}{escape_path(path)}" for path in paths]


def find_changes(root: Path, site: str, kept: str | None, live: str) -> Changes:
    """``kept``: the build that answers may be kept of; none where nobody knows. What was added is among them: a CDN may have
    been told that there is nothing."""
    if kept == live:
        return Changes(())
    old, new = _read(root, site, kept), _read(root, site, live)
    if old is None or new is None or old.html_headers != new.html_headers:
        known = {path for manifest in (old, new) if manifest for path in (*manifest.files, *manifest.redirects)}
        return Changes(tuple(sorted(filter(_is_kept, known))), is_everything=True)
    return Changes(tuple(sorted({*filter(_is_kept, _differing(old, new)), *_withdrawn(root, old, new)})))


def _read(root: Path, site: str, build: str | None) -> Manifest | None:
    try:
        return read_manifest(root, site, build) if build else None
    except BuildError:  # pruned since, or damaged
        return None


def _is_kept(path: str) -> bool:
    """Not what is named by its content, and stays as it is for ever."""
    return not path.endswith(WILDCARD) and not path.startswith(CARRIED_PREFIXES)


def _differing(old: Manifest, new: Manifest) -> Iterable[str]:
    changed, removed = difference(new.files, old.files)
    redirected, unredirected = difference(new.redirects, old.redirects)
    return (*changed, *removed, *redirected, *unredirected)


def _withdrawn(root: Path, old: Manifest, new: Manifest) -> Iterable[str]:
    """Documents that no page of the site offers any more. Where another site does, asking for it once more costs little."""
    if old.documents is not None and old.documents == new.documents:
        return ()
    return documents_of(root, old) - documents_of(root, new)

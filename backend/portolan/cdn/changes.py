"""Find the paths of a site that a CDN must drop.

These are the differences between the cached and the live build.
"""

from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

from ..builds.manifest import CARRIED_PREFIXES, BuildError, Manifest, documents_of, read_manifest
from ..builds.overlay import difference
from ..domain.cdn import escape_path
from ..domain.redirects import WILDCARD

EVERYTHING: Final = "/*"
"""Replaces paths: the whole site."""


class Changes(NamedTuple):
    paths: tuple[str, ...]
    """As in the manifest."""
    is_everything: bool = False
    """Drop the whole site; ``paths`` are its known paths."""


def build_urls(origin: str, paths: Iterable[str]) -> list[str]:
    """Return the URLs as requests have them, escaped."""
    return [f"{origin}{escape_path(path)}" for path in paths]


def find_changes(root: Path, site: str, kept: str | None, live: str) -> Changes:
    """Return the paths to drop.

    ``kept``: the build that may be cached, or None if unknown.

    New paths are included, because a CDN may have cached a 404 for them.
    """
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
    except BuildError:  # pruned meanwhile, or damaged
        return None


def _is_kept(path: str) -> bool:
    """Return False for files named by their content, which never change."""
    return not path.endswith(WILDCARD) and not path.startswith(CARRIED_PREFIXES)


def _differing(old: Manifest, new: Manifest) -> Iterable[str]:
    changed, removed = difference(new.files, old.files)
    redirected, unredirected = difference(new.redirects, old.redirects)
    return (*changed, *removed, *redirected, *unredirected)


def _withdrawn(root: Path, old: Manifest, new: Manifest) -> Iterable[str]:
    """Return documents that the site's pages stopped offering.

    If another site offers them, a new request costs little.
    """
    if old.documents is not None and old.documents == new.documents:
        return ()
    return documents_of(root, old) - documents_of(root, new)

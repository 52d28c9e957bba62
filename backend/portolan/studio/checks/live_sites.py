"""Read the live builds, as far as the check of one draft needs them."""

from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Final

from ...builds.live import read_live
from ...builds.manifest import BuildError, Manifest, read_manifest
from ...builds.store import ContentStore
from ...domain.redirects import Redirect

_KEPT: Final = 4
"""Manifests in the cache. Few drafts need one, because links to own pages are references."""


class LiveSites:
    """Live builds by site, each read when first needed. A site may have none."""

    def __init__(self, root: Path) -> None:
        self._root = root
        try:
            self._builds: Mapping[str, str] = read_live(root).builds
        except BuildError:
            self._builds = {}
        self.redirects: Mapping[str, Mapping[str, Redirect]] = _LiveRedirects(self)

    def manifest(self, site: str) -> Manifest | None:
        build = self._builds.get(site)
        return _read(self._root, site, build) if build else None

    def may_have(self, site: str, path: str) -> bool:
        """Return whether the file exists or the build is unknown."""
        manifest = self.manifest(site)
        return manifest is None or path in manifest.files

    def read_page(self, site: str, path: str) -> bytes | None:
        manifest = self.manifest(site)
        file = manifest and manifest.files.get(path)
        return ContentStore(self._root).read(file.digest) if file else None


class _LiveRedirects(Mapping[str, Mapping[str, Redirect]]):
    def __init__(self, live: LiveSites) -> None:
        self._live = live

    def __getitem__(self, site: str) -> Mapping[str, Redirect]:
        if (manifest := self._live.manifest(site)) is None:
            raise KeyError(site)
        return manifest.redirects

    def __iter__(self) -> Iterator[str]:
        return iter(self._live._builds)

    def __len__(self) -> int:
        return len(self._live._builds)


@lru_cache(_KEPT)
def _read(root: Path, site: str, build: str) -> Manifest | None:
    try:
        return read_manifest(root, site, build)
    except BuildError:
        return None

"""The sites that are live: hosts and manifests in memory, renewed when the pointer moves."""

import logging
import time
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Final

from ..builds.hosts import Hosts, ServedSite, hosts_file, read_hosts
from ..builds.live import live_file, read_live, read_live_releases
from ..builds.manifest import BuildError, Manifest, read_manifest
from .headers import SiteHeaders, build_site_headers

LOOK_EVERY_S: Final = 0.02
"""A stat costs a microsecond; this bounds how late a switch is seen."""

STUDIO: Final = "(studio)"
"""Stands for the studio where a site's key would: no key has such letters."""

_log = logging.getLogger(__name__)
_Signature = tuple[int, int, int] | None


class LiveSite:
    """One site at one build. Requests hold on to it, so that none mixes two builds."""

    __slots__ = ("file", "headers", "lang", "manifest")

    def __init__(self, manifest: Manifest, served: ServedSite, https: bool) -> None:
        self.manifest = manifest
        self.lang = served.lang
        self.headers: SiteHeaders = build_site_headers(
            served.lang, served.noindex, https, manifest.html_headers, served.worker_sources
        )
        self.file = manifest.file

    def is_page(self, path: str) -> bool:
        file = self.file(path)
        return file is not None and file.content_type.startswith("text/html")


class LiveSites:
    """What is live right now."""

    def __init__(self, root: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._root = root
        self._clock = clock
        self._looked = float("-inf")
        self._hosts_seen: _Signature = None
        self._live_seen: _Signature = None
        self._hosts: Hosts | None = None
        self._sites: dict[str, LiveSite] = {}
        self._releases: Mapping[str, int] = {}
        self._switches = 0
        self._languages: Mapping[str, str] = {}
        self._keys: dict[tuple[bytes, str], str] = {}

    def look(self) -> float:
        """See whether anything moved, at most every LOOK_EVERY_S. Returns the time."""
        now = self._clock()
        if now - self._looked >= LOOK_EVERY_S:
            self._looked = now
            hosts, live = _signature(hosts_file(self._root)), _signature(live_file(self._root))
            if hosts is not None and hosts != self._hosts_seen:
                self._hosts_seen = hosts
                self._read_hosts()
                self._live_seen = None  # languages and origins are part of every answer
            if live is not None and live != self._live_seen:
                self._live_seen = live
                self._read_sites()
        return now

    def key(self, host: bytes, scheme: str) -> str | None:
        """The site whose host this is, or STUDIO, or none."""
        key = self._keys.get((host, scheme))
        if key is None and self._hosts is not None:
            name = host.decode("latin-1").lower().removesuffix(":443" if scheme == "https" else ":80")
            key = STUDIO if name == self._hosts.studio else self._hosts.hosts.get(name)
            if key is not None and len(self._keys) < 1024:
                self._keys[host, scheme] = key
        return key

    def site(self, key: str) -> LiveSite | None:
        return self._sites.get(key)

    def release(self, key: str) -> tuple[int, int] | None:
        """The release whose content is live on a site, and which switch of all sites' releases brought it.

        Going back to an earlier release is another switch: what was read while it happened is used for neither.
        """
        release = self._releases.get(key)
        return None if release is None else (release, self._switches)

    def is_closed(self, key: str) -> bool:
        """Whether search engines are to keep out of a site; of the studio always."""
        site = self._hosts.sites.get(key) if self._hosts else None
        return site is None or site.noindex

    def languages(self) -> Mapping[str, str]:
        """Language tags by site, in the registry's order; another object whenever the registry may have changed."""
        return self._languages

    def third_party(self, key: str) -> Collection[str]:
        """Addresses of other hosts' files that a site passes on."""
        site = self._hosts.sites.get(key) if self._hosts else None
        return site.third_party if site else ()

    def _read_hosts(self) -> None:
        try:
            self._hosts = read_hosts(self._root)
            self._languages = {key: site.lang for key, site in self._hosts.sites.items()}
        except (OSError, ValueError, KeyError, TypeError):
            _log.exception("%s cannot be read; the hosts known so far are still served", hosts_file(self._root))
        self._keys.clear()

    def _read_sites(self) -> None:
        if self._hosts is None:
            return
        try:
            live = read_live(self._root)
            releases = read_live_releases(self._root)
        except BuildError as error:
            _log.error("%s What was live before is still served.", error)
            return
        if releases != self._releases:
            self._releases, self._switches = releases, self._switches + 1
        for key, build in live.items():
            served = self._hosts.sites.get(key)
            if served is None:
                continue  # left the registry; its host is gone as well
            known = self._sites.get(key)
            try:
                manifest = read_manifest(self._root, key, build, known.manifest if known else None)
            except BuildError as error:
                _log.error("%s Site %s stays at %s.", error, key, known.manifest.build if known else "no build")
                continue
            https = self._hosts.origins.get(key, "").startswith("https:")
            self._sites[key] = LiveSite(manifest, served, https)


def _signature(path: Path) -> _Signature:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size

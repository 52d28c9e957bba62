"""The live sites: hosts and manifests in memory, reloaded when the live pointer changes."""

import logging
import time
from collections.abc import Callable, Collection, Iterator, Mapping
from contextlib import suppress
from pathlib import Path
from typing import Final

from ..builds.damage import damage_file
from ..builds.edge_reports import append_report
from ..builds.fallback import Wanted
from ..builds.hosts import Hosts, ServedSite, hosts_file, name_host, read_hosts
from ..builds.integrity import Stored
from ..builds.live import live_file, mark_content, read_live
from ..builds.manifest import BuildError, Manifest, documents_of
from ..builds.shown_media import read_shown_media, shown_media_file
from ..builds.signing import NO_KEYS, Keys
from ..domain.redirects import RedirectTable
from ..releases.reader import Blocked
from .damage_reports import DamageReports
from .headers import SiteHeaders, build_site_headers
from .whole_builds import Fallback, WholeBuilds

LOOK_EVERY_S: Final = 0.02
"""Longest delay until a switch is noticed. Each check takes a microsecond."""
_LOOK_AGAIN_S: Final = (0.05, 0.1, 0.2, 0.5, 1, 2, 5)
"""Pauses before a failed read is retried. On a shared or slow disk, the pointer may be visible before its files."""

STUDIO: Final = "(studio)"
"""Key of the studio in place of a site's key. No site key has such characters."""

_log = logging.getLogger(__name__)
_Signature = tuple[int, int, int] | None


class LiveSite:
    """One site at one build. A request uses one such object throughout, so that it never mixes two builds."""

    __slots__ = ("cdn", "file", "headers", "lang", "manifest", "redirects")

    def __init__(self, manifest: Manifest, served: ServedSite, https: bool) -> None:
        self.manifest = manifest
        self.cdn = served.cdn
        self.lang = served.lang
        self.headers: SiteHeaders = build_site_headers(
            served.lang, served.noindex, https, manifest.html_headers, served.worker_sources
        )
        self.file = manifest.file
        self.redirects = RedirectTable(manifest.redirects)

    def is_page(self, path: str) -> bool:
        file = self.file(path)
        return file is not None and file.content_type.startswith("text/html")


class LiveSites:
    """The sites that are live now."""

    def __init__(
        self,
        root: Path,
        clock: Callable[[], float] = time.monotonic,
        edge: str = "",
        keys: Keys = NO_KEYS,
        wake: Callable[[], object] = lambda: None,
    ) -> None:
        """``edge``: name under which it reports served builds and damage; empty: no reports. ``keys``: signing keys that
        served builds need. ``wake``: notify the publisher about a damage report."""
        self._root = root
        self._trusted = keys
        reports = DamageReports(root, edge, wake, lambda: self._clock())
        self._whole = WholeBuilds(root, keys, reports, lambda: self._clock())
        self._edge = edge
        self._clock = clock
        self._looked = float("-inf")
        self._problems: dict[Path, list[str]] = {}
        """Messages about files that could not be read the last time, by the file that names them."""
        self._said: set[str] = set()
        self._tries = 0
        self._look_again = float("inf")
        self._hosts_seen: _Signature = None
        self._live_seen: _Signature = None
        self._damage_seen: _Signature = None
        self._shown_seen: _Signature = None
        self._shown: Collection[str] | None = None
        self._hosts: Hosts | None = None
        self._newest = 0
        """The highest number of a live pointer."""
        self.by_https = False
        """Whether visitors reach a site by https."""
        self._sites: dict[str, LiveSite] = {}
        self._bare: tuple[str, ...] = ()
        self._documents: frozenset[str] | None = None
        self._withdrawn: frozenset[str] = frozenset()
        self._releases: Mapping[str, int] = {}
        self._blocked: Mapping[str, Blocked] = {}
        self._switches = 0
        self._languages: Mapping[str, str] = {}
        self._keys: dict[tuple[bytes, str], str] = {}

    def look(self) -> float:
        """Check for changes, at most every LOOK_EVERY_S. Return the time."""
        now = self._clock()
        if now - self._looked >= LOOK_EVERY_S:
            self._looked = now
            if now >= self._look_again:
                self._forget_what_failed()
            self._read_what_moved(now)
        return now

    def key(self, host: bytes, scheme: str) -> str | None:
        """Return the site of this host, STUDIO, or None."""
        key = self._keys.get((host, scheme))
        if key is None and self._hosts is not None:
            name = name_host(host.decode("latin-1"), scheme)
            key = STUDIO if name == self._hosts.studio else self._hosts.hosts.get(name)
            if key is not None and len(self._keys) < 1024:
                self._keys[host, scheme] = key
        return key

    def site(self, key: str) -> LiveSite | None:
        return self._sites.get(key)

    def origin(self, key: str) -> str:
        """Return scheme, host and port of a site."""
        return self._hosts.origins.get(key, "") if self._hosts else ""

    def release(self, key: str) -> tuple[int, int] | None:
        """Return the release that is live on a site, and the number of switches.

        A rollback or a change of blocked items is a switch too. A reply that was read during a switch is then
        never used.
        """
        release = self._releases.get(key)
        return None if release is None else (release, self._switches)

    def content_mark(self, key: str) -> bytes:
        """Return the result of ``mark_content``; empty before the first build."""
        release = self._releases.get(key)
        return b"" if release is None else mark_content(release, self._blocked.get(key, {})).encode()

    def count(self) -> int:
        """Return the number of served sites."""
        return len(self._sites)

    @property
    def bare(self) -> tuple[str, ...]:
        """Return the live sites without a readable build."""
        return self._bare

    def note_damage(self, key: str, file: Stored) -> LiveSite | None:
        """Note a damaged file. Return the site to serve from now on."""
        if self._whole.note(key, file):
            self._problems[live_file(self._root)] = self._read_sites()
            self._plan_next_try(self._clock())
        return self._sites.get(key)

    def earlier(self, key: str) -> Iterator[LiveSite]:
        """Yield the site at earlier builds, newest first, for a page that is damaged in the served build."""
        site, served = self._sites.get(key), self._hosts.sites.get(key) if self._hosts else None
        if site is None or served is None:
            return
        manifest = site.manifest
        live = Wanted(key, manifest.build, self._releases.get(key, manifest.release), manifest)
        for earlier in self._whole.earlier(key, live):
            yield LiveSite(earlier, served, self.origin(key).startswith("https:"))

    @property
    def fallbacks(self) -> Mapping[str, Fallback]:
        """Return sites whose live build is damaged, with the builds they show instead."""
        return dict(self._whole.fallbacks)  # a copy, because a thread may call this

    def documents(self) -> Collection[str]:
        """Return the URLs of documents that live pages link to and that are not withdrawn."""
        if self._documents is None:
            offered = (documents_of(self._root, site.manifest) for site in self._sites.values())
            self._documents = frozenset().union(*offered) - self._withdrawn
        return self._documents

    def shown_media(self) -> Collection[str] | None:
        """Return the folders of images in releases, or None if unknown: followers only have copies of these."""
        return self._shown

    def is_closed(self, key: str) -> bool:
        """Return whether search engines must not index a site. Always true for the studio."""
        site = self._hosts.sites.get(key) if self._hosts else None
        return site is None or site.noindex

    def cdn_names_country(self, key: str) -> bool:
        """Return whether the CDN in front of a site tells visitors their country."""
        site = self._hosts.sites.get(key) if self._hosts else None
        return bool(site and site.cdn and site.cdn.names_country)

    def languages(self) -> Mapping[str, str]:
        """Return language tags by site, in the order of the site configuration. A new object after each change of it."""
        return self._languages

    def third_party(self, key: str) -> Collection[str]:
        """Return the URLs of other hosts' files that the site's proxy forwards."""
        site = self._hosts.sites.get(key) if self._hosts else None
        return site.third_party if site else ()

    def _read_what_moved(self, now: float) -> None:
        is_read = False
        hosts, live = _signature(hosts_file(self._root)), _signature(live_file(self._root))
        shown = _signature(shown_media_file(self._root))
        if shown != self._shown_seen:
            self._shown_seen = shown
            self._read_shown()
        damage = _signature(damage_file(self._root))
        if damage != self._damage_seen:
            self._damage_seen, self._live_seen = damage, None
        if hosts is not None and hosts != self._hosts_seen:
            is_read, self._hosts_seen = True, hosts
            self._problems[hosts_file(self._root)] = self._read_hosts()
            self._live_seen = None  # languages and origins are part of every reply
        if live is not None and live != self._live_seen:
            is_read, self._live_seen = True, live
            self._problems[live_file(self._root)] = self._read_sites()
        if is_read:
            self._plan_next_try(now)

    def _read_shown(self) -> None:
        try:
            found = read_shown_media(self._root)
            self._shown = found and found.folders
        except BuildError as error:
            _log.error("%s", error)

    def _forget_what_failed(self) -> None:
        if self._problems.get(hosts_file(self._root)):
            self._hosts_seen = None
        if self._problems.get(live_file(self._root)):
            self._live_seen = None

    def _plan_next_try(self, now: float) -> None:
        """Schedule a retry. Log each problem once."""
        problems = {problem for found in self._problems.values() for problem in found}
        for problem in sorted(problems - self._said):
            _log.error("%s The edge tries again until it can be read.", problem)
        if self._said and not problems:
            _log.info("All live files can be read again.")
        self._tries = self._tries + 1 if problems and problems == self._said else 0
        self._said = problems
        pause = _LOOK_AGAIN_S[min(self._tries, len(_LOOK_AGAIN_S) - 1)]
        self._look_again = now + pause if problems else float("inf")

    def _read_hosts(self) -> list[str]:
        self._keys.clear()
        try:
            self._hosts = read_hosts(self._root, self._trusted, self._hosts.number if self._hosts else 0)
        except BuildError as error:
            return [f"{error} The known hosts are still served."]
        except (OSError, ValueError, KeyError, TypeError) as error:
            return [
                f"{hosts_file(self._root)} cannot be read ({type(error).__name__}: {error}). The known hosts are still served."
            ]
        self._languages = {key: site.lang for key, site in self._hosts.sites.items()}
        self.by_https = any(origin.startswith("https:") for origin in self._hosts.origins.values())
        return []

    def _read_sites(self) -> list[str]:
        if self._hosts is None:
            return []
        try:
            live = read_live(self._root, self._trusted, self._newest)
        except BuildError as error:
            return [f"{error} The previous live builds are still served."]
        self._newest = live.number
        if (live.releases, live.blocked) != (self._releases, self._blocked):
            self._releases, self._blocked, self._switches = live.releases, live.blocked, self._switches + 1
        problems = []
        fresh = {}
        self._whole.look_again()
        for key, build in live.builds.items():
            served = self._hosts.sites.get(key)
            if served is None:
                continue  # removed from the site configuration, and so is its host
            known = self._sites.get(key)
            manifest, problem = self._whole.choose(key, build, live.releases[key], known.manifest if known else None)
            if problem:
                problems.append(problem)
            if manifest is None:
                continue
            https = self.origin(key).startswith("https:")
            self._sites[key] = LiveSite(manifest, served, https)
            if known is None or known.manifest.build != manifest.build:
                fresh[key] = manifest.build
        self._bare = tuple(key for key in live.builds if key in self._hosts.sites and key not in self._sites)
        self._whole.forget(live.builds)
        self._documents, self._withdrawn = None, frozenset(live.withdrawn)
        if self._edge and fresh:
            self._report(fresh)
        return problems

    def _report(self, builds: Mapping[str, str]) -> None:
        with suppress(OSError):  # no write permission or a full disk must not stop pages
            append_report(self._root, self._edge, builds)


def _signature(path: Path) -> _Signature:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size

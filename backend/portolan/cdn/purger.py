"""Follow the live pointer, and purge exactly the differences from CDNs.

Because it follows the pointer, rollbacks, restored builds and switches while it was stopped are purged too.
"""

import time
from collections.abc import Callable, Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Final, NamedTuple

from ..builds.hosts import ServedSite, build_hosts
from ..builds.live import read_live
from ..builds.manifest import BuildError, now_iso
from ..schemas.codes import Environment
from ..sites.cdn import Cdn
from ..sites.registry import Registry
from .changes import EVERYTHING, Changes, build_urls, find_changes
from .purged import Purged, PurgeFailure, PurgeState, read_purged, write_purged

RETRY_PAUSES_S: Final = (1, 5, 10, 30, 60, 300)

Purge = Callable[[Cdn, str, Mapping[str, str], Sequence[str]], None]
"""``backends.purge``: a CDN, its secret, sites by origin, URLs. Raises an exception with the reason."""


class PurgeDone(NamedTuple):
    cdn: str
    urls: int
    failure: str


class Purger:
    """Does all due purges at each ``round``.

    ``most``: URL limit by kind of CDN, beyond which the whole site is dropped. Kinds without a limit get each URL.
    """

    def __init__(
        self,
        root: Path,
        registry: Registry,
        environment: Environment,
        port: int,
        secrets: Mapping[str, str],
        purge: Purge,
        most: Mapping[str, int],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._root = root
        self._purge = purge
        self._most = most
        self._secrets = secrets
        self._clock = clock
        hosts = build_hosts(registry, environment, port)
        self._origins = hosts.origins
        self._served = {site: _digest(served, hosts.origins[site]) for site, served in hosts.sites.items()}
        behind: dict[str, list[str]] = {}
        for site in registry.sites:
            if cdn := registry.cdn_of(site, environment):
                behind.setdefault(cdn.name, []).append(site)
        self._cdns = [(cdn, behind[cdn.name]) for cdn in registry.cdns if cdn.name in behind]
        self._tries: dict[str, int] = {}
        self._not_before: dict[str, float] = {}

    @property
    def is_needed(self) -> bool:
        return bool(self._cdns)

    def round(self, settle: bool = False) -> list[PurgeDone]:
        """Do all due purges.

        ``settle``: also do the second purges now, which otherwise wait after a switch.
        """
        try:
            live = read_live(self._root).builds
        except BuildError:  # the publisher reports it
            return []
        done = []
        for cdn, sites in self._cdns:
            if self._clock() >= self._not_before.get(cdn.name, 0):
                found = self._round_of(cdn, {site: live[site] for site in sites if site in live}, settle)
                done += [found] if found else []
        return done

    def drop_everything(self) -> list[PurgeDone]:
        """Drop everything of all sites."""
        write_purged(self._root, PurgeState({}, read_purged(self._root).failures))
        return self.round()

    def _round_of(self, cdn: Cdn, live: Mapping[str, str], settle: bool) -> PurgeDone | None:
        state, now = read_purged(self._root), self._clock()
        urls: list[str] = []
        after: dict[str, Purged] = {}
        for site, build in live.items():
            known = state.sites.get(site)
            if known and known.served != self._served[site]:
                known = None
            if known is None or known.build != build:
                urls += self._urls(cdn, site, find_changes(self._root, site, known.build if known else None, build))
                after[site] = Purged(build, known.settled if known else "", now, self._served[site])
            elif known.settled != build and (settle or now >= known.at + cdn.settle_s):
                urls += self._urls(cdn, site, find_changes(self._root, site, known.settled or None, build))
                after[site] = known._replace(settled=build)
        if not after:
            return None
        failure = self._try(cdn, urls) if urls else ""
        self._note(cdn, state, after, failure)
        return PurgeDone(cdn.name, len(urls), failure)

    def _urls(self, cdn: Cdn, site: str, changes: Changes) -> list[str]:
        most, paths = self._most.get(cdn.kind), list(changes.paths)
        if changes.is_everything or (most and len(paths) > most):
            paths = [EVERYTHING] if most else [EVERYTHING, *paths]
        return build_urls(self._origins[site], paths)

    def _try(self, cdn: Cdn, urls: Sequence[str]) -> str:
        """Purge, and return the failure as text."""
        variable = getattr(cdn, "secret_env", None)
        if variable and not self._secrets.get(variable):
            return f"The variable {variable} is empty or missing; set it for the process that purges."
        try:
            self._purge(cdn, self._secrets.get(variable or "", ""), {v: k for k, v in self._origins.items()}, urls)
        except Exception as error:  # every failure is reported and retried
            return f"{error}"
        return ""

    def _note(self, cdn: Cdn, state: PurgeState, after: Mapping[str, Purged], failure: str) -> None:
        failures = {name: found for name, found in state.failures.items() if name != cdn.name}
        if failure:
            tries = self._tries[cdn.name] = self._tries.get(cdn.name, 0) + 1
            self._not_before[cdn.name] = self._clock() + RETRY_PAUSES_S[min(tries, len(RETRY_PAUSES_S)) - 1]
            before = state.failures.get(cdn.name)
            failures[cdn.name] = PurgeFailure(before.since if before else now_iso(), failure)
            after = {}
        else:
            self._tries.pop(cdn.name, None)
        write_purged(self._root, PurgeState({**state.sites, **after}, failures))


def _digest(served: ServedSite, origin: str) -> str:
    """Return a digest of the settings that affect a site's response headers."""
    return sha256(repr((served, origin)).encode()).hexdigest()[:16]

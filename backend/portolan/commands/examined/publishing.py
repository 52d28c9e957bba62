"""Check publishing: groups of sites with their own publishers, and retention."""

from collections.abc import Iterator
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from typing import Final

from ...builds.live import LivePointer, read_live
from ...builds.manifest import BuildError
from ...builds.prune import count_overdue
from ...config.env import Env
from ...domain.moments import stamp
from ...domain.words import say_count
from ...publisher.lock import publishes_here
from ...publisher.problem import UsageError
from ...publisher.scope import Scope
from ...releases.reader import open_reader
from .finding import Finding, problem, warning, well

_LATE: Final = timedelta(minutes=15)
_START: Final = (
    "Run `portolan publisher --group {0}` on one machine (portolan-publisher@{0}; in the chart `publisherGroups`)."
)


def examine_groups(settings: Env, group: str | None = None) -> Iterator[Finding]:
    """``group``: the group that this machine publishes."""
    registry = settings.registry
    if group is not None:
        try:
            Scope.own(registry, group)
        except UsageError as error:
            yield problem("groups", str(error), "Correct the group where you start its publisher.")
            return
    if not registry.groups:
        return
    with suppress(BuildError):  # reported by examine_builds
        live = read_live(settings.builds_dir)
        wrong = [*_find_empty(settings), *_find_unpublished(settings, live)]
        yield from wrong
        if not wrong:
            yield well("groups", f"{', '.join(registry.groups)}: all published")


def _find_empty(settings: Env) -> Iterator[Finding]:
    for name in settings.registry.groups:
        if not settings.registry.sites_of([name]):
            yield warning(
                "groups", f"The group {name} has no sites.", f"Remove [groups.{name}], or add it to the sites' groups."
            )


def _find_unpublished(settings: Env, live: LivePointer) -> Iterator[Finding]:
    """Yield groups whose own publisher is behind. No other publisher updates their sites."""
    registry = settings.registry
    for name in (name for name, group in registry.groups.items() if group.publisher == "own"):
        sites = registry.sites_of([name])
        if live.builds and sites and not any(site in live.builds for site in sites):
            yield problem("groups", f"The sites of the group {name} are not published yet.", _START.format(name))
            continue
        following = [live.releases[site] for site in sites if site in live.builds and site not in live.pins]
        since = _waits_since(settings, min(following)) if following else None
        if since and datetime.now(UTC) - since > _LATE:
            yield problem(
                "groups",
                f"The sites of the group {name} show release {min(following)}. Changes since {stamp(since)} do not go live: their "
                "publisher is not running, or its log shows a problem.",
                _START.format(name),
            )


def _waits_since(settings: Env, release: int) -> datetime | None:
    with suppress(Exception), closing(open_reader(settings.database)) as reader:  # examine_data reports its problems
        return reader.oldest_release_after(release)
    return None


def examine_retention(settings: Env) -> Iterator[Finding]:
    kept = settings.registry.retention
    releases = f"releases of {say_count(kept.release_days, 'day')}" if kept.release_days else "all releases"
    found = []
    if 0 < kept.release_days < kept.build_days:
        found.append(
            warning(
                "retention",
                f"Builds are kept for {say_count(kept.build_days, 'day')}, but releases for {kept.release_days}. You cannot go back to "
                "builds whose release was removed.",
                "Raise release_days under [retention] to at least build_days, or lower build_days.",
            )
        )
    overdue = 0
    if publishes_here(settings.builds_dir):  # other machines have only the live builds
        with suppress(BuildError):
            overdue = count_overdue(settings.builds_dir, kept.builds, kept.build_days)
    if overdue > kept.builds:
        found.append(
            warning(
                "retention",
                f"{say_count(overdue, 'build is', 'builds are')} past the retention period.",
                "A publisher removes them within 15 minutes of a publish. If they stay, read its log.",
            )
        )
    yield from found or [
        well(
            "retention",
            f"{say_count(kept.builds, 'build')} of each site, builds of {say_count(kept.build_days, 'day')}, and {releases} are kept",
        )
    ]

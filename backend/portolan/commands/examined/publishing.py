"""What the registry says of publishing: groups of sites with publishers of their own, and how long what was published is kept."""

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
    "Start `portolan publisher --group {0}` on one machine (portolan-publisher@{0}; in the chart `publisherGroups`)."
)


def examine_groups(settings: Env, group: str | None = None) -> Iterator[Finding]:
    """``group``: the one whose publisher is this machine's."""
    registry = settings.registry
    if group is not None:
        try:
            Scope.own(registry, group)
        except UsageError as error:
            yield problem("groups", str(error), "Correct the group's name where its publisher is started.")
            return
    if not registry.groups:
        return
    with suppress(BuildError):  # said where builds are looked at
        live = read_live(settings.builds_dir)
        wrong = [*_find_empty(settings), *_find_unpublished(settings, live)]
        yield from wrong
        if not wrong:
            yield well("groups", f"{', '.join(registry.groups)}: each is published")


def _find_empty(settings: Env) -> Iterator[Finding]:
    for name in settings.registry.groups:
        if not settings.registry.sites_of([name]):
            yield warning(
                "groups", f"No site is in the group {name}.", f"Remove [groups.{name}], or name it in its sites."
            )


def _find_unpublished(settings: Env, live: LivePointer) -> Iterator[Finding]:
    """Of groups with a publisher of their own: that one alone brings its sites to what is live elsewhere."""
    registry = settings.registry
    for name in (name for name, group in registry.groups.items() if group.publisher == "own"):
        sites = registry.sites_of([name])
        if live.builds and sites and not any(site in live.builds for site in sites):
            yield problem("groups", f"Nobody has published the sites of the group {name} yet.", _START.format(name))
            continue
        following = [live.releases[site] for site in sites if site in live.builds and site not in live.pins]
        since = _waits_since(settings, min(following)) if following else None
        if since and datetime.now(UTC) - since > _LATE:
            yield problem(
                "groups",
                f"The sites of the group {name} show release {min(following)}, and what was published since {stamp(since)} "
                "does not go live there: nobody publishes them, or their publisher says why not in its log.",
                _START.format(name),
            )


def _waits_since(settings: Env, release: int) -> datetime | None:
    with suppress(Exception), closing(open_reader(settings.database)) as reader:  # what it lacks is said already
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
                f"Builds are kept for {say_count(kept.build_days, 'day')} and releases for {kept.release_days}: nobody can go back to the "
                "builds whose release is gone.",
                "Set release_days under [retention] to as many at least, or build_days to fewer.",
            )
        )
    overdue = 0
    if publishes_here(settings.builds_dir):  # other machines have the live builds alone, whatever the registry says
        with suppress(BuildError):
            overdue = count_overdue(settings.builds_dir, kept.builds, kept.build_days)
    if overdue > kept.builds:
        found.append(
            warning(
                "retention",
                f"{say_count(overdue, 'build is', 'builds are')} here that the registry keeps no longer.",
                "A publisher removes them in the quarter of an hour after a publish; if they stay, its log says why.",
            )
        )
    yield from found or [
        well(
            "retention",
            f"{say_count(kept.builds, 'build')} of each site, those of {say_count(kept.build_days, 'day')}, and {releases} are kept",
        )
    ]

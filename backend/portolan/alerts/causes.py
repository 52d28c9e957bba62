"""Find the causes why edits are not live, from database and builds only, because the publisher may hang."""

from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from typing import Final, NamedTuple

from ..builds.damage import read_damage
from ..builds.hosts import read_hosts
from ..builds.live import LivePointer, read_live
from ..builds.manifest import BuildError
from ..delivery_status.rounds import LATE_AFTER
from ..delivery_status.words import say_answer
from ..domain.problem_texts import say_each
from ..domain.problems import unpack_all
from ..publisher.outcome import Outcome, read_outcome
from ..releases.database_errors import find_trouble
from ..releases.last_live import read_last_live
from ..releases.reader import ReleaseReader

_PUBLISHER = "Check that the publisher runs, and read its log. `portolan publish` in a terminal prints the problem."
_FRONT = "Check the site's edge, cache, CDN and DNS name. `portolan doctor` may print more."
_EDITOR = "An editor has to fix it. The studio's dashboard links to it."


DAMAGE: Final = "damage"
BACKUP: Final = "backup"
DATABASE_DAMAGE: Final = "database-damage"
SET_ASIDE: Final = "leads-set-aside"
ROLE: Final = "role"
LEADS: Final = "leads refused"
FOLDER: Final = "folder"
_BARE: Final = "bare"
_LIVE_PROBLEM: Final = "flaw"
NOT_OF_EDITS: Final = (DAMAGE, BACKUP, DATABASE_DAMAGE, SET_ASIDE, ROLE, LEADS, FOLDER, _BARE, _LIVE_PROBLEM)
"""Prefixes of the keys of causes that do not keep edits from going live."""


class Cause(NamedTuple):
    """One cause why edits are not live."""

    key: str
    """Stays equal while the cause lasts."""
    what: str
    fix: str
    since: datetime | None = None
    """Since when an edit waits; None if unknown."""
    is_urgent: bool = False
    """True: send the alert at once."""


def find_causes(reader: ReleaseReader, builds: Path) -> list[Cause]:
    """Return all current causes, regardless of their age."""
    outcome = read_outcome(builds)
    damage = list(_find_damage(builds))
    try:
        pointer = read_live(builds)
        return [
            *_find_unpublished(reader, pointer, outcome, builds),
            *_find_refused(reader),
            *_find_blocked(outcome),
            *_find_live_problems(outcome),
            *_find_sites(pointer),
            *_find_bare(reader, pointer),
            *_find_unverified(reader),
            *damage,
        ]
    except BuildError as error:
        return [Cause("pointer", str(error), _PUBLISHER), *damage]
    except Exception as error:
        trouble = find_trouble(error)
        if trouble is None:
            raise
        return [Cause("database", trouble.what, trouble.fix), *damage]


def _find_unpublished(
    reader: ReleaseReader, pointer: LivePointer, outcome: Outcome | None, builds: Path
) -> Iterator[Cause]:
    """Yield a cause if edits wait to become a release, or a release waits to go live on sites that are not pinned."""
    said = f" Error: {outcome.failure}" if outcome and outcome.failure else ""
    pending = reader.oldest_pending()
    following = not pointer.installation.is_pinned and not pointer.builds.keys() <= pointer.pins.keys()
    following = following or not pointer.builds
    unfollowed = reader.oldest_release_after(_followed(pointer, builds)) if following else None
    if since := min(filter(None, (pending, unfollowed)), default=None):
        yield Cause("publishing", f"Published edits do not go live.{said}", _PUBLISHER, since)


def _followed(pointer: LivePointer, builds: Path) -> int:
    """Return the release that all sites have reached, except sites that are pinned or have a problem.

    Each site group has its own publisher.
    """
    try:
        following = read_hosts(builds).sites.keys() & pointer.builds.keys()
    except FileNotFoundError:
        return pointer.installation.release
    following -= pointer.pins.keys() | pointer.problems.keys()
    return min([pointer.installation.release, *(pointer.releases[site] for site in following)])


def _find_refused(reader: ReleaseReader) -> Iterator[Cause]:
    """Yield the changes that could not be added to a release."""
    for item, since, problem in reader.refused():
        said = " ".join(say_each(unpack_all(problem, item)))
        yield Cause(f"refused {'/'.join(item)}", f"A change is blocked: {said}", _EDITOR, since)


def _find_blocked(outcome: Outcome | None) -> Iterator[Cause]:
    """Yield the changes that are in a release, but blocked on their sites."""
    for change in outcome.blocked if outcome else ():
        said = " ".join(say_each([change.problem]))
        yield Cause(f"held {change.site}/{change.kind}/{change.key}", f"A change is blocked: {said}", _EDITOR)


def _find_live_problems(outcome: Outcome | None) -> Iterator[Cause]:
    """Yield the problems that visitors see because a site had no other build to serve."""
    for problem in outcome.live_problems if outcome else ():
        said = " ".join(say_each([problem]))
        what = f"Site {problem.site} is live with a problem, because it had no other build to serve: {said}"
        yield Cause("/".join([_LIVE_PROBLEM, *map(str, problem.identity)]), what, _EDITOR)


def _find_bare(reader: ReleaseReader, pointer: LivePointer) -> Iterator[Cause]:
    """Yield a cause for each site that was live and has no build to serve: visitors get an error."""
    for site in read_last_live(reader).keys() - pointer.builds.keys():
        yield Cause(f"{_BARE}/{site}", f"Site {site} has nothing to serve, so visitors get an error.", _PUBLISHER)


def _find_sites(pointer: LivePointer) -> Iterator[Cause]:
    """Yield the sites that a problem keeps on an earlier release."""
    for site, problem in pointer.problems.items():
        yield Cause(f"site {site}", f"Site {site} stays on its earlier release: {problem}", _EDITOR)


def _find_unverified(reader: ReleaseReader) -> Iterator[Cause]:
    """Yield the sites whose public URL does not return the live build."""
    now = datetime.now(UTC)
    for row in reader.unverified():
        if now - row.since >= LATE_AFTER:
            said = say_answer(row.verdict, row.path, row.why)
            what = f"Release {row.release} is live on site {row.site}, but visitors may not see it: {said}"
            yield Cause(f"unverified {row.site}", what, _FRONT, row.since)


def _find_damage(builds: Path) -> Iterator[Cause]:
    """Yield a cause for damaged files that the integrity check could not repair."""
    report = read_damage(builds)
    said = [f"{file.place}: {file.what}." for file in report.files.values()] + list(report.manifests.values())
    if said:
        more = f" {len(said) - 1} more are damaged too." if len(said) > 1 else ""
        since = min((datetime.fromisoformat(file.since) for file in report.files.values()), default=None)
        fix = (
            "Check the disk. `portolan publish --full --keep-going` renders all live pages again. `portolan verify` lists files "
            "that are still damaged."
        )
        yield Cause(DAMAGE, f"Stored files are damaged: {said[0]}{more}", fix, since)

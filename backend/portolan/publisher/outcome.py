"""The result of each publisher's last publish, for editors."""

from collections.abc import Collection, Iterable, Sequence
from pathlib import Path
from typing import NamedTuple

import orjson

from ..builds.disk import make_folder, write_whole
from ..builds.manifest import now_iso
from ..domain.problems import BlockedChange, Problem, pack, unpack
from ..sites.groups import MAIN_GROUP


class Outcome(NamedTuple):
    """The result of a publish.

    ``release`` is live on every site, with the exceptions in the other fields.
    """

    release: int
    """0 if the publisher failed before it had a release."""
    at: str
    problems: list[Problem]
    """Problems of sites without a new build, which still show their previous state."""
    blocked: list[BlockedChange]
    """Changes that are blocked until an editor fixes them, while all others are live."""
    failure: str = ""
    """The error that stopped the publisher. An editor cannot fix it."""
    live_problems: Sequence[Problem] = ()
    """Problems that are live because the site had no other build to serve."""

    @property
    def is_live(self) -> bool:
        return not self.problems and not self.blocked and not self.failure

    def every_problem(self) -> list[Problem]:
        return list(dict.fromkeys([*self.problems, *(change.problem for change in self.blocked), *self.live_problems]))


def outcome_file(builds: Path, publisher: str = MAIN_GROUP) -> Path:
    return builds / (f"last-publish.{publisher}.json" if publisher else "last-publish.json")


def write_outcome(
    builds: Path,
    release: int,
    problems: Iterable[Problem] = (),
    blocked: Iterable[BlockedChange] = (),
    failure: str = "",
    publisher: str = MAIN_GROUP,
    live_problems: Iterable[Problem] = (),
) -> None:
    """Store the result. ``publisher``: the name of the ``Scope``."""
    document = {
        "release": release,
        "at": now_iso(),
        "problems": [pack(problem) for problem in problems],
        "held": [{**change._asdict(), "problem": pack(change.problem)} for change in blocked],
        "failure": failure,
        "flaws": [pack(problem) for problem in live_problems],
    }
    make_folder(builds)
    write_whole(str(outcome_file(builds, publisher)), orjson.dumps(document), 0o644)


def read_outcome(builds: Path) -> Outcome | None:
    """Return the result of all publishers, or None if missing or unreadable."""
    found = [outcome for file in _files(builds) if (outcome := _read(file))]
    if len(found) < 2:
        return found[0] if found else None
    return Outcome(
        min(outcome.release for outcome in found),
        max(outcome.at for outcome in found),
        [problem for outcome in found for problem in outcome.problems],
        [change for outcome in found for change in outcome.blocked],
        next((outcome.failure for outcome in found if outcome.failure), ""),
        [problem for outcome in found for problem in outcome.live_problems],
    )


def read_own_outcome(builds: Path, publisher: str) -> Outcome | None:
    """Return the result of one publisher, or None."""
    return _read(outcome_file(builds, publisher))


def drop_outcomes(builds: Path, keep: Collection[str]) -> None:
    """Remove the results of publishers that are not in ``keep``.

    Other publishers have their sites now.
    """
    for file in _files(builds)[1:]:
        if file.name.split(".")[1] not in keep:
            file.unlink(missing_ok=True)


def _files(builds: Path) -> list[Path]:
    return [outcome_file(builds), *sorted(builds.glob("last-publish.*.json"))]


def _read(file: Path) -> Outcome | None:
    try:
        document = orjson.loads(file.read_bytes())
        problems = [unpack(problem) for problem in document["problems"]]
        blocked = [BlockedChange(**{**change, "problem": unpack(change["problem"])}) for change in document["held"]]
        live_problems = [
            unpack(problem) for problem in document.get("flaws", ())
        ]  # the previous version wrote no flaws
        return Outcome(document["release"], document["at"], problems, blocked, document["failure"], live_problems)
    except (OSError, ValueError, KeyError, TypeError):
        return None

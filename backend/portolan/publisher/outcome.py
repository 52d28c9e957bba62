"""The result of the last publish, stored beside the builds: editors cannot see the publisher's log."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import orjson

from ..builds.disk import make_folder, write_whole
from ..builds.manifest import now_iso
from ..domain.problems import HeldChange, Problem, pack, unpack


class Outcome(NamedTuple):
    """``release`` is live on every site, except for what the other fields say."""

    release: int
    """0 where the publisher did not get as far as a release."""
    at: str
    problems: list[Problem]
    """Problems of sites that got no new build: they show what they showed before."""
    held: list[HeldChange]
    """Changes that wait until somebody fixes them, while everything else is live."""
    failure: str = ""
    """The error that stopped the publisher itself. An editor cannot fix it."""

    @property
    def is_live(self) -> bool:
        return not self.problems and not self.held and not self.failure

    def every_problem(self) -> list[Problem]:
        return list(dict.fromkeys([*self.problems, *(change.problem for change in self.held)]))


def outcome_file(builds: Path) -> Path:
    return builds / "last-publish.json"


def write_outcome(
    builds: Path,
    release: int,
    problems: Iterable[Problem] = (),
    held: Iterable[HeldChange] = (),
    failure: str = "",
) -> None:
    document = {
        "release": release,
        "at": now_iso(),
        "problems": [pack(problem) for problem in problems],
        "held": [{**change._asdict(), "problem": pack(change.problem)} for change in held],
        "failure": failure,
    }
    make_folder(builds)
    write_whole(str(outcome_file(builds)), orjson.dumps(document), 0o644)


def read_outcome(builds: Path) -> Outcome | None:
    """None before the first publish, and where the file cannot be read: the next publish writes a new one."""
    try:
        document = orjson.loads(outcome_file(builds).read_bytes())
        problems = [unpack(problem) for problem in document["problems"]]
        held = [HeldChange(**{**change, "problem": unpack(change["problem"])}) for change in document["held"]]
        return Outcome(document["release"], document["at"], problems, held, document["failure"])
    except (OSError, ValueError, KeyError, TypeError):
        return None

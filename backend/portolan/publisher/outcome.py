"""What became of the last publish, kept beside the builds for those who cannot see the publisher's log: editors."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

import orjson

from ..builds.disk import make_folder, write_whole
from ..builds.manifest import now_iso
from .problem import Problem


class Outcome(NamedTuple):
    """``release`` is live on every site, unless there are problems or a failure: then what was live before still is."""

    release: int
    """0 where the publisher did not get as far as a release."""
    at: str
    problems: list[Problem]
    failure: str = ""
    """What stopped the publisher itself. Nothing an editor could mend."""

    @property
    def is_live(self) -> bool:
        return not self.problems and not self.failure


def outcome_file(builds: Path) -> Path:
    return builds / "last-publish.json"


def write_outcome(builds: Path, release: int, problems: Iterable[Problem] = (), failure: str = "") -> None:
    document = {
        "release": release,
        "at": now_iso(),
        "problems": [problem._asdict() for problem in problems],
        "failure": failure,
    }
    make_folder(builds)
    write_whole(str(outcome_file(builds)), orjson.dumps(document), 0o644)


def read_outcome(builds: Path) -> Outcome | None:
    """None before the first publish, and where the file cannot be read: the next publish writes a new one."""
    try:
        document = orjson.loads(outcome_file(builds).read_bytes())
        problems = [Problem(**problem) for problem in document["problems"]]
        return Outcome(document["release"], document["at"], problems, document["failure"])
    except (OSError, ValueError, KeyError, TypeError):
        return None

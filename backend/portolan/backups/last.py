"""The time of this machine's last backup, and the failure of the newest attempt, for `portolan doctor` and alerts."""

import json
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from ..builds.disk import write_whole


class Last(NamedTuple):
    created: str
    """ISO time; empty if no backup has succeeded."""
    id: str
    target: str
    failure: str = ""
    """Error of the newest attempt; empty if it succeeded."""
    failed_at: str = ""
    """ISO time of the first failed attempt since the last success."""


def note_last(var_dir: Path, last: Last) -> None:
    write_whole(str(_file(var_dir)), json.dumps(last._asdict()).encode() + b"\n", 0o600)


def note_failure(var_dir: Path, target: str, why: str) -> None:
    """Store the failure next to the last successful backup."""
    last = read_last(var_dir) or Last("", "", target)
    since = last.failed_at or datetime.now(UTC).isoformat(timespec="seconds")
    note_last(var_dir, last._replace(failure=why, failed_at=since))


def read_last(var_dir: Path) -> Last | None:
    try:
        return Last(**json.loads(_file(var_dir).read_bytes()))
    except (FileNotFoundError, ValueError, TypeError):
        return None


def _file(var_dir: Path) -> Path:
    return var_dir / "last-backup.json"

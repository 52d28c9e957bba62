"""When this machine made its last backup, for `portolan doctor`."""

import json
from pathlib import Path
from typing import NamedTuple

from ..builds.disk import write_whole


class Last(NamedTuple):
    created: str
    """ISO."""
    id: str
    target: str


def note_last(var_dir: Path, last: Last) -> None:
    write_whole(str(_file(var_dir)), json.dumps(last._asdict()).encode() + b"\n", 0o600)


def read_last(var_dir: Path) -> Last | None:
    try:
        return Last(**json.loads(_file(var_dir).read_bytes()))
    except (FileNotFoundError, ValueError, TypeError):
        return None


def _file(var_dir: Path) -> Path:
    return var_dir / "last-backup.json"

"""Read and write this machine's copy of the sites that were added in the studio.

The database has them. Processes read the site configuration before they open the database, so each machine keeps a copy.
"""

import json
import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def read_added(file: Path | None) -> Mapping[str, Any]:
    """Return the entries of the site configuration by key; empty if there is no usable copy.

    A damaged copy is replaced from the database within seconds.
    """
    try:
        found = json.loads(file.read_text(encoding="utf-8")) if file else {}
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def write_added(file: Path, sites: Mapping[str, Any]) -> None:
    """Replace the copy if it differs."""
    if read_added(file) == sites:
        return
    file.parent.mkdir(parents=True, exist_ok=True)
    fresh = file.with_name(f"{file.name}.{os.getpid()}.new")
    fresh.write_text(json.dumps(sites, ensure_ascii=False, indent=1), encoding="utf-8")
    fresh.replace(file)

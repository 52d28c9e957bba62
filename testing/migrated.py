"""What empty databases follow from, and where the ones that were migrated are kept."""

import hashlib
from functools import cache
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).resolve().parents[1]
CACHE: Final = ROOT / "var" / "cache" / "tests"


@cache
def fingerprint() -> str:
    """Of everything the empty database follows from."""
    migrations = sorted((ROOT / "backend" / "portolan").glob("*/migrations/*.py"))
    digest = hashlib.sha256()
    for file in (*migrations, ROOT / "requirements-dev.lock", ROOT / "sites.toml"):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:16]

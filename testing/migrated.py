"""Fingerprint of the empty database."""

import hashlib
from functools import cache

from .kept import ROOT


@cache
def fingerprint() -> str:
    """Return a fingerprint of all inputs of the empty database."""
    migrations = sorted((ROOT / "backend" / "portolan").glob("*/migrations/*.py"))
    digest = hashlib.sha256()
    for file in (*migrations, ROOT / "requirements-dev.lock", ROOT / "sites.toml"):
        digest.update(file.name.encode() + file.read_bytes())
    return digest.hexdigest()[:16]

"""Compare machines of an installation by short hashes that reveal no secret."""

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from ... import __version__
from ...config.env import Env
from ...config.secret_key import load_secret_key
from .finding import Finding, problem, well

_SALT: Final = b"portolan.doctor"
_DIGITS: Final = 6
"""Enough to tell two values apart, too few to find a secret."""


def make_marks(settings: Env) -> dict[str, str]:
    """Return the hash of each secret and of the site configuration by name, ``version`` and ``environment`` as they are."""
    key = settings.secret_key or load_secret_key(settings.var_dir)
    secrets = {"PORTOLAN_SECRET_KEY": key, "DATABASE_URL": settings.database_url, "CACHE_URL": settings.cache_url}
    secrets |= settings.secrets
    return {
        "version": __version__,
        "environment": settings.environment,
        "registry": _mark(settings.registry.model_dump_json()),
        **{name: _mark(value) for name, value in sorted(secrets.items()) if value},
    }


def compare_marks(ours: dict[str, str], files: tuple[Path, ...]) -> Iterator[Finding]:
    """``files``: the output of ``portolan doctor --json`` on other machines."""
    for file in files:
        theirs: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))["marks"]
        different = sorted(name for name in ours.keys() & theirs.keys() if ours[name] != theirs[name])
        for name in different:
            yield problem(
                "machines",
                f"{name} differs from {file.name}.",
                "Use the same value on every machine of the installation.",
            )
        if not different:
            yield well("machines", f"{file.name} matches in {', '.join(sorted(ours.keys() & theirs.keys()))}")


def _mark(value: str) -> str:
    return hashlib.scrypt(value.encode(), salt=_SALT, n=1 << 14, r=8, p=1).hex()[:_DIGITS]

"""What has to be the same on every machine of an installation, as marks that show nothing of it."""

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
"""Enough to tell two apart, and too few to find a secret by."""


def make_marks(settings: Env) -> dict[str, str]:
    """By name; ``version`` and ``environment`` in words."""
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
    """``files``: what ``portolan doctor --json`` said on other machines."""
    for file in files:
        theirs: dict[str, str] = json.loads(file.read_text(encoding="utf-8"))["marks"]
        different = sorted(name for name in ours.keys() & theirs.keys() if ours[name] != theirs[name])
        for name in different:
            yield problem(
                "machines",
                f"{name} differs from that of {file.name}.",
                "Set the same on every machine of an installation.",
            )
        if not different:
            yield well("machines", f"{file.name} agrees in {', '.join(sorted(ours.keys() & theirs.keys()))}")


def _mark(value: str) -> str:
    return hashlib.scrypt(value.encode(), salt=_SALT, n=1 << 14, r=8, p=1).hex()[:_DIGITS]

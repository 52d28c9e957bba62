"""Fetch a node's packs from the shared store to the publisher's disk."""

import os
from collections.abc import Iterable
from hashlib import file_digest
from pathlib import Path

from ...builds.disk import PART_SUFFIX
from ...builds.manifest import BuildError
from ...builds.object_store import ObjectStore
from ...builds.pull import PACKS
from .messages import Pack


def fetch_packs(objects: ObjectStore, store: Path, packs: Iterable[Pack]) -> None:
    """Fetch these packs. Raise BuildError if one differs from the node's."""
    for pack in packs:
        _fetch(objects, store, pack)


def _fetch(objects: ObjectStore, store: Path, pack: Pack) -> None:
    path = store / "packs" / pack.name
    part = path.with_name(f"{pack.name}.{os.getpid()}{PART_SUFFIX}")
    try:
        objects.save(f"{PACKS}/{pack.name}", part)
        with part.open("rb") as file:
            if file_digest(file, "sha256").hexdigest() != pack.digest:
                raise BuildError(f"The pack {pack.name} arrived damaged from the shared store.")
        part.chmod(0o444)
        part.rename(path)
    finally:
        part.unlink(missing_ok=True)

"""State of the purges, so that failed and interrupted ones are done later."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import orjson

from ..builds.disk import make_folder, write_whole
from ..domain.moments import stamp


class Purged(NamedTuple):
    """The state of one site."""

    build: str
    """Differences between this build and the live one remain to be purged."""
    settled: str
    """The same for the second purge, for edges that followed later."""
    at: float
    """When ``build`` was purged (seconds since 1970)."""
    served: str
    """Digest of other settings that affect response headers."""


class PurgeFailure(NamedTuple):
    since: str
    """ISO time with offset."""
    sentence: str


class PurgeState(NamedTuple):
    sites: Mapping[str, Purged]
    failures: Mapping[str, PurgeFailure]
    """By the CDN's name: CDNs whose last purge failed."""


def purged_file(root: Path) -> Path:
    return root / "purged.json"


def read_purged(root: Path) -> PurgeState:
    """Return the state; empty before the first purge or if unreadable.

    An empty state repeats all purges.
    """
    try:
        document = orjson.loads(purged_file(root).read_bytes())
        return PurgeState(
            {site: Purged(*row) for site, row in document["sites"].items()},
            {name: PurgeFailure(*row) for name, row in document["failures"].items()},
        )
    except (OSError, ValueError, KeyError, TypeError):
        return PurgeState({}, {})


def write_purged(root: Path, state: PurgeState) -> None:
    document = {
        "sites": {site: tuple(row) for site, row in state.sites.items()},
        "failures": {name: tuple(row) for name, row in state.failures.items()},
    }
    make_folder(root)
    write_whole(str(purged_file(root)), orjson.dumps(document), 0o644)


def say_failures(root: Path) -> list[str]:
    """Return a sentence for each CDN that may still show replaced content."""
    return [
        f"{name} could not be purged since {stamp(failure.since)}: {failure.sentence.rstrip('.')}. It may show earlier "
        "content until that is fixed or its copies expire. The purge is tried again."
        for name, failure in read_purged(root).failures.items()
    ]

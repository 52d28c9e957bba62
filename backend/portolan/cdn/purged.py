"""What has been purged so far, stored beside the builds: a purge that failed, or whose process ended, is done later."""

from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

import orjson

from ..builds.disk import make_folder, write_whole
from ..domain.moments import stamp


class Purged(NamedTuple):
    """Of one site."""

    build: str
    """Whatever differs between this build and the live one is still to be purged."""
    settled: str
    """The same for the second purge, for edges that followed later."""
    at: float
    """When ``build`` was purged (seconds since 1970)."""
    served: str
    """What else its answers' headers follow from."""


class PurgeFailure(NamedTuple):
    since: str
    """ISO time with offset."""
    sentence: str


class PurgeState(NamedTuple):
    sites: Mapping[str, Purged]
    failures: Mapping[str, PurgeFailure]
    """By the CDN's name: those whose last purge failed."""


def purged_file(root: Path) -> Path:
    return root / "purged.json"


def read_purged(root: Path) -> PurgeState:
    """Empty before the first purge, and where the file cannot be read: then everything is purged once more."""
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
    """A sentence for each CDN that may still show what has been replaced."""
    return [
        f"{name} could not be told what to drop since {stamp(failure.since)}: {failure.sentence} It may show what was live before, "
        "until that is mended or its copies are too old. It is tried again."
        for name, failure in read_purged(root).failures.items()
    ]

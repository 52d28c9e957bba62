"""damage.json: damaged files that the scrub could not repair.

It also has the time of the last full round. Edges, the publisher and operators read it.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import orjson

from .disk import make_folder, write_whole

SAID_FILES: Final = 1000
"""Most files listed. Further ones are found again once these are repaired."""


class DamagedFile(NamedTuple):
    """A damaged file of which this machine has no intact copy."""

    digest: str
    size: int
    what: str
    """A description with the file's path."""
    place: str
    """One ``SITE BUILD PATH`` that uses it."""
    since: str
    """When it was found, ISO time with offset."""


class DamageReport(NamedTuple):
    files: Mapping[str, DamagedFile]
    """By digest. Repaired files are removed."""
    manifests: Mapping[str, str] = {}
    """``SITE BUILD`` of each unreadable manifest, with the reason."""
    passed: str = ""
    """End of the last full round, ISO time with offset; empty before the first one."""
    mended: int = 0
    """Number of files and copies repaired since the file was created."""


NO_DAMAGE: Final = DamageReport({})


def damaged_of(report: DamageReport, builds: Mapping[str, str]) -> frozenset[str]:
    """Return the digests of the damaged files in these builds (build by site)."""
    places = {f"{site} {build}" for site, build in builds.items()}
    return frozenset(file.digest for file in report.files.values() if file.place.rpartition(" ")[0] in places)


def damage_file(root: Path) -> Path:
    return root / "damage.json"


def read_damage(root: Path) -> DamageReport:
    """Return an empty report if there is none or it is unreadable.

    The scrub then writes a new one.
    """
    try:
        document = orjson.loads(damage_file(root).read_bytes())
        files = {row["digest"]: DamagedFile(**row) for row in document["files"]}
        return DamageReport(files, dict(document["manifests"]), str(document["passed"]), int(document["mended"]))
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        return NO_DAMAGE


def write_damage(root: Path, report: DamageReport) -> None:
    document = {**report._asdict(), "files": [file._asdict() for file in report.files.values()]}
    make_folder(root)
    write_whole(str(damage_file(root)), orjson.dumps(document) + b"\n", 0o644)

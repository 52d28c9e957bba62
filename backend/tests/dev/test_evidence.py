"""The committed evidence matches the repository, and names existing files."""

import json
from pathlib import Path

import pytest

from portolan import __version__
from portolan.config.project import ROOT
from portolan_dev.evidence import faults, requirements
from portolan_dev.evidence.components import Component, read_components
from portolan_dev.evidence.files import FOLDER, SBOM, of_components, of_tables
from portolan_dev.evidence.sbom import build_sbom
from portolan_dev.evidence.third_party import build_notices

ASVS_LEVELS = {"1": 70, "2": 183}


@pytest.fixture(scope="module")
def asvs() -> list[requirements.Requirement]:
    return requirements.read_requirements(ROOT / FOLDER / "asvs.csv")


def test_every_requirement_of_asvs_is_answered_by_what_is_there(asvs: list[requirements.Requirement]) -> None:
    assert {level: sum(row.level == level for row in asvs) for level in ASVS_LEVELS} == ASVS_LEVELS
    assert requirements.find_faults(asvs, ROOT) == []


def test_an_answer_that_nothing_shows_is_told() -> None:
    row = requirements.Requirement(
        "V1.1.1", "1", "met", "It is so", ("README.md", "backend/tests/dev/test_evidence.py::test_none"), ""
    )
    wrong = [
        row,
        row._replace(id="V1.1.2", shown_by=("README.md",)),
        row._replace(id="V1.1.3", answer="by design", shown_by=()),
        row._replace(id="V1.1.4", answer="by setting", shown_by=("README.md",)),
        row._replace(id="V1.1.5", answer="perhaps"),
    ]
    assert requirements.find_faults(wrong, ROOT) == [
        "V1.1.1: there is no backend/tests/dev/test_evidence.py::test_none",
        "V1.1.2: met, without a test",
        "V1.1.3: by design, without a file",
        "V1.1.4: by setting, without a reason",
        "V1.1.5: level 1 or answer 'perhaps' is unknown",
        "V1.1.5: there is no backend/tests/dev/test_evidence.py::test_none",
    ]


def test_every_fault_has_tests_that_are_there() -> None:
    known = faults.read_faults(ROOT / FOLDER)
    assert {f"R{number}" for number in range(1, 16)} <= {fault.id for fault in known}
    assert faults.find_missing(known, ROOT) == []
    assert {*faults.read_results(ROOT / FOLDER)} <= {fault.id for fault in known}


def test_what_follows_from_the_tables_is_current() -> None:
    for name, text in of_tables(ROOT / FOLDER).items():
        assert (ROOT / FOLDER / name).read_text(encoding="utf-8") == text, f"{name}: run make evidence"


def test_the_bill_of_materials_is_current() -> None:
    """Needs a built web, because the build lists its packages. `make test` builds it first."""
    if not (ROOT / "web/dist/web-build.json").exists():
        pytest.skip("the web is not built")
    for name, text in of_components(read_components(ROOT)).items():
        assert (ROOT / FOLDER / name).read_text(encoding="utf-8") == text, f"{name}: run make evidence"


def test_the_bill_names_each_package_of_each_lock_once() -> None:
    bill = json.loads((ROOT / FOLDER / SBOM).read_text(encoding="utf-8"))
    refs = [row["bom-ref"] for row in bill["components"]]
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.6")
    assert bill["metadata"]["component"]["version"] == __version__
    assert len(refs) == len({*refs})
    parts = {row["properties"][0]["value"] for row in bill["components"]}
    assert parts == {"browser", "rendering", "server", "setting", "tool"}
    carried = [row for row in bill["components"] if row["scope"] != "excluded"]
    assert [row["name"] for row in carried if not row.get("licenses")] == []


def test_equal_components_make_equal_bytes_and_others_another_number() -> None:
    one = [Component("npm", "@a/b", "1.0.0", "browser", "MIT", "ab"), Component("pypi", "c", "1", "server", "")]
    first, again = build_sbom(one, "1"), build_sbom(one, "1")
    assert first == again
    assert json.loads(first)["serialNumber"] != json.loads(build_sbom(one[:1], "1"))["serialNumber"]
    scoped, plain = json.loads(first)["components"]
    assert (scoped["group"], scoped["name"], scoped["purl"]) == ("@a", "b", "pkg:npm/%40a/b@1.0.0")
    assert "licenses" not in plain


def test_notices_are_of_what_is_carried_and_miss_nobody(tmp_path: Path) -> None:
    for name in ("carried", "tool"):
        (tmp_path / name).mkdir()
    (tmp_path / "carried" / "LICENSE.md").write_text("As you like.", encoding="utf-8")
    components = [Component("npm", "carried", "1", "browser", "MIT"), Component("npm", "tool", "1", "tool", "MIT")]
    assert "carried 1 (MIT)" in build_notices(components, tmp_path)
    assert "As you like." in build_notices(components, tmp_path)
    (tmp_path / "carried" / "LICENSE.md").unlink()
    with pytest.raises(FileNotFoundError, match="has no licence text"):
        build_notices(components, tmp_path)

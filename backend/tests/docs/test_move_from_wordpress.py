"""The converter of the guide for moving in, on the export in its folder."""

import sys
import tomllib
from pathlib import Path

from portolan.config.project import ROOT
from portolan.fixtures.load import read_folder
from portolan.sites.load import load_registry

from ..processes import run_program

EXAMPLE = ROOT / "examples" / "move-from-wordpress"


def test_an_export_becomes_fixtures_of_several_sites(tmp_path: Path) -> None:
    for site in ("en", "de"):
        run_program(
            [sys.executable, EXAMPLE / "convert.py", EXAMPLE / "export.xml", tmp_path, "--site", site], cwd=EXAMPLE
        ).check_returncode()
    found = read_folder(tmp_path, load_registry(ROOT / "sites.toml"))
    paths = ["/company/insights/second-crane", "/company/insights/winter-hours", "/services/berths"]
    assert {site: list(found.sites[site].pages) for site in found.sites} == {"en": paths, "de": paths}
    assert sorted(found.pictures.data["pictures"]) == ["2024-05-quay", "no-picture"]
    article = tomllib.loads((tmp_path / "en/pages/company/insights/second-crane.toml").read_text())
    assert article["fields"]["preview"] == {"picture": "2024-05-quay", "alt": ""}
    assert '<a page="/services/berths">berths</a>' in article["blocks"][1]["html"]
    rows = (tmp_path / "redirects-de.csv").read_text().split()
    assert rows[1] == "de,/2024/05/second-crane,/company/insights/second-crane,permanent,WordPress"

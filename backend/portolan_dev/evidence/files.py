"""Build the files of `docs/evidence/` from the repository."""

from pathlib import Path
from typing import Final

from portolan import __version__

from . import faults, requirements
from .components import Component, read_components
from .sbom import build_sbom
from .third_party import build_table

FOLDER: Final = Path("docs/evidence")
SBOM: Final = "sbom.cdx.json"


def build_files(root: Path) -> dict[str, str]:
    """Return the files by name. Needs a web build, which lists the web's packages."""
    folder = root / FOLDER
    components = read_components(root)
    return {**of_components(components), **of_tables(folder)}


def of_components(components: list[Component]) -> dict[str, str]:
    return {SBOM: build_sbom(components, __version__), "third-party.md": build_table(components)}


def of_tables(folder: Path) -> dict[str, str]:
    return {
        "asvs.md": requirements.build_summary(requirements.read_requirements(folder / "asvs.csv")),
        "faults.md": faults.build_report(faults.read_faults(folder), faults.read_results(folder)),
    }

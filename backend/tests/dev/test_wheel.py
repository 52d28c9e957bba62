"""The contents of a wheel, by its recipe (a journey installs one)."""

import tomllib
from collections.abc import Iterator
from pathlib import Path

from portolan.config.project import ROOT


def read_recipe() -> dict[str, object]:
    found: dict[str, object] = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]
    return found


def installed() -> Iterator[Path]:
    yield from (ROOT / "backend/portolan").rglob("*")


def test_it_has_the_product_alone() -> None:
    wheel = read_recipe()["build"]["targets"]["wheel"]  # type: ignore[index]
    assert wheel["packages"] == ["backend/portolan"]
    assert {"*.test.ts", "*.test.tsx", "/web/dist/.sources"} <= {*wheel["exclude"]}


def test_no_tests_and_no_version_control_lie_among_it() -> None:
    files = [*installed()]
    assert ROOT / "backend/portolan/__init__.py" in files
    assert [
        path for path in files if path.name in (".git", "tests") or path.name.startswith(("test_", "conftest"))
    ] == []

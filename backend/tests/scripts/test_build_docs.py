"""Faults that stop the build of the documentation site."""

import shutil
from pathlib import Path

import build_docs
import pytest


def copy_docs(folder: Path) -> Path:
    """Return a copy of docs/ in a checkout that is otherwise this one."""
    root = folder / "checkout"
    root.mkdir()
    for there in build_docs.ROOT.iterdir():
        if there.name != "docs":
            (root / there.name).symlink_to(there)
    shutil.copytree(build_docs.ROOT / "docs", root / "docs")
    return root / "docs"


@pytest.mark.parametrize(
    ("page", "text", "problem"),
    [
        ("index.md", "[x](nowhere.md)", "nowhere.md does not exist"),
        ("index.md", "![x](nowhere.png)", "nowhere.png does not exist"),
        ("deploy/roles.md", "[x](../../backend/nowhere.py)", "backend/nowhere.py does not exist"),
        ("unlisted.md", "# A page", "unlisted.md is not in both"),
        ("index.md", "[x](api.md#nowhere)", "anchor does not exist"),
        ("index.md", "```mermaid\n%% Label\nflowchart nonsense(\n```", "Diagram"),
    ],
)
def test_a_fault_stops_the_build(page: str, text: str, problem: str, tmp_path: Path) -> None:
    docs = copy_docs(tmp_path)
    with (docs / page).open("a", encoding="utf-8") as file:
        file.write(f"\n{text}\n")
    with pytest.raises(build_docs.Problems, match=problem):
        build_docs.build(docs.parent, tmp_path / "stage", tmp_path / "site")
    assert not (tmp_path / "site").exists()


def test_a_page_that_only_the_navigation_has_stops_the_build(tmp_path: Path) -> None:
    docs = copy_docs(tmp_path)
    (docs / "errors.md").rename(docs / "mistakes.md")
    with pytest.raises(build_docs.Problems, match=r"errors\.md"):
        build_docs.build(docs.parent, tmp_path / "stage", tmp_path / "site")

"""Edits to the site configuration reach running processes."""

from pathlib import Path

import pytest

from portolan.sites.follow import RegistryFile
from portolan.sites.load import RegistryError, read_registry

ROOT = Path(__file__).resolve().parents[3]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    file = tmp_path / "sites.toml"
    file.write_bytes((ROOT / "sites.toml").read_bytes())
    return file


def edit(file: Path, old: str, new: str) -> None:
    text = file.read_text(encoding="utf-8")
    assert old in text
    file.write_text(text.replace(old, new), encoding="utf-8")


def test_what_says_the_same_is_no_other_registry(file: Path) -> None:
    registry = RegistryFile(file, read_registry(file))
    file.touch()
    assert registry.find_other() is None
    edit(file, "# docs/privacy.md", "# a remark")
    assert registry.find_other() is None


def test_another_is_told_until_somebody_goes_by_it(file: Path) -> None:
    registry = RegistryFile(file, read_registry(file))
    edit(file, 'profile = "spec"', 'profile = "strict"')
    for _ in range(2):
        other = registry.find_other()
        assert other is not None
        assert other.sites["de"].consent.profile == "strict"
    edit(file, 'profile = "strict"', 'profile = "spec"')
    assert registry.find_other() is None


def test_one_that_cannot_be_used_is_told_once_with_all_its_problems(file: Path) -> None:
    registry = RegistryFile(file, read_registry(file))
    edit(file, 'profile = "spec"', 'profile = "loose"')
    edit(file, 'dir = "rtl"', 'dir = "up"')
    with pytest.raises(RegistryError) as caught:
        registry.find_other()
    assert len(caught.value.problems) > 8
    assert registry.find_other() is None
    file.unlink()
    with pytest.raises(RegistryError, match="cannot be read"):
        registry.find_other()
    assert registry.find_other() is None

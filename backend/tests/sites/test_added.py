"""Sites that were added in the studio: the copy in a file, next to ``sites.toml``."""

import json
from pathlib import Path

import pytest

from portolan.config.project import ROOT
from portolan.sites.added import read_added, write_added
from portolan.sites.follow import RegistryFile
from portolan.sites.load import RegistryError, read_registry

SITES = ROOT / "sites.toml"
GERMANY = read_registry(SITES).sites["de"].model_dump(mode="json", exclude={"key"})
ITALY = GERMANY | {
    "language": "it-IT",
    "hreflang": ["it"],
    "origins": {name: f"https://it.{name}.example" for name in GERMANY["origins"]},
}


def test_they_come_after_the_sites_of_the_file_which_has_priority() -> None:
    registry = read_registry(SITES, {"it": ITALY, "de": ITALY})
    assert list(registry.sites)[-1] == "it"
    assert registry.sites["de"].language == "de-DE"


def test_a_conflict_is_told_with_its_place() -> None:
    with pytest.raises(RegistryError, match=r"sites\.it\.hreflang: 'de' is already used by sites\.de"):
        read_registry(SITES, {"it": ITALY | {"hreflang": ["de"]}})


def test_the_copy_is_followed_like_the_file(tmp_path: Path) -> None:
    copy = tmp_path / "added-sites.json"
    followed = RegistryFile(SITES, read_registry(SITES), copy)
    assert followed.find_other() is None
    write_added(copy, {"it": ITALY})
    other = followed.find_other()
    assert other
    assert "it" in other.sites
    assert [file.name for file in tmp_path.iterdir()] == [copy.name]


@pytest.mark.parametrize("text", [None, "", "{", "[]", '"it"', "\x00"])
def test_a_damaged_copy_counts_as_none_until_it_is_renewed(tmp_path: Path, text: str | None) -> None:
    copy = tmp_path / "added-sites.json"
    if text is not None:
        copy.write_text(text, encoding="utf-8")
    assert read_added(copy) == {}
    write_added(copy, {"it": ITALY})
    assert json.loads(copy.read_text(encoding="utf-8")) == {"it": ITALY}

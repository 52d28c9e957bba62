"""``brand.toml`` next to the site configuration."""

from pathlib import Path

import pytest

from portolan.config.project import ROOT
from portolan.sites.brand import Brand
from portolan.sites.follow import RegistryFile
from portolan.sites.load import RegistryError, read_registry
from portolan.sites.registry import Registry

LOGO = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 4"><path d="M0 0h4v4z"/></svg>'


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "sites.toml").write_bytes((ROOT / "sites.toml").read_bytes())
    (tmp_path / "logo.svg").write_text(LOGO)
    return tmp_path


def read(folder: Path, brand: str) -> Registry:
    (folder / "brand.toml").write_text(brand)
    return read_registry(folder / "sites.toml")


def test_without_a_file_the_brand_is_the_products_own(folder: Path) -> None:
    assert read_registry(folder / "sites.toml").brand == Brand()


def test_files_are_read_from_its_folder_and_survive_being_handed_on_as_json(folder: Path) -> None:
    registry = read(folder, 'motif = "dots"\n[logo]\nfile = "logo.svg"\n')
    assert registry.brand.logo.file is not None
    assert (registry.brand.motif, registry.brand.logo.file.data) == ("dots", LOGO.encode())
    assert Registry.model_validate_json(registry.model_dump_json()) == registry


def test_colours_that_stood_in_the_registry_hold_until_there_is_a_brand(folder: Path) -> None:
    sites = folder / "sites.toml"
    former = '[company]\ntheme_color = "#000000"\nbrand_color = "#ff6a3d"\nbackground_color = "#101418"\n'
    sites.write_text(sites.read_text(encoding="utf-8").replace("[company]\n", former, 1), encoding="utf-8")
    colours = read_registry(sites).brand.colours
    assert (colours.accent, colours.ground) == ("#ff6a3d", "#101418")
    assert read(folder, '[colours]\naccent = "#35d0a5"\n').brand.colours.accent == "#35d0a5"


@pytest.mark.parametrize(
    ("brand", "problem"),
    [
        ("[colours]\nground = '#888888'", "white on the ground #888888 has a contrast of 3.5"),
        ("[colours]\naccent = '#222222'", "choose a lighter accent"),
        ("[colours]\naccent = 'red'", "colours.accent: 'red' does not fit; write a colour of six hexadecimal digits"),
        ("motif = 'waves'", "motif: 'waves' is not known; choose 'chart', 'dots' or 'none'"),
        ("[logo]\nfile = 'none.svg'", "logo.file: none.svg cannot be read (No such file or directory)"),
        ("[logo]\nfile = 'logo.png'", "logo.file: 'logo.png' is not a .svg file; use one"),
        ("[fonts]\nfamily = 'Inter'", "family and files belong together; set both"),
        ("[[fonts.files]]\nfile = 'a.woff2'\nweight = 'bold'", "write a weight, such as 400"),
        ("colour = 1", "colour: is not a known key"),
        ("[", "cannot be read"),
    ],
)
def test_what_is_wrong_is_told_with_the_file_it_stands_in(folder: Path, brand: str, problem: str) -> None:
    with pytest.raises(RegistryError) as caught:
        read(folder, brand)
    lines = str(caught.value).splitlines()[1:]
    assert [line for line in lines if line.startswith("  brand.toml: ") and problem in line], lines


def test_a_brand_has_no_second_place(folder: Path) -> None:
    sites = folder / "sites.toml"
    sites.write_text(sites.read_text(encoding="utf-8") + '[brand]\nmotif = "none"\n', encoding="utf-8")
    with pytest.raises(RegistryError, match=r"belongs in a file of its own; move it to brand\.toml"):
        read_registry(sites)


def test_an_edited_brand_or_logo_is_another_registry(folder: Path) -> None:
    followed = RegistryFile(folder / "sites.toml", read(folder, '[logo]\nfile = "logo.svg"\n'))
    assert followed.find_other() is None
    (folder / "logo.svg").write_text(LOGO.replace("h4", "h3"))
    assert followed.find_other() is not None
    (folder / "logo.svg").write_text(LOGO)
    assert followed.find_other() is None
    (folder / "brand.toml").write_text('motif = "none"\n[logo]\nfile = "logo.svg"\n')
    assert followed.find_other() is not None

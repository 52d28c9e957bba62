"""The web build with a company's brand and files."""

import os
from pathlib import Path

import orjson
import pytest

from portolan.config.project import ROOT
from portolan.publisher.company_web_build import CompanyFiles, load_company_web_build
from portolan.publisher.problem import UsageError
from portolan.publisher.web_build import load_web_build
from portolan.sites.brand import Brand, BrandFile, Colours, FontFile, Fonts, Logo

DIST = ROOT / "web" / "dist"
LOGO = (
    b'<svg xmlns="http://www.w3.org/2000/svg" width="8" height="4" onload="alert(1)"><script>1</script><defs>'
    b'<linearGradient id="a"/></defs> <path style="fill:url(#a)" d="M0 0"/></svg>'
)


def brand(logo: bytes = LOGO, **values: object) -> Brand:
    return Brand(logo=Logo(file=BrandFile(name="logo.svg", data=logo)), **values)  # type: ignore[arg-type]


def test_a_company_without_anything_of_its_own_has_the_products(tmp_path: Path) -> None:
    found = load_company_web_build(DIST, CompanyFiles(Brand(), tmp_path / "public"), tmp_path / "cache")
    assert found == load_web_build(DIST)


def test_colours_fonts_and_logo_are_in_a_web_build_like_any_other(tmp_path: Path) -> None:
    font = FontFile(file=BrandFile(name="own.woff2", data=b"letters"), weight="200 800", letters=["latin"])
    wanted = brand(
        colours=Colours(accent="#ff6a3d", ground="#101418"), motif="none", fonts=Fonts(family="Own", files=[font])
    )
    plain = load_web_build(DIST)
    found = load_company_web_build(DIST, CompanyFiles(wanted, tmp_path / "public"), tmp_path / "cache")
    assets = orjson.loads((found.dist / "server/assets.json").read_bytes())
    css = (found.dist / found.files[assets["stylesheet"]]).read_text()
    own_font = assets["fonts"]["latin"][0]
    assert "--signal:#ff6a3d" in css
    assert '{--font:"Own","Manrope"' in css
    assert f'url("{own_font}")' in css
    assert (found.dist / found.files[own_font]).read_bytes() == b"letters"
    assert assets["fonts"]["arabic"] == orjson.loads((DIST / "server/assets.json").read_bytes())["fonts"]["arabic"]
    assert assets["brand"] == {
        "logo": '<svg viewBox="0 0 8 4" aria-hidden="true"><defs><linearGradient id="logo-0"/></defs>'
        '<path d="M0 0" fill="url(#logo-0)"/></svg>',
        "nameBeside": True,
        "motif": "none",
    }
    assert assets["build"] == found.hash != plain.hash
    assert found.drawing != plain.drawing
    assert found.worker.is_file()
    assert (found.dist / "server/node_modules").resolve() == (DIST / "server/node_modules").resolve()


def test_sharing_pictures_are_drawn_again_for_another_brand_but_not_for_a_copied_file(tmp_path: Path) -> None:
    public = tmp_path / "public"
    public.mkdir()
    (public / "notes.txt").write_text("Text")
    first = load_company_web_build(DIST, CompanyFiles(brand(), public), tmp_path / "cache")
    os.utime(public / "notes.txt", (0, 0))  # as in another clone, or on another machine
    copied = load_company_web_build(DIST, CompanyFiles(brand(), public), tmp_path / "cache")
    other = load_company_web_build(DIST, CompanyFiles(brand(motif="none"), public), tmp_path / "cache")
    assert copied.hash != first.hash
    assert copied.drawing == first.drawing
    assert other.drawing != first.drawing


@pytest.mark.parametrize("with_brand", [False, True])
def test_a_company_that_chooses_preact_serves_no_react(with_brand: bool, tmp_path: Path) -> None:
    chosen = CompanyFiles(brand() if with_brand else Brand(), tmp_path / "public", "preact")
    plain = load_web_build(DIST)
    found = load_company_web_build(DIST, chosen, tmp_path / "cache")
    ours, products = (orjson.loads((dist / "server/assets.json").read_bytes()) for dist in (found.dist, DIST))
    assert ours["build"] == found.hash != plain.hash
    assert ours["script"] != products["script"] and ours["script"] in found.files
    assert set(ours["islands"]) == set(products["islands"])
    fetched = [url for urls in ours["islands"].values() for url in urls]
    assert set(fetched) <= set(found.files)
    sizes = {url: (found.dist / found.files[url]).stat().st_size for url in fetched}
    react = next(url for url in plain.files if url.startswith("/assets/react-"))
    (preact,) = (url for url in sizes if url.startswith("/assets/react-"))
    assert react not in found.files and preact not in plain.files
    assert sizes[preact] * 3 < (DIST / plain.files[react]).stat().st_size
    scripts = orjson.loads((found.dist / "web-build.json").read_bytes())["scripts"]
    assert {url for script in scripts for url in script["urls"]} <= set(found.files)
    assert {path for path in plain.files if not path.endswith(".js")} <= set(found.files)


def test_a_web_build_without_the_chosen_library_says_what_to_do(tmp_path: Path) -> None:
    dist = tmp_path / "dist"
    (dist / "server").mkdir(parents=True)
    record = orjson.loads((DIST / "web-build.json").read_bytes())
    del record["preact"]
    (dist / "web-build.json").write_bytes(orjson.dumps({**record, "serviceWorkers": {}}))
    (dist / "server/assets.json").write_bytes((DIST / "server/assets.json").read_bytes())
    with pytest.raises(UsageError, match="no scripts for it"):
        load_company_web_build(dist, CompanyFiles(Brand(), tmp_path / "public", "preact"), tmp_path / "cache")


def test_it_is_made_once_and_again_when_something_of_it_changes(tmp_path: Path) -> None:
    public = tmp_path / "public"
    public.mkdir()
    (public / "humans.txt").write_text("we")
    company = CompanyFiles(brand(), public)
    first = load_company_web_build(DIST, company, tmp_path / "cache")
    assert (first.dist / first.files["/humans.txt"]).read_text() == "we"
    assert load_company_web_build(DIST, company, tmp_path / "cache").dist == first.dist
    (public / "humans.txt").write_text("us all")
    os.utime(public / "humans.txt", (1, 1))
    second = load_company_web_build(DIST, company, tmp_path / "cache")
    assert second.hash != first.hash
    assert (second.dist / second.files["/humans.txt"]).read_text() == "us all"
    assert (first.dist / first.files["/humans.txt"]).read_text() == "we"


def test_the_products_own_files_are_left_as_they_are(tmp_path: Path) -> None:
    before = (DIST / "web-build.json").read_bytes()
    load_company_web_build(DIST, CompanyFiles(brand(), tmp_path), tmp_path / "cache")
    assert (DIST / "web-build.json").read_bytes() == before


@pytest.mark.parametrize("path", ["assets/own.js", "api/x.json", "sw.js", "media/a.png", "__form.html"])
def test_a_file_at_an_address_of_the_product_is_refused(tmp_path: Path, path: str) -> None:
    file = tmp_path / "public" / path
    file.parent.mkdir(parents=True)
    file.write_text("")
    with pytest.raises(UsageError, match="which is a URL of the product"):
        load_company_web_build(DIST, CompanyFiles(Brand(), tmp_path / "public"), tmp_path / "cache")
    assert not any(entry.is_dir() for entry in (tmp_path / "cache").iterdir())


@pytest.mark.parametrize(
    ("logo", "problem"),
    [
        (b"<svg", "cannot be used in pages"),
        (b'<svg xmlns="http://www.w3.org/2000/svg"/>', "Give its <svg> a viewBox"),
        (b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><style>a{}</style></svg>', "has a <style>"),
    ],
)
def test_a_drawing_that_pages_cannot_have_is_refused(tmp_path: Path, logo: bytes, problem: str) -> None:
    with pytest.raises(UsageError, match=problem):
        load_company_web_build(DIST, CompanyFiles(brand(logo), tmp_path / "public"), tmp_path / "cache")

"""A tab that is held open while pages go and come, and while another web build goes live (spec §8)."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import expect

from .editing import Editor, editing
from .faults import wait_until
from .product import ROOT, Product
from .tabs import CLICKED, NewTab, Tab, heading
from .test_open_tabs import ABOUT, CONTACT, OTHER_BUILD, TARGET, web_build

EVENT = "/events/light-pages-lyon"


@pytest.fixture(scope="module")
def an_editor(product: Product) -> Iterator[Editor]:
    with editing(product) as editor:
        yield editor


@pytest.fixture
def editor(an_editor: Editor) -> Iterator[Editor]:
    yield an_editor
    an_editor.put_back()


def test_a_tab_open_while_pages_go_and_come(tab: Tab, product: Product, editor: Editor) -> None:
    there, missing = heading(product, EVENT), heading(product, "/not-on-any-chart")
    tab.open("/")
    for hidden, shown in ((True, missing), (False, there)):
        editor.change(EVENT, "hidden_here", hidden)
        editor.wait_until_live()
        tab.follow(f"{EVENT}{CLICKED}")
        tab.expect_shown(f"{EVENT}{CLICKED}", shown)
        tab.follow(CONTACT)
        tab.expect_shown(CONTACT, heading(product, CONTACT))
    tab.page.go_back()
    tab.expect_shown(f"{EVENT}{CLICKED}", there)
    assert tab.same_document


def test_another_web_build_leaves_open_tabs_their_code(new_tab: NewTab, product: Product, tmp_path: Path) -> None:
    tab = new_tab()
    tab.open(ABOUT)
    old = web_build(product)
    built = Path(os.environ.get("PORTOLAN_WEB_DIST") or ROOT / "web" / "dist")
    with published_with(product, rename_code(built, tmp_path / "dist")):
        assert web_build(product) != old
        choices = tab.page.locator("main [role=group]").get_by_role("button")
        choices.nth(1).click()
        expect(choices.nth(1)).to_have_attribute("aria-pressed", "true")
        tab.follow(f"/{CLICKED}")
        tab.expect_shown(f"/{CLICKED}", heading(product, "/"))
        wait_until(lambda: not tab.same_document, "a document of its own")
        assert tab.page.locator("html").get_attribute("data-build") == web_build(product)
        tab.mark()
        tab.follow(TARGET)
        tab.expect_shown(TARGET, heading(product, ABOUT))
        choices.nth(1).click()
        expect(choices.nth(1)).to_have_attribute("aria-pressed", "true")
    assert web_build(product) == old


def rename_code(built: Path, other: Path) -> Path:
    """A web build with another hash, in which the code of one part has another name."""
    shutil.copytree(built, other)
    files = json.loads((other / "web-build.json").read_text())["files"]
    [code] = [other / file for url, file in files.items() if url.startswith("/assets/filter-offices-")]
    renamed = code.rename(code.with_name("filter-offices-ofanotherbuild.js"))
    old = json.loads((other / "web-build.json").read_text())["hash"]
    for file in [*other.glob("*.json"), *other.glob("server/*.json"), *other.glob("client/assets/*.js")]:
        file.write_text(file.read_text().replace(code.name, renamed.name).replace(old, OTHER_BUILD))
    return other


@contextmanager
def published_with(product: Product, web_dist: Path) -> Iterator[None]:
    publish = [str(Path(sys.executable).parent / "portolan"), "publish", "--site", "en", "--brotli", "0"]
    subprocess.run(
        publish, env={**product.environment, "PORTOLAN_WEB_DIST": str(web_dist)}, check=True, capture_output=True
    )
    try:
        yield
    finally:
        subprocess.run(publish, env=product.environment, check=True, capture_output=True)

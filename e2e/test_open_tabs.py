"""A tab that is held open while the site goes on: releases, other web builds, pages that go and come (spec §8).

Tests are named by the rows of `docs/page-runtime.md`.
"""

from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from playwright.sync_api import expect

from .editing import Editor, editing
from .faults import Faults, wait_until
from .product import Product
from .tabs import APP_DATA, CLICKED, NewTab, Tab, heading

ABOUT = "/about-us"
CONTACT = "/contact-us"
TARGET = f"{ABOUT}{CLICKED}#principles"
OTHER_BUILD = "f" * 32
GUARD = "sessionStorage.getItem('buildMismatchReload')"
PAGES = (ABOUT, "/services/web-development", "/project-cases/northwind-port-authority")


@pytest.fixture(scope="module")
def an_editor(product: Product) -> Iterator[Editor]:
    with editing(product) as editor:
        yield editor


@pytest.fixture
def editor(an_editor: Editor) -> Iterator[Editor]:
    yield an_editor
    an_editor.put_back()


def web_build(product: Product) -> str:
    build: str = product.get("en", APP_DATA).json()["buildHash"]
    return build


@contextmanager
def another_build(
    faults: Faults, product: Product, build: str = OTHER_BUILD, *, documents: bool = True
) -> Iterator[None]:
    """The site as it is after another web build: page data, app data and, unless a cache keeps them, documents."""
    old, new = web_build(product).encode(), build.encode()
    made = [faults.add(r"/page-data/.*", spoil=lambda body: body.replace(old, new))]
    if documents:
        made.append(faults.add(r"/.*", dest="document", spoil=lambda body: body.replace(old, new)))
    yield
    for fault in made:
        faults.remove(fault)


def settle(tab: Tab, asked: int) -> None:
    """Wait until so many answers about the live build have arrived and been processed."""
    wait_until(lambda: tab.answers(APP_DATA) >= asked, f"{asked} answers")
    tab.page.evaluate("async () => { await (await fetch('/favicon.svg')).text() }")


# One reload, guarded.


def test_g20_g21_a_document_of_an_old_build_is_loaded_once_more_and_never_again(
    tab: Tab, product: Product, faults: Faults
) -> None:
    with another_build(faults, product, documents=False):
        tab.page.goto(tab.origin + TARGET)
        faults.wait_for(APP_DATA, 2)
        tab.expect_shown(TARGET, heading(product, ABOUT))
        assert tab.documents(ABOUT) == 2
        assert tab.page.evaluate(GUARD)
        for asked in (3, 4):
            tab.page.reload()
            settle(tab, asked)
        assert tab.documents(ABOUT) == 4  # ours and the two of the test
        tab.expect_shown(TARGET, heading(product, ABOUT))


def test_g23_a_new_build_seen_on_the_way_is_one_full_load(tab: Tab, product: Product, faults: Faults) -> None:
    tab.open(f"/{CLICKED}")
    length = tab.page.evaluate("history.length")
    with another_build(faults, product):
        tab.follow(TARGET)
        tab.expect_shown(TARGET, heading(product, ABOUT))
        wait_until(lambda: not tab.same_document, "a document of its own")
        tab.wait_for_runtime(ABOUT)
        assert tab.documents(ABOUT) == 1
        assert tab.page.evaluate("history.length") == length + 1
        tab.mark()
        tab.follow(f"{CONTACT}{CLICKED}")
        tab.expect_shown(f"{CONTACT}{CLICKED}", heading(product, CONTACT))
        assert tab.same_document
        assert tab.page.evaluate(GUARD) is None


# Releases.


def test_a_tab_open_over_several_releases_shows_each_of_them(
    new_tab: NewTab, product: Product, faults: Faults, editor: Editor
) -> None:
    tab = new_tab()
    tab.open("/")
    for number, path in enumerate(PAGES, 1):
        title = f"Release {number} as an open tab sees it"
        editor.change(path, "seo_title", title)
        editor.wait_until_live()
        address = f"{path}{CLICKED}&n={number}#_main"
        tab.follow(address)
        tab.expect_shown(address, heading(product, path))
        expect(tab.page).to_have_title(title)
        expect(tab.alert).to_be_hidden()
        assert tab.same_document, f"release {number} was loaded as a document"
    assert tab.documents() == 1
    assert tab.page.evaluate(GUARD) is None


def test_a_tab_whose_frame_has_changed_loads_one_document(
    tab: Tab, product: Product, faults: Faults, editor: Editor
) -> None:
    tab.open("/")
    editor.change_phone("london", "+44 20 7946 0999")
    editor.wait_until_live()
    tab.follow(TARGET)
    tab.expect_shown(TARGET, heading(product, ABOUT))
    wait_until(lambda: not tab.same_document, "a document of its own")
    assert "+44 20 7946 0999" in tab.page.content()
    assert tab.documents(ABOUT) == 1
    tab.wait_for_runtime(ABOUT)
    tab.mark()
    tab.follow(f"{CONTACT}{CLICKED}")
    tab.expect_shown(f"{CONTACT}{CLICKED}", heading(product, CONTACT))
    assert tab.same_document
    assert tab.page.evaluate(GUARD) is None


# Without scripts.

#!/usr/bin/env python3
"""Takes the images of the editors' handbook from a running demo, in each of its languages: `python
scripts/take_handbook_pictures.py [--short] [VAR_DIR] [PORT]`, or `make handbook-pictures`.

Run it when the studio looks different, with a fresh demo: it leaves a change set and renamed pages.
"""

import argparse
import io
import re
import sqlite3
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Page, sync_playwright

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "backend")]

from e2e.administrators import add_administrator, sign_in_as  # noqa: E402
from e2e.conftest import CHROMIUM, CHROMIUM_FLAGS  # noqa: E402 - which browser there is
from e2e.product import Product  # noqa: E402
from portolan.sites.load import load_registry  # noqa: E402
from portolan.studio.handbook.pages import LANGUAGES, SIZE, SLUGS, picture_file  # noqa: E402

QUALITY: Final = 55
BROWSERS: Final = {"en": "en-GB", "de": "de-DE"}
PAGE: Final = "contact-us"
WHO: Final = "anna"
NEWEST: Final = "SELECT max(number) FROM releases_release"
TITLE: Final = {"en": "Contact us today", "de": "Kontakt, auch heute"}
NAME: Final = {"en": "Prices in spring", "de": "Preise im Frühjahr"}


class Studio:
    def __init__(self, page: Page, var_dir: Path, port: int, language: str) -> None:
        self.page, self.language = page, language
        self._origin = f"http://studio.localhost:{port}"
        self._database = var_dir / "portolan.sqlite3"

    def open(self, path: str) -> None:
        self.page.goto(f"{self._origin}/admin/{path}", wait_until="networkidle")

    def ask(self, query: str, *values: str) -> int:
        with sqlite3.connect(f"file:{self._database}?mode=ro", uri=True) as database:
            return int(database.execute(query, values).fetchone()[0])

    def page_form(self) -> str:
        site = {"en": "en", "de": "de"}[self.language]
        row = self.ask(
            "SELECT p.id FROM wagtailcore_page p JOIN wagtailcore_locale l ON l.id = p.locale_id "
            "WHERE p.slug = ? AND l.language_code LIKE ? ORDER BY p.id",
            PAGE,
            f"{site}%",
        )
        return f"pages/{row}/edit/"


def at(path: str) -> Callable[[Studio], None]:
    return lambda studio: studio.open(path)


def show_form(studio: Studio) -> None:
    studio.open(studio.page_form())
    studio.page.locator("[data-streamfield-child]").first.scroll_into_view_if_needed()


def show_checks(studio: Studio) -> None:
    """Show the page without its hero, in the form only: it stays unsaved."""
    studio.open(studio.page_form())
    head = studio.page.locator("[data-streamfield-child]").first
    head.get_by_role("button", name=re.compile("^(Delete|Löschen)")).first.click()
    button = studio.page.locator(".studio-to-fix__button")
    button.wait_for(state="visible")
    button.click()


def show_release(studio: Studio) -> None:
    """Show the release of an edit. The demo's first release went live while the demo was being made."""
    page = studio.page
    studio.open(studio.page_form())
    page.locator("#id_title").fill(TITLE[studio.language])
    before = studio.ask(NEWEST)
    page.locator("footer").get_by_role("button", name=re.compile("^(Publish|Veröffentlichen)")).first.click()
    while studio.ask(NEWEST) == before:
        page.wait_for_timeout(500)
    studio.open(f"releases/{studio.ask(NEWEST)}/")
    page.locator(f"[data-delivery-site={studio.language}][data-state=verified]").wait_for()
    page.reload(wait_until="networkidle")


def show_change_set(studio: Studio) -> None:
    page = studio.page
    studio.open(studio.page_form())
    title = page.locator("#id_title")
    title.fill(f"{title.input_value()} +")
    page.get_by_role("button", name=re.compile("^(More actions|Mehr Aktionen)")).last.click()
    page.locator("[name=action-change-set]").first.click()
    page.locator("[name=name]").fill(NAME[studio.language])
    page.locator("main form button[type=submit]").first.click()
    page.wait_for_load_state("networkidle")
    studio.open(f"changes/{studio.ask('SELECT max(id) FROM content_changeset')}/")


def with_table(path: str) -> Callable[[Studio], None]:
    """Start at its head."""

    def show(studio: Studio) -> None:
        studio.open(path)
        studio.page.get_by_role("table").last.evaluate("each => each.scrollIntoView({ behavior: 'instant' })")

    return show


VIEWS: Final[dict[str, Callable[[Studio], None]]] = {
    "dashboard": at(""),
    "edit-a-page": show_form,
    "checks": show_checks,
    "publishing": show_release,
    "change-sets": show_change_set,
    "translations": with_table("translations/"),
    "menus-and-entries": at("menus/"),
    "pictures-and-documents": at("images/"),
    "moving-and-deleting": at("redirects/former/"),
    "leads": with_table("leads/"),
    "people": with_table("users/new/"),
}


def main(var_dir: Path, port: int, is_short: bool) -> None:
    assert set(VIEWS) == set(SLUGS)
    views = dict([*VIEWS.items()][:1]) if is_short else VIEWS
    total = 0
    product = Product(var_dir, port, load_registry(ROOT / "sites.toml"))
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        for language in LANGUAGES:
            width, height = SIZE
            context = browser.new_context(
                viewport={"width": width, "height": height}, locale=BROWSERS[language], reduced_motion="reduce"
            )
            studio = Studio(context.new_page(), var_dir, port, language)
            studio.page.on("dialog", lambda dialog: dialog.accept())
            if language == LANGUAGES[0]:
                add_administrator(studio.page, product, WHO, "Anna Berg")
            else:
                sign_in_as(studio.page, product, WHO)
            for name, show in views.items():
                show(studio)
                studio.page.wait_for_timeout(700)
                file = picture_file(name, language)
                file.parent.mkdir(parents=True, exist_ok=True)
                Image.open(io.BytesIO(studio.page.screenshot())).convert("RGB").save(file, quality=QUALITY, method=6)
                total += file.stat().st_size
                print(f"{file.relative_to(ROOT)}: {file.stat().st_size // 1000} kB")
            context.close()
        browser.close()
    print(f"{total // 1000} kB in all")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("var_dir", nargs="?", type=Path, default=ROOT / "var")
    parser.add_argument("port", nargs="?", type=int, default=8000)
    parser.add_argument("--short", action="store_true", help="take the first picture of each language alone")
    asked = parser.parse_args()
    main(asked.var_dir, asked.port, asked.short)

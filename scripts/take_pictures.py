#!/usr/bin/env python3
"""Take the README's image of the page editor in a running demo: `python scripts/take_pictures.py [VAR_DIR] [PORT]`.

Needs the tools of `make test`. Run it when the editor looks different, with a fresh demo.
"""

import io
import json
import sqlite3
import sys
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Browser, FrameLocator, Page, Playwright, expect, sync_playwright

ROOT: Final = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "backend")]

from e2e.conftest import CHROMIUM, CHROMIUM_FLAGS  # noqa: E402 - the browser of the journeys
from e2e.editing import NOTE_WATCH, wait_until_watched  # noqa: E402

TARGET: Final = ROOT / "docs" / "pictures"
WINDOW: Final = (1240, 780)
WIDTH: Final = 1860
COLOURS: Final = 200
SCALE: Final = 2
SETTLED_MS: Final = 800
PAGE: Final = "/services/web-development"
ROW: Final = "SELECT id FROM wagtailcore_page WHERE url_path LIKE ?"
PREPARED: Final = """try {
    localStorage.setItem("wagtail:side-panel-width", "WIDTH");
    localStorage.setItem("wagtail_sidebar_collapsed", "1");
    document.cookie = "wagtail_sidebar_collapsed=1; path=/";
} catch {}"""
"""A wide preview and a narrow menu. A page without an origin has no storage, so errors are ignored."""


def main(var_dir: Path, port: int) -> None:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        page = open_studio(browser, var_dir, port, WINDOW, preview_px=560)
        shown = open_editor(page, var_dir, port)
        shown.locator("h1").click()
        page.wait_for_timeout(SETTLED_MS)
        save(page, TARGET / "editor.png")
        browser.close()


def save(page: Page, file: Path, width: int = WIDTH) -> None:
    """Save the window in few colours."""
    taken = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    small = taken.resize((width, width * taken.height // taken.width), Image.Resampling.LANCZOS)
    small.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(file, optimize=True)
    print(f"{file.relative_to(ROOT)}: {small.width} x {small.height}, {file.stat().st_size // 1000} kB")


def launch(playwright: Playwright) -> Browser:
    return playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)


def open_studio(browser: Browser, var_dir: Path, port: int, window: tuple[int, int], preview_px: int) -> Page:
    """Return a page that is signed in as the demo's editor, or as a company's first account."""
    logins = (var_dir / name for name in ("demo-login.json", "login.json"))
    login = json.loads(next(filter(Path.exists, logins)).read_text())
    context = browser.new_context(
        viewport={"width": window[0], "height": window[1]},
        device_scale_factor=SCALE,
        reduced_motion="reduce",
        locale="en-GB",
    )
    page = context.new_page()
    page.add_init_script(NOTE_WATCH)
    page.add_init_script(PREPARED.replace("WIDTH", str(preview_px)))
    page.goto(f"http://studio.localhost:{port}/admin/")
    page.fill("input[name=username]", login["user"])
    page.fill("input[name=password]", login["password"])
    page.press("input[name=password]", "Enter")
    page.wait_for_load_state("networkidle")
    return page


def open_editor(page: Page, var_dir: Path, port: int) -> FrameLocator:
    """Open the form of the demo's page with its preview, and return the preview."""
    row = query(var_dir, ROW, f"%/en{PAGE}/")
    page.goto(f"http://studio.localhost:{port}/admin/pages/{row}/edit/", wait_until="networkidle")
    wait_until_watched(page)
    page.locator('[data-side-panel-toggle="preview"]').click()
    shown = page.frame_locator("#w-preview-iframe")
    expect(shown.locator("[data-block]").nth(1)).to_have_attribute("tabindex", "0")
    page.wait_for_timeout(SETTLED_MS)
    return shown


def query(var_dir: Path, statement: str, *values: str) -> int:
    """Return the only number that the demo's database answers with."""
    with sqlite3.connect(f"file:{var_dir / 'portolan.sqlite3'}?mode=ro", uri=True) as database:
        return int(database.execute(statement, values).fetchone()[0])


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "var", int(sys.argv[2]) if len(sys.argv) > 2 else 8000)

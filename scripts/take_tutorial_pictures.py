#!/usr/bin/env python3
"""Take the images of docs/howto/model-your-content.md: `python scripts/take_tutorial_pictures.py VAR_DIR PORT`.

Needs the tools of `make test`, and a running company in which the tutorial was followed to its end.
"""

import sys
from pathlib import Path

from playwright.sync_api import Page, expect, sync_playwright
from take_pictures import SETTLED_MS, TARGET, launch, open_studio, query, save, wait_until_watched

WINDOW = (1240, 700)
TALL = 860
WIDTH = 1240
PREVIEW_PX = 560
HOME = "SELECT id FROM wagtailcore_page WHERE slug = 'en' AND depth = 2"
TEAM = "SELECT id FROM wagtailcore_page WHERE slug = 'platform'"
JOB = "SELECT id FROM content_job"


def main(var_dir: Path, port: int) -> None:
    studio = f"http://studio.localhost:{port}/admin"
    with sync_playwright() as playwright:
        browser = launch(playwright)
        page = open_studio(browser, var_dir, port, WINDOW, PREVIEW_PX)

        page.goto(f"{studio}/pages/{query(var_dir, HOME)}/edit/", wait_until="networkidle")
        wait_until_watched(page)
        page.locator('[data-side-panel-toggle="preview"]').click()
        shown = page.frame_locator("#w-preview-iframe")
        heading = shown.get_by_role("heading", name="Why people stay")
        expect(heading).to_be_visible()
        heading.click()
        settle(page)
        save(page, TARGET / "model-block.png", WIDTH)

        page.goto(f"{studio}/pages/{query(var_dir, TEAM)}/edit/", wait_until="networkidle")
        settle(page)
        save(page, TARGET / "model-page.png", WIDTH)

        page.goto(f"{studio}/snippets/content/job/edit/{query(var_dir, JOB)}/", wait_until="networkidle")
        page.locator('[data-side-panel-toggle="preview"]').click()
        page.set_viewport_size({"width": WINDOW[0], "height": TALL})
        settle(page)
        save(page, TARGET / "model-collection.png", WIDTH)

        page.goto(f"http://localhost:{port}/", wait_until="networkidle")
        page.get_by_role("button", name="Reject all").click()
        page.get_by_role("heading", name="Why people stay").evaluate("node => node.closest('section').scrollIntoView()")
        settle(page)
        save(page, TARGET / "model-live.png", WIDTH)
        browser.close()


def settle(page: Page) -> None:
    page.wait_for_timeout(SETTLED_MS)


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))

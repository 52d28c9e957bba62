#!/usr/bin/env python3
"""Record the README's animation in a running demo: `python scripts/record_tour.py [VAR_DIR] [PORT]`.

An editor changes a heading in the preview, publishes it, follows the delivery status, looks at two sites, and rolls back.
Needs the tools of `make test` and a fresh demo. In the end the old heading is published again.
"""

import io
import re
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image, ImageChops, ImageDraw, ImageFont
from playwright.sync_api import Locator, Page, expect, sync_playwright
from take_pictures import PAGE, ROOT, SCALE, SETTLED_MS, TARGET, launch, open_editor, open_studio, query

FILE: Final = TARGET / "tour.webp"
MOST_BYTES: Final = 2_000_000
WIDTH: Final = 1200
WINDOW: Final = (1440, 860)
PREVIEW_PX: Final = 720
BAR: Final = 44
CAPTION: Final = 56
GAP: Final = 12
QUALITY: Final = 62
ZOOM: Final = 2.4
ZOOM_LEFT: Final = 60
POLL_MS: Final = 300
MOST_WAIT_S: Final = 60
NAVY, BAR_GREY, INK, YELLOW, WHITE = "#020d1c", "#e4e7ec", "#1d2734", "#ffdb00", "#ffffff"

SITES: Final = ("en", "uk")
HEADING: Final = "Websites that are live in a second"
LETTERS: Final = 3
NEWEST: Final = "SELECT max(number) FROM releases_release"
STEPS: Final = {
    "edit": "1  Edit the heading in the preview",
    "publish": "2  Publish",
    "status": "3  Follow the delivery status, site by site",
    "live": "4  Live on both domains",
    "back": "5  Roll back to the release before",
    "was": "6  Visitors see the earlier page again",
}


class View(NamedTuple):
    url: str
    shot: Image.Image


class Film:
    """Frames, each with its duration in milliseconds."""

    def __init__(self) -> None:
        self.frames: list[Image.Image] = []
        self.durations: list[int] = []
        self._small = ImageFont.load_default(17)
        self._large = ImageFont.load_default(25)

    def add(self, step: str, views: Sequence[View], ms: int, cursor: tuple[float, float] | None = None) -> None:
        """Append a frame; add its time to the last frame if nothing changed."""
        frame = self._draw(step, views, cursor)
        if self.frames and not ImageChops.difference(frame, self.frames[-1]).getbbox():
            self.durations[-1] += ms
            return
        self.frames.append(frame)
        self.durations.append(ms)

    def save(self, file: Path) -> None:
        first, *others = self.frames
        first.save(
            file,
            save_all=True,
            append_images=others,
            duration=self.durations,
            loop=0,
            quality=QUALITY,
            method=6,
            minimize_size=True,
        )

    def _draw(self, step: str, views: Sequence[View], cursor: tuple[float, float] | None) -> Image.Image:
        height = WIDTH * WINDOW[1] // WINDOW[0]
        frame = Image.new("RGB", (WIDTH, BAR + height + CAPTION), NAVY)
        draw = ImageDraw.Draw(frame)
        each = (WIDTH - GAP * (len(views) - 1)) // len(views)
        for place, view in enumerate(views):
            left = place * (each + GAP)
            draw.rectangle((left, 0, left + each, BAR), fill=BAR_GREY)
            draw.rounded_rectangle((left + 14, 7, left + each - 14, BAR - 8), 14, fill=WHITE)
            draw.text((left + 30, 11), view.url, font=self._small, fill=INK)
            shot = view.shot.crop((0, 0, min(view.shot.width, view.shot.height * each // height), view.shot.height))
            frame.paste(shot.resize((each, height), Image.Resampling.LANCZOS), (left, BAR))
        if cursor:
            scale = WIDTH / WINDOW[0]
            self._point(draw, cursor[0] * scale, BAR + cursor[1] * scale)
        top = BAR + height
        draw.rectangle((0, top, WIDTH, top + CAPTION), fill=NAVY)
        draw.rectangle((0, top, 8, top + CAPTION), fill=YELLOW)
        draw.text((28, top + 13), STEPS[step], font=self._large, fill=WHITE)
        return frame

    def _point(self, draw: ImageDraw.ImageDraw, x: float, y: float) -> None:
        arrow = ((0, 0), (0, 22), (5, 17), (9, 26), (13, 24), (9, 16), (16, 16))
        draw.polygon([(x + a, y + b) for a, b in arrow], fill=INK, outline=WHITE, width=2)


class Tour:
    def __init__(self, page: Page, port: int) -> None:
        self.page, self.port, self.film = page, port, Film()

    def shoot(self, page: Page | None = None) -> View:
        page = page or self.page
        shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        return View(page.url.removeprefix("http://").removesuffix("/edit/"), shot)

    def hold(self, step: str, ms: int, at: Locator | None = None) -> None:
        self.film.add(step, [self.shoot()], ms, middle(at) if at else None)

    def zoom(self, step: str, ms: int) -> None:
        """Record the lower left corner of the form, enlarged: Publish and its delivery status."""
        view = self.shoot()
        width, height = (round(side * SCALE / ZOOM) for side in WINDOW)
        left, bottom = ZOOM_LEFT * SCALE, view.shot.height
        self.film.add(step, [View(view.url, view.shot.crop((left, bottom - height, left + width, bottom)))], ms)

    def visit(self, step: str, ms: int) -> None:
        views = []
        for site in SITES:
            host = "" if site == "en" else f"{site}."
            page = self.page.context.new_page()
            page.set_viewport_size({"width": WINDOW[0] // 2, "height": WINDOW[1]})
            page.goto(f"http://{host}localhost:{self.port}{PAGE}", wait_until="networkidle")
            for answer in page.locator("[data-consent-choice]:visible").all()[:1]:
                answer.click()
                answer.wait_for(state="hidden")
                page.reload(wait_until="networkidle")
            page.wait_for_timeout(SETTLED_MS)
            views.append(self.shoot(page))
            page.close()
        self.film.add(step, views, ms)


def middle(locator: Locator) -> tuple[float, float]:
    """Return the centre of an element in pixels of the window, frames included."""
    box = locator.bounding_box()
    assert box
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def main(var_dir: Path, port: int) -> None:
    with sync_playwright() as playwright:
        browser = launch(playwright)
        page = open_studio(browser, var_dir, port, WINDOW, PREVIEW_PX)
        tour = Tour(page, port)
        before = query(var_dir, NEWEST)
        edit(tour, var_dir)
        publish(tour)
        tour.visit("live", 3200)
        roll_back(tour, before)
        tour.visit("was", 3200)
        put_back(page, port, query(var_dir, NEWEST))
        browser.close()
    film = tour.film
    film.save(FILE)
    size = FILE.stat().st_size
    seconds = sum(film.durations) / 1000
    print(f"{FILE.relative_to(ROOT)}: {len(film.frames)} frames, {seconds:.0f} s, {size // 1000} kB")
    if size > MOST_BYTES:
        sys.exit(f"It has more than {MOST_BYTES // 1000} kB. Lower QUALITY or WIDTH.")


def edit(tour: Tour, var_dir: Path) -> None:
    """Open the page's form with its preview, and type the new heading in place."""
    page = tour.page
    shown = open_editor(page, var_dir, tour.port)
    heading = shown.locator("h1")
    tour.hold("edit", 1600)
    heading.dblclick()
    expect(shown.locator("h1[contenteditable]")).to_be_focused()
    page.keyboard.press("ControlOrMeta+a")
    tour.hold("edit", 900, heading)
    for first in range(0, len(HEADING), LETTERS):
        page.keyboard.type(HEADING[first : first + LETTERS])
        tour.hold("edit", 150)
    page.keyboard.press("Enter")
    expect(shown.locator("h1:not([contenteditable])")).to_contain_text(HEADING[-6:])
    page.wait_for_timeout(SETTLED_MS)
    tour.hold("edit", 1000)


def publish(tour: Tour) -> None:
    """Press Publish and record the delivery status of each site until all are verified."""
    page = tour.page
    button = page.get_by_role("button", name=re.compile("^Publish")).first
    tour.hold("publish", 900, button)
    button.click()
    sites = page.locator(".studio-published-box [data-delivery-site]")
    tour.hold("publish", 400)
    end = time.monotonic() + MOST_WAIT_S
    while time.monotonic() < end:
        tour.zoom("status", POLL_MS)
        states = sites.evaluate_all("each => each.map((one) => one.dataset.state)")
        if states and set(states) == {"verified"}:
            break
        page.wait_for_timeout(POLL_MS)
    else:
        sys.exit("The release was not verified on every site in time. Is the demo's publisher running?")
    page.wait_for_timeout(SETTLED_MS)
    tour.zoom("status", 2600)


def roll_back(tour: Tour, release: int) -> None:
    """Show visitors an earlier release again, on every site."""
    page = tour.page
    page.goto(f"http://studio.localhost:{tour.port}/admin/releases/{release}/show-again/", wait_until="networkidle")
    button = page.locator("main form button[type=submit]").last
    tour.hold("back", 2200, button)
    button.click()
    page.wait_for_load_state("networkidle")
    tour.hold("back", 1500)


def put_back(page: Page, port: int, release: int) -> None:
    """Let the sites follow the newest release again, and revert its changes."""
    page.goto(f"http://studio.localhost:{port}/admin/", wait_until="networkidle")
    page.get_by_role("button", name=re.compile("^Resume")).first.click()
    page.wait_for_load_state("networkidle")
    page.goto(f"http://studio.localhost:{port}/admin/releases/{release}/revert/", wait_until="networkidle")
    page.locator("main form button[type=submit]").last.click()
    page.wait_for_load_state("networkidle")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "var", int(sys.argv[2]) if len(sys.argv) > 2 else 8000)

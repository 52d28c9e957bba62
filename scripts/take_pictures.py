#!/usr/bin/env python3
"""Takes the README's pictures of a running demo: `python scripts/take_pictures.py [VAR_DIR] [PORT]`.

Needs what `make test` installs. To be run when pages or studio look different, with a fresh demo.
"""

import io
import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final, NamedTuple

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

ROOT: Final = Path(__file__).resolve().parents[1]
TARGET: Final = ROOT / "docs" / "pictures"
GAP_PX: Final = 16
COLOURS: Final = 128


class View(NamedTuple):
    """A window on a page: `selector` is what stands at its top, the page's own top where there is none."""

    host: str
    path: str
    width: int
    height: int
    selector: str = ""


PHONE: Final = (390, 800)
PICTURES: Final[dict[str, tuple[int, Sequence[View]]]] = {
    "home": (1936, (View("", "/", 1280, 820), View("ae.", "/", 1280, 820))),
    "pages": (
        1936,
        (
            View("de.", "/industries/telecom", 1280, 820, "#porting"),
            View("", "/project-cases", 1280, 820, "main section:nth-of-type(2)"),
        ),
    ),
    "phone": (
        1600,
        (
            View("", "/services/dedicated-team", *PHONE),
            View("ae.", "/services/ai", *PHONE),
            View("de.", "/project-cases/northwind-port-authority", *PHONE),
            View("pl.", "/industries/healthcare", *PHONE, "main section:nth-of-type(2)"),
        ),
    ),
    "studio": (1936, (View("studio.", "/admin/leads/", 1280, 820), View("studio.", "/admin/pages/", 1280, 820))),
}
"""By file: its width, and the views that stand side by side in it."""


def main(var_dir: Path, port: int) -> None:
    sys.path.insert(0, str(ROOT))  # the journeys know which browser there is, and how it is started
    from e2e.conftest import CHROMIUM, CHROMIUM_FLAGS

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=CHROMIUM_FLAGS)
        login = json.loads((var_dir / "demo-login.json").read_text())
        for name, (width, views) in PICTURES.items():
            row = join([take(browser, view, port, login) for view in views], width)
            file = TARGET / f"{name}.png"
            row.quantize(COLOURS, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE).save(file, optimize=True)
            print(f"{file.relative_to(ROOT)}: {row.width} x {row.height}, {file.stat().st_size // 1000} kB")
        browser.close()


def take(browser: Browser, view: View, port: int, login: dict[str, str]) -> Image.Image:
    context = browser.new_context(
        viewport={"width": view.width, "height": view.height}, reduced_motion="reduce", device_scale_factor=2
    )
    page = context.new_page()
    if view.host == "studio.":
        sign_in(page, login)
    page.goto(f"http://{view.host}localhost:{port}{view.path}", wait_until="networkidle")
    for answer in page.locator("[data-consent-choice]:visible").all()[:1]:
        answer.click()
        answer.wait_for(state="hidden")
        page.reload(wait_until="networkidle")  # without the word of thanks
    if view.selector:
        page.locator(view.selector).first.evaluate("element => element.scrollIntoView({ behavior: 'instant' })")
    page.wait_for_timeout(1000)
    taken = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    context.close()
    return taken


def sign_in(page: Page, login: dict[str, str]) -> None:
    page.goto(login["url"])
    page.fill("input[name=username]", login["user"])
    page.fill("input[name=password]", login["password"])
    page.press("input[name=password]", "Enter")
    page.wait_for_load_state("networkidle")


def join(views: Sequence[Image.Image], width: int) -> Image.Image:
    """Side by side on white, brought to ``width``; all are as wide and high as the first."""
    each = (width - GAP_PX * (len(views) - 1)) // len(views)
    height = each * views[0].height // views[0].width
    row = Image.new("RGB", (width, height), "white")
    for place, view in enumerate(views):
        row.paste(view.resize((each, height), Image.Resampling.LANCZOS), (place * (each + GAP_PX), 0))
    return row


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else ROOT / "var", int(sys.argv[2]) if len(sys.argv) > 2 else 8000)

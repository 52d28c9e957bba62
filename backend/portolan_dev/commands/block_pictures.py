"""``portolan block-pictures``: draw the studio's preview images of blocks from the gallery of examples."""

import json
import os
import shutil
import subprocess
import tempfile
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from PIL import Image

from ..short_form import short_form

if TYPE_CHECKING:
    from playwright.sync_api import Page, Route

_ROOT: Final = Path(__file__).parents[3]
FOLDER: Final = _ROOT / "backend/portolan/studio/static/studio/blocks"
_EXAMPLES: Final = _ROOT / "contract/examples/blocks"
_ORIGIN: Final = "http://gallery.localhost"
_ALONE: Final = "body > :not(main) { visibility: hidden !important }"
_WIDE: Final = 1280
_TALLEST: Final = 960
_DRAWN: Final = 640
_ANY_PICTURE: Final = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1600 900"><path fill="#9fb4c7" d="M0 0h1600v900H0z"/>'
    '<path fill="#5a7092" d="m0 900 520-480 330 300 230-210 520 390z"/></svg>'
)


@click.command()
@click.argument("blocks", nargs=-1, metavar="[BLOCK]...")
@short_form(blocks=["rich_text"])
def command(blocks: Sequence[str]) -> None:
    """Draw the preview images of blocks for the studio."""
    from playwright.sync_api import sync_playwright

    chromium = os.environ.get("PORTOLAN_CHROMIUM") or shutil.which("chromium")
    if chromium is None:
        raise click.ClickException("Chromium is not installed. Run apt-get install chromium, or set PORTOLAN_CHROMIUM.")
    with tempfile.TemporaryDirectory(prefix="portolan-gallery-") as name, sync_playwright() as playwright:
        gallery = Path(name)
        make = ["npm", "run", "--silent", "gallery", "--", name, "--unchecked"]
        subprocess.run(make, cwd=_ROOT / "web", check=True, stdout=subprocess.DEVNULL)
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        context = browser.new_context(
            viewport={"width": _WIDE, "height": _TALLEST}, java_script_enabled=False, reduced_motion="reduce"
        )
        context.route(f"{_ORIGIN}/**", lambda route: _answer(route, gallery))
        page = context.new_page()
        page.goto(f"{_ORIGIN}/blocks.html", wait_until="load", timeout=120_000)
        FOLDER.mkdir(exist_ok=True)
        for path in sorted(_EXAMPLES.glob("*.default.json")):
            block = json.loads(path.read_bytes())
            if blocks and block["type"] not in blocks:
                continue
            _draw(page, block["id"], FOLDER / f"{block['type']}.webp")
        browser.close()
    size = sum(path.stat().st_size for path in FOLDER.glob("*.webp"))
    click.echo(f"{len([*FOLDER.glob('*.webp')])} images, {size / 1000:,.0f} kB")


def _draw(page: "Page", id: str, path: Path) -> None:
    block = page.locator(f'[data-block="{id}"]')
    block.scroll_into_view_if_needed()
    shot = block.screenshot(
        animations="disabled", timeout=120_000, style=_ALONE
    )  # waits for fonts and for images that become visible
    drawn = Image.open(BytesIO(shot))
    part = drawn.crop((0, 0, drawn.width, min(drawn.height, _TALLEST)))
    part.resize((_DRAWN, part.height * _DRAWN // part.width)).convert("RGB").save(path, "WEBP", quality=70, method=6)


def _answer(route: "Route", gallery: Path) -> None:
    path = route.request.url.removeprefix(_ORIGIN).partition("?")[0]
    if path.startswith("/media/"):
        route.fulfill(body=_ANY_PICTURE, content_type="image/svg+xml")
    elif (file := gallery / path.lstrip("/")).is_file():
        route.fulfill(path=file)
    else:
        route.fulfill(status=404)

"""``portolan bench-editor``: measure clicks and seconds of twenty editor tasks."""

import json
import os
import shutil
import time
from typing import Final

import click

from portolan.config.env import env

from ..bench.editor_tasks import TASKS, Hand, Task
from ..short_form import short_form

_BROWSERS: Final = ("chromium-headless-shell", "chromium")
_WAIT_MS: Final = 20_000


@click.command()
@click.option("--only", default="", help="Run tasks up to the last one with this name.")
@short_form(only=TASKS[1].name)
def command(only: str) -> None:
    """Measure the clicks and seconds of an editor's tasks.

    Needs the running demo. A key press counts as a click. Typed text counts as none.
    The demo is changed: leads get notes, and there are more releases.
    """
    from playwright.sync_api import Error, sync_playwright
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False, soft_wrap=True)
    chromium = os.environ.get("PORTOLAN_CHROMIUM") or next(filter(None, map(shutil.which, _BROWSERS)), None)
    if chromium is None:
        raise click.ClickException("Chromium is not installed. Run apt-get install chromium, or set PORTOLAN_CHROMIUM.")
    login = env().var_dir / "demo-login.json"
    if not login.exists():
        raise click.ClickException("There is no demo. Run `make demo`, and leave it running.")
    name = json.loads(login.read_text())
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("", "clicks", "seconds"):
        table.add_column(column, justify="left" if not column else "right")
    failed: list[str] = []
    last = max((number for number, task in enumerate(TASKS) if only and only in task.name), default=len(TASKS) - 1)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium, args=["--no-sandbox", "--disable-gpu"])
        page = browser.new_page(viewport={"width": 1440, "height": 1000})
        page.set_default_timeout(_WAIT_MS)
        hand = Hand(page, env().registry.studio_origin("local", env().port))
        page.goto(f"{hand.studio}/admin/login/")
        page.get_by_label("Username").fill(name["user"])
        page.get_by_label("Password").fill(name["password"])
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/admin/")
        for task in TASKS[: last + 1]:
            try:
                with console.status(task.name):
                    clicks, seconds = _do(hand, task)
                table.add_row(task.name, str(clicks), f"{seconds:.1f}")
            except (Error, TimeoutError) as error:
                failed.append(f"{task.name}: {str(error).splitlines()[0]} at {page.url}")
                table.add_row(task.name, "-", "-")
        browser.close()
    console.print(table)
    if failed:
        raise click.ClickException("\n".join(["Failed:", *failed]))


def _do(hand: Hand, task: Task) -> tuple[int, float]:
    before, began = hand.clicks, time.monotonic()
    task.do(hand)
    return hand.clicks - before, time.monotonic() - began

"""``portolan demo``: create and serve eight sites. Finished steps are skipped, and data is kept."""

import hashlib
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Final

import click
from rich.console import Console

from portolan.commands.init import print_login
from portolan.commands.steps import Steps
from portolan.config.empty_database import prepare_database
from portolan.config.env import Env, env
from portolan.config.project import ROOT
from portolan.config.start_django import start_django
from portolan.releases.database_errors import find_trouble
from portolan.releases.reader import open_reader

_WEB: Final = ROOT / "web"
SOURCES_STAMP: Final = ".sources"
"""Name of the file with the hash of a web build's sources."""
_WEB_SOURCES: Final = ("src", "scripts", "*.json", "*.ts", ".npmrc", "../contract/constants.json")


@click.command()
@click.option("--serve/--no-serve", default=True, help="Serve the sites after publishing.")
@click.option("--brotli", type=click.IntRange(0, 11), help="Brotli quality, as for `portolan publish`.")
@click.pass_context
def command(ctx: click.Context, serve: bool, brotli: int | None) -> None:
    """Create, publish and serve the demo."""
    from portolan.commands import publish as publish_command
    from portolan.commands import serve as serve_command
    from portolan.commands import sites as sites_command

    from . import seed as seed_command

    started = time.monotonic()
    console = Console(stderr=True, highlight=False)
    steps = Steps(console)
    settings = env()
    if serve:
        serve_command.check_ready(settings, settings.host)
    _build_web(steps, settings)
    if _has_every_migration(settings):
        steps.skipped("Database", "has every migration")
    else:
        with steps.step("Preparing the database"):
            _migrate()
    with steps.step("Adding the sites to the studio"):
        sites_command.sync_studio(settings)
    if _has_release(settings):
        steps.skipped("Demo content", "exists; your edits are kept")
    else:
        console.print("  … Loading the demo content; drawing its images once takes longest")
        ctx.invoke(seed_command.command)
    ctx.invoke(publish_command.command, brotli=brotli)
    console.print(f"\n  Ready after {time.monotonic() - started:.0f} s.")
    print_login(console, settings, settings.var_dir / "demo-login.json")
    if serve:
        # As a new command: Django is loaded here, and its settings could not follow the site configuration.
        code = "from portolan.commands.main import main; main()"
        os.execv(sys.executable, [sys.executable, "-c", code, "serve"])  # noqa: S606


def _build_web(steps: Steps, settings: Env) -> None:
    stamp = settings.web_dist / SOURCES_STAMP
    wanted = fingerprint_web()
    if (settings.web_dist / "web-build.json").exists() and stamp.exists() and stamp.read_text() == wanted:
        steps.skipped("Web build", "is current")
        return
    tools = Path(sys.executable).parent  # the environment's Node; the machine's own may be too old
    path = os.pathsep.join((str(tools), os.environ.get("PATH", "")))
    with steps.step("Building the web: browser assets and render worker"):
        done = subprocess.run(
            [tools / "npm", "run", "--silent", "build"],
            cwd=_WEB,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
        )
    if done.returncode:
        raise click.ClickException(
            f"The web build failed, so no page can be rendered:\n{(done.stdout + done.stderr)[-3000:]}\n"
            "Fix this, then run `npm run build` in web/ to repeat only this step."
        )
    stamp.write_text(wanted)


def fingerprint_web() -> str:
    """Return a digest of all sources of a web build."""
    digest = hashlib.sha256()
    files = {file for pattern in _WEB_SOURCES for file in _WEB.glob(pattern)}
    files |= {file for folder in list(files) if folder.is_dir() for file in folder.rglob("*")}
    for file in sorted(files):
        if file.is_file():
            digest.update(str(file.relative_to(_WEB)).encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()


def _has_every_migration(settings: Env) -> bool:
    """Check without Django, which takes seconds to load."""
    try:
        reader = open_reader(settings.database)
        try:
            reader.require_fit(settings.registry.plugins)
        finally:
            reader.close()
    except Exception as error:
        if find_trouble(error) is None:
            raise
        return False
    return True


def _migrate() -> None:
    start_django()
    prepare_database()


def _has_release(settings: Env) -> bool:
    return open_reader(settings.database).latest() is not None

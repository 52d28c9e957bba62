"""``portolan build``: build the web with the blocks and page types of the company's plugins, by Vite on this machine."""

import os
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from contextlib import closing, suppress
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Final

import click
from rich.console import Console

from ..config.env import Env, env
from ..config.project import OWN_WEB, find_products_web_dist, find_web_source
from ..config.start_django import start_django, start_django_to_write
from ..content.plugins import find_plugin_folder
from ..domain.company_day import company_day
from ..domain.words import say_count
from ..publisher.company_web_build import write_made_from
from ..releases.database_errors import find_trouble
from ..releases.missing_plugins import count_pages_of_missing_plugins, find_lost_blocks, say_missing_plugins
from ..releases.reader import open_reader
from .companion import own_command
from .plugin_sources import PluginSources, check_types, find_plugin_sources
from .steps import Steps

_SOURCES: Final = ("web", "contract")
_LEFT_OUT: Final = ("node_modules", "dist", "dist-*", ".stryker-tmp", "frozen")
_MOST_LINES: Final = 20
_OF_NODE: Final = re.compile(
    r"\s+at |\s*\^|node:|\s*triggerUncaught|Node\.js v|.*/node_modules/\S+:\d+$|\s*\[Symbol|\s+result = "
)
_LOOK_S: Final = 0.5


@click.command()
@click.option(
    "--node-modules",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="Folder with the web's packages. Default: npm installs them once.",
)
@click.option("--watch", is_flag=True, help="Keep running. Build and publish again when you save a plugin's file.")
@click.option(
    "--take-missing-offline",
    is_flag=True,
    help="Unpublish pages of plugins that sites.toml does not name. They stay in the studio as drafts.",
)
def command(node_modules: Path | None, watch: bool, take_missing_offline: bool) -> None:
    """Build the web with the plugins that sites.toml names.

    Pages are then rendered with this build.
    """
    settings = env()
    if take_missing_offline:
        _take_missing_offline()
    _refuse_to_lose_pages(settings)
    if watch:
        _stay(settings, ["--node-modules", str(node_modules)] if node_modules else [])
        return
    steps = Steps(Console(stderr=True, highlight=False))
    own = settings.var_dir / OWN_WEB
    if not settings.registry.plugins:
        shutil.rmtree(own, ignore_errors=True)
        steps.skipped("Web build", "sites.toml names no plugins, so the web build of Portolan is used")
        return
    folder = settings.var_dir / "cache" / "web-source"
    sources = find_plugin_sources(settings, folder)
    with steps.step("Laying out the sources"):
        _lay_out(find_web_source(), folder)
        sources.copy()
        start_django()
        schemas = sources.write_schemas()
    if node_modules:
        _use(node_modules, folder / "web")
    elif not _has_packages(folder / "web"):
        with steps.step("Installing the web's packages (npm)"):
            _run(
                ["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund"],
                sources,
                "The packages could not be installed",
            )
            _packages_stamp(folder / "web").write_text(_packages_mark(folder / "web"))
    with steps.step("Checking the plugins' components against their schemas"):
        _run(
            ["node", "scripts/plugin-types.ts", str(schemas)], sources, "No types could be made of the plugins' schemas"
        )
        for file in sources.hand_out_types():
            steps.console.print(f"    {file}", soft_wrap=True)
        check = [
            "node",
            "node_modules/typescript/bin/tsc",
            "--noEmit",
            "--pretty",
            "false",
            "-p",
            "tsconfig.plugins.json",
        ]
        if (done := _ask(check, sources)).returncode:
            check_types(done.stdout + done.stderr, sources)
    with steps.step("Building the web"):
        said = _run(["npm", "run", "--silent", "build"], sources, "The web could not be built")
        write_made_from(folder / "web/dist", find_products_web_dist())
        _replace(own, folder / "web/dist")
    for line in said.splitlines():
        if line.startswith("Too heavy"):
            steps.console.print(f"    [yellow]{line}[/]", soft_wrap=True)


def _refuse_to_lose_pages(settings: Env) -> None:
    """Raise ClickException if pages would lose their layout or components, which would block publishing."""
    try:
        with closing(open_reader(settings.database)) as reader:
            missing = count_pages_of_missing_plugins(reader, settings.registry.plugins)
            lost = {} if missing else find_lost_blocks(reader, settings.registry.sites, _known_blocks(settings))
    except Exception as error:
        if find_trouble(error) is None:
            raise
        return  # no database, or it is unavailable: nothing is rendered either
    if missing:
        raise click.ClickException(
            f"{say_missing_plugins(missing)} The web was not built: these pages would have no layout, and their sites could "
            "not be published. Name the plugin again, or unpublish the pages: portolan build --take-missing-offline"
        )
    if lost:
        told = "".join(f"\n  {type}: {where}" for type, where in lost.items())
        raise click.ClickException(
            "Pages have blocks of types that neither Portolan nor a plugin provides. The web was not built: these blocks could "
            "not be rendered, and their sites could not be published. Name the plugin again. Or save those pages in the studio, "
            f"which drops the blocks, publish, and build again.{told}"
        )


def _known_blocks(settings: Env) -> set[str] | None:
    """Return the types of blocks, or None if only those of Portolan were ever used."""
    if not settings.registry.plugins and not (settings.var_dir / OWN_WEB).exists():
        return None
    start_django()
    from ..content.blocks import BLOCKS

    return {block.type_name() for block in BLOCKS}


def _take_missing_offline() -> None:
    start_django_to_write()
    from ..releases.author import acting_as
    from ..releases.create import create_release
    from ..studio.missing_plugins import take_offline

    with acting_as("build"):
        count = take_offline()
    if count:
        create_release("build", company_day(datetime.now(UTC), env().registry.company.time_zone))
        click.echo(
            f"{say_count(count, 'page is a draft', 'pages are drafts')} now. The next publish takes them off the sites.",
            err=True,
        )


def _stay(settings: Env, options: Sequence[str]) -> None:
    """Build and publish at each change, in a new process, because Python imports a plugin once."""
    console = Console(stderr=True, highlight=False)
    before: Mapping[Path, int] = {}
    with suppress(KeyboardInterrupt):
        while True:
            now = _times(settings)
            if now != before:
                before = now
                build = own_command(os.getpid(), "build", *options)
                if subprocess.run(build, cwd=settings.project).returncode == 0:
                    subprocess.run(own_command(os.getpid(), "publish"), cwd=settings.project)
                console.print("[dim]Waiting for you to save a plugin's file. Press Ctrl-C to stop.[/]")
            time.sleep(_LOOK_S)


def _times(settings: Env) -> dict[Path, int]:
    """Return when each file of the plugins was written, except types.ts, which builds write."""
    folders = [find_plugin_folder(name) for name in settings.registry.plugins]
    return {
        file: file.stat().st_mtime_ns
        for folder in folders
        for file in folder.rglob("*")
        if file.is_file() and "__pycache__" not in file.parts and file.name != "types.ts"
    }


def _lay_out(source: Path, folder: Path) -> None:
    for name in _SOURCES:
        target = folder / name
        for entry in target.iterdir() if target.is_dir() else ():
            if entry.name != "node_modules":
                shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
        shutil.copytree(source / name, target, ignore=shutil.ignore_patterns(*_LEFT_OUT), dirs_exist_ok=True)


def _use(node_modules: Path, web: Path) -> None:
    link = web / "node_modules"
    if link.is_symlink():
        link.unlink()
    elif link.exists():
        shutil.rmtree(link)
    link.symlink_to(node_modules.resolve())


def _packages_stamp(web: Path) -> Path:
    return web / "node_modules" / ".portolan"


def _packages_mark(web: Path) -> str:
    return sha256((web / "package-lock.json").read_bytes()).hexdigest()


def _has_packages(web: Path) -> bool:
    stamp = _packages_stamp(web)
    return stamp.is_file() and stamp.read_text() == _packages_mark(web)


def _ask(arguments: Sequence[str], sources: PluginSources) -> "subprocess.CompletedProcess[str]":
    """Run a Node tool in the folder of the web."""
    tools = Path(sys.executable).parent  # the environment's Node; the machine's own may be too old
    path = os.pathsep.join((str(tools), os.environ.get("PATH", "")))
    tool, *rest = arguments
    return subprocess.run(
        [tools / tool, *rest],
        cwd=sources.target / "web",
        env={**os.environ, "PATH": path},
        capture_output=True,
        text=True,
    )


def _run(arguments: Sequence[str], sources: PluginSources, failure: str) -> str:
    """Return the tool's output. Raise ClickException with its relevant lines."""
    done = _ask(arguments, sources)
    said = done.stdout + done.stderr
    if done.returncode:
        raise click.ClickException(
            f"{failure}, so the sites stay as they are:\n{_find_message(sources.translate(said))}\nFix this, then run the command again."
        )
    return said


def _find_message(said: str) -> str:
    """Return the lines from the first error on, without Node's stack lines."""
    lines = [line for line in said.strip().splitlines() if line.strip() and not _OF_NODE.match(line)]
    first = next((index for index, line in enumerate(lines) if "rror" in line), max(0, len(lines) - _MOST_LINES))
    return "\n".join(lines[first : first + _MOST_LINES])


def _replace(target: Path, source: Path) -> None:
    old = target.with_name(f"{target.name}-old")
    shutil.rmtree(old, ignore_errors=True)
    if target.exists():
        target.rename(old)
    source.rename(target)
    shutil.rmtree(old, ignore_errors=True)

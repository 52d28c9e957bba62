"""``portolan build``: the web with the blocks of the company's plugins, by Vite, on the user's own machine."""

import os
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from hashlib import sha256
from importlib.util import find_spec
from pathlib import Path
from typing import Final

import click
from rich.console import Console

from ..config.env import Env, env
from ..config.project import OWN_WEB, find_products_web_dist, find_web_source
from ..publisher.company_web_build import write_made_from
from .steps import Steps

_SOURCES: Final = ("web", "contract")
_LEFT_OUT: Final = ("node_modules", "dist", "dist-*", ".stryker-tmp", "frozen")
_PLUGINS: Final = "web/src/blocks/plugins"
_WEB_FILES: Final = (".tsx", ".ts", ".css", ".svg", ".woff2")
_LAST_LINES: Final = 25


@click.command()
@click.option(
    "--node-modules",
    type=click.Path(exists=True, file_okay=False, path_type=Path),
    help="The web's packages, where they are installed already; npm installs them otherwise, once.",
)
def command(node_modules: Path | None) -> None:
    """Build the web with the plugins that sites.toml names; pages are rendered with it from then on."""
    settings = env()
    steps = Steps(Console(stderr=True, highlight=False))
    own = settings.var_dir / OWN_WEB
    if not settings.registry.plugins:
        shutil.rmtree(own, ignore_errors=True)
        steps.skipped("Web build", "sites.toml names no plugins, so the product's own is right")
        return
    folder = settings.var_dir / "cache" / "web-source"
    with steps.step("Laying out the sources"):
        _lay_out(find_web_source(), folder)
        for name, source in _find_plugins(settings):
            _copy_plugin(source, folder / _PLUGINS / name)
    if node_modules:
        _use(node_modules, folder / "web")
    elif not _has_packages(folder / "web"):
        with steps.step("Installing the web's packages (npm)"):
            _npm(
                ["ci", "--ignore-scripts", "--no-audit", "--no-fund"],
                folder / "web",
                "The packages could not be installed",
            )
            _packages_stamp(folder / "web").write_text(_packages_mark(folder / "web"))
    with steps.step("Building the web"):
        _npm(["run", "--silent", "build"], folder / "web", "The web could not be built")
        write_made_from(folder / "web/dist", find_products_web_dist())
        _replace(own, folder / "web/dist")


def _lay_out(source: Path, folder: Path) -> None:
    for name in _SOURCES:
        target = folder / name
        for entry in target.iterdir() if target.is_dir() else ():
            if entry.name != "node_modules":
                shutil.rmtree(entry) if entry.is_dir() and not entry.is_symlink() else entry.unlink()
        shutil.copytree(source / name, target, ignore=shutil.ignore_patterns(*_LEFT_OUT), dirs_exist_ok=True)


def _find_plugins(settings: Env) -> Iterator[tuple[str, Path]]:
    """Modules and their folders."""
    sys.path.append(str(settings.project))
    for name in settings.registry.plugins:
        spec = find_spec(name)
        if spec is None or not spec.submodule_search_locations:
            raise click.ClickException(
                f"The plugin {name} of sites.toml is no package that Python finds, so nothing was built. Put its folder beside "
                "sites.toml, install it, or take it out of plugins."
            )
        yield name, Path(spec.submodule_search_locations[0])


def _copy_plugin(source: Path, target: Path) -> None:
    for file in source.rglob("*"):
        if file.suffix in _WEB_FILES and "node_modules" not in file.parts:
            place = target / file.relative_to(source)
            place.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(file, place)


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


def _npm(arguments: Sequence[str], folder: Path, failure: str) -> None:
    tools = Path(sys.executable).parent  # Node of the environment, not the machine's own: that may be too old
    path = os.pathsep.join((str(tools), os.environ.get("PATH", "")))
    done = subprocess.run(
        [tools / "npm", *arguments], cwd=folder, env={**os.environ, "PATH": path}, capture_output=True, text=True
    )
    if done.returncode:
        last = "\n".join((done.stdout + done.stderr).strip().splitlines()[-_LAST_LINES:])
        raise click.ClickException(
            f"{failure}, so the sites stay as they are:\n{last}\nFix what it says and run this again."
        )


def _replace(target: Path, source: Path) -> None:
    old = target.with_name(f"{target.name}-old")
    shutil.rmtree(old, ignore_errors=True)
    if target.exists():
        target.rename(old)
    source.rename(target)
    shutil.rmtree(old, ignore_errors=True)

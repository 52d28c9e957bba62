"""Projects of the other generators: one page template each for the same content, installed by npm from lock files."""

import os
import shutil
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final, NamedTuple

import click

_HERE: Final = Path(__file__).parent
_NPM: Final = str(Path(sys.executable).with_name("npm"))
_NODE: Final = str(Path(sys.executable).with_name("node"))
_INSTALLS_WITHIN_S: Final = 600


class Peer(NamedTuple):
    name: str
    folder: Path
    arguments: tuple[str, ...]
    """Of Node, in the project's folder. It writes into ``out/``."""

    @property
    def command(self) -> list[str]:
        return [_NODE, *self.arguments]


PEERS: Final = (
    Peer("Eleventy 3, no React", _HERE / "eleventy", ("node_modules/@11ty/eleventy/cmd.cjs",)),
    Peer("Astro 7, React", _HERE / "astro", ("node_modules/astro/bin/astro.mjs", "build")),
)


def install(peer: Peer, npm: str = _NPM) -> None:
    """Install the packages of the lock file, unless they are installed. Raise ClickException if npm cannot get them."""
    modules = peer.folder / "node_modules"
    if _is_installed(peer):
        return
    command = [npm, "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--fetch-retries=1", "--fetch-timeout=30000"]
    try:
        done = subprocess.run(command, cwd=peer.folder, capture_output=True, text=True, timeout=_INSTALLS_WITHIN_S)
        said = "" if done.returncode == 0 else done.stderr[-1000:]
    except (subprocess.TimeoutExpired, OSError) as error:
        said = str(error)
    if said or not _is_installed(peer):
        shutil.rmtree(modules, ignore_errors=True)
        raise click.ClickException(
            f"{peer.name} cannot be installed, because npm cannot reach a package registry. Nothing was measured. "
            f"To measure Portolan alone, run `portolan bench-build --content peers`.\n{said}"
        )


def prepare(peer: Peer, folder: Path) -> None:
    """Create a fresh copy of the project without builds. Copies share its packages."""
    shutil.copytree(peer.folder, folder, ignore=shutil.ignore_patterns("node_modules"))
    shutil.copy(_HERE / "site.css", folder / "src" / "site.css")
    (folder / "node_modules").symlink_to(peer.folder / "node_modules")


def environment(content: Path) -> Mapping[str, str]:
    quiet = {"CI": "1", "ASTRO_TELEMETRY_DISABLED": "1", "DO_NOT_TRACK": "1"}
    return {**os.environ, **quiet, "CONTENT": str(content)}


def read_sizes(folder: Path) -> list[int]:
    """Return the bytes of each page that was built in a copy of a project."""
    return [file.stat().st_size for file in (folder / "out").rglob("index.html")]


def _is_installed(peer: Peer) -> bool:
    return (peer.folder / peer.arguments[0]).is_file()

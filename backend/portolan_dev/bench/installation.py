"""An installation for benchmarks: generated content in its own folder, and publishers as processes."""

import os
import subprocess
import sys
from collections.abc import Mapping
from datetime import UTC, datetime
from itertools import chain
from pathlib import Path
from typing import Final, NamedTuple

from portolan.builds.live import read_live
from portolan.builds.manifest import read_manifest
from portolan.config.env import env
from portolan.domain.company import company_age
from portolan.publisher.web_build import load_web_build

from .contents import Content, divide, media_names
from .items import Item
from .measured import Measured, measure
from .registry import site_keys, write_registry_file
from .release_database import ReleaseDatabase

PORTOLAN: Final = str(Path(sys.executable).with_name("portolan"))
EDITOR: Final = (sys.executable, "-m", "portolan_dev.bench.editor")


class Output(NamedTuple):
    """Sizes of the live builds of all sites."""

    html_files: int
    html_bytes: int
    data_bytes: int
    """Of page data."""


class Installation:
    """Generated content in one release. Each publish has its own folder for builds."""

    def __init__(
        self,
        folder: Path,
        content: Content,
        pages: int,
        sites: int = 1,
        cores: frozenset[int] | None = None,
        within_s: float | None = None,
        more: Mapping[str, str] | None = None,
    ) -> None:
        """``more``: environment variables for every command."""
        load_web_build(env().web_dist)
        self.sites = site_keys(sites)
        self._folder = folder
        self._content = content
        self._pages_of_first = divide(pages, sites)[0]
        self.cores = cores
        self._within_s = within_s
        self._edition = 0
        self._builds = 0
        database = folder / "releases.sqlite3"
        media = folder / "media"
        media.mkdir()
        for name in media_names(content.pictures()):
            (media / name).touch()
        self._environment = {
            **os.environ,
            **(more or {}),
            "PORTOLAN_SITES_FILE": str(write_registry_file(folder, env().sites_file, self.sites)),
            "DATABASE_URL": f"sqlite:///{database}",
            "PYTHONPYCACHEPREFIX": str(folder / "bytecode"),  # as installed: compiled once, before measuring
        }
        self._environment.pop("PYTHONDONTWRITEBYTECODE", None)
        if cores is not None:  # as on a machine with this number of cores
            self._environment["PORTOLAN_RENDER_WORKERS"] = str(min(4, len(cores)))
        subprocess.run([*EDITOR, "prepare"], env=self.variables(), check=True)
        self._database = ReleaseDatabase(database)
        self._database.release(chain([_figures()], content.items(self.sites, pages)))

    def warm_up(self) -> None:
        """Compile the code and load it into the system's file cache."""
        subprocess.run(self.command("--help"), env=self.variables(), check=True, stdout=subprocess.DEVNULL)
        self.publish_cold()

    def publish_cold(self, *arguments: str) -> Measured:
        """Publish into an empty folder."""
        self.begin_build()
        return self.publish(*arguments)

    def begin_build(self) -> None:
        """Use an empty folder for the next publish."""
        self._builds += 1

    def publish(self, *arguments: str) -> Measured:
        return measure(self.command(*arguments), self.variables(), self.cores, within_s=self._within_s)

    def edit(self) -> None:
        """Create a release with a change of one page of the first site."""
        self._edition += 1
        page = self._content.edited(self.sites[0], self._edition, self._pages_of_first)
        self._database.edit(self.sites[0], page, f"Edition {self._edition}")

    def edit_menu(self) -> None:
        """Create a release with a change of the first site's menu."""
        self._edition += 1
        self._database.edit_menu(self.sites[0], f"Edition {self._edition}")

    def files(self) -> set[tuple[str, str, str]]:
        """Return site, path and digest of each file of the last publish."""
        builds = read_live(self.builds).builds
        manifests = {site: read_manifest(self.builds, site, builds[site]) for site in self.sites}
        return {(site, path, file.digest) for site, found in manifests.items() for path, file in found.files.items()}

    def output(self) -> Output:
        """Return the sizes of the last publish."""
        root = self.builds
        builds = read_live(root).builds
        files = [
            (path, file) for site in self.sites for path, file in read_manifest(root, site, builds[site]).files.items()
        ]
        html = [file.size for _, file in files if file.content_type.startswith("text/html")]
        data = [file.size for path, file in files if path.endswith("/page-data.json")]
        return Output(len(html), sum(html), sum(data))

    def describe_cores(self) -> str:
        return f"{len(self.cores)} of {os.cpu_count()} cores" if self.cores else f"{os.cpu_count()} cores"

    @property
    def var(self) -> Path:
        """Return the folder of the last publish."""
        return self._folder / f"var-{self._builds}"

    @property
    def builds(self) -> Path:
        return self.var / "builds"

    def command(self, *arguments: str) -> list[str]:
        # Pages only: the other generators create no images for social media.
        return [PORTOLAN, "publish", "--no-pictures", *arguments]

    def variables(self) -> dict[str, str]:
        """Return the environment of a publisher with its own builds and the shared media."""
        if not self.var.exists():
            self.var.mkdir()
            (self.var / "media").symlink_to(self._folder / "media")
        return {**self._environment, "PORTOLAN_VAR_DIR": str(self.var)}


def _figures() -> Item:
    registry = env().registry
    today = datetime.now(UTC).date()
    figures = {
        **registry.figures.model_dump(),
        "age": str(company_age(registry.company.founded, today)),
        "year": str(today.year),
        "company": registry.company.name,
    }
    return Item("", "figures", "company", figures)

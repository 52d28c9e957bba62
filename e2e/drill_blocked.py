"""Drill with blocked content and the whole product.

An image of every home page is deleted, and a footer gets a dead anchor. Then the installation is restored twice: from a
backup, and from the database and the media alone. Both restored installations serve the same bytes as before.
`make drill-restore` runs it on SQLite and on PostgreSQL.
"""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import urlsplit, urlunsplit
from uuid import uuid4

import psycopg
import pytest
from psycopg import sql

from portolan.backups.make import describe_build
from portolan.builds.live import live_file, read_live
from portolan.commands.restore import NOT_WHOLE
from portolan_dev.ports import free_port
from tests.processes import started

from .drill_restore import PORTOLAN, WITH_BUILDS, processor_s, run
from .faults import wait_until
from .on_postgres import copy_on
from .seeded import ROOT, copy_database, copy_files

BACK_WITHIN_S: Final = 120
"""Seconds of processor time for one restore, independent of the machine's other work."""
SITES: Final = 8

BLOCK: Final = """
from portolan.config.start_django import start_django
start_django()
import orjson
from portolan.config.env import env
from portolan.content.navigation.footer import FooterSettings
from portolan.content.pictures import SiteImage
from portolan.releases.reader import open_reader

reader = open_reader(env().database)
newest = reader.latest()
shown = [{str(key) for key in SiteImage.objects.values_list("pk", flat=True)}]
for site in env().registry.sites:
    (home,) = [page.key for page in reader.pages(newest, [site]) if page.path == "/"]
    shown.append({key for kind, key in reader.references(newest, site, "page", [home]) if kind == "picture"})
SiteImage.objects.get(pk=int(min(set.intersection(*shown)))).delete()

footer = FooterSettings.objects.order_by("pk").first()
groups = list(footer.groups.raw_data)
links = [link.get("value", link) for group in groups for link in group["value"]["links"]]
next(link for link in links if link.get("page"))["anchor"] = "nowhere"
footer.groups = footer._meta.get_field("groups").to_python(orjson.dumps(groups).decode())
footer.save()
"""


@contextmanager
def empty_database(server: str) -> Iterator[str]:
    """Yield the URL of a new database on a PostgreSQL server; empty without a server: SQLite makes its own."""
    if not server:
        yield ""
        return
    name = sql.Identifier(f"drill_{uuid4().hex}")
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(sql.SQL("CREATE DATABASE {}").format(name))
    try:
        yield urlunsplit(urlsplit(server)._replace(path=f"/{name._obj[0]}"))
    finally:
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(name))


def pages(builds: Path) -> dict[str, str]:
    """Return a digest of all files of each live site."""
    live = read_live(builds)
    return {site: describe_build(builds, site, build, live.releases[site]).pages for site, build in live.builds.items()}


class Timed:
    """Measures wall-clock seconds and processor seconds."""

    def __enter__(self) -> "Timed":
        self._began, self._worked = time.monotonic(), processor_s()
        return self

    def __exit__(self, *_: object) -> None:
        self.clock, self.work = time.monotonic() - self._began, processor_s() - self._worked

    def __str__(self) -> str:
        return f"{self.clock:.1f} s ({self.work:.1f} s of processors)"


@pytest.fixture
def drilled() -> Iterator[ExitStack]:
    """Yield a stack that closes the drill's databases at the end."""
    with ExitStack() as stack:
        yield stack


def test_what_was_live_is_back_although_its_newest_content_is_blocked(
    seeded: Path, postgres: str, tmp_path: Path, drilled: ExitStack
) -> None:
    var, target, new = tmp_path / "var", tmp_path / "backups", tmp_path / "new"
    var.mkdir()
    copy_files(var, seeded)
    shutil.copytree(seeded / "leads", var / "leads")
    database = drilled.enter_context(copy_on(postgres, seeded)) if postgres else ""
    if not postgres:
        copy_database(var, seeded)
    here = {
        "PORTOLAN_VAR_DIR": str(var),
        "PORTOLAN_PORT": str(free_port()),
        "PORTOLAN_SITES_FILE": str(ROOT / "sites.toml"),
        "DATABASE_URL": database,
    }
    subprocess.run([sys.executable, "-c", BLOCK], env={**os.environ, **here}, check=True, timeout=300)
    published = run("publish", "--keep-going", **here)
    assert published.returncode == 0, published.stderr
    assert "no part named “nowhere”" in published.stdout
    assert "shows an image that was deleted" in published.stdout
    before = pages(var / "builds")
    assert len(before) == SITES
    made = run("backup", str(target), *(["--builds"] if WITH_BUILDS else []), **here)
    assert made.returncode == 0, made.stderr

    there = {
        "PORTOLAN_PORT": here["PORTOLAN_PORT"],
        "DATABASE_URL": drilled.enter_context(empty_database(postgres)),
    }
    with Timed() as restored:
        done = run("restore", str(target), str(new), **there)
    assert done.returncode in (0, NOT_WHOLE), done.stdout + done.stderr
    assert "all files are identical to the live files in the backup" in done.stderr
    assert pages(new / "var" / "builds") == before

    builds = new / "var" / "builds"
    shutil.rmtree(builds)
    there["PORTOLAN_SITES_FILE"] = str(new / "sites.toml")
    with Timed() as alone:
        log = tmp_path / "publisher.log"
        with (
            log.open("w") as output,
            started(
                [PORTOLAN, "publisher"], 1000, env={**os.environ, **there}, stdout=output, stderr=output
            ) as process,
        ):
            wait_until(
                lambda: live_file(builds).exists() and pages(builds) == before,
                lambda: f"the running publisher shows what was live:\n{log.read_text()}",
                within_s=900,
            )
            process.terminate()
            process.wait(60)
    assert "Builds or files were missing" in log.read_text()

    shutil.rmtree(builds)
    with Timed() as strict:
        done = run("publish", **there)
    assert done.returncode == 1, "who types that is told that something is wrong"
    assert "These sites show their last live content" in done.stderr
    assert pages(builds) == before
    where = "PostgreSQL" if postgres else "SQLite"
    print(f"\n{where}: restore {restored}; publisher, database and media alone {alone}; `portolan publish` {strict}")
    assert max(restored.work, alone.work, strict.work) < BACK_WITHIN_S

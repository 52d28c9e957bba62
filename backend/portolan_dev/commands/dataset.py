"""``portolan dataset``: save a small installation of this version, for tests of upgrades to later ones."""

import os
import subprocess
import sys
from datetime import UTC, date, datetime
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click
import psycopg

from portolan import __version__
from portolan.config.empty_database import prepare_database
from portolan.config.env import env
from portolan.config.project import ROOT
from portolan.config.start_django import start_django

_DATASETS: Final = ROOT / "fixtures" / "datasets"
_VERSIONS: Final = ROOT / "fixtures" / "versions"
_WITH_POSTGRES: Final = ROOT / "scripts" / "with_postgres.py"
_SCHEMA: Final = "import sys; from portolan_dev.commands.dataset import print_schema; print_schema()"


@click.command()
@click.argument("name")
@click.option("--into", type=click.Path(path_type=Path), default=_DATASETS, show_default="fixtures/datasets")
@click.option("--with-code", is_flag=True, help="Also save the code, in fixtures/versions.")
def command(name: str, into: Path, with_code: bool) -> None:
    """Save a small installation of this version for tests.

    Needs an empty PORTOLAN_VAR_DIR, a web build, and PostgreSQL's programs. Name it by version and commit.
    """
    settings = env()
    if any(settings.var_dir.glob("*")):
        raise click.ClickException(
            f"{settings.var_dir} is not empty. Nothing was saved. Set PORTOLAN_VAR_DIR to a new folder."
        )
    schema = _read_schema()
    start_django()
    from portolan.releases.models import Release

    from ..dataset.pack import pack
    from ..dataset.reads import read_models

    _fill(settings.var_dir)
    frozen = ROOT / "contract" / "frozen"
    about = {
        "version": __version__,
        "commit": subprocess.run(
            ["git", "rev-parse", "--short", "HEAD"], cwd=ROOT, capture_output=True, text=True, check=True
        ).stdout.strip(),
        "made": datetime.now(UTC).date().isoformat(),
        "frozen": sorted(file.relative_to(frozen).as_posix() for file in frozen.rglob("*.json")),
        "release": Release.objects.latest("number").number,
        "reads": read_models(),
    }
    target = (_VERSIONS if with_code else into) / f"{name}.tar.xz"
    pack(settings.var_dir, schema, about, target)
    if with_code:
        _add_code(target)
    click.echo(f"{target}: {target.stat().st_size / 1000:,.0f} kB")


def _add_code(file: Path) -> None:
    """Add the code to a data set, and remove earlier versions."""
    from ..dataset.version import pack_version

    with TemporaryDirectory() as folder:
        build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", folder]
        subprocess.run(build, cwd=ROOT, capture_output=True, check=True)
        (wheel,) = Path(folder).glob("*.whl")
        pack_version(file, wheel, ROOT, file)
    for other in file.parent.glob("*.tar.xz"):
        if other != file:
            other.unlink()


def _fill(var: Path) -> None:
    from portolan.commands.publish import command as publish
    from portolan.commands.sites import sync_studio
    from portolan.content.blocks import BLOCKS
    from portolan.fixtures.load import load_fixtures, read_folder
    from portolan.fixtures.report import SeedReport
    from portolan.leads.open_store import open_store
    from portolan.releases.author import acting_as
    from portolan.releases.create import create_release
    from portolan.studio.first_account import EDITOR_OF_DEMO, load_account

    from ..dataset.cut import cut_fixtures
    from ..dataset.states import add_history, add_states
    from ..seed.leads import load_leads

    settings, whole = env(), ROOT / "fixtures" / "demo"
    prepare_database()
    sync_studio(settings)
    load_account(var / "login.json", "", EDITOR_OF_DEMO)
    with TemporaryDirectory() as folder, acting_as("seed"):
        examples = {block.type_name(): block.EXAMPLES["default"] for block in BLOCKS}
        cut = cut_fixtures(read_folder(whole, settings.registry), examples, Path(folder))
        load_fixtures(cut, settings.registry, SeedReport(), ROOT / "scripts" / "draw_pictures.py")
    registry = settings.registry
    origins = {key: site.origin(settings.environment, settings.port) for key, site in registry.sites.items()}
    load_leads(whole, origins, open_store())
    today = date.today()  # noqa: DTZ011  (the company's own day)
    create_release("data set", today)
    add_history()
    create_release("data set", today)
    publish.main([], standalone_mode=False)  # reports problems of the publish checks
    add_states()


def _read_schema() -> tuple[str, str]:
    program = [sys.executable, str(_WITH_POSTGRES), sys.executable, "-c", _SCHEMA]
    with TemporaryDirectory() as folder:
        variables = {**os.environ, "PORTOLAN_VAR_DIR": folder}
        done = subprocess.run(program, env=variables, capture_output=True, text=True)
    if done.returncode:
        raise click.ClickException(f"The tables of PostgreSQL could not be read:\n{done.stderr[-2000:]}")
    before, after = done.stdout.split("\f")
    return before, after


def print_schema() -> None:
    """Print the schema. Runs with a PostgreSQL server of its own."""
    start_django()
    from django.core.management import call_command

    from ..dataset.pack import dump_schema

    call_command("migrate", verbosity=0, interactive=False)
    with psycopg.connect(env().database) as connection:
        row = connection.execute("SELECT setting FROM pg_config WHERE name = 'BINDIR'").fetchone()
    assert row
    sys.stdout.write("\f".join(dump_schema(env().database, Path(row[0]) / "pg_dump")))

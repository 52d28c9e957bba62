"""``portolan empty-database``: write the SQL of new installations on SQLite."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import click

from portolan.config.empty_database import SQL
from portolan.starter.countries import COUNTRY_SITES
from portolan.starter.project import Answers, build_project, write_project

from ..empty_database import is_current, makes_the_same, write_sql

_COMPANY: Final = Answers(
    "Acme", "acme", (COUNTRY_SITES["de"],), "acme.example", "#4f9cff", "#0b1220", "none", None, 2020
)
"""A company with a German default site, to keep the demo's values out of the file."""
_MIGRATE = "from portolan.commands.main import main; main(['django', 'migrate', '--verbosity', '0', '--skip-checks'])"


@click.command()
@click.option("--check", is_flag=True, help="Write nothing. Fail if the file is outdated.")
def command(check: bool) -> None:
    """Write the database that new installations start with.

    For SQLite. Also compares it with a database that all migrations create.
    """
    if check:
        if not is_current():
            raise click.ClickException(
                f"{SQL.name} is outdated or was changed by hand, so new installations would have other tables. "
                "Run `make empty-database` and commit the file."
            )
        return
    with TemporaryDirectory() as folder:
        file, project = Path(folder, "empty.sqlite3"), Path(folder, "project")
        project.mkdir()
        write_project(project, build_project(_COMPANY))
        own = {"PORTOLAN_VAR_DIR": f"{project}/var", "PORTOLAN_SITES_FILE": f"{project}/sites.toml"}
        variables = {**os.environ, **own, "DATABASE_URL": f"sqlite:///{file}"}
        subprocess.run([sys.executable, "-c", _MIGRATE], env=variables, check=True)
        with closing(sqlite3.connect(file)) as database:
            SQL.write_text(write_sql(database), encoding="utf-8")
            if not makes_the_same(database):
                raise click.ClickException(
                    f"{SQL.name} and the migrations create different databases. Add the missing statements to "
                    "portolan_dev/empty_database.py, which writes the file."
                )
    click.echo(f"{SQL.name}: {SQL.stat().st_size / 1000:,.0f} kB")

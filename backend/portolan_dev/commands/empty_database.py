"""``portolan empty-database``: writes what new installations on SQLite begin with."""

import os
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import click

from portolan.config.empty_database import SQL

from ..empty_database import is_current, write_sql

_MIGRATE = "from portolan.commands.main import main; main(['django', 'migrate', '--verbosity', '0', '--skip-checks'])"


@click.command()
@click.option("--check", is_flag=True, help="Write nothing; fail where it was written from other migrations.")
def command(check: bool) -> None:
    """Write the database that new installations on SQLite begin with."""
    if check:
        if not is_current():
            raise click.ClickException(
                f"{SQL.name} was written from other migrations than there are now, so new installations would begin with "
                "tables of before. Run `make empty-database` and commit what it writes."
            )
        return
    with TemporaryDirectory() as folder:
        variables = {**os.environ, "DATABASE_URL": f"sqlite:///{folder}/empty.sqlite3", "PORTOLAN_VAR_DIR": folder}
        subprocess.run([sys.executable, "-c", _MIGRATE], env=variables, check=True)
        with closing(sqlite3.connect(Path(folder) / "empty.sqlite3")) as database:
            SQL.write_text(write_sql(database), encoding="utf-8")
    click.echo(f"{SQL.name}: {SQL.stat().st_size / 1000:,.0f} kB")

"""The database that a new installation on SQLite begins with: what all migrations make of nothing, as SQL. To run them takes
some fifteen seconds of processor time, to read it less than a tenth of one.

`make empty-database` writes the file and holds it against what the migrations make.
"""

import os
import sqlite3
import tempfile
from contextlib import closing
from pathlib import Path
from typing import Final

from ..releases.database_version import KNOWN

SQL: Final = Path(__file__).with_suffix(".sql")
_OWN_VALUES: Final = """
UPDATE django_migrations SET applied = strftime('%Y-%m-%d %H:%M:%f', 'now');
UPDATE wagtailcore_page SET translation_key = lower(hex(randomblob(16)));
"""
"""What each database has of its own. In the file the same stands each time that it is written."""


def prepare_database() -> None:
    """Bring the database of Django's settings to this version, whatever it has had; one that is not there yet is made."""
    from django.conf import settings
    from django.core.management import call_command

    database = settings.DATABASES["default"]
    if database["ENGINE"] == "django.db.backends.sqlite3":
        begin_database(Path(database["NAME"]), settings.LANGUAGE_CODE)
    call_command("migrate", verbosity=0, interactive=False)


def begin_database(file: Path, language: str) -> bool:
    """Make the SQLite database where there is no file, whole or not at all. False where there is one, or where this version
    lacks a migration that it would say was applied.

    ``language``: of the default site, as Django writes it.
    """
    if file.exists():
        return False
    file.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix=f".{file.name}-", dir=file.parent) as folder:
        unfinished = Path(folder) / file.name
        unfinished.touch(mode=0o600)
        with closing(sqlite3.connect(unfinished, isolation_level=None)) as database:
            fill(database, language)
            applied = database.execute("SELECT app, name FROM django_migrations").fetchall()
        if any(name not in KNOWN.get(app, ()) for app, name in applied):
            return False
        try:
            os.link(unfinished, file)  # unlike renaming, it replaces nothing that has come meanwhile
        except FileExistsError:
            return False
    return True


def fill(database: sqlite3.Connection, language: str) -> None:
    """Make tables and rows in a database that has none."""
    database.executescript(f"BEGIN;\n{SQL.read_text(encoding='utf-8')}{_OWN_VALUES}COMMIT;")
    database.execute("UPDATE wagtailcore_locale SET language_code = ?", (language,))

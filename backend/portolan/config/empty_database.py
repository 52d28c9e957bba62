"""The database of a new installation on SQLite: the result of all migrations as SQL.

Running the migrations takes 15 seconds of CPU time, reading the SQL a tenth of a second. `make empty-database` writes
the file and compares it with the migrations.
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
"""Values that differ per database. The file has the same ones each time it is written."""


def prepare_database() -> None:
    """Create the database of Django's settings, or migrate it to this version."""
    from django.conf import settings
    from django.core.management import call_command

    database = settings.DATABASES["default"]
    if database["ENGINE"] == "django.db.backends.sqlite3":
        begin_database(Path(database["NAME"]), settings.LANGUAGE_CODE)
    call_command("migrate", verbosity=0, interactive=False)


def begin_database(file: Path, language: str) -> bool:
    """Create the SQLite database atomically if its file is missing. Return whether it was created.

    Also return False if this version lacks a migration of the SQL. ``language``: of the default site, as in Django.
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
            os.link(unfinished, file)  # unlike renaming, this never replaces a file
        except FileExistsError:
            return False
    return True


def fill(database: sqlite3.Connection, language: str) -> None:
    """Create tables and rows in an empty database."""
    database.executescript(f"BEGIN;\n{SQL.read_text(encoding='utf-8')}{_OWN_VALUES}COMMIT;")
    database.execute("UPDATE wagtailcore_locale SET language_code = ?", (language,))

"""Add an index for the most frequent query on pages: pages below a path.

PostgreSQL has one from Django. SQLite compares with LIKE without regard to case and needs an index that does the same.
Without it, each such query reads all pages.
"""

from typing import Any, Final

from django.apps import AppConfig
from django.db import connections
from django.db.models.signals import post_migrate

_INDEX: Final = 'CREATE INDEX IF NOT EXISTS "portolan_page_path" ON "wagtailcore_page" ("path" COLLATE NOCASE)'


def connect(app: AppConfig) -> None:
    """Create the index after each migration, because Wagtail's migrations may rebuild the table without it."""
    post_migrate.connect(_make_index, sender=app, dispatch_uid="portolan.content.tree_index")


def _make_index(using: str, **_: Any) -> None:
    connection = connections[using]
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite" and "wagtailcore_page" in connection.introspection.table_names(cursor):
            cursor.execute(_INDEX)

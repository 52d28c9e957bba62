from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from django.db.models.signals import post_migrate


class ReleasesConfig(AppConfig):
    name = "portolan.releases"
    label = "releases"
    verbose_name = "Releases"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import changes

        changes.connect()
        post_migrate.connect(_fill_tables, sender=self, dispatch_uid="portolan.releases.fill_tables")


def _fill_tables(using: str, **_: Any) -> None:
    """Fill new tables after the last migration. Skip it if only some migrations were applied."""
    from .entered import fill_entered
    from .fill_index import fill_index

    executor = MigrationExecutor(connections[using])
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        fill_index()
        fill_entered()

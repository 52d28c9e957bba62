from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from django.db.models.signals import post_migrate


class TranslationsConfig(AppConfig):
    name = "portolan.translations"
    label = "translations"
    verbose_name = "Translations"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import tracking

        tracking.connect()
        post_migrate.connect(_fill_tables, sender=self, dispatch_uid="portolan.translations.fill_tables")


def _fill_tables(using: str, plan: Any = None, **_: Any) -> None:
    """Fill new tables after the last migration. Skip it if only some migrations were applied, and after `flush`."""
    from .fill import fill_tables

    if plan is None:
        return
    executor = MigrationExecutor(connections[using])
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        fill_tables()

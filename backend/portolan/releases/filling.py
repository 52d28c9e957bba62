"""Fill new tables from older content."""

from collections.abc import Callable
from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from django.db.models.signals import post_migrate


def fill_after_migrations(app: AppConfig, fill: Callable[[], None]) -> None:
    """Call ``fill`` after each `migrate` that applied everything. It may be called again at any time.

    `flush` sends the same signal, and is ignored: its tables are empty.
    """

    def run(using: str, plan: Any = None, **_: Any) -> None:
        if plan is None:
            return
        executor = MigrationExecutor(connections[using])
        if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
            fill()

    post_migrate.connect(run, sender=app, weak=False, dispatch_uid=f"{app.name}.fill_tables")

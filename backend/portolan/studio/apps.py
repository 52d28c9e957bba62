from typing import Any

from django.apps import AppConfig
from django.db import connections
from django.db.migrations.executor import MigrationExecutor
from django.db.models.signals import post_migrate


class StudioConfig(AppConfig):
    name = "portolan.studio"
    label = "studio"
    verbose_name = "Studio"

    def ready(self) -> None:
        from . import (
            bad_requests,
            block_pictures,
            blocked,
            content_policy,
            inheritance,
            line_breaks,
            one_change,
            own_language,
            packed_blocks,
            preview,
            publishing_in_form,
            report_rights,
            spreadsheets,
            time_zones,
            wagtail_texts,
        )
        from .checks import form as checked_form
        from .checks import row_form as checked_row_form
        from .merging import editing
        from .on_page import places

        wagtail_texts.connect()
        bad_requests.connect()
        content_policy.connect()
        one_change.connect()
        inheritance.connect()
        report_rights.connect()
        preview.connect()
        blocked.connect()
        spreadsheets.connect()
        line_breaks.connect()
        time_zones.connect()
        own_language.connect()
        checked_form.connect()
        checked_row_form.connect()
        editing.connect()
        publishing_in_form.connect()
        places.connect()
        packed_blocks.connect()
        block_pictures.connect()
        post_migrate.connect(_fill_local_versions, sender=self, dispatch_uid="portolan.studio.fill_local_versions")


def _fill_local_versions(using: str, plan: Any = None, **_: Any) -> None:
    """Fill the table after the last migration. Skip it if only some migrations were applied, and after `flush`."""
    from .local_versions.fill import fill_local_versions

    if plan is None:
        return
    executor = MigrationExecutor(connections[using])
    if not executor.migration_plan(executor.loader.graph.leaf_nodes()):
        fill_local_versions()

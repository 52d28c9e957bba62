"""Migrate blocks whose fields change, in pages and all their revisions (docs/howto/change-a-block.md)."""

from typing import Any

from django.db.migrations import RunPython
from wagtail.blocks.migrations.migrate_operation import MigrateStreamData
from wagtail.blocks.migrations.operations import BaseBlockOperation

from .fields import BodyField


class ChangeBlocks(RunPython):
    """Change the body of every page, live, drafted, scheduled or past. The reverse does nothing.

    Example: ``ChangeBlocks((RenameStructChildrenOperation("kicker", "eyebrow"), "hero"))``. The path uses the names of
    blocks in today's code.
    """

    def __init__(self, *changes: tuple[BaseBlockOperation, str]) -> None:
        self.changes = changes
        super().__init__(self._change, RunPython.noop)

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return type(self).__qualname__, list(self.changes), {}

    def _change(self, apps: Any, schema_editor: Any) -> None:
        for model in apps.get_models():  # plugins have page types too
            for field in model._meta.fields:
                if isinstance(field, BodyField):
                    step = MigrateStreamData(model._meta.app_label, model.__name__, field.name, list(self.changes))
                    step.migrate_stream_data_forward(apps, schema_editor)

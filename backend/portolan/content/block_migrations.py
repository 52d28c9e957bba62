"""Data migrations of blocks that change their shape: pages' rows, and every revision of them (docs/howto/change-a-block.md)."""

from typing import Any

from django.db.migrations import RunPython
from wagtail.blocks.migrations.migrate_operation import MigrateStreamData
from wagtail.blocks.migrations.operations import BaseBlockOperation

from .fields import BodyField


class ChangeBlocks(RunPython):
    """``ChangeBlocks((RenameStructChildrenOperation("kicker", "eyebrow"), "hero"))``: in the body of every page, live,
    drafted, scheduled or past. The path names blocks as today's code has them. Going back does nothing.
    """

    def __init__(self, *changes: tuple[BaseBlockOperation, str]) -> None:
        self.changes = changes
        super().__init__(self._change, RunPython.noop)

    def deconstruct(self) -> tuple[str, list[Any], dict[str, Any]]:
        return type(self).__qualname__, list(self.changes), {}

    def _change(self, apps: Any, schema_editor: Any) -> None:
        for model in apps.get_models():  # plugins have page families too
            for field in model._meta.fields:
                if isinstance(field, BodyField):
                    step = MigrateStreamData(model._meta.app_label, model.__name__, field.name, list(self.changes))
                    step.migrate_stream_data_forward(apps, schema_editor)

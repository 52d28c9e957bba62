"""Find plugins whose migrations lack a table or column, also after the product has added a field to all pages."""

from collections.abc import Iterable, Iterator

from django.apps import apps
from django.db.migrations import operations
from django.db.migrations.autodetector import MigrationAutodetector
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.questioner import NonInteractiveMigrationQuestioner
from django.db.migrations.state import ProjectState

_CHANGES_TABLES = (
    operations.CreateModel,
    operations.DeleteModel,
    operations.AddField,
    operations.RemoveField,
    operations.RenameField,
    operations.RenameModel,
)
"""Other operations, such as a new help text, change no stored data."""


def find_unmade(plugins: Iterable[str]) -> Iterator[str]:
    """Yield the labels of plugins that lack a migration. Reads no database."""
    labels = {name.rpartition(".")[2] for name in plugins}
    if not labels:
        return
    loader = MigrationLoader(None, ignore_no_migrations=True)
    questioner = NonInteractiveMigrationQuestioner(specified_apps=labels, dry_run=True)
    detector = MigrationAutodetector(loader.project_state(), ProjectState.from_apps(apps), questioner)
    changes = detector.changes(graph=loader.graph, trim_to_apps=labels, convert_apps=labels)
    for app, migrations in sorted(changes.items()):
        if any(isinstance(each, _CHANGES_TABLES) for migration in migrations for each in migration.operations):
            yield app

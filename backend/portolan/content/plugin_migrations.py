"""Whether plugins' migrations make what their page families have: also after a version of the product has given all pages one
more field."""

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
"""Others, as of a help text, change nothing that is stored."""


def find_unmade(plugins: Iterable[str]) -> Iterator[str]:
    """Labels of plugins that lack a migration. Asks no database."""
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

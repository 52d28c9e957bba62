from django.apps import AppConfig


class ReleasesConfig(AppConfig):
    name = "portolan.releases"
    label = "releases"
    verbose_name = "Releases"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import changes
        from .filling import fill_after_migrations

        changes.connect()
        fill_after_migrations(self, _fill_tables)


def _fill_tables() -> None:
    from .entered import fill_entered
    from .fill_index import fill_index

    fill_index()
    fill_entered()

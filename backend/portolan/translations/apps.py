from django.apps import AppConfig


class TranslationsConfig(AppConfig):
    name = "portolan.translations"
    label = "translations"
    verbose_name = "Translations"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from ..content.export import add_page_check
        from ..releases.filling import fill_after_migrations
        from . import moves, remembering, tracking
        from .machine import approval

        tracking.connect()
        moves.connect()
        remembering.connect()
        approval.connect()
        add_page_check(approval.find_unapproved)
        fill_after_migrations(self, _fill_tables)


def _fill_tables() -> None:
    from .fill import fill_tables
    from .remembering import fill_memory

    fill_tables()
    fill_memory()

from django.apps import AppConfig


class ReleasesConfig(AppConfig):
    name = "portolan.releases"
    label = "releases"
    verbose_name = "Releases"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import changes

        changes.connect()

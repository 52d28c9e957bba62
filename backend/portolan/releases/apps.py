from django.apps import AppConfig
from django.db.models.signals import post_migrate


class ReleasesConfig(AppConfig):
    name = "portolan.releases"
    label = "releases"
    verbose_name = "Releases"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        from . import changes
        from .entered import fill_entered
        from .fill_index import fill_index

        changes.connect()
        post_migrate.connect(fill_index, sender=self, dispatch_uid="portolan.releases.fill_index")
        post_migrate.connect(fill_entered, sender=self, dispatch_uid="portolan.releases.fill_entered")

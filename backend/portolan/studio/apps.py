from django.apps import AppConfig


class StudioConfig(AppConfig):
    name = "portolan.studio"
    label = "studio"
    verbose_name = "Studio"

    def ready(self) -> None:
        from . import inheritance, preview

        inheritance.connect()
        preview.connect()

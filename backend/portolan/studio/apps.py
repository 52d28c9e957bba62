from django.apps import AppConfig


class StudioConfig(AppConfig):
    name = "portolan.studio"
    label = "studio"
    verbose_name = "Studio"

    def ready(self) -> None:
        from . import held_back, inheritance, preview

        inheritance.connect()
        preview.connect()
        held_back.connect()

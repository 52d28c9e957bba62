from django.apps import AppConfig


class ContentConfig(AppConfig):
    name = "portolan.content"
    label = "content"
    verbose_name = "Content"

    def ready(self) -> None:
        from . import pictures

        pictures.connect()

from django.apps import AppConfig


class ContentConfig(AppConfig):
    name = "portolan.content"
    label = "content"
    verbose_name = "Content"

    def ready(self) -> None:
        from . import new_pages, pictures

        pictures.connect()
        new_pages.connect()

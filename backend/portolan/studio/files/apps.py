"""Wagtail's apps for images and documents, with our permissions for files that visitors see."""

from wagtail.documents.apps import WagtailDocsAppConfig
from wagtail.images.apps import WagtailImagesAppConfig


class PicturesConfig(WagtailImagesAppConfig):
    def ready(self) -> None:
        from wagtail.permissions import register_permission_policy

        from ...content.pictures import SiteImage
        from .live import LiveFilePolicy

        super().ready()
        register_permission_policy(SiteImage, LiveFilePolicy(SiteImage, "wagtailimages.Image"))


class DocumentsConfig(WagtailDocsAppConfig):
    def ready(self) -> None:
        from wagtail.documents.models import Document
        from wagtail.permissions import register_permission_policy

        from .live import LiveFilePolicy

        super().ready()
        register_permission_policy(Document, LiveFilePolicy(Document))

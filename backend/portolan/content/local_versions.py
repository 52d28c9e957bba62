"""Store the source of a local version, and the source's content that was last taken over."""

from typing import Any, ClassVar, Final

from django.contrib.contenttypes.fields import GenericForeignKey
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.db.models.signals import post_delete
from django.utils.translation import gettext_lazy as _
from wagtail.models import Page

from .collections.base import TranslatedEntry
from .site_setting import SiteSetting

LEFT_OUT: Final = frozenset({"slug", "go_live_at", "expire_at", "hidden_here", "switcher_hidden"})
"""Fields that each site sets for itself."""


class LocalVersions(models.QuerySet["LocalVersion"]):
    def of(self, thing: Any) -> "LocalVersions":
        """Return the row of a page, menu, footer or rate card, if it is a local version."""
        return self.filter(content_type=_type_of(thing), object_id=thing.pk)

    def following(self, source: Any) -> "LocalVersions":
        """Return the rows of the local versions of a source."""
        return self.filter(content_type=_type_of(source), source_id=source.pk)

    def begin(self, thing: Any, source: Any, **base: Any) -> None:
        """Make ``thing`` a local version of ``source``."""
        place = {"content_type": _type_of(thing), "object_id": thing.pk}
        self.update_or_create(**place, defaults={"source_id": source.pk, **base})


class LocalVersion(models.Model):
    """A page, menu, footer or rate card with content of its own, which takes over all other content of its source.

    Live copies (Wagtail aliases) and inherited menus have no row: all of their content follows. An entry with own
    translations of inheriting sites is its own source; its blocks are these translations, by the key of their site.
    """

    content_type = models.ForeignKey(ContentType, on_delete=models.CASCADE, related_name="+")
    object_id = models.PositiveBigIntegerField()
    source_id = models.PositiveBigIntegerField(_("source"), db_index=True)
    """An object of the same type. Pages of all types have the same content type."""
    fields = models.JSONField(default=dict)
    """Base of the fields by name, as a revision stores them."""
    blocks = models.JSONField(default=list)
    """Base of the blocks, raw and in order."""
    kept = models.JSONField(default=list)
    """Paths that an editor has made own without changing them (``domain.merging.Path``)."""
    refused = models.TextField(blank=True)
    """Why the source's last change could not be taken over; empty if it was."""

    thing = GenericForeignKey("content_type", "object_id")
    source = GenericForeignKey("content_type", "source_id")
    objects = LocalVersions.as_manager()

    wagtail_reference_index_ignore: ClassVar[bool] = True

    class Meta:
        verbose_name = _("local version")
        constraints = (models.UniqueConstraint(fields=("content_type", "object_id"), name="one_local_version"),)


def connect() -> None:
    """Delete rows together with their object or their source, which no foreign key does."""
    post_delete.connect(_after_delete, dispatch_uid="portolan.content.local_versions")


def _type_of(thing: Any) -> ContentType:
    return ContentType.objects.get_for_model(Page if isinstance(thing, Page) else type(thing))


def _after_delete(sender: type[models.Model], instance: Any, **_: Any) -> None:
    if sender is Page or issubclass(sender, SiteSetting | TranslatedEntry):
        LocalVersion.objects.of(instance).delete()
        LocalVersion.objects.following(instance).delete()

"""The studio's own models."""

from typing import ClassVar

from django.db import models
from django.utils.translation import gettext_lazy as _
from wagtail.admin.models import EditingSession
from wagtail.models import Page, Revision


class DeletedPage(Page):
    """Holds one page of the trash and its child pages, outside of the sites' trees.

    The page keeps its revisions, state and incoming links, so that it can be fully restored. Live copies that were
    deleted with it have their own holders.
    """

    from_parent = models.ForeignKey(Page, null=True, on_delete=models.SET_NULL, related_name="+")
    deleted_at = models.DateTimeField(auto_now_add=True)
    deleted_by = models.CharField(max_length=150, blank=True)
    together_with = models.ForeignKey("self", null=True, on_delete=models.SET_NULL, related_name="copies")

    is_creatable = False
    parent_page_types: ClassVar[list[str]] = []
    subpage_types: ClassVar[list[str]] = []
    preview_modes: ClassVar[list[tuple[str, str]]] = []

    wagtail_reference_index_ignore = True

    class Meta:
        verbose_name = _("page in the trash")


class EditingPlace(models.Model):
    """An editor's position in a form during an editing session."""

    session = models.OneToOneField(EditingSession, primary_key=True, on_delete=models.CASCADE, related_name="place")
    at = models.CharField(max_length=64)
    """A field's name or a block's ID."""

    class Meta:
        verbose_name = _("position of an editor")


class FormSave(models.Model):
    """A revision and the open form that saved it."""

    revision = models.OneToOneField(Revision, primary_key=True, on_delete=models.CASCADE, related_name="+")
    form = models.CharField(max_length=32, db_index=True)
    """The form's random key (``merging.own_saves``)."""
    saved_at = models.DateTimeField()
    """The revision's own time at that save. If they differ, another save has overwritten the revision."""

    class Meta:
        verbose_name = _("save of a form")

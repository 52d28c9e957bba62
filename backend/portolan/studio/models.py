"""What the studio itself keeps."""

from typing import ClassVar

from django.db import models
from wagtail.models import Page


class DeletedPage(Page):
    """Holds one page that was deleted, with all below it, beside the trees of the sites: nothing there is published.

    The page in it stays as it was, with its revisions, its state and its place in other pages' links, so that it comes
    back whole. Live copies that went with it are held each by one of their own.
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
        verbose_name = "deleted page"

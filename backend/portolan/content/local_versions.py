"""Store the source of a local version, and the source's content that was last taken over."""

from typing import ClassVar, Final

from django.db import models
from django.utils.translation import gettext_lazy as _
from wagtail.models import Page

LEFT_OUT: Final = frozenset({"slug", "go_live_at", "expire_at", "hidden_here", "switcher_hidden"})
"""Fields of a page that each site sets for itself."""


class LocalVersion(models.Model):
    """A page with content of its own, which takes over all other content of its source.

    Live copies (Wagtail aliases) have no row: all of their content follows.
    """

    page = models.OneToOneField(Page, primary_key=True, on_delete=models.CASCADE, related_name="local_version")
    source = models.ForeignKey(Page, on_delete=models.CASCADE, related_name="local_versions")
    fields = models.JSONField(default=dict)
    """Base of the page's fields by name, as a revision stores them."""
    blocks = models.JSONField(default=list)
    """Base of the page's body, as raw blocks in order."""
    kept = models.JSONField(default=list)
    """Paths that an editor has made own without changing them (``domain.merging.Path``)."""
    refused = models.TextField(blank=True)
    """Why the source's last change could not be taken over; empty if it was."""

    wagtail_reference_index_ignore: ClassVar[bool] = True

    class Meta:
        verbose_name = _("local version")

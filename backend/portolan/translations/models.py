"""The texts of source pages, and the state of each translation."""

from typing import ClassVar

from django.conf import settings
from django.db import models
from wagtail.models import Page


class SourceText(models.Model):
    """All texts of a source page at one time. Equal texts are stored once."""

    digest = models.CharField(max_length=64, primary_key=True)  # segments.digest_of
    segments = models.JSONField()  # texts by path
    words = models.PositiveIntegerField()

    wagtail_reference_index_ignore = True

    def __str__(self) -> str:
        return self.digest


class PageText(models.Model):
    """The published text of a source page."""

    page = models.OneToOneField(Page, on_delete=models.CASCADE, primary_key=True, related_name="+")
    text = models.ForeignKey(SourceText, on_delete=models.PROTECT, related_name="pages")

    wagtail_reference_index_ignore = True

    def __str__(self) -> str:
        return f"{self.page_id}: {self.text_id}"


class Translation(models.Model):
    """A page on a site other than that of its source, whether it exists or not."""

    translation_key = models.UUIDField()
    site = models.CharField(max_length=12)
    base = models.ForeignKey(SourceText, null=True, on_delete=models.PROTECT, related_name="translations")
    """The source's text that the translation corresponds to; None if it is unknown."""
    outdated_since = models.DateTimeField(null=True)
    """Time of the first change of the source after ``base``; None if it is unchanged or unknown."""
    outdated_words = models.PositiveIntegerField(default=0)
    """Words in the segments of the source that differ from ``base``."""
    confirmed_at = models.DateTimeField(null=True)
    confirmed_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    assignee = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="translations"
    )
    due = models.DateField(null=True)
    is_excluded = models.BooleanField(default=False)
    """True if the page is missing on purpose."""

    wagtail_reference_index_ignore = True

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=("translation_key", "site"), name="one_translation_for_each_site")
        ]

    def __str__(self) -> str:
        return f"{self.translation_key}, {self.site}"


class MoveOffer(models.Model):
    """The original of a page has moved, and the page's editors have not decided yet whether the page moves too."""

    translation_key = models.UUIDField()
    site = models.CharField(max_length=12)
    below = models.UUIDField()  # translation key of the original's new parent
    moved_at = models.DateTimeField(auto_now=True)

    wagtail_reference_index_ignore = True

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=("translation_key", "site"), name="one_move_offer_for_each_site")
        ]

    def __str__(self) -> str:
        return f"{self.translation_key}, {self.site}"

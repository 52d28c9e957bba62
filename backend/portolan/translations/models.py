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


class TranslationFile(models.Model):
    """An uploaded file of translations that a person is looking at. It is deleted on import, or by a later upload."""

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    site = models.CharField(max_length=12)
    name = models.CharField(max_length=200)
    content = models.BinaryField()
    uploaded_at = models.DateTimeField(auto_now_add=True)

    wagtail_reference_index_ignore = True

    def __str__(self) -> str:
        return self.name


class MachineText(models.Model):
    """A text that a machine translated and no person has approved. Only its digest is stored."""

    translation_key = models.UUIDField()
    site = models.CharField(max_length=12)
    digest = models.CharField(max_length=64)  # machine.approval.digest_words
    provider = models.CharField(max_length=20)
    made_at = models.DateTimeField(auto_now_add=True)
    is_in_draft = models.BooleanField(default=True)
    """False after a person has edited the text in the page's newest draft."""

    wagtail_reference_index_ignore = True

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=("translation_key", "site", "digest"), name="one_mark_for_each_machine_text")
        ]

    def __str__(self) -> str:
        return f"{self.translation_key}, {self.site}: {self.digest}"

"""The texts of source pages, and the state of each translation."""

from typing import ClassVar

from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
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


class MemoryEntry(models.Model):
    """A text and its translation, of any page. Equal pairs are stored once."""

    languages = models.CharField(max_length=40)
    """Languages of both without regions: ``en>de``."""
    source_digest = models.CharField(max_length=64)
    text_digest = models.CharField(max_length=64)
    source = models.TextField()
    text = models.TextField()
    used_at = models.DateTimeField()
    """Time of the last publish or confirmation with this pair."""

    wagtail_reference_index_ignore = True

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(
                fields=("languages", "source_digest", "text_digest"), name="one_entry_for_each_pair"
            )
        ]

    def __str__(self) -> str:
        return f"{self.languages}: {self.source[:40]}"


class MemoryKey(models.Model):
    """A key by which similar texts are found: two of the longest words of a text (``memory.keys_of``)."""

    entry = models.ForeignKey(MemoryEntry, on_delete=models.CASCADE, related_name="keys")
    key = models.BigIntegerField(db_index=True)

    wagtail_reference_index_ignore = True

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=("entry", "key"), name="one_key_of_an_entry")
        ]

    def __str__(self) -> str:
        return f"{self.entry_id}: {self.key}"


class GlossaryTerm(models.Model):
    """A term of the company with its one translation into a language."""

    languages = models.CharField(max_length=40)
    """Languages of both without regions: ``en>de``."""
    term = models.CharField(max_length=120, verbose_name=_("Term"))
    translation = models.CharField(max_length=120, blank=True, verbose_name=_("Translation"))
    is_kept = models.BooleanField(default=False, verbose_name=_("Do not translate"))
    note = models.CharField(max_length=200, blank=True, verbose_name=_("Note"))

    wagtail_reference_index_ignore = True

    class Meta:
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=("languages", "term"), name="one_translation_for_each_term")
        ]

    def __str__(self) -> str:
        return f"{self.term} ({self.languages})"

    def clean(self) -> None:
        if not self.is_kept and not self.translation:
            raise ValidationError({"translation": gettext("Enter a translation, or tick “Do not translate”.")})

    @property
    def expected(self) -> str:
        """Return the text that a translation should contain."""
        return self.term if self.is_kept else self.translation


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

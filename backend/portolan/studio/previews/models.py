"""Open previews and the comments from their links."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q, QuerySet
from django.utils import timezone
from wagtail.models import Comment

from ...domain.previews import LONGEST_NAME, Shown


class Preview(models.Model):
    """A secret and its preview. Links are for people without an account; others are frames in the studio."""

    secret = models.CharField(max_length=64, unique=True)  # hashed, so that the database gives no access
    shown = models.CharField(max_length=8, choices=[(shown.value, shown.value) for shown in Shown])
    subject = models.CharField(
        max_length=255
    )  # ID of a page or change set, "type:id" of an entry, a time, or a release number
    site = models.CharField(max_length=12)  # the first site
    path = models.CharField(max_length=2048)
    note = models.CharField(max_length=120, blank=True)  # the creator's note for the recipients
    is_link = models.BooleanField()
    made_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    made_at = models.DateTimeField(auto_now_add=True)
    ends_at = models.DateTimeField(db_index=True)
    revoked_at = models.DateTimeField(null=True)

    wagtail_reference_index_ignore = True

    class Meta:
        ordering = ("-pk",)

    def __str__(self) -> str:
        return str(self.note) or f"{self.shown} {self.subject}"

    @property
    def kind(self) -> Shown:
        return Shown(self.shown)

    @property
    def is_open(self) -> bool:
        return self.revoked_at is None and self.ends_at > timezone.now()

    @classmethod
    def open_links(cls) -> "QuerySet[Preview]":
        return cls.objects.filter(Q(revoked_at=None), is_link=True, ends_at__gt=timezone.now())


class PreviewComment(models.Model):
    """A comment from a link. If it is about a page, Wagtail's comment is linked and editors reply there."""

    preview = models.ForeignKey(Preview, on_delete=models.CASCADE, related_name="comments")
    name = models.CharField(max_length=LONGEST_NAME)
    text = models.TextField()
    site = models.CharField(max_length=12)
    path = models.CharField(max_length=2048)
    about = models.CharField(max_length=255, blank=True)  # the block's label in the preview
    comment = models.ForeignKey(Comment, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    wagtail_reference_index_ignore = True

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.name}: {self.text[:80]}"


class PreviewNotice(models.Model):
    """A comment that needs an e-mail to a person.

    It is stored in the comment's transaction. The process that sends all e-mail deletes it afterwards.
    """

    comment = models.ForeignKey(PreviewComment, on_delete=models.CASCADE, related_name="notices")
    to = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    wagtail_reference_index_ignore = True

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("comment", "to"), name="told_once_of_a_preview_comment"),)

    def __str__(self) -> str:
        return f"{self.comment} → {self.to_id}"


def subject_of_entry(row: Any) -> str:
    """Return the value of ``Preview.subject`` for an entry."""
    return f"{row._meta.label_lower}:{row.pk}"

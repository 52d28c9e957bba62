"""Previews that are open, and what people without a login have written there."""

from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Q, QuerySet
from django.utils import timezone
from wagtail.models import Comment

from ...domain.previews import LONGEST_NAME, Shown


class Preview(models.Model):
    """One secret, and what it opens. A link is for people without a login; the others are the studio's own frames."""

    secret = models.CharField(max_length=64, unique=True)  # a hash of it: the database opens nothing
    shown = models.CharField(max_length=8, choices=[(shown.value, shown.value) for shown in Shown])
    subject = models.CharField(
        max_length=255
    )  # id of a page or a set, "type:id" of an entry, a time, a release's number
    site = models.CharField(max_length=12)  # where it opens
    path = models.CharField(max_length=2048)
    note = models.CharField(max_length=120, blank=True)  # what its maker calls it, for the people who get it
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
    """What somebody without a login has written. Of a page it is Wagtail's comment too, and is answered there."""

    preview = models.ForeignKey(Preview, on_delete=models.CASCADE, related_name="comments")
    name = models.CharField(max_length=LONGEST_NAME)
    text = models.TextField()
    site = models.CharField(max_length=12)
    path = models.CharField(max_length=2048)
    about = models.CharField(max_length=255, blank=True)  # the block, as the preview calls it
    comment = models.ForeignKey(Comment, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField(auto_now_add=True)

    wagtail_reference_index_ignore = True

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.name}: {self.text[:80]}"


class PreviewNotice(models.Model):
    """A comment that a person is to be told of by e-mail. Written in the transaction in which it is kept, removed once it is sent:
    by the process that sends all mail."""

    comment = models.ForeignKey(PreviewComment, on_delete=models.CASCADE, related_name="notices")
    to = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")

    wagtail_reference_index_ignore = True

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("comment", "to"), name="told_once_of_a_preview_comment"),)

    def __str__(self) -> str:
        return f"{self.comment} → {self.to_id}"


def subject_of_entry(row: Any) -> str:
    """As ``Preview.subject`` has it."""
    return f"{row._meta.label_lower}:{row.pk}"

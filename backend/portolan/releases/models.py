"""Frozen content. A release is a number; an item is valid from ``since`` until (not including) ``until``."""

from django.db import models


class Release(models.Model):
    """One frozen state of all sites' content."""

    number = models.AutoField(primary_key=True)
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.CharField(max_length=150, blank=True)  # whose changes it holds, as releases.author says it
    note = models.CharField(max_length=200, blank=True)
    added = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    removed = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("-number",)

    def __str__(self) -> str:
        return f"Release {self.number}"


class ReleaseItem(models.Model):
    """One item as it stood in releases ``since <= n < until`` (``until`` empty: still valid)."""

    site = models.CharField(max_length=12, blank=True)  # empty: belongs to all sites
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=120)
    format = models.PositiveSmallIntegerField(default=1)  # of the body: releases.formats
    digest = models.CharField(max_length=32)
    body = models.BinaryField()  # JSON, UTF-8, keys sorted; references stand as in domain.references
    since = models.PositiveIntegerField()
    until = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(fields=("site", "kind", "key", "since"), name="one_item_per_release"),
            models.UniqueConstraint(
                fields=("site", "kind", "key"), condition=models.Q(until=None), name="one_item_is_current"
            ),
        )
        indexes = (models.Index(fields=("until",)), models.Index(fields=("since",)))

    def __str__(self) -> str:
        return f"{self.site or 'all'}/{self.kind}/{self.key}"


class PendingChange(models.Model):
    """Something an editor changed that no release holds yet. Written in the transaction of the edit itself.

    What could not be frozen stays, a row for each editor who had a part in it.
    """

    site = models.CharField(max_length=12, blank=True)
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=120)
    noted_at = models.DateTimeField(auto_now_add=True)
    by = models.CharField(max_length=150, blank=True)  # the editor's name; empty: the product itself
    problem = models.TextField(blank=True)  # why no release could take it; its last good state stays live

    def __str__(self) -> str:
        return f"{self.site or 'all'}/{self.kind}/{self.key}"

"""Frozen content. A release is a number; an item is valid from ``since`` until (not including) ``until``."""

from typing import Final

from django.db import models

KEY_LENGTH: Final = 500
"""Of an item's key; the longest are addresses."""


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
    key = models.CharField(max_length=KEY_LENGTH)
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


class ReleaseRoute(models.Model):
    """Where a page was in releases ``since <= n < until`` (``releases.index``)."""

    site = models.CharField(max_length=12)
    key = models.CharField(max_length=KEY_LENGTH)
    path = models.TextField()
    template = models.CharField(max_length=40)
    title = models.TextField()
    parent = models.CharField(max_length=KEY_LENGTH, null=True)
    changed = models.CharField(max_length=40, null=True)
    switcher_hidden = models.BooleanField()
    since = models.PositiveIntegerField()
    until = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("site", "key", "since"), name="one_route_per_release"),)
        indexes = (
            models.Index(fields=("path",)),
            models.Index(fields=("key",)),
            models.Index(fields=("until",)),
        )

    def __str__(self) -> str:
        return f"{self.site}{self.path}"


class ReleaseReference(models.Model):
    """What an item referred to in releases ``since <= n < until`` (``releases.index``)."""

    site = models.CharField(max_length=12, blank=True)
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=KEY_LENGTH)
    target_kind = models.CharField(max_length=20)  # as domain.references.Reference
    target_key = models.CharField(max_length=KEY_LENGTH)
    since = models.PositiveIntegerField()
    until = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = (
            models.UniqueConstraint(
                fields=("target_kind", "target_key", "site", "kind", "key", "since"), name="one_reference_per_release"
            ),
        )
        indexes = (models.Index(fields=("site", "kind", "key")),)

    def __str__(self) -> str:
        return f"{self.site or 'all'}/{self.kind}/{self.key} → {self.target_kind} {self.target_key}"


class EnteredValue(models.Model):
    """What editors had entered for an entry, a menu, a footer or a rate card in releases ``since <= n < until``
    (``content.entered``). Pages have Wagtail's revisions."""

    model = models.CharField(max_length=60)
    key = models.CharField(max_length=KEY_LENGTH)
    value = models.TextField()  # JSON
    since = models.PositiveIntegerField()
    until = models.PositiveIntegerField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("model", "key", "since"), name="one_entered_value_per_release"),)

    def __str__(self) -> str:
        return f"{self.model} {self.key}"


class LiveRequest(models.Model):
    """Somebody in the studio asked the publisher to show a release and hold it, or to follow the newest one again."""

    release = models.PositiveIntegerField(null=True)  # empty: resume
    by = models.CharField(max_length=150)
    asked_at = models.DateTimeField(auto_now_add=True)
    done_at = models.DateTimeField(null=True)
    problem = models.TextField(blank=True)  # why it could not be done; nothing has changed then

    def __str__(self) -> str:
        return f"release {self.release}" if self.release else "resume"


class Moment(models.Model):
    """A time at which items become others without an edit: an entry goes live or expires, an event passes. Written with
    the entry or the event's page, removed in the transaction that notes the change: so it is neither missed nor done
    twice."""

    at = models.DateTimeField(db_index=True)
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=KEY_LENGTH)

    class Meta:
        indexes = (models.Index(fields=("kind", "key")),)

    def __str__(self) -> str:
        return f"{self.at.isoformat()} {self.kind}/{self.key}"


class PendingChange(models.Model):
    """Something an editor changed that no release holds yet. Written in the transaction of the edit itself.

    What could not be frozen stays, a row for each editor who had a part in it.
    """

    site = models.CharField(max_length=12, blank=True)
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=KEY_LENGTH)
    noted_at = models.DateTimeField(auto_now_add=True)
    by = models.CharField(max_length=150, blank=True)  # the editor's name; empty: the product itself
    problem = models.TextField(blank=True)  # why no release could take it: domain.problems.pack_all

    def __str__(self) -> str:
        return f"{self.site or 'all'}/{self.kind}/{self.key}"


class Verification(models.Model):
    """What the own address of a site answered last when it was asked for pages of a release. It is no part of the release:
    no other key refers to it, and it goes with the release."""

    release = models.PositiveIntegerField()
    site = models.CharField(max_length=12)
    build = models.CharField(max_length=100)  # that was live there
    verdict = models.CharField(max_length=12)  # delivery_status.verify.Verdict
    pages = models.PositiveSmallIntegerField()  # that were asked for
    path = models.TextField(blank=True)  # the first page that was not as published
    why = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField()  # of the first such answer in a row

    class Meta:
        constraints = (models.UniqueConstraint(fields=("release", "site"), name="one_verification_per_site"),)

    def __str__(self) -> str:
        return f"release {self.release} on {self.site}: {self.verdict}"


class LastLive(models.Model):
    """Last content of a site (``releases.last_live``). The publisher writes it after each switch."""

    site = models.CharField(max_length=12, primary_key=True)
    shows = models.TextField()  # JSON: release, held items, hold

    def __str__(self) -> str:
        return self.site

"""Define stored content. A release is a number; an item is valid from ``since`` until (not including) ``until``."""

from typing import Final

from django.db import models

KEY_LENGTH: Final = 500
"""Length of an item's key; the longest are URLs."""


class Release(models.Model):
    """A snapshot of all sites' content."""

    number = models.AutoField(primary_key=True)
    created_at = models.DateTimeField(auto_now_add=True)
    created_by = models.CharField(max_length=150, blank=True)  # authors of its changes, from releases.author
    note = models.CharField(max_length=200, blank=True)
    added = models.PositiveIntegerField(default=0)
    changed = models.PositiveIntegerField(default=0)
    removed = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ("-number",)

    def __str__(self) -> str:
        return f"Release {self.number}"


class ReleaseItem(models.Model):
    """An item as it was in releases ``since <= n < until`` (``until`` empty: still valid)."""

    site = models.CharField(max_length=12, blank=True)  # empty: all sites
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=KEY_LENGTH)
    format = models.PositiveSmallIntegerField(default=1)  # of the body, see releases.formats
    digest = models.CharField(max_length=32)
    body = models.BinaryField()  # JSON, UTF-8, keys sorted; references as in domain.references
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
    """The place of a page in releases ``since <= n < until`` (``releases.index``)."""

    site = models.CharField(max_length=12)
    key = models.CharField(max_length=KEY_LENGTH)
    path = models.TextField()
    template = models.CharField(max_length=40)
    title = models.TextField()
    parent = models.CharField(max_length=KEY_LENGTH, null=True)
    changed = models.CharField(max_length=40, null=True)
    switcher_hidden = models.BooleanField()
    fallback = models.CharField(max_length=12, null=True)  # site whose page it is; empty for own pages
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
    """A reference of an item in releases ``since <= n < until`` (``releases.index``)."""

    site = models.CharField(max_length=12, blank=True)
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=KEY_LENGTH)
    target_kind = models.CharField(max_length=20)  # as in domain.references.Reference
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
    """Values that editors entered for an entry, menu, footer or rate card in releases ``since <= n < until``
    (``content.entered``).

    Pages have Wagtail's revisions instead.
    """

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
    """A request from the studio to show and pin a release, or to follow the newest one again."""

    release = models.PositiveIntegerField(null=True)  # None: follow the newest release
    by = models.CharField(max_length=150)
    asked_at = models.DateTimeField(auto_now_add=True)
    done_at = models.DateTimeField(null=True)
    problem = models.TextField(blank=True)  # why it failed; nothing has changed then

    def __str__(self) -> str:
        return f"release {self.release}" if self.release else "resume"


class Moment(models.Model):
    """A time at which items change without an edit: an entry goes live or expires, an event passes.

    Written with the entry or the event's page, and removed in the transaction that notes the change. So it is handled
    exactly once.
    """

    at = models.DateTimeField(db_index=True)
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=KEY_LENGTH)

    class Meta:
        indexes = (models.Index(fields=("kind", "key")),)

    def __str__(self) -> str:
        return f"{self.at.isoformat()} {self.kind}/{self.key}"


class PendingChange(models.Model):
    """An editor's change that is in no release yet. Written in the transaction of the edit.

    A change with a problem stays, with one row for each editor who took part in it.
    """

    site = models.CharField(max_length=12, blank=True)
    kind = models.CharField(max_length=20)
    key = models.CharField(max_length=KEY_LENGTH)
    noted_at = models.DateTimeField(auto_now_add=True)
    by = models.CharField(max_length=150, blank=True)  # the editor's name; empty: the product itself
    problem = models.TextField(blank=True)  # why it is blocked: domain.problems.pack_all

    def __str__(self) -> str:
        return f"{self.site or 'all'}/{self.kind}/{self.key}"


class Verification(models.Model):
    """The last check of a release's pages at the site's own URL. Not part of the release, but deleted with it."""

    release = models.PositiveIntegerField()
    site = models.CharField(max_length=12)
    build = models.CharField(max_length=100)  # the live build
    verdict = models.CharField(max_length=12)  # delivery_status.verify.Verdict
    pages = models.PositiveSmallIntegerField()  # number of requested pages
    path = models.TextField(blank=True)  # the first page that differed
    why = models.CharField(max_length=200, blank=True)
    at = models.DateTimeField()  # of the first such result in a row

    class Meta:
        constraints = (models.UniqueConstraint(fields=("release", "site"), name="one_verification_per_site"),)

    def __str__(self) -> str:
        return f"release {self.release} on {self.site}: {self.verdict}"


class LastLive(models.Model):
    """Last content of a site (``releases.last_live``). The publisher writes it after each switch."""

    site = models.CharField(max_length=12, primary_key=True)
    shows = models.TextField()  # JSON: release, blocked items, pin

    def __str__(self) -> str:
        return self.site

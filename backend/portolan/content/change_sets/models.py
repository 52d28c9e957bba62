"""Define a change set and its items. Its drafts are Wagtail's revisions.

An object has one draft, so it is in one set at a time.
"""

from typing import Any

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.db import models
from django.db.models import Q
from wagtail.models import Page, Revision

from ...domain.change_sets import HOLDS, PINS, State
from ..site_records import load_site_roots


class ChangeSet(models.Model):
    name = models.CharField(max_length=120)
    note = models.TextField(blank=True, default="", db_default="")  # its purpose
    state = models.CharField(
        max_length=12, choices=[(state.value, state.value) for state in State], default=State.OPEN.value
    )
    owner = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    created_at = models.DateTimeField(auto_now_add=True)
    sent_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    sent_at = models.DateTimeField(null=True)
    approved_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    approved_at = models.DateTimeField(null=True)
    go_live_at = models.DateTimeField(null=True)
    live_at = models.DateTimeField(null=True)
    release = models.PositiveIntegerField(null=True)  # the release that it became
    taken_back_by = models.PositiveIntegerField(null=True)  # the release that reverted it
    said = models.TextField(blank=True)  # why it was rejected, or could not go live

    wagtail_reference_index_ignore = True

    class Meta:
        ordering = ("-pk",)
        indexes = (models.Index(fields=("state", "go_live_at")),)

    def __str__(self) -> str:
        return str(self.name)

    @property
    def at(self) -> State:
        return State(self.state)

    @property
    def holds(self) -> bool:
        """Whether its drafts belong to it alone."""
        return self.at in HOLDS

    @property
    def pins(self) -> bool:
        """Whether the drafts that go live are fixed."""
        return self.at in PINS


class ChangeSetItem(models.Model):
    """An object in a change set: its draft goes live, or it is unpublished. A page may also, or only, move."""

    PUBLISH = "publish"
    UNPUBLISH = "unpublish"
    MOVE = "move"

    change_set = models.ForeignKey(ChangeSet, on_delete=models.CASCADE, related_name="items")
    content_type = models.ForeignKey(ContentType, on_delete=models.CASCADE, related_name="+")  # for pages: that of Page
    object_id = models.CharField(max_length=255)  # as in Wagtail's revisions
    what = models.CharField(
        max_length=10, choices=[(PUBLISH, PUBLISH), (UNPUBLISH, UNPUBLISH), (MOVE, MOVE)], default=PUBLISH
    )
    below = models.PositiveBigIntegerField(null=True)  # the new parent of a page that moves; None if it stays
    title = models.CharField(max_length=255)  # its title when it was added, because it may be deleted later
    base = models.PositiveBigIntegerField(null=True)  # the live revision when it was added; None if it was not live
    approved = models.PositiveBigIntegerField(null=True)  # the revision that goes live, after approval
    is_open = models.BooleanField(default=True)  # while the set contains its drafts
    added_by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")

    wagtail_reference_index_ignore = True

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(
                fields=("content_type", "object_id"), condition=Q(is_open=True), name="one_open_change_set"
            ),
            models.UniqueConstraint(fields=("change_set", "content_type", "object_id"), name="once_in_a_change_set"),
        )

    def __str__(self) -> str:
        return f"{self.what} {self.title}"

    def load(self) -> Any | None:
        """Return the object as it is live or as a first draft; None if it was deleted. Cached, because items are used
        for one request only."""
        if not self.is_loaded:
            model: Any = self.content_type.model_class()
            found = model._default_manager.filter(pk=self.object_id).first() if model else None
            self._thing = getattr(found, "specific", found)
        return self._thing

    @property
    def is_loaded(self) -> bool:
        return "_thing" in self.__dict__

    def keep(self, thing: Any | None) -> None:
        """Set the result of ``load``, for objects that were read together."""
        self._thing = thing

    def is_gone(self) -> bool:
        """Return whether the object is deleted or in the trash."""
        thing = self.load()
        if not isinstance(thing, Page):
            return thing is None
        return not any(thing.path.startswith(root.root_path) for root in load_site_roots().values())

    def revision(self) -> Revision | None:
        """Return the draft that goes live: the approved one, or else the newest."""
        if not self.approved:
            thing = self.load()
            return thing.latest_revision if thing else None
        revisions = Revision.objects.filter(base_content_type=self.content_type, object_id=self.object_id)
        return revisions.filter(pk=self.approved).first()


class ChangeSetNotice(models.Model):
    """A message to a person by e-mail. Created in the same transaction as its cause, and deleted after sending.

    The delivery process sends all mail, so that studio and publisher never wait for a mail server.
    """

    change_set = models.ForeignKey(ChangeSet, on_delete=models.CASCADE, related_name="notices")
    to = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    said = models.TextField()  # the event, as a sentence
    at = models.DateTimeField(auto_now_add=True)

    wagtail_reference_index_ignore = True

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.said} → {self.to_id}"

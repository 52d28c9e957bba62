"""A change set and what is in it. Its drafts are Wagtail's revisions: of an object there is one draft, so it is in one set at
a time.
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
    note = models.TextField(blank=True, default="", db_default="")  # what it is for
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
    release = models.PositiveIntegerField(null=True)  # the one it became
    taken_back_by = models.PositiveIntegerField(null=True)  # the release that has what was before it
    said = models.TextField(blank=True)  # why it was sent back, or could not go live

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
        """Whether its drafts are its own."""
        return self.at in HOLDS

    @property
    def pins(self) -> bool:
        """Whether it is settled which drafts go live."""
        return self.at in PINS


class ChangeSetItem(models.Model):
    """One thing in a change set: its draft goes live, or it is taken down; a page may move too, or do nothing else."""

    PUBLISH = "publish"
    UNPUBLISH = "unpublish"
    MOVE = "move"

    change_set = models.ForeignKey(ChangeSet, on_delete=models.CASCADE, related_name="items")
    content_type = models.ForeignKey(ContentType, on_delete=models.CASCADE, related_name="+")  # of pages: Page's own
    object_id = models.CharField(max_length=255)  # as Wagtail's revisions have it
    what = models.CharField(
        max_length=10, choices=[(PUBLISH, PUBLISH), (UNPUBLISH, UNPUBLISH), (MOVE, MOVE)], default=PUBLISH
    )
    below = models.PositiveBigIntegerField(null=True)  # the page below which a page moves; none where it stays
    title = models.CharField(max_length=255)  # what it was called when it was added: it may be deleted since
    base = models.PositiveBigIntegerField(null=True)  # the revision that was live when it was added; none was
    approved = models.PositiveBigIntegerField(null=True)  # the revision that goes live, once that is settled
    is_open = models.BooleanField(default=True)  # as long as the set holds its drafts
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
        """The object as it is live, or as its first draft has it; None where it was deleted. Read once: nobody keeps an item
        longer than for a request."""
        if not self.is_loaded:
            model: Any = self.content_type.model_class()
            found = model._default_manager.filter(pk=self.object_id).first() if model else None
            self._thing = getattr(found, "specific", found)
        return self._thing

    @property
    def is_loaded(self) -> bool:
        return "_thing" in self.__dict__

    def keep(self, thing: Any | None) -> None:
        """For ``load``, where it was read with others."""
        self._thing = thing

    def is_gone(self) -> bool:
        """Deleted for good, or among the deleted pages, which are on no site."""
        thing = self.load()
        if not isinstance(thing, Page):
            return thing is None
        return not any(thing.path.startswith(root.root_path) for root in load_site_roots().values())

    def revision(self) -> Revision | None:
        """The draft that goes live: the newest one, until it is settled which."""
        if not self.approved:
            thing = self.load()
            return thing.latest_revision if thing else None
        revisions = Revision.objects.filter(base_content_type=self.content_type, object_id=self.object_id)
        return revisions.filter(pk=self.approved).first()


class ChangeSetNotice(models.Model):
    """Something that a person is to be told by e-mail. Written in the transaction in which it happens, removed once it is sent:
    by the process that sends all mail, for neither studio nor publisher waits for a mail server."""

    change_set = models.ForeignKey(ChangeSet, on_delete=models.CASCADE, related_name="notices")
    to = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="+")
    said = models.TextField()  # what has happened, as a sentence
    at = models.DateTimeField(auto_now_add=True)

    wagtail_reference_index_ignore = True

    class Meta:
        ordering = ("pk",)

    def __str__(self) -> str:
        return f"{self.said} → {self.to_id}"

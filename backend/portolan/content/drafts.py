"""Give entries, menus, footers, rate cards and redirects Wagtail's drafts, revisions, locks and schedule.

The row contains the live values and changes when a draft is published. A draft is a revision, so an export needs only
rows. Only ``live`` rows are on sites.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import TYPE_CHECKING, Any, ClassVar, Final, Self

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils.translation import gettext
from wagtail.log_actions import log
from wagtail.models import (
    DraftStateMixin,
    LockableMixin,
    PreviewableMixin,
    Revision,
    RevisionMixin,
    WorkflowMixin,
)
from wagtail.signals import published

from . import clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

FIRST_KEPT: Final = "portolan.first_kept"
"""Log action for the values before the first edit that created a revision."""
REVERTED: Final = "portolan.taken_back"
"""Log action for the values that a reverted release had replaced."""


class Drafted(PreviewableMixin, WorkflowMixin, DraftStateMixin, LockableMixin, RevisionMixin, models.Model):
    """A row with drafts. Extends Wagtail for rows that are older than their drafts, and that other rows refer to."""

    of_the_row: ClassVar[tuple[str, ...]] = ()
    """Fields of the object as a whole: saved at once, and never changed by a draft."""
    show_draft: ClassVar["Callable[[Drafted, HttpRequest], HttpResponse] | None"] = None
    """Shows sites with this object as it is in memory. Set by the studio, which can render pages."""

    preview_modes: ClassVar[list[tuple[str, str]]] = [("", "Page")]

    # Wagtail's fields, which the previous version does not fill in
    live = models.BooleanField(default=True, db_default=True, editable=False)
    has_unpublished_changes = models.BooleanField(default=False, db_default=False, editable=False)
    expired = models.BooleanField(default=False, db_default=False, editable=False)
    locked = models.BooleanField(default=False, db_default=False, editable=False)

    class Meta:
        abstract = True

    def clean(self) -> None:
        super().clean()
        if self.go_live_at and self.expire_at and self.expire_at <= self.go_live_at:
            raise ValidationError({"expire_at": gettext("The end is before the start. Correct one of the two times.")})

    def is_shown(self, now: datetime) -> bool:
        return (
            self.live
            and (self.go_live_at is None or self.go_live_at <= now)
            and (self.expire_at is None or now < self.expire_at)
        )

    def serve_preview(self, request: "HttpRequest", mode_name: str) -> "HttpResponse":
        if Drafted.show_draft is None:
            raise NotImplementedError("Previews are unavailable: the studio's app is not installed.")
        return Drafted.show_draft(self, request)

    def with_content_json(self, content: dict[str, Any]) -> Self:
        """Return the draft. Where it refers to a deleted row, it has the value of the live row."""
        found: Self = super().with_content_json(self._without_lost(content))
        for name in ("live_revision_id", "last_published_at", *self.of_the_row):
            setattr(found, name, getattr(self, name))
        return found

    def save_revision(self, *args: Any, **kwargs: Any) -> Revision:
        with transaction.atomic():
            if self.pk and not self.latest_revision_id:
                self.keep_first()
            revision: Revision = super().save_revision(*args, **kwargs)
        return revision

    def save_live(self, user: Any = None, action: str = "wagtail.edit") -> None:
        """Save the row as live without a form, with a revision that the history names ``action``.

        A waiting draft stays in the history only.
        """
        with transaction.atomic():
            if self.pk and not self.latest_revision_id:
                self.keep_first()
            self.live, self.expired = True, False
            self.save()
            self.live_revision = self.save_revision(user=user, clean=False, log_action=action)
            self.has_unpublished_changes = False
            self.save(update_fields=["live_revision", "has_unpublished_changes"])
            published.send(sender=type(self), instance=self, revision=self.live_revision)

    def keep_first(self) -> None:
        """Create a revision of the live values for rows that are older than their drafts, to compare with and to
        restore."""
        stored = type(self)._default_manager.filter(pk=self.pk, live=True, latest_revision=None).first()
        if stored is None:
            return
        first = Revision.objects.create(
            content_object=stored,
            base_content_type=self.get_base_content_type(),
            content=stored.serializable_data(),
            object_str=str(stored),
        )
        self.latest_revision = self.live_revision = first
        type(self)._default_manager.filter(pk=self.pk).update(latest_revision=first, live_revision=first)
        log(instance=stored, action=FIRST_KEPT, revision=first, content_changed=True)

    def _without_lost(self, content: dict[str, Any]) -> dict[str, Any]:
        """Replace references to deleted rows, because modelcluster would reject the draft. Foreign keys protect live
        rows only."""
        found = dict(content)
        for field in self._meta.fields:
            if not isinstance(field, models.ForeignKey) or field.remote_field.on_delete is not models.PROTECT:
                continue
            other: Any = field.remote_field.model
            wanted = found.get(field.name)
            if wanted is not None and not other._default_manager.filter(pk=wanted).exists():
                found[field.name] = getattr(self, field.attname)
        return found


ROW_STATE: Final = frozenset(
    {
        "live", "has_unpublished_changes", "first_published_at", "last_published_at", "live_revision", "latest_revision",
        "expired", "locked", "locked_at", "locked_by",
    }
)  # fmt: skip
"""Fields for the state of a row, not its content."""


def only_shown(rows: Iterable[Drafted], now: datetime | None = None) -> list[Any]:
    at = now or clock.now()
    return [row for row in rows if row.is_shown(at)]

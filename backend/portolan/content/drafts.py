"""What entries, menus, footers, rate cards and redirects have in common with pages: drafts, revisions, locks and a schedule,
all of them Wagtail's. The row is what is live, and changes when a draft is published; what waits is a revision, so whatever
freezes reads rows as before. A row that is not ``live`` is on no site.
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

from . import clock

if TYPE_CHECKING:
    from collections.abc import Callable

    from django.http import HttpRequest, HttpResponse

FIRST_KEPT: Final = "portolan.first_kept"
"""The log's name for what stood there before the first edit that made a revision."""
REVERTED: Final = "portolan.taken_back"
"""The log's name for what a release that was reverted had replaced."""


class Drafted(PreviewableMixin, WorkflowMixin, DraftStateMixin, LockableMixin, RevisionMixin, models.Model):
    """``with_content_json``, ``save_revision`` and the rest are Wagtail's; here is what differs for rows that were there
    before they had drafts, and that others refer to."""

    of_the_row: ClassVar[tuple[str, ...]] = ()
    """Fields that belong to the object as a whole: they are saved at once, and no draft brings an old value back."""
    show_draft: ClassVar["Callable[[Drafted, HttpRequest], HttpResponse] | None"] = None
    """Shows sites as they would be with this object as it is in memory. Set by the studio, which can render pages."""

    preview_modes: ClassVar[list[tuple[str, str]]] = [("", "Page")]

    # Wagtail's fields, which the version before does not fill in
    live = models.BooleanField(default=True, db_default=True, editable=False)
    has_unpublished_changes = models.BooleanField(default=False, db_default=False, editable=False)
    expired = models.BooleanField(default=False, db_default=False, editable=False)
    locked = models.BooleanField(default=False, db_default=False, editable=False)

    class Meta:
        abstract = True

    def clean(self) -> None:
        super().clean()
        if self.go_live_at and self.expire_at and self.expire_at <= self.go_live_at:
            raise ValidationError({"expire_at": gettext("It would go before it comes. Correct one of the two times.")})

    def is_shown(self, now: datetime) -> bool:
        return (
            self.live
            and (self.go_live_at is None or self.go_live_at <= now)
            and (self.expire_at is None or now < self.expire_at)
        )

    def serve_preview(self, request: "HttpRequest", mode_name: str) -> "HttpResponse":
        if Drafted.show_draft is None:
            raise NotImplementedError("Nobody draws drafts: the studio's app is not installed.")
        return Drafted.show_draft(self, request)

    def with_content_json(self, content: dict[str, Any]) -> Self:
        """Also of a draft that refers to something that was deleted since: there it says what the row says."""
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
        """For whoever changes what is live without a form: saves the row as it is, with a revision that the history names
        ``action``. A draft that waits is left behind in the history."""
        with transaction.atomic():
            if self.pk and not self.latest_revision_id:
                self.keep_first()
            self.live, self.expired = True, False
            self.save()
            self.live_revision = self.save_revision(user=user, clean=False, log_action=action)
            self.has_unpublished_changes = False
            self.save(update_fields=["live_revision", "has_unpublished_changes"])

    def keep_first(self) -> None:
        """Rows that were made before they had drafts get a revision of what is live, to compare with and to go back to."""
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
        """Rows that a foreign key protects are protected for the live row alone; modelcluster refuses a draft whose are
        gone."""
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
"""Fields of a row that say what has become of it, and nothing of its content."""


def only_shown(rows: Iterable[Drafted], now: datetime | None = None) -> list[Any]:
    at = now or clock.now()
    return [row for row in rows if row.is_shown(at)]

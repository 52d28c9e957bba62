"""Take the steps of a change set, each in one transaction, and notify people."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext, gettext_noop, override
from wagtail.log_actions import log

from ...content.change_sets.holding import find_overtaken, standings
from ...content.change_sets.models import ChangeSet, ChangeSetItem, ChangeSetNotice
from ...domain.change_sets import State, Step, next_state, say_state, why_not
from ...releases.change_sets import NotReady, put_live
from ...releases.waking import wake_delivery, wake_publisher
from ..authors import name_of
from ..languages import language_of
from .checks import check
from .rights import find_reviewers, needs_review, standing_of

LOGGED: Final[Mapping[Step, str]] = {
    Step.SEND: gettext_noop("Sent for review"),
    Step.APPROVE: gettext_noop("Approved"),
    Step.REOPEN: gettext_noop("Reopened"),
    Step.SCHEDULE: gettext_noop("Scheduled"),
    Step.UNSCHEDULE: gettext_noop("Removed from the schedule"),
    Step.PUBLISH: gettext_noop("Went live"),
    Step.DROP: gettext_noop("Closed"),
    Step.REVERT: gettext_noop("Reverted"),
}
"""Names of the steps in the studio's log."""
_HAS_TO_BE_READY: Final = frozenset({Step.SEND, Step.APPROVE, Step.SCHEDULE, Step.PUBLISH})


class Refused(Exception):
    """The step was refused. The message gives the reason."""


def mark_of(items: Iterable[ChangeSetItem]) -> str:
    """Return a mark of the drafts. It shows whether they have changed since a person saw them."""
    rows = list(items)
    now = standings(rows)
    return ".".join(
        f"{row.pk}-{row.what[0]}{row.below or ''}-{row.approved or (now[row.pk].draft if row.pk in now else 0)}"
        for row in rows
    )


def take_step(
    change_set: ChangeSet, step: Step, user: Any, seen: str = "", at: datetime | None = None, said: str = ""
) -> ChangeSet:
    """Take a step and return the change set.

    ``seen``: the mark of the drafts that the person saw; ``at``: when it goes live; ``said``: why it is sent back.
    Raises Refused.
    """
    if step in _HAS_TO_BE_READY:
        _require_ready(change_set)
    if step is Step.PUBLISH:
        return _publish(change_set, user, seen)
    with transaction.atomic():
        row, items = _lock(change_set, step, user, seen)
        before, row.state = row.at, (next_state(row.at, step) or row.at).value
        now = timezone.now()
        if step is Step.SEND:
            row.sent_by, row.sent_at, row.said = user, now, ""
        elif step is Step.APPROVE:
            _settle(row, items, user)
        elif step is Step.SCHEDULE:
            if at is None or at <= now:
                raise Refused(gettext("Choose a time in the future."))
            if before is State.OPEN:
                _settle(row, items, user)
            row.go_live_at, row.said = at, ""
        elif step is Step.REOPEN:
            row.approved_by = row.approved_at = row.go_live_at = None
            row.said = said
            row.items.update(approved=None)
        elif step is Step.DROP:
            row.items.update(is_open=False)
        row.save()
        _tell(row, step, user, before, said)
        _log(row, step, user)
    if step is Step.SCHEDULE:
        wake_publisher()  # it may be due before the publisher's next check
    return row


def note_reverted(change_set: ChangeSet, release: int, user: Any) -> None:
    with transaction.atomic():
        row, _ = _lock(change_set, Step.REVERT, user, "")
        row.state, row.taken_back_by = State.REVERTED.value, release
        row.save()
        _log(row, Step.REVERT, user)


def _publish(change_set: ChangeSet, user: Any, seen: str) -> ChangeSet:
    try:
        with transaction.atomic():
            row, items = _lock(change_set, Step.PUBLISH, user, seen)
            before = row.at
            if before is State.OPEN:
                _settle(row, items, user)
                row.save()
            put_live(row, name_of(row.approved_by or user), user, states=[before])
            row.refresh_from_db()
            _tell(row, Step.PUBLISH, user, before, "")
            _log(row, Step.PUBLISH, user)
    except NotReady as error:
        raise Refused(str(error)) from error
    wake_publisher()
    return row


def _lock(change_set: ChangeSet, step: Step, user: Any, seen: str) -> tuple[ChangeSet, list[ChangeSetItem]]:
    row = ChangeSet.objects.select_for_update().get(pk=change_set.pk)
    items = list(row.items.all())
    if said := why_not(row.at, step, standing_of(user, row, items), needs_review(items), gettext):
        raise Refused(said)
    if seen and seen != mark_of(items):
        raise Refused(gettext("The change set has changed since you opened this page. Check it, then try again."))
    return row, items


def _settle(row: ChangeSet, items: Iterable[ChangeSetItem], user: Any) -> None:
    """Fix the drafts that go live. Later edits are not included."""
    row.approved_by, row.approved_at, row.said = user, timezone.now(), ""
    now = standings(items)
    for item in items:
        if item.what == ChangeSetItem.PUBLISH and item.pk in now:
            ChangeSetItem.objects.filter(pk=item.pk).update(approved=now[item.pk].draft)


def _require_ready(change_set: ChangeSet) -> None:
    items = list(change_set.items.all())
    if not items:
        raise Refused(gettext("The change set is empty."))
    if find_overtaken(items):
        raise Refused(
            gettext(
                "Other changes to the marked items went live since. Compare them, then decide which version to keep."
            )
        )
    found = check(change_set)
    if found.refused or found.problems:
        raise Refused(gettext("The marked items have problems. Fix them before publishing."))


def _tell(row: ChangeSet, step: Step, user: Any, before: State, said: str) -> None:
    """Notify each person in their own language."""
    people = _find_recipients(row, step, before)
    told = {person.pk: person for person in people if person.pk != user.pk}
    for person in told.values():
        with override(language_of(person)):
            text = _write(row, step, name_of(user), before, said)
        ChangeSetNotice.objects.create(change_set=row, to=person, said=text)
    if told:
        transaction.on_commit(_wake, robust=True)


def _find_recipients(row: ChangeSet, step: Step, before: State) -> list[Any]:
    if step is Step.SEND:
        return list(find_reviewers(row))
    is_told = step in (Step.APPROVE, Step.DROP) or (step in (Step.REOPEN, Step.PUBLISH) and before is not State.OPEN)
    return [person for person in (row.owner, row.sent_by) if person] if is_told else []


def _write(row: ChangeSet, step: Step, who: str, before: State, said: str) -> str:
    text = {
        Step.SEND: gettext("{who} asks for a review of the change set “{row}”."),
        Step.APPROVE: gettext("{who} has approved the change set “{row}”."),
        Step.REOPEN: gettext("{who} has reopened the change set “{row}”. {said}"),
        Step.PUBLISH: gettext("{who} has published the change set “{row}”."),
        Step.DROP: gettext("{who} has closed the change set “{row}”. It was {state}."),
    }[step]
    return text.format(who=who, row=row, said=said, state=say_state(before, gettext)).strip()


_wake: Callable[[], None] = wake_delivery


def _log(row: ChangeSet, step: Step, user: Any) -> None:
    if step in LOGGED:
        log(instance=row, action=f"portolan.change_set.{step.value}", user=user, title=row.name)

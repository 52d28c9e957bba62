"""List a user's tasks with change sets, for the dashboard and the list of change sets."""

from typing import Any, NamedTuple

from django.urls import reverse
from django.utils.translation import gettext

from ...content.change_sets.models import ChangeSet
from ...domain.change_sets import State, Step, why_not
from ..authors import name_of
from .rights import needs_review, standing_of
from .seeing import sets_seen_by


class WaitingRow(NamedTuple):
    text: str
    url: str
    detail: str = ""


def waiting_for(user: Any) -> list[WaitingRow]:
    """Return tasks, the most urgent first: failed, to review, sent back, approved without a time."""
    sets = sets_seen_by(user).filter(state__in=[State.FAILED, State.REVIEW, State.APPROVED, State.OPEN])
    found: dict[State, list[WaitingRow]] = {state: [] for state in State}
    for change_set in sets.select_related("owner", "sent_by", "approved_by"):
        if said := _say(change_set, user):
            url = reverse("studio_change_set", args=[change_set.pk])
            found[change_set.at].append(
                WaitingRow(gettext("Change set “{change_set}”").format(change_set=change_set), url, said)
            )
    return [*found[State.FAILED], *found[State.REVIEW], *found[State.OPEN], *found[State.APPROVED]]


def _say(change_set: ChangeSet, user: Any) -> str:
    own = user.pk in (change_set.owner_id, change_set.sent_by_id, change_set.approved_by_id)
    match change_set.at:
        case State.FAILED:
            return gettext("could not go live: {said}").format(said=change_set.said) if own else ""
        case State.REVIEW:
            items = list(change_set.items.all())
            if why_not(State.REVIEW, Step.APPROVE, standing_of(user, change_set, items), needs_review(items), gettext):
                return ""
            return gettext("{person} asks for a review").format(
                person=name_of(change_set.sent_by) if change_set.sent_by else gettext("Another editor")
            )
        case State.OPEN:
            return gettext("was reopened: {said}").format(said=change_set.said) if own and change_set.said else ""
        case State.APPROVED:
            return gettext("is approved and not scheduled yet") if own else ""
    return ""

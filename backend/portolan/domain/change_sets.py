"""Define the states of a change set, its steps, and who may take them."""

from collections.abc import Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from .words import Translate, mark, plain


class State(StrEnum):
    OPEN = "open"
    REVIEW = "review"
    APPROVED = "approved"
    SCHEDULED = "scheduled"
    FAILED = "failed"
    """It was due but could not go live: none of it is live."""
    LIVE = "live"
    REVERTED = "taken_back"
    DROPPED = "dropped"
    """Its drafts remain as separate drafts."""


class Step(StrEnum):
    CHANGE = "change"
    """Add, remove or rename; update drafts to the latest live version."""
    SEND = "send"
    APPROVE = "approve"
    REOPEN = "reopen"
    SCHEDULE = "schedule"
    UNSCHEDULE = "unschedule"
    PUBLISH = "publish"
    FAIL = "fail"
    """By the publisher: a due change set could not go live."""
    REVERT = "revert"
    DROP = "drop"


class Standing(NamedTuple):
    """A person's rights on a change set."""

    edits: bool
    """May edit something in the set."""
    publishes: bool
    """May publish on all sites of the set."""
    is_author: bool
    """Owns the set or sent it for review."""


HOLDS: Final = frozenset({State.OPEN, State.REVIEW, State.APPROVED, State.SCHEDULED, State.FAILED})
"""States in which the drafts belong to this set alone."""
PINS: Final = frozenset({State.APPROVED, State.SCHEDULED, State.FAILED})
"""States in which the drafts to publish are fixed: newer drafts are not included."""

_STATES: Final[Mapping[State, str]] = {
    State.OPEN: mark("open"),
    State.REVIEW: mark("in review"),
    State.APPROVED: mark("approved"),
    State.SCHEDULED: mark("scheduled"),
    State.FAILED: mark("not live: it failed"),
    State.LIVE: mark("live"),
    State.REVERTED: mark("reverted"),
    State.DROPPED: mark("dropped"),
}
_EDITORS: Final = frozenset({Step.CHANGE, Step.SEND, Step.REOPEN, Step.DROP})
_UNREVIEWED: Final = frozenset({Step.SCHEDULE, Step.PUBLISH})
"""Allowed in an open set if none of its sites requires a review."""
_NEXT: Final[Mapping[State, Mapping[Step, State]]] = {
    State.OPEN: {
        Step.CHANGE: State.OPEN,
        Step.SEND: State.REVIEW,
        Step.SCHEDULE: State.SCHEDULED,
        Step.PUBLISH: State.LIVE,
        Step.DROP: State.DROPPED,
    },
    State.REVIEW: {Step.APPROVE: State.APPROVED, Step.REOPEN: State.OPEN, Step.DROP: State.DROPPED},
    State.APPROVED: {
        Step.SCHEDULE: State.SCHEDULED,
        Step.PUBLISH: State.LIVE,
        Step.REOPEN: State.OPEN,
        Step.DROP: State.DROPPED,
    },
    State.SCHEDULED: {
        Step.SCHEDULE: State.SCHEDULED,
        Step.UNSCHEDULE: State.APPROVED,
        Step.PUBLISH: State.LIVE,
        Step.FAIL: State.FAILED,
        Step.REOPEN: State.OPEN,
        Step.DROP: State.DROPPED,
    },
    State.FAILED: {
        Step.SCHEDULE: State.SCHEDULED,
        Step.PUBLISH: State.LIVE,
        Step.REOPEN: State.OPEN,
        Step.DROP: State.DROPPED,
    },
    State.LIVE: {Step.REVERT: State.REVERTED},
    State.REVERTED: {},
    State.DROPPED: {},
}


def next_state(state: State, step: Step) -> State | None:
    """Return the state after the step, or None if the step is impossible."""
    return _NEXT[state].get(step)


def why_not(state: State, step: Step, standing: Standing, needs_review: bool, translate: Translate = plain) -> str:
    """Return the reason why a person cannot take a step, as a sentence; empty if they can.

    ``needs_review``: a site of the set requires review before publishing.
    """
    if next_state(state, step) is None:
        return translate("This is not possible for a change set that is {state}.").format(
            state=say_state(state, translate)
        )
    if step in _EDITORS:
        return (
            ""
            if standing.edits or standing.publishes
            else translate("You do not have the right to edit anything in this change set.")
        )
    if step is Step.FAIL:
        return translate("Only the publisher can mark a change set as failed.")
    if step in _UNREVIEWED and state is State.OPEN and needs_review:
        return translate("A site of this change set requires a review. Send it for review.")
    if not standing.publishes:
        return translate(
            "You do not have the right to publish on all its sites. Send it for review, and the reviewers are notified."
        )
    if step is Step.APPROVE and needs_review and standing.is_author:
        return translate(
            "A site with review needs the approval of another person, because you own or sent this change set."
        )
    return ""


def steps_for(state: State, standing: Standing, needs_review: bool) -> frozenset[Step]:
    """Return the steps that a person can take now."""
    return frozenset(step for step in Step if not why_not(state, step, standing, needs_review))


def say_state(state: State, translate: Translate = plain) -> str:
    """Return the name of a state for editors.

    >>> say_state(State.REVIEW)
    'in review'
    """
    return translate(_STATES[state])

"""What becomes of a change set, and who may do what with it: a table."""

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
    """Its time came, and it could not go live: nothing of it did."""
    LIVE = "live"
    REVERTED = "taken_back"
    DROPPED = "dropped"
    """Its drafts stay, each for itself."""


class Step(StrEnum):
    CHANGE = "change"
    """Add or remove things, give it another name, take over what went live meanwhile."""
    SEND = "send"
    APPROVE = "approve"
    REOPEN = "reopen"
    SCHEDULE = "schedule"
    UNSCHEDULE = "unschedule"
    PUBLISH = "publish"
    FAIL = "fail"
    """The publisher's: what is due could not be."""
    REVERT = "revert"
    DROP = "drop"


class Standing(NamedTuple):
    """What a person is to a change set."""

    edits: bool
    """May edit something in it."""
    publishes: bool
    """May publish on all its sites."""
    is_author: bool
    """Owns it, or has sent it to review."""


HOLDS: Final = frozenset({State.OPEN, State.REVIEW, State.APPROVED, State.SCHEDULED, State.FAILED})
"""In these it has its drafts for itself."""
PINS: Final = frozenset({State.APPROVED, State.SCHEDULED, State.FAILED})
"""In these it is settled which drafts go live: newer ones are not part of it."""

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
"""From an open set only where no site of it wants a review."""
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
    """None where the step cannot be taken."""
    return _NEXT[state].get(step)


def why_not(state: State, step: Step, standing: Standing, needs_review: bool, translate: Translate = plain) -> str:
    """Why a person cannot take a step, as a sentence; empty where it can be taken. ``needs_review``: on a site of the set a
    reviewer publishes."""
    if next_state(state, step) is None:
        return translate("That cannot be done with a change set that is {state}.").format(
            state=say_state(state, translate)
        )
    if step in _EDITORS:
        return "" if standing.edits or standing.publishes else translate("You may edit nothing that is in it.")
    if step is Step.FAIL:
        return translate("Only the publisher finds out whether something can go live.")
    if step in _UNREVIEWED and state is State.OPEN and needs_review:
        return translate("On a site of it a reviewer publishes: send it to review.")
    if not standing.publishes:
        return translate("You may not publish on all of its sites. Send it to review: who may is told.")
    if step is Step.APPROVE and needs_review and standing.is_author:
        return translate("On a site of it somebody else has to approve: you own it, or have sent it to review.")
    return ""


def steps_for(state: State, standing: Standing, needs_review: bool) -> frozenset[Step]:
    """What a person may do with it now."""
    return frozenset(step for step in Step if not why_not(state, step, standing, needs_review))


def say_state(state: State, translate: Translate = plain) -> str:
    """
    >>> say_state(State.REVIEW)
    'in review'
    """
    return translate(_STATES[state])

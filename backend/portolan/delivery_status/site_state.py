"""A release's state on one site, from the pointer, edges and the site's URL."""

from enum import StrEnum
from typing import NamedTuple

from .verify import Verdict


class State(StrEnum):
    RELEASED = "released"
    """A snapshot of the content exists, and the site does not show it yet."""
    RENDERED = "rendered"
    """Its pages are rendered, checked and put live. No edge has reported them yet."""
    LIVE = "live"
    """An edge serves it."""
    VERIFIED = "verified"
    """The site's own URL serves the published pages."""
    BLOCKED = "blocked"
    """It waits for an action: fix a problem, unpin the site, or start the publisher."""


class BlockedBy(StrEnum):
    """Why a site waits."""

    PIN = "pin"
    """The site is pinned to an earlier release."""
    PROBLEM = "problem"
    """A problem blocks new releases on the site until it is fixed."""
    CHANGE = "change"
    """The site follows, without some changes of the release."""
    FAILURE = "failure"
    """Publishing fails."""


class Facts(NamedTuple):
    """Facts about one release on one site."""

    is_shown: bool
    """True if the live pointer shows the release or a later one on the site."""
    waits_for: BlockedBy | None = None
    is_served: bool = False
    """True if an edge has reported the build or a later one."""
    verdict: Verdict | None = None
    """The last response of the site's own URL; None without a request."""


def find_state(facts: Facts) -> State:
    """Return the state.

    A visitor's response outranks edge reports, because a cache in front may have the earlier page.
    """
    if facts.waits_for is BlockedBy.CHANGE or (facts.waits_for and not facts.is_shown):
        return State.BLOCKED
    if facts.verdict is Verdict.SAME:
        return State.VERIFIED
    if not facts.is_shown:
        return State.RELEASED
    if facts.verdict is Verdict.EARLIER:
        return State.RENDERED
    return State.LIVE if facts.is_served else State.RENDERED

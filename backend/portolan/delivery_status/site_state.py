"""How far a release has come on one site: a rule over what pointer, edges and the site's own address say."""

from enum import StrEnum
from typing import NamedTuple

from .verify import Verdict


class State(StrEnum):
    FROZEN = "frozen"
    """It is kept, and the site does not show it yet."""
    RENDERED = "rendered"
    """Its pages are rendered, checked and put live; visitors do not get them yet, as far as is known."""
    LIVE = "live"
    """An edge serves it."""
    VERIFIED = "verified"
    """The site's own address answers with what was published."""
    BLOCKED = "blocked"
    """It waits until somebody does something: mends a problem, ends a hold, starts the publisher."""


class BlockedBy(StrEnum):
    """What a site waits for."""

    PIN = "pin"
    """An earlier release is shown on purpose."""
    PROBLEM = "problem"
    """Nothing new goes live on the site until a problem is fixed."""
    CHANGE = "change"
    """The site follows, without some of what the release changed there."""
    FAILURE = "failure"
    """Publishing itself fails."""


class Facts(NamedTuple):
    """Of one release on one site."""

    is_shown: bool
    """Whether the live pointer says that the site shows it, or a later one."""
    waits_for: BlockedBy | None = None
    is_served: bool = False
    """Whether an edge has told that it serves the build, or one after it."""
    verdict: Verdict | None = None
    """The last answer of the site's own address; none where nobody asked, or nothing could be asked for."""


def find_state(facts: Facts) -> State:
    """What visitors get decides over what edges say: a cache in front may still have the earlier page."""
    if facts.waits_for is BlockedBy.CHANGE or (facts.waits_for and not facts.is_shown):
        return State.BLOCKED
    if facts.verdict is Verdict.SAME:
        return State.VERIFIED
    if not facts.is_shown:
        return State.FROZEN
    if facts.verdict is Verdict.EARLIER:
        return State.RENDERED
    return State.LIVE if facts.is_served else State.RENDERED

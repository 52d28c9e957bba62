"""How far a release has come on a site, by what is known."""

import pytest

from portolan.delivery_status.site_state import BlockedBy, Facts, State, find_state
from portolan.delivery_status.verify import Verdict


@pytest.mark.parametrize(
    ("facts", "state"),
    [
        (Facts(is_shown=False), State.RELEASED),
        (Facts(is_shown=False, waits_for=BlockedBy.PIN), State.BLOCKED),
        (Facts(is_shown=False, waits_for=BlockedBy.PROBLEM), State.BLOCKED),
        (Facts(is_shown=False, waits_for=BlockedBy.FAILURE), State.BLOCKED),
        (Facts(is_shown=True), State.RENDERED),
        (Facts(is_shown=True, is_served=True), State.LIVE),
        (Facts(is_shown=True, verdict=Verdict.SAME), State.VERIFIED),
        (Facts(is_shown=True, is_served=True, verdict=Verdict.SAME), State.VERIFIED),
        # A cache in front: what visitors get decides, not what an edge says.
        (Facts(is_shown=True, is_served=True, verdict=Verdict.EARLIER), State.RENDERED),
        (Facts(is_shown=True, is_served=True, verdict=Verdict.OTHER), State.LIVE),
        (Facts(is_shown=True, is_served=True, verdict=Verdict.UNREACHABLE), State.LIVE),
        (Facts(is_shown=True, verdict=Verdict.UNREACHABLE), State.RENDERED),
        (Facts(is_shown=True, verdict=Verdict.OTHER), State.RENDERED),
        # Something of it waits, whatever the rest does.
        (Facts(is_shown=True, waits_for=BlockedBy.CHANGE, is_served=True, verdict=Verdict.SAME), State.BLOCKED),
        # It was seen once, and somebody has gone back since.
        (Facts(is_shown=False, waits_for=BlockedBy.PIN, verdict=Verdict.SAME), State.BLOCKED),
        (Facts(is_shown=False, verdict=Verdict.SAME), State.VERIFIED),
    ],
)
def test_what_visitors_get_decides(facts: Facts, state: State) -> None:
    assert find_state(facts) == state

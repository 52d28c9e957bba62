"""The delivery status of a release on a site, from the known facts."""

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
        # With a cache in front, the visitors' replies decide rather than the edge's report.
        (Facts(is_shown=True, is_served=True, verdict=Verdict.EARLIER), State.RENDERED),
        (Facts(is_shown=True, is_served=True, verdict=Verdict.OTHER), State.LIVE),
        (Facts(is_shown=True, is_served=True, verdict=Verdict.UNREACHABLE), State.LIVE),
        (Facts(is_shown=True, verdict=Verdict.UNREACHABLE), State.RENDERED),
        (Facts(is_shown=True, verdict=Verdict.OTHER), State.RENDERED),
        # A waiting part of the release decides.
        (Facts(is_shown=True, waits_for=BlockedBy.CHANGE, is_served=True, verdict=Verdict.SAME), State.BLOCKED),
        # It was verified once, and an editor has gone back since.
        (Facts(is_shown=False, waits_for=BlockedBy.PIN, verdict=Verdict.SAME), State.BLOCKED),
        (Facts(is_shown=False, verdict=Verdict.SAME), State.VERIFIED),
    ],
)
def test_what_visitors_get_decides(facts: Facts, state: State) -> None:
    assert find_state(facts) == state

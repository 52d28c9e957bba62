"""When a role should get no traffic, and why."""

import pytest

from portolan.domain.health import (
    LONGEST_ROUND_S,
    LONGEST_STAND_S,
    REFUSALS_COUNT_S,
    Health,
    Queue,
    describe_live,
    describe_ready,
    describe_well,
)


@pytest.mark.parametrize(
    ("health", "is_ready", "words"),
    [
        (Health("edge", "1", sites=8), True, ""),
        (Health("edge", "1", sites=0), False, "No site has been published"),
        (Health("edge", "1", sites=7, bare=("de",)), False, "Site de has nothing to serve"),
        (Health("serve", "1", sites=6, bare=("de", "pl"), database="fits"), False, "Site de, pl have nothing to serve"),
        (Health("studio", "1", bare=("de",), database="fits"), True, "Site de has nothing to serve"),
        (Health("publisher", "1", bare=("de",), database="fits", round_age_s=5), False, "Site de has nothing to serve"),
        (Health("edge", "1", sites=8, silent=("API",)), True, "The API does not answer"),
        (Health("serve", "1", sites=8, loading="loading", database="away"), True, "The database is not reachable"),
        (Health("serve", "1", sites=8, loading="failed", database="fits"), True, "could not start"),
        (Health("api", "1", loading="loading", database="fits"), False, "is starting"),
        (Health("api", "1", loading="failed", database="fits"), False, "could not start"),
        (Health("api", "1", loading="loaded", database="away"), True, "The database is not reachable"),
        (Health("api", "1", loading="loaded", database="newer"), True, "A newer version"),
        (Health("api", "1", loading="loaded", database="older"), False, "lacks migrations"),
        (Health("studio", "1", loading="loaded", database="fits"), True, ""),
        (Health("studio", "1", loading="loaded", database="away"), False, "The database is not reachable"),
        (Health("studio", "1", loading="loaded", database="newer"), False, "A newer version"),
        (Health("publisher", "1", database="fits", round_age_s=5), True, ""),
        (Health("publisher", "1", database="fits", round_age_s=LONGEST_ROUND_S + 60), False, "for 31 minutes"),
        (Health("delivery", "1", database="older", round_age_s=5), False, "lacks migrations"),
        (Health("publisher", "1", database="fits", stands_s=LONGEST_STAND_S + 5), False, "no progress for 25 s"),
        (Health("serve", "1", sites=8, silent=("publisher",)), True, "The publisher does not answer"),
        (Health("serve", "1", sites=8, folders=("The folder of leads is full.",)), True, "folder of leads"),
        (Health("publisher", "1", database="fits", folders=("The folder of builds is full.",)), False, "of builds"),
        (Health("serve", "1", sites=8, takes_leads=False), True, "Leads are refused"),
        (Health("api", "1", database="fits", takes_leads=False), False, "Leads are refused"),
        (Health("serve", "1", sites=8, refused=(2, 5)), True, "2 leads were refused"),
        (Health("serve", "1", sites=8, refused=(2, REFUSALS_COUNT_S + 1)), True, ""),
    ],
)
def test_readiness(health: Health, is_ready: bool, words: str) -> None:
    said = describe_ready(health)
    assert said["ready"] == is_ready
    spoken = " ".join([*said["reasons"], *said["warnings"]])
    assert words in spoken
    assert bool(spoken) == bool(words), "what is well needs no words"
    assert bool(said["reasons"]) != is_ready
    assert describe_well(health)["well"] == (not spoken), "a monitor wants to know of every warning"


def test_only_what_hangs_is_to_be_started_again() -> None:
    assert describe_live(Health("studio", "1", loading="failed", database="away"))["live"]
    assert not describe_live(Health("publisher", "1", round_age_s=LONGEST_ROUND_S + 1))["live"]
    assert not describe_live(Health("delivery", "1", stands_s=LONGEST_STAND_S + 1))["live"]


def test_what_a_role_does_not_know_is_left_out() -> None:
    known = Health("api", "1", loading="loaded", database="away", queues={"spool": Queue(2, 61.26)})
    assert describe_ready(known) == {
        "role": "api",
        "version": "1",
        "ready": True,
        "well": False,
        "reasons": [],
        "warnings": ["The database is not reachable."],
        "queues": {"spool": {"count": 2, "oldestSeconds": 61.3}},
    }

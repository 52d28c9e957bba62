"""The states of a change set and the rights to change them: the whole table."""

import pytest

from portolan.domain.change_sets import HOLDS, PINS, Standing, State, Step, next_state, say_state, steps_for, why_not

EDITOR = Standing(edits=True, publishes=False, is_author=False)
AUTHOR = Standing(edits=True, publishes=False, is_author=True)
REVIEWER = Standing(edits=True, publishes=True, is_author=False)
PUBLISHING_AUTHOR = Standing(edits=True, publishes=True, is_author=True)
READER = Standing(edits=False, publishes=False, is_author=False)
PREPARING = {"change", "send", "drop"}
AWAY = {"reopen", "drop"}


@pytest.mark.parametrize(
    ("state", "standing", "needs_review", "steps"),
    [
        ("open", READER, False, set()),
        ("open", EDITOR, False, PREPARING),
        ("open", AUTHOR, True, PREPARING),
        ("open", PUBLISHING_AUTHOR, False, PREPARING | {"schedule", "publish"}),
        ("open", PUBLISHING_AUTHOR, True, PREPARING),
        ("open", REVIEWER, True, PREPARING),
        ("review", READER, False, set()),
        ("review", EDITOR, False, AWAY),
        ("review", PUBLISHING_AUTHOR, False, AWAY | {"approve"}),
        ("review", PUBLISHING_AUTHOR, True, AWAY),
        ("review", REVIEWER, True, AWAY | {"approve"}),
        ("approved", AUTHOR, True, AWAY),
        ("approved", PUBLISHING_AUTHOR, True, AWAY | {"schedule", "publish"}),
        ("scheduled", AUTHOR, True, AWAY),
        ("scheduled", REVIEWER, True, AWAY | {"schedule", "unschedule", "publish"}),
        ("failed", EDITOR, False, AWAY),
        ("failed", REVIEWER, True, AWAY | {"schedule", "publish"}),
        ("live", EDITOR, False, set()),
        ("live", REVIEWER, True, {"revert"}),
        ("taken_back", REVIEWER, False, set()),
        ("dropped", REVIEWER, False, set()),
    ],
)
def test_who_may_do_what(state, standing, needs_review, steps):
    assert steps_for(State(state), standing, needs_review) == steps


def test_what_is_refused_is_explained():
    refusals = {
        why_not(state, step, standing, needs_review)
        for state in State
        for step in Step
        for standing in (READER, EDITOR, AUTHOR, REVIEWER, PUBLISHING_AUTHOR)
        for needs_review in (False, True)
    }
    assert all(said == "" or said.endswith(".") for said in refusals)
    assert "approval of another person" in why_not(State.REVIEW, Step.APPROVE, PUBLISHING_AUTHOR, True)
    assert "in review" in why_not(State.REVIEW, Step.PUBLISH, REVIEWER, False)


@pytest.mark.parametrize("needs_review", [False, True])
def test_nothing_goes_live_from_a_state_that_one_person_alone_can_reach(needs_review):
    """If a site requires a review, an author alone can never publish, in any number of steps."""
    reached, found = set(), {State.OPEN}
    while found - reached:
        state = (found - reached).pop()
        reached.add(state)
        found |= {next_state(state, step) for step in steps_for(state, PUBLISHING_AUTHOR, needs_review)}
    assert (State.LIVE in reached) is not needs_review


def test_a_set_holds_its_drafts_until_it_is_over():
    assert {State.LIVE, State.REVERTED, State.DROPPED} == set(State) - HOLDS
    assert {state for state in State if next_state(state, Step.REOPEN)} - PINS == {State.REVIEW}
    assert [say_state(state) for state in (State.OPEN, State.FAILED)] == ["open", "not live: it failed"]

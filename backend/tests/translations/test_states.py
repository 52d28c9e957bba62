"""The state of a translation, and the differences of its source, without a database."""

from datetime import UTC, datetime

import pytest

from portolan.translations.states import Change, Facts, count_changed_words, find_changes, state_of

CHANGED = datetime(2026, 11, 20, 12, tzinfo=UTC)
BEFORE, AFTER = datetime(2026, 11, 19, tzinfo=UTC), datetime(2026, 11, 21, tzinfo=UTC)
LIVE = Facts(exists=True, live=True)
OUTDATED = LIVE._replace(outdated_since=CHANGED)
DRAFT = Facts(exists=True, drafted_at=AFTER)


@pytest.mark.parametrize(
    ("facts", "state"),
    [
        (Facts(), "missing"),
        (Facts(is_assigned=True), "in-progress"),
        (Facts(is_excluded=True), "excluded"),
        (Facts(is_excluded=True, is_assigned=True), "excluded"),
        (DRAFT, "in-progress"),
        (DRAFT._replace(matches=True), "in-progress"),
        (DRAFT._replace(is_excluded=True), "excluded"),
        (DRAFT._replace(follows=True), "missing"),
        (LIVE._replace(matches=True), "current"),
        (LIVE._replace(matches=True, drafted_at=AFTER), "current"),
        (LIVE._replace(matches=True, is_assigned=True), "current"),
        (LIVE._replace(matches=True, is_excluded=True), "current"),
        (LIVE._replace(follows=True), "current"),
        (LIVE._replace(follows=True, hidden=True), "excluded"),
        (LIVE._replace(matches=True, hidden=True), "excluded"),
        (OUTDATED, "outdated"),
        (OUTDATED._replace(drafted_at=BEFORE), "outdated"),
        (OUTDATED._replace(drafted_at=CHANGED), "in-progress"),
        (OUTDATED._replace(drafted_at=AFTER), "in-progress"),
        (OUTDATED._replace(is_assigned=True), "in-progress"),
        (OUTDATED._replace(is_excluded=True), "outdated"),
        (LIVE, "outdated"),
        (LIVE._replace(drafted_at=BEFORE), "in-progress"),
    ],
)
def test_state(facts: Facts, state: str) -> None:
    assert state_of(facts) == state


@pytest.mark.parametrize(
    ("before", "after", "changes", "words"),
    [
        ({"title": "Web"}, {"title": "Web"}, [], 0),
        ({"title": "Web"}, {"title": "Web and apps"}, [Change("title", "Web", "Web and apps")], 3),
        ({}, {"a": "One two", "b": "<p>Three</p>"}, [Change("a", "", "One two"), Change("b", "", "<p>Three</p>")], 3),
        ({"a": "One", "b": "Two"}, {"b": "Two"}, [Change("a", "One", "")], 0),
        ({"a": "One", "b": "Two"}, {"b": "Two", "a": "One"}, [], 0),
    ],
)
def test_changes(before: dict[str, str], after: dict[str, str], changes: list[Change], words: int) -> None:
    assert find_changes(before, after) == changes
    assert count_changed_words(before, after) == words

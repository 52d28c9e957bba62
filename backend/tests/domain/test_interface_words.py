"""Rules for words of the interface that editors change."""

from typing import Any

import pytest

from portolan.domain.inheritance import State
from portolan.domain.interface_words import LONGEST, Fault, Refused, Text, find_faults, own_words, state_of

COUNTED = {"one": "{n} office of {city}", "other": "{n} offices of {city}"}


@pytest.mark.parametrize(
    ("text", "default", "faults"),
    [
        ("Send it", "Send", []),
        ("A < B & C; 2 > 1", "Send", []),
        ("{link}: read", "I read the {link}", []),
        ("Read", "I read the {link}", [Refused(Fault.LOST, names=("link",))]),
        ("Read {links}", "I read the {link}", [Refused(Fault.LOST, names=("link",)), Refused(Fault.UNKNOWN, names=("links",))]),
        ("Files", "Up to {n} files", [Refused(Fault.LOST, names=("n",))]),
        ("Send {", "Send", [Refused(Fault.BRACE)]),
        ("<b>Send</b>", "Send", [Refused(Fault.MARKUP)]),
        ("Send &amp; go", "Send", [Refused(Fault.MARKUP)]),
        ("x" * LONGEST, "Send", []),
        ("x" * (LONGEST + 1), "Send", [Refused(Fault.LONG)]),
        ({"one": "An office of {city}", "other": "{n} in {city}"}, COUNTED, []),
        ({"one": "An office", "other": ""}, COUNTED, [Refused(Fault.LOST, "one", ("city",)), Refused(Fault.EMPTY, "other")]),
    ],
)  # fmt: skip
def test_a_text_is_refused_with_its_reason(text: Text, default: Text, faults: list[Refused]) -> None:
    assert find_faults(text, default) == faults


OLD = {"text": "Los", "base": "Absenden"}


@pytest.mark.parametrize(
    ("entered", "before", "seen", "stored"),
    [
        ({}, {}, (), {}),
        ({"send": "Los"}, {}, (), {"send": {"text": "Los", "base": "Senden"}}),
        ({"send": "Senden"}, {}, (), {}),
        ({"send": "Senden"}, {"send": OLD}, (), {}),
        ({"send": "Los"}, {"send": OLD}, (), {"send": OLD}),
        ({"send": "Los"}, {"send": OLD}, ("send",), {"send": {"text": "Los", "base": "Senden"}}),
        ({"send": "Ab"}, {"send": OLD}, (), {"send": {"text": "Ab", "base": "Senden"}}),
        ({"gone": "Weg"}, {}, (), {}),
        ({}, {"gone": OLD}, (), {"gone": OLD}),
    ],
)
def test_only_words_that_differ_are_stored(
    entered: dict[str, Text], before: dict[str, Any], seen: tuple[str, ...], stored: dict[str, Any]
) -> None:
    assert own_words(entered, {"send": "Senden"}, before, seen) == stored


@pytest.mark.parametrize(
    ("word", "state"),
    [(None, State.FOLLOWS), ({"text": "Los", "base": "Senden"}, State.OWN), (OLD, State.CHANGED)],
)
def test_a_word_has_a_state(word: dict[str, Any] | None, state: State) -> None:
    assert state_of(word, "Senden") is state

"""An overlay behaves like the mapping it represents after any change. The mapping below stays unchanged."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from portolan.builds.overlay import Overlay, difference, flatten

KEYS = st.sampled_from("abcdef")
STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("set"), KEYS, st.integers(0, 3)),
        st.tuples(st.just("remove"), KEYS, st.just(0)),
        st.tuples(st.just("over"), st.just(""), st.just(0)),
    ),
    max_size=30,
)


@given(st.dictionaries(KEYS, st.integers(0, 3)), STEPS)
def test_reads_as_a_dictionary_with_the_same_changes(start: dict[str, int], steps: list[tuple[str, str, int]]) -> None:
    overlay, expected = Overlay(start), dict(start)
    below: list[tuple[Overlay[str, int], dict[str, int]]] = []
    for step, key, value in steps:
        if step == "set":
            overlay[key] = expected[key] = value
        elif step == "remove":
            assert overlay.pop(key, None) == expected.pop(key, None)
        else:
            below.append((overlay, dict(expected)))
            overlay = Overlay(overlay)
    for found, wanted in (*below, (overlay, expected)):
        assert found == wanted
        assert wanted == found
        assert flatten(found) == wanted
        assert len(found) == len(wanted)
        assert sorted(found) == sorted(wanted)
        assert dict(found.items()) == wanted
        for key in "abcdef":
            assert (key in found) == (key in wanted)
            assert found.get(key, "none") == wanted.get(key, "none")
            if key not in wanted:
                with pytest.raises(KeyError):
                    found[key]
                with pytest.raises(KeyError):
                    del Overlay(found)[key]
    for older, was in (*below, (Overlay(start), start)):
        changed, removed = difference(overlay, older)
        assert changed == {key: value for key, value in expected.items() if key not in was or was[key] != value}
        assert set(removed) == was.keys() - expected.keys()
        assert len(removed) == len(set(removed))
        assert (overlay == older) == (expected == was)


def test_what_is_shared_is_neither_copied_nor_walked_over() -> None:
    class Counting(dict[int, int]):
        walked = 0

        def __iter__(self):  # type: ignore[no-untyped-def]
            Counting.walked += 1
            return super().__iter__()

    old = Overlay(Counting({number: number for number in range(1000)}))
    new = Overlay(old)
    new[7], new[1000] = 8, 1
    del new[9]
    assert difference(new, old) == ({7: 8, 1000: 1}, [9])
    assert new != old
    new[7], new[9] = 7, 9
    del new[1000]
    assert new == old
    assert Counting.walked == 0


def test_is_made_flat_once_much_of_it_has_changed() -> None:
    overlay = Overlay(dict.fromkeys(range(100), 0))
    for number in range(2000):
        overlay = Overlay(overlay)
        overlay[number] = number + 1
    assert len(overlay) == 2000
    assert len(Overlay(overlay)._changed) <= 257

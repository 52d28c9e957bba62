import pytest
from hypothesis import given
from hypothesis import strategies as some

from portolan.domain.inheritance import State, find_states, with_kept
from portolan.domain.merging import Path, Version, merge

IDS = "abcd"


def version(blocks: str, title: str = "t") -> Version:
    """Return blocks as ``id`` and the digest of their text, in order."""
    return Version({"title": title}, {block[0]: {"type": "cards", "text": block[1:]} for block in blocks.split()})


@pytest.mark.parametrize(
    ("base", "source", "own", "states"),
    [
        ("a1", "a1", "a1", {"a": "follows"}),
        ("a1", "a1", "a2", {"a": "own"}),
        ("a1", "a2", "a3", {"a": "changed"}),
        ("a1", "a2", "a2", {"a": "follows"}),
        ("a1", "a2", "a1", {"a": "follows"}),
        ("a1", "a1", "a1 n1", {"a": "follows", "n": "own"}),
        ("a1", "a1 n1", "a1 n1", {"a": "follows", "n": "follows"}),
        ("a1 b1", "a1 b1", "a1", {"a": "follows", "b": "own"}),
        ("a1 b1", "a1 b2", "a1", {"a": "follows", "b": "changed"}),
        ("a1 b1", "a1", "a1 b2", {"a": "follows", "b": "changed"}),
        ("a1 b1", "a1", "a1 b1", {"a": "follows", "b": "follows"}),
        ("a1 b1", "a1", "a1", {"a": "follows"}),
    ],
)
def test_state_of_each_block(base: str, source: str, own: str, states: dict[str, str]) -> None:
    found = find_states(version(base), version(source), version(own))
    assert {path[1]: state for path, state in found.items() if len(path) == 2} == states


@pytest.mark.parametrize(
    ("base", "source", "own", "state"),
    [("t", "t", "t", "follows"), ("t", "t", "u", "own"), ("t", "v", "u", "changed"), ("t", "v", "v", "follows")],
)
def test_state_of_a_field(base: str, source: str, own: str, state: str) -> None:
    found = find_states(version("", base), version("", source), version("", own))
    assert found == {("title",): state}


def test_a_kept_block_is_own_and_a_change_of_the_source_is_offered() -> None:
    kept: list[Path] = [("body", "a")]
    base, own = version("a1 b1"), version("a1 b1")
    assert find_states(base, version("a1 b1"), own, kept)["body", "a"] is State.OWN
    changed = version("a2 b2")
    assert find_states(base, changed, own, kept)["body", "a"] is State.CHANGED
    found = merge(with_kept(base, own, kept), changed, own, {})
    assert found.conflicts == [("body", "a", "text")]
    assert found.taken == [("body", "b", "text")]


blocks = some.dictionaries(some.sampled_from(IDS), some.sampled_from("123"), max_size=4).map(
    lambda found: version(" ".join(id + text for id, text in found.items()))
)


@given(blocks, blocks, blocks)
def test_no_own_text_is_lost_and_no_change_of_the_source_is_hidden(
    base: Version, source: Version, own: Version
) -> None:
    found = merge(base, source, own, {})
    offered = {path[1] for path in found.conflicts if len(path) > 1}
    states = find_states(base, source, own)
    for id in IDS:
        before, theirs, mine = (each.blocks.get(id) for each in (base, source, own))
        result = found.blocks.get(id)
        merged = None if result is None else theirs if result["text"] == "theirs" else mine
        if mine != before:
            assert merged == mine, "an own text stays, and so does an own deletion"
        elif theirs != before:
            assert merged == theirs, "a change of the source arrives where the page follows"
        is_hidden = theirs not in (before, mine) and mine != before
        assert is_hidden == (id in offered) == (states.get(("body", id)) is State.CHANGED)

import pytest

from portolan.domain.merging import Path, Side, Version, differences, merge


def version(title: str = "t", blocks: str = "a1 b1 c1") -> Version:
    """Return blocks as ``id`` and the digest of their text, in order."""
    return Version({"title": title}, {block[0]: {"type": "cards", "text": block[1:]} for block in blocks.split()})


def say(found: dict[str, dict[str, Side]], mine: Version, theirs: Version) -> str:
    texts = {"mine": mine.blocks, "theirs": theirs.blocks}
    return " ".join(id + texts[fields["text"]][id]["text"] for id, fields in found.items())


@pytest.mark.parametrize(
    ("theirs", "mine", "merged", "taken"),
    [
        ("a1 b1 c1", "a1 b1 c1", "a1 b1 c1", []),
        ("a1 b1 c1", "a1 b2 c1", "a1 b2 c1", []),
        ("a2 b1 c1", "a1 b2 c1", "a2 b2 c1", [("body", "a", "text")]),
        ("a2 b1 c1", "a2 b1 c1", "a2 b1 c1", []),
        ("a1 c1", "a1 b1 c2", "a1 c2", [("body", "b")]),
        ("a2 b1 c1", "a1 c1", "a2 c1", [("body", "a", "text")]),
        ("a1 n1 b1 c1", "a1 b2 c1", "a1 n1 b2 c1", [("body", "n")]),
        ("n1 a1 b1 c1", "a1 b1 c1 m1", "n1 a1 b1 c1 m1", [("body", "n")]),
        ("a1 b1 c1 n1 o1", "a1 b1 m1 c1", "a1 b1 m1 c1 n1 o1", [("body", "n"), ("body", "o")]),
        ("c1 a1 b1", "a1 b2 c1", "c1 a1 b2", [("body",)]),
        ("a1 b2 c1", "c1 a1 b1", "c1 a1 b2", [("body", "b", "text")]),
        ("c1 a1 b1", "c1 a1 b2", "c1 a1 b2", []),
        ("c1 a1 b1", "a1 m1 b1 c1", "c1 a1 m1 b1", [("body",)]),
        ("c1 a1", "a1 b1 c1", "c1 a1", [("body", "b"), ("body",)]),
        ("", "a1 b1 c1", "", [("body", "a"), ("body", "b"), ("body", "c")]),
    ],
)
def test_what_only_one_changed_is_in_it(theirs: str, mine: str, merged: str, taken: list[Path]) -> None:
    found = merge(version(), version(blocks=theirs), version(blocks=mine), {})
    assert say(found.blocks, version(blocks=mine), version(blocks=theirs)) == merged
    assert (found.taken, found.conflicts) == (taken, [])


@pytest.mark.parametrize(
    ("theirs", "mine", "conflict", "of_mine", "of_theirs"),
    [
        ("a2 b1 c1", "a3 b1 c1", ("body", "a", "text"), "a3 b1 c1", "a2 b1 c1"),
        ("b1 c1", "a3 b1 c1", ("body", "a"), "a3 b1 c1", "b1 c1"),
        ("a2 b1 c1", "b1 c1", ("body", "a"), "b1 c1", "a2 b1 c1"),
        ("c1 b1 a1", "b1 a1 c1", ("body",), "b1 a1 c1", "c1 b1 a1"),
    ],
)
def test_where_both_changed_the_same_somebody_chooses(
    theirs: str, mine: str, conflict: Path, of_mine: str, of_theirs: str
) -> None:
    versions = version(), version(blocks=theirs), version(blocks=mine)
    assert merge(*versions, {}).conflicts == [conflict]
    sides: list[tuple[Side, str]] = [("mine", of_mine), ("theirs", of_theirs)]
    for side, merged in sides:
        chosen = merge(*versions, {conflict: side})
        assert chosen.conflicts == []
        assert say(chosen.blocks, versions[2], versions[1]) == merged


def test_fields_beside_the_body() -> None:
    assert merge(version("t"), version("theirs"), version("t"), {}).fields == {"title": "theirs"}
    assert merge(version("t"), version("t"), version("mine"), {}).fields == {"title": "mine"}
    assert merge(version("t"), version("theirs"), version("mine"), {}).conflicts == [("title",)]


def test_of_a_base_that_nobody_knows_nothing_is_lost() -> None:
    nothing = Version({}, {})
    theirs, mine = version("t", "a1 n1 b1"), version("t", "a2 b1 m1")
    found = merge(nothing, theirs, mine, {})
    assert found.conflicts == [("body", "a", "text")]
    assert say(found.blocks, mine, theirs) == "a2 n1 b1 m1"


@pytest.mark.parametrize(
    ("after", "paths"),
    [
        ("a1 b1 c1", []),
        ("a1 b2 c1", [("body", "b", "text")]),
        ("a1 c1", [("body", "b")]),
        ("a1 b1 c1 n1", [("body", "n", "type"), ("body", "n", "text")]),
        ("b1 a1 c1", [("body",)]),
        ("c1 b2 n1", [("body", "b", "text"), ("body", "n", "type"), ("body", "n", "text"), ("body", "a"), ("body",)]),
    ],
)
def test_versions_differ_by_field(after: str, paths: list[Path]) -> None:
    assert differences(version(), version(blocks=after)) == paths
    assert differences(version(), version("u", after)) == [("title",), *paths]

import json

import pytest

from portolan.releases.diff import FieldChange, ItemChange, diff_bodies, diff_releases, name_of
from portolan.releases.reader import Item


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"phone": "1"}, {"phone": "2"}, [("phone", "1", "2")]),
        ({"value": {"phone": "1", "city": "X"}}, {"value": {"phone": "2", "city": "X"}}, [("value.phone", "1", "2")]),
        ({}, {"anchor": "offices"}, [("anchor", None, "offices")]),
        ({"anchor": "offices"}, {}, [("anchor", "offices", None)]),
        ({"a": None}, {"a": 0}, [("a", None, 0)]),
        ({"sets": ["de"]}, {"sets": ["de", "us"]}, [("sets.1", None, "us")]),
        ({"a": {"b": 1}}, {"a": "text"}, [("a", {"b": 1}, "text")]),
        ([], [{"id": "x"}], [("x", None, {"id": "x"})]),
    ],
    ids=[
        "nothing",
        "a value",
        "a value below another",
        "a new field",
        "a field that is gone",
        "nothing becomes something",
        "a longer list",
        "another kind of value",
        "the first block",
    ],
)
def test_names_the_fields_that_differ(before, after, expected):
    assert diff_bodies(before, after) == [FieldChange(*change) for change in expected]


def test_an_inserted_block_is_one_change():
    first, second, new = ({"id": key, "type": "hero", "title": key} for key in ("a", "b", "new"))
    assert diff_bodies({"blocks": [first, second]}, {"blocks": [new, first, second]}) == [
        FieldChange("blocks.new", None, new)
    ]


def test_a_block_is_followed_by_its_id_when_another_goes():
    first, second = {"id": "a", "title": "A"}, {"id": "b", "title": "B"}
    assert diff_bodies([first, second], [{"id": "b", "title": "C"}]) == [
        FieldChange("a", first, None),
        FieldChange("b.title", "B", "C"),
    ]


def test_an_inserted_rate_is_one_change():
    rates = [{"role": "dev", "seniority": level, "low": 1} for level in ("senior", "lead")]
    new = {"role": "qa", "seniority": "senior", "low": 2}
    changed = {**rates[1], "low": 3}
    assert diff_bodies({"rates": rates}, {"rates": [new, rates[0], changed]}) == [
        FieldChange("rates.dev lead.low", 1, 3),
        FieldChange("rates.qa senior", None, new),
    ]


def test_moved_blocks_are_one_change_of_order():
    first, second = {"id": "a"}, {"id": "b"}
    assert diff_bodies({"blocks": [first, second]}, {"blocks": [second, first]}) == [
        FieldChange("blocks (order)", ["a", "b"], ["b", "a"])
    ]


def test_entries_of_equal_id_are_compared_by_place():
    same = {"id": "a", "n": 1}
    assert diff_bodies([same, same], [same, {"id": "a", "n": 2}]) == [FieldChange("1.n", 1, 2)]


PICTURE = {"width": 8, "height": 8, "mobile": None, "tablet": None, "desktop": None, "vector": None}


@pytest.mark.parametrize(
    ("kind", "body", "name"),
    [
        ("page", {"path": "/about-us"}, "/about-us"),
        ("office", {"order": 0, "value": {"city": "Dallas"}}, "Dallas"),
        ("picture", {**PICTURE, "vector": "/media/pictures/ab/mark.svg"}, "mark.svg"),
        ("picture", {**PICTURE, "desktop": {"webp": "/media/pictures/ab/port.webp"}}, "port.webp"),
        ("picture", PICTURE, "7"),
        ("document", {"url": "/media/documents/ab/list.pdf", "kind": "pdf", "size": 9}, "list.pdf"),
        ("figures", {"age": "19"}, "7"),
    ],
)
def test_calls_items_what_an_editor_calls_them(kind, body, name):
    assert name_of(Item("en", kind, "7", "0" * 32, json.dumps(body).encode())) == name


class TwoReleases:
    """A reader of this one difference."""

    def __init__(self, before: Item | None, after: Item | None) -> None:
        self.pair = (before, after)

    def changes(self, older, newer):
        return [self.pair if older < newer else self.pair[::-1]]


def test_an_item_is_compared_with_itself_and_steps_back_are_the_other_way_round():
    old, new = (
        Item("en", "page", "7", "0" * 32, json.dumps({"path": path, "title": "A"}).encode()) for path in ("/a", "/b")
    )
    both = TwoReleases(old, new)
    assert diff_releases(both, 1, 2) == [
        ItemChange("changed", "en", "page", "7", "/b", [FieldChange("path", "/a", "/b")])
    ]
    assert diff_releases(both, 2, 1) == [
        ItemChange("changed", "en", "page", "7", "/a", [FieldChange("path", "/b", "/a")])
    ]
    came = TwoReleases(None, new)
    assert diff_releases(came, 1, 2) == [ItemChange("added", "en", "page", "7", "/b", [])]
    assert diff_releases(came, 2, 1) == [ItemChange("removed", "en", "page", "7", "/b", [])]

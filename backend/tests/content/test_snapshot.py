from datetime import date, time

import pytest
from wagtail import blocks

from portolan.content.snapshot import collect_page_ids, list_items, snapshot_value


def test_collects_the_pages_of_a_whole_body() -> None:
    raw = [
        {"type": "hero", "value": {"actions": [{"type": "item", "value": {"page": 3, "title": "x"}}, {"page": 4}]}},
        {"type": "rich_text", "value": {"html": '<a linktype="page" id="5">x</a>'}},
        {"type": "cards", "value": {"cards": [{"title": "5", "link": {"page": None, "url": "https://a.example"}}]}},
    ]
    assert collect_page_ids(raw) == {3, 4, 5}


def test_reads_lists_with_and_without_ids() -> None:
    assert list_items([{"type": "item", "id": "1", "value": {"a": 1}}, {"a": 2}]) == [{"a": 1}, {"a": 2}]
    assert list_items(None) == []


def test_a_field_without_a_frozen_form_is_our_mistake() -> None:
    with pytest.raises(TypeError, match="RegexBlock cannot be stored in a release"):
        snapshot_value(blocks.RegexBlock("x"), "x", {})


@pytest.mark.parametrize(
    ("block", "raw", "frozen"),
    [
        (blocks.DateBlock(), "2026-01-02", "2026-01-02"),
        (blocks.DateBlock(), date(2026, 1, 2), "2026-01-02"),
        (blocks.TimeBlock(), "09:00:00", "09:00"),
        (blocks.TimeBlock(), time(9, 30), "09:30"),
        (blocks.DateTimeBlock(), "2026-01-02T09:00:00", "2026-01-02T09:00:00"),
        (blocks.DateBlock(required=False), None, None),
        (blocks.URLBlock(), "https://a.example/", "https://a.example/"),
        (blocks.EmailBlock(required=False), None, ""),
        (blocks.FloatBlock(), 1.5, 1.5),
    ],
)
def test_wagtail_s_plain_fields_are_their_text_or_number(block: blocks.Block, raw: object, frozen: object) -> None:
    assert snapshot_value(block, raw, {}) == frozen

import pytest
from wagtail import blocks

from portolan.content.freeze import collect_page_ids, freeze_value, list_items


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
    with pytest.raises(TypeError, match="DateBlock has no frozen form"):
        freeze_value(blocks.DateBlock(), "2026-01-01", {})

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from wagtail.blocks.struct_block import StructBlockValidationError

from portolan.content.blocks.base import LinkBlock, PictureBlock
from portolan.content.blocks.cards import CardsBlock
from portolan.content.blocks.hero import HeroBlock
from portolan.content.blocks.rich_text import RichTextBlock

EMPTY = {"title": "", "page": None, "anchor": "", "url": ""}


def problems_of(block: Any, value: dict[str, Any]) -> dict[str, str]:
    """Return messages by field, as the studio shows them."""
    with pytest.raises(StructBlockValidationError) as caught:
        block.clean(block.to_python(value))
    return {name: str(error) for name, error in caught.value.block_errors.items()}


@pytest.mark.parametrize(
    ("link", "field", "words"),
    [
        ({"url": "https://a.example"}, "title", "Enter the text"),
        ({"title": "A"}, "page", "Choose a page"),
        ({"title": "A", "url": "javascript:alert(1)"}, "url", "not a valid link"),
        ({"title": "A", "url": "/about-us"}, "url", "Choose the page"),
        ({"title": "A", "url": "https://a.example", "anchor": "x"}, "anchor", "needs a page"),
        ({"title": "{foo}", "url": "https://a.example"}, "title", "Unknown placeholder"),
    ],
)
def test_link_says_what_is_wrong(link: dict[str, Any], field: str, words: str) -> None:
    assert words in problems_of(LinkBlock(), {**EMPTY, **link})[field]


@pytest.mark.django_db
def test_link_is_either_a_page_or_an_address() -> None:
    found = problems_of(LinkBlock(), {**EMPTY, "title": "A", "page": 1, "url": "https://a.example", "anchor": "No!"})
    assert "Use either" in found["url"]
    assert "anchor" in found["anchor"]


def test_optional_link_may_be_empty_and_half_a_one_may_not() -> None:
    link = LinkBlock(required=False)
    assert not any(link.clean(link.to_python(EMPTY)).values())
    assert "title" in problems_of(link, {**EMPTY, "url": "https://a.example"})


def test_a_draft_may_wait_for_what_is_required() -> None:
    link = LinkBlock()
    link.clean_deferred(link.to_python({**EMPTY, "title": "A"}))
    with pytest.raises(ValidationError):
        link.clean_deferred(link.to_python({**EMPTY, "title": "A", "url": "javascript:x"}))


def test_picture_is_required_unless_it_is_optional() -> None:
    nothing = {"image": None, "alt": ""}
    assert "Choose an image" in problems_of(PictureBlock(), nothing)["image"]
    optional = PictureBlock(required=False)
    optional.clean(optional.to_python(nothing))


@pytest.mark.parametrize(
    ("raw", "frozen"),
    [
        ({"title": "A", "page": 3}, {"$page": "key-3", "title": "A"}),
        ({"title": "A", "page": 3, "anchor": "x"}, {"$page": "key-3", "title": "A", "anchor": "x"}),
        ({"title": "A", "page": 9}, {"$page": "deleted-page-9", "title": "A"}),
        ({"title": "A", "url": "tel:+1"}, {"$url": "tel:+1", "title": "A"}),
        (EMPTY, None),
        ({}, None),
    ],
)
def test_link_freezes_to_a_reference(raw: dict[str, Any], frozen: Any) -> None:
    assert LinkBlock().snapshot(raw, {3: "key-3"}) == frozen


def test_picture_freezes_to_a_reference() -> None:
    assert PictureBlock().snapshot({"image": 7, "alt": "A crane"}, {}) == {"$picture": "7", "alt": "A crane"}
    assert PictureBlock().snapshot({"image": None, "alt": ""}, {}) is None


def test_counts_and_lengths_are_checked() -> None:
    cards = CardsBlock()
    card = {"title": "A", "text": "B", "icon": "", "link": EMPTY}
    assert "cards" in problems_of(cards, {"tone": "paper", "anchor": "", "title": "T", "text": "", "cards": [card]})
    hero = {"tone": "navy", "anchor": "Bad Anchor", "eyebrow": "", "text": "", "actions": [], "picture": {}}
    assert set(problems_of(HeroBlock(), {**hero, "title": "x" * 121})) == {"title", "anchor"}


def test_unknown_placeholder_in_a_text_is_named() -> None:
    found = problems_of(RichTextBlock(), {"tone": "paper", "anchor": "", "html": "<p>{founded}</p>"})
    assert "{founded}" in found["html"]

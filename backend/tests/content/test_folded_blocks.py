"""A form keeps closed blocks unchanged."""

from typing import Any

import pytest
from django.core.exceptions import BadRequest, SuspiciousOperation

from portolan.content.blocks import BLOCKS
from portolan.content.fields import BodyStream

STREAM = BodyStream()
RAW = [
    {"type": block.type_name(), "id": f"{block.type_name()}-{name}", "value": value}
    for block in BLOCKS
    for name, value in block.EXAMPLES.items()
]


def send(states: list[dict[str, Any]]) -> dict[str, str]:
    """Return the form data of a form with all blocks closed."""
    sent = {"body-count": str(len(states))}
    for number, state in enumerate(states):
        parts = {
            "type": state["type"],
            "id": state["id"],
            "order": str(number),
            "deleted": "",
            "folded": state["stored"],
        }
        sent |= {f"body-{number}-{part}": value for part, value in parts.items()}
    return sent


def plain(value: Any) -> Any:
    """Return the value without the ids of list items, which the examples lack."""
    if isinstance(value, dict):
        return {name: plain(part) for name, part in value.items() if name != "id" or value.get("type") != "item"}
    return [plain(each) for each in value] if isinstance(value, list | tuple) else value


def values(child: Any) -> Any:
    return child.block_type, child.id, child.block.get_prep_value(child.value)


def ids(value: Any) -> list[str]:
    return [child.id for child in value]


@pytest.mark.django_db
def test_every_block_comes_back_as_it_went() -> None:
    stream = STREAM.to_python(RAW)
    back = STREAM.value_from_datadict(send(STREAM.get_form_state(stream)), {}, "body")
    assert len(back) == len(RAW)
    assert [plain(values(child)) for child in back] == [plain(values(child)) for child in stream]


@pytest.mark.django_db
def test_folded_and_open_blocks_stand_in_their_order() -> None:
    text = {"type": "rich_text", "value": {"tone": "paper", "html": "<p>Stored.</p>"}}
    states = STREAM.get_form_state(STREAM.to_python([{**text, "id": id} for id in "abc"]))
    sent = send(states)
    del sent["body-1-folded"]
    sent |= {
        "body-0-order": "2",
        "body-1-order": "1",
        "body-2-deleted": "1",
        "body-1-value-tone": "navy",
        "body-1-value-anchor": "",
        "body-1-value-anchor_title": "",
        "body-1-value-html": '{"blocks": [], "entityMap": {}}',
    }
    back = STREAM.value_from_datadict(sent, {}, "body")
    assert ids(back) == ["b", "a"]
    assert [child.value["tone"] for child in back] == ["navy", "paper"]


@pytest.mark.django_db
def test_what_was_not_ours_is_refused() -> None:
    sent = send(
        STREAM.get_form_state(STREAM.to_python([{"type": "rich_text", "id": "a", "value": {"html": "<p>a</p>"}}]))
    )
    sent["body-0-folded"] = sent["body-0-folded"].replace("<p>a", "<p onclick=evil()>a")
    with pytest.raises(SuspiciousOperation, match="nothing is saved"):
        STREAM.value_from_datadict(sent, {}, "body")


def test_fields_of_other_streams_fold_too() -> None:
    from portolan.content.models import MenuSettings

    block = MenuSettings._meta.get_field("items").stream_block
    (state,) = block.get_form_state(block.to_python([{"type": "item", "id": "a", "value": {"title": "Services"}}]))
    assert state["stored"].startswith('{"title":"Services"')


@pytest.mark.parametrize(
    "changed",
    [
        {"body-count": None},
        {"body-count": "x"},
        {"body-count": "9" * 5000},
        {"body-count": "1000000000"},
        {"body-count": "3"},
        {"body-0-type": None},
        {"body-0-order": "x"},
        {"body-0-deleted": None},
        {"body-0-value-html": "no JSON"},
        {"body-0-value-html": "[" * 100_000},
        {"body-0-value-html": '{"blocks": 1}'},
        {"body-0-value-html": '{"blocks": [{"type": "unordered-list-item", "text": "x", "depth": 1000000000}]}'},
        {"body-0-value-html": '{"blocks": [{"type": "unstyled", "text": 5}], "entityMap": {}}'},
    ],
)
@pytest.mark.django_db
def test_what_no_form_sends_is_a_bad_request(changed: dict[str, str | None]) -> None:
    empty = '{"blocks": [], "entityMap": {}}'
    sent = {"body-count": "2"} | {
        f"body-{number}-{part}": value
        for number in range(2)
        for part, value in (("type", "rich_text"), ("order", str(number)), ("deleted", ""), ("value-html", empty))
    }
    assert len(STREAM.value_from_datadict(sent, {}, "body")) == 2
    with pytest.raises(BadRequest):
        STREAM.value_from_datadict({name: v for name, v in (sent | changed).items() if v is not None}, {}, "body")


@pytest.mark.django_db
def test_half_of_a_character_in_a_rich_text_is_left_out() -> None:
    """If stored, it would stop every publish, because it cannot be encoded in UTF-8."""
    typed = '{"blocks": [{"key": "a", "text": "x\\ud83d\\u0000\\ud83d\\ude00", "type": "unstyled", "depth": 0, "inlineStyleRanges": [], "entityRanges": []}], "entityMap": {}}'
    sent = {"body-count": "1", "body-0-type": "rich_text", "body-0-order": "0", "body-0-deleted": ""}
    stream = STREAM.value_from_datadict(sent | {"body-0-value-html": typed}, {}, "body")
    assert stream[0].value["html"].source == '<p data-block-key="a">x😀</p>'

"""Formats of frozen bodies. A body stays in the format it was frozen in, and readers raise it to today's.

A change of what a kind of item contains needs a new format: one more step here, from the last format to the new one. A
step is pure: it sees the body alone, neither the database nor other items. What only the models know, a step gives a
neutral value; ``portolan releases refreeze`` then freezes the items anew. ``contract/frozen/`` has the JSON Schema of
every format there ever was, and ``make contract`` refuses to change one.

A body that the format before can hold is frozen in that format: servers of the version before still read it while an upgrade
is under way. Write the way back in ``STEPS_BACK`` if a kind's items are frozen anew by an upgrade.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import orjson

Step = Callable[[Any], Any]
"""From one format to the next. It may change the parsed body that it is given."""


def _next_events_first(page: Any) -> Any:
    """Events stand in the order in which they are shown: those to come are the first now, and were the last."""
    for block in page["blocks"]:
        if block["type"] == "event_teasers":
            block["events"]["first"] = block["events"].pop("last")
    return page


def _cards_without_picture(page: Any) -> Any:
    """Of the events that a page refers to, which now say where to register, the page itself has nothing."""
    for block in page["blocks"]:
        if block["type"] == "cards":
            for card in block["cards"]:
                card["picture"] = None
    return page


def _event_is_to_come(card: Any) -> Any:
    card["value"]["past"] = False
    return card


def _event_without_registration(card: Any) -> Any:
    card["value"]["registration"] = ""
    return card


def _picture_without_focus(picture: Any) -> Any:
    picture["focus"] = None
    return picture


STEPS: Final[Mapping[str, Sequence[Step]]] = {
    "page": [_next_events_first, _cards_without_picture],
    "event": [_event_is_to_come, _event_without_registration],
    "picture": [_picture_without_focus],
}
"""By kind: the first raises format 1 to 2, and so on."""


def _without_focus(picture: Any) -> Any:
    return {name: value for name, value in picture.items() if name != "focus"} if picture["focus"] is None else None


STEPS_BACK: Final[Mapping[tuple[str, int], Step]] = {("picture", 2): _without_focus}
"""By kind and format: the body in the format before it, or None if that format cannot hold it. They change nothing in place."""


class NewerFormat(Exception):
    """A body was frozen by a newer version of the product (``database_errors`` says what to do)."""

    def __init__(self, kind: str, format: int) -> None:
        super().__init__(
            f"Content of kind {kind} is in format {format}, and this version of Portolan reads formats up to "
            f"{current_format(kind)}: a newer version has frozen it."
        )


def current_format(kind: str) -> int:
    """The format in which items of a kind are frozen today."""
    return 1 + len(STEPS.get(kind, ()))


def lower_body(kind: str, body: Any) -> tuple[int, Any]:
    """Return the oldest format that holds all of a body of today's format, and the body in that format."""
    format = current_format(kind)
    while (step := STEPS_BACK.get((kind, format))) and (before := step(body)) is not None:
        format, body = format - 1, before
    return format, body


def raise_body(kind: str, format: int, body: bytes) -> bytes:
    """A frozen body in today's format. Raises NewerFormat if it is of a later one."""
    today = current_format(kind)
    if format == today:
        return body
    if format > today:
        raise NewerFormat(kind, format)
    value = orjson.loads(body)
    for step in STEPS[kind][format - 1 :]:
        value = step(value)
    return orjson.dumps(value)

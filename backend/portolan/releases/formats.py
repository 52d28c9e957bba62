"""Define the formats of stored bodies. A body keeps its format, and readers migrate it to the current one.

If the content of a kind changes, add a format: one more step here, from the last format to the new one. A step is pure:
it has only the body, without the database or other items. For values that only the models have, a step uses a neutral
value. Then ``portolan releases refresh`` exports the items again. ``contract/frozen/`` has the JSON Schema of every
format, and ``make contract`` refuses to change one.

A body that fits in the previous format is stored in that format, so that servers of the previous version can read it
during an upgrade. If an upgrade exports items of a kind again, add the reverse step to ``STEPS_BACK``.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

import orjson

Step = Callable[[Any], Any]
"""Migrates to the next format. It may change the parsed body in place."""


def _next_events_first(page: Any) -> Any:
    """Events are sorted by display order: the next events are first; in format 1 they were last."""
    for block in page["blocks"]:
        if block["type"] == "event_teasers":
            block["events"]["first"] = block["events"].pop("last")
    return page


def _cards_without_picture(page: Any) -> Any:
    """Add the card's picture. Events that a page refers to gained ``registration``, which does not affect the page."""
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
"""By kind: the first step migrates format 1 to 2, and so on."""


def _without_focus(picture: Any) -> Any:
    return {name: value for name, value in picture.items() if name != "focus"} if picture["focus"] is None else None


STEPS_BACK: Final[Mapping[tuple[str, int], Step]] = {("picture", 2): _without_focus}
"""By kind and format: returns the body in the previous format, or None if it does not fit. Must not change the body in
place."""


class NewerFormat(Exception):
    """A body was stored by a newer version of the product (``database_errors`` has the fix)."""

    def __init__(self, kind: str, format: int) -> None:
        super().__init__(
            f"Content of kind {kind} is in format {format}, and this version of Portolan reads formats up to "
            f"{current_format(kind)}: a newer version has frozen it."
        )


def current_format(kind: str) -> int:
    """Return the current format of a kind."""
    return 1 + len(STEPS.get(kind, ()))


def lower_body(kind: str, body: Any) -> tuple[int, Any]:
    """Return the oldest format that can hold a current body, and the body in that format."""
    format = current_format(kind)
    while (step := STEPS_BACK.get((kind, format))) and (before := step(body)) is not None:
        format, body = format - 1, before
    return format, body


def raise_body(kind: str, format: int, body: bytes) -> bytes:
    """Return a body in the current format. Raise NewerFormat if its format is newer."""
    today = current_format(kind)
    if format == today:
        return body
    if format > today:
        raise NewerFormat(kind, format)
    value = orjson.loads(body)
    for step in STEPS[kind][format - 1 :]:
        value = step(value)
    return orjson.dumps(value)

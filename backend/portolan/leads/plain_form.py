"""Read the fields of a form that a browser sends without scripts."""

from collections.abc import Callable, Iterable
from typing import Final

from multipart import MultipartError, MultipartSegment, ParserLimitReached, PushMultipartParser

from ..schemas.lead import LONGEST_FIELD

_CHUNK: Final = 64 << 10
_MOST_PARTS: Final = 300
_MOST_BYTES_OF_LETTER: Final = 4
_LISTS: Final = frozenset({"services"})
"""Names that several checkboxes of a form share."""


def number_repeats(fields: Iterable[tuple[str, str]]) -> list[tuple[str, str]]:
    """Number checkboxes of one name as a list: ``services`` twice becomes ``services[0]`` and ``services[1]``.

    >>> number_repeats([("services", "a"), ("message", "m"), ("services", "b")])
    [('services[0]', 'a'), ('message', 'm'), ('services[1]', 'b')]
    """
    counts = dict.fromkeys(_LISTS, 0)
    numbered = []
    for name, value in fields:
        if name in counts:
            numbered.append((f"{name}[{counts[name]}]", value))
            counts[name] += 1
        else:
            numbered.append((name, value))
    return numbered


def read_typed(read: Callable[[int], bytes], boundary: str | None) -> list[tuple[str, str]]:
    """Return the readable input, to show it again. Files are left out, because a page cannot fill a file input."""
    typed: list[tuple[str, str]] = []
    name, value = "", bytearray()
    if not boundary:
        return typed
    try:
        with PushMultipartParser(boundary, max_segment_count=_MOST_PARTS) as parser:
            while chunk := read(_CHUNK):
                for event in parser.parse(chunk):
                    if isinstance(event, MultipartSegment):
                        name, value = "" if event.filename is not None else event.name or "", bytearray()
                    elif event is None:
                        if name:
                            typed.append((name, value.decode("utf-8", "replace")[:LONGEST_FIELD]))
                    elif name and len(value) < LONGEST_FIELD * _MOST_BYTES_OF_LETTER:
                        value += event
    except (MultipartError, ParserLimitReached):
        pass  # the rest is unreadable
    return typed

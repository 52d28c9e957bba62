"""Protect the codes of a text from a translation service: each becomes an empty or paired element with a number.

A reply is accepted only if each code is in it exactly once and properly nested. Services may move codes.
"""

import re
from collections.abc import Sequence
from html import escape, unescape
from typing import Final

from ..exchange.inline import Code, is_balanced

BLOCK: Final = "p"
"""Element of paragraphs, list items and headings, at which a service may split sentences."""
INLINE: Final = "g"
"""Element of formatting and links."""
EMPTY: Final = "x"
"""Element of placeholders and single tags."""
_BLOCKS: Final = frozenset("p ul ol li h1 h2 h3 h4 h5 h6 blockquote table thead tbody tr td th".split())
_ELEMENT: Final = re.compile(r"<(/?)([pgx])(?: id=\"(\d{1,6})\")?\s*(/?)>")

Parts = Sequence[str | Code]


def protect(parts: Parts) -> str:
    """Return the text as XML.

    >>> protect([Code("<b>", "open", "b"), "A & B", Code("</b>", "close", "b")])
    '<g id="0">A &amp; B</g>'
    """
    is_paired = is_balanced(parts)
    names: list[str] = []
    written = []
    for number, part in enumerate(parts):
        if not isinstance(part, Code):
            written.append(escape(part, quote=False))
        elif is_paired and part.role == "open":
            names.append(BLOCK if part.name in _BLOCKS else INLINE)
            written.append(f'<{names[-1]} id="{number}">')
        elif is_paired and part.role == "close":
            written.append(f"</{names.pop()}>")
        else:
            written.append(f'<{EMPTY} id="{number}"/>')
    return "".join(written)


def restore(reply: str, parts: Parts) -> list[str | Code] | None:
    """Return a translated text with the codes of ``parts``; None if the reply lost, added or crossed one."""
    closing = _pair(parts) if is_balanced(parts) else {}
    left = {number for number, part in enumerate(parts) if isinstance(part, Code)}
    found: list[str | Code] = []
    opened: list[tuple[str, int | None]] = []
    end = 0
    for element in _ELEMENT.finditer(reply):
        if not _add_words(found, reply[end : element.start()]):
            return None
        end = element.end()
        is_end, name, id, is_alone = element[1], element[2], element[3], element[4]
        if is_end:
            if not opened or opened[-1][0] != name:
                return None
            number = opened.pop()[1]
            if number is None:
                continue
        elif id is None:
            return None
        else:
            start = int(id)
            if start not in left or (start in closing) != (name != EMPTY):
                return None
            left.remove(start)
            found.append(parts[start])
            number = closing.get(start)
            if not is_alone:
                opened.append((name, number))
                continue
            if number is None:
                continue
        left.discard(number)
        found.append(parts[number])
    return found if _add_words(found, reply[end:]) and not opened and not left else None


def _add_words(found: list[str | Code], text: str) -> bool:
    """Return False if the words contain another tag."""
    if "<" in text or ">" in text:
        return False
    if text:
        found.append(unescape(text))
    return True


def _pair(parts: Parts) -> dict[int, int]:
    """Return the positions of closing tags by those of their opening tags."""
    opened: list[int] = []
    found = {}
    for number, part in enumerate(parts):
        if isinstance(part, Code) and part.role == "open":
            opened.append(number)
        elif isinstance(part, Code) and part.role == "close":
            found[opened.pop()] = number
    return found

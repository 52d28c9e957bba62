"""Split texts into the words that a translator changes and the codes that must stay: tags, references, placeholders.

``join(split(text, kind), kind)`` is ``text``, byte for byte.
"""

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from html import escape, unescape
from typing import Final, Literal

from ...domain.company import PLACEHOLDERS
from ..segments import Kind

Role = Literal["open", "close", "void", "value"]
Part = "str | Code"

_PLACEHOLDER: Final = rf"\{{(?:{'|'.join(PLACEHOLDERS)})\}}"
_PLAIN: Final = re.compile(f"({_PLACEHOLDER})")
_RICH: Final = re.compile(
    rf"""({_PLACEHOLDER}|</?[a-zA-Z](?:[^<>"']|"[^"]*"|'[^']*')*>|<!--.*?-->|&(?!(?:amp|lt|gt);)(?:\#?\w+;)?|[<>])""",
    re.DOTALL,
)
"""Also entities other than the three that ``html.escape`` writes, and bare ``&``, ``<`` and ``>``."""
_NAME: Final = re.compile(r"</?([a-zA-Z][\w-]*)")
_VOID: Final = frozenset({"br", "hr", "img", "embed"})


@dataclass(frozen=True, slots=True)
class Code:
    """A part that translators can move, but not change."""

    data: str
    role: Role
    name: str = ""
    """Name of a tag in lower case; empty for other codes."""

    @property
    def shown(self) -> str:
        """Return the text that visitors read in its place; empty for tags."""
        return unescape(self.data) if self.role == "value" else ""


def split(text: str, kind: Kind) -> list["str | Code"]:
    if kind == "verbatim":
        return [text] if text else []
    pieces = (_RICH if kind == "rich" else _PLAIN).split(text)
    codes = (_code(piece) if number % 2 else _read(piece, kind) for number, piece in enumerate(pieces))
    return [part for part in codes if part]


def join(parts: Iterable["str | Code"], kind: Kind) -> str:
    return "".join(part.data if isinstance(part, Code) else _write(part, kind) for part in parts)


def is_balanced(parts: Iterable["str | Code"]) -> bool:
    """Return whether each opening tag has its closing tag, properly nested."""
    open_tags: list[str] = []
    for code in codes_of(parts):
        if code.role == "open":
            open_tags.append(code.name)
        elif code.role == "close" and (not open_tags or open_tags.pop() != code.name):
            return False
    return not open_tags


def codes_of(parts: Iterable["str | Code"]) -> Iterator[Code]:
    return (part for part in parts if isinstance(part, Code))


def _code(piece: str) -> Code:
    tag = _NAME.match(piece)
    if tag is None:
        return Code(piece, "value")
    name = tag[1].lower()
    if piece.startswith("</"):
        return Code(piece, "close", name)
    return Code(piece, "void" if name in _VOID or piece.endswith("/>") else "open", name)


def _read(piece: str, kind: Kind) -> str:
    return unescape(piece) if kind == "rich" else piece


def _write(piece: str, kind: Kind) -> str:
    return escape(piece, quote=False) if kind == "rich" else piece

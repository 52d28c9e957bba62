"""Steps as the documentation has them: code blocks of Markdown, by their heading."""

import re
from pathlib import Path
from typing import Final, NamedTuple

ROOT: Final = Path(__file__).parents[1]
_BLOCK: Final = re.compile(r"^(## (?P<heading>[^\n]+)|```(?P<language>\w+)\n(?P<text>.*?)^```)$", re.M | re.S)


class Block(NamedTuple):
    document: str
    heading: str
    language: str
    text: str


_carried_out: set[Block] = set()


def read_blocks(document: str, heading: str, language: str = "sh") -> list[Block]:
    """Those below the heading, in their order. ``document``: in ``docs/deploy``."""
    found = [block for block in _all(document) if (block.heading, block.language) == (heading, language)]
    assert found, f"{document} has no {language} below {heading!r}"
    return found


def note_carried_out(block: Block) -> None:
    _carried_out.add(block)


def left_out(document: str) -> list[Block]:
    """Return the steps that this run has not carried out."""
    return [block for block in _all(document) if block.language == "sh" and block not in _carried_out]


def _all(document: str) -> list[Block]:
    heading, blocks = "", []
    for match in _BLOCK.finditer((ROOT / "docs" / "deploy" / document).read_text(encoding="utf-8")):
        if match["heading"]:
            heading = match["heading"]
        else:
            blocks.append(Block(document, heading, match["language"], match["text"]))
    return blocks

"""Split texts of editors into segments, sentences and words, and describe a place in a text that needs a correction.

All functions take time that grows with the length of the text.
"""

import re
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from .html_reader import HtmlReader

Rule = Literal[
    "missing-letters",
    "spelling",
    "mixed-alphabets",
    "untranslated",
    "foreign-sentence",
    "quotation-marks",
    "number-format",
]
"""The checks of ``language_checks``. ``problem_texts`` has their words."""


class Correction(NamedTuple):
    """A place in a text, and the text to write instead if that is certain."""

    rule: Rule
    found: str
    instead: str = ""


HIDDEN: Final = "\ufffc"
"""Stands for code and URLs, which are in no language."""
NO_BREAK_SPACES: Final = "\u00a0\u202f"
SPACES: Final = " \t\n\r\u2009" + NO_BREAK_SPACES
_LONGEST: Final = 60
_ENDS: Final = frozenset(
    "p div li ul ol h1 h2 h3 h4 h5 h6 br hr tr td th table blockquote pre figure figcaption dl dt dd".split()
)
_VERBATIM: Final = frozenset("code pre kbd samp script style".split())
_INVISIBLE: Final = re.compile("[\u00ad\u200b\u200e\u200f\u2060\u2066-\u2069\ufeff]")
_TOKEN: Final = re.compile(r"\S+")
_ADDRESS: Final = re.compile(r"://|@|^www\.|^/\w|^\w[\w-]*\.[a-z]{2,5}$", re.ASCII)
_HOST: Final = re.compile(r"\w\.\w")
_SENTENCE_END: Final = re.compile(r"(?<=[.!?؟…])[ \u00a0\u202f]|\n")
WORD: Final = re.compile("[^\\W\\d_](?:[^\\W\\d_]|[\u0300-\u036f\u0640\u064b-\u065f\u0670])*")
"""One word: letters with their combining marks."""


def read_segments(html: str) -> list[str]:
    """Return the paragraphs, headings and list items of rich text as plain text.

    >>> read_segments("<h2>A</h2><p>b <b>c</b>d, <code>x = 1</code></p>")[1].replace(HIDDEN, "*")
    'b cd, *'
    """
    reader = _Reader()
    reader.read(html)
    return [text for text in "".join(reader.parts).split("\n") if text.strip()]


def prepare(text: str) -> str:
    """Return the text without invisible marks, and with URLs and email addresses hidden."""
    return _TOKEN.sub(_hide_address, _INVISIBLE.sub("", text))


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text. An abbreviation with a full stop also ends one."""
    return [sentence for part in _SENTENCE_END.split(text) if (sentence := part.strip())]


def list_words(text: str) -> list[str]:
    """Return the words of a text, without numbers and placeholders."""
    return [found[0] for found in find_words(text)]


def find_words(text: str) -> Iterator[re.Match[str]]:
    """Yield the words of a text with their positions. Placeholders such as ``{company}`` are left out."""
    for found in WORD.finditer(text):
        if not (text[found.start() - 1 : found.start()] in ("{", "_") or text[found.end() : found.end() + 1] == "_"):
            yield found


def shorten(text: str) -> str:
    """Return a text that fits into a message.

    >>> len(shorten("word " * 100))
    60
    """
    one_line = " ".join(text.replace(HIDDEN, "…").split(" "))
    return one_line if len(one_line) <= _LONGEST else f"{one_line[: _LONGEST - 1].rstrip()}…"


class _Reader(HtmlReader):
    def __init__(self) -> None:
        super().__init__()
        self.parts: list[str] = []
        self._verbatim = 0

    def handle_starttag(self, tag: str, attrs: object) -> None:
        if tag in _VERBATIM:
            self._verbatim += 1
            self.parts.append(HIDDEN)
        if tag in _ENDS:
            self.parts.append("\n")

    def handle_endtag(self, tag: str) -> None:
        if tag in _VERBATIM and self._verbatim:
            self._verbatim -= 1
        if tag in _ENDS:
            self.parts.append("\n")

    def handle_data(self, data: str) -> None:
        if not self._verbatim:
            self.parts.append(data.replace("\n", " "))


def _hide_address(token: re.Match[str]) -> str:
    found = token[0]
    host = _HOST.search(found)
    is_address = _ADDRESS.search(found) or (host and "/" in found[host.end() :])
    return HIDDEN if len(found) > 3 and is_address else found

"""Find and replace words in content. In rich text, only the text that visitors read is searched, never the tags."""

import re
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from functools import lru_cache
from html import escape, unescape
from typing import Final, NamedTuple

from .company import PLACEHOLDERS
from .html_reader import HtmlReader

_PLAIN: Final = re.compile(r"[A-Za-z0-9.,:;!?()/+*=%$#@_-]{3,}")
"""Characters that JSON and HTML store unchanged and that databases compare without regard to case."""
_AROUND: Final = 200
_FIGURE: Final = re.compile("|".join(rf"\{{{name}\}}" for name in PLACEHOLDERS))


class Replacing(NamedTuple):
    """Search words as editors type them: a space matches any white space."""

    find: str
    replacement: str
    whole_words: bool = False
    match_case: bool = False


class Place(NamedTuple):
    """One match in a text, or in one run of text between two tags of a rich text."""

    before: str
    """At most 200 characters, like `after`."""
    found: str
    after: str
    start: int
    """Start of the match in the source; ``end`` is its end."""
    end: int


def find_places(text: str, asked: Replacing, is_html: bool = False) -> list[Place]:
    """Return the matches in reading order; a match is identified by its index.

    >>> find_places("a <b>port</b>", Replacing("port", ""), is_html=True)
    [Place(before='', found='port', after='', start=5, end=9)]
    """
    if not _may_have(text, asked):
        return []
    return [
        Place(
            run.text[max(0, found.start() - _AROUND) : found.start()],
            found.group(),
            run.text[found.end() : found.end() + _AROUND],
            *run.span(*found.span()),
        )
        for run in (_runs_of_html(text) if is_html else [_Run(text, None)])
        for found in _find(run.text, asked)
    ]


def replace(text: str, asked: Replacing, chosen: Collection[int] | None = None, is_html: bool = False) -> str:
    """Return `text` with the matches replaced. ``chosen``: indexes of the matches to replace; None for all.

    >>> replace("Port & port", Replacing("port", "quay"), {1})
    'Port & quay'
    """
    places = find_places(text, asked, is_html)
    return replace_at([place for n, place in enumerate(places) if chosen is None or n in chosen], text, asked, is_html)


def replace_at(places: Sequence[Place], text: str, asked: Replacing, is_html: bool = False) -> str:
    """Return `text` with the replacement at `places`, a selection of those that `find_places` found in it."""
    replacement = escape(asked.replacement, quote=False) if is_html else asked.replacement
    done, at = [], 0
    for place in places:
        done += [text[at : place.start], replacement]
        at = place.end
    return "".join([*done, text[at:]])


@lru_cache
def plain_parts(find: str) -> tuple[str, ...]:
    """Return the parts of the search words that every matching source contains unchanged, the longest first.

    >>> plain_parts("Tom & Jerry's hafen-rundfahrt")
    ('hafen-rundfahrt', 'Jerry', 'Tom')
    """
    return tuple(sorted(_PLAIN.findall(find), key=len, reverse=True))


@lru_cache
def compile_words(asked: Replacing) -> re.Pattern[str]:
    words = r"\s+".join(map(re.escape, asked.find.split()))
    if asked.whole_words:
        words = rf"(?<!\w){words}(?!\w)"
    return re.compile(words, re.NOFLAG if asked.match_case else re.IGNORECASE)


def _may_have(text: str, asked: Replacing) -> bool:
    """Return False if the words are certainly missing, which is cheaper than parsing the text."""
    small = text.lower()
    return all(part.lower() in small for part in plain_parts(asked.find))


def _find(text: str, asked: Replacing) -> list[re.Match[str]]:
    """Return the matches that do not cut a placeholder such as ``{company}``."""
    if not asked.find.strip():
        return []
    figures = [figure.span() for figure in _FIGURE.finditer(text)]
    return [found for found in compile_words(asked).finditer(text) if not _cuts(found.span(), figures)]


def _cuts(place: tuple[int, int], figures: Sequence[tuple[int, int]]) -> bool:
    """Return True if the start or the end of the place is within a figure."""
    return any(
        (number := bisect_right(figures, end, key=lambda figure: figure[0]) - 1) >= 0
        and figures[number][0] < end < figures[number][1]
        for end in place
    )


class _Run(NamedTuple):
    """Text between two tags, as it is read."""

    text: str
    spans: list[tuple[int, int]] | None
    """Position of each letter in the source; None if the text is the source."""

    def span(self, start: int, end: int) -> tuple[int, int]:
        return (self.spans[start][0], self.spans[end - 1][1]) if self.spans else (start, end)


def _runs_of_html(source: str) -> Iterator[_Run]:
    parser = _Runs(source)
    parser.read(source)
    parser.end_run()
    return iter(parser.runs)


class _Runs(HtmlReader):
    def __init__(self, source: str) -> None:
        super().__init__(convert_charrefs=False)
        self.runs: list[_Run] = []
        self._source = source
        self._lines = [0, *(found.end() for found in re.finditer("\n", source))]
        self._text: list[str] = []
        self._spans: list[tuple[int, int]] = []

    def end_run(self) -> None:
        if self._text:
            self.runs.append(_Run("".join(self._text), self._spans))
        self._text, self._spans = [], []

    def handle_data(self, data: str) -> None:
        at = self._at()
        self._text.append(data)
        self._spans += [(at + index, at + index + 1) for index in range(len(data))]

    def handle_entityref(self, name: str) -> None:
        self._add_reference(f"&{name}")

    def handle_charref(self, name: str) -> None:
        self._add_reference(f"&#{name}")

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.end_run()

    def handle_startendtag(self, tag: str, attrs: object) -> None:
        self.end_run()

    def handle_endtag(self, tag: str) -> None:
        self.end_run()

    def handle_comment(self, data: str) -> None:
        self.end_run()

    def handle_decl(self, decl: str) -> None:
        self.end_run()

    def unknown_decl(self, data: str) -> None:
        self.end_run()

    def handle_pi(self, data: str) -> None:
        self.end_run()

    def _add_reference(self, raw: str) -> None:
        at = self._at()
        end = at + len(raw) + self._source.startswith(";", at + len(raw))
        letters = unescape(self._source[at:end])
        self._text.append(letters)
        self._spans += [(at, end)] * len(letters)

    def _at(self) -> int:
        line, column = self.getpos()
        return self._lines[line - 1] + column

"""Tests that the functions that read texts of editors or visitors take at most a few times as long for four times the
text."""

import re
import time
from collections.abc import Callable, Iterator
from functools import reduce

import pytest

from portolan.content.rich_text import find_hrefs, find_page_ids, snapshot_html
from portolan.content.rules import check_placeholders, check_url
from portolan.domain.html_reader import HtmlReader
from portolan.domain.letter_order import sort_key
from portolan.domain.letters import fold, slug_rules, write_slug
from portolan.domain.references import find_references
from portolan.domain.replacing import Replacing, find_places, replace
from portolan.domain.svg import clean_svg
from portolan.schemas.visible_text import trim
from portolan.studio.checks.warnings import _texts
from portolan.studio.search.excerpts import mark

_COUNT = 3000
_TOO_QUICK_TO_MEASURE_S = 0.015
_MOST_TIMES_SLOWER = 9
"""Upper limit of the ratio. Quadratic work takes 16 times as long. The limit leaves room for an unlucky measurement."""

UNITS = [
    "<a ", '<a x="', "<a linktype ", '<a linktype="page" id=', "</a ", "<!--", "<!-->", "<!", "<?", "<![CDATA[", "<![CDATA[>", "<![x]>",
    "<script", "<script>", "<b>", "<p>", "<li></code>", "<b><i></b>", "<b><p>", "<a href='/'><b>", "&", "&#", "&#9", "<", "< ", "{", "{a",
    "{company} ", "a ", "word\n", "[", "(((", "https://",
]  # fmt: skip


def _ignore(call: Callable[[str], object]) -> Callable[[str], object]:
    def read(text: str) -> None:
        try:
            result = call(text)
            if isinstance(result, Iterator):
                list(result)
        except Exception as error:
            assert type(error).__name__ in ("ValidationError", "UnsafeSvgError"), repr(error)

    return read


READERS: dict[str, Callable[[str], object]] = {
    "snapshot_html": lambda text: snapshot_html(text, {}),
    "find_page_ids": find_page_ids,
    "find_hrefs": find_hrefs,
    "find_places": lambda text: find_places(text, Replacing("a", "b"), is_html=True),
    "replace": lambda text: replace(text, Replacing("company word", "b"), is_html=True),
    "replace_plain": lambda text: replace(text, Replacing("a", "b")),
    "references": lambda text: find_references({"$html": text}),
    "warnings": lambda text: _texts(text),
    "placeholders": _ignore(check_placeholders),
    "url": _ignore(check_url),
    "fold": fold,
    "trim": lambda text: trim(f"a{text} b"),
    "sort_key": sort_key,
    "write_slug": write_slug,
    "slug_rules": lambda text: reduce(lambda left, rule: re.sub(*rule, left), slug_rules("de"), text),
    "mark": lambda text: mark(text, ["word", "a"]),
    "svg": lambda text: clean_svg(f"<svg xmlns='http://www.w3.org/2000/svg'>{text}</svg>".encode()),
    "svg_style": lambda text: clean_svg(
        f"<svg xmlns='http://www.w3.org/2000/svg'><style><![CDATA[{text}]]></style></svg>".encode()
    ),
}


def _seconds(read: Callable[[str], object], text: str) -> float:
    began = time.thread_time()
    read(text)
    return time.thread_time() - began


@pytest.mark.parametrize("name", READERS)
def test_four_times_the_text_takes_about_four_times_as_long(name: str) -> None:
    read = _ignore(READERS[name])
    for unit in UNITS:
        if _seconds(read, unit * _COUNT) > _TOO_QUICK_TO_MEASURE_S:
            slower = min(_seconds(read, unit * _COUNT) / _seconds(read, unit * (_COUNT // 4)) for _ in range(3))
            assert slower < _MOST_TIMES_SLOWER, f"{name} takes {slower:.0f} times as long for four times {unit!r}"


@pytest.mark.parametrize(
    ("html", "text"),
    [
        ("a <b>c", "a c"),
        ("a < b", "a < b"),
        ("a <b", "a "),
        ("a <!-- b > c", "a "),
        ("a <!-- b --> c", "a  c"),
        ("a <!-- b --> c <!-- d", "a  c "),
        ("a <![if x]> b", "a  b"),
        ("a <![CDATA[b]]> c", "a  c"),
        (f"a &#{'9' * 5000}; b", "a \ufffd b"),
        (f"a &#{'9' * 5000} b", "a \ufffd b"),
        ("a &#65; b", "a A b"),
    ],
)
def test_reads_as_browsers_do(html: str, text: str) -> None:
    reader, read = HtmlReader(), list[str]()
    reader.handle_data = read.append  # type: ignore[method-assign]
    reader.read(html)
    assert "".join(read) == text


@pytest.mark.parametrize("id", ["²", "9" * 5000, "-1", "", "٣"])
def test_a_link_whose_page_is_no_number_is_dropped(id: str) -> None:
    html = f'<p><a linktype="page" id="{id}">a</a></p>'
    assert snapshot_html(html, {}) == "<p>a</p>"
    assert find_page_ids(html) == set()


def test_what_stands_around_a_place_is_short_however_long_the_text() -> None:
    places = find_places("port " * 2000, Replacing("port", "quay"))
    assert len(places) == 2000
    assert max(len(place.before) + len(place.after) for place in places) <= 400

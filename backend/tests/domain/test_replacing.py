"""Replaced words in plain and rich text, and the texts that stay unchanged."""

import pytest

from portolan.domain.replacing import Replacing, find_places, replace


@pytest.mark.parametrize(
    ("asked", "text", "after"),
    [
        (Replacing("port", "quay"), "Port, port, sport", "quay, quay, squay"),
        (Replacing("port", "quay", whole_words=True), "Port, ports, port-side", "quay, ports, quay-side"),
        (Replacing("Port", "Quay", match_case=True), "Port port", "Quay port"),
        (Replacing("öl", "gas", whole_words=True), "Öl und Ölpreis", "gas und Ölpreis"),
        (Replacing("our  team", "us"), "our\n\u00a0team", "us"),
        (Replacing("a.b", "c"), "a.b axb", "c axb"),
        (Replacing("port", r"\1 \g<0>"), "port", r"\1 \g<0>"),
        (Replacing("company", "firm"), "{company} company {company}", "{company} firm {company}"),
        (Replacing("{company}", "Brightmoor"), "{company}!", "Brightmoor!"),
        (Replacing("a {company}", "we"), "a {company}!", "we!"),
        (Replacing("port", ""), "port ", " "),
        (Replacing("  ", "x"), "a  b", "a  b"),
    ],
)
def test_of_plain_text(asked: Replacing, text: str, after: str) -> None:
    assert replace(text, asked) == after


@pytest.mark.parametrize(
    ("asked", "text", "after"),
    [
        (Replacing("port", "quay"), '<p id="port">port</p>', '<p id="port">quay</p>'),
        (Replacing("p", "x"), "<p>p</p>", "<p>x</p>"),
        (Replacing("port", "quay"), '<a linktype="page" id="3">port</a>', '<a linktype="page" id="3">quay</a>'),
        (Replacing("port", "a < b"), "<p>port</p>", "<p>a &lt; b</p>"),
        (Replacing("R&D", "Labs"), "<p>R&amp;D, r&#38;d</p>", "<p>Labs, Labs</p>"),
        (Replacing("amp", "x"), "<p>R&amp;D amp</p>", "<p>R&amp;D x</p>"),
        (Replacing("öl", "gas"), "<p>&Ouml;l</p>", "<p>gas</p>"),
        (Replacing("a b", "c"), "<p>a&nbsp;b, a\nb</p>", "<p>c, c</p>"),
        (Replacing("our team", "us"), "<p>our <b>team</b></p>", "<p>our <b>team</b></p>"),
        (Replacing("port", "quay"), "<p>one\ntwo port</p>\n<!-- port --><p>port<br/>port", "<p>one\ntwo quay</p>\n<!-- port --><p>quay<br/>quay"),
        (Replacing("port", "quay"), "1 < 2 port & port", "1 < 2 quay & quay"),
    ],
)  # fmt: skip
def test_of_rich_text_what_is_read_alone(asked: Replacing, text: str, after: str) -> None:
    assert replace(text, asked, is_html=True) == after
    assert replace(text, asked, set(), is_html=True) == text


def test_places_are_chosen_one_by_one() -> None:
    asked = Replacing("port", "quay")
    html = "<p>A port.</p><p>The <b>port</b>, port</p>"
    assert [place.found for place in find_places(html, asked, is_html=True)] == ["port"] * 3
    assert replace(html, asked, {0, 2}, is_html=True) == "<p>A quay.</p><p>The <b>port</b>, quay</p>"

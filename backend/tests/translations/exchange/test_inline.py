import pytest
from hypothesis import given
from hypothesis import strategies as st

from portolan.translations.exchange.inline import Code, is_balanced, join, split
from portolan.translations.segments import Kind

LINK = Code('<a linktype="page" id="3">', "open", "a")
END = Code("</a>", "close", "a")


@pytest.mark.parametrize(
    ("kind", "text", "parts"),
    [
        ("plain", "", []),
        ("plain", "A < B & {year}", ["A < B & ", Code("{year}", "value")]),
        ("plain", "{unknown} <b>", ["{unknown} <b>"]),
        ("verbatim", "{year}\r\n\t<b>", ["{year}\r\n\t<b>"]),
        ("rich", 'See <a linktype="page" id="3">us</a>.', ["See ", LINK, "us", END, "."]),
        ("rich", "Fish &amp; chips &lt; 3", ["Fish & chips < 3"]),
        ("rich", "a&nbsp;b &quot;", ["a", Code("&nbsp;", "value"), "b ", Code("&quot;", "value")]),
        (
            "rich",
            "1 < 2 > 0 & on",
            ["1 ", Code("<", "value"), " 2 ", Code(">", "value"), " 0 ", Code("&", "value"), " on"],
        ),
        ("rich", "a<br/>b<hr>", ["a", Code("<br/>", "void", "br"), "b", Code("<hr>", "void", "hr")]),
        ("rich", '<a href="x>y">', [Code('<a href="x>y">', "open", "a")]),
        ("rich", "<!-- <b> -->", [Code("<!-- <b> -->", "value")]),
        ("rich", "{company}", [Code("{company}", "value")]),
    ],
)
def test_splits_texts_into_words_and_codes(kind: Kind, text: str, parts: list[str | Code]) -> None:
    assert split(text, kind) == parts
    assert join(parts, kind) == text


@given(st.text(alphabet="ab<>&;/\"'=# {}!-\n\r" + "é"), st.sampled_from(["plain", "rich", "verbatim"]))
def test_joining_gives_every_byte_back(text: str, kind: Kind) -> None:
    assert join(split(text, kind), kind) == text


def test_words_of_a_translator_are_escaped_in_rich_text_only() -> None:
    assert join(["1 < 2 & <b>"], "rich") == "1 &lt; 2 &amp; &lt;b&gt;"
    assert join(["1 < 2"], "plain") == "1 < 2"


@pytest.mark.parametrize(
    ("text", "is_fine"),
    [("<p>a<b>b</b></p>", True), ("<p>a<br>", False), ("a<br>", True), ("<b><i></b></i>", False), ("</b>", False)],
)
def test_knows_whether_tags_are_nested(text: str, is_fine: bool) -> None:
    assert is_balanced(split(text, "rich")) is is_fine

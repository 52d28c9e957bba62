import pytest

from portolan.domain.text_merging import merge_texts


@pytest.mark.parametrize(
    ("base", "theirs", "mine", "merged"),
    [
        ("one two three", "ONE two three", "one two THREE", "ONE two THREE"),
        ("one two three", "one two three", "one two THREE", "one two THREE"),
        ("one two three", "one 2 three", "one 2 three", "one 2 three"),
        ("one two three", "one zwei three", "one deux three", None),
        ("one two", "one two three", "one two drei", None),
        ("one two", "two", "one two drei", "two drei"),
        ("", "one", "two", None),
        ("<p>one two</p>", "<p>ONE two</p>", "<p>one <b>two</b></p>", "<p>ONE <b>two</b></p>"),
        ("<p>one two</p>", "<p><i>one</i> two</p>", "<p>one <b>two</b></p>", None),
        ("سطر واحد هنا", "سطر أول هنا", "سطر واحد هنا أيضا", "سطر أول هنا أيضا"),
        ("a < b", "a < c", "x < b", "x < c"),
    ],
)
def test_two_changes_of_one_text(base: str, theirs: str, mine: str, merged: str | None) -> None:
    assert merge_texts(base, theirs, mine) == merged
    assert merge_texts(base, mine, theirs) == merged

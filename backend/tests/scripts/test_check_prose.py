"""Rules of plain English that a program can see."""

import pytest
from check_prose import Text, find_more, find_problems, read_markdown, read_messages, read_python, read_typescript


def rules_of(words: str) -> list[str]:
    return [problem.rule for problem in find_problems(Text("a.md", words))]


@pytest.mark.parametrize(
    ("words", "rule"),
    [
        ("It builds what it asks for.", "free relative"),
        ("Whoever publishes waits.", "free relative"),
        ("The page leads to another.", "term"),
        ("Nobody is told.", "term"),
        ("Nothing is written, and no page is lost.", "two negations"),
        ("It was slow until now.", "history"),
        ("Choose a color.", "American"),
        ("It removes the page(s).", "plural"),
        (" ".join(["word"] * 31) + ".", "sentence over"),
        (" ".join(["Two words."] * 41), "paragraph over"),
    ],
)
def test_a_rule_is_seen(words: str, rule: str) -> None:
    assert [found for found in rules_of(words) if found.startswith(rule)]


@pytest.mark.parametrize(
    "words",
    [
        "Restart the server. It reads the settings again.",
        "What does it cost?",
        "The log says why one page was not published.",
        "Choose a colour for 2 sites.",
    ],
)
def test_plain_english_passes(words: str) -> None:
    assert rules_of(words) == []


def test_code_links_and_tables_of_markdown_are_no_sentences() -> None:
    source = "# Title\n\nSee [the page](what.md).\n\n```\nwhat is code\n```\n\n| a `what` | b |\n\n1. One.\n2. Two.\n"
    words = [text.words for text in read_markdown("a.md", source)]
    assert [each for each in words if each] == ["Title", "See the page.", "a X", "b", "One.", "Two."]


def test_docstrings_comments_and_help_are_read() -> None:
    source = '"""Module."""\n# A comment\n# of two lines.\n@click.command()\ndef run():\n    """Say it."""\n    x = "# no comment"\n'
    texts = [*read_python("a.py", source)]
    assert [(text.words, text.is_help) for text in texts if text.words] == [
        ("Module.", False),
        ("Say it.", True),
        ("A comment of two lines.", False),
    ]


def test_comments_of_typescript_are_read() -> None:
    source = (
        "/** Returns `x`.\n *\n * Second part. */\n"
        "const a = 'no // comment', b = `/* none */`, c = /[/*]\\/\\//; // One\n    // sentence.\n"
        'const d = "it\'s"; /* In the line. */\n// Another.\n'
    )
    words = [text.words for text in read_typescript("a.ts", source)]
    assert words == ["Returns X.", "Second part.", "One sentence.", "In the line.", "Another."]


def test_messages_are_read_without_their_fields() -> None:
    source = 'msgid ""\nmsgstr ""\n\nmsgid "<b>{count} pages</b> are live."\nmsgstr ""\n'
    assert [text.words for text in read_messages("a.po", source) if text.words] == ["X pages are live."]


def test_old_problems_may_only_shrink() -> None:
    assert find_more({"old.md": 2}, {"old.md": 2}) == []
    assert find_more({"old.md": 2}, {"old.md": 1}) == ["old.md: 2 problems, and 1 may be there"]
    assert find_more({"new.md": 1}, {}) != []

"""Invisible text counts as empty, by the same rule in Python and in the browser."""

from pathlib import Path

import pytest

from portolan.schemas.visible_text import INVISIBLE, SELECTORS, trim

WEB = Path(__file__).parents[3] / "web" / "src" / "domain" / "invisible.ts"


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("\u200b", ""),
        ("\u3164", ""),
        ("\u2800\u2800", ""),
        ("\ufeff\u200d", ""),
        ("\u200e\u202a\u2069", ""),
        ("\u00a0\u00ad \t", ""),
        ("\ufe0f", ""),
        ("\u200bAda\u00a0", "Ada"),
        ("\u202bمحمد\u202c", "محمد"),
        ("می\u200cخواهم", "می\u200cخواهم"),
        ("Ada ❤\ufe0f", "Ada ❤\ufe0f"),
        ("👩\u200d💻", "👩\u200d💻"),
    ],
)
def test_ends_that_show_nothing_are_cut_off(text: str, left: str) -> None:
    assert trim(text) == left


def test_browsers_know_the_same_characters() -> None:
    script = WEB.read_text(encoding="utf-8")
    assert INVISIBLE in script and SELECTORS in script

"""Numbers as the studio writes them."""

import pytest
from django.utils import translation

from portolan.studio.numbers import say_duration


@pytest.mark.parametrize(
    ("seconds", "english", "german"),
    [
        (0.844, "0.84 s", "0,84 s"),
        (9.4, "9.40 s", "9,40 s"),
        (32.4, "32 s", "32 s"),
        (59.7, "1 min", "1 min"),
        (111.6, "1 min 52 s", "1 min 52 s"),
        (3600, "1 h", "1 h"),
        (8563.87, "2 h 22 min", "2 h 22 min"),
        (3600 * 75 + 700, "75 h", "75 h"),
        (3600 * 4321, "4,321 h", "4.321 h"),
    ],
)
def test_a_duration_is_as_exact_as_somebody_wants_to_know_it(seconds: float, english: str, german: str) -> None:
    with translation.override("en"):
        assert say_duration(seconds) == english
    with translation.override("de"):
        assert say_duration(seconds) == german

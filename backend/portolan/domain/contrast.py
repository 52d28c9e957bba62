"""Compute the contrast of two colours (WCAG 2.2, "contrast ratio")."""

from typing import Final

TEXT: Final = 4.5
"""Minimum for text of any size (1.4.3, AA)."""
SHAPES: Final = 3.0
"""Minimum for controls and meaningful graphics (1.4.11)."""


def contrast(one: str, other: str) -> float:
    """Return the contrast of two ``#rrggbb`` colours: 1 (equal) to 21 (black and white).

    >>> round(contrast("#777777", "#ffffff"), 2)
    4.48
    """
    dark, light = sorted((_luminance(one), _luminance(other)))
    return (light + 0.05) / (dark + 0.05)


def _luminance(colour: str) -> float:
    red, green, blue = (_linear(int(colour[at : at + 2], 16) / 255) for at in (1, 3, 5))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _linear(part: float) -> float:
    return part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4

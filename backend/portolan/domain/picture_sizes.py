"""Sizes and settings of a picture's files: three widths of screen, each for two densities, in two formats."""

from typing import Final, NamedTuple

WIDTHS: Final = {"mobile": 480, "tablet": 768, "desktop": 1280}
"""CSS pixels of the 1x file."""
MOST_PIXELS: Final = 50_000_000
"""Of an upload: a photograph of the largest cameras has them. Decoded they take 200 MB."""
# Quick settings: slower ones save 3 % of bytes at 3-10 times the time an editor waits.
FORMATS: Final = {"webp": {"quality": 78, "method": 2}, "avif": {"quality": 58, "speed": 8}}
"""Pillow's settings, by the file's suffix without its dot."""


class Size(NamedTuple):
    width: int
    height: int


def scale_to(original: Size, width: int) -> Size:
    """The size of this width, with the original's aspect ratio."""
    return Size(width, max(1, round(original.height * width / original.width)))


def plan_sizes(original: Size) -> dict[str, tuple[Size, Size]]:
    """The 1x and 2x size for each kind of screen, never larger than the original."""

    def scaled(width: int) -> Size:
        return original if width >= original.width else scale_to(original, width)

    return {name: (scaled(width), scaled(2 * width)) for name, width in WIDTHS.items()}

"""Compressed copies of newly rendered pages.

The background replaces them later by the best ones.
"""

from typing import Final

_QUALITY: Final = 5
_QUALITY_OF_MANY: Final = 3
"""Takes less than half the time, for 11 % more bytes, which is as large as gzip."""
_MANY: Final = 1000


def choose_quality(pages: int, wanted: int | None = None) -> int:
    """Return the Brotli quality for a number of pages; 0 for no copies.

    ``wanted`` overrides it. A lower quality for many pages makes them live sooner. The background replaces the
    copies within minutes.

    >>> choose_quality(1), choose_quality(1000), choose_quality(1001), choose_quality(10_000, wanted=0)
    (5, 5, 3, 0)
    """
    if wanted is not None:
        return wanted
    return _QUALITY_OF_MANY if pages > _MANY else _QUALITY

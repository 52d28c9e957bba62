"""The compressed copies that pages get when they are rendered. The background makes the best of them later."""

from typing import Final

_QUALITY: Final = 5
_QUALITY_OF_MANY: Final = 3
"""Takes less than half the time, and 11 % more bytes: as many as gzip makes."""
_MANY: Final = 1000


def choose_quality(pages: int, wanted: int | None = None) -> int:
    """Of Brotli, where so many pages are rendered at once, unless somebody ``wanted`` another; 0 for no copies. With many,
    all of them are live sooner, and the background has replaced the copies within minutes.

    >>> choose_quality(1), choose_quality(1000), choose_quality(1001), choose_quality(10_000, wanted=0)
    (5, 5, 3, 0)
    """
    if wanted is not None:
        return wanted
    return _QUALITY_OF_MANY if pages > _MANY else _QUALITY

"""Plan the raster copies of a drawing: their paths and sizes.

A drawing (SVG) has no size in pixels, so each width is rendered exactly. Pages show the drawing itself. The content API
offers the copies to clients that cannot.
"""

import re
from pathlib import PurePosixPath
from typing import Any, Final, NamedTuple

from .media_addresses import MEDIA
from .picture_sizes import FORMATS, WIDTHS, Size, scale_to

MOST_PIXELS: Final = 16_000_000
"""Pixels of one copy. A drawing so narrow and tall that its widest copy would have more gets no copies."""

_ALL_WIDTHS: Final = frozenset({*WIDTHS.values(), *(2 * width for width in WIDTHS.values())})
_COPY: Final = re.compile(rf"{MEDIA}(pictures/[0-9a-f]{{16}}/[^/\\.][^/\\]*)-(\d{{3,4}})\.({'|'.join(FORMATS)})")


class RasterCopy(NamedTuple):
    """One file, in the same folder as its drawing."""

    drawing: PurePosixPath
    """Below the media folder."""
    file: PurePosixPath
    width: int
    format: str


def read_raster_copy(path: str) -> RasterCopy | None:
    """Return the copy that a URL path names, or None. Only the offered widths and formats count."""
    found = _COPY.fullmatch(path)
    if not found or int(found[2]) not in _ALL_WIDTHS:
        return None
    base, width, format_ = found.groups()
    return RasterCopy(PurePosixPath(f"{base}.svg"), PurePosixPath(f"{base}-{width}.{format_}"), int(width), format_)


def with_raster_copies(picture: dict[str, Any]) -> dict[str, Any]:
    """Return a ``Picture`` (in wire names) with a source set if it is a drawing; otherwise unchanged."""
    vector = picture["vector"]
    if vector is None or _COPY.fullmatch(f"{vector.removesuffix('.svg')}-{min(_ALL_WIDTHS)}.webp") is None:
        return picture
    original = Size(picture["width"], picture["height"])
    widest = scale_to(original, max(_ALL_WIDTHS))
    if widest.width * widest.height > MOST_PIXELS:
        return picture
    base = vector.removesuffix(".svg")
    variants = {}
    for name, width in WIDTHS.items():
        size = scale_to(original, width)
        files = {
            f"{format_}{density}": f"{base}-{pixels}.{format_}"
            for format_ in FORMATS
            for density, pixels in (("", width), ("2x", 2 * width))
        }
        variants[name] = {"width": size.width, "height": size.height, **files}
    return {**picture, **variants}

"""Encoding: one photograph becomes WebP and AVIF files for three widths of screen, each for two densities."""

from io import BytesIO
from typing import Final, NamedTuple

from PIL import Image, ImageOps

from ..domain.picture_sizes import FORMATS, Size, plan_sizes

RECIPE: Final = "1"
"""Change this whenever the code below or `domain/picture_sizes.py` changes: the published files of existing pictures
are then made again, under new names."""


class EncodedPicture(NamedTuple):
    width: int
    height: int
    variants: dict[str, tuple[Size, Size]]
    """Per kind of screen the 1x and the 2x size."""
    files: dict[str, bytes]
    """By ``<width>.<format>``."""


def encode_picture(data: bytes) -> EncodedPicture:
    """All files of one picture. Turns it by its EXIF orientation and removes all metadata."""
    with Image.open(BytesIO(data)) as opened:
        upright = ImageOps.exif_transpose(opened)
        transparent = upright.mode in ("RGBA", "LA", "PA") or "transparency" in upright.info
        source = upright.convert("RGBA" if transparent else "RGB")
    original = Size(*source.size)
    variants = plan_sizes(original)
    files: dict[str, bytes] = {}
    for size in sorted({size for pair in variants.values() for size in pair}):
        scaled = source if size == original else source.resize(size, Image.Resampling.LANCZOS)
        for format_, options in FORMATS.items():
            buffer = BytesIO()
            scaled.save(buffer, format_, **options)
            files[f"{size.width}.{format_}"] = buffer.getvalue()
    return EncodedPicture(*original, variants, files)

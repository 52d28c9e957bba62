"""Encoding: one photograph becomes WebP and AVIF files for three widths of screen, each for two densities."""

from io import BytesIO
from typing import Final, NamedTuple

from PIL import Image, ImageOps

from ..domain.picture_sizes import FORMATS, MOST_PIXELS, Size, plan_sizes

RECIPE: Final = "1"
"""Change this whenever the code below or `domain/picture_sizes.py` changes: the published files of existing pictures
are then made again, under new names."""

DECODED_HERE: Final = 4_000_000
"""Pixels of the largest picture that the studio decodes in its own process."""


class UnusablePicture(Exception):
    """No files can be made of a picture; the message says why."""


class EncodedPicture(NamedTuple):
    width: int
    height: int
    variants: dict[str, tuple[Size, Size]]
    """Per kind of screen the 1x and the 2x size."""
    files: dict[str, bytes]
    """By ``<width>.<format>``."""


def encode_picture(data: bytes) -> EncodedPicture:
    """All files of one picture. Turns it by its EXIF orientation and removes all metadata. Raises UnusablePicture, or whatever
    the decoder does. Large ones are for a ``picture_worker``."""
    with Image.open(BytesIO(data)) as opened:
        if opened.width * opened.height > MOST_PIXELS:
            raise UnusablePicture(
                f"it has {opened.width * opened.height / 1e6:.0f} million pixels, and may have {MOST_PIXELS // 1_000_000}"
            )
        ImageOps.exif_transpose(opened, in_place=True)
        transparent = opened.mode in ("RGBA", "LA", "PA") or "transparency" in opened.info
        mode = "RGBA" if transparent else "RGB"
        return _encode(opened if opened.mode == mode else opened.convert(mode))


def _encode(source: Image.Image) -> EncodedPicture:
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

"""Encoding: one photograph becomes WebP and AVIF files for three widths of screen, each for two densities."""

from io import BytesIO
from typing import IO, Final, NamedTuple

from PIL import Image, ImageOps

from ..domain.picture_losses import Loss
from ..domain.picture_sizes import FORMATS, MOST_PIXELS, Size, plan_sizes
from .picture_colours import convert_to_srgb, is_plain

RECIPE: Final = "2"
"""Change this whenever the code below, `picture_colours.py`, `domain/svg.py` or `domain/picture_sizes.py` makes other files:
an upgrade then makes the files of existing pictures again, under new names. Extend ``oldest_recipe`` too."""

DECODED_HERE: Final = 4_000_000
"""Pixels of the largest picture that the studio decodes in its own process."""


class UnusablePicture(Exception):
    """No files can be made of a picture; the message says why."""


class Box(NamedTuple):
    """A part of an upright picture, as shares of its width and height: 0 is left and top, 1 is right and bottom."""

    left: float
    top: float
    right: float
    bottom: float


class EncodedPicture(NamedTuple):
    width: int
    height: int
    files: dict[str, bytes]
    """By ``<width>.<format>``; a cropped picture by its ending alone."""

    @property
    def variants(self) -> dict[str, tuple[Size, Size]]:
        """Per kind of screen the 1x and the 2x size."""
        return plan_sizes(Size(self.width, self.height))


def oldest_recipe(original: IO[bytes], *, is_svg: bool) -> str:
    """Return the oldest recipe that makes the same files as today's, so that an upgrade makes only the others again."""
    if is_svg:
        return RECIPE if b"style" in original.read() else "1"
    with Image.open(original) as picture:
        return "1" if is_plain(picture) else RECIPE


def find_losses(original: IO[bytes]) -> list[Loss]:
    """Return what the published files of a photograph lack. Reads only the file's head, and the number of its frames."""
    with Image.open(original) as picture:
        found = {
            Loss.MOTION: getattr(picture, "is_animated", False),
            Loss.COLOURS: picture.mode == "CMYK" and not picture.info.get("icc_profile"),
        }
    return [loss for loss, is_lost in found.items() if is_lost]


def encode_picture(data: bytes) -> EncodedPicture:
    """Return all files of one picture, turned by its EXIF orientation, in sRGB and without metadata.

    Raises UnusablePicture, or an error of the decoder. Large pictures are for a ``picture_worker``.
    """
    with _open(data) as opened:
        return _encode(_prepare(opened))


def check_picture(data: bytes) -> EncodedPicture:
    """Decode a picture and make no files. Raises as ``encode_picture``."""
    with _open(data) as opened:
        opened.load()
        return EncodedPicture(*opened.size, {})


def crop_picture(data: bytes, box: Box) -> EncodedPicture:
    """Return a part of a picture as one new original: JPEG, or PNG if it has transparency. Raises as ``encode_picture``."""
    with _open(data) as opened:
        whole = _prepare(opened)
    shares = (box.left * whole.width, box.top * whole.height, box.right * whole.width, box.bottom * whole.height)
    left, top, right, bottom = map(round, shares)
    part = whole.crop((left, top, max(left + 1, right), max(top + 1, bottom)))
    ending, options = (".png", {}) if part.mode == "RGBA" else (".jpg", {"quality": 95, "subsampling": "4:4:4"})
    buffer = BytesIO()
    part.save(buffer, "PNG" if ending == ".png" else "JPEG", **options)
    return EncodedPicture(*part.size, {ending: buffer.getvalue()})


def _open(data: bytes) -> Image.Image:
    opened = Image.open(BytesIO(data))
    if opened.width * opened.height > MOST_PIXELS:
        raise UnusablePicture(
            f"it has {opened.width * opened.height / 1e6:.0f} million pixels, and may have {MOST_PIXELS // 1_000_000}"
        )
    return opened


def _prepare(opened: Image.Image) -> Image.Image:
    """Return the upright picture in sRGB."""
    ImageOps.exif_transpose(opened, in_place=True)
    return convert_to_srgb(opened)


def _encode(source: Image.Image) -> EncodedPicture:
    original = Size(*source.size)
    files: dict[str, bytes] = {}
    for size in sorted({size for pair in plan_sizes(original).values() for size in pair}):
        scaled = source if size == original else source.resize(size, Image.Resampling.LANCZOS)
        for format_, options in FORMATS.items():
            buffer = BytesIO()
            scaled.save(buffer, format_, **options)
            files[f"{size.width}.{format_}"] = buffer.getvalue()
    return EncodedPicture(*original, files)

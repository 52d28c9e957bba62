"""Encode an image as WebP and AVIF for three screen widths, each for two densities."""

from io import BytesIO
from typing import IO, Final, NamedTuple

from PIL import Image, ImageOps

from ..domain.picture_losses import Loss
from ..domain.picture_sizes import FORMATS, MOST_PIXELS, Size, plan_sizes
from .picture_colours import convert_to_srgb, is_plain

RECIPE: Final = "2"
"""Version of the encoding. Change it when the code below, `picture_colours.py`, `domain/svg.py` or
`domain/picture_sizes.py` changes the files. An upgrade then makes the files of existing images again, under new names.
Also extend ``oldest_recipe``."""

DECODED_HERE: Final = 4_000_000
"""Pixels of the largest image that the studio decodes in its own process."""


class UnusablePicture(Exception):
    """An image cannot be encoded. The message is the reason."""


class Box(NamedTuple):
    """A part of an upright image, in shares of its width and height: 0 is left and top, 1 is right and bottom."""

    left: float
    top: float
    right: float
    bottom: float


class EncodedPicture(NamedTuple):
    width: int
    height: int
    files: dict[str, bytes]
    """By ``<width>.<format>``; a cropped image by its suffix alone."""

    @property
    def variants(self) -> dict[str, tuple[Size, Size]]:
        """The 1x and 2x size for each kind of screen."""
        return plan_sizes(Size(self.width, self.height))


def oldest_recipe(original: IO[bytes], *, is_svg: bool) -> str:
    """Return the oldest recipe with the same result as the current one, so that an upgrade skips unchanged files."""
    if is_svg:
        return RECIPE if b"style" in original.read() else "1"
    with Image.open(original) as picture:
        return "1" if is_plain(picture) else RECIPE


def find_losses(original: IO[bytes]) -> list[Loss]:
    """Return the losses in the published files of an image. Reads only the file's header and the number of frames."""
    with Image.open(original) as picture:
        found = {
            Loss.MOTION: getattr(picture, "is_animated", False),
            Loss.COLOURS: picture.mode == "CMYK" and not picture.info.get("icc_profile"),
        }
    return [loss for loss, is_lost in found.items() if is_lost]


def encode_picture(data: bytes) -> EncodedPicture:
    """Return all files of one image, turned by its EXIF orientation, in sRGB and without metadata.

    Raise UnusablePicture, or an error of the decoder. Large images need a ``picture_worker``.
    """
    with _open(data) as opened:
        return _encode(_prepare(opened))


def check_picture(data: bytes) -> EncodedPicture:
    """Decode an image without making files. Raises the errors of ``encode_picture``."""
    with _open(data) as opened:
        opened.load()
        return EncodedPicture(*opened.size, {})


def crop_picture(data: bytes, box: Box) -> EncodedPicture:
    """Return a part of an image as a new original: JPEG, or PNG if it has transparency. Raises the errors of
    ``encode_picture``."""
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
    """Return the upright image in sRGB."""
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

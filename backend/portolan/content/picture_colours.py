"""Convert images to 8-bit sRGB, which every browser shows alike. Files then need no colour profile."""

from contextlib import suppress
from io import BytesIO
from typing import Final

from PIL import Image, ImageCms

_TO_8_BITS: Final = 1 / 257
_DEEP: Final = ("I;16", "I;16L", "I;16B", "I;16N", "I")
"""Modes of 16 bits, whose values Pillow would cut off at 255."""
_PLAIN: Final = ("L", "LA", "RGB", "RGBA", "P", "PA", "1")
_SPACES: Final = {"RGB": "RGB ", "RGBA": "RGB ", "L": "GRAY", "CMYK": "CMYK"}
"""By mode, the colour space of a profile that describes it."""
_HEADER: Final = slice(16, 20)
"""The colour space of a profile."""


def is_plain(picture: Image.Image) -> bool:
    """Return True if the pixels can be used unchanged: 8 bits without a profile."""
    return picture.mode in _PLAIN and not picture.info.get("icc_profile")


def convert_to_srgb(picture: Image.Image) -> Image.Image:
    """Return the image in mode RGB or RGBA, without metadata. It may be the same object, changed."""
    profile = picture.info.get("icc_profile")
    shown = _to_channels(picture)
    if profile and shown.mode != "LA":
        shown = _apply(profile, shown)
    elif profile:
        grey, opacity = shown.split()
        shown = _apply(profile, grey).convert("RGBA")
        shown.putalpha(opacity)
    mode = "RGBA" if shown.has_transparency_data else "RGB"
    if shown.mode != mode:
        shown = shown.convert(mode)
    shown.info = {}
    return shown


def _to_channels(picture: Image.Image) -> Image.Image:
    """Return 8 bits per channel, without a palette. Transparency becomes a channel."""
    if picture.mode in _DEEP:
        transparent = picture.info.get("transparency")
        picture = picture.point(lambda value: value * _TO_8_BITS + 0.5).convert("L")
        if isinstance(transparent, int):
            picture.info["transparency"] = transparent // 257
    if picture.mode == "1":
        return picture.convert("L")
    transparent = picture.has_transparency_data
    if picture.mode == "L" and transparent:
        return picture.convert("LA")
    if picture.mode in ("RGB", "P", "PA") and transparent:
        return picture.convert("RGBA")
    return picture if picture.mode in ("L", "LA", "RGB", "RGBA", "CMYK") else picture.convert("RGB")


def _apply(profile: bytes, picture: Image.Image) -> Image.Image:
    """Return the colours converted by the profile, or the same image if the profile does not fit or is damaged."""
    if profile[_HEADER].decode("latin-1") != _SPACES[picture.mode]:
        return picture
    mode = "RGBA" if picture.mode == "RGBA" else "RGB"
    with suppress(ImageCms.PyCMSError, OSError, ValueError):
        transform = ImageCms.buildTransform(
            ImageCms.ImageCmsProfile(BytesIO(profile)),
            ImageCms.createProfile("sRGB"),
            picture.mode,
            mode,
            ImageCms.Intent.RELATIVE_COLORIMETRIC,
            ImageCms.Flags.BLACKPOINTCOMPENSATION,
        )
        return ImageCms.applyTransform(picture, transform, inPlace=picture.mode == mode) or picture
    return picture

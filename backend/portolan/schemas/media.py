"""Pictures: one source set for three widths of screen, each in two formats and two densities (spec §3). Documents."""

from .base import Schema


class PictureVariant(Schema):
    """One crop. URLs are absolute paths on the own origin."""

    width: int
    """CSS pixels of the 1x file."""
    height: int
    webp: str
    webp2x: str
    avif: str
    avif2x: str


class Focus(Schema):
    """The part of a picture that stays in sight in every crop: CSS ``object-position``, in percent from the left and the top."""

    x: int
    y: int


class Picture(Schema):
    url: str
    """One file that every browser shows: the drawing itself, else the widest WebP of 1x."""
    alt: str
    """Empty for decoration."""
    width: int
    """Pixels of the original, for the aspect ratio."""
    height: int
    mobile: PictureVariant | None = None
    tablet: PictureVariant | None = None
    desktop: PictureVariant | None = None
    vector: str | None = None
    """URL of an SVG, which pages show. Only the content API gives raster copies of it as variants."""
    focus: Focus | None = None
    """None: the middle."""


class DocumentFile(Schema):
    """A file that visitors download."""

    url: str
    kind: str
    """The ending of its name, in small letters: ``pdf``."""
    size: int
    """Bytes."""

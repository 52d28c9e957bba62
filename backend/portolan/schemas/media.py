"""Define images (sources for three screen widths, two formats and two densities, spec §3) and documents."""

from .base import Schema


class PictureVariant(Schema):
    """One size. URLs are absolute paths on the own origin."""

    width: int
    """CSS pixels of the 1x file."""
    height: int
    webp: str
    webp2x: str
    avif: str
    avif2x: str


class Focus(Schema):
    """The part of an image that stays visible in every crop: CSS ``object-position``, in percent from the left and the
    top."""

    x: int
    y: int


class Picture(Schema):
    url: str
    """One file for every browser: the drawing itself, else the widest WebP of 1x."""
    alt: str
    """Empty for decoration."""
    width: int
    """Pixels of the original, for the aspect ratio."""
    height: int
    mobile: PictureVariant | None = None
    tablet: PictureVariant | None = None
    desktop: PictureVariant | None = None
    vector: str | None = None
    """URL of an SVG, which pages show. Only the content API has raster copies of it, as variants."""
    focus: Focus | None = None
    """None: the centre."""


class DocumentFile(Schema):
    """A file that visitors download."""

    url: str
    kind: str
    """File name suffix in lower case: ``pdf``."""
    size: int
    """Bytes."""

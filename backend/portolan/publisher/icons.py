"""The brand's icon, as a drawing and in the sizes that systems request."""

from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from ..sites.brand import Brand
from .drawings import build_disc, build_square

if TYPE_CHECKING:
    from PIL.Image import Image

_CORNER: Final = 7
_PIXELS: Final = 512
_OF_ICON: Final = 1.0
_OF_LOGO: Final = 0.62
_OF_MASKABLE: Final = 0.72
"""Systems crop a maskable icon to their own shape and may remove everything outside its middle 80 %."""

FAVICON: Final = "/favicon.svg"
LOGO: Final = "/icon-512.png"
ICON_FILES: Final = (
    FAVICON,
    "/favicon.ico",
    "/apple-touch-icon.png",
    "/icon-192.png",
    LOGO,
    "/icon-maskable-512.png",
)


def list_manifest_icons() -> list[dict[str, Any]]:
    """Return the icons for a web manifest."""
    return [
        {"src": FAVICON, "type": "image/svg+xml", "sizes": "any", "purpose": "any"},
        {"src": "/icon-192.png", "type": "image/png", "sizes": "192x192", "purpose": "any"},
        {"src": LOGO, "type": "image/png", "sizes": "512x512", "purpose": "any"},
        {"src": "/icon-maskable-512.png", "type": "image/png", "sizes": "512x512", "purpose": "maskable"},
    ]


_kept: Final[dict[str, dict[str, tuple[bytes, str]]]] = {}


def build_icons(brand: Brand) -> dict[str, tuple[bytes, str]]:
    """Return bytes and content type by URL path, drawn once per process and brand.

    Raise UsageError for a bad drawing.
    """
    if brand.digest not in _kept:
        _kept[brand.digest] = _draw(brand)
    return _kept[brand.digest]


def _draw(brand: Brand) -> dict[str, tuple[bytes, str]]:
    rounded = _draw_square(brand, corner=_CORNER)
    square, maskable = _rasterise(_draw_square(brand)), _rasterise(_draw_square(brand, share=_OF_MASKABLE))
    large = _rasterise(rounded)
    return {
        FAVICON: (rounded, "image/svg+xml"),
        "/favicon.ico": (_save(large.resize((48, 48)), "ICO", sizes=[(16, 16), (32, 32), (48, 48)]), "image/x-icon"),
        "/apple-touch-icon.png": (_save(square.resize((180, 180)), "PNG"), "image/png"),
        "/icon-192.png": (_save(large.resize((192, 192)), "PNG"), "image/png"),
        LOGO: (_save(large, "PNG"), "image/png"),
        "/icon-maskable-512.png": (_save(maskable, "PNG"), "image/png"),
    }


def _draw_square(brand: Brand, corner: float = 0, share: float = 1) -> bytes:
    colours = brand.colours.ground, brand.colours.accent
    if brand.icon.file:
        return build_square(brand.icon.file, *colours, corner, share * _OF_ICON)
    if brand.logo.file:
        return build_square(brand.logo.file, *colours, corner, share * _OF_LOGO)
    return build_disc(*colours, corner, share)


def _rasterise(drawing: bytes) -> "Image":
    from PIL import Image  # not at the start of commands that draw nothing
    from resvg_py import svg_to_bytes

    png = svg_to_bytes(svg_string=drawing.decode(), width=_PIXELS, height=_PIXELS, skip_system_fonts=True)
    return Image.open(BytesIO(bytes(png))).convert("RGBA")


def _save(image: "Image", kind: str, **options: Any) -> bytes:
    out = BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()

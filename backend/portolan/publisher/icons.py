"""The brand mark as an icon: a compass needle on the deep ground, as a drawing and in the sizes that systems ask for."""

from functools import cache
from io import BytesIO
from typing import TYPE_CHECKING, Any, Final

from ..sites.registry import Company

if TYPE_CHECKING:
    from PIL.Image import Image

_BOX: Final = 32
"""Side of the square that the mark is drawn in."""
_NEEDLE: Final = ((16.0, 4.0), (20.5, 16.0), (16.0, 28.0), (11.5, 16.0))
_EYE: Final = ((13.67, 17.5), (18.33, 17.5), (16.0, 23.73))
"""The needle's southern half is hollow."""
_CORNER: Final = 7
_DRAWN: Final = 1024
"""Pixels it is drawn in; halved, its edges are smooth."""

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


def build_icons(company: Company) -> dict[str, tuple[bytes, str]]:
    """URL path -> bytes and content type."""
    return _draw(company.brand_color, company.background_color)


def list_manifest_icons() -> list[dict[str, Any]]:
    """The icons as a web manifest names them."""
    return [
        {"src": FAVICON, "type": "image/svg+xml", "sizes": "any", "purpose": "any"},
        {"src": "/icon-192.png", "type": "image/png", "sizes": "192x192", "purpose": "any"},
        {"src": LOGO, "type": "image/png", "sizes": "512x512", "purpose": "any"},
        {"src": "/icon-maskable-512.png", "type": "image/png", "sizes": "512x512", "purpose": "maskable"},
    ]


@cache
def _draw(brand: str, ground: str) -> dict[str, tuple[bytes, str]]:
    """Drawn once per process: the icons depend on nothing but two colours."""
    rounded = _draw_mark(brand, ground, corner=_CORNER)
    square = _draw_mark(brand, ground, corner=0)
    # Systems cut a maskable icon to their own shape and may remove everything outside of its middle 80 %.
    maskable = _draw_mark(brand, ground, corner=0, scale=0.72)
    return {
        FAVICON: (_build_svg(brand, ground), "image/svg+xml"),
        "/favicon.ico": (_save(rounded.resize((48, 48)), "ICO", sizes=[(16, 16), (32, 32), (48, 48)]), "image/x-icon"),
        "/apple-touch-icon.png": (_save(square.resize((180, 180)), "PNG"), "image/png"),
        "/icon-192.png": (_save(rounded.resize((192, 192)), "PNG"), "image/png"),
        LOGO: (_save(rounded, "PNG"), "image/png"),
        "/icon-maskable-512.png": (_save(maskable, "PNG"), "image/png"),
    }


def _build_svg(brand: str, ground: str) -> bytes:
    def path(points: tuple[tuple[float, float], ...]) -> str:
        return "M" + "L".join(f"{x:g} {y:g}" for x, y in points) + "z"

    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_BOX} {_BOX}">'
        f'<rect width="{_BOX}" height="{_BOX}" rx="{_CORNER}" fill="{ground}"/>'
        f'<path d="{path(_NEEDLE)}{path(_EYE)}" fill="{brand}" fill-rule="evenodd"/>'
        "</svg>\n"
    ).encode()


def _draw_mark(brand: str, ground: str, corner: float, scale: float = 1) -> "Image":
    from PIL import Image, ImageDraw  # not while commands start that draw nothing

    unit = _DRAWN / _BOX

    def place(points: tuple[tuple[float, float], ...]) -> list[tuple[float, float]]:
        middle = _BOX / 2
        return [(((x - middle) * scale + middle) * unit, ((y - middle) * scale + middle) * unit) for x, y in points]

    image = Image.new("RGBA", (_DRAWN, _DRAWN), (0, 0, 0, 0))
    draw = ImageDraw.Draw(image)
    draw.rounded_rectangle((0, 0, _DRAWN - 1, _DRAWN - 1), corner * unit, fill=ground)
    draw.polygon(place(_NEEDLE), fill=brand)
    draw.polygon(place(_EYE), fill=ground)
    return image.reduce(2)


def _save(image: "Image", kind: str, **options: Any) -> bytes:
    out = BytesIO()
    image.save(out, kind, **options)
    return out.getvalue()

"""Values that examples of several operations share."""

from typing import Final

from ..domain.raster_copies import with_raster_copies
from ..schemas.link import Link
from ..schemas.media import Picture, PictureVariant


def _variant(width: int, height: int) -> PictureVariant:
    def file(pixels: int, format_: str) -> str:
        return f"/media/pictures/3f1c09aa/{pixels}.{format_}"

    return PictureVariant(
        width=width,
        height=height,
        webp=file(width, "webp"),
        webp2x=file(2 * width, "webp"),
        avif=file(width, "avif"),
        avif2x=file(2 * width, "avif"),
    )


PICTURE: Final = Picture(
    url="/media/pictures/3f1c09aa/1280.webp",
    alt="Container cranes at dawn",
    width=2560,
    height=1600,
    mobile=_variant(480, 300),
    tablet=_variant(768, 480),
    desktop=_variant(1280, 800),
    vector=None,
)
_DRAWING: Final = "/media/pictures/5be0a91c4d2f7e36/logo.svg"
DRAWING: Final = Picture.model_validate(
    with_raster_copies({"url": _DRAWING, "alt": "", "width": 320, "height": 120, "vector": _DRAWING})
)

PROJECT_ID: Final = "0b8a2f5e-6a37-4b0e-9f0e-2d1b6a1c7e11"
NEWS_ID: Final = "7d0c5b1a-3f2e-4e7b-8a1c-90c1d2e3f405"
BLUEPRINT_ID: Final = "c2a4e6f8-1b3d-4f5a-9c7e-5d6f7a8b9c0d"


def link(title: str, href: str) -> Link:
    return Link(title=title, href=href)

"""The brand mark in the sizes that systems need."""

from io import BytesIO
from xml.etree import ElementTree

import pytest
from PIL import Image

from portolan.publisher.addresses import Addresses
from portolan.publisher.icons import FAVICON, ICON_FILES, build_icons

NAVY, YELLOW = (2, 13, 28), (255, 219, 0)


def test_every_icon_is_drawn(addresses: Addresses) -> None:
    assert {*build_icons(addresses.registry.brand)} == {*ICON_FILES}


def test_the_drawing_is_in_the_brand_s_colours(addresses: Addresses) -> None:
    drawing, content_type = build_icons(addresses.registry.brand)[FAVICON]
    assert content_type == "image/svg+xml"
    assert ElementTree.fromstring(drawing).tag.endswith("svg")
    assert b"#ffdb00" in drawing
    assert b"#020d1c" in drawing


@pytest.mark.parametrize(
    ("path", "size", "corner"),
    [
        ("/favicon.ico", 48, 0),
        ("/apple-touch-icon.png", 180, 255),
        ("/icon-192.png", 192, 0),
        ("/icon-512.png", 512, 0),
        ("/icon-maskable-512.png", 512, 255),
    ],
)
def test_bitmaps_show_the_needle_on_a_ground_that_is_round_where_no_system_cuts_it(
    addresses: Addresses, path: str, size: int, corner: int
) -> None:
    image = Image.open(BytesIO(build_icons(addresses.registry.brand)[path][0])).convert("RGBA")
    assert image.size == (size, size)
    corners = {image.getpixel((x, y))[3] for x in (0, size - 1) for y in (0, size - 1)}  # type: ignore[index]
    assert corners == {corner}
    assert image.getpixel((size // 2, size // 3))[:3] == pytest.approx(YELLOW, abs=1)  # type: ignore[index]
    assert image.getpixel((size // 2, round(size * 0.6)))[:3] == pytest.approx(NAVY, abs=1)  # type: ignore[index]

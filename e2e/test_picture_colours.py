"""Published files of pictures of every kind, as a browser shows them."""

import base64
import struct
import zlib
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import pytest
from PIL import ExifTags, Image
from playwright.sync_api import Browser

from portolan.content.picture_files import encode_picture
from portolan.domain.svg import clean_svg

from .colour_profiles import adobe_rgb, inks, linear_grey

Colour = tuple[int, ...]
_FILES: Final = Path(__file__).parent / "pictures"
_SIZE: Final = (48, 32)
_NEAR: Final = 6
"""Largest difference of one channel, out of 255: both formats lose a little."""
_READ: Final = """async (files) => Promise.all(files.map(async ([type, data]) => {
    const image = new Image();
    image.src = `data:image/${type};base64,${data}`;
    const isShown = await image.decode().then(() => true, () => false);
    if (!isShown) return [[], []];
    const canvas = document.createElement('canvas');
    [canvas.width, canvas.height] = [image.naturalWidth, image.naturalHeight];
    const context = canvas.getContext('2d');
    context.drawImage(image, 0, 0);
    const read = (x, y) => [...context.getImageData(x * canvas.width, y * canvas.height, 1, 1).data];
    return [read(0.25, 0.25), read(0.75, 0.25)];
}))"""
"""Read the colour in the middle of the left half, and of the right half. Empty for a file that the browser refuses."""


def saved(picture: Image.Image, format_: str, **options: Any) -> bytes:
    buffer = BytesIO()
    picture.save(buffer, format_, **options)
    return buffer.getvalue()


def halves(mode: str, left: Any, right: Any) -> Image.Image:
    picture = Image.new(mode, _SIZE, left)
    picture.paste(right, (_SIZE[0] // 2, 0, *_SIZE))
    return picture


def deep_png(colour_type: int, left: Colour, right: Colour) -> bytes:
    """A PNG of 16 bits a channel; Pillow writes only grey ones."""
    half = _SIZE[0] // 2
    row = b"\0" + b"".join(struct.pack(f">{len(value)}H", *value) * half for value in (left, right))
    parts = {
        b"IHDR": struct.pack(">IIBBBBB", *_SIZE, 16, colour_type, 0, 0, 0),
        b"IDAT": zlib.compress(row * _SIZE[1]),
        b"IEND": b"",
    }
    chunks = (
        struct.pack(">I", len(data)) + name + data + struct.pack(">I", zlib.crc32(name + data))
        for name, data in parts.items()
    )
    return b"\x89PNG\r\n\x1a\n" + b"".join(chunks)


def palette() -> Image.Image:
    picture = halves("P", 0, 1)
    picture.putpalette([219, 0, 0, 0, 0, 255])
    return picture


def sideways() -> bytes:
    """Red is above blue in the file, and left of it for who turns it as the file says."""
    picture = Image.new("RGB", (32, 48), "red")
    picture.paste("blue", (0, 0, 32, 24))
    exif = Image.Exif()
    exif[ExifTags.Base.Orientation] = 6
    return saved(picture, "PNG", exif=exif)


def svg(style: str) -> bytes:
    """Two rectangles of the classes a and b, as drawing programs write them."""
    size, half = 'width="48" height="32" viewBox="0 0 48 32"', 'width="24" height="32"'
    rects = f'<rect class="a" {half}/><rect class="b" x="24" {half}/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size}><style>{style}</style>{rects}</svg>'.encode()


def moving(format_: str) -> bytes:
    first, second = Image.new("RGB", _SIZE, "red"), Image.new("RGB", _SIZE, "blue")
    return saved(first, format_, save_all=True, append_images=[second], duration=100)


RED, BLUE, WHITE = (255, 0, 0, 255), (0, 0, 255, 255), (255, 255, 255, 255)
GREY: Final = inks({(1, 0, 0, 0): (54, 0, 0)})
"""Cyan ink is grey: no other way to convert it gives that."""
KINDS: Final[dict[str, tuple[Callable[[], bytes], Colour, Colour | None]]] = {
    "display_p3": ((_FILES / "p3.jpg").read_bytes, (216, 69, 50, 255), None),
    "grey_of_16_bits": ((_FILES / "gray16.png").read_bytes, (64, 64, 64, 255), (191, 191, 191, 255)),
    "adobe_rgb_jpeg": (
        lambda: saved(halves("RGB", (219, 0, 0), (144, 255, 60)), "JPEG", icc_profile=adobe_rgb(), subsampling=0),
        RED,
        (0, 255, 0, 255),
    ),
    "adobe_rgb_webp": (
        lambda: saved(halves("RGB", (219, 0, 0), "blue"), "WEBP", icc_profile=adobe_rgb(), lossless=True),
        RED,
        BLUE,
    ),
    "adobe_rgb_avif": (
        lambda: saved(
            halves("RGB", (219, 0, 0), "blue"), "AVIF", icc_profile=adobe_rgb(), quality=95, subsampling="4:4:4"
        ),
        RED,
        BLUE,
    ),
    "adobe_rgb_transparent": (
        lambda: saved(halves("RGBA", (219, 0, 0, 255), (0, 0, 255, 128)), "PNG", icc_profile=adobe_rgb()),
        RED,
        (0, 0, 255, 128),
    ),
    "adobe_rgb_palette": (
        lambda: saved(palette(), "PNG", icc_profile=adobe_rgb(), transparency=bytes((255, 128))),
        RED,
        (0, 0, 255, 128),
    ),
    "grey_with_profile": (
        lambda: saved(halves("L", 128, 0), "JPEG", icc_profile=linear_grey()),
        (188, 188, 188, 255),
        (0, 0, 0, 255),
    ),
    "grey_transparent_with_profile": (
        lambda: saved(halves("LA", (128, 255), (128, 128)), "PNG", icc_profile=linear_grey()),
        (188, 188, 188, 255),
        (188, 188, 188, 128),
    ),
    "grey_transparent": (
        lambda: saved(halves("LA", (128, 255), (128, 128)), "PNG"),
        (128, 128, 128, 255),
        (128, 128, 128, 128),
    ),
    "one_bit": (lambda: saved(halves("1", 1, 0), "PNG"), WHITE, (0, 0, 0, 255)),
    "cmyk_with_profile": (
        lambda: saved(halves("CMYK", (255, 0, 0, 0), (0, 0, 0, 0)), "JPEG", icc_profile=GREY),
        (128, 128, 128, 255),
        WHITE,
    ),
    "cmyk": (
        lambda: saved(halves("CMYK", (255, 0, 0, 0), (0, 0, 0, 255)), "JPEG"),
        (0, 255, 255, 255),
        (0, 0, 0, 255),
    ),
    "colours_of_16_bits": (lambda: deep_png(2, (65535, 0, 0), (0, 32896, 65535)), RED, (0, 128, 255, 255)),
    "transparent_of_16_bits": (
        lambda: deep_png(6, (65535, 0, 0, 65535), (0, 0, 65535, 32896)),
        RED,
        (0, 0, 255, 128),
    ),
    "grey_transparent_of_16_bits": (
        lambda: deep_png(4, (32896, 65535), (32896, 32896)),
        (128, 128, 128, 255),
        (128, 128, 128, 128),
    ),
    "profile_of_another_space": (
        lambda: saved(halves("RGB", "red", "blue"), "PNG", icc_profile=linear_grey()),
        RED,
        BLUE,
    ),
    "damaged_profile": (lambda: saved(halves("RGB", "red", "blue"), "PNG", icc_profile=adobe_rgb()[:200]), RED, BLUE),
    "turned_by_exif": (sideways, RED, BLUE),
    "svg_with_a_font": (
        lambda: svg(
            "@font-face{font-family:'A';src:url(\"data:application/font-woff;charset=utf-8;base64,AAAA\") format('woff');}"
            ".a{fill:#f00;} .b{fill:#00f}"
        ),
        RED,
        BLUE,
    ),
    "svg_with_an_import": (
        lambda: svg("@import url('https://fonts.googleapis.com/css2?family=Inter;1'); .a{fill:red}.b{fill:blue}"),
        RED,
        BLUE,
    ),
    "svg_with_rules_in_rules": (
        lambda: svg(
            '@charset "utf-8";/* @import */.a{fill:red}@media screen{@font-face{src:url(x)}.b{fill:blue;mask:url(//x)}}'
        ),
        RED,
        BLUE,
    ),
    "moving_gif": (lambda: moving("GIF"), RED, RED),
    "moving_webp": (lambda: moving("WEBP"), RED, RED),
    "moving_png": (lambda: moving("PNG"), RED, RED),
}


def publish(data: bytes) -> dict[str, bytes]:
    """Return the published files by their media type's second part. Of two sizes one is enough."""
    if data.startswith(b"<svg"):
        return {"svg+xml": clean_svg(data).data}
    return {name.rpartition(".")[2]: file for name, file in encode_picture(data).files.items()}


@pytest.fixture(scope="module")
def published() -> dict[str, dict[str, bytes]]:
    return {kind: publish(make()) for kind, (make, _, _) in KINDS.items()}


@pytest.fixture(scope="module")
def shown(
    browser: Browser, published: dict[str, dict[str, bytes]]
) -> dict[tuple[str, str], tuple[list[int], list[int]]]:
    """Return the colours of both halves, by kind and type."""
    files = {(kind, type_): data for kind, by_type in published.items() for type_, data in by_type.items()}
    page = browser.new_page()
    colours = page.evaluate(_READ, [[type_, base64.b64encode(data).decode()] for (_, type_), data in files.items()])
    page.close()
    return dict(zip(files, colours, strict=True))


@pytest.mark.parametrize("kind", KINDS)
def test_published_colours_are_those_of_the_file(
    kind: str, shown: dict[tuple[str, str], tuple[list[int], list[int]]], published: dict[str, dict[str, bytes]]
) -> None:
    _, *wanted = KINDS[kind]
    assert published[kind]
    for type_ in published[kind]:
        assert shown[kind, type_][0], f"the browser refuses the {type_}"
        for half, colour in zip(shown[kind, type_], wanted, strict=True):
            assert colour is None or max(abs(a - b) for a, b in zip(half, colour, strict=True)) <= _NEAR, (type_, half)


def test_published_files_have_no_metadata(published: dict[str, dict[str, bytes]]) -> None:
    for kind, by_type in published.items():
        for type_ in {*by_type} - {"svg+xml"}:
            with Image.open(BytesIO(by_type[type_])) as picture:
                assert not {"icc_profile", "exif", "xmp"} & {*picture.info}, (kind, type_)

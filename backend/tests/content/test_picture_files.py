from io import BytesIO

import pytest
from PIL import Image

from portolan.content.picture_files import encode_picture
from portolan.domain.picture_sizes import Size, plan_sizes


def png(width: int, height: int, mode: str = "RGB") -> bytes:
    buffer = BytesIO()
    Image.new(mode, (width, height), "#ffdb0080" if mode == "RGBA" else "#ffdb00").save(buffer, "PNG")
    return buffer.getvalue()


@pytest.mark.parametrize(
    ("original", "mobile", "tablet", "desktop"),
    [
        ((2560, 1280), (480, 960), (768, 1536), (1280, 2560)),
        ((1600, 800), (480, 960), (768, 1536), (1280, 1600)),
        ((600, 300), (480, 600), (600, 600), (600, 600)),
        ((100, 7), (100, 100), (100, 100), (100, 100)),
    ],
)
def test_is_never_larger_than_the_original(
    original: tuple[int, int], mobile: tuple[int, int], tablet: tuple[int, int], desktop: tuple[int, int]
) -> None:
    planned = plan_sizes(Size(*original))
    assert {name: (low.width, high.width) for name, (low, high) in planned.items()} == {
        "mobile": mobile,
        "tablet": tablet,
        "desktop": desktop,
    }


def test_keeps_the_proportions() -> None:
    assert plan_sizes(Size(1600, 1000))["mobile"] == (Size(480, 300), Size(960, 600))
    assert plan_sizes(Size(4000, 2))["mobile"][0] == Size(480, 1)


def test_every_file_is_what_its_name_says() -> None:
    encoded = encode_picture(png(800, 400))
    assert sorted(encoded.files) == ["480.avif", "480.webp", "768.avif", "768.webp", "800.avif", "800.webp"]
    for name, data in encoded.files.items():
        width, _, format_ = name.partition(".")
        with Image.open(BytesIO(data)) as image:
            assert (str(image.width), (image.format or "").lower()) == (width, format_)


def test_transparency_is_kept() -> None:
    files = encode_picture(png(20, 10, "RGBA")).files
    assert files
    for data in files.values():
        with Image.open(BytesIO(data)) as image:
            assert image.mode == "RGBA"


def test_a_photograph_is_turned_upright_and_loses_its_camera() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6  # on its side
    exif[0x010F] = "Maker"
    buffer = BytesIO()
    Image.new("RGB", (40, 20)).save(buffer, "JPEG", exif=exif)
    encoded = encode_picture(buffer.getvalue())
    assert (encoded.width, encoded.height) == (20, 40)
    assert encoded.files
    for data in encoded.files.values():
        with Image.open(BytesIO(data)) as image:
            assert image.size == (20, 40)
            assert not image.getexif()

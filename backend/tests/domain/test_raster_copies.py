from typing import Any

import pytest

from portolan.domain.raster_copies import read_raster_copy, with_raster_copies

BASE = "/media/pictures/0123456789abcdef/chart"


def picture(width: int = 1600, height: int = 1000, vector: str | None = f"{BASE}.svg") -> dict[str, Any]:
    none = dict.fromkeys(("mobile", "tablet", "desktop"))
    return {"width": width, "height": height, **none, "vector": vector, "url": vector}


def test_a_drawing_is_offered_with_a_source_set_whose_every_file_can_be_drawn() -> None:
    offered = with_raster_copies(picture())
    assert offered["mobile"] == {
        "width": 480,
        "height": 300,
        "webp": f"{BASE}-480.webp",
        "webp2x": f"{BASE}-960.webp",
        "avif": f"{BASE}-480.avif",
        "avif2x": f"{BASE}-960.avif",
    }
    assert (offered["desktop"]["width"], offered["desktop"]["height"]) == (1280, 800)
    assert (offered["url"], offered["vector"]) == (f"{BASE}.svg", f"{BASE}.svg")
    files = [
        variant[key]
        for variant in map(offered.get, ("mobile", "tablet", "desktop"))
        for key in variant
        if key[0] in "aw" and key != "width"
    ]
    assert len(files) == 12
    for file in files:
        copy = read_raster_copy(file)
        assert copy
        assert f"/media/{copy.file}" == file
        assert f"/media/{copy.drawing}" == f"{BASE}.svg"


@pytest.mark.parametrize(
    "unchanged",
    [
        picture(vector=None),
        picture(width=1, height=400),
        picture(vector="/media/pictures/elsewhere.svg"),
    ],
    ids=["photograph", "too-tall", "not-a-published-drawing"],
)
def test_what_has_no_raster_copies_stays_as_it_is(unchanged: dict[str, Any]) -> None:
    assert with_raster_copies(unchanged) == unchanged


@pytest.mark.parametrize(
    "path",
    [
        f"{BASE}-481.webp",
        f"{BASE}-99999.webp",
        f"{BASE}-480.png",
        f"{BASE}-480.webp/",
        f"{BASE}.svg",
        "/media/pictures/0123456789abcdef/../chart-480.webp",
        "/media/pictures/0123456789abcdef/.chart-480.webp",
        "/media/pictures/0123456789abcdef/a\\b-480.webp",
        "/media/pictures/nothex/chart-480.webp",
        "/media/originals/0123456789abcdef/chart-480.webp",
    ],
)
def test_no_other_address_is_a_raster_copy(path: str) -> None:
    assert read_raster_copy(path) is None

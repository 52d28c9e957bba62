import pytest

from portolan.domain.picture_focus import Area, find_focus


@pytest.mark.parametrize(
    ("area", "focus"),
    [
        (Area(500, 250, 0, 0), (50, 50)),
        (Area(0, 500, 0, 0), (0, 100)),
        (Area(250, 100, 100, 100), (22, 12)),
        (Area(500, 250, 1000, 500), (50, 50)),
        (Area(500, 100, 1000, 200), (50, 0)),
        (Area(950, 480, 100, 40), (100, 100)),
        (Area(4000, 3000, 100, 100), (100, 100)),
        (Area(10, 10, 3000, 3000), (50, 50)),
    ],
)
def test_the_position_of_a_focal_area(area: Area, focus: tuple[int, int]) -> None:
    assert find_focus(area, 1000, 500) == dict(zip("xy", focus, strict=True))


@pytest.mark.parametrize("crop", [0.1, 0.3, 0.5, 0.9])
@pytest.mark.parametrize(("begin", "length"), [(0, 0.2), (0.1, 0.5), (0.62, 0.3), (0.7, 0.3), (0.4, 0.01)])
def test_a_crop_shows_the_whole_area_or_nothing_else(crop: float, begin: float, length: float) -> None:
    position = find_focus(Area(1000 * (begin + length / 2), 0, 1000 * length, 0), 1000, 1000)["x"] / 100
    seen = position * (1 - crop), position * (1 - crop) + crop
    rounding = 0.005 + 1e-9
    contains = seen[0] <= begin + rounding and begin + length <= seen[1] + rounding
    inside = begin <= seen[0] + rounding and seen[1] <= begin + length + rounding
    assert contains if crop >= length else inside

"""Compute the focal point: the part of an image that stays visible when a page crops it."""

from typing import NamedTuple


class Area(NamedTuple):
    """A rectangle on an image, in the image's own unit."""

    center_x: float
    center_y: float
    width: float
    height: float


def find_focus(area: Area, width: float, height: float) -> dict[str, int]:
    """Return the CSS ``object-position`` that keeps an area of an image visible, in whole percent.

    A crop that has room for the area shows all of it. A smaller crop shows only a part of the area.

    >>> find_focus(Area(center_x=800, center_y=150, width=400, height=100), width=1000, height=500)
    {'x': 100, 'y': 25}
    """
    return {
        "x": _position(area.center_x / width, area.width / width),
        "y": _position(area.center_y / height, area.height / height),
    }


def _position(center: float, length: float) -> int:
    """Return the percent along one side, from shares of that side.

    A crop of length r at position p shows the shares from p * (1 - r) to p * (1 - r) + r. With p = begin / (1 -
    length), the crop contains the area or is inside it, for every r.
    """
    length = min(max(length, 0), 1)
    begin = min(max(center - length / 2, 0), 1 - length)
    return 50 if length == 1 else round(100 * begin / (1 - length))

"""Roses and rhumb lines: the geometry of a portolan chart. Angles are compass degrees, 0 is north, clockwise."""

from itertools import combinations
from math import cos, radians, sin
from typing import NamedTuple

Point = tuple[float, float]

WIND_INITIALS = "TGLSOAPM"
"""Tramontana, Greco, Levante, Scirocco, Ostro, Africo, Ponente, Maestro: the eight winds as the old charts mark them."""


def bearing(centre: Point, degrees: float, distance: float) -> Point:
    """Return the point at ``distance`` from ``centre`` on a compass bearing."""
    return centre[0] + distance * sin(radians(degrees)), centre[1] - distance * cos(radians(degrees))


class Petal(NamedTuple):
    """One point of a rose, in two halves: one is filled, the other left light."""

    rank: int
    """0 for the cardinal points, 3 for the finest."""
    dark: tuple[Point, Point, Point]
    light: tuple[Point, Point, Point]


def petals(centre: Point, radius: float) -> list[Petal]:
    """The 32 points of a rose, the finest first, so that the cardinal ones lie on top."""
    lengths, feet = (1.0, 0.84, 0.62, 0.5), (0.17, 0.2, 0.26, 0.34)
    drawn: list[Petal] = []
    for wind in range(32):
        rank = 0 if wind % 8 == 0 else 1 if wind % 4 == 0 else 2 if wind % 2 == 0 else 3
        degrees, foot = wind * 11.25, feet[rank] * radius
        tip = bearing(centre, degrees, lengths[rank] * radius)
        spread = (45, 45, 22.5, 11.25)[rank] / 2
        left, right = (bearing(centre, degrees + side * spread, foot) for side in (-1, 1))
        drawn.append(Petal(rank, (centre, tip, right), (centre, tip, left)))
    return sorted(drawn, key=lambda petal: -petal.rank)


def nodes(centre: Point, radius: float, turn: float = 0.0) -> list[Point]:
    """The sixteen nodes on the hidden circle from which a portolan chart is ruled."""
    return [bearing(centre, turn + wind * 22.5, radius) for wind in range(16)]


class Rhumb(NamedTuple):
    """A line of constant bearing. ``rank`` as for petals: 0 is the weightiest."""

    rank: int
    start: Point
    end: Point


def network(centre: Point, radius: float, beyond: float = 1.0, turn: float = 0.0) -> list[Rhumb]:
    """All lines between the sixteen nodes, and the winds from the centre as far as ``beyond`` times the radius."""
    points = nodes(centre, radius, turn)
    lines: list[Rhumb] = []
    for (i, a), (j, b) in combinations(enumerate(points), 2):
        apart = min(j - i, 16 - j + i)
        if apart < 8:
            lines.append(Rhumb(1 if apart == 4 else 2 if apart % 2 == 0 else 3, a, b))
    for wind in range(32):
        rank = 0 if wind % 4 == 0 else 1 if wind % 2 == 0 else 3
        lines.append(Rhumb(rank, centre, bearing(centre, turn + wind * 11.25, radius * beyond)))
    return lines

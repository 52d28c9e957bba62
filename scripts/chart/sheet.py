"""A sheet: the background of the small charts, with their common parts.

A large chart takes a fifth of a second and 30 kB. A sheet has a coarse relief, soft lines and few figures, because
there are more than a hundred. Most are shown as wide as a hand.
"""

import random
from collections.abc import Sequence
from itertools import pairwise
from math import atan2, cos, degrees, hypot, pi, radians, sin

from .contours import Line, trace
from .palette import SIGNAL, Inks, mix
from .relief import Relief, Shape
from .rose import Point, bearing, petals
from .vector import Drawing, Pen

STEP = 12
EDGE = 14
"""Width of the margin outside the neatline."""

Circle = tuple[float, float, float]
"""Centre and radius of a place that is to stay clear."""


class Sheet:
    """``name`` is the seed of all chance on it."""

    def __init__(self, name: str, width: int, height: int, inks: Inks) -> None:
        self.name, self.width, self.height, self.inks = name, width, height, inks
        self.chance = random.Random(name)
        self.drawing = Drawing(width, height)
        self.drawing.path(f"M0 0h{width}v{height}h-{width}z", fill=inks.ground)
        self.shores: list[Line] = []

    @property
    def middle(self) -> Point:
        return self.width / 2, self.height / 2

    @property
    def short(self) -> float:
        """Return the shorter side, the unit for sizes."""
        return min(self.width, self.height)

    def holds(self, at: Point, margin: float = 0.0) -> bool:
        return margin < at[0] < self.width - margin and margin < at[1] < self.height - margin

    def survey(self, shape: Shape, roughness: float = 0.9, swell: float = 0.3) -> Relief:
        """The relief of this sheet. Its shores are kept."""
        relief = Relief(self.name, self.width, self.height, STEP, shape, roughness, swell)
        self.shores = trace(relief, 0, 2.2, 70)
        return relief

    def tint(self, relief: Relief, levels: Sequence[float]) -> None:
        """The sea, in steps from the deep to the shore, each with its contour."""
        for index, level in enumerate(levels, start=1):
            band = Pen(0)
            for line in trace(relief, level, 4.5, 160):
                band.curve(line)
            part = index / (len(levels) + 1)
            self.drawing.path(
                band.data,
                fill=mix(self.inks.ground, self.inks.shoal, part),
                stroke=self.inks.line,
                stroke_opacity=0.22,
                stroke_width=0.9,
            )

    def shore(self, hills: Relief | None = None) -> None:
        """Land, with the lines of an engraver along its shore, and the contours of its hills."""
        pen = Pen(0)
        for line in self.shores:
            pen.curve(line)
        inks = self.inks
        near = mix(inks.ground, inks.shoal, 0.9)
        self.drawing.raw(f'<defs><path id="s" d="{pen.data}"/></defs>')
        for width, part in ((22, 0.24), (11, 0.36)):
            self.drawing.raw(
                f'<use href="#s" stroke="{mix(near, inks.line, part)}" stroke-width="{width + 1.4}"/>'
                f'<use href="#s" stroke="{near}" stroke-width="{width}"/>'
            )
        self.drawing.raw(
            f'<use href="#s" fill="{inks.land}" stroke="{inks.line}" stroke-width="1.5" fill-rule="evenodd"/>'
        )
        if hills is not None:
            rises = Pen(0)
            for level in (0.24, 0.5):
                for line in trace(hills, level, 5, 120, whole=False):
                    rises.curve(line)
            self.drawing.path(rises.data, stroke=inks.line, stroke_opacity=0.3, stroke_width=0.9)

    def nearest_shore(self, to: Point, margin: float = 40) -> Point:
        points = [point for line in self.shores for point in line if self.holds(point, margin)]
        return min(points, key=lambda point: hypot(point[0] - to[0], point[1] - to[1]), default=to)

    def soundings(self, relief: Relief, count: int, clear: Sequence[Circle] = (), size: float = 8.4) -> None:
        """Depths in figures, scattered over the water."""
        pen, placed = Pen(), list[Point]()
        for _ in range(count * 12):
            if len(placed) == count:
                break
            x, y = self.chance.uniform(36, self.width - 36), self.chance.uniform(36, self.height - 36)
            depth = -relief.at(x, y) * 64
            blocked = any(hypot(x - cx, y - cy) < radius for cx, cy, radius in clear)
            if depth < 4 or blocked or any(hypot(x - px, y - py) < 58 for px, py in placed):
                continue
            placed.append((x, y))
            pen.text(f"{int(depth)}", (x, y), size, anchor="middle")
        self.letters(pen, 0.7)

    def place_names(self, names: Sequence[str], relief: Relief, size: float = 7.4) -> None:
        """Names inland, square to the shore."""
        pen, taken, waiting = Pen(), list[Point](), list(names)
        for line in sorted(self.shores, key=len, reverse=True):
            for x, y in line[::2]:
                if not waiting or not self.holds((x, y), 40) or any(hypot(x - p, y - q) < 54 for p, q in taken):
                    continue
                gx, gy = relief.slope(x, y)
                norm = hypot(gx, gy) or 1
                nx, ny = gx / norm, gy / norm
                length = len(waiting[0]) * size * 0.95 + 12
                way = [(x + nx * part, y + ny * part) for part in range(10, int(length) + 10, 9)]
                if not all(self.holds(at, 26) and relief.at(*at) > 0.02 for at in way):
                    continue
                turn = degrees(atan2(ny, nx))
                upright = abs(turn) <= 90
                anchor = "start" if upright else "end"
                pen.text(waiting.pop(0), (x + nx * 9, y + ny * 9 + 2), size, turn if upright else turn + 180, anchor)
                taken += [(x, y), *way[::3]]
        self.letters(pen, 0.75)

    def letters(self, pen: Pen, opacity: float = 0.9, width: float = 1.0, colour: str = "") -> None:
        self.drawing.path(
            pen.data,
            stroke=colour or self.inks.line,
            stroke_opacity=opacity,
            stroke_width=width,
            stroke_linecap="round",
            stroke_linejoin="round",
        )

    def line(self, pen: Pen, width: float = 1.6, opacity: float = 1.0, dashes: str = "", colour: str = "") -> None:
        more: dict[str, str | float] = {"stroke_dasharray": dashes} if dashes else {}
        self.drawing.path(
            pen.data, stroke=colour or self.inks.strong, stroke_opacity=opacity, stroke_width=width, **more
        )

    def marks(self, points: Sequence[Point], radius: float = 4.5, width: float = 1.7) -> None:
        """Open rings: harbours, stations, turning points."""
        pen = Pen()
        for point in points:
            pen.circle(point, radius)
        self.drawing.path(pen.data, fill=self.inks.ground, stroke=self.inks.strong, stroke_width=width)

    def graticule(self, across: int = 6) -> None:
        pen = Pen()
        step = self.width / across
        for index in range(1, across):
            pen.line([(index * step, 0), (index * step, self.height)])
        for index in range(1, int(self.height / step) + 1):
            pen.line([(0, index * step), (self.width, index * step)])
        self.line(pen, 0.8, 0.14, colour=self.inks.line)

    def rose(self, at: Point, radius: float, letters: bool = True) -> None:
        """Sixteen of the thirty-two winds, and a ring of degrees made of dashes."""
        inks = self.inks
        disc, dark, light, ring = Pen(), Pen(), Pen(), Pen()
        disc.circle(at, radius * 1.3)
        ring.circle(at, radius * 1.12)
        self.drawing.path(
            disc.data, fill=inks.ground, fill_opacity=0.85, stroke=inks.line, stroke_opacity=0.5, stroke_width=0.9
        )
        degree = 2 * pi * radius * 1.12 / 72
        self.line(ring, radius * 0.06, 0.7, f".8 {degree - 0.8:.3f}", inks.line)
        for rank in (2, 1, 0):
            for petal in petals(at, radius):
                if petal.rank == rank:
                    dark.line(petal.dark, close=True)
                    light.line(petal.light, close=True)
        self.drawing.path(light.data, fill=inks.ground, stroke=inks.line, stroke_width=0.9, stroke_linejoin="round")
        self.drawing.path(dark.data, fill=inks.strong, stroke=inks.strong, stroke_width=0.6, stroke_linejoin="round")
        if letters:
            pen = Pen()
            pen.text("N", (at[0], at[1] - radius * 1.36), max(9, radius * 0.16), anchor="middle")
            self.letters(pen, 1, 1.2, inks.strong)

    def course(self, points: Sequence[Point], bearings: bool = True) -> None:
        """A plotted course, each leg with its bearing."""
        legs, figures = Pen(), Pen()
        legs.line(points)
        for (ax, ay), (bx, by) in pairwise(points):
            turn = degrees(atan2(by - ay, bx - ax))
            turn = turn + 180 if abs(turn) > 90 else turn
            if bearings and hypot(bx - ax, by - ay) > 90:
                heading = round(degrees(atan2(bx - ax, ay - by))) % 360
                lift = bearing(((ax + bx) / 2, (ay + by) / 2), turn, 9)
                figures.text(f"{heading:03d}°", lift, 10, turn, "middle")
        self.line(legs, 1.8, 0.95, "9 6")
        self.marks(points[:-1], 4)
        self.letters(figures, 0.95, 1.1, self.inks.strong)

    def light(self, at: Point, size: float = 1.0) -> None:
        """Draw the one signal of an image."""
        ring, dot = Pen(), Pen()
        ring.circle(at, 13 * size)
        dot.circle(at, 5.6 * size)
        self.drawing.path(
            ring.data, fill=self.inks.ground, fill_opacity=0.4, stroke=self.inks.rim, stroke_width=2 * size
        )
        self.drawing.path(dot.data, fill=SIGNAL, stroke=self.inks.rim, stroke_width=1)

    def hull(self, at: Point, length: float, turn: float, chosen: bool = False) -> None:
        """A ship at her berth, bows towards the compass bearing ``turn``. The chosen one is the signal."""
        c, s = sin(radians(turn)), cos(radians(turn))

        def place(along: float, aside: float) -> Point:
            return at[0] + along * c + aside * s, at[1] - along * s + aside * c

        half, beam = length / 2, length * 0.14
        pen = Pen()
        pen.line(
            [
                place(-half, -beam),
                place(half * 0.5, -beam),
                place(half, 0),
                place(half * 0.5, beam),
                place(-half, beam),
            ],
            close=True,
        )
        if chosen:
            self.drawing.path(pen.data, fill=SIGNAL, stroke=self.inks.rim, stroke_width=1)
        else:
            self.drawing.path(pen.data, fill=self.inks.ground, stroke=self.inks.strong, stroke_width=1.2)

    def frame(self) -> None:
        """Neatline, and a scale of minutes around it."""
        inks, width, height = self.inks, self.width, self.height
        self.drawing.path(
            f"M0 0h{width}v{height}h-{width}zM{EDGE} {EDGE}v{height - 2 * EDGE}h{width - 2 * EDGE}v{2 * EDGE - height}z",
            fill=inks.ground,
        )
        inner, outer = EDGE, EDGE - 6
        box = "M{0} {0}h{1}v{2}h-{1}z"
        minutes = box.format(inner - 3, width - 2 * inner + 6, height - 2 * inner + 6)
        self.drawing.path(minutes, stroke=inks.line, stroke_opacity=0.75, stroke_width=3, stroke_dasharray="30 30")
        lines = box.format(inner, width - 2 * inner, height - 2 * inner) + box.format(
            outer, width - 2 * outer, height - 2 * outer
        )
        self.drawing.path(lines, stroke=inks.line, stroke_opacity=0.8, stroke_width=1)


def along(start: Point, turn: float, distance: float) -> Point:
    """The point ``distance`` from ``start``, turned clockwise from the x axis."""
    return start[0] + distance * cos(radians(turn)), start[1] + distance * sin(radians(turn))

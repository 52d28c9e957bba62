"""The parts of vector charts: coasts, depths, soundings, names, rhumb lines, roses, lights, scales."""

import random
from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import atan2, ceil, degrees, hypot

from .contours import trace
from .palette import INK, LAND, NAVY, SHOAL, SIGNAL, WHITE, mix
from .relief import Relief
from .rose import WIND_INITIALS, Point, bearing, network, nodes, petals
from .vector import Drawing, Pen

FATHOMS = 64
"""Depth at a height of -1."""

Circle = tuple[float, float, float]
"""Centre and radius of a place that is to stay clear."""


def draw_coast(drawing: Drawing, relief: Relief, tolerance: float = 0.7) -> None:
    """Draw land, its hills, and the fine lines along its shore: ever wider strokes of the same path."""
    shore, hills = Pen(), Pen()
    for line in trace(relief, 0, tolerance, 16):
        shore.line(line[:-1], close=True)
    drawing.raw(f'<defs><path id="s" d="{shore.data}"/></defs><g stroke-linejoin="round">')
    for width, part in ((46, 0.2), (26, 0.26), (12, 0.38)):
        drawing.raw(f'<use href="#s" stroke="{mix(SHOAL, INK, part)}" stroke-width="{width + 1.3}"/>')
        drawing.raw(f'<use href="#s" stroke="{SHOAL}" stroke-width="{width}"/>')
    drawing.raw(f'<use href="#s" fill="{LAND}" stroke="{INK}" stroke-width="1.1" fill-rule="evenodd"/></g>')
    for level in (0.22, 0.44, 0.7):
        for line in trace(relief, level, 3, 90, whole=False):
            hills.curve(line)
    drawing.path(hills.data, stroke=INK, stroke_opacity=0.16, stroke_width=0.7)


def draw_depths(drawing: Drawing, relief: Relief, levels: Iterable[float], opacity: float = 0.28) -> None:
    """Depth contours, fainter the deeper they run."""
    for index, level in enumerate(levels):
        contour = Pen()
        for line in trace(relief, level, 2.8, 140, whole=False):
            contour.curve(line)
        style: dict[str, str | float] = {"stroke_dasharray": "1 3.5"} if index % 3 == 2 else {}
        faint = round(max(opacity - 0.03 * index, 0.08), 2)
        drawing.path(contour.data, stroke=INK, stroke_opacity=faint, stroke_width=0.8, **style)


def draw_soundings(
    drawing: Drawing, relief: Relief, seed: str, count: int, clear: Sequence[Circle] = (), apart: float = 44
) -> None:
    """Depths in figures, scattered as a survey leaves them; below ten fathoms with feet, set lower and smaller."""
    chance = random.Random(f"{seed}/soundings")
    pen, placed = Pen(), list[Point]()
    for _ in range(count * 40):
        if len(placed) == count:
            break
        x, y = chance.uniform(24, relief.width - 24), chance.uniform(24, relief.height - 24)
        depth = -relief.at(x, y) * FATHOMS
        blocked = any(hypot(x - cx, y - cy) < radius for cx, cy, radius in clear)
        if depth < 3 or blocked or any(hypot(x - px, y - py) < apart for px, py in placed):
            continue
        placed.append((x, y))
        width = pen.text(f"{int(depth)}", (x, y), 6.6, anchor="middle", tracking=2.6)
        feet = int(depth * 6) % 6
        if depth < 10 and feet:
            pen.text(f"{feet}", (x + width / 2 + 1.6, y + 2.6), 4.4)
    drawing.path(pen.data, stroke=INK, stroke_opacity=0.72, stroke_width=0.75, stroke_linecap="round")


def draw_names(drawing: Drawing, relief: Relief, names: Sequence[str], spacing: float = 30, size: float = 6.2) -> None:
    """Names of places, inland and square to the shore, as on every portolan chart."""
    pen, waiting, taken = Pen(), list(names), list[Point]()
    for line in sorted(trace(relief, 0, 2.5, 200, whole=False), key=len, reverse=True):
        for (ax, ay), (bx, by) in pairwise(line):
            steps = max(1, ceil(hypot(bx - ax, by - ay) / 8))
            for step in range(steps):
                x, y = ax + (bx - ax) * step / steps, ay + (by - ay) * step / steps
                if not waiting or any(hypot(x - tx, y - ty) < spacing for tx, ty in taken):
                    continue
                gx, gy = relief.slope(x, y)
                norm = hypot(gx, gy)
                length = len(waiting[0]) * size * 0.92 + 8
                if not norm:
                    continue
                nx, ny = gx / norm, gy / norm
                way = [(x + nx * part, y + ny * part) for part in range(7, int(length) + 8, 5)]
                dry = all(
                    14 < px < relief.width - 14 and 14 < py < relief.height - 14 and relief.at(px, py) > 0.012
                    for px, py in way
                )
                if not dry or any(hypot(px - tx, py - ty) < spacing * 0.6 for px, py in way for tx, ty in taken):
                    continue
                turn = degrees(atan2(ny, nx))
                upright = 1 if abs(turn) <= 90 else -1  # on a shore that faces right, names end at it
                start = (x + nx * 6 - upright * ny * size * 0.36, y + ny * 6 + upright * nx * size * 0.36)
                anchor = "start" if upright > 0 else "end"
                pen.text(waiting.pop(0), start, size, turn if upright > 0 else turn + 180, anchor)
                taken += [(x, y), *way[::3]]
    drawing.path(
        pen.data, stroke=INK, stroke_opacity=0.8, stroke_width=0.7, stroke_linecap="round", stroke_linejoin="round"
    )


def draw_rhumbs(
    drawing: Drawing, centre: Point, radius: float, beyond: float = 1.0, turn: float = 0.0, opacity: float = 0.5
) -> None:
    """The net of bearings that gives the portolan chart its look, with a small mark on each node."""
    ranks: dict[int, Pen] = {}
    for rhumb in network(centre, radius, beyond, turn):
        ranks.setdefault(rhumb.rank, Pen()).line([rhumb.start, rhumb.end])
    for rank, pen in sorted(ranks.items(), reverse=True):
        faint = round(opacity * (1, 0.62, 0.46, 0.3)[rank], 2)
        drawing.path(pen.data, stroke=INK, stroke_opacity=faint, stroke_width=0.6)
    marks = Pen()
    for node in nodes(centre, radius, turn):
        marks.circle(node, 2.4)
    drawing.path(marks.data, fill=NAVY, stroke=INK, stroke_opacity=0.8, stroke_width=0.8)


def draw_rose(drawing: Drawing, centre: Point, radius: float, initials: bool = True) -> None:
    """A rose of 32 winds with its degree ring."""
    cx, cy = round(centre[0], 1), round(centre[1], 1)
    for grow, width in ((1.36, 0.7), (1.12, 0.7), (1.07, 0.7)):
        ring = Pen()
        ring.circle((cx, cy), radius * grow)
        drawing.path(
            ring.data,
            stroke=INK,
            stroke_opacity=0.75 if grow < 1.3 else 0.4,
            stroke_width=width,
            **({"fill": NAVY, "fill_opacity": 0.82} if grow > 1.3 else {}),
        )
    ticks = Pen()
    for degree in range(0, 360, 5):
        ticks.line(
            [
                bearing((cx, cy), degree, radius * 1.12),
                bearing((cx, cy), degree, radius * (1.17 if degree % 10 else 1.2)),
            ]
        )
    drawing.path(ticks.data, stroke=INK, stroke_opacity=0.7, stroke_width=0.7)
    for rank in (3, 2, 1, 0):
        dark, light = Pen(), Pen()
        for petal in petals((cx, cy), radius):
            if petal.rank == rank:
                dark.line(petal.dark, close=True)
                light.line(petal.light, close=True)
        drawing.path(light.data, fill=NAVY, stroke=INK, stroke_width=0.8, stroke_linejoin="round")
        drawing.path(
            dark.data,
            fill=WHITE if rank == 0 else INK,
            fill_opacity=(1, 0.85, 0.6, 0.4)[rank],
            stroke=INK,
            stroke_width=0.8,
            stroke_linejoin="round",
        )
    hub = Pen()
    hub.circle((cx, cy), radius * 0.07)
    drawing.path(hub.data, fill=NAVY, stroke=WHITE, stroke_width=1)
    if initials:
        letters = Pen()
        for index, letter in enumerate(WIND_INITIALS):
            at = bearing((cx, cy), index * 45, radius * 1.28)
            letters.text(letter, (at[0], at[1] + radius * 0.045), max(5.0, radius * 0.09), anchor="middle")
        drawing.path(
            letters.data,
            stroke=WHITE,
            stroke_opacity=0.9,
            stroke_width=0.9,
            stroke_linecap="round",
            stroke_linejoin="round",
        )


def draw_course(drawing: Drawing, points: Sequence[Point], labels: bool = True) -> None:
    """A plotted course: dashes from mark to mark, each leg with its bearing."""
    course, marks, figures = Pen(), Pen(), Pen()
    course.line(points)
    for point in points[:-1]:
        marks.circle(point, 3)
    for (ax, ay), (bx, by) in pairwise(points):
        heading = round(degrees(atan2(bx - ax, ay - by))) % 360
        turn = degrees(atan2(by - ay, bx - ax))
        turn = turn + 180 if abs(turn) > 90 else turn
        middle = ((ax + bx) / 2, (ay + by) / 2)
        lift = bearing(middle, turn, 7)
        if labels and hypot(bx - ax, by - ay) > 70:
            figures.text(f"{heading:03d}°", lift, 7.5, turn, "middle")
    drawing.path(course.data, stroke=WHITE, stroke_opacity=0.9, stroke_width=1.2, stroke_dasharray="7 5")
    drawing.path(marks.data, fill=NAVY, stroke=WHITE, stroke_width=1.2)
    drawing.path(figures.data, stroke=WHITE, stroke_width=0.9, stroke_linecap="round", stroke_linejoin="round")


def draw_light(drawing: Drawing, at: Point, label: str = "", side: int = 1) -> None:
    """Draw the one signal of an image: a yellow light."""
    ring, dot, letters = Pen(), Pen(), Pen()
    ring.circle(at, 11)
    dot.circle(at, 4.5)
    drawing.path(ring.data, stroke=SIGNAL, stroke_width=1.4)
    drawing.path(dot.data, fill=SIGNAL)
    if label:
        letters.text(label, (at[0] + side * 19, at[1] + 4), 8, anchor="start" if side > 0 else "end")
        drawing.path(letters.data, stroke=WHITE, stroke_width=1, stroke_linecap="round", stroke_linejoin="round")


def draw_graticule(drawing: Drawing, step: int, latitude: int, longitude: int, hemisphere: str = "NE") -> None:
    """Meridians and parallels with small crosses, and their coordinates along two edges. Ten minutes a line."""
    lines, labels = Pen(), Pen()
    for index, x in enumerate(range(step // 2, drawing.width, step)):
        lines.line([(x, 0), (x, drawing.height)])
        minutes = longitude * 60 + index * 10
        labels.text(f"{minutes // 60}°{minutes % 60:02d}′{hemisphere[1]}", (x + 5, 15), 6.4)
    for index, y in enumerate(range(step // 2, drawing.height, step)):
        lines.line([(0, y), (drawing.width, y)])
        minutes = latitude * 60 - index * 10
        labels.text(
            f"{minutes // 60}°{minutes % 60:02d}′{hemisphere[0]}", (drawing.width - 8, y - 5), 6.4, anchor="end"
        )
    drawing.path(lines.data, stroke=INK, stroke_opacity=0.13, stroke_width=0.7)
    drawing.path(
        labels.data, stroke=INK, stroke_opacity=0.6, stroke_width=0.7, stroke_linecap="round", stroke_linejoin="round"
    )


def find_shore(relief: Relief, near: Point) -> Point:
    """The point of the shore nearest to ``near``."""
    points = [point for line in trace(relief, 0, 1, 60, whole=False) for point in line]
    return min(points, key=lambda point: hypot(point[0] - near[0], point[1] - near[1]))

"""Raster drawing: the same paths as in ``vector``, on an image of shaded relief."""

import re
from array import array
from collections.abc import Iterator
from itertools import pairwise
from math import atan2, ceil, cos, hypot, pi, radians, sin

from PIL import Image, ImageChops, ImageColor, ImageDraw

from .relief import MARGIN, Relief

Point = tuple[float, float]

SHARP = 2
"""Masks are drawn this much larger and then reduced: Pillow's own lines have no soft edges."""

_TOKEN = re.compile(r"[MlqazHVhv]|-?\d*\.?\d+")


class Plate:
    """An image of ``width`` x ``height`` units, ``scale`` pixels a unit. Takes paths as a ``vector.Drawing`` does."""

    def __init__(self, width: int, height: int, scale: int, ground: Image.Image) -> None:
        self.width, self.height, self.scale = width, height, scale
        self.image = ground.resize((width * scale, height * scale), Image.Resampling.BICUBIC)

    def path(self, data: str, **style: str | float) -> None:
        """Draw path data. Knows fill, stroke, their opacities, widths and dashes; ends and joins are always round."""
        lines = list(read_path(data))
        if not lines:
            return
        if fill := style.get("fill"):
            self._lay(str(fill), float(style.get("fill_opacity", 1)), lines, 0)
        if stroke := style.get("stroke"):
            width = float(style.get("stroke_width", 1))
            if dashes := style.get("stroke_dasharray"):
                pattern = [float(part) for part in str(dashes).split()]
                lines = [dash for line in lines for dash in cut_dashes(line, pattern)]
            self._lay(str(stroke), float(style.get("stroke_opacity", 1)), lines, width)

    def _lay(self, colour: str, opacity: float, lines: list[list[Point]], width: float) -> None:
        """Fill (``width`` 0) or rule all lines in one mask as large as they need, so that crossings do not add up."""
        zoom, edge = self.scale * SHARP, width + 2
        xs, ys = [x for line in lines for x, _ in line], [y for line in lines for _, y in line]
        left, top = (int(max(0, min(values) - edge) * self.scale) for values in (xs, ys))
        right = min(self.image.width, ceil((max(xs) + edge) * self.scale))
        bottom = min(self.image.height, ceil((max(ys) + edge) * self.scale))
        if right <= left or bottom <= top:
            return
        mask = Image.new("L", ((right - left) * SHARP, (bottom - top) * SHARP))
        draw = ImageDraw.Draw(mask)
        for line in lines:
            at = [(x * zoom - left * SHARP, y * zoom - top * SHARP) for x, y in line]
            if not width:
                if len(at) > 2:
                    draw.polygon(at, 255)
                continue
            broad = max(1, round(width * zoom))
            draw.line(at, 255, broad, joint="curve" if broad > 4 else None)
        mask = mask.reduce(SHARP)
        if opacity < 1:
            mask = mask.point([round(level * opacity) for level in range(256)])
        self.image.paste(ImageColor.getrgb(colour), (left, top, right, bottom), mask)


def shade(relief: Relief, sea: list[str], land: list[str], lamp: tuple[float, float, float]) -> Image.Image:
    """The ground of a chart: bands of depth and of height, lit from the north-west, in the light of one lamp.

    ``sea`` runs from the deep to the shore, ``land`` from the shore up. ``lamp`` is centre and reach, in parts of the width.
    """
    columns, rows = relief.columns - 2 * MARGIN, relief.rows - 2 * MARGIN
    heights, light = array("f"), bytearray()
    for row in range(MARGIN, MARGIN + rows):
        start = row * relief.columns + MARGIN
        heights.extend(relief.values[start : start + columns])
        for at in range(start, start + columns):
            rise = relief.values[at] - relief.values[at - relief.columns - 1]
            light.append(min(255, max(0, round(128 + rise * (520 if relief.values[at] > 0 else 420)))))
    size = (columns * 4, rows * 4)
    field = Image.frombytes("F", (columns, rows), heights.tobytes()).resize(size, Image.Resampling.BICUBIC)
    steps = field.point(lambda height: height * 127 + 160).convert("L")  # type: ignore[operator, arg-type]
    ramp = [_band(level, sea, land) for level in range(256)]
    ground = Image.merge("RGB", [steps.point([colour[channel] for colour in ramp]) for channel in range(3)])
    relief_light = Image.frombytes("L", (columns, rows), bytes(light)).resize(size, Image.Resampling.BICUBIC)
    ground = ImageChops.overlay(ground, Image.merge("RGB", [relief_light] * 3))
    return ImageChops.multiply(ground, Image.merge("RGB", [_lamp(size, *lamp)] * 3))


def read_path(data: str) -> Iterator[list[Point]]:
    """Polylines of the path data that ``vector.Pen`` writes; curves become short pieces."""
    tokens = _TOKEN.findall(data)
    line: list[Point] = []
    x = y = 0.0
    command, at = "", 0
    while at < len(tokens):
        if tokens[at].isalpha():
            command, at = tokens[at], at + 1
        if command == "z":
            if line:
                line.append(line[0])
                x, y = line[0]
            continue
        count = {"M": 2, "l": 2, "q": 4, "a": 7, "H": 1, "V": 1, "h": 1, "v": 1}[command]
        n = [float(token) for token in tokens[at : at + count]]
        at += count
        if command == "M":
            if line:
                yield line
            x, y = n
            line = [(x, y)]
        elif command == "l":
            x, y = x + n[0], y + n[1]
            line.append((x, y))
        elif command == "q":
            line += _quadratic((x, y), (x + n[0], y + n[1]), (x + n[2], y + n[3]))
            x, y = line[-1]
        elif command == "a":
            line += _arc((x, y), n[0], n[1], n[2], bool(n[3]), bool(n[4]), (x + n[5], y + n[6]))
            x, y = line[-1]
        else:
            x = n[0] if command == "H" else x + n[0] if command == "h" else x
            y = n[0] if command == "V" else y + n[0] if command == "v" else y
            line.append((x, y))
    if line:
        yield line


def cut_dashes(line: list[Point], pattern: list[float]) -> Iterator[list[Point]]:
    """The drawn parts of a dashed line."""
    part, left, drawn = 0, pattern[0], [line[0]]
    for (ax, ay), (bx, by) in pairwise(line):
        length = hypot(bx - ax, by - ay)
        done = 0.0
        while length - done > left:
            done += left
            point = (ax + (bx - ax) * done / length, ay + (by - ay) * done / length)
            if part % 2 == 0:
                yield [*drawn, point]
            part += 1
            left, drawn = max(pattern[part % len(pattern)], 0.05), [point]
        left -= length - done
        drawn.append((bx, by))
    if part % 2 == 0 and len(drawn) > 1:
        yield drawn


def _band(level: int, sea: list[str], land: list[str]) -> tuple[int, int, int]:
    height = (level - 160) / 127
    if height > 0:
        colour = land[min(len(land) - 1, int(height * 2.2 * len(land)))]
    else:
        colour = sea[max(0, len(sea) - 1 - int(-height * 1.15 * len(sea)))]
    red, green, blue = ImageColor.getrgb(colour)[:3]
    return red, green, blue


def _lamp(size: tuple[int, int], u: float, v: float, reach: float) -> Image.Image:
    """Bright where the lamp hangs, a quarter as bright far from it."""
    across = round(size[0] * reach * 2)
    pool = Image.radial_gradient("L").resize((across, across), Image.Resampling.BICUBIC)
    pool = pool.point([round(255 - 205 * min(1, level / 255) ** 1.3) for level in range(256)])
    lit = Image.new("L", size, 50)
    lit.paste(pool, (round(u * size[0] - across / 2), round(v * size[1] - across / 2)))
    return lit


def _quadratic(a: Point, b: Point, c: Point) -> list[Point]:
    pieces = max(2, min(12, ceil((hypot(b[0] - a[0], b[1] - a[1]) + hypot(c[0] - b[0], c[1] - b[1])) / 4)))
    points: list[Point] = []
    for step in range(1, pieces + 1):
        t = step / pieces
        points.append((
            (1 - t) ** 2 * a[0] + 2 * t * (1 - t) * b[0] + t * t * c[0],
            (1 - t) ** 2 * a[1] + 2 * t * (1 - t) * b[1] + t * t * c[1],
        ))  # fmt: skip
    return points


def _arc(a: Point, rx: float, ry: float, turn: float, wide: bool, clockwise: bool, b: Point) -> list[Point]:
    """An SVG arc from ``a`` to ``b`` (SVG 2, appendix B.2.4)."""
    c, s = cos(radians(turn)), sin(radians(turn))
    dx, dy = (a[0] - b[0]) / 2, (a[1] - b[1]) / 2
    px, py = c * dx + s * dy, -s * dx + c * dy
    if not (rx and ry):
        return [b]
    grow = max(1.0, (px / rx) ** 2 + (py / ry) ** 2) ** 0.5
    rx, ry = rx * grow, ry * grow
    below = (rx * py) ** 2 + (ry * px) ** 2
    factor = (max(0.0, (rx * ry) ** 2 - below) / below) ** 0.5 if below else 0.0
    factor = -factor if wide == clockwise else factor
    qx, qy = factor * rx * py / ry, -factor * ry * px / rx
    mx, my = c * qx - s * qy + (a[0] + b[0]) / 2, s * qx + c * qy + (a[1] + b[1]) / 2
    start, end = atan2((py - qy) / ry, (px - qx) / rx), atan2((-py - qy) / ry, (-px - qx) / rx)
    sweep = end - start
    if clockwise and sweep < 0:
        sweep += 2 * pi
    elif not clockwise and sweep > 0:
        sweep -= 2 * pi
    pieces = max(3, ceil(abs(sweep) * max(rx, ry) / 5), ceil(abs(sweep) * 7))
    points: list[Point] = []
    for step in range(1, pieces + 1):
        angle = start + sweep * step / pieces
        x, y = rx * cos(angle), ry * sin(angle)
        points.append((mx + c * x - s * y, my + s * x + c * y))
    return points

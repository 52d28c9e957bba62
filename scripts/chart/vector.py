"""Vector drawing: the few kinds of SVG elements that the charts need, in few bytes."""

from collections.abc import Iterable, Sequence
from itertools import pairwise
from math import cos, radians, sin

from .lettering import Arc, set_line

Point = tuple[float, float]


def number(value: float) -> str:
    """At most one decimal, and no zero that can be left out."""
    text = f"{value:.1f}".removesuffix(".0")
    return "0" if text in ("-0", "0") else text.replace("0.", ".", 1) if text.startswith(("0.", "-0.")) else text


def row(values: Iterable[float]) -> str:
    """Join numbers. A minus sign separates by itself."""
    text = ""
    for value in values:
        printed = number(value)
        text += printed if not text or printed.startswith("-") else f" {printed}"
    return text


class Pen:
    """Writes path data with relative coordinates, measured from the written ones, so that rounding never adds up.

    With no ``decimals`` it writes whole units: enough for soft lines, in two thirds of the bytes.
    """

    def __init__(self, decimals: int = 1) -> None:
        self.data = ""
        self._decimals = decimals
        self._at: Point = (0.0, 0.0)

    def move(self, x: float, y: float) -> None:
        self._at = self._rounded((x, y))
        self.data += "M" + row(self._at)

    def _rounded(self, point: Point) -> Point:
        return round(point[0], self._decimals), round(point[1], self._decimals)

    def _to(self, letter: str, *points: Point) -> None:
        x, y = self._at
        ends = [self._rounded(point) for point in points]
        deltas = [(px - x, py - y) for px, py in ends]
        if letter == "l" and not any(number(d) != "0" for pair in deltas for d in pair):
            return
        self.data += letter + row(value for pair in deltas for value in pair)
        self._at = ends[-1]

    def line(self, points: Sequence[Point], close: bool = False) -> None:
        self.move(*points[0])
        for point in points[1:]:
            self._to("l", point)
        if close:
            self.data += "z"

    def curve(self, points: Sequence[Point]) -> None:
        """A soft line that passes midway between the points (a quadratic spline). Closed where they are."""
        closed = points[0] == points[-1]
        if len(points) < 4:
            self.line(points)
            return
        if closed:
            ring = [*points[:-1], points[0], points[1]]
            self.move(*_middle(ring[0], ring[1]))
            for before, after in pairwise(ring[1:]):
                self._to("q", before, _middle(before, after))
            self.data += "z"
            return
        self.move(*points[0])
        for before, after in pairwise(points[1:-1]):
            self._to("q", before, _middle(before, after))
        self._to("q", points[-2], points[-1])

    def bow(self, start: Point, by: Point, end: Point) -> None:
        """One quadratic curve."""
        self.move(*start)
        self._to("q", by, end)

    def circle(self, centre: Point, radius: float) -> None:
        r, d = number(radius), number(2 * radius)
        self.move(centre[0] - radius, centre[1])
        self.data += f"a{r} {r} 0 1 0 {d} 0a{r} {r} 0 1 0-{d} 0z"

    def arc(self, end: Point, rx: float, ry: float, turn: float, wide: bool, clockwise: bool) -> None:
        x, y = self._at
        self.data += f"a{number(rx)} {number(ry)} {number(turn)} {wide:d} {clockwise:d} "
        end = self._rounded(end)
        self.data += row((end[0] - x, end[1] - y))
        self._at = end

    def text(
        self, text: str, at: Point, size: float, turn: float = 0.0, anchor: str = "start", tracking: float = 2.4
    ) -> float:
        """A line of text with its baseline at ``at``, turned clockwise. Returns its width."""
        scale = size / 10
        strokes, width = set_line(text, tracking)
        shift = {"start": 0.0, "middle": -width / 2, "end": -width}[anchor]
        c, s = cos(radians(turn)), sin(radians(turn))

        def place(point: Point, offset: float) -> Point:
            x, y = (point[0] + offset + shift) * scale, (point[1] - 10) * scale
            return at[0] + x * c - y * s, at[1] + x * s + y * c

        for offset, stroke in strokes:
            for index, piece in enumerate(stroke):
                if not isinstance(piece, Arc):
                    if index:
                        self._to("l", place(piece, offset))
                    else:
                        self.move(*place(piece, offset))
                    continue
                sweep = piece.end - piece.start
                begin = place(piece.point(piece.start), offset)
                if index and _differ(begin, self._at):
                    self._to("l", begin)
                halves = 2 if abs(sweep) >= 300 else 1
                for half in range(1, halves + 1):
                    end = place(piece.point(piece.start + sweep * half / halves), offset)
                    # Half a ring whose radii are a little short is scaled up to fit; one that is too wide would be flattened.
                    short = scale * (0.95 if halves == 2 else 1)
                    wide = abs(sweep) / halves > 180
                    self.arc(end, piece.rx * short, piece.ry * short, turn, wide, sweep > 0)
        return width * scale


class Drawing:
    """An SVG document that is put together from the back to the front."""

    def __init__(self, width: int, height: int, defs: str = "") -> None:
        self.width, self.height = width, height
        self._parts = [f"<defs>{defs}</defs>"] if defs else []

    def path(self, data: str, **style: str | float) -> None:
        """One path element; underscores in names of attributes become hyphens."""
        if data:
            self._parts.append(f'<path d="{data}"{_attributes(style)}/>')

    def open(self, **style: str | float) -> None:
        self._parts.append(f"<g{_attributes(style)}>")

    def close(self) -> None:
        self._parts.append("</g>")

    def raw(self, markup: str) -> None:
        self._parts.append(markup)

    def svg(self) -> str:
        size = f'width="{self.width}" height="{self.height}" viewBox="0 0 {self.width} {self.height}"'
        return f'<svg xmlns="http://www.w3.org/2000/svg" {size} fill="none">{"".join(self._parts)}</svg>\n'


def _attributes(style: dict[str, str | float]) -> str:
    def printed(value: str | float) -> str:
        return value if isinstance(value, str) else f"{value:g}".removeprefix("0") or "0"

    return "".join(f' {name.replace("_", "-")}="{printed(value)}"' for name, value in style.items())


def _middle(a: Point, b: Point) -> Point:
    return (a[0] + b[0]) / 2, (a[1] + b[1]) / 2


def _differ(a: Point, b: Point) -> bool:
    return abs(a[0] - b[0]) > 0.06 or abs(a[1] - b[1]) > 0.06

"""Lettering: a single-line alphabet, so that charts and marks look the same on every machine and need no font.

A glyph has a grid with its top at 0 and its baseline at 10. Its strokes are separated by ``;``. A stroke is a row of
points ``x,y`` and arcs ``@cx,cy,rx,ry,from,to`` (degrees, clockwise on screen, 0 to the right).
"""

from math import cos, radians, sin
from typing import NamedTuple

GLYPHS = {
    "A": "0,10 3.7,0 7.4,10;1.3,6.6 6.1,6.6",
    "B": "0,4.8 3.3,4.8 @3.3,7.4,2.6,2.6,-90,90 0,10 0,0 3,0 @3,2.4,2.4,2.4,-90,90",
    "C": "@5,5,5,5,-48,-312",
    "D": "0,0 3,0 @3,5,5,5,-90,90 0,10 0,0",
    "E": "5.4,0 0,0 0,10 5.4,10;0,4.9 4.7,4.9",
    "F": "5.4,0 0,0 0,10;0,4.9 4.7,4.9",
    "G": "@5,5,5,5,-48,-360 6,5",
    "H": "0,0 0,10;7,0 7,10;0,4.9 7,4.9",
    "I": "0,0 0,10",
    "J": "4.4,0 4.4,7.4 @2,7.4,2.4,2.6,0,140",
    "K": "0,0 0,10;6.2,0 0,6;2.3,3.9 6.6,10",
    "L": "0,0 0,10 5,10",
    "M": "0,10 0,0 4.2,6.8 8.4,0 8.4,10",
    "N": "0,10 0,0 7,10 7,0",
    "O": "@5,5,5,5,0,360",
    "P": "0,10 0,0 3.2,0 @3.2,2.8,2.8,2.8,-90,90 0,5.6",
    "Q": "@5,5,5,5,0,360;6.3,6.5 9.6,10.2",
    "R": "0,10 0,0 3.2,0 @3.2,2.8,2.8,2.8,-90,90 0,5.6;3,5.6 6.3,10",
    "S": "@3,2.5,2.6,2.5,-28,-270 @3,7.5,2.9,2.5,-90,152",
    "T": "0,0 7,0;3.5,0 3.5,10",
    "U": "0,0 0,6.6 @3.4,6.6,3.4,3.4,180,0 6.8,0",
    "V": "0,0 3.7,10 7.4,0",
    "W": "0,0 2.7,10 5.4,1.4 8.1,10 10.8,0",
    "X": "0,0 6.6,10;6.6,0 0,10",
    "Y": "0,0 3.5,5.2 7,0;3.5,5.2 3.5,10",
    "Z": "0,0 6.2,0 0,10 6.4,10",
    "a": "@3.4,6.6,3.4,3.4,0,360;6.8,3.2 6.8,10",
    "d": "@3.4,6.6,3.4,3.4,0,360;6.8,-1 6.8,10",
    "e": "0,6.6 6.8,6.6 @3.4,6.6,3.4,3.4,0,-308",
    "h": "0,-1 0,10;0,6 @2.9,6,2.9,2.8,180,360 5.8,10",
    "i": "0,3.2 0,10;0,0.2 0,0.3",
    "l": "0,-1 0,10",
    "m": "0,3.2 0,10;0,5.9 @2.6,5.9,2.6,2.7,180,360 5.2,10;5.2,5.9 @7.8,5.9,2.6,2.7,180,360 10.4,10",
    "n": "0,3.2 0,10;0,6 @2.9,6,2.9,2.8,180,360 5.8,10",
    "o": "@3.4,6.6,3.4,3.4,0,360",
    "q": "@3.4,6.6,3.4,3.4,0,360;6.8,3.2 6.8,13.4",
    "r": "0,3.2 0,10;0,6.4 @3.2,6.4,3.2,3.2,180,285",
    "u": "0,3.2 0,7.2 @2.9,7.2,2.9,2.8,180,0 5.8,3.2;5.8,7.2 5.8,10",
    "0": "@2.9,5,2.9,5,0,360",
    "1": "0.2,2 2.6,0 2.6,10",
    "2": "@2.8,2.8,2.8,2.8,-165,40 0,10 5.8,10",
    "3": "@2.7,2.5,2.4,2.5,-155,90 @2.7,7.4,2.8,2.6,-90,155",
    "4": "4.4,10 4.4,0 0,7 6,7",
    "5": "5.2,0 0.9,0 0.5,4.7 @2.6,6.8,2.9,3.2,-138,142",
    "6": "4.4,0 0.5,5.5;@2.9,7.1,2.9,2.9,0,360",
    "7": "0,0 5.6,0 1.9,10",
    "8": "@2.8,2.4,2.3,2.4,0,360;@2.8,7.4,2.8,2.6,0,360",
    "9": "1.4,10 5.3,4.5;@2.9,2.9,2.9,2.9,0,360",
    "°": "@1.3,1.3,1.3,1.3,0,360",
    "′": "0.7,0 0,2.8",
    "-": "0,5.2 3.4,5.2",
    ".": "0,9.7 0,10",
    "/": "0,11 4,-1",
}
SPACE = 4.4


class Arc(NamedTuple):
    """An arc of an ellipse that ends in ``x, y``. Degrees, clockwise on screen."""

    cx: float
    cy: float
    rx: float
    ry: float
    start: float
    end: float

    def point(self, angle: float) -> tuple[float, float]:
        return self.cx + self.rx * cos(radians(angle)), self.cy + self.ry * sin(radians(angle))


Stroke = list[tuple[float, float] | Arc]


def read_glyph(character: str) -> list[Stroke]:
    """Strokes of one glyph on its own grid."""
    strokes: list[Stroke] = []
    for part in GLYPHS[character].split(";"):
        stroke: Stroke = []
        for token in part.split():
            numbers = [float(number) for number in token.removeprefix("@").split(",")]
            if token.startswith("@"):
                arc = Arc(*numbers)
                if not stroke:
                    stroke.append(arc.point(arc.start))
                stroke.append(arc)
            else:
                stroke.append((numbers[0], numbers[1]))
        strokes.append(stroke)
    return strokes


def flatten(stroke: Stroke) -> list[tuple[float, float]]:
    """The stroke as points close enough to pass for a curve."""
    points: list[tuple[float, float]] = []
    for piece in stroke:
        if isinstance(piece, Arc):
            pieces = max(3, round(abs(piece.end - piece.start) / 18))
            points += [piece.point(piece.start + (piece.end - piece.start) * i / pieces) for i in range(1, pieces + 1)]
        else:
            points.append(piece)
    return points


def set_line(text: str, tracking: float = 2.4) -> tuple[list[tuple[float, Stroke]], float]:
    """Strokes of a line of text, each with its offset along the line, and the width of the line on the glyphs' grid."""
    placed: list[tuple[float, Stroke]] = []
    x = 0.0
    for character in text:
        if character == " ":
            x += SPACE
            continue
        strokes = read_glyph(character)
        points = [point for stroke in strokes for point in flatten(stroke)]
        placed += [(x - min(px for px, _ in points), stroke) for stroke in strokes]
        x += max(px for px, _ in points) - min(px for px, _ in points) + tracking
    return placed, x - tracking

"""Relief: a seeded height field. Above 0 is land, below it is sea; 1 is about the height of the hills."""

import random
from array import array
from collections.abc import Callable

from PIL import Image

Shape = Callable[[float, float], float]
"""The land: height wanted at (u, v), both 0..1 across the image."""


MARGIN = 3
"""Cells by which a relief is larger than its image on each side."""


class Relief:
    """Heights on a grid that covers an image of ``width`` x ``height`` units, ``step`` units a cell.

    ``swell`` is the weight of chance against ``shape``, ``roughness`` that of the small over the large. The outermost
    ring is deep sea, so that every contour closes outside the visible part.
    """

    def __init__(
        self,
        seed: str,
        width: int,
        height: int,
        step: float,
        shape: Shape,
        roughness: float = 0.5,
        swell: float = 0.55,
    ) -> None:
        self.width, self.height, self.step = width, height, step
        self.columns, self.rows = int(width / step) + 1 + 2 * MARGIN, int(height / step) + 1 + 2 * MARGIN
        coarse = _noise(f"{seed}/coarse", self.columns, self.rows, cells=3, octaves=3)
        fine = _noise(f"{seed}/fine", self.columns, self.rows, cells=24, octaves=3)
        self.values: list[float] = []
        for row in range(self.rows):
            v = (row - MARGIN) * step / height
            for column in range(self.columns):
                at = row * self.columns + column
                if row in (0, self.rows - 1) or column in (0, self.columns - 1):
                    self.values.append(-9.0)
                    continue
                base = shape((column - MARGIN) * step / width, v) + swell * coarse[at]
                # Coasts are ragged, the deep is smooth: the sea wears its bottom down.
                raggedness = roughness * (0.22 if base > 0 else 0.22 / (1 + 9 * base * base - 5 * base))
                self.values.append(round(base + raggedness * fine[at], 4))

    def at(self, x: float, y: float) -> float:
        """Return the height at a point of the image, between the four grid points around it."""
        gx = min(max(x / self.step + MARGIN, 1), self.columns - 2.001)
        gy = min(max(y / self.step + MARGIN, 1), self.rows - 2.001)
        column, row = int(gx), int(gy)
        fx, fy = gx - column, gy - row
        at = row * self.columns + column
        top = self.values[at] * (1 - fx) + self.values[at + 1] * fx
        bottom = self.values[at + self.columns] * (1 - fx) + self.values[at + self.columns + 1] * fx
        return top * (1 - fy) + bottom * fy

    def slope(self, x: float, y: float) -> tuple[float, float]:
        """Direction in which the ground rises, not normalised."""
        d = self.step
        return self.at(x + d, y) - self.at(x - d, y), self.at(x, y + d) - self.at(x, y - d)

    def image(self) -> Image.Image:
        """The grid as an ``F`` image, for raster charts."""
        return Image.frombytes("F", (self.columns, self.rows), array("f", self.values).tobytes())


def _noise(seed: str, columns: int, rows: int, cells: int, octaves: int) -> list[float]:
    """Fractal noise of about -1..1: each octave has twice the cells and half the weight."""
    chance = random.Random(seed)
    total = [0.0] * (columns * rows)
    weight = 1.0
    for octave in range(octaves):
        across = cells * 2**octave + 3
        down = max(4, round(across * rows / columns))
        lattice = array("f", (chance.uniform(-1, 1) for _ in range(across * down)))
        small = Image.frombytes("F", (across, down), lattice.tobytes())
        layer = array("f", small.resize((columns, rows), Image.Resampling.BICUBIC).tobytes())
        total = [value + weight * more for value, more in zip(total, layer, strict=True)]
        weight /= 2
    return total

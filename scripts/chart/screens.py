"""Sheets that show software: a window, three phones, a wall of a control room. Lines replace their text."""

from math import sin

from .contours import trace
from .palette import SIGNAL, mix
from .relief import Relief
from .rose import Point
from .sheet import Sheet
from .vector import Pen

Box = tuple[float, float, float, float]
"""Left, top, width, height."""


def desk(sheet: Sheet) -> None:
    """A window of a program, with a list of its parts at the side and four panels."""
    screen = _Screen(sheet)
    wide, tall = sheet.width * 0.82, sheet.height * 0.8
    left, top = (sheet.width - wide) / 2, (sheet.height - tall) / 2
    sheet.graticule(12)
    screen.panel((left, top, wide, tall), 10, 0.5)
    bar, dots = Pen(), Pen()
    bar.line([(left, top + 34), (left + wide, top + 34)])
    for index in range(3):
        dots.circle((left + 20 + index * 16, top + 17), 4)
    sheet.line(bar, 1.2, 0.7, colour=sheet.inks.line)
    sheet.line(dots, 1.4, 0.9, colour=sheet.inks.line)
    side = wide * 0.17
    for row in range(7):
        y = top + 66 + row * 34
        if row == screen.chosen % 7:
            screen.panel((left + 10, y - 13, side - 20, 26), 4, 1)
        screen.words(left + 22, y, side - 60 - 20 * (row % 3), 3)
    x, y, w, h = left + side + 8, top + 50, wide - side - 26, tall - 66
    split = screen.chance.choice((0.4, 0.5, 0.62))
    kinds = screen.chance.sample([screen.chart, screen.bars, screen.curve, screen.rows, screen.plan, screen.figures], 4)
    first, second = (w * split - 8, w * (1 - split) - 8)
    boxes: list[Box] = [
        (x, y, first, h * 0.56 - 8), (x + first + 16, y, second, h * 0.56 - 8),
        (x, y + h * 0.56 + 8, second, h * 0.44 - 8), (x + second + 16, y + h * 0.56 + 8, first, h * 0.44 - 8),
    ]  # fmt: skip
    for index, (kind, box) in enumerate(zip(kinds, boxes, strict=True)):
        screen.panel(box, 6, 0.75)
        kind(box, index == screen.chosen % 4)


def phones(sheet: Sheet) -> None:
    """Draw three phones side by side. The middle one matters."""
    screen = _Screen(sheet)
    sheet.graticule(12)
    kinds = screen.chance.sample([screen.chart, screen.bars, screen.curve, screen.rows, screen.plan], 3)
    for index, kind in enumerate(kinds):
        tall = sheet.height * (0.84 if index == 1 else 0.7)
        wide = tall * 0.49
        left = sheet.width / 2 + (index - 1) * wide * 1.36 - wide / 2
        top = (sheet.height - tall) / 2 + (0 if index == 1 else 16)
        screen.panel((left, top, wide, tall), wide * 0.13, 0.5, 2)
        speaker = Pen()
        speaker.line([(left + wide * 0.4, top + 13), (left + wide * 0.6, top + 13)])
        sheet.line(speaker, 4, 0.8, colour=sheet.inks.line)
        screen.words(left + 18, top + 42, wide * 0.5, 5)
        screen.words(left + 18, top + 58, wide * 0.32, 3)
        box = (left + 14, top + 76, wide - 28, tall * 0.42)
        screen.panel(box, 6, 0.85)
        kind(box, False)
        for row in range(3):
            y = top + 76 + tall * 0.42 + 22 + row * 22
            if y < top + tall - 62:
                screen.words(left + 18, y, wide * (0.62 - 0.13 * row), 3)
        button = (left + 14, top + tall - 52, wide - 28, 34)
        screen.panel(button, 8, 1, 1.4, SIGNAL if index == 1 else "")


def wall(sheet: Sheet) -> None:
    """Draw a control room's view: one chart as wide as the room, and a row of panels below."""
    screen = _Screen(sheet)
    margin = 44.0
    wide = sheet.width - 2 * margin
    high = sheet.height * 0.56
    screen.panel((margin, margin, wide, high), 4, 0.6)
    screen.chart((margin, margin, wide, high), True)
    kinds = screen.chance.sample([screen.bars, screen.curve, screen.rows, screen.plan, screen.figures], 4)
    each = (wide - 3 * 14) / 4
    for index, kind in enumerate(kinds):
        box = (margin + index * (each + 14), margin + high + 14, each, sheet.height - high - 2 * margin - 14)
        screen.panel(box, 4, 0.6)
        kind(box, False)


class _Screen:
    """Panels and their content. Each gets its box, and whether the signal is in it."""

    def __init__(self, sheet: Sheet) -> None:
        self.sheet = sheet
        self.chance = sheet.chance
        self.inks = sheet.inks
        self.chosen = sheet.chance.randrange(84)

    def panel(self, box: Box, radius: float, part: float, width: float = 1.2, fill: str = "") -> None:
        x, y, w, h = box
        corner = f"{radius:.0f}"
        self.sheet.drawing.raw(
            f'<rect x="{x:.0f}" y="{y:.0f}" width="{w:.0f}" height="{h:.0f}" rx="{corner}" '
            f'fill="{fill or mix(self.inks.ground, self.inks.shoal, part)}" stroke="{self.inks.line}" '
            f'stroke-opacity=".7" stroke-width="{width:g}"/>'
        )

    def words(self, x: float, y: float, length: float, weight: float) -> None:
        pen = Pen(0)
        pen.line([(x, y), (x + length, y)])
        self.sheet.drawing.path(
            pen.data, stroke=self.inks.line, stroke_opacity=0.75, stroke_width=weight, stroke_linecap="round"
        )

    def chart(self, box: Box, signal: bool) -> None:
        """A map, cut off at the panel's edge."""
        x, y, w, h = box
        lean = self.chance.uniform(-0.5, 0.5)
        relief = Relief(
            f"{self.sheet.name}/{x:.0f}", int(w), int(h), max(9, w / 40),
            lambda u, v: (u - 0.5 + lean * (v - 0.5)) * 1.6, 0.9, 0.5,
        )  # fmt: skip
        name = f"c{x:.0f}"
        self.sheet.drawing.raw(
            f'<clipPath id="{name}"><path d="M0 0h{w:.0f}v{h:.0f}h-{w:.0f}z"/></clipPath>'
            f'<g transform="translate({x:.0f} {y:.0f})"><g clip-path="url(#{name})">'
        )
        for level, part in ((-0.4, 0.35), (0.0, 1.0), (0.4, 1.0)):
            pen = Pen(0)
            for line in trace(relief, level, 3, 60):
                pen.curve(line)
            self.sheet.drawing.path(
                pen.data, fill=mix(self.inks.shoal, self.inks.land, part) if level <= 0 else "none",
                stroke=self.inks.line, stroke_opacity=0.8 if level == 0 else 0.4, stroke_width=1.1,
            )  # fmt: skip
        track, marks, at = Pen(), Pen(), list[Point]()
        for index in range(7):
            at.append((w * (0.1 + 0.13 * index), h * (0.5 + 0.3 * sin(index * 1.3 + lean * 9))))
            marks.circle(at[-1], 3.6)
        track.curve(at)
        self.sheet.line(track, 1.5, 0.9, "6 4")
        self.sheet.drawing.path(marks.data, fill=self.inks.ground, stroke=self.inks.strong, stroke_width=1.4)
        if signal:
            self.sheet.light(at[4])
        self.sheet.drawing.raw("</g></g>")

    def bars(self, box: Box, signal: bool) -> None:
        x, y, w, h = box
        count = max(5, int(w / 26))
        step = (w - 32) / count
        self.words(x + 16, y + 18, w * 0.3, 3)
        best = self.chance.randrange(count)
        for index in range(count):
            part = 1 if index == best else self.chance.uniform(0.2, 0.85)
            height = (h - 58) * part
            pen = Pen(0)
            left, foot = x + 16 + index * step, y + h - 16
            pen.line(
                [(left, foot), (left, foot - height), (left + step * 0.6, foot - height), (left + step * 0.6, foot)],
                close=True,
            )
            chosen = signal and index == best
            self.sheet.drawing.path(
                pen.data, fill=SIGNAL if chosen else self.inks.line, fill_opacity=1 if chosen else 0.55
            )

    def curve(self, box: Box, signal: bool) -> None:
        x, y, w, h = box
        self.words(x + 16, y + 18, w * 0.24, 3)
        phase = self.chance.uniform(0, 6)
        falling = self.chance.choice((True, False))
        points: list[Point] = []
        for step in range(15):
            t = step / 14
            rise = (1 - t if falling else t) * 0.7 + 0.13 * sin(9 * t + phase)
            points.append((x + 16 + (w - 32) * t, y + h - 22 - (h - 74) * max(0.02, rise)))
        grid, line, under = Pen(0), Pen(), Pen(0)
        for row in range(4):
            grid.line([(x + 16, y + 40 + row * (h - 58) / 3), (x + w - 16, y + 40 + row * (h - 58) / 3)])
        line.curve(points)
        under.line([(x + 16, y + h - 18), *points, (x + w - 16, y + h - 18)], close=True)
        self.sheet.line(grid, 0.9, 0.35, colour=self.inks.line)
        self.sheet.drawing.path(under.data, fill=self.inks.line, fill_opacity=0.14)
        self.sheet.line(line, 2.2)
        if signal:
            self.sheet.light(points[-3], 0.8)

    def rows(self, box: Box, signal: bool) -> None:
        """A list: each row with a mark, a name and two figures."""
        x, y, w, h = box
        count = max(3, int((h - 16) / 26))
        marks, rules = Pen(), Pen(0)
        chosen = self.chance.randrange(count)
        for row in range(count):
            at = y + 22 + row * 26
            if signal and row == chosen:
                dot = Pen()
                dot.circle((x + 20, at), 5.5)
                self.sheet.drawing.path(dot.data, fill=SIGNAL, stroke=self.inks.rim)
            else:
                marks.circle((x + 20, at), 4)
            self.words(x + 36, at, w * self.chance.uniform(0.16, 0.36), 3)
            self.words(x + w * 0.62, at, w * 0.1, 3)
            self.words(x + w * 0.8, at, w * self.chance.uniform(0.04, 0.12), 3)
            if row < count - 1:
                rules.line([(x + 12, at + 13), (x + w - 12, at + 13)])
        self.sheet.line(marks, 1.3, 0.9, colour=self.inks.line)
        self.sheet.line(rules, 0.9, 0.35, colour=self.inks.line)

    def plan(self, box: Box, signal: bool) -> None:
        """Bars of time under one another, and the line of the present."""
        x, y, w, h = box
        count = max(4, int((h - 20) / 22))
        start = 0.04
        now = x + w * 0.58
        for row in range(count):
            length = self.chance.uniform(0.14, 0.34)
            left = min(start, 0.92 - length)
            bar = (x + w * left, y + 14 + row * 22, w * length, 12.0)
            chosen = signal and row == count // 2
            self.panel(
                bar, 3, 1, 1.2, SIGNAL if chosen else mix(self.inks.shoal, self.inks.line, 0.3 + 0.4 * (row % 2))
            )
            start = (start + length * 0.55) % 0.7
        line = Pen(0)
        line.line([(now, y + 6), (now, y + h - 6)])
        self.sheet.line(line, 1.4, 0.9, "3 4")

    def figures(self, box: Box, signal: bool) -> None:
        """Draw two large figures, each with its comparison."""
        x, y, w, h = box
        pen = Pen()
        size = min(h * 0.28, w * 0.16, 44)
        for index in range(2):
            value = self.chance.choice(
                (f"{self.chance.randrange(10, 99)}.{self.chance.randrange(10)}", f"{self.chance.randrange(110, 990)}")
            )
            left = x + 18 + index * w / 2
            pen.text(value, (left, y + h * 0.5 + size * 0.3), size)
            self.words(left, y + h * 0.5 + size * 0.3 + 20, w * 0.26, 3)
        self.sheet.letters(pen, 1, 2.2, self.inks.strong)
        if signal:
            self.sheet.light((x + w - 22, y + 22), 0.7)

"""Marks of the demo's invented clients: a plain geometric sign and a name in the charts' own single-line letters."""

from .palette import MARK
from .rose import bearing
from .vector import Drawing, Pen

HEIGHT = 40


def northwind() -> Drawing:
    """A needle, half of it filled, over a swell."""
    needle, swell = Pen(), Pen()
    needle.line([(16, 3), (16, 27), (7, 31)], close=True)
    swell.line([(16, 3), (25, 31), (16, 27)])
    swell.data += "M4 36q3-3.4 6 0t6 0t6 0t6 0"
    return _mark(needle, swell, [("NORTHWIND", 11, 21, 1.7), ("PORT AUTHORITY", 5.4, 32.5, 0.9)], 38)


def lumen() -> Drawing:
    """A light: rays round a disc."""
    disc, rays = Pen(), Pen()
    disc.circle((17, 20), 5.4)
    for ray in range(12):
        rays.line([bearing((17, 20), ray * 30, 9), bearing((17, 20), ray * 30, 15 if ray % 3 == 0 else 12.5)])
    return _mark(disc, rays, [("lumen", 15, 26, 2.2)], 42, 2)


def harrowgate() -> Drawing:
    """A gate with its portcullis half raised."""
    gate, bars = Pen(), Pen()
    bars.data = "M5 35V17a11 11 0 0 1 22 0v18"
    for x in (10.5, 16, 21.5):
        bars.line([(x, 12), (x, 25)])
        gate.line([(x - 1.6, 25), (x + 1.6, 25), (x, 28.6)], close=True)
    bars.line([(6, 19.5), (26, 19.5)])
    return _mark(gate, bars, [("HARROWGATE", 9.6, 19.5, 1.5), ("BANK", 6.2, 31.5, 1.1)], 38)


def tessel() -> Drawing:
    """Triangles that interlock, every second one filled."""
    filled, outline = Pen(), Pen()
    for index in range(3):
        x = 3.0 + index * 10
        filled.line([(x, 31), (x + 9, 31), (x + 4.5, 22.5)], close=True)
        if index < 2:
            outline.line([(x + 5.5, 21.5), (x + 14, 21.5), (x + 9.7, 29.5)], close=True)
            filled.line([(x + 5, 19.5), (x + 14, 19.5), (x + 9.5, 11)], close=True)
    return _mark(filled, outline, [("TESSEL", 13, 22, 2.6), ("RAIL", 5.6, 33, 1)], 44)


def oriel() -> Drawing:
    """A bay window of six panes."""
    panes, frame = Pen(), Pen()
    frame.data = "M4 34V13l7-7h12l7 7v21zM11 6v28M23 6v28M4 20h26"
    panes.line([(12.6, 21.6), (21.4, 21.6), (21.4, 32.4), (12.6, 32.4)], close=True)
    return _mark(panes, frame, [("oriel", 15, 26, 1.8)], 42, 2.6)


def kestrel() -> Drawing:
    """Two wings in a dive."""
    wing, edge = Pen(), Pen()
    wing.line([(3, 9), (22, 14), (33, 6), (26, 20), (20, 33), (17.5, 20)], close=True)
    edge.line([(3, 20), (11, 22), (14, 34)])
    return _mark(wing, edge, [("KESTREL", 11.4, 20, 2), ("FREIGHT", 5.6, 31.5, 1)], 42)


def alder() -> Drawing:
    """A leaf whose veins are lines of a grid."""
    stem, leaf = Pen(), Pen()
    leaf.data = "M17 4q15 14 0 28q-15-14 0-28zM17 14l6-5M17 14l-6-5M17 21l7-6M17 21l-7-6M17 10v27"
    stem.circle((17, 37), 1.6)
    return _mark(stem, leaf, [("alder", 15, 24, 1.6), ("GRID", 5.4, 35, 1)], 38, 2.4)


def quill() -> Drawing:
    """A nib."""
    nib, slit = Pen(), Pen()
    slit.data = "M9 4h14l4 15-11 17L5 19z"
    slit.line([(16, 36), (16, 21)])
    nib.circle((16, 18), 2.8)
    return _mark(nib, slit, [("quill", 15, 20.5, 1.5), ("PRESS", 5.4, 35, 1)], 38, 2.8)


def _mark(
    filled: Pen, lines: Pen, words: list[tuple[str, float, float, float]], left: float, tracking: float = 2.6
) -> Drawing:
    """Sign and name side by side. A word is its text, size, baseline and weight."""
    widths: list[float] = []
    letters: list[tuple[Pen, float]] = []
    for text, size, baseline, weight in words:
        pen = Pen()
        widths.append(pen.text(text, (left, baseline), size, tracking=tracking if size > 7 else 4.4))
        letters.append((pen, weight))
    drawing = Drawing(round(left + max(widths) + 3), HEIGHT)
    drawing.open(stroke=MARK, stroke_linecap="round", stroke_linejoin="round", stroke_width=1.5)
    drawing.path(lines.data)
    drawing.path(filled.data, fill=MARK)
    for pen, weight in letters:
        drawing.path(pen.data, stroke_width=weight)
    drawing.close()
    return drawing

"""Sheets without a relief: a navigator's drawings and instruments."""

from itertools import pairwise
from math import asin, atan2, cos, degrees, hypot, pi, radians, sin

from .palette import SIGNAL, mix
from .rose import Point, bearing, petals
from .sheet import Sheet, along
from .vector import Pen


def globe(sheet: Sheet) -> None:
    """The earth from afar, and great circles between ports."""
    chance = sheet.chance
    radius = sheet.short * 0.44
    centre = (sheet.width * chance.uniform(0.42, 0.58), sheet.height * 0.5)
    lon0, lat0 = radians(chance.uniform(-40, 40)), radians(chance.uniform(10, 34))
    inks = sheet.inks

    def project(lon: float, lat: float) -> tuple[float, float, float]:
        """Return the position on the sheet, and its distance in front of the rim."""
        x = cos(lat) * sin(lon - lon0)
        y = cos(lat0) * sin(lat) - sin(lat0) * cos(lat) * cos(lon - lon0)
        z = sin(lat0) * sin(lat) + cos(lat0) * cos(lat) * cos(lon - lon0)
        return centre[0] + x * radius, centre[1] - y * radius, z

    def seen(points: list[tuple[float, float]]) -> list[list[Point]]:
        runs: list[list[Point]] = [[]]
        for lon, lat in points:
            x, y, z = project(lon, lat)
            if z > 0:
                runs[-1].append((x, y))
            elif runs[-1]:
                runs.append([])
        return [run for run in runs if len(run) > 3]

    far = Pen()
    for wind in range(32):
        far.line([bearing(centre, wind * 11.25, radius * 1.12), bearing(centre, wind * 11.25, sheet.width)])
    sheet.line(far, 0.8, 0.28, colour=inks.line)
    rim, ring = Pen(), Pen()
    rim.circle(centre, radius)
    ring.circle(centre, radius * 1.07)
    sheet.drawing.path(rim.data, fill=inks.shoal, stroke=inks.strong, stroke_width=1.6)
    degree = 2 * pi * radius * 1.07 / 120
    sheet.line(ring, 7, 0.6, f"1 {degree - 1:.3f}", inks.line)
    land = Pen()
    for _ in range(5):
        lon, lat = lon0 + radians(chance.uniform(-75, 75)), radians(chance.uniform(-50, 65))
        waves = [(n, chance.uniform(0.3, 0.75) / n**0.8, chance.uniform(0, 6)) for n in (1, 2, 3, 5, 8)]
        size = chance.uniform(0.2, 0.36)
        outline: list[Point] = []
        for step in range(48):
            turn = step * pi / 24
            reach = size * max(0.25, 1 + sum(weight * sin(n * turn + phase) for n, weight, phase in waves))
            at = max(-1.5, min(1.5, lat + reach * sin(turn)))
            x, y, z = project(lon + reach * cos(turn) / max(0.35, cos(at)), at)
            if z < 0:
                away = hypot(x - centre[0], y - centre[1]) or 1
                x, y = centre[0] + (x - centre[0]) * radius / away, centre[1] + (y - centre[1]) * radius / away
            outline.append((x, y))
        land.curve([*outline, outline[0]])
    sheet.drawing.path(land.data, fill=inks.land, stroke=inks.line, stroke_width=1.1)
    grid = Pen()
    for lon in range(-180, 180, 20):
        for run in seen([(radians(lon), radians(lat)) for lat in range(-80, 81, 10)]):
            grid.curve(run)
    for lat in range(-60, 61, 20):
        for run in seen([(lon0 + radians(lon), radians(lat)) for lon in range(-100, 101, 10)]):
            grid.curve(run)
    sheet.line(grid, 0.9, 0.42, colour=inks.line)
    ports = [(lon0 + radians(chance.uniform(-55, 55)), lat0 + radians(chance.uniform(-45, 35))) for _ in range(6)]
    hub, *others = ports
    routes = Pen()
    for port in others:
        for run in seen(_great_circle(hub, port)):
            routes.curve(run)
    sheet.line(routes, 2, 0.95, "8 5")
    sheet.marks([project(*port)[:2] for port in others if project(*port)[2] > 0.05], 5)
    sheet.light(project(*hub)[:2], 1.1)


def stars(sheet: Sheet) -> None:
    """The sky over a ship at a given hour: circles of declination, hours, and a few constellations."""
    chance, inks = sheet.chance, sheet.inks
    centre = (sheet.width * chance.uniform(0.35, 0.65), sheet.height * chance.uniform(0.4, 0.6))
    reach = sheet.short * 0.72
    rings, hours, labels = Pen(), Pen(), Pen()
    for part in range(1, 6):
        rings.circle(centre, reach * part / 5)
    for hour in range(24):
        hours.line([bearing(centre, hour * 15, reach * 0.2), bearing(centre, hour * 15, reach * 1.2)])
        at = bearing(centre, hour * 15 + 2.4, reach * 0.61)
        if sheet.holds(at, 24):
            labels.text(f"{hour}", at, 8)
    disc = Pen()
    disc.circle(centre, reach)
    sheet.drawing.path(disc.data, fill=inks.shoal, fill_opacity=0.6)
    sheet.line(rings, 1, 0.4, colour=inks.line)
    sheet.line(hours, 0.8, 0.3, colour=inks.line)
    sheet.letters(labels, 0.7)
    faint = "".join(
        f"M{chance.randrange(20, sheet.width - 20)} {chance.randrange(20, sheet.height - 20)}h0" for _ in range(130)
    )
    sheet.drawing.path(faint, stroke=inks.strong, stroke_opacity=0.5, stroke_width=2, stroke_linecap="round")
    lines, bright = Pen(), list[tuple[Point, float]]()
    heads: list[Point] = []
    for _ in range(90):
        if len(heads) == 8:
            break
        head = (chance.uniform(80, sheet.width - 80), chance.uniform(70, sheet.height - 70))
        if any(hypot(head[0] - x, head[1] - y) < sheet.short * 0.3 for x, y in heads):
            continue
        heads.append(head)
        turn, at = chance.uniform(0, 360), head
        figure = [at]
        for _ in range(chance.randrange(4, 7)):
            turn += chance.uniform(-62, 62)
            at = along(at, turn, chance.uniform(34, 62))
            figure.append(at)
        figure = [point for point in figure if sheet.holds(point, 26)]
        if len(figure) > 2:
            lines.line(figure)
            branch = along(figure[1], turn + 110, 44)
            if sheet.holds(branch, 26):
                lines.line([figure[1], branch])
                bright.append((branch, 3))
            bright += [(point, chance.uniform(2.4, 5)) for point in figure]
    sheet.line(lines, 1.4, 0.75)
    discs = Pen()
    for point, size in bright:
        discs.circle(point, size)
    sheet.drawing.path(discs.data, fill=inks.strong)
    guide = min(bright, key=lambda star: hypot(star[0][0] - sheet.width / 2, star[0][1] - sheet.height / 2))[0]
    sheet.light(guide)
    sight = Pen()
    for ray in range(4):
        sight.line([bearing(guide, ray * 90, 22), bearing(guide, ray * 90, 40)])
    sheet.line(sight, 1.8, colour=inks.rim)


def tides(sheet: Sheet) -> None:
    """A tide table drawn out: the height of the water hour by hour, over the ground it covers."""
    chance, inks = sheet.chance, sheet.inks
    left, right, top, bottom = 62.0, sheet.width - 34.0, 44.0, sheet.height - 46.0
    grid, figures = Pen(), Pen()
    columns = 12 if sheet.width > sheet.height else 6
    for hour in range(columns + 1):
        x = left + (right - left) * hour / columns
        grid.line([(x, top), (x, bottom)])
        figures.text(f"{hour * 2:02d}", (x, bottom + 17), 9, 0, "middle")
    for metre in range(7):
        y = bottom - (bottom - top) * metre / 6
        grid.line([(left, y), (right, y)])
        figures.text(f"{metre}", (left - 16, y + 4), 9, 0, "middle")
    sheet.line(grid, 0.9, 0.26, colour=inks.line)
    sheet.letters(figures, 0.8)
    period, phase = chance.uniform(1.7, 2.4), chance.uniform(0, 6)

    def water(t: float, spring: float) -> float:
        beat = 1 + 0.34 * sin(pi * t + phase / 2)
        return bottom - (bottom - top) * (0.52 + spring * beat * sin(2 * pi * period * t + phase))

    steps = 44
    spring = [(left + (right - left) * i / steps, water(i / steps, 0.3)) for i in range(steps + 1)]
    neap = [(left + (right - left) * i / steps, water(i / steps, 0.15)) for i in range(steps + 1)]
    sea, level, low = Pen(), Pen(), Pen()
    sea.line([(left, bottom), *spring, (right, bottom)], close=True)
    level.curve(spring)
    low.curve(neap)
    height, bed = 0.16, [(left, bottom)]
    for step in range(20):
        height = min(0.3, max(0.05, height + chance.uniform(-0.06, 0.06)))
        bed.append((left + (right - left) * step / 19, bottom - (bottom - top) * height))
    ground = Pen()
    ground.line([*bed, (right, bottom)], close=True)
    sheet.drawing.path(sea.data, fill=inks.shoal, fill_opacity=0.85)
    sheet.drawing.path(ground.data, fill=inks.land, stroke=inks.line, stroke_opacity=0.8, stroke_width=1.2)
    hatch = Pen()
    for (ax, ay), (bx, by) in pairwise(bed[1:]):
        x, y = (ax + bx) / 2, (ay + by) / 2
        hatch.line([(x, y + 8), (x - 8, y + 20)])
        hatch.line([(x + 12, y + 10), (x + 4, y + 22)])
    sheet.line(hatch, 1, 0.5, colour=inks.line)
    sheet.line(low, 1.6, 0.75, "6 5", inks.line)
    sheet.line(level, 2.6)
    crest = min(spring[3:-3], key=lambda point: point[1])
    drop = Pen()
    drop.line([crest, (crest[0], bottom)])
    sheet.line(drop, 1.4, 0.8, "2 4")
    notes = Pen()
    notes.text(f"HW {chance.randrange(0, 24):02d} {chance.randrange(60):02d}", (crest[0] + 20, crest[1] - 10), 11)
    sheet.letters(notes, 1, 1.3, inks.strong)
    sheet.light(crest)


def coastal_view(sheet: Sheet) -> None:
    """The appearance of the land from sea, ridge behind ridge, as pilot books show it."""
    chance, inks = sheet.chance, sheet.inks
    horizon = sheet.height * chance.uniform(0.66, 0.74)
    sky = Pen()
    for row in range(9):
        y = 40 + row * (horizon - 150) / 9
        sky.line([(chance.uniform(20, sheet.width * 0.5), y), (chance.uniform(sheet.width * 0.6, sheet.width), y)])
    sheet.line(sky, 0.9, 0.22, colour=inks.line)
    labels, leaders = Pen(), Pen()
    depth = 5
    sea_lines, towers = Pen(), list[Point]()
    for ridge in range(depth):
        part = (ridge + 1) / depth
        base = horizon - 4
        height = sheet.height * (0.5 - 0.36 * part)
        waves = [(chance.uniform(0.8, 2.2) * 2**n, chance.uniform(0, 6), 0.62**n) for n in range(5)]
        start, stop = (0.0, 1.0) if ridge == 0 else sorted((chance.uniform(-0.3, 0.6), chance.uniform(0.5, 1.3)))
        if stop - start < 0.4:
            stop = start + 0.5
        points: list[Point] = []
        for step in range(53):
            u = step / 52
            fade = min(1.0, max(0.0, (u - start) * 5), max(0.0, (stop - u) * 5))
            swell = sum(weight * sin(rate * u * 6 + phase) for rate, phase, weight in waves)
            points.append((u * sheet.width, base - height * fade * (0.55 + 0.24 * swell)))
        body = Pen()
        body.line([(0, base + 4), *points, (sheet.width, base + 4)], close=True)
        fill = mix(inks.ground, inks.land, 0.3 + 0.7 * part)
        sheet.drawing.path(body.data, fill=fill, stroke=inks.line, stroke_opacity=0.4 + 0.4 * part, stroke_width=1.3)
        if ridge in (0, 1):
            peak = min((point for point in points if sheet.holds(point, 70)), key=lambda point: point[1])
            if peak[1] > 96:
                leaders.line([(peak[0], peak[1] - 8), (peak[0], peak[1] - 40)])
                labels.text(f"{chance.choice(('NNE', 'NE', 'ENE', 'NNW', 'NW', 'N'))} {chance.randrange(4, 30)} M",
                            (peak[0], peak[1] - 48), 9.5, 0, "middle")  # fmt: skip
        if ridge == depth - 1:
            inside = [point for point in points if point[1] < base - 12 and sheet.holds(point, 60)]
            towers.append(chance.choice(inside or [(sheet.width * 0.5, base)]))
    sheet.drawing.path(
        f"M0 {horizon:.0f}h{sheet.width}v{sheet.height - horizon:.0f}h-{sheet.width}z",
        fill=mix(inks.ground, inks.shoal, 0.7),
    )
    for row in range(11):
        y = horizon + 8 + row * row * (sheet.height - horizon) / 125
        for _ in range(5):
            x = chance.uniform(0, sheet.width)
            sea_lines.line([(x, y), (x + chance.uniform(20, 90) * (1 + row / 5), y)])
    sheet.line(sea_lines, 1.2, 0.45, colour=inks.line)
    shore = Pen()
    shore.line([(0, horizon), (sheet.width, horizon)])
    sheet.line(shore, 1.4, 0.8)
    sheet.line(leaders, 1, 0.8)
    sheet.letters(labels, 0.95, 1.1, inks.strong)
    x, y = towers[0]
    tower, beam = Pen(), Pen()
    tower.line([(x - 7, y + 4), (x - 4, y - 42), (x + 4, y - 42), (x + 7, y + 4)], close=True)
    reach = sheet.width
    for turn in (172, 187) if x > sheet.width / 2 else (-7, 8):
        beam.line([(x, y - 49), along((x, y - 49), turn, reach)])
    sheet.line(beam, 1, 0.5, "2 5")
    sheet.drawing.path(tower.data, fill=inks.ground, stroke=inks.strong, stroke_width=1.6)
    sheet.light((x, y - 49))


def compass_card(sheet: Sheet) -> None:
    """A compass card so near that only a part of it is seen."""
    chance, inks = sheet.chance, sheet.inks
    radius = sheet.short * chance.uniform(0.62, 0.82)
    centre = (
        sheet.width * chance.choice((0.2, 0.34, 0.5, 0.72)),
        sheet.height * chance.choice((0.24, 0.5, 0.78) if sheet.width > sheet.height else (0.4, 0.5, 0.6)),
    )
    turn = chance.uniform(0, 360)
    for part, fill in ((1.16, 0.4), (1, 0.7), (0.62, 1)):
        disc = Pen()
        disc.circle(centre, radius * part)
        sheet.drawing.path(
            disc.data, fill=mix(inks.ground, inks.shoal, fill), stroke=inks.line, stroke_opacity=0.7, stroke_width=1.2
        )
    ticks, tens, figures = Pen(), Pen(), Pen()
    for degree in range(0, 360, 2):
        inner = bearing(centre, degree + turn, radius * (1.0 if degree % 10 else 0.965))
        if sheet.holds(inner, -30):
            (ticks if degree % 10 else tens).line([inner, bearing(centre, degree + turn, radius * 1.045)])
        if degree % 10 == 0:
            at = bearing(centre, degree + turn, radius * 1.08)
            if sheet.holds(at, 26):
                figures.text(f"{degree}", at, 11, degree + turn, "middle")
    sheet.line(ticks, 1, 0.7, colour=inks.line)
    sheet.line(tens, 1.6, 0.9)
    sheet.letters(figures, 0.95, 1.2, inks.strong)
    for rank in (3, 2, 1, 0):
        dark, light = Pen(), Pen()
        for petal in petals((0, 0), radius * 0.93):
            if petal.rank == rank:
                dark.line([_turned(point, turn, centre) for point in petal.dark], close=True)
                light.line([_turned(point, turn, centre) for point in petal.light], close=True)
        sheet.drawing.path(light.data, fill=inks.ground, stroke=inks.line, stroke_width=1.1, stroke_linejoin="round")
        sheet.drawing.path(dark.data, fill=inks.strong if rank == 0 else mix(inks.ground, inks.line, (1, 0.85, 0.55, 0.35)[rank]),
                           stroke=inks.line, stroke_width=1.1, stroke_linejoin="round")  # fmt: skip
    hub = Pen()
    hub.circle(centre, radius * 0.06)
    sheet.drawing.path(hub.data, fill=inks.ground, stroke=inks.strong, stroke_width=1.8)
    heading = degrees(atan2(sheet.width / 2 - centre[0] + 1, centre[1] - sheet.height / 2 + 1))
    lubber = Pen()
    lubber.line([bearing(centre, heading, radius * 0.1), bearing(centre, heading, radius * 1.16)])
    if inks.rim != SIGNAL:
        sheet.line(lubber, 5, colour=inks.rim)
    sheet.line(lubber, 3.4, colour=SIGNAL)


def _turned(point: Point, turn: float, centre: Point) -> Point:
    c, s = cos(radians(turn)), sin(radians(turn))
    return centre[0] + point[0] * c - point[1] * s, centre[1] + point[0] * s + point[1] * c


def _great_circle(a: tuple[float, float], b: tuple[float, float]) -> list[tuple[float, float]]:
    """Points in longitude and latitude along the shortest way."""

    def vector(lon: float, lat: float) -> tuple[float, float, float]:
        return cos(lat) * cos(lon), cos(lat) * sin(lon), sin(lat)

    va, vb = vector(*a), vector(*b)
    points: list[tuple[float, float]] = []
    for step in range(17):
        t = step / 16
        x, y, z = ((1 - t) * p + t * q for p, q in zip(va, vb, strict=True))
        norm = hypot(x, y, z) or 1
        points.append((atan2(y, x), asin(z / norm)))
    return points

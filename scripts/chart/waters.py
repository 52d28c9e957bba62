"""Sheets with a relief: coasts, isles, rivers and plotted marks."""

from itertools import pairwise
from math import cos, exp, hypot, pi, radians, sin

from .contours import trace
from .names import NAMES
from .palette import SIGNAL, mix
from .relief import Relief
from .rose import Point, bearing, network
from .sheet import STEP, Sheet, along
from .vector import Pen


def landfall(sheet: Sheet) -> None:
    """A coast, a rose in the offing with its net of rhumbs, and a course to a light at the head of an inlet."""
    chance, height = sheet.chance, sheet.height / sheet.width
    side = chance.choice((0, 20, 160, 180, 200, 340)) + chance.uniform(-12, 12)
    c, s = cos(radians(side)), sin(radians(side))
    bay, depth = chance.uniform(-0.14, 0.14), chance.uniform(0.16, 0.24)

    def shape(u: float, v: float) -> float:
        x, y = u - 0.5, (v - 0.5) * height
        inland, beside = x * c + y * s, y * c - x * s
        return (inland - 0.16 - depth * exp(-((beside - bay) ** 2) / 0.006) + 0.05 * sin(13 * beside)) * 2.6

    relief = sheet.survey(shape, roughness=0.75, swell=0.24)
    sheet.tint(relief, (-0.62, -0.4, -0.2))
    sheet.shore(relief)
    sheet.graticule()
    rose = along(along(sheet.middle, side, -0.2 * sheet.width), side + 90, chance.uniform(-0.04, 0.04) * sheet.width)
    rhumbs = Pen(0)
    for rhumb in network(rose, sheet.short * 0.62, 2.4):
        if rhumb.rank < 3:  # the finest would cost as much as the coast
            rhumbs.line([rhumb.start, rhumb.end])
    sheet.line(rhumbs, 0.8, 0.3, colour=sheet.inks.line)
    target = along(along(sheet.middle, side, (0.1 + depth) * sheet.width), side + 90, bay * sheet.width)
    light = sheet.nearest_shore(target)
    turn = chance.choice((-1, 1))
    first = along(along(sheet.middle, side, -0.34 * sheet.width), side + 90, turn * 0.36 * sheet.short)
    second = along(along(sheet.middle, side, -0.02 * sheet.width), side + 90, turn * 0.3 * sheet.short)
    sheet.place_names(chance.sample(NAMES, 9), relief)
    sheet.soundings(relief, 11, [(*rose, sheet.short * 0.27), (*light, 50)])
    sheet.rose(rose, sheet.short * 0.15)
    sheet.course([first, second, light])
    sheet.light(light)


def isles(sheet: Sheet) -> None:
    """An archipelago, and the packet routes that join its harbours to one."""
    chance, height = sheet.chance, sheet.height / sheet.width
    places: list[tuple[float, float, float, float, float]] = []
    for _ in range(240):
        u, v = chance.uniform(0.08, 0.92), chance.uniform(0.12, 0.88)
        size, lean, turn = chance.choice((0.0012, 0.002, 0.004, 0.008)), chance.uniform(1, 2.4), chance.uniform(0, pi)
        if all(hypot(u - x, (v - y) * height) > 0.1 + 1.1 * (size**0.5 + other**0.5) for x, y, other, _, _ in places):
            places.append((u, v, size, lean, turn))
    places.sort(key=lambda place: hypot(place[0] - 0.5, (place[1] - 0.5) * height))

    def shape(u: float, v: float) -> float:
        nearest = 9.0
        for x, y, size, lean, turn in places:
            dx, dy = u - x, (v - y) * height
            if abs(dx) + abs(dy) < 0.3:
                a, b = dx * cos(turn) + dy * sin(turn), dy * cos(turn) - dx * sin(turn)
                nearest = min(nearest, (a * a / lean + b * b * lean) / size)
        return -0.5 + 0.72 * exp(-nearest)

    relief = sheet.survey(shape, roughness=1.5, swell=0.16)
    sheet.tint(relief, (-0.44, -0.28))
    sheet.shore()
    sheet.graticule()
    hub = sheet.nearest_shore((places[0][0] * sheet.width, places[0][1] * sheet.height))
    ports: list[Point] = []
    for x, y, *_ in places[1:]:
        port = sheet.nearest_shore(((0.8 * x + 0.1) * sheet.width, (0.8 * y + 0.1) * sheet.height))
        if all(hypot(port[0] - p, port[1] - q) > 54 for p, q in [*ports, hub]):
            ports.append(port)
    ports = ports[:11]
    routes, miles = Pen(), Pen()
    for index, port in enumerate(ports):
        by = _bowed(hub, port, 0.14 if index % 2 else -0.14)
        routes.bow(hub, by, port)
        away = hypot(port[0] - hub[0], port[1] - hub[1])
        if away > 190:
            miles.text(
                f"{away / 7:.0f}", ((hub[0] + 2 * by[0] + port[0]) / 4 + 8, (hub[1] + 2 * by[1] + port[1]) / 4), 10
            )
    for a, b in pairwise(sorted(ports)):
        if hypot(a[0] - b[0], a[1] - b[1]) < sheet.width * 0.22:
            routes.bow(a, _bowed(a, b, 0.2), b)
    sheet.soundings(relief, 8, [(*port, 34) for port in [*ports, hub]])
    sheet.line(routes, 1.7, 0.9, "7 5")
    sheet.letters(miles, 0.95, 1.1, sheet.inks.strong)
    sheet.marks(ports)
    sheet.light(hub)


def strait(sheet: Sheet) -> None:
    """A survey from shore to shore, triangle by triangle, from one measured line."""
    chance, height = sheet.chance, sheet.height / sheet.width
    turn = radians(chance.uniform(-14, 14))
    sway, phase = chance.uniform(0.04, 0.09), chance.uniform(0, 6)

    def shape(u: float, v: float) -> float:
        x, y = u - 0.5, (v - 0.5) * height
        off = y * cos(turn) - x * sin(turn) - sway * sin(6 * x + phase)
        return 9.0 * off * off / max(height, 0.56) - 0.34

    relief = sheet.survey(shape, roughness=0.8, swell=0.18)
    sheet.tint(relief, (-0.34, -0.2))
    sheet.shore(relief)
    sheet.graticule()
    stations: list[Point] = []
    count = 8
    for index in range(count):
        x = sheet.width * (0.07 + 0.86 * index / (count - 1) + chance.uniform(-0.02, 0.02))
        y = sheet.height * (0.5 + (0.3 if index % 2 else -0.3))
        stations.append(sheet.nearest_shore((x, y), 30))
    stations = sorted(set(stations))
    triangles, angles, points = Pen(), Pen(), Pen()
    for a, b in [*pairwise(stations), *zip(stations, stations[2:], strict=False)]:
        triangles.line([a, b])
    for (ax, ay), (bx, by), (cx, cy) in zip(stations, stations[1:], stations[2:], strict=False):
        angles.text(
            f"{chance.randrange(38, 79)}°{chance.randrange(60):02d}′",
            ((ax + bx + cx) / 3, (ay + by + cy) / 3),
            9,
            0,
            "middle",
        )
    for x, y in stations[2:]:
        points.line([(x, y - 9), (x + 8, y + 6), (x - 8, y + 6)], close=True)
    sheet.soundings(relief, 14, [(*station, 36) for station in stations])
    sheet.line(triangles, 1.3, 0.85)
    sheet.drawing.path(
        points.data, fill=sheet.inks.ground, stroke=sheet.inks.strong, stroke_width=1.6, stroke_linejoin="round"
    )
    sheet.letters(angles, 0.9, 1, sheet.inks.strong)
    base = Pen()
    base.line(stations[:2])
    sheet.line(base, 4.4, colour=sheet.inks.rim)
    sheet.line(base, 2.6, colour=SIGNAL)
    for station in stations[:2]:
        sheet.light(station, 0.7)


def lights(sheet: Sheet) -> None:
    """Lights along a coast, and how far each of them carries."""
    chance, height = sheet.chance, sheet.height / sheet.width
    upper = chance.choice((True, False))

    def shape(u: float, v: float) -> float:
        down = (v if upper else 1 - v) * height
        return 0.3 * height - down * 1.5 + 0.08 * sin(9 * u + 2 * height)

    relief = sheet.survey(shape, roughness=0.9, swell=0.36)
    sheet.tint(relief, (-0.46, -0.2))
    sheet.shore(relief)
    sheet.graticule()
    shore_at = 0.3 if upper else 0.7
    towers = list(dict.fromkeys(
        sheet.nearest_shore((sheet.width * part, sheet.height * shore_at), 60) for part in (0.2, 0.5, 0.8)
    ))  # fmt: skip
    chosen = chance.randrange(len(towers))
    rings, rays, edge, lit, labels = Pen(), Pen(), Pen(), Pen(), Pen()
    for index, tower in enumerate(towers):
        reach = sheet.short * chance.uniform(0.42, 0.6)
        for part in (0.34, 0.67, 1):
            rings.circle(tower, reach * part)
        start = (180 if upper else 0) + chance.uniform(-70, 10)
        sweep = [bearing(tower, start + 60 * step / 8, reach) for step in range(9)]
        for end in (sweep[0], sweep[-1]):
            rays.line([tower, end])
        if index == chosen:
            lit.line([tower, *sweep], close=True)
            edge.curve(sweep)
        labels.text(
            f"FL {chance.randrange(2, 9)}S {round(reach / 14)}M", (tower[0] + 18, tower[1] + (-12 if upper else 20)), 9
        )
    sheet.line(rings, 1.2, 0.8, "3 5", sheet.inks.line)
    sheet.drawing.path(lit.data, fill=sheet.inks.strong, fill_opacity=0.16)
    sheet.line(rays, 1.2, 0.85)
    sheet.line(edge, 3, colour=SIGNAL)
    sheet.place_names(chance.sample(NAMES, 8), relief)
    sheet.soundings(relief, 9, [(*tower, 70) for tower in towers])
    sheet.letters(labels, 1, 1.1, sheet.inks.strong)
    sheet.marks([tower for index, tower in enumerate(towers) if index != chosen])
    sheet.light(towers[chosen])


def lines_of_soundings(sheet: Sheet) -> None:
    """A shelf sounded line by line, and the one rock that no earlier chart had."""
    chance, height = sheet.chance, sheet.height / sheet.width
    corner = chance.choice(((0, 0), (1, 0), (0, 1), (1, 1)))

    def shape(u: float, v: float) -> float:
        away = hypot(u - corner[0], (v - corner[1]) * height)
        return 0.42 - 1.12 * away + 0.06 * sin(12 * (u - v))

    relief = sheet.survey(shape, roughness=0.8, swell=0.3)
    sheet.tint(relief, (-0.62, -0.42, -0.2))
    sheet.shore(relief)
    turn = chance.choice((-24, -12, 12, 24, 90, 0))
    rock = ((0.62 if corner[0] == 0 else 0.38) * sheet.width, (0.56 if corner[1] == 0 else 0.44) * sheet.height)
    tracks, figures = Pen(), Pen()
    reach = hypot(sheet.width, sheet.height) / 2
    for row in range(-8, 9):
        start = along(sheet.middle, turn + 90, row * 66)
        seen: list[Point] = []
        for step in range(-int(reach / 104), int(reach / 104) + 1):
            at = along(start, turn, step * 104 + (row % 2) * 52)
            if sheet.holds(at, 30) and relief.at(*at) < -0.06:
                seen.append(at)
                if hypot(at[0] - rock[0], at[1] - rock[1]) > 52:
                    figures.text(f"{-relief.at(*at) * 64:.0f}", (at[0], at[1] + 3.4), 8, 0, "middle")
        if len(seen) > 1:
            tracks.line([seen[0], seen[-1]])
    sheet.line(tracks, 0.9, 0.3, colour=sheet.inks.line)
    sheet.letters(figures, 0.9, 1)
    sheet.place_names(chance.sample(NAMES, 4), relief)
    danger, cross = Pen(), Pen()
    danger.circle(rock, 30)
    cross.line([(rock[0] - 11, rock[1]), (rock[0] + 11, rock[1])])
    cross.line([(rock[0], rock[1] - 11), (rock[0], rock[1] + 11)])
    sheet.drawing.path(danger.data, fill=sheet.inks.ground, fill_opacity=0.5, stroke=sheet.inks.rim, stroke_width=3,
                       stroke_dasharray=".1 6.5", stroke_linecap="round")  # fmt: skip
    sheet.line(cross, 3, colour=sheet.inks.rim)


def river(sheet: Sheet) -> None:
    """A river with its bends, buoyed from the sea to the town."""
    chance = sheet.chance
    wide = sheet.width >= sheet.height
    bends, phase, lean = chance.uniform(5.5, 8.5), chance.uniform(0, 6), chance.uniform(-0.2, 0.2)

    def thread(t: float) -> float:
        return 0.5 + lean * (t - 0.5) + (0.1 + 0.09 * t) * sin(bends * t + phase)

    def shape(u: float, v: float) -> float:
        t, across = (u, v) if wide else (v, u)
        breadth = 0.035 + 0.26 * exp(-t / 0.16)
        return 0.42 * (1 - exp(-(((across - thread(t)) / breadth) ** 2) / 2)) - 0.24

    relief = sheet.survey(shape, roughness=0.32, swell=0.08)
    sheet.tint(relief, (-0.18,))
    sheet.shore(relief)
    sheet.graticule()

    def at(t: float, aside: float = 0.0) -> Point:
        across = thread(t) + aside
        return (t * sheet.width, across * sheet.height) if wide else (across * sheet.width, t * sheet.height)

    buoys: list[Point] = []
    for step in range(9):
        t = 0.08 + step * 0.1
        breadth = 0.03 + 0.13 * exp(-t / 0.16)
        buoys += [at(t, breadth), at(t, -breadth)]
    sheet.place_names(chance.sample(NAMES, 14), relief)
    fairway = Pen()
    fairway.curve([at(0.03 + step * 0.033) for step in range(28)])
    sheet.line(fairway, 2, 0.95, "9 6")
    cones = Pen()
    for index, (x, y) in enumerate(buoys):
        if index % 2:
            cones.line([(x, y - 7), (x + 6, y + 4), (x - 6, y + 4)], close=True)
        else:
            cones.line([(x - 5, y - 5), (x + 5, y - 5), (x + 5, y + 5), (x - 5, y + 5)], close=True)
    sheet.drawing.path(cones.data, fill=sheet.inks.ground, stroke=sheet.inks.strong, stroke_width=1.5)
    sheet.light(at(0.03 + 27 * 0.033))


def atoll(sheet: Sheet) -> None:
    """A ring of reef with one passage, and an anchorage inside."""
    chance, height = sheet.chance, sheet.height / sheet.width
    gap = chance.uniform(0, 2 * pi)
    radius = 0.31 * min(1, height)
    waves = [(chance.randrange(2, 6), chance.uniform(0, 6)) for _ in range(2)]

    def shape(u: float, v: float) -> float:
        x, y = u - 0.5, (v - 0.5) * height
        away = hypot(x, y) or 1e-6
        c, s = x / away, y / away
        turn = c * cos(gap) + s * sin(gap)
        ring = radius * (1.1 + 0.09 * sum(cos(n * (c * 1.6 + s) + p) for n, p in waves))
        rim = exp(-((away - ring) ** 2) / (0.0017 * min(1, height) ** 2)) * (1 - exp(-((1 - turn) ** 2) / 0.0016))
        return -0.5 + 0.3 * exp(-((away / radius) ** 4)) + 0.72 * rim

    relief = sheet.survey(shape, roughness=0.9, swell=0.06)
    sheet.tint(relief, (-0.44, -0.32, -0.2))
    sheet.shore()
    sheet.graticule()
    outside = along(sheet.middle, gap * 180 / pi, sheet.short * 0.62)
    turning = along(sheet.middle, gap * 180 / pi, sheet.short * 0.2)
    anchorage = along(sheet.middle, gap * 180 / pi + 150, sheet.short * 0.1)
    rhumbs = Pen()
    for wind in range(32):
        rhumbs.line(
            [bearing(sheet.middle, wind * 11.25, sheet.short * 0.44), bearing(sheet.middle, wind * 11.25, sheet.width)]
        )
    sheet.line(rhumbs, 0.8, 0.26, colour=sheet.inks.line)
    sheet.soundings(relief, 26, [(*outside, 60), (*turning, 50), (*anchorage, 46)])
    sheet.course([outside, turning, anchorage], bearings=False)
    sheet.light(anchorage)


def hills(sheet: Sheet) -> None:
    """One island, levelled contour by contour, with the line of levels that was walked."""
    chance, height = sheet.chance, sheet.height / sheet.width
    tops = [(chance.uniform(0.36, 0.64), chance.uniform(0.36, 0.64), chance.uniform(0.05, 0.09)) for _ in range(3)]

    def shape(u: float, v: float) -> float:
        away = hypot(u - 0.5, (v - 0.5) * height) / min(1, height)
        peaks = sum(
            0.5 * exp(-(((u - x) ** 2 + ((v - y) * height) ** 2) / (size * min(1, height) * 0.36)))
            for x, y, size in tops
        )
        return 0.16 - 1.3 * away * away + peaks

    relief = sheet.survey(shape, roughness=0.45, swell=0.2)
    sheet.tint(relief, (-0.5, -0.24))
    sheet.shore()
    inks = sheet.inks
    for index, level in enumerate((0.14, 0.28, 0.42, 0.56, 0.7, 0.84, 0.98)):
        contour = Pen(0)
        for line in trace(relief, level, 3.6, 60):
            contour.curve(line)
        sheet.drawing.path(contour.data, fill=mix(inks.land, inks.line, 0.055 * (index + 1)), stroke=inks.line,
                           stroke_opacity=0.65, stroke_width=1.4 if index % 3 == 2 else 0.8)  # fmt: skip
    sheet.graticule()
    best = max(
        ((x, y) for x in range(80, sheet.width - 80, 24) for y in range(60, sheet.height - 60, 24)),
        key=lambda at: relief.at(*at),
    )
    foot = sheet.nearest_shore(along(best, chance.uniform(0, 360), sheet.short * 0.5))
    way = [foot]
    for step in range(1, 6):
        t = step / 6
        way.append(
            along((foot[0] + (best[0] - foot[0]) * t, foot[1] + (best[1] - foot[1]) * t), chance.uniform(0, 360), 16)
        )
    path = Pen()
    path.curve([*way, best])
    sheet.soundings(relief, 12)
    sheet.line(path, 1.9, 0.95, "8 5")
    sheet.marks([foot])
    figures = Pen()
    figures.text(f"{round(relief.at(*best) * 420)} M", (best[0] + 19, best[1] + 4), 11)
    sheet.letters(figures, 1, 1.3, inks.strong)
    sheet.light(best)


def currents(sheet: Sheet) -> None:
    """The tide streaming past islands: lines of flow, an arrow on each, and where it runs hardest."""
    chance, inks = sheet.chance, sheet.inks
    turn = radians(chance.choice((-24, -12, 10, 22, 160, 200)))
    c, s = cos(turn), sin(turn)
    rocks: list[tuple[float, float, float]] = []
    for _ in range(60):
        x, y = chance.uniform(0.12, 0.88) * sheet.width, chance.uniform(0.16, 0.84) * sheet.height
        size = chance.uniform(0.05, 0.15) * sheet.short
        if len(rocks) < 6 and all(hypot(x - p, y - q) > 2.1 * (size + r) for p, q, r in rocks):
            rocks.append((x, y, size))

    def stream(u: float, v: float) -> float:
        x, y = u * sheet.width, v * sheet.height
        value = y * c - x * s
        for p, q, size in rocks:
            dx, dy = x - p, y - q
            value -= 1.15 * size * size * (dy * c - dx * s) / max(dx * dx + dy * dy, size * size * 0.5)
        return value / 100

    def shape(u: float, v: float) -> float:
        x, y = u * sheet.width, v * sheet.height
        return max(0.2 - 0.3 * (hypot(x - p, y - q) / size) ** 2 for p, q, size in rocks) if rocks else -1

    relief = sheet.survey(lambda u, v: max(-0.9, shape(u, v)), roughness=0.7, swell=0.12)
    sheet.tint(relief, (-0.7, -0.4))
    flow = Relief(f"{sheet.name}/flow", sheet.width, sheet.height, STEP, stream, 0, 0.16)
    faint, strong, heads = Pen(0), Pen(0), Pen()
    fastest: tuple[float, Point] = (0, sheet.middle)
    lowest, highest = min(value for value in flow.values if value > -9), max(flow.values)
    count = 14
    for index in range(1, count):
        level = lowest + (highest - lowest) * index / count
        for line in trace(flow, level, 2.2, 110, whole=False):
            (strong if index % 3 == 0 else faint).curve(line)
            at = int(len(line) * chance.uniform(0.25, 0.75))
            for (ax, ay), (bx, by) in pairwise(line[at : at + 2]):
                span = hypot(bx - ax, by - ay) or 1
                dx, dy = (bx - ax) / span * 8, (by - ay) / span * 8
                x, y = (ax + bx) / 2, (ay + by) / 2
                heads.line(
                    [(x - dx - dy * 0.6, y - dy + dx * 0.6), (x + dx, y + dy), (x - dx + dy * 0.6, y - dy - dx * 0.6)]
                )
            for x, y in line[::2]:
                speed = hypot(*flow.slope(x, y))
                if speed > fastest[0] and sheet.holds((x, y), 110) and relief.at(x, y) < -0.08:
                    fastest = (speed, (x, y))
    sheet.line(faint, 1, 0.5, colour=inks.line)
    sheet.line(strong, 1.6, 0.8, colour=inks.line)
    sheet.line(heads, 1.8, 1)
    sheet.shore()
    knots = Pen()
    knots.text(f"{fastest[0] * 15:.1f} KN", (fastest[1][0] + 22, fastest[1][1] + 4), 12)
    sheet.letters(knots, 1, 1.4, inks.strong)
    sheet.light(fastest[1])


def docks(sheet: Sheet) -> None:
    """A plan of basins and quays, with one berth that is being planned."""
    chance, wide, tall = sheet.chance, sheet.width, sheet.height
    inks = sheet.inks
    flip = chance.choice((True, False))
    relief = sheet.survey(lambda u, v: (0.26 - v if not flip else v - 0.74) * 2.4, roughness=0.5, swell=0.1)
    sheet.tint(relief, (-0.9, -0.6, -0.3))
    sheet.shore()
    sheet.graticule()

    def up(y: float) -> float:
        return tall - y if flip else y

    works, rails, labels = Pen(), Pen(), Pen()
    top = tall * 0.3
    count = chance.choice((3, 4, 5)) if wide > tall else 2
    breadth = wide * 0.09 if wide > tall else wide * 0.16
    pitch = (wide - 120) / count
    berths: list[tuple[Point, float]] = []
    number = 0
    works.line([(30, up(top - 46)), (wide - 30, up(top - 46)), (wide - 30, up(top)), (30, up(top))], close=True)
    for index in range(count):
        left = 60 + pitch * index + (pitch - breadth) / 2
        length = tall * chance.uniform(0.26, 0.42)
        works.line(
            [
                (left, up(top - 2)),
                (left + breadth, up(top - 2)),
                (left + breadth, up(top + length)),
                (left, up(top + length)),
            ],
            close=True,
        )
        for part in (0.3, 0.5, 0.7):
            rails.line([(left + breadth * part, up(top - 30)), (left + breadth * part, up(top + length - 12))])
        for side in (-1, 1):
            x = left + (breadth + 22 if side > 0 else -22)
            for row in range(int(length // 84)):
                number += 1
                y = up(top + 52 + row * 84)
                labels.text(f"{number}", (left + (breadth - 12 if side > 0 else 12), y + 4), 10, 0, "middle")
                berths.append(((x, y), chance.choice((0, 180))))
    rails.line([(40, up(top - 18)), (wide - 40, up(top - 18))])
    rails.line([(40, up(top - 26)), (wide - 40, up(top - 26))])
    sheet.drawing.path(
        works.data, fill=mix(inks.land, inks.line, 0.22), stroke=inks.strong, stroke_opacity=0.9, stroke_width=1.5
    )
    sheet.line(rails, 1.1, 0.55, "7 4", inks.line)
    sheet.letters(labels, 1, 1.2, inks.strong)
    chance.shuffle(berths)
    for index, (at, turn) in enumerate(berths):
        if index % 4 != 3:
            sheet.hull(at, 66, turn, chosen=index == 0)
    end = berths[0][0]
    fairway = Pen()
    away = -1 if flip else 1
    gate = (wide * chance.uniform(0.36, 0.64), up(tall - 30))
    turning = (end[0] * 0.6 + gate[0] * 0.4, up(tall * 0.84))
    fairway.curve(
        [gate, turning, (end[0], up(tall * 0.82)), (end[0], end[1] + away * 80), (end[0], end[1] + away * 42)]
    )
    sheet.line(fairway, 2, 0.95, "9 6")


def weather(sheet: Sheet) -> None:
    """A synoptic chart: isobars, a low with its fronts, and the wind where ships reported it."""
    chance, height = sheet.chance, sheet.height / sheet.width
    low = (chance.uniform(0.24, 0.4), chance.uniform(0.36, 0.6))
    high = (chance.uniform(0.76, 0.88), chance.choice((0.22, 0.74)))

    def shape(u: float, v: float) -> float:
        def bump(at: tuple[float, float], size: float) -> float:
            return exp(-((u - at[0]) ** 2 + ((v - at[1]) * height) ** 2) / size)

        return 1.1 * bump(high, 0.06) - 1.25 * bump(low, 0.05) + 0.25 * (u - 0.5)

    relief = sheet.survey(shape, roughness=0.05, swell=0.18)
    inks = sheet.inks
    sheet.graticule()
    for index, level in enumerate(level / 10 for level in range(-11, 12, 2)):
        bars = Pen(0)
        for line in trace(relief, level, 2.4, 110, whole=False):
            bars.curve(line)
        sheet.line(bars, 2 if index % 4 == 0 else 1.1, 0.8 if index % 4 == 0 else 0.5, colour=inks.line)
    names = Pen()
    for (u, v), word in ((low, "L"), (high, "H")):
        names.text(word, (u * sheet.width, v * sheet.height + 13), 30, 0, "middle")
    sheet.letters(names, 1, 3, inks.strong)
    wind, feathers = Pen(), Pen()
    for _ in range(22):
        x, y = chance.uniform(50, sheet.width - 50), chance.uniform(50, sheet.height - 50)
        gx, gy = relief.slope(x, y)
        speed = hypot(gx, gy)
        if speed < 0.008 or any(hypot(x - u * sheet.width, y - v * sheet.height) < 60 for u, v in (low, high)):
            continue
        dx, dy = -gy / speed, gx / speed
        tail = (x - dx * 30, y - dy * 30)
        wind.line([(x, y), tail])
        for feather in range(min(4, 1 + int(speed * 40))):
            at = (tail[0] + dx * feather * 6, tail[1] + dy * feather * 6)
            feathers.line([at, (at[0] - dx * 6 - dy * 9, at[1] - dy * 6 + dx * 9)])
        wind.circle((x, y), 3)
    sheet.line(wind, 1.3, 0.8)
    sheet.line(feathers, 1.3, 0.8)
    centre = (low[0] * sheet.width, low[1] * sheet.height)
    start = chance.uniform(60, 100)
    front = [bearing(along(centre, 0, 0), start + step * 7, 24 + step * sheet.short * 0.052) for step in range(9)]
    arc, teeth = Pen(), Pen()
    arc.curve(front)
    for (ax, ay), (bx, by) in list(pairwise(front))[2::2]:
        dx, dy = bx - ax, by - ay
        teeth.line([(ax, ay), (bx, by), ((ax + bx) / 2 + dy * 0.6, (ay + by) / 2 - dx * 0.6)], close=True)
    sheet.line(arc, 5 if inks.rim != SIGNAL else 3, colour=inks.rim)
    sheet.line(arc, 3, colour=SIGNAL)
    sheet.drawing.path(teeth.data, fill=SIGNAL, stroke=inks.rim, stroke_width=1)


def _bowed(a: Point, b: Point, bend: float) -> Point:
    return (a[0] + b[0]) / 2 + (a[1] - b[1]) * bend, (a[1] + b[1]) / 2 + (b[0] - a[0]) * bend

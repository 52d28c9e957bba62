"""The raster charts of the demo: plates with a neatline, relief in the light of a lamp, and one yellow signal each."""

import random
from math import atan2, cos, degrees, exp, hypot, radians, sin

from . import engraving as on
from .contours import trace
from .palette import INK, NAVY, SIGNAL, WHITE
from .raster import Plate, shade
from .relief import Relief
from .rose import Point, bearing
from .vector import Pen

WIDTH, HEIGHT, SCALE = 1280, 720, 2

SEA = ["#04101f", "#06172c", "#091f39", "#0c2846", "#113255", "#173e66", "#1f4c79"]
LAND = ["#1a2f49", "#1f3551", "#263d5b", "#2e4665"]


def cover_northwind() -> Plate:
    """Harbour plan: two moles, three basins, eleven berths; one of them is being planned."""

    def shape(u: float, v: float) -> float:
        harbour = exp(-(((u - 0.49) / 0.2) ** 6))
        return 0.5 - 1.6 * v + (1 - harbour) * 0.14 * sin(9 * u - 1) - 0.16 * harbour

    relief = Relief("cover-northwind/2", WIDTH, HEIGHT, 4, shape, roughness=0.55, swell=0.1)
    plate = Plate(WIDTH, HEIGHT, SCALE, shade(relief, SEA, LAND, (0.48, 0.42, 0.62)))
    _rule_shore(plate, relief)
    on.draw_depths(plate, relief, (-0.2, -0.34, -0.5, -0.66), opacity=0.5)
    works, lines, berths, hulls = Pen(), Pen(), Pen(), Pen()
    for x, length in ((470, 150), (590, 190), (710, 150)):
        top = 150.0
        works.line([(x, top), (x + 46, top), (x + 46, top + length), (x, top + length)], close=True)
        lines.line([(x + 23, top + 8), (x + 23, top + length - 8)])
    works.line([(392, 96), (866, 96), (866, 156), (392, 156)], close=True)
    for points in (
        ((330, 250), (352, 400), (440, 470), (452, 462), (370, 394), (350, 248)),
        ((900, 240), (890, 380), (640, 480), (632, 468), (872, 372), (880, 240)),
    ):
        works.line(points, close=True)
    plate.path(works.data, fill="#2f4a66", stroke=WHITE, stroke_opacity=0.9, stroke_width=1)
    plate.path(lines.data, stroke=WHITE, stroke_opacity=0.4, stroke_width=0.8, stroke_dasharray="6 4")
    number = 0
    chosen: Point = (0, 0)
    for x, length in ((470, 150), (590, 190), (710, 150)):
        for side, y in ((-1, 178), (1, 178), (-1, 178 + length / 2 - 14), (1, 178 + length / 2 - 14)):
            if number == 11:
                break
            number += 1
            at = (x + 23 + side * 35, y + 22)
            berths.text(f"{number}", (x + 23 + side * 15, y + 25), 6.4, anchor="middle")
            if number == 8:
                chosen = at
            elif number % 4 != 2:
                hull = [
                    (at[0] - 6, at[1] + 24),
                    (at[0] - 6, at[1] - 16),
                    (at[0], at[1] - 27),
                    (at[0] + 6, at[1] - 16),
                    (at[0] + 6, at[1] + 24),
                ]
                hulls.line(hull, close=True)
    plate.path(hulls.data, fill="#0b2340", stroke=WHITE, stroke_opacity=0.85, stroke_width=0.9)
    plate.path(berths.data, stroke=WHITE, stroke_width=0.8)
    fairway, edges = Pen(), Pen()
    fairway.curve([(545, 690), (540, 600), (535, 510), (560, 430), (660, 400), chosen])
    edges.curve([(515, 690), (508, 600), (500, 510), (520, 430)])
    edges.curve([(577, 690), (574, 600), (580, 500), (610, 440)])
    plate.path(edges.data, stroke=WHITE, stroke_opacity=0.5, stroke_width=0.8, stroke_dasharray="2 4")
    plate.path(fairway.data, stroke=WHITE, stroke_opacity=0.9, stroke_width=1.2, stroke_dasharray="7 5")
    on.draw_soundings(
        plate,
        relief,
        "cover-northwind",
        54,
        [(540, 560, 70), (640, 260, 230), (1060, 580, 150), (885, 300, 60), (180, 610, 110)],
        apart=46,
    )
    on.draw_rose(plate, (1080, 566), 64)
    _title(plate, (96, 600), "NORTHWIND HARBOUR", "SOUNDINGS IN METRES", "1 - 12 500")
    hull = Pen()
    hull.line(
        [
            (chosen[0] - 6, chosen[1] + 24),
            (chosen[0] - 6, chosen[1] - 16),
            (chosen[0], chosen[1] - 27),
            (chosen[0] + 6, chosen[1] - 16),
            (chosen[0] + 6, chosen[1] + 24),
        ],
        close=True,
    )
    plate.path(hull.data, fill=SIGNAL, stroke=SIGNAL, stroke_width=1)
    _frame(plate, 54, 8)
    return plate


def cover_lumen() -> Plate:
    """An archipelago: thirty-eight stations and the lines that join them to one."""

    chance = random.Random("cover-lumen")
    isles = [(0.52, 0.46, 0.006)]
    while len(isles) < 21:
        u, v = chance.uniform(0.07, 0.93), chance.uniform(0.1, 0.9)
        if hypot(u - 0.14, v - 0.88) > 0.24 and all(hypot(u - x, (v - y) * 0.56) > 0.105 for x, y, _ in isles):
            isles.append((u, v, chance.uniform(0.0012, 0.0034)))

    def shape(u: float, v: float) -> float:
        return -0.44 + 0.66 * exp(-min([((u - x) ** 2 + 0.32 * (v - y) ** 2) / size for x, y, size in isles]))

    relief = Relief("cover-lumen", WIDTH, HEIGHT, 4, shape, roughness=1.2, swell=0.17)
    plate = Plate(WIDTH, HEIGHT, SCALE, shade(relief, SEA, LAND, (0.5, 0.5, 0.6)))
    _rule_shore(plate, relief)
    on.draw_depths(plate, relief, (-0.2, -0.36, -0.54), opacity=0.45)
    hub = on.find_shore(relief, (650, 300))
    shores = sorted(point for line in trace(relief, 0, 1, 30, whole=False) for point in line)
    chance.shuffle(shores)
    stations: list[Point] = []
    for x, y in shores:
        if len(stations) == 37:
            break
        inside = 70 < x < WIDTH - 70 and 70 < y < HEIGHT - 70
        if inside and all(hypot(x - sx, y - sy) > 54 for sx, sy in [*stations, hub]):
            stations.append((x, y))
    threads, dots = Pen(), Pen()
    for index, station in enumerate(stations):
        away = hypot(station[0] - hub[0], station[1] - hub[1])
        bend = (0.1 if index % 2 else -0.1) * (1 if away > 120 else 0.4)
        by = (
            (station[0] + hub[0]) / 2 + (station[1] - hub[1]) * bend,
            (station[1] + hub[1]) / 2 + (hub[0] - station[0]) * bend,
        )
        threads.bow(hub, by, station)
        dots.circle(station, 3.6)
    plate.path(threads.data, stroke=WHITE, stroke_opacity=0.55, stroke_width=0.9)
    plate.path(dots.data, fill=NAVY, stroke=WHITE, stroke_width=1.2)
    on.draw_soundings(plate, relief, "cover-lumen", 46, [(*hub, 60), (180, 610, 130)], apart=54)
    _title(plate, (96, 600), "LUMEN ARCHIPELAGO", "THIRTY-EIGHT STATIONS", "1 - 80 000")
    on.draw_light(plate, hub)
    _frame(plate, 61, 21)
    return plate


def scene_about() -> Plate:
    """A chart on the table: rhumb lines over a sound, a parallel rule on the course, dividers on the scale."""

    def shape(u: float, v: float) -> float:
        sound = v - 0.5 - 0.16 * sin(3.4 * u + 0.2)
        isle = exp(-((u - 0.725) ** 2 + 0.32 * (v - 0.24) ** 2) / 0.0012)
        return 2.9 * sound * sound - 0.5 + 0.2 * (u - 0.5) + 0.6 * isle

    relief = Relief("scene-about/1", WIDTH, HEIGHT, 4, shape, roughness=1.0, swell=0.42)
    plate = Plate(WIDTH, HEIGHT, SCALE, shade(relief, SEA, LAND, (0.58, 0.5, 0.6)))
    rose, light = (690.0, 470.0), on.find_shore(relief, (915, 185))
    turn = degrees(atan2(light[1] - rose[1], light[0] - rose[0]))
    middle = ((rose[0] + light[0]) / 2, (rose[1] + light[1]) / 2)
    _rule_shore(plate, relief)
    on.draw_depths(plate, relief, (-0.22, -0.4, -0.6), opacity=0.45)
    on.draw_rhumbs(plate, rose, 300, 3.2, opacity=0.8)
    rule = bearing(middle, turn, 52)
    on.draw_soundings(plate, relief, "scene-about", 52, [(*rose, 120), (*rule, 150), (*light, 50)], apart=48)
    on.draw_rose(plate, rose, 78)
    _parallel_rule(plate, rule, 190, turn)
    on.draw_course(plate, [rose, light], labels=False)
    _frame(plate, 56, 3)
    _dividers(plate, (862, HEIGHT - 38), (962, HEIGHT - 38))
    on.draw_light(plate, light)
    return plate


def scene_contact() -> Plate:
    """An approach: two lights in line lead in from the open sea."""

    def shape(u: float, v: float) -> float:
        estuary = exp(-((v - 0.46 - 0.12 * (u - 0.6)) ** 2) / 0.006)
        return (u - 0.56) * 2.1 - 0.9 * estuary * (1.25 - u) + 0.04

    relief = Relief("scene-contact/2", WIDTH, HEIGHT, 4, shape, roughness=0.9, swell=0.3)
    plate = Plate(WIDTH, HEIGHT, SCALE, shade(relief, SEA, LAND, (0.58, 0.46, 0.6)))
    _rule_shore(plate, relief)
    on.draw_depths(plate, relief, (-0.2, -0.36, -0.54, -0.74), opacity=0.45)
    front, rear = (860.0, 352.0), (960.0, 356.0)
    seaward = (front[0] - 700, front[1] - 700 * (rear[1] - front[1]) / (rear[0] - front[0]))
    line, sectors, figures = Pen(), Pen(), Pen()
    line.line([seaward, front])
    for turn in (-16, -5, 5, 16):
        sectors.line([front, (front[0] - 520 * cos(radians(turn)), front[1] - 520 * sin(radians(turn)))])
    heading = round(degrees(atan2(rear[0] - front[0], front[1] - rear[1]))) % 360
    figures.text(f"LEADING LIGHTS IN LINE {heading:03d}°", (front[0] - 34, 336), 7.6, anchor="end")
    figures.text("FRONT ISO 4S 9M", (front[0] - 26, front[1] + 30), 6.6, anchor="end")
    plate.path(sectors.data, stroke=WHITE, stroke_opacity=0.4, stroke_width=0.8, stroke_dasharray="2 4")
    plate.path(line.data, stroke=WHITE, stroke_opacity=0.95, stroke_width=1.2)
    plate.path(figures.data, stroke=WHITE, stroke_width=0.9)
    on.draw_names(
        plate,
        relief,
        ("LOW LIGHT", "HITHE", "STAITHE", "FENDER", "OAKUM", "HAWSE", "TARN", "COLDER", "NARE", "VOE", "LEAD"),
        spacing=34,
    )
    on.draw_soundings(
        plate, relief, "scene-contact", 60, [(760, 338, 84), (660, 335, 50), (*front, 60), (220, 560, 130)], apart=48
    )
    on.draw_rose(plate, (220, 566), 62)
    on.draw_light(plate, front)
    _frame(plate, 50, 1)
    return plate


def _rule_shore(plate: Plate, relief: Relief) -> None:
    shore, hills = Pen(), Pen()
    for line in trace(relief, 0, 0.4, 14, whole=False):
        shore.line(line)
    for level in (0.15, 0.3, 0.45, 0.6):
        for line in trace(relief, level, 1, 40, whole=False):
            hills.curve(line)
    plate.path(hills.data, stroke=WHITE, stroke_opacity=0.16, stroke_width=0.7)
    plate.path(shore.data, stroke=NAVY, stroke_opacity=0.5, stroke_width=3)
    plate.path(shore.data, stroke=WHITE, stroke_opacity=0.9, stroke_width=1.1)


def _title(plate: Plate, at: Point, name: str, subtitle: str, scale: str) -> None:
    """Draw the name of the plate, its unit of depth, and its scale."""
    big, small, bar = Pen(), Pen(), Pen()
    big.text(name, at, 13)
    small.text(subtitle, (at[0], at[1] + 17), 6.4, tracking=4)
    small.text(scale, (at[0], at[1] + 47), 6.4, tracking=4)
    for cable in range(5):
        left = at[0] + cable * 28
        if cable % 2 == 0:
            bar.line(
                [(left, at[1] + 29), (left + 28, at[1] + 29), (left + 28, at[1] + 33), (left, at[1] + 33)], close=True
            )
    plate.path(big.data, stroke=WHITE, stroke_width=1.3)
    plate.path(small.data, stroke=WHITE, stroke_opacity=0.85, stroke_width=0.8)
    plate.path(bar.data, fill=WHITE)
    outline = Pen()
    outline.line(
        [(at[0], at[1] + 29), (at[0] + 140, at[1] + 29), (at[0] + 140, at[1] + 33), (at[0], at[1] + 33)], close=True
    )
    plate.path(outline.data, stroke=WHITE, stroke_width=0.7)


def _frame(plate: Plate, latitude: int, longitude: int) -> None:
    """Neatline: a scale of minutes between two rules, with the coordinates in the margin."""
    margin, ruled = Pen(), Pen()
    margin.line([(0, 0), (WIDTH, 0), (WIDTH, 36), (0, 36)], close=True)
    margin.line([(0, HEIGHT - 36), (WIDTH, HEIGHT - 36), (WIDTH, HEIGHT), (0, HEIGHT)], close=True)
    margin.line([(0, 0), (36, 0), (36, HEIGHT), (0, HEIGHT)], close=True)
    margin.line([(WIDTH - 36, 0), (WIDTH, 0), (WIDTH, HEIGHT), (WIDTH - 36, HEIGHT)], close=True)
    plate.path(margin.data, fill=NAVY)
    filled, labels = Pen(), Pen()
    for inset in (28, 36):
        ruled.line(
            [(inset, inset), (WIDTH - inset, inset), (WIDTH - inset, HEIGHT - inset), (inset, HEIGHT - inset)],
            close=True,
        )
    for index, x in enumerate(range(40, WIDTH - 60, 40)):
        if index % 2 == 0:
            for y in (30, HEIGHT - 34):
                filled.line([(x, y), (x + 40, y), (x + 40, y + 4), (x, y + 4)], close=True)
        if index % 5 == 2:
            for y in (21, HEIGHT - 14):
                labels.text(f"{longitude}°{index:02d}′E", (x, y), 6.4, anchor="middle")
    for index, y in enumerate(range(40, HEIGHT - 60, 40)):
        if index % 2 == 0:
            for x in (30, WIDTH - 34):
                filled.line([(x, y), (x + 4, y), (x + 4, y + 40), (x, y + 40)], close=True)
        if index % 5 == 2:
            labels.text(f"{latitude}°{50 - index:02d}′N", (20, y), 6.4, turn=-90, anchor="middle")
            labels.text(f"{latitude}°{50 - index:02d}′N", (WIDTH - 14, y), 6.4, turn=-90, anchor="middle")
    plate.path(ruled.data, stroke=INK, stroke_opacity=0.8, stroke_width=0.8)
    plate.path(filled.data, fill=INK, fill_opacity=0.8)
    plate.path(labels.data, stroke=INK, stroke_opacity=0.9, stroke_width=0.8)


def _parallel_rule(plate: Plate, centre: Point, half: float, turn: float) -> None:
    """A navigator's parallel rule: two bars, two links, of clear material."""
    c, s = cos(radians(turn)), sin(radians(turn))

    def place(x: float, y: float) -> Point:
        return centre[0] + x * c - y * s, centre[1] + x * s + y * c

    bars, links, ticks, pivots = Pen(), Pen(), Pen(), Pen()
    for top in (-52, 14):
        bars.line([place(-half, top), place(half, top), place(half, top + 38), place(-half, top + 38)], close=True)
    for x in (-half * 0.62, half * 0.5):
        links.line([place(x, -33), place(x + 26, 33)])
        for end in (place(x, -33), place(x + 26, 33)):
            pivots.circle(end, 4.5)
    for index in range(-int(half / 10) + 1, int(half / 10)):
        length = 9 if index % 5 == 0 else 5
        ticks.line([place(index * 10, -52), place(index * 10, -52 + length)])
        ticks.line([place(index * 10, 52), place(index * 10, 52 - length)])
    plate.path(bars.data, fill=WHITE, fill_opacity=0.1, stroke=WHITE, stroke_opacity=0.85, stroke_width=1.1)
    plate.path(ticks.data, stroke=WHITE, stroke_opacity=0.7, stroke_width=0.8)
    plate.path(links.data, stroke=WHITE, stroke_opacity=0.9, stroke_width=7)
    plate.path(links.data, stroke="#16324f", stroke_width=5.4)
    plate.path(pivots.data, fill=NAVY, stroke=WHITE, stroke_width=1.1)


def _dividers(plate: Plate, left: Point, right: Point) -> None:
    """Dividers that span two points of the scale."""
    head = ((left[0] + right[0]) / 2, left[1] - 262)
    legs, seams, hinge = Pen(), Pen(), Pen()
    for foot, side in ((left, -1), (right, 1)):
        knee = (head[0] + (foot[0] - head[0]) * 0.52, head[1] + (foot[1] - head[1]) * 0.52)
        legs.line(
            [
                (head[0], head[1]),
                (head[0] + side * 9, head[1] + 4),
                (knee[0] + side * 6, knee[1]),
                foot,
                (knee[0] - side * 2, knee[1]),
            ],
            close=True,
        )
        seams.line([(knee[0] - side * 2, knee[1]), (knee[0] + side * 6, knee[1])])
    hinge.circle(head, 12)
    plate.path(legs.data, fill="#1b3653", stroke=WHITE, stroke_width=1.1)
    plate.path(seams.data, stroke=WHITE, stroke_width=0.9)
    plate.path(hinge.data, fill=NAVY, stroke=WHITE, stroke_width=1.2)

"""The vector charts of the demo: one function each. They have no ground of their own and fade out towards their edges."""

from functools import cache
from itertools import pairwise
from math import exp, hypot, sin

from . import engraving as on
from .names import NAMES
from .palette import INK, NAVY, SIGNAL, WHITE
from .relief import Relief
from .rose import Point, bearing
from .vector import Drawing, Pen

WIDTH, HEIGHT = 1200, 960


def hero_home() -> Drawing:
    """A coast to the right, a rose in the offing, a course to a light at the head of an inlet."""
    drawing = _faded(0.55, 0.5, 0.6)
    relief = _home_relief()
    rose = (570.0, 480.0)
    course = home_course()
    light = course[-1]
    on.draw_depths(drawing, relief, (-0.27, -0.45, -0.65, -0.9))
    on.draw_coast(drawing, relief)
    on.draw_graticule(drawing, 200, 51, 1)
    on.draw_rhumbs(drawing, rose, 390, 2.2, opacity=0.62)
    on.draw_names(drawing, relief, NAMES[:26])
    on.draw_soundings(drawing, relief, "hero-home", 60, [(*rose, 165), (*light, 40)])
    on.draw_rose(drawing, rose, 108)
    on.draw_course(drawing, course)
    drawing.close()
    on.draw_light(drawing, light)
    return drawing


def home_course() -> list[Point]:
    """Return the course from the open sea to the light, for the video of this chart."""
    return [(230, 860), (600, 725), (800, 560), on.find_shore(_home_relief(), (935, 600))]


@cache
def _home_relief() -> Relief:
    def shape(u: float, v: float) -> float:
        inlet = 0.17 * exp(-((v - 0.52) ** 2) / 0.012)
        return (u - 0.74 - inlet + 0.07 * sin(7 * v + 0.6)) * 2.3 - 0.1

    return Relief("hero-home", WIDTH, HEIGHT, 5, shape, roughness=0.8)


def cover_web_development() -> Drawing:
    """Isles in a sound and the packet routes that join their harbours: a net with one hub."""
    places = ((0.5, 0.48), (0.2, 0.3), (0.24, 0.7), (0.47, 0.16), (0.55, 0.84), (0.78, 0.24), (0.83, 0.6), (0.7, 0.42))

    def shape(u: float, v: float) -> float:
        return -0.46 + 0.68 * exp(-min([(u - x) ** 2 + 0.7 * (v - y) ** 2 for x, y in places]) / 0.005)

    drawing = _faded(0.5, 0.5, 0.6)
    relief = Relief("cover-web-development", WIDTH, HEIGHT, 5, shape, roughness=1.1, swell=0.24)
    hub = (places[0][0] * WIDTH, places[0][1] * HEIGHT)
    harbours = [
        on.find_shore(relief, ((0.7 * x + 0.3 * 0.5) * WIDTH, (0.7 * y + 0.3 * 0.48) * HEIGHT)) for x, y in places[1:]
    ]
    harbours.insert(0, on.find_shore(relief, hub))
    on.draw_depths(drawing, relief, (-0.42, -0.62))
    on.draw_coast(drawing, relief, tolerance=0.9)
    on.draw_graticule(drawing, 200, 57, 7)
    routes, ports, miles = Pen(), Pen(), Pen()
    for index, a in enumerate(harbours):
        others = sorted(harbours[index + 1 :], key=lambda b: hypot(a[0] - b[0], a[1] - b[1]))
        for b in others if index == 0 else others[:2]:
            bends = [
                bend for bend in (0.1, -0.1, 0.2, -0.2, 0.32, -0.32) if _is_afloat(relief, a, _bent(a, b, bend), b)
            ]
            if bends:
                by = _bent(a, b, bends[0])
                routes.bow(a, by, b)
                at = ((a[0] + 2 * by[0] + b[0]) / 4, (a[1] + 2 * by[1] + b[1]) / 4)
                miles.text(f"{hypot(a[0] - b[0], a[1] - b[1]) / 7:.0f} NM", (at[0] + 7, at[1] - 5), 6.4)
    for port in harbours[1:]:
        ports.circle(port, 5)
    drawing.path(routes.data, stroke=WHITE, stroke_opacity=0.75, stroke_width=1, stroke_dasharray="5 4")
    drawing.path(ports.data, fill=NAVY, stroke=WHITE, stroke_width=1.3)
    drawing.path(miles.data, stroke=INK, stroke_opacity=0.9, stroke_width=0.7, stroke_linecap="round")
    on.draw_soundings(drawing, relief, "cover-web-development", 46, [(*port, 26) for port in harbours], apart=52)
    on.draw_rose(drawing, (850, 790), 50, initials=False)
    drawing.close()
    on.draw_light(drawing, harbours[0])
    return drawing


def cover_mobile_development() -> Drawing:
    """One light and how far it carries: range circles and sectors over small isles."""

    def shape(u: float, v: float) -> float:
        away = (u - 0.5) ** 2 + 0.64 * (v - 0.52) ** 2
        return -0.46 + 0.75 * exp(-away / 0.0016) - 0.3 * exp(-away / 0.03) + 0.12 * exp(-((away - 0.1) ** 2) / 0.002)

    drawing = _faded(0.5, 0.52, 0.6)
    relief = Relief("cover-mobile-development/4", WIDTH, HEIGHT, 5, shape, roughness=1.0)
    light = (600.0, 499.0)
    on.draw_depths(drawing, relief, (-0.36, -0.54, -0.75))
    on.draw_coast(drawing, relief, tolerance=0.9)
    on.draw_graticule(drawing, 200, 60, 22)
    rings, sectors, labels = Pen(), Pen(), Pen()
    for mile, radius in enumerate(range(80, 400, 80), start=1):
        rings.circle(light, radius)
        at = bearing(light, 116, radius)
        labels.text(f"{mile * 3} M", (at[0] + 5, at[1] - 4), 6.8)
    for degree in range(0, 360, 5):
        sectors.line(
            [
                bearing(light, degree, 400),
                bearing(light, degree, 420 if degree % 30 == 0 else 411 if degree % 10 == 0 else 406),
            ]
        )
        if degree % 30 == 0:
            at = bearing(light, degree, 434)
            labels.text(f"{degree:03d}", (at[0], at[1] + 3.5), 6.8, anchor="middle")
    sectors.circle(light, 400)
    for degree in (24, 84, 148, 205, 296):
        sectors.line([bearing(light, degree, 22), bearing(light, degree, 400)])
    drawing.path(rings.data, stroke=INK, stroke_opacity=0.5, stroke_width=0.8, stroke_dasharray="2 4")
    drawing.path(sectors.data, stroke=WHITE, stroke_opacity=0.6, stroke_width=0.8)
    edge = [bearing(light, 24 + 60 * step / 12, 400) for step in range(13)]
    lit, limit = Pen(), Pen()
    lit.line([light, *edge], close=True)
    limit.curve(edge)
    drawing.path(lit.data, fill=WHITE, fill_opacity=0.05)
    drawing.path(limit.data, stroke=SIGNAL, stroke_width=1.6)
    drawing.path(labels.data, stroke=WHITE, stroke_opacity=0.8, stroke_width=0.8, stroke_linecap="round")
    on.draw_names(drawing, relief, NAMES[:14], spacing=46)
    on.draw_soundings(drawing, relief, "cover-mobile-development", 52, [(*light, 60)], apart=50)
    drawing.close()
    on.draw_light(drawing, light, "FL 5S 38M 15M", side=-1)
    return drawing


def cover_quality_assurance() -> Drawing:
    """A shelf sounded line by line, and the one rock that no earlier chart had."""

    def shape(u: float, v: float) -> float:
        return 0.26 - 1.4 * v + 0.2 * sin(4.4 * u + 0.8)

    drawing = _faded(0.5, 0.5, 0.62)
    relief = Relief("cover-quality-assurance/5", WIDTH, HEIGHT, 5, shape, roughness=0.8)
    rock = (720.0, 590.0)
    on.draw_depths(drawing, relief, (-0.28, -0.4, -0.54, -0.7, -0.86), opacity=0.36)
    on.draw_coast(drawing, relief)
    on.draw_graticule(drawing, 240, 49, 5, "NW")
    figures, track = Pen(), Pen()
    for line, x in enumerate(range(120, WIDTH - 100, 76)):
        sounded: list[Point] = []
        for y in range(130, HEIGHT - 90, 46):
            at = (x + 5 * sin(y / 60 + line), float(y + (line % 2) * 23))
            depth = -relief.at(*at) * on.FATHOMS
            if depth > 4:
                sounded.append(at)
                if hypot(at[0] - rock[0], at[1] - rock[1]) > 34:
                    figures.text(f"{depth:.0f}", (at[0], at[1] + 2.6), 6.4, anchor="middle")
        if len(sounded) > 1:
            track.curve([sounded[0], *sounded[2::4], sounded[-1]])
    drawing.path(track.data, stroke=INK, stroke_opacity=0.24, stroke_width=0.6)
    drawing.path(figures.data, stroke=INK, stroke_opacity=0.9, stroke_width=0.75, stroke_linecap="round")
    on.draw_names(drawing, relief, NAMES[:9], spacing=40)
    cross, danger = Pen(), Pen()
    cross.line([(rock[0] - 7, rock[1]), (rock[0] + 7, rock[1])])
    cross.line([(rock[0], rock[1] - 7), (rock[0], rock[1] + 7)])
    danger.circle(rock, 22)
    drawing.close()
    drawing.path(danger.data, stroke=SIGNAL, stroke_width=1.8, stroke_dasharray=".1 4.5", stroke_linecap="round")
    drawing.path(cross.data, stroke=SIGNAL, stroke_width=1.8, stroke_linecap="round")
    return drawing


def cover_custom_software() -> Drawing:
    """A survey in progress: stations on two shores, joined triangle by triangle from one measured line."""

    def shape(u: float, v: float) -> float:
        channel = v - 0.5 - 0.1 * sin(5 * u + 0.5)
        return 5.2 * channel * channel - 0.42

    drawing = _faded(0.5, 0.5, 0.62)
    relief = Relief("cover-custom-software/2", WIDTH, HEIGHT, 5, shape, roughness=0.9)
    stations = [on.find_shore(relief, at) for at in (
        (150, 300), (250, 640), (400, 250), (500, 640), (640, 220), (730, 600), (880, 200), (970, 560), (1080, 250)
    )]  # fmt: skip
    on.draw_depths(drawing, relief, (-0.24, -0.36))
    on.draw_coast(drawing, relief)
    on.draw_graticule(drawing, 200, 25, 54)
    triangles, angles, marks = Pen(), Pen(), Pen()
    for a, b in pairwise(stations):
        triangles.line([a, b])
    for a, b in zip(stations, stations[2:], strict=False):
        triangles.line([a, b])
    for a, b, c in zip(stations, stations[1:], stations[2:], strict=False):
        middle = ((a[0] + b[0] + c[0]) / 3, (a[1] + b[1] + c[1]) / 3)
        angles.text(
            f"{40 + round(hypot(a[0] - c[0], a[1] - c[1])) % 39}°{round(middle[0]) % 60:02d}′",
            middle,
            6.8,
            anchor="middle",
        )
    for x, y in stations[2:]:
        marks.line([(x, y - 8), (x + 7, y + 5), (x - 7, y + 5)], close=True)
    drawing.path(triangles.data, stroke=WHITE, stroke_opacity=0.8, stroke_width=0.9)
    drawing.path(marks.data, fill=NAVY, stroke=WHITE, stroke_width=1.2, stroke_linejoin="round")
    drawing.path(angles.data, stroke=WHITE, stroke_opacity=0.85, stroke_width=0.8, stroke_linecap="round")
    on.draw_names(drawing, relief, NAMES[4:24], spacing=38)
    on.draw_soundings(drawing, relief, "cover-custom-software", 40, [(*at, 24) for at in stations], apart=46)
    drawing.close()
    base = Pen()
    base.line(stations[:2])
    drawing.path(base.data, stroke=SIGNAL, stroke_width=1.8)
    ends = Pen()
    for at in stations[:2]:
        ends.circle(at, 6)
    drawing.path(ends.data, fill=NAVY, stroke=SIGNAL, stroke_width=1.8)
    return drawing


def off_the_chart() -> Drawing:
    """Draw the edge of the soundings: figures thin out, and a ship is beyond the last of them."""

    def shape(u: float, v: float) -> float:
        return 0.16 - 1.5 * u + 0.1 * sin(6 * v)

    drawing = _faded(0.46, 0.5, 0.62)
    relief = Relief("off-the-chart", WIDTH, HEIGHT, 5, shape, roughness=0.9)
    here = (884.0, 540.0)
    on.draw_depths(drawing, relief, (-0.3, -0.5, -0.75))
    on.draw_coast(drawing, relief)
    on.draw_graticule(drawing, 240, 41, 20, "NW")
    on.draw_rhumbs(drawing, (470, 470), 360, 2.4)
    on.draw_names(drawing, relief, NAMES[6:28])
    on.draw_soundings(drawing, relief, "off-the-chart", 34, [(470, 470, 130), (980, 480, 420)])
    on.draw_rose(drawing, (470, 470), 82)
    on.draw_course(drawing, [(250, 660), (470, 700), (690, 620), here])
    bottomless = Pen()
    for x, y, depth in ((760, 420, 130), (830, 700, 150), (700, 760, 120), (700, 250, 140)):
        width = bottomless.text(f"{depth}", (x, y), 7, anchor="middle")
        bottomless.line([(x - width / 2, y - 10), (x + width / 2, y - 10)])
        bottomless.circle((x, y - 13), 0.6)
    drawing.path(bottomless.data, stroke=INK, stroke_opacity=0.7, stroke_width=0.8, stroke_linecap="round")
    drawing.close()
    on.draw_light(drawing, here)
    return drawing


def _bent(a: Point, b: Point, bend: float) -> Point:
    """Return the control point of a curve from ``a`` to ``b`` that bends to one side."""
    return (a[0] + b[0]) / 2 + (a[1] - b[1]) * bend, (a[1] + b[1]) / 2 + (b[0] - a[0]) * bend


def _is_afloat(relief: Relief, a: Point, by: Point, b: Point) -> bool:
    """Return whether a curved route avoids the land except at its ends."""
    for step in range(4, 29):
        t = step / 32
        x, y = ((1 - t) ** 2 * p + 2 * t * (1 - t) * q + t * t * r for p, q, r in zip(a, by, b, strict=True))
        if relief.at(x, y) > -0.01:
            return False
    return True


def _faded(cx: float, cy: float, radius: float) -> Drawing:
    """An empty drawing with an open group that fades out; its caller closes the group."""
    drawing = Drawing(WIDTH, HEIGHT, (
        f'<radialGradient id="f" cx="{cx:g}" cy="{cy:g}" r="{radius:g}"><stop offset=".5" stop-color="#fff"/>'
        '<stop offset="1" stop-color="#fff" stop-opacity="0"/></radialGradient>'
        f'<mask id="m" maskUnits="userSpaceOnUse" x="0" y="0" width="{WIDTH}" height="{HEIGHT}">'
        f'<path fill="url(#f)" d="M0 0h{WIDTH}v{HEIGHT}h-{WIDTH}z"/></mask>'
    ))  # fmt: skip
    drawing.open(mask="url(#m)")
    return drawing

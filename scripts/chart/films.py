"""The demo's videos: charts with movement. Each function returns the frames of one video, as images."""

from collections.abc import Iterator, Sequence
from io import BytesIO
from itertools import pairwise
from math import hypot

import resvg_py
from PIL import Image

from .charts import cover_custom_software, hero_home, home_course
from .palette import NAVY, SIGNAL, WHITE
from .vector import Drawing, Pen, Point

FRAMES_PER_SECOND = 12


def course_to_the_light() -> Iterator[Image.Image]:
    """The chart of the home page, with a ship on its course and the light that answers. Begins and ends as the chart is."""
    ground = _on_navy(hero_home().svg())
    course = home_course()
    for part in _parts(8):
        overlay = Drawing(*ground.size)
        if part < 0.8:
            ship = _along(course, part / 0.8)
            shown = min(1.0, part * 12, (0.8 - part) * 12)
            for radius, opacity in ((16, 0.12), (9, 0.25), (4.5, 1)):
                overlay.path(_circle(ship, radius), fill=SIGNAL, fill_opacity=opacity * shown)
        for since in (0.74, 0.84):
            if since < part < since + 0.15:
                age = (part - since) / 0.15
                ring = _circle(course[-1], 8 + 46 * age)
                overlay.path(ring, stroke=SIGNAL, stroke_width=2, stroke_opacity=0.9 * (1 - age))
        yield _over(ground, overlay)


def sample_film() -> Iterator[Image.Image]:
    """Return frames in landscape format. The text says that it is a sample."""
    return _sample((0, 142, 1200, 817), (640, 360), 9)


def sample_short() -> Iterator[Image.Image]:
    """In portrait format."""
    return _sample((330, 0, 870, 960), (360, 640), 6.2)


def _sample(crop: tuple[int, int, int, int], size: tuple[int, int], letters: float) -> Iterator[Image.Image]:
    ground = _on_navy(cover_custom_software().svg()).crop(crop).resize(size, Image.Resampling.LANCZOS)
    ground = Image.blend(ground, Image.new("RGB", size, NAVY), 0.55)
    width, height = size
    middle = width / 2
    line: list[Point] = [(width * 0.12, height * 0.86), (width * 0.4, height * 0.7), (width * 0.88, height * 0.78)]
    for part in _parts(6):
        overlay = Drawing(*size)
        words, note, course = Pen(), Pen(), Pen()
        words.text("SAMPLE FILM", (middle, height * 0.46), letters * 4, 0, "middle")
        note.text("NO SOUND", (middle, height * 0.46 + letters * 5), letters * 1.8, 0, "middle")
        overlay.path(words.data, stroke=WHITE, stroke_width=letters / 3.2, stroke_linecap="round")
        overlay.path(note.data, stroke=WHITE, stroke_width=letters / 5, stroke_opacity=0.8, stroke_linecap="round")
        course.line([_along(line, part * step / 40) for step in range(41)])
        overlay.path(course.data, stroke=SIGNAL, stroke_width=3, stroke_linecap="round")
        overlay.path(_circle(_along(line, part), 6), fill=SIGNAL)
        yield _over(ground, overlay)


def _parts(seconds: int) -> Iterator[float]:
    frames = seconds * FRAMES_PER_SECOND
    return (frame / frames for frame in range(frames))


def _along(points: Sequence[Point], part: float) -> Point:
    legs = [hypot(b[0] - a[0], b[1] - a[1]) for a, b in pairwise(points)]
    left = part * sum(legs)
    for (ax, ay), (bx, by), leg in zip(points, points[1:], legs, strict=False):
        if left <= leg:
            return ax + (bx - ax) * left / leg, ay + (by - ay) * left / leg
        left -= leg
    return points[-1]


def _circle(centre: Point, radius: float) -> str:
    pen = Pen()
    pen.circle(centre, radius)
    return pen.data


def _on_navy(svg: str) -> Image.Image:
    drawn = resvg_py.svg_to_bytes(svg_string=svg, background=NAVY, skip_system_fonts=True)
    return Image.open(BytesIO(drawn)).convert("RGB")


def _over(ground: Image.Image, overlay: Drawing) -> Image.Image:
    drawn = Image.open(BytesIO(resvg_py.svg_to_bytes(svg_string=overlay.svg(), skip_system_fonts=True)))
    return Image.alpha_composite(ground.convert("RGBA"), drawn.convert("RGBA")).convert("RGB")

#!/usr/bin/env python3
"""Draw the demo's images into fixtures/demo/pictures: charts and marks as SVG, shaded charts as PNG.

- `scripts/draw_pictures.py` draws all of them.
- `scripts/draw_pictures.py --missing` draws the missing ones, as seeding the demo does.
- `scripts/draw_pictures.py hero-home …` draws these.

The large SVG charts and the marks are kept in the repository. The PNG files (large, a second each) and the hundred
sheets (three seconds) are drawn. An image depends on its name alone, so drawing it again gives the same image.
"""

import argparse
import os
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from chart import charts, marks, scenes, sheets
from chart.raster import Plate
from chart.vector import Drawing

PICTURES: Mapping[str, Callable[[], Drawing | Plate]] = {
    "hero-home.svg": charts.hero_home,
    "cover-web-development.svg": charts.cover_web_development,
    "cover-mobile-development.svg": charts.cover_mobile_development,
    "cover-quality-assurance.svg": charts.cover_quality_assurance,
    "cover-custom-software.svg": charts.cover_custom_software,
    "off-the-chart.svg": charts.off_the_chart,
    "logo-northwind.svg": marks.northwind,
    "logo-lumen.svg": marks.lumen,
    "logo-harrowgate.svg": marks.harrowgate,
    "logo-tessel.svg": marks.tessel,
    "logo-oriel.svg": marks.oriel,
    "logo-kestrel.svg": marks.kestrel,
    "logo-alder.svg": marks.alder,
    "logo-quill.svg": marks.quill,
    "cover-northwind.png": scenes.cover_northwind,
    "cover-lumen.png": scenes.cover_lumen,
    "scene-about.png": scenes.scene_about,
    "scene-contact.png": scenes.scene_contact,
    **sheets.PICTURES,
}
FOLDER = Path(__file__).resolve().parent.parent / "fixtures" / "demo" / "pictures"


def main() -> int:
    parser = argparse.ArgumentParser(description="Draw the demo's pictures.")
    parser.add_argument(
        "names", nargs="*", metavar="NAME", help="pictures to draw, without suffix; all if none is named"
    )
    parser.add_argument("--missing", action="store_true", help="leave alone what is there already")
    parser.add_argument("--into", type=Path, default=FOLDER, metavar="DIR", help="another folder to draw into")
    options = parser.parse_args()
    if unknown := set(options.names) - {Path(name).stem for name in PICTURES}:
        parser.error(f"no picture is called {', '.join(sorted(unknown))}. There are: {', '.join(PICTURES)}")
    options.into.mkdir(parents=True, exist_ok=True)
    for name, draw in PICTURES.items():
        path = options.into / name
        if (options.names and path.stem not in options.names) or (options.missing and path.exists()):
            continue
        started = time.perf_counter()
        size = save(draw(), path)
        print(f"{name:32} {size / 1000:8.1f} kB {(time.perf_counter() - started) * 1000:6.0f} ms")
    return 0


def save(drawing: Drawing | Plate, path: Path) -> int:
    """Write the image whole or not at all, also in parallel runs. Return its size in bytes."""
    unfinished = path.with_name(f".{os.getpid()}-{path.name}")
    if isinstance(drawing, Drawing):
        unfinished.write_text(drawing.svg(), encoding="utf-8")
    else:
        drawing.image.save(unfinished, "PNG", compress_level=1)  # an original for encoding, not for visitors
    unfinished.replace(path)
    return path.stat().st_size


if __name__ == "__main__":
    sys.exit(main())

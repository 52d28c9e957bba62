"""The program that draws the demo's images, and its geometry."""

import tomllib
from fnmatch import fnmatch
from functools import cache
from math import cos, hypot, pi, sin
from pathlib import Path
from xml.etree import ElementTree

import pytest
from chart import charts, marks, scenes, sheets
from chart.contours import simplify, trace
from chart.lettering import GLYPHS, flatten, read_glyph
from chart.raster import cut_dashes, read_path
from chart.relief import Relief
from chart.rose import network, petals
from chart.vector import Pen, number
from draw_pictures import FOLDER, PICTURES, save

from portolan.domain.svg import clean_svg

LISTED = tomllib.loads((FOLDER.parent / "pictures.toml").read_text())["pictures"]
SHEETS = list(sheets.PICTURES)
VECTORS = [name for name in PICTURES if name.endswith(".svg") and name not in SHEETS]

pytestmark = pytest.mark.one_worker  # each sheet is drawn once


@cache
def sheet(name: str) -> str:
    return sheets.PICTURES[name]().svg()


def test_the_fixtures_list_exactly_the_pictures_that_are_drawn() -> None:
    assert {f"pictures/{name}" for name in PICTURES} == {entry["file"] for entry in LISTED.values()}


def test_what_is_not_kept_is_marked_as_generated() -> None:
    assert LISTED
    for entry in LISTED.values():
        name = entry["file"].removeprefix("pictures/")
        assert entry.get("generated", False) == (name.endswith(".png") or name in SHEETS), entry
        assert entry.get("generated") or (FOLDER.parent / entry["file"]).is_file()


def test_what_is_generated_is_not_committed() -> None:
    rules = [line for line in (FOLDER / ".gitignore").read_text().splitlines() if line and not line.startswith("#")]
    assert rules
    for name in PICTURES:
        assert any(fnmatch(name, rule) for rule in rules) == (name not in VECTORS), name


@pytest.mark.parametrize("name", VECTORS)
def test_what_visitors_download_stays_small(name: str) -> None:
    limit = 3_000 if name.startswith("logo-") else 40_000
    assert (FOLDER / name).stat().st_size <= limit


@pytest.mark.parametrize("name", VECTORS)
def test_nothing_of_a_drawing_is_lost_when_the_studio_cleans_it(name: str) -> None:
    data = (FOLDER / name).read_bytes()
    assert _census(clean_svg(data).data) == _census(data)


@pytest.mark.parametrize("name", SHEETS)
def test_a_sheet_is_small_whole_and_safe(name: str) -> None:
    data = sheet(name).encode()
    assert len(data) < 13_000
    assert _census(clean_svg(data).data) == _census(data)
    assert b"nan" not in data


def test_no_two_sheets_are_alike() -> None:
    assert len({*map(sheet, SHEETS)}) == len(SHEETS)


def test_a_picture_depends_on_its_name_alone() -> None:
    assert charts.off_the_chart().svg() == charts.off_the_chart().svg()
    assert marks.quill().svg() == marks.quill().svg()
    name = "cover-case-alder-grid.svg"
    assert sheets.PICTURES[name]().svg() == sheets.PICTURES[name]().svg()


def test_a_raster_chart_is_as_large_as_the_largest_screen_asks(tmp_path: Path) -> None:
    plate = scenes.scene_contact()
    assert plate.image.size == (2560, 1440)
    assert save(plate, tmp_path / "plate.png") > 100_000
    assert [file.name for file in tmp_path.iterdir()] == ["plate.png"]


def test_the_contour_of_a_round_hill_is_a_closed_circle() -> None:
    relief = Relief("hill", 400, 400, 4, lambda u, v: 0.25 - hypot(u - 0.5, v - 0.5), roughness=0, swell=0)
    (ring,) = trace(relief, 0, tolerance=0)
    assert ring[0] == ring[-1]
    assert all(abs(hypot(x - 200, y - 200) - 100) < 0.5 for x, y in ring)


def test_lines_that_are_not_filled_end_where_they_leave_the_picture() -> None:
    relief = Relief("slope", 400, 400, 4, lambda u, v: 0.5 - v, roughness=0, swell=0)
    (line,) = trace(relief, 0, whole=False)
    assert line[0] != line[-1]
    assert all(abs(y - 200) < 0.5 for _, y in line)
    (ring,) = trace(relief, 0)
    assert ring[0] == ring[-1]


def test_points_that_say_nothing_are_dropped_and_corners_are_kept() -> None:
    assert simplify([(0, 0), (5, 0.1), (10, 0), (10, 10)], 0.5) == [(0, 0), (10, 0), (10, 10)]


@pytest.mark.parametrize("character", GLYPHS)
def test_every_letter_stands_on_its_grid(character: str) -> None:
    points = [point for stroke in read_glyph(character) for point in flatten(stroke)]
    assert points
    assert all(-0.01 <= x <= 11 and -1 <= y <= 13.4 for x, y in points)


def test_a_rose_has_thirty_two_points_and_a_net_joins_sixteen_nodes() -> None:
    assert [sum(petal.rank == rank for petal in petals((0, 0), 100)) for rank in range(4)] == [4, 4, 8, 16]
    assert len(network((0, 0), 100)) == 16 * 15 // 2 - 8 + 32


@pytest.mark.parametrize(
    ("value", "printed"),
    [(0, "0"), (-0.04, "0"), (0.5, ".5"), (-0.5, "-.5"), (10.5, "10.5"), (12, "12"), (-3.26, "-3.3")],
)
def test_numbers_are_printed_as_short_as_they_can_be(value: float, printed: str) -> None:
    assert number(value) == printed


def test_a_raster_chart_reads_the_paths_that_a_vector_chart_writes() -> None:
    pen = Pen()
    pen.circle((50, 50), 20)
    (ring,) = read_path(pen.data)
    assert len(ring) > 12
    assert all(abs(hypot(x - 50, y - 50) - 20) < 0.1 for x, y in ring)
    soft = [(100 + 30 * cos(turn * pi / 8), 100 + 30 * sin(turn * pi / 8)) for turn in range(16)]
    pen = Pen()
    pen.curve([*soft, soft[0]])
    (curve,) = read_path(pen.data)
    assert len(curve) > 12
    assert all(27 < hypot(x - 100, y - 100) < 30.1 for x, y in curve)


def test_dashes_and_gaps_make_up_the_line() -> None:
    dashes = list(cut_dashes([(0, 0), (12, 0), (12, 8)], [4, 2]))
    assert dashes == [[(0, 0), (4, 0)], [(6, 0), (10, 0)], [(12, 0), (12, 4)], [(12, 6), (12, 8)]]


def _census(svg: bytes) -> list[tuple[str, list[str]]]:
    return [(element.tag, sorted(element.attrib)) for element in ElementTree.fromstring(svg).iter()]

"""Raster copies of drawings, requested by visitors and clients of the API."""

import asyncio
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from portolan.edge import raster_copies

from .conftest import Harbour, build_scope

FOLDER = "/media/pictures/0123456789abcdef"
DRAWING = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 10"><rect width="8" height="10" fill="#f00"/></svg>'


@pytest.fixture
def folder(harbour: Harbour) -> Path:
    folder = harbour.media / "pictures/0123456789abcdef"
    folder.mkdir()
    (folder / "chart.svg").write_text(DRAWING)
    return folder


@pytest.mark.parametrize(("format_", "content_type"), [("webp", "image/webp"), ("avif", "image/avif")])
def test_a_copy_is_drawn_when_it_is_asked_for_first(
    harbour: Harbour, folder: Path, format_: str, content_type: str
) -> None:
    answer = harbour.ask(f"{FOLDER}/chart-480.{format_}")
    assert (answer.status, answer.headers["content-type"]) == (200, content_type)
    with Image.open(BytesIO(answer.body)) as copy:
        assert copy.size == (480, 300)
        red, empty = copy.convert("RGBA").getpixel((100, 150)), copy.convert("RGBA").getpixel((400, 150))
    assert isinstance(red, tuple)
    assert isinstance(empty, tuple)
    assert red[0] > 240 > 20 > red[1]
    assert (red[3], empty[3]) == (255, 0)
    assert sorted(file.name for file in folder.iterdir()) == [f"chart-480.{format_}", "chart.svg"]
    (folder / "chart.svg").unlink()
    assert harbour.ask(f"{FOLDER}/chart-480.{format_}").body == answer.body, "it is kept"


@pytest.mark.parametrize("name", ["chart-481.webp", "other-480.webp", "chart-480.png"])
def test_nothing_is_drawn_for_other_addresses(
    harbour: Harbour, folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def draw(*_: object) -> bool:
        raise AssertionError("a process was started")

    monkeypatch.setattr(raster_copies, "_draw", draw)
    assert harbour.ask(f"{FOLDER}/{name}").status == 404


def test_a_drawing_that_cannot_be_drawn_is_said_once_a_minute(
    harbour: Harbour, folder: Path, caplog: pytest.LogCaptureFixture
) -> None:
    (folder / "chart.svg").write_text("<svg")
    assert [harbour.ask(f"{FOLDER}/chart-480.webp").status for _ in range(3)] == [404, 404, 404]
    (said,) = caplog.messages
    assert "chart-480.webp cannot be drawn" in said
    (folder / "chart.svg").write_text(DRAWING)
    harbour.later(61)
    assert harbour.ask(f"{FOLDER}/chart-480.webp").status == 200


def test_a_drawing_of_endless_height_takes_no_memory(harbour: Harbour, folder: Path) -> None:
    (folder / "chart.svg").write_text('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 9000000"/>')
    assert harbour.ask(f"{FOLDER}/chart-2560.webp").status == 404


def test_many_at_once_draw_one_file_once_and_the_rest_is_asked_to_wait(
    harbour: Harbour, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn: list[str] = []

    async def draw(drawing: Path, file: Path, copy: object) -> bool:
        drawn.append(file.name)
        await asyncio.sleep(0)
        file.write_bytes(b"RIFF")
        return True

    monkeypatch.setattr(raster_copies, "_draw", draw)

    async def ask_all() -> list[int]:
        statuses: list[int] = []

        async def send(message: dict[str, object]) -> None:
            if message["type"] == "http.response.start":
                status = message["status"]
                assert isinstance(status, int)
                statuses.append(status)

        async def receive() -> dict[str, object]:
            return {"type": "http.disconnect"}

        asked = (harbour.edge(build_scope(f"{FOLDER}/chart-480.webp"), receive, send) for _ in range(20))  # type: ignore[arg-type]
        await asyncio.gather(*asked)
        return statuses

    statuses = asyncio.run(ask_all())
    assert (statuses.count(200), statuses.count(503)) == (16, 4)
    assert drawn == ["chart-480.webp"]

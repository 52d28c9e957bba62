"""Images are decoded in a separate process within limits, so the studio survives any image."""

import zlib
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image

from portolan.content.picture_files import UnusablePicture, encode_picture
from portolan.content.picture_worker import PictureWorker


def png(width: int, height: int) -> bytes:
    buffer = BytesIO()
    Image.new("RGB", (width, height), "#0a3d62").save(buffer, "PNG")
    return buffer.getvalue()


@pytest.fixture(scope="module")
def worker() -> Iterator[PictureWorker]:
    worker = PictureWorker()
    yield worker
    worker.stop()


def pid(worker: PictureWorker) -> int:
    assert worker._process
    return worker._process.pid


def test_the_files_are_those_that_this_process_would_make(worker: PictureWorker) -> None:
    data = png(700, 300)
    assert worker.encode(data) == encode_picture(data)
    first = pid(worker)
    worker.encode(png(20, 10))
    assert pid(worker) == first


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"no picture", "cannot be decoded"),
        (png(700, 300)[:400], "cannot be decoded"),
        (
            png(20, 10).replace(b"IHDR\0\0\0\x14\0\0\0\x0a", b"IHDR\0\0\x20\x00\0\0\x20\x00"),
            "67 million pixels, and may have 50",
        ),
        (b"", "cannot be decoded"),
    ],
)
def test_what_cannot_be_used_says_why_and_the_worker_stays(worker: PictureWorker, data: bytes, said: str) -> None:
    if b"\x20\x00" in data[:32]:  # its head is whole
        data = data[:29] + zlib.crc32(data[12:29]).to_bytes(4, "big") + data[33:]
    worker.encode(png(20, 10))
    before = pid(worker)
    with pytest.raises(UnusablePicture, match=said):
        worker.encode(data)
    worker.encode(png(20, 10))
    assert pid(worker) == before


def test_one_that_needs_too_much_memory_takes_only_the_worker_along() -> None:
    worker = PictureWorker(most_memory=110 << 20)
    with pytest.raises(UnusablePicture, match=r"more memory or time|cannot be decoded"):
        worker.encode(png(3000, 3000))
    assert worker.encode(png(20, 10)).width == 20
    worker.stop()


def test_one_that_takes_too_long_is_ended() -> None:
    worker = PictureWorker(limit_s=0.01)
    with pytest.raises(UnusablePicture, match="too much memory or time"):
        worker.encode(png(700, 300))
    worker.stop()


def test_it_knows_no_secrets(worker: PictureWorker, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PORTOLAN_SECRET_KEY", "secret")
    worker.stop()
    worker.encode(png(20, 10))
    assert b"PORTOLAN" not in Path(f"/proc/{pid(worker)}/environ").read_bytes()


def test_one_that_was_killed_is_started_again(worker: PictureWorker) -> None:
    worker.encode(png(20, 10))
    assert worker._process
    worker._process.kill()
    worker._process.wait()
    assert worker.encode(png(20, 10)).height == 10

"""Work in idle times."""

import os
from pathlib import Path

import pytest

from portolan.builds.live import read_live
from portolan.publisher import housekeeping as housekeeping_module
from portolan.publisher.build_inputs import inputs_path, read_inputs
from portolan.publisher.housekeeping import Housekeeping

from .conftest import MakePublisher
from .release_book import ReleaseBook


def test_prunes_when_due_and_not_before(book: ReleaseBook, make_publisher: MakePublisher, tmp_path: Path) -> None:
    builds = tmp_path / "builds"
    book.release()
    make_publisher().publish()
    stray = inputs_path(builds, "en", "20200101-000000-1-abcdef")
    stray.write_text("{}")
    now = 0.0
    housekeeping = Housekeeping(builds, tmp_path / "media", clock=lambda: now)
    housekeeping.while_idle(lambda: False)
    assert stray.exists()
    now = 601.0
    housekeeping.while_idle(lambda: False)
    assert not stray.exists()
    assert read_inputs(builds, "en", read_live(builds).builds["en"])


def test_copies_of_documents_that_no_kept_build_offers_go_after_a_week(
    book: ReleaseBook, make_publisher: MakePublisher, tmp_path: Path
) -> None:
    book.release()
    make_publisher().publish()
    folder = tmp_path / "media/documents"
    upload, old, new = folder / "upload.pdf", folder / f"{'a' * 16}/old.pdf", folder / f"{'b' * 16}/new.pdf"
    for file in (upload, old, new):
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(b"%PDF")
    for file in (upload, old):
        os.utime(file, (0, 0))
    lost = Housekeeping(tmp_path / "builds", tmp_path / "media", is_everything_live=lambda: False)
    lost.prune()
    assert old.exists(), "a site that was live may offer it"
    Housekeeping(tmp_path / "builds", tmp_path / "media").prune()
    assert upload.exists()  # the studio's own
    assert not old.parent.exists()
    assert new.exists()  # a page may be about to offer it


@pytest.mark.parametrize("idle_work", [True, False])
def test_idle_processors_compress_where_they_may(
    idle_work: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    done: list[str] = []

    class Compression:
        def __init__(self, builds: Path, may: bool) -> None:
            assert (builds, may) == (tmp_path, idle_work)

        def wake(self) -> None:
            done.append("woken")

        def stop(self) -> None:
            done.append("stopped")

    monkeypatch.setattr(housekeeping_module, "CompressionProcess", Compression)
    housekeeping = Housekeeping(tmp_path, tmp_path / "media", idle_work=idle_work)
    housekeeping.start()
    housekeeping.after_publish()
    housekeeping.stop()
    assert done == ["woken", "woken", "stopped"]


def test_inputs_of_another_build_or_damaged_ones_are_none(tmp_path: Path) -> None:
    path = inputs_path(tmp_path, "en", "b1")
    path.parent.mkdir(parents=True)
    for text in ("", "{", "[]", '{"build": "b1"}', '{"build": "b2", "release": 1, "context": "", "shared": ""}'):
        path.write_text(text)
        assert read_inputs(tmp_path, "en", "b1") is None

"""A publisher pauses while the installation is upgraded, and continues afterwards."""

import os
import subprocess
from pathlib import Path

import pytest

from portolan.releases.upgrade_lock import upgrade_lock
from portolan.releases.wake import is_listening, wake

from ..processes import LIMIT_S, started, wait_until, waits_for_lock
from ..publisher.release_book import ReleaseBook
from ..release_workers import has_ended, release_worker_of
from .test_publish import COMMAND, book

__all__ = ["book"]


@pytest.mark.usefixtures("book")
def test_it_leaves_its_socket_publishes_nothing_and_comes_back(book: ReleaseBook, tmp_path: Path) -> None:
    socket, variables = (
        tmp_path / "publisher.sock",
        {**os.environ, "PORTOLAN_VAR_DIR": str(tmp_path), "DATABASE_URL": book.url},
    )
    live = tmp_path / "builds" / "live.json"
    with started([*COMMAND, "--watch"], env=variables, stderr=subprocess.PIPE) as process:
        wait_until(live.exists)
        release_worker = release_worker_of(process.pid)
        with upgrade_lock(tmp_path / "upgrade.lock"):
            wake(socket)
            wait_until(lambda: not is_listening(socket))
            assert has_ended(release_worker), "it might freeze beside the upgrade"
            before = live.read_bytes()
            book.content["de", "page", "about"]["blocks"][0]["title"] = "Changed meanwhile"
            book.release()
            wait_until(lambda: waits_for_lock(process.pid, tmp_path / "upgrade.lock"))
            assert live.read_bytes() == before
        wait_until(lambda: live.read_bytes() != before)
        assert is_listening(socket)
        process.terminate()
        assert process.wait(LIMIT_S) == 0
        assert process.stderr
        assert "waits for it, then restarts" in process.stderr.read()

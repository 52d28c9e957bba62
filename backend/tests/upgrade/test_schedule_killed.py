"""Schedules in a running installation: on time while the publisher runs, afterwards if it was killed. Also tests the
release worker with a real database."""

import json
import os
import re
import signal
import sqlite3
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psutil
import pytest

from portolan.builds.live import read_live
from portolan.config.env import env
from portolan.releases.reader import open_reader
from portolan.releases.wake import is_listening, wake

from ..processes import LIMIT_S, PORTOLAN, started, wait_until
from ..release_workers import has_ended, release_worker_of
from .restore import DATASETS
from .upgraded import Upgraded, upgraded_copy

pytestmark = pytest.mark.one_worker
SAYS_WHAT_IT_LOADED = [
    sys.executable,
    "-c",
    f"import atexit, json, sys; atexit.register(lambda: print(json.dumps([*sys.modules]))); {PORTOLAN[-1]}",
]


class Installation:
    def __init__(self, upgraded: Upgraded) -> None:
        assert upgraded.done.returncode == 0, upgraded.done.stderr
        self.var = upgraded.var
        self.file = self.var / "portolan.sqlite3"
        self.registry = self.var / "sites.toml"
        _link_project(env().sites_file, self.registry)
        self.environment = {
            **os.environ,
            "PORTOLAN_VAR_DIR": str(self.var),
            "PORTOLAN_SITES_FILE": str(self.registry),
            "DATABASE_URL": upgraded.url,
        }

    @contextmanager
    def publisher(self, command: Sequence[str] = PORTOLAN) -> Iterator["subprocess.Popen[str]"]:
        watch = [*command, "publish", "--watch", "--no-pictures"]
        with started(watch, env=self.environment, stdout=subprocess.PIPE) as process:
            wait_until(lambda: is_listening(self.var / "publisher.sock") and self.is_everything_live())
            yield process

    def schedule_page(self, at: datetime) -> None:
        """Schedule the page, with the studio's rows in the database."""
        with closing(sqlite3.connect(self.file, timeout=LIMIT_S)) as database, database:
            ((revision, content),) = database.execute(
                "SELECT id, content FROM wagtailcore_revision WHERE approved_go_live_at > '2098'"
            ).fetchall()
            database.execute(
                "UPDATE wagtailcore_revision SET approved_go_live_at = ?, content = ? WHERE id = ?",
                (_stored(at), content.replace("2099-01-01T09:00:00Z", at.isoformat()), revision),
            )

    def schedule_phone(self, key: str, at: datetime) -> None:
        """Show the number until then."""
        with closing(sqlite3.connect(self.file, timeout=LIMIT_S)) as database, database:
            database.execute("UPDATE content_phone SET expire_at = ? WHERE key = ?", (_stored(at), key))
            database.execute("INSERT INTO releases_moment (at, kind, key) VALUES (?, 'phone', ?)", (_stored(at), key))
        wake(self.var / "publisher.sock")

    def titles(self) -> list[str]:
        """Return the titles of the scheduled page in every release that changed it."""
        with closing(sqlite3.connect(self.file, timeout=LIMIT_S)) as database:
            rows = database.execute(
                "SELECT title FROM releases_releaseroute WHERE site = 'en' AND path LIKE '%/alder-grid' ORDER BY since"
            )
            return [title for (title,) in rows]

    def phone_is_gone(self, key: str) -> bool:
        with closing(open_reader(self.environment["DATABASE_URL"])) as reader:
            release = read_live(self.var / "builds").releases["en"]
            return reader.item(release, "en", "phone", key) is None

    def is_everything_live(self) -> bool:
        with closing(open_reader(self.environment["DATABASE_URL"])) as reader:
            live = {*read_live(self.var / "builds").releases.values()}
            return live == {reader.latest()} and not reader.is_pending()

    def latest(self) -> int:
        with closing(open_reader(self.environment["DATABASE_URL"])) as reader:
            return reader.latest() or 0


def _link_project(sites_file: Path, registry: Path) -> None:
    """Copy the site configuration, which a test may break, and link the files that it needs next to it."""
    registry.write_bytes(sites_file.read_bytes())
    for name in ("brand.toml", "brand", "public"):
        (registry.parent / name).symlink_to(sites_file.parent / name)


def _stored(at: datetime) -> str:
    return at.strftime("%Y-%m-%d %H:%M:%S.%f")


@pytest.fixture(scope="module")
def installation(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    return Installation(upgraded_copy(DATASETS[-1], tmp_path_factory))


def soon() -> datetime:
    return datetime.now(UTC).replace(microsecond=0) + timedelta(seconds=3)


def test_what_is_scheduled_goes_live_by_itself_and_not_before(installation: Installation) -> None:
    with installation.publisher():
        at, before = soon(), installation.latest()
        installation.schedule_phone("berlin", at)
        wait_until(lambda: installation.phone_is_gone("berlin"))
        live = datetime.fromtimestamp((installation.var / "builds" / "live.json").stat().st_mtime, UTC)
    assert live >= at
    assert installation.latest() == before + 1, "no release before it"


def test_what_was_due_while_the_publisher_was_dead_goes_live_together_and_once(installation: Installation) -> None:
    titles = installation.titles()
    with installation.publisher() as process:
        process.kill()
        process.wait()
    before, at = installation.latest(), datetime.now(UTC)
    installation.schedule_page(at)
    installation.schedule_phone("dallas", at)
    with installation.publisher():
        wait_until(lambda: installation.phone_is_gone("dallas"))
    with installation.publisher():
        pass
    assert installation.latest() == before + 1, "one release for both, and for all sites"
    (title,) = installation.titles()[len(titles) :]
    assert title.startswith("Not published before 2099")
    with closing(open_reader(installation.environment["DATABASE_URL"])) as reader:
        coming = reader.next_scheduled()
        assert coming is None or coming > datetime.now(UTC), "nothing of it is left to do"
        changed = {(side.kind, side.site) for pair in reader.changes(before, before + 1) for side in pair if side}
    assert {("page", "en"), ("phone", "en"), ("phone", "de")} <= changed


def ignored_by(process: int) -> set[int]:
    """Return the signals that a process ignores."""
    mask = int(re.findall(r"SigIgn:\s*(\w+)", Path(f"/proc/{process}/status").read_text())[0], 16)
    return {number for number in range(1, 65) if mask >> (number - 1) & 1}


def has_open(process: int, file: Path) -> bool:
    return any(found.path == str(file) for found in psutil.Process(process).open_files())


def test_what_ends_all_processes_waits_for_the_freeze_and_the_publisher_never_loads_django(
    installation: Installation,
) -> None:
    with installation.publisher(SAYS_WHAT_IT_LOADED) as process:
        release_worker, before = release_worker_of(process.pid), installation.latest()
        with closing(sqlite3.connect(installation.file, isolation_level=None)) as other:
            os.kill(release_worker, signal.SIGSTOP)
            installation.schedule_phone("warsaw", datetime.now(UTC))
            other.execute("BEGIN IMMEDIATE")  # the release worker waits for this lock in the middle of its work
            os.kill(release_worker, signal.SIGCONT)
            wait_until(lambda: has_open(release_worker, installation.file))
            assert {signal.SIGTERM, signal.SIGINT} <= ignored_by(release_worker)
            os.killpg(process.pid, signal.SIGTERM)  # as a terminal or a service manager does
            for number in (signal.SIGTERM, signal.SIGINT):
                os.kill(release_worker, number)
            assert not has_ended(release_worker)
            other.execute("ROLLBACK")
        assert process.wait(LIMIT_S) == 0
        assert process.stdout
        loaded = {name.partition(".")[0] for name in json.loads(process.stdout.read().splitlines()[-1])}
    assert installation.latest() == before + 1
    assert installation.phone_is_gone("warsaw")
    assert has_ended(release_worker)
    assert not loaded & {"django", "wagtail", "ninja"}, "its release worker has them"
    assert "portolan" in loaded


def test_a_killed_freezer_is_replaced_by_one_of_the_same_registry_and_none_outlives_its_publisher(
    installation: Installation,
) -> None:
    with installation.publisher() as process:
        killed, usable = release_worker_of(process.pid), installation.registry.read_bytes()
        os.kill(killed, signal.SIGKILL)
        installation.registry.write_text("What it says now is no registry.")
        try:
            installation.schedule_phone("london", datetime.now(UTC))
            wait_until(lambda: installation.phone_is_gone("london"))
        finally:
            installation.registry.write_bytes(usable)
        release_worker = release_worker_of(process.pid)
        assert release_worker != killed
        process.kill()
        wait_until(lambda: has_ended(release_worker))

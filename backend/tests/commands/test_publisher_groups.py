"""Publishers of groups as processes: if one hangs, only its sites wait."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from portolan.builds.live import read_live
from portolan.commands import publish_watch
from portolan.commands.publish_watch import _Snapshotting
from portolan.commands.role_watch import RoleWatch
from portolan.commands.serve import Publishers
from portolan.config.env import env
from portolan.observing.role_board import RoleBoard
from portolan.publisher.scope import Scope
from portolan.releases.wake import is_listening, socket_of, wake
from portolan.sites.groups import Group

from ..processes import LIMIT_S, PORTOLAN, run_program, started, wait_until
from ..publisher.release_book import ReleaseBook
from .test_publish import book

__all__ = ["book"]


@pytest.fixture
def variables(tmp_path: Path, book: ReleaseBook) -> dict[str, str]:
    """The product's site configuration, with a separate publisher for ``fr`` and ``pl``."""
    source = env().sites_file
    text = source.read_text()
    for site in ("fr", "pl"):
        text = text.replace(f"[sites.{site}]\n", f'[sites.{site}]\ngroup = "brand"\n')
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "sites.toml").write_text(f'{text}\n[groups.brand]\npublisher = "own"\n')
    for name in ("brand.toml", "brand", "public"):
        (folder / name).symlink_to(source.parent / name)
    given = {"PORTOLAN_SITES_FILE": str(folder / "sites.toml"), "PORTOLAN_VAR_DIR": str(tmp_path)}
    return {**os.environ, **given, "DATABASE_URL": book.url, "PORTOLAN_RENDER_WORKERS": "1"}


@contextmanager
def running(variables: dict[str, str], *options: str) -> Iterator["subprocess.Popen[str]"]:
    command = [*PORTOLAN, "publisher", "--no-pictures", *options]
    with started(command, env=variables, stderr=subprocess.DEVNULL) as process:
        yield process
        process.terminate()
        assert process.wait(LIMIT_S) == 0


def test_a_publisher_that_hangs_holds_up_its_own_sites_alone(
    variables: dict[str, str], book: ReleaseBook, tmp_path: Path
) -> None:
    builds, socket = tmp_path / "builds", tmp_path / "publisher.sock"

    def releases() -> dict[str, int]:
        return dict(read_live(builds).releases)

    def edit(title: str) -> int:
        for site in ("de", "fr"):
            book.content[site, "page", "about"]["blocks"][0]["title"] = title
        number = book.release()
        assert wake(socket)
        return number

    with running(variables) as shared, running(variables, "--group", "brand") as own:
        wait_until(lambda: len(releases()) == 8)
        for stopped, behind, ahead in ((own, "fr", "de"), (shared, "de", "fr")):
            before = releases()[behind]
            stopped.send_signal(signal.SIGSTOP)
            try:
                number = edit(f"While {behind} waits")
                wait_until(lambda: releases()[ahead] == number)  # noqa: B023
                assert releases()[behind] == before
                assert is_listening(socket_of(socket, ""))
                assert is_listening(socket_of(socket, "brand"))
            finally:
                stopped.send_signal(signal.SIGCONT)
            wait_until(lambda: set(releases().values()) == {number})  # noqa: B023
        rolled_back = run_program([*PORTOLAN, "rollback"], env=variables, timeout_s=60)
        assert rolled_back.returncode == 0, rolled_back.stderr
        assert read_live(builds).installation.is_pinned
        resumed = run_program([*PORTOLAN, "resume"], env=variables, timeout_s=60)
        assert resumed.returncode == 0, resumed.stderr
        wait_until(lambda: set(releases().values()) == {number})


class _Reader:
    """Reports pending changes as often as set."""

    def __init__(self, times: float, due: datetime | None = None) -> None:
        self.left, self.due = times, due

    def require_fit(self, plugins: object) -> None: ...

    def oldest_pending(self) -> None: ...

    def is_pending(self) -> bool:
        self.left -= 1
        return self.left >= 0

    def next_scheduled(self) -> datetime | None:
        return self.due


@pytest.mark.parametrize(
    ("shared", "reader", "waits"),
    [
        (True, _Reader(99), 0),
        (False, _Reader(0), 0),
        (False, _Reader(3), 3),
        (False, _Reader(1_000), 50),
        (False, _Reader(0, datetime.now(UTC) - timedelta(days=1)), 50),
        (False, _Reader(0, datetime.now(UTC) + timedelta(days=1)), 0),
    ],
)
def test_a_group_s_publisher_leaves_freezing_to_the_shared_one_unless_that_takes_long(
    monkeypatch: pytest.MonkeyPatch, shared: bool, reader: Any, waits: int
) -> None:
    clock = SimpleNamespace(now=0.0, pauses=0)

    def sleep(seconds: float) -> None:
        clock.now += seconds
        clock.pauses += 1

    ticking = SimpleNamespace(monotonic=lambda: clock.now, sleep=sleep)
    monkeypatch.setattr(publish_watch, "time", ticking)
    asked: list[str] = []
    monkeypatch.setattr(publish_watch, "run_scheduled", lambda *given: asked.append("schedule") or [])
    monkeypatch.setattr(publish_watch, "snapshot_pending", lambda *given: asked.append("freeze"))
    monkeypatch.setattr(publish_watch, "blocked_lines", lambda reader: [])
    scope = Scope.shared(env().registry)
    scope = scope if shared else scope._replace(name="brand")
    _Snapshotting(env(), scope, reader, None).snapshot()  # type: ignore[arg-type]
    assert abs(clock.pauses - waits) <= 1
    assert asked == ["schedule", "freeze"]


def test_serving_has_a_publisher_for_each_group_that_wants_one(monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[str] = []

    class Child:
        def __init__(self, name: str, watch: RoleWatch) -> None:
            self.name = name

        def start(self) -> None:
            started.append(self.name)

        def stop(self) -> None:
            started.remove(self.name)

    registry = env().registry
    groups: dict[str, Group] = {"a": Group(publisher="own"), "b": Group()}
    settings = SimpleNamespace(registry=registry.model_copy(update={"groups": groups}))
    monkeypatch.setattr("portolan.commands.serve.env", lambda: settings)
    monkeypatch.setattr("portolan.commands.serve._publisher", Child)
    publishers = Publishers(RoleWatch(RoleBoard()))
    publishers.follow()
    assert started == ["", "a"]
    settings.registry = registry.model_copy(update={"groups": {"b": Group(publisher="own")}})
    publishers.follow()
    publishers.follow()
    assert started == ["", "b"]

"""The server for the second run of database tests. Without an installed PostgreSQL, only its absence is tested."""

import os
import signal
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import psutil
import psycopg
import pytest
import with_postgres
from with_postgres import NO_SERVER, ServerError, find_binaries, main, run_server

from portolan.config.project import ROOT

from ..processes import LIMIT_S, started

BINARIES = find_binaries()
needs_server = pytest.mark.skipif(BINARIES is None, reason="PostgreSQL: no server binaries found")


@pytest.fixture
def folder() -> Iterator[Path]:
    """Return a folder that every account can enter, like that of a server's programs."""
    with tempfile.TemporaryDirectory() as name:
        Path(name).chmod(0o755)
        yield Path(name)


@pytest.fixture
def install(folder: Path) -> Callable[..., Path]:
    """Puts programs into a folder: ``install("15", initdb="exit 0")``."""

    def write(version: str, **programs: str) -> Path:
        binaries = folder / version / "bin"
        binaries.mkdir(parents=True)
        for name, script in programs.items():
            (binaries / name).write_text(f"#!/bin/sh\n{script}\n")
            (binaries / name).chmod(0o755)
        return binaries

    return write


def test_the_newest_server_is_taken(install: Callable[..., Path], folder: Path) -> None:
    for version in ("9", "15", "10"):
        install(version, initdb="", postgres="")
    install("16", psql="")  # a client alone
    assert find_binaries(path="", places=(f"{folder}/*/bin",)) == folder / "15" / "bin"


def test_a_server_on_the_path_comes_first(install: Callable[..., Path], folder: Path) -> None:
    install("15", initdb="", postgres="")
    own = install("own", initdb="", postgres="")
    links = folder / "links"
    links.mkdir()
    (links / "postgres").symlink_to(own / "postgres")
    assert find_binaries(path=str(links), places=(f"{folder}/1*/bin",)) == own


def test_its_absence_is_said_and_nothing_is_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    monkeypatch.setattr(with_postgres, "find_binaries", lambda: None)
    assert main(["touch", str(tmp_path / "run")]) == NO_SERVER
    assert "PostgreSQL: no server binaries found" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()


@pytest.mark.parametrize(
    ("initdb", "postgres", "words"),
    [("echo no room; exit 1", "", "no room"), ("", "echo FATAL: no shared memory; exit 1", "FATAL: no shared memory")],
)
def test_a_server_that_does_not_start_is_quoted(
    install: Callable[..., Path], initdb: str, postgres: str, words: str
) -> None:
    binaries = install("15", initdb=initdb, postgres=postgres)
    with pytest.raises(ServerError, match=words), run_server(binaries):
        pass


@needs_server
def test_a_server_serves_and_is_gone_afterwards() -> None:
    assert BINARIES
    with run_server(BINARIES) as url:
        with psycopg.connect(url) as connection:
            row = connection.execute("SELECT current_setting('data_directory'), current_setting('fsync')").fetchone()
            assert row
            data, fsync = row
        assert fsync == "off"
        pid = int(Path(data, "postmaster.pid").read_text().split()[0])
        assert psutil.Process(pid).uids().real != 0
    assert not Path(data).exists()
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)


@needs_server
def test_the_commands_result_is_passed_on() -> None:
    ask = "import os, sys; sys.exit(7 if os.environ['DATABASE_URL'].startswith('postgres://') else 1)"
    done = subprocess.run([sys.executable, ROOT / "scripts" / "with_postgres.py", sys.executable, "-c", ask])
    assert done.returncode == 7


@needs_server
def test_a_stopped_run_stops_its_server() -> None:
    ask = "import os; print(os.environ['DATABASE_URL'], flush=True); input()"
    command = [sys.executable, ROOT / "scripts" / "with_postgres.py", sys.executable, "-c", ask]
    with started(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as run:
        assert run.stdout
        url = run.stdout.readline().strip()
        psycopg.connect(url).close()
        run.send_signal(signal.SIGTERM)
        assert run.wait(LIMIT_S) == 128 + signal.SIGTERM
    with pytest.raises(psycopg.OperationalError):
        psycopg.connect(url)

"""Errors that the operator can fix are a sentence on the command line. Only our own mistakes are a trace."""

import errno
import os
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import psycopg
import pytest
from click.testing import CliRunner

from portolan.builds import disk
from portolan.builds.disk import write_whole
from portolan.commands import main as main_module
from portolan.commands.main import main

from ..postgres_server import BESIDE_POSTGRES, has_postgres
from ..processes import run_program


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (
            OSError(errno.ENOSPC, "No space left on device", "/var/builds/x~"),
            ["The disk is full (/var/builds/x~)", "Free some disk space"],
        ),
        (OSError(errno.EDQUOT, "Quota exceeded"), ["The disk is full.", "Free some disk space"]),
        (sqlite3.OperationalError("no such table: releases_release"), ["lacks tables", "`portolan upgrade`"]),
        (psycopg.OperationalError("connection refused"), ["cannot be reached (connection refused)", "DATABASE_URL"]),
    ],
)
def test_is_a_sentence(error: Exception, words: list[str], monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def command() -> None:
        raise error

    monkeypatch.setattr(main_module, "import_module", lambda name: type("Module", (), {"command": command}))
    done = CliRunner().invoke(main, ["verify"])
    assert done.exit_code == 1
    for word in words:
        assert word in done.output
    assert "Traceback" not in done.output


def test_what_nobody_foresaw_keeps_its_trace(monkeypatch: pytest.MonkeyPatch) -> None:
    @click.command()
    def command() -> None:
        raise ValueError("ours")

    monkeypatch.setattr(main_module, "import_module", lambda name: type("Module", (), {"command": command}))
    assert isinstance(CliRunner().invoke(main, ["verify"]).exception, ValueError)


def test_a_full_disk_leaves_the_old_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = tmp_path / "live.json"
    file.write_bytes(b"old")

    def fail(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    monkeypatch.setattr(disk.os, "write", fail)
    with pytest.raises(OSError, match="No space left"):
        write_whole(str(file), b"new", 0o644)
    assert file.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [file]


def run(arguments: list[str], var: Path, *before: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    return run_program(
        [*before, sys.executable, "-c", "from portolan.commands.main import main; main()", *arguments],
        env={**os.environ, "PORTOLAN_VAR_DIR": str(var), **variables},
        timeout_s=120,
    )


@pytest.mark.skipif(not has_postgres(), reason="PostgreSQL: no server binaries found")
@pytest.mark.parametrize("arguments", [["publish"], ["releases", "list"], ["leads", "destinations"]], ids=" ".join)
def test_a_postgres_nobody_migrated(arguments: list[str], tmp_path: Path) -> None:
    done = run(arguments, tmp_path, sys.executable, str(BESIDE_POSTGRES))
    assert done.returncode == 1
    assert "The database lacks tables that this version needs" in done.stderr
    assert "Create them with `portolan upgrade`" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_postgres_that_is_down_is_said_within_seconds(tmp_path: Path) -> None:
    done = run(["releases", "list"], tmp_path, DATABASE_URL="postgres://nobody:secret@127.0.0.1:1/none")
    assert done.returncode == 1
    assert "The database cannot be reached" in done.stderr
    assert "secret" not in done.stderr


@pytest.fixture
def no_psutil(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    from portolan_dev.commands import bench_build

    monkeypatch.setattr(bench_build, "find_spec", lambda name: None)
    yield


@pytest.mark.usefixtures("no_psutil")
def test_bench_build_says_what_it_lacks() -> None:
    done = CliRunner().invoke(main, ["bench-build"])
    assert done.exit_code == 1
    assert "psutil is not installed" in done.output
    assert "Install the developer's tools: `make bench-build`" in done.output

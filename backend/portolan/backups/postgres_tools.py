"""Run PostgreSQL's programs for dumps: find a matching one, and pass the password."""

import os
import re
import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final, Literal, NamedTuple

import psycopg
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from ..releases.postgres_limits import LIMITS
from .problem import BackupError

Tool = Literal["pg_dump", "pg_restore"]
_PLACES: Final = ("/usr/lib/postgresql", "/usr/local/pgsql", "/opt/homebrew/opt")
_SHOWN: Final = 5


class Program(NamedTuple):
    path: str
    major: int


def connect(url: str) -> "psycopg.Connection[tuple[object, ...]]":
    return psycopg.connect(url, **LIMITS)


def find_program(tool: Tool, server: int) -> Program:
    """Return the oldest program of the server's major version or newer. Raise BackupError if there is none.

    Tools of a dump's version or newer can restore it.
    """
    programs = sorted(_find_all(tool), key=lambda each: each.major)
    for program in programs:
        if program.major >= server:
            return program
    there = f"Only {tool} {programs[-1].major} is installed" if programs else f"{tool} is not installed"
    raise BackupError(
        f"{there}, but PostgreSQL {server} needs version {server} or newer. Nothing was backed up or restored. "
        f"Install it: `apt-get install postgresql-client-{server}`"
    )


def run(program: Program, url: str, arguments: Sequence[str], output: Path | None = None) -> None:
    """Run the program. Raise BackupError with its output. The password is in its environment, hidden from other users."""
    target, secret = _split(url)
    command = [program.path, f"--dbname={target}", "--no-password", *arguments]
    if output is not None:
        command.append(f"--file={output}")
    _run(program, command, {**os.environ, **secret, "PGCONNECT_TIMEOUT": "10"})


def try_dump(program: Program, dump: Path) -> None:
    """Unpack a whole dump as a restore does, and discard the output. Raise BackupError."""
    _run(program, [program.path, f"--file={os.devnull}", str(dump)], os.environ)


def _run(program: Program, command: Sequence[str], environment: Mapping[str, str]) -> None:
    done = subprocess.run(command, env=environment, capture_output=True, text=True, errors="replace")
    if done.returncode:
        said = "\n  ".join(done.stderr.strip().splitlines()[-_SHOWN:])
        raise BackupError(
            f"{Path(program.path).name} {program.major} failed. Nothing was backed up or restored:\n  {said}"
        )


def major_of(connection: "psycopg.Connection[tuple[object, ...]]") -> int:
    return connection.info.server_version // 10_000


def _find_all(tool: Tool) -> list[Program]:
    paths = [found] if (found := shutil.which(tool)) else []
    for place in _PLACES:
        paths += [str(path) for path in Path(place).glob(f"*/bin/{tool}")]
    programs = []
    for path in dict.fromkeys(paths):
        said = subprocess.run([path, "--version"], capture_output=True, text=True).stdout
        if number := re.search(r"(\d+)", said):
            programs.append(Program(path, int(number[1])))
    return programs


def _split(url: str) -> tuple[str, Mapping[str, str]]:
    parameters = {name: str(value) for name, value in conninfo_to_dict(url).items() if value is not None}
    password = parameters.pop("password", None)
    return make_conninfo("", **parameters), {"PGPASSWORD": password} if password else {}

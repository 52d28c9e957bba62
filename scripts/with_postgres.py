"""Run a command with a PostgreSQL server of its own: `with_postgres.py COMMAND …`, which finds it in DATABASE_URL.

The server uses a temporary folder, listens only on a socket in it, and stops when the command ends. It is for tests and
does not flush to the disk. PostgreSQL refuses to run as root, so it runs as `postgres`, else as `nobody`.
`with_postgres.py --find` prints the folder of the binaries, or fails if they are missing.
"""

import contextlib
import os
import pwd
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import psycopg

NO_SERVER: Final = 69  # sysexits.h: a service is not there
PLACES: Final = (
    "/usr/lib/postgresql/*/bin",  # Debian
    "/usr/pgsql-*/bin",  # the PostgreSQL project's own packages for Red Hat
    "/opt/homebrew/opt/postgresql*/bin",
    "/usr/local/opt/postgresql*/bin",
)
_PROGRAMS: Final = ("initdb", "postgres")
_ACCOUNTS: Final = ("postgres", "nobody")
_OPTIONS: Final = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off", "listen_addresses": ""}
_START_LIMIT_S: Final = 60
_STOP_LIMIT_S: Final = 30


class ServerError(Exception):
    """PostgreSQL did not come up."""


def main(arguments: list[str]) -> int:
    binaries = find_binaries()
    if binaries is None:
        print(f"PostgreSQL: no server binaries found, neither on PATH nor in {', '.join(PLACES)}.", file=sys.stderr)
        return NO_SERVER
    if arguments == ["--find"]:
        print(binaries)
        return 0
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(128 + signal.SIGTERM))  # so that the server is stopped then too
    try:
        with run_server(binaries) as url:
            return subprocess.run(arguments, env={**os.environ, "DATABASE_URL": url}).returncode
    except ServerError as error:
        print(error, file=sys.stderr)
        return 1


def find_binaries(path: str | None = None, places: tuple[str, ...] = PLACES) -> Path | None:
    """Return the folder of the newest server's programs: those on PATH first."""
    found = shutil.which("postgres", path=path)
    # The target of the link has all programs.
    candidates = [Path(found).resolve().parent] if found else []
    for place in places:
        candidates += sorted(Path("/").glob(place.removeprefix("/")), key=_version, reverse=True)
    return next((folder for folder in candidates if all((folder / name).exists() for name in _PROGRAMS)), None)


@contextlib.contextmanager
def run_server(binaries: Path) -> Iterator[str]:
    """Yield a running server's URL, valid during the block. Raise ServerError with the server's last output."""
    account = _unprivileged_account()
    with tempfile.TemporaryDirectory(prefix="portolan-postgres-") as name:
        folder = Path(name)
        if "user" in account:
            shutil.chown(folder, account["user"], account["group"])
        data, log = folder / "data", folder / "log"
        _init(binaries, data, account)
        options = [part for key, value in _OPTIONS.items() for part in ("-c", f"{key}={value}")]
        with log.open("wb") as output:
            server = subprocess.Popen(
                [binaries / "postgres", "-D", data, "-k", folder, *options],
                stdin=subprocess.DEVNULL,
                stdout=output,
                stderr=subprocess.STDOUT,
                cwd=folder,
                start_new_session=True,  # Ctrl-C is the command's; the server is stopped after it
                **account,
            )
        try:
            url = f"postgres://postgres@{quote(name, safe='')}/postgres"
            _wait(server, url, log)
            yield url
        finally:
            stop(server)


def stop(server: subprocess.Popen[bytes]) -> None:
    """Stop the server in order, or at once after a time limit."""
    for number in (signal.SIGINT, signal.SIGQUIT, signal.SIGKILL):  # "fast": open connections are cut; "immediate"
        server.send_signal(number)
        with contextlib.suppress(subprocess.TimeoutExpired):
            server.wait(_STOP_LIMIT_S)
            return


def _version(folder: Path) -> list[int]:
    return [int(part) for part in "".join(c if c.isdigit() else " " for c in str(folder)).split()]


def _unprivileged_account() -> dict[str, Any]:
    """Return arguments that make ``subprocess`` run a program as another user, if this is root."""
    if os.geteuid() != 0:
        return {}
    for name in _ACCOUNTS:
        with contextlib.suppress(KeyError):
            entry = pwd.getpwnam(name)
            return {"user": entry.pw_uid, "group": entry.pw_gid, "extra_groups": []}
    raise ServerError(f"PostgreSQL does not run as root, and there is no account {' or '.join(_ACCOUNTS)}; make one.")


def _init(binaries: Path, data: Path, account: dict[str, Any]) -> None:
    command = [
        binaries / "initdb",
        "-D",
        data,
        "-U",
        "postgres",
        "-A",
        "trust",
        "-E",
        "UTF8",
        "--locale=C",
        "--no-sync",
    ]
    done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, cwd="/", **account)
    if done.returncode:
        raise ServerError(f"initdb could not make a database cluster in {data}:\n{done.stdout}{done.stderr}")


def _wait(server: subprocess.Popen[bytes], url: str, log: Path) -> None:
    deadline = time.monotonic() + _START_LIMIT_S
    while True:
        try:
            psycopg.connect(url).close()
            return
        except psycopg.OperationalError:
            if server.poll() is not None or time.monotonic() > deadline:
                words = log.read_text(encoding="utf-8", errors="replace")[-2000:]
                raise ServerError(f"PostgreSQL did not start within {_START_LIMIT_S} s. It said:\n{words}") from None
        time.sleep(0.05)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

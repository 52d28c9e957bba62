"""A PostgreSQL server for tests that stop it: killed with all its processes, and restarted."""

import contextlib
import os
import shlex
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import unquote, urlsplit

from scripts.with_postgres import find_binaries

from .processes import LIMIT_S, wait_until

ROOT = Path(__file__).resolve().parents[2]
BESIDE_POSTGRES = ROOT / "scripts" / "with_postgres.py"


def has_postgres() -> bool:
    return find_binaries() is not None


def data_folder(url: str) -> Path:
    """Return the folder of the server that `scripts/with_postgres.py` has started."""
    return Path(unquote(urlsplit(url).hostname or "")) / "data"


def kill(data: Path) -> None:
    postmaster = int((data / "postmaster.pid").read_text().split()[0])
    children = subprocess.run(["ps", "-o", "pid=", "--ppid", str(postmaster)], capture_output=True, text=True).stdout
    for process in (postmaster, *map(int, children.split())):
        with contextlib.suppress(ProcessLookupError):
            os.kill(process, signal.SIGKILL)


@contextlib.contextmanager
def started_again(data: Path) -> Iterator[None]:
    """Run a server during the block. It refuses to start while processes of a killed one are ending, so repeat until it
    starts.
    """
    server = _start(data)

    def has_started() -> bool:
        nonlocal server
        if server.poll() is not None:
            server = _start(data)
        return any(data.parent.glob(".s.PGSQL.*"))

    wait_until(has_started)
    try:
        yield
    finally:
        server.send_signal(signal.SIGINT)
        try:
            server.wait(LIMIT_S)
        finally:
            server.kill()


def _start(data: Path) -> "subprocess.Popen[bytes]":
    # The killed server may still be a zombie, so its process id seems to be in use.
    for left in (data / "postmaster.pid", *data.parent.glob(".s.PGSQL.*")):
        left.unlink(missing_ok=True)
    owner = data.stat()
    account = {} if os.geteuid() else {"user": owner.st_uid, "group": owner.st_gid, "extra_groups": []}
    command = shlex.split((data / "postmaster.opts").read_text())
    return subprocess.Popen(  # type: ignore[call-overload,no-any-return]
        command,
        cwd=data.parent,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        start_new_session=True,
        **account,
    )

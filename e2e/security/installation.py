"""The whole on one machine, as its unit starts it, and started again as its unit says when it ends."""

import os
import re
import shlex
import signal
import sqlite3
import subprocess
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Final

import orjson

from portolan.config.empty_database import begin_database
from portolan_dev.ports import free_port
from tests.processes import PORTOLAN
from tests.small_installation import write_large_picture, write_live_page

from ..faults import wait_until
from ..product import NO_LIMITS, answers
from ..seeded import ROOT, copy_to
from .kept_socket import KeptSocket

UNIT: Final = ROOT / "deploy" / "systemd" / "portolan.service"
_PAGE: Final = b"<!doctype html><title>Home</title>" + b"<p>Containers, quays and cranes.</p>" * 500


class Installation:
    """An installation with one page on en and a large image, or with the data of ``seeded``."""

    def __init__(
        self, var: Path, options: Sequence[str], variables: Mapping[str, str], seeded: Path | None = None
    ) -> None:
        """``options``: additional options of the command. ``variables``: additional environment variables."""
        self.var, self.port, self._options = var, free_port(), options
        own = {"PORTOLAN_VAR_DIR": str(var), "PORTOLAN_PORT": str(self.port)}
        self.environment = {**os.environ, **NO_LIMITS, **own, **variables}
        self.log = var / "log"
        self.starts = 0
        if seeded:
            copy_to(var, seeded)
        else:
            write_live_page(var, self.port, _PAGE)
            write_large_picture(var)
            assert begin_database(var / "portolan.sqlite3", "en")
        self._ended = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep_running)

    @property
    def host(self) -> str:
        return f"localhost:{self.port}"

    @property
    def studio(self) -> str:
        return f"studio.localhost:{self.port}"

    def processes(self) -> dict[str, list[int]]:
        """Return the ids of the processes that serve or work, by their task."""
        assert self._process
        found: dict[str, list[int]] = {"server": [self._process.pid], "worker": []}
        for child in _children(self._process.pid):
            words = _words(child)
            if "publisher" in words:
                found.setdefault("publisher", []).append(child)
            elif _name(child) == "django" or any("application_server" in word for word in words):
                found.setdefault("django", []).append(child)
                for role in _children(child):
                    found.setdefault(_name(role), []).append(role)
            else:
                found["worker"].append(child)
        for publisher in found.get("publisher", ()):
            if release_workers := [
                child for child in _children(publisher) if "portolan.commands.release_worker" in _words(child)
            ]:
                found["release worker"] = release_workers
        return found

    def leads(self) -> list[str]:
        """Messages of all that are stored."""
        with closing(sqlite3.connect(self.var / "portolan.sqlite3")) as database:
            rows = database.execute("SELECT fields FROM leads_lead").fetchall()
        return [orjson.loads(fields)["message"] for (fields,) in rows]

    def spooled(self) -> int:
        return len([*(self.var / "leads/spool").glob("*.json")])

    def start(self) -> None:
        self._thread.start()

    def end(self) -> None:
        self._ended.set()
        if self._process:
            self._process.send_signal(signal.SIGTERM)
        self._thread.join()

    def reload(self) -> None:
        """Have its workers replaced, as it does by itself when the registry has changed."""
        assert self._process
        self._process.send_signal(signal.SIGHUP)

    def _keep_running(self) -> None:
        """As systemd does."""
        text = UNIT.read_text()
        command, pause = (re.search(rf"(?m)^{name}=(.*)$", text) for name in ("ExecStart", "RestartSec"))
        assert command
        assert pause
        assert "FileDescriptorStoreMax=1" in text
        arguments = [*shlex.split(command[1])[1:], *self._options]
        kept = KeptSocket(self.var / "notify")
        while not self._ended.is_set():
            told = kept.environment()
            with self.log.open("ab") as output:
                self._process = subprocess.Popen(
                    kept.command([*PORTOLAN, *arguments]),
                    env={**self.environment, **told},
                    pass_fds=kept.files,
                    stdin=subprocess.DEVNULL,
                    stdout=output,
                    stderr=output,
                    start_new_session=True,
                )
            self.starts += 1
            self._process.wait()
            self._ended.wait(float(pause[1]))
        kept.close()


@contextmanager
def installed(folder: Path, *options: str, seeded: Path | None = None, **variables: str) -> Iterator[Installation]:
    """Served when the block begins, Django too."""
    installation = Installation(folder, options, variables, seeded)
    installation.start()
    try:
        wait_until(lambda: is_loaded(installation), lambda: f"it serves: {installation.log.read_text()[-4000:]}")
        yield installation
    finally:
        installation.end()


def is_loaded(installation: Installation) -> bool:
    url = f"http://127.0.0.1:{installation.port}"
    return answers(f"{url}/", host=installation.host) and answers(f"{url}/admin/login/", host=installation.studio)


def _children(pid: int) -> list[int]:
    """Of all its threads: a companion is started by one of its own."""
    try:
        tasks = [*Path(f"/proc/{pid}/task").iterdir()]
        return [int(child) for task in tasks for child in (task / "children").read_text().split()]
    except OSError:
        return []


def _name(pid: int) -> str:
    """Return a process's own name."""
    try:
        return Path(f"/proc/{pid}/comm").read_text().strip().removeprefix("portolan-")
    except OSError:
        return "gone"


def _words(pid: int) -> list[str]:
    try:
        return Path(f"/proc/{pid}/cmdline").read_text().replace("'", "").split("\0")
    except OSError:
        return []

"""What systemd does on a machine: starts units, starts those again that end, and takes `systemctl`'s word."""

import json
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

from .disk import DRILL
from .machine import Machine
from .units import Unit, as_service, read_unit

_SOCKET: Final = "/run/supervisor"
_SYSTEMCTL: Final = f"""\
#!/usr/bin/python3
import json, socket, sys
with socket.socket(socket.AF_UNIX) as link:
    link.connect("{_SOCKET}")
    link.sendall(json.dumps(sys.argv[1:]).encode() + b"\\n")
    said = link.makefile().read()
if said:
    sys.exit(said)
"""


class Service:
    """One unit on one machine, from its start to its stop, however often it ends in between."""

    def __init__(self, machine: Machine, name: str) -> None:
        self.machine, self.name = machine, name
        self.unit: Unit = read_unit(machine, name)
        self.log = DRILL / "logs" / f"{machine.name}-{name}.log"
        self.starts = 0
        self._ended = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep, daemon=True)
        self._thread.start()

    @property
    def pid(self) -> int:
        assert self._process
        return self._process.pid

    @property
    def is_running(self) -> bool:
        return self._process is not None and self._process.poll() is None

    def _keep(self) -> None:
        while not self._ended.is_set():
            with self.log.open("ab") as output:
                self._process = self.machine.start(as_service(self.unit), output)
            self.starts += 1
            self._process.wait()
            kill_group(self._process.pid, signal.SIGKILL)  # what it has left behind, as systemd does
            if self.unit.restart_s is None:
                return
            self._ended.wait(self.unit.restart_s)

    def stop(self) -> None:
        self._ended.set()
        if self._process is not None:
            stop_signal = signal.SIGINT if self.name == "postgresql" else signal.SIGTERM
            kill_group(self._process.pid, stop_signal)
            try:
                self._process.wait(self.unit.stop_s)
            except subprocess.TimeoutExpired as late:
                kill_group(self._process.pid, signal.SIGKILL)
                raise AssertionError(f"{self.name} on {self.machine.name} does not end when it is asked to") from late
        self._thread.join()

    def reload(self) -> None:
        assert self.unit.reload, f"{self.name} cannot be reloaded"
        self.machine.run(" ".join(self.unit.reload))


class Supervisor:
    def __init__(self, machine: Machine) -> None:
        self.machine = machine
        self.services: dict[str, Service] = {}
        machine.write("/usr/local/bin/systemctl", _SYSTEMCTL)
        machine.path("/usr/local/bin/systemctl").chmod(0o755)
        self._server = socket.socket(socket.AF_UNIX)
        self._server.bind(str(machine.path(_SOCKET)))
        self._server.listen()
        threading.Thread(target=self._answer, daemon=True).start()

    def _answer(self) -> None:
        while True:
            try:
                link, _ = self._server.accept()
            except OSError:
                return
            with link, link.makefile("rw") as file:
                try:
                    self.obey(json.loads(file.readline()))
                except Exception as error:
                    file.write(f"{type(error).__name__}: {error}")

    def obey(self, words: list[str]) -> None:
        verb, *names = [word for word in words if not word.startswith("-")]
        for name in names:
            service = self.services.get(name)
            if verb in ("stop", "restart", "disable") and service:
                self.services.pop(name).stop()
            if verb == "reload" and service:
                service.reload()
            elif verb in ("start", "restart", "enable") and name not in self.services:
                self.services[name] = Service(self.machine, name)

    def end(self) -> None:
        for name in [*self.services]:
            self.services.pop(name).stop()
        self._server.close()


def kill_group(leader: int, with_signal: signal.Signals) -> None:
    try:
        os.killpg(leader, with_signal)
    except ProcessLookupError:
        return


def children(pid: int) -> list[int]:
    """All of its descendants, from the nearest on."""
    found: list[int] = []
    left = [pid]
    while left:
        parent = left.pop()
        try:
            mine = [int(number) for number in Path(f"/proc/{parent}/task/{parent}/children").read_text().split()]
        except OSError:
            continue
        found += mine
        left += mine
    return found


def command_line(pid: int) -> str:
    try:
        return Path(f"/proc/{pid}/cmdline").read_bytes().replace(b"\0", b" ").decode(errors="replace").strip()
    except OSError:
        return ""


def wait_until(happened: Callable[[], bool], what: str | Callable[[], str], within_s: float = 180) -> float:
    """Returns how many seconds it took."""
    began = time.monotonic()
    while not happened():
        if time.monotonic() - began > within_s:
            raise AssertionError(f"not within {within_s:.0f} s: {what() if callable(what) else what}")
        time.sleep(0.02)
    return time.monotonic() - began

"""A stand-in for systemd on a machine: starts and restarts units, and accepts `systemctl` commands."""

import fcntl
import json
import os
import signal
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Final

from .disk import DRILL
from .machine import Machine
from .units import Kept, Unit, as_service, read_unit

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
    """One unit on one machine, from its start to its stop, however often it ends in between. ``store``: of the one before it."""

    def __init__(self, machine: Machine, name: str, store: "SocketStore | None" = None) -> None:
        self.machine, self.name = machine, name
        self.unit: Unit = read_unit(machine, name)
        self.store = store or (SocketStore(machine, name) if self.unit.keeps_socket else None)
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
            kept = self.store.kept if self.store else None
            command = as_service(self.unit, self.store.address if self.store else "", kept)
            with self.log.open("ab") as output:
                self._process = self.machine.start(command, output, pass_fds=[kept.file] if kept else [])
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
            if self.unit.ends_by_itself:
                self._process.send_signal(stop_signal)
            else:
                kill_group(self._process.pid, stop_signal)
            try:
                self._process.wait(self.unit.stop_s)
            except subprocess.TimeoutExpired as late:
                kill_group(self._process.pid, signal.SIGKILL)
                raise AssertionError(f"{self.name} on {self.machine.name} does not end when it is asked to") from late
        self._thread.join()

    def let_end(self) -> None:
        """It is not started again."""
        self._ended.set()

    def reload(self) -> None:
        assert self.unit.reload, f"{self.name} cannot be reloaded"
        self.machine.run(" ".join(self.unit.reload))


class SocketStore:
    """The state that a service leaves to its next process, by systemd's protocol."""

    def __init__(self, machine: Machine, name: str) -> None:
        self.address = f"/run/notify-{name}"
        self.kept: Kept | None = None
        self._link = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        place = machine.path(self.address)
        place.unlink(missing_ok=True)
        self._link.bind(str(place))
        place.chmod(0o777)
        threading.Thread(target=self._listen, daemon=True).start()

    def _listen(self) -> None:
        while True:
            try:
                said, files, _, _ = socket.recv_fds(self._link, 4096, 4)
            except OSError:
                return
            if not said:
                return
            words = dict(line.partition("=")[::2] for line in said.decode().splitlines())
            if "FDSTOREREMOVE" in words:
                self._drop()
            elif words.get("FDSTORE") and not self.kept:
                # A number that no shell gives away.
                self.kept = Kept(words["FDNAME"], fcntl.fcntl(files[0], fcntl.F_DUPFD_CLOEXEC, 20))
            for file in files:
                os.close(file)

    def _drop(self) -> None:
        if self.kept:
            os.close(self.kept.file)
            self.kept = None

    def close(self) -> None:
        self._drop()
        self._link.shutdown(socket.SHUT_RDWR)
        self._link.close()


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
                self._stop(name, keeps=verb == "restart")
            if verb == "reload" and service:
                service.reload()
            elif verb in ("start", "restart", "enable") and name not in self.services:
                self.services[name] = Service(self.machine, name, service.store if service else None)

    def _stop(self, name: str, keeps: bool = False) -> None:
        service = self.services.pop(name)
        service.stop()
        if service.store and not keeps:
            service.store.close()

    def lose_power(self) -> None:
        for service in self.services.values():
            service.let_end()
        self._server.close()
        for process in self.machine.processes():
            with suppress(ProcessLookupError):
                os.kill(process, signal.SIGKILL)

    def end(self) -> None:
        for name in [*self.services]:
            self._stop(name)
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

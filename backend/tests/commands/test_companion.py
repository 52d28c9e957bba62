"""The start of a companion, and copies of the process at that moment."""

import sys

from ..processes import run_program

PROGRAM = """
import os, threading, time

class Watched:
    "A lock that tells whether a thread waits for it."

    def __init__(self):
        self.lock, self.is_waited_for = make_lock(), False

    def acquire(self, *given, **named):
        if not self.lock.acquire(False):
            self.is_waited_for = True
            return self.lock.acquire(*given, **named)
        return True

    def release(self):
        self.lock.release()

    def __enter__(self):
        self.acquire()

    def __exit__(self, *_):
        self.release()

make_lock, threading.Lock = threading.Lock, Watched
from portolan.commands import companion
threading.Lock = make_lock
is_open, is_over = threading.Event(), threading.Event()
pipe = []

class Starting:
    "Replaces subprocess. Like the real one it has a pipe open while it starts a program."

    DEVNULL = -3

    def Popen(self, *given, **named):
        pipe.extend(os.pipe())
        is_open.set()
        while not (is_over.is_set() or companion._starting.is_waited_for):
            time.sleep(0.01)
        for end in pipe:
            os.close(end)
        return self

    def poll(self):
        return None

    def send_signal(self, number):
        is_over.set()

    def wait(self):
        is_over.wait()
        return 0

    terminate = kill = wait

def is_pipe_open():
    try:
        os.fstat(pipe[0])
    except OSError:
        return False
    return True

companion.subprocess = Starting()
started = companion.Companion("publisher", ["publisher"], "Nothing is published.")
started.start()
is_open.wait()
copy = os.fork()
if copy == 0:
    os._exit(is_pipe_open())
is_over.set()
_, status = os.waitpid(copy, 0)
started.stop()
print("open" if status else "closed")
"""


def test_no_copy_of_the_process_has_the_pipe_that_starts_a_companion() -> None:
    """The start would wait for the copy in a server's worker and would miss the companion's end."""
    done = run_program([sys.executable, "-c", PROGRAM])
    assert done.stdout == "closed\n", done.stderr

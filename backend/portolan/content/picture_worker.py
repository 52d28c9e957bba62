"""Decode and encode images in a separate process, one at a time.

An image may need a lot of memory and time, and decoders may have security bugs. So the process has limits and no
secrets. It stays for a minute, because starting it takes as long as an image.

Protocol by pipe: a line of JSON (task, values, length of the image), then the image. The reply is a line of JSON (size
and lengths of the files, or the problem), then the files.
"""

import atexit
import json
import os
import resource
import select
import subprocess
import sys
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from typing import IO, Any, Final

from .picture_files import Box, EncodedPicture, UnusablePicture, check_picture, crop_picture, encode_picture

_MOST_MEMORY: Final = 1 << 30
_LIMIT_S: Final = 120.0
"""The largest image takes 15 s on an idle machine."""
_IDLE_S: Final = 60.0
_ENDS_WITHIN_S: Final = 5.0
_TASKS: Final[Mapping[str, Callable[..., EncodedPicture]]] = {
    task.__name__: task for task in (encode_picture, check_picture, crop_picture)
}
_WAS_IDLE: Final = 0
_IS_EXHAUSTED: Final = 3
_TOO_MUCH: Final = "it needs too much memory or time. Make it smaller"


class PictureWorker:
    """A handle on the process, which is started on demand."""

    def __init__(self, limit_s: float = _LIMIT_S, most_memory: int = _MOST_MEMORY) -> None:
        self._limit_s = limit_s
        self._most_memory = most_memory
        self._alone = threading.Lock()
        self._process: subprocess.Popen[bytes] | None = None
        self._owner = 0

    def encode(self, data: bytes) -> EncodedPicture:
        """Return the files of ``encode_picture``. Raise UnusablePicture for every failure."""
        return self._run(encode_picture, data)

    def check(self, data: bytes) -> None:
        """Run ``check_picture``. Raise UnusablePicture for every failure."""
        self._run(check_picture, data)

    def crop(self, data: bytes, box: Box) -> EncodedPicture:
        """Return the result of ``crop_picture``. Raise UnusablePicture for every failure."""
        return self._run(crop_picture, data, box)

    def _run(self, task: Callable[..., EncodedPicture], data: bytes, *values: Any) -> EncodedPicture:
        head = json.dumps([task.__name__, values, len(data)]).encode() + b"\n"
        with self._alone:
            while True:
                process = self._running() or self._start()
                if (found := self._ask(process, head + data)) is not None:
                    return found
                try:
                    code = process.wait(_ENDS_WITHIN_S)
                except subprocess.TimeoutExpired:  # it sent an unexpected reply
                    process.kill()
                    code = process.wait()
                if code != _WAS_IDLE:
                    raise UnusablePicture(_TOO_MUCH)

    def stop(self) -> None:
        process, self._process = self._process, None
        if process is not None and self._owner == os.getpid():
            process.kill()
            process.communicate()

    def _running(self) -> "subprocess.Popen[bytes] | None":
        """Return the running process, unless it belongs to the parent of a forked process."""
        process = self._process if self._owner == os.getpid() else None
        return process if process and process.poll() is None else None

    def _start(self) -> "subprocess.Popen[bytes]":
        self.stop()
        self._owner = os.getpid()
        self._process = subprocess.Popen(
            [sys.executable, "-m", __name__, str(self._most_memory)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env={"PATH": os.environ.get("PATH", ""), "LC_ALL": "C.UTF-8"},
            start_new_session=True,
        )
        return self._process

    def _ask(self, process: "subprocess.Popen[bytes]", request: bytes) -> EncodedPicture | None:
        """Return the reply, or None if the process ended: it was idle, ran out of memory or was killed for taking too
        long."""
        assert process.stdin
        assert process.stdout
        watch = threading.Timer(self._limit_s, process.kill)
        watch.start()
        try:
            process.stdin.write(request)
            process.stdin.flush()
            found = json.loads(process.stdout.readline())
            if "problem" in found:
                raise UnusablePicture(found["problem"])
            return _read_files(found, process.stdout)
        except (OSError, ValueError):
            return None
        finally:
            watch.cancel()


def _read_files(found: Mapping[str, Any], answer: IO[bytes]) -> EncodedPicture:
    files = {name: answer.read(length) for name, length in found["files"]}
    if any(len(files[name]) != length for name, length in found["files"]):
        raise ValueError("the reply is incomplete")
    width, height = found["size"]
    return EncodedPicture(width, height, files)


WORKER: Final = PictureWorker()
"""The worker of this process."""
atexit.register(WORKER.stop)


def main() -> None:
    with suppress(OSError):
        os.nice(5)
    most = int(sys.argv[1])
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    asked, answers = open(0, "rb"), open(1, "wb")  # noqa: SIM115
    while select.select([asked], [], [], _IDLE_S)[0] and (head := asked.readline()):
        task, values, length = json.loads(head)
        data = asked.read(length)
        try:
            made = _TASKS[task](data, *(Box(*box) for box in values))
        except MemoryError:
            os._exit(_IS_EXHAUSTED)
        except Exception as error:  # an error of any decoder
            said = str(error) if isinstance(error, UnusablePicture) else f"it cannot be decoded ({error})"
            answers.write(json.dumps({"problem": said}).encode() + b"\n")
        else:
            files = [(name, len(each)) for name, each in made.files.items()]
            answers.write(json.dumps({"size": made[:2], "files": files}).encode() + b"\n")
            for each in made.files.values():
                answers.write(each)
        answers.flush()


if __name__ == "__main__":
    main()

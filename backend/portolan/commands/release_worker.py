"""The release worker: change the database for a publish, with Django and the content models.

Commands that end by themselves use it in their own process. A publisher that keeps running starts it as a process
(``python -m portolan.commands.release_worker``; ``release_worker_process.py`` is the publisher's side). The process answers requests
one by one until the publisher closes the connection.
"""

import json
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import UTC, date, datetime
from typing import Any

from ..builds.disk import explain_full_disk, name_error
from ..config.env import env
from ..config.processes import end_with_parent
from ..config.start_django import count_queries_as_work, start_django
from ..observing.work_pulse import WorkPulse
from ..publisher.priority import PUBLISHING, give_way
from ..releases.database_errors import find_trouble
from ..sites.load import use_registry
from ..sites.registry import Registry
from .release_making import ReleaseWorker
from .release_worker_process import mark_of_code


class DjangoReleaseWorker:
    """A ``ReleaseWorker`` in this process. Loads Django at the first call."""

    def load(self) -> None:
        start_django()
        from ..releases import create, schedule  # noqa: F401  (also loads the content models)

    def run_schedule(self, now: datetime) -> list[str]:
        with self._connected():
            from ..releases.schedule import run_schedule

            return run_schedule(now)

    def create_release(self, today: date) -> None:
        with self._connected():
            from ..content.pictures import publish_left_over
            from ..releases.create import create_release

            publish_left_over()
            create_release("publisher", today)

    def note_everything(self) -> None:
        with self._connected():
            from ..content.export import all_item_keys
            from ..releases.changes import note_changes

            note_changes(all_item_keys())

    def tidy(self, before: int | None) -> None:
        with self._connected():
            from ..retention.guard import remove_overdue
            from .retention import old_releases

            if before:
                remove_overdue(old_releases(before), datetime.now(UTC))

    def settle(self, request: int, problem: str) -> None:
        with self._connected():
            from ..releases.live_requests import settle

            settle(request, problem)

    @contextmanager
    def _connected(self) -> Iterator[None]:
        """Use a new connection, because an old one may be dead, and close it afterwards."""
        self.load()
        from django.db import close_old_connections

        close_old_connections()
        yield
        close_old_connections()


def answer_requests(
    release_worker: ReleaseWorker, requests: Iterable[bytes], send: Callable[[bytes], None], refusal: str = ""
) -> None:
    """Answer until the publisher disconnects. With ``refusal``, reply only with this reason."""
    for request in requests:
        reply = {"refused": refusal} if refusal else _answer(release_worker, json.loads(request))
        try:
            send(json.dumps(reply).encode() + b"\n")
        except ConnectionError:
            return


class _Speaker:
    """Send replies, and an empty line each second while the main thread works."""

    def __init__(self, send: Callable[[bytes], None]) -> None:
        self._send = send
        self._alone = threading.Lock()
        self._is_busy = True
        """True at first, while the content models load."""
        WorkPulse(self._tell).start()

    def reply(self, line: bytes) -> None:
        with self._alone:
            self._is_busy = False
            self._send(line)

    def hear(self, requests: Iterable[bytes]) -> Iterator[bytes]:
        """Yield the requests until the publisher disconnects.

        If it has not read all signs of life, the connection is reset.
        """
        self._is_busy = False
        with suppress(ConnectionError):
            for request in requests:
                self._is_busy = True
                yield request

    def _tell(self) -> None:
        with self._alone, suppress(ConnectionError):
            if self._is_busy:
                self._send(b"\n")


def _answer(release_worker: ReleaseWorker, request: Mapping[str, Any]) -> dict[str, Any]:
    try:
        return {"done": _do(release_worker, **request)}
    except Exception as error:  # the publisher decides how to handle it
        return _describe(error)


def _do(release_worker: ReleaseWorker, do: str, **given: Any) -> Any:
    match do:
        case "run_schedule":
            return release_worker.run_schedule(datetime.fromisoformat(given["now"]))
        case "create_release":
            return release_worker.create_release(date.fromisoformat(given["today"]))
        case "note_everything":
            return release_worker.note_everything()
        case "tidy":
            return release_worker.tidy(given["before"])
        case "settle":
            return release_worker.settle(given["request"], given["problem"])
    raise ValueError(f"Unknown request to the release worker: {do!r}.")


def _describe(error: Exception) -> dict[str, Any]:
    """Return the kind of error for the publisher. Unpickling Django's exceptions would load Django there."""
    if trouble := find_trouble(error):
        return {"trouble": [*trouble]}
    if type(error).__name__ == "MediaAway":  # by name, because its module loads Django
        return {"refused": f"{error} Until then, pending changes wait."}
    if explain_full_disk(error) and isinstance(error, OSError):
        return {"full_disk": [error.errno, error.strerror, error.filename and str(error.filename)]}
    return {"failed": name_error(error)}


def main(publisher: int, descriptor: int) -> None:
    for number in (signal.SIGINT, signal.SIGTERM):  # they are meant for the publisher, whose end ends this process
        signal.signal(number, signal.SIG_IGN)
    end_with_parent(publisher, signal.SIGKILL)  # at once: without a publisher, an upgrade may run next to this process
    with socket.socket(fileno=descriptor) as link, link.makefile("rb") as received:
        link.set_inheritable(False)
        give_way(PUBLISHING)  # this process has its own session
        greeting = json.loads(received.readline() or "null")
        if greeting is None:
            return
        registry = Registry.model_validate_json(greeting["registry"])
        use_registry(env().sites_file, registry)
        if greeting["code"] != mark_of_code(env().registry.plugins):
            answer_requests(
                DjangoReleaseWorker(),
                received,
                link.sendall,
                "Another version of Portolan was installed while this publisher was running, so it cannot create releases. Run "
                "`portolan upgrade`, then restart the publisher. Until then the sites stay as they are.",
            )
            return
        release_worker, speaker = DjangoReleaseWorker(), _Speaker(link.sendall)
        release_worker.load()
        count_queries_as_work()
        answer_requests(release_worker, speaker.hear(received), speaker.reply)


if __name__ == "__main__":
    main(*map(int, sys.argv[1:]))

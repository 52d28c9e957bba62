"""Pass leads on to the API, and also to the process of the studio if the API does not respond soon.

Both processes have the same intake, which stores a lead once even if it arrives twice. If one process has stopped, a
lead waits at most ``SECOND_AFTER_S``.
"""

import asyncio
from collections.abc import Callable, MutableMapping
from typing import Any, Final

from starlette.types import Receive, Scope, Send

from ..domain.content_api import INTAKE_PATH
from ..domain.health import LIVE_PATH
from ..domain.plain_forms import FORM_PATH
from ..observing.event import Event
from .backend import LONGEST_WAIT_S, Backend, build_unavailable

SECOND_AFTER_S: Final = 2.0
"""Seconds without a reply after which the other process also gets the lead."""
LAST_AFTER_S: Final = 5.0
"""Seconds after which the lead is rejected if no process shows a sign of life."""
_MOST_KEPT: Final = 128 << 20
"""Bytes of all bodies in memory at once. Leads above this limit are streamed to the API."""
_LATE_FOR_S: Final = 10.0
_UNAVAILABLE: Final = 503
_OF_SERVER: Final = 500
_REFUSED: Final = 400

Message = MutableMapping[str, Any]
_Task = asyncio.Task[list[Message]]

LEAD_REFUSED: Final[Event[[]]] = Event()
"""Sent when a lead was rejected because of a server error. The sender was asked to send it again."""

LEAD_PATHS: Final = (INTAKE_PATH, FORM_PATH)


def counted(send: Send) -> Send:
    """Wrap ``send`` to fire ``LEAD_REFUSED`` when a reply rejects a lead because of a server error."""

    async def watched(message: Message) -> None:
        if message["type"] == "http.response.start" and message["status"] >= _OF_SERVER:
            LEAD_REFUSED()
        await send(message)

    return watched


class Intake:
    """ASGI application for leads and the other requests of their forms."""

    def __init__(self, api: Backend, other: Backend | None, is_starting: Callable[[], bool] = lambda: False) -> None:
        """``is_starting``: whether a process is starting, so that a lead waits for it."""
        self._api = api
        self._other = other
        self._is_starting = is_starting
        self._kept = 0
        self._late_until = 0.0
        """Time until which leads are sent to both processes at once, because the API was late."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["path"] in LEAD_PATHS:
            send = counted(send)
        body: list[bytes] = []
        is_whole, rest = await self._gather(receive, body)
        size = sum(map(len, body))
        try:
            if is_whole and not rest:
                for message in await self._ask_both(scope, body):
                    await send(message)
            else:
                await self._api(scope, _again(body, rest, receive), send, is_api=True)
        finally:
            self._kept -= size

    async def _gather(self, receive: Receive, body: list[bytes]) -> tuple[bool, list[Message]]:
        """Read a body into ``body``. Return whether it is complete, and the message that interrupted it, if any."""
        while True:
            message = await receive()
            if message["type"] != "http.request":
                return False, [message]
            part = message.get("body", b"")
            body.append(part)
            self._kept += len(part)
            if not message.get("more_body", False):
                return True, []
            if self._kept > _MOST_KEPT:
                return False, []

    async def _ask_both(self, scope: Scope, body: list[bytes]) -> list[Message]:
        """Return the reply of the process that stores the lead, or the best rejection."""
        tasks = [asyncio.create_task(_ask(self._api, scope, body))]
        try:
            return await self._find_answer(scope, body, tasks)
        finally:
            for task in tasks:  # a late task would keep the body in memory
                task.cancel()

    async def _find_answer(self, scope: Scope, body: list[bytes], tasks: list[_Task]) -> list[Message]:
        """Return the best reply. ``tasks`` starts with the request to the API; the caller cancels those added here."""
        clock = asyncio.get_running_loop().time
        (first,), began = tasks, clock()
        await asyncio.wait([first], timeout=SECOND_AFTER_S if began >= self._late_until else 0)
        if self._other is None or (first.done() and not _is_away(first.result())):
            return await first
        if not first.done():
            self._late_until = clock() + _LATE_FOR_S
        second = asyncio.create_task(_ask(self._other, scope, body))
        lives = [asyncio.create_task(_ask(each, _as_question(scope), [])) for each in (self._api, self._other)]
        tasks += [second, *lives]
        asked = [first, second]
        await _wait_for_taken(asked, LAST_AFTER_S - (clock() - began))
        if not any(map(_is_answered, asked)):
            if any(_is_answered(each) and not _is_away(each.result()) for each in lives):
                await asyncio.wait(asked, return_when=asyncio.FIRST_COMPLETED)  # slow, but alive
            elif self._is_starting():
                await _wait_for_taken(asked, LONGEST_WAIT_S)
        answers = [each.result() for each in asked if _is_answered(each)]
        return max(answers, key=_rank, default=build_unavailable(scope))


async def _wait_for_taken(tasks: list[_Task], seconds: float) -> None:
    """Wait until a process has stored the lead or all have replied."""
    clock = asyncio.get_running_loop().time
    ends_at = clock() + seconds
    waiting = {task for task in tasks if not task.done()}
    while waiting and not any(task.done() and _status(task.result()) < _REFUSED for task in tasks):
        done, waiting = await asyncio.wait(
            waiting, timeout=max(0, ends_at - clock()), return_when=asyncio.FIRST_COMPLETED
        )
        if not done:
            return


async def _ask(backend: Backend, scope: Scope, body: list[bytes]) -> list[Message]:
    """Return the messages of the reply, or an empty list if it broke off."""
    messages: list[Message] = []

    async def collect(message: Message) -> None:
        messages.append(message)

    try:
        await backend({**scope}, _again(body, [], None), collect, is_api=True)
    except Exception:  # an incomplete reply, which the backend has logged
        return []
    return messages


def _as_question(scope: Scope) -> Scope:
    """Return a request for the process's liveness path."""
    headers = [(name, value) for name, value in scope["headers"] if name == b"host"]
    path = LIVE_PATH.encode()
    return {**scope, "method": "GET", "path": LIVE_PATH, "raw_path": path, "query_string": b"", "headers": headers}


def _is_answered(task: _Task) -> bool:
    return task.done() and bool(task.result())


def _rank(answer: list[Message]) -> int:
    """Rank a stored lead above a rejection, and a rejection above a server error."""
    status = _status(answer)
    return 2 if status < _REFUSED else 1 if status < _OF_SERVER else 0


def _again(body: list[bytes], rest: list[Message], receive: Receive | None) -> Receive:
    """Return a receive callable: ``body``, then ``rest``, then the messages of ``receive`` if given."""
    parts = [{"type": "http.request", "body": part, "more_body": True} for part in body]
    waiting: list[Message] = [*parts, *rest]
    if receive is None:
        waiting.append({"type": "http.request", "body": b"", "more_body": False})

    async def again() -> Message:
        if waiting:
            return waiting.pop(0)
        if receive is None:
            return await asyncio.get_running_loop().create_future()  # type: ignore[no-any-return]
        return await receive()

    return again


def _status(answer: list[Message]) -> int:
    return int(answer[0]["status"]) if answer else _UNAVAILABLE


def _is_away(answer: list[Message]) -> bool:
    """Return whether the process failed to store the lead, so that the other one may try."""
    return _status(answer) >= _OF_SERVER

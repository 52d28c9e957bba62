"""Reply to the health checks ``/-/live``, ``/-/ready`` and ``/-/well`` on any host."""

import asyncio
import time
from collections.abc import Callable
from typing import Final

import orjson
from starlette.types import Scope, Send

from ..domain.health import (
    LIVE_PATH,
    READY_PATH,
    WELL_PATH,
    Health,
    describe,
)
from .headers import HARMLESS, NO_STORE
from .replies import Reply

PATHS: Final = frozenset((LIVE_PATH, READY_PATH, WELL_PATH))
_KEPT_S: Final = 1
"""Seconds for which requests share one examination, because it queries the database."""


class HealthReplies:
    def __init__(self, describe: Callable[[], Health], examine: Callable[[Health], Health]) -> None:
        """``describe`` returns the health without waiting. ``examine`` adds to it in a thread, and may wait."""
        self._describe = describe
        self._examine = examine
        self._examination: asyncio.Task[Health] | None = None
        self._until = float("-inf")

    async def send(self, path: str, scope: Scope, send: Send) -> None:
        if path == LIVE_PATH:
            await build_reply(path, self._describe()).send(scope, b"", send)
            return
        now = time.monotonic()
        if self._examination is None or (self._examination.done() and now >= self._until):
            self._until = now + _KEPT_S
            self._examination = asyncio.create_task(asyncio.to_thread(self._examine, self._describe()))
        health = await asyncio.shield(self._examination)
        await build_reply(path, health).send(scope, b"", send)


def build_reply(path: str, health: Health) -> Reply:
    status, said = describe(path, health)
    headers = [(b"content-type", b"application/json"), (b"cache-control", NO_STORE), HARMLESS]
    return Reply(status, headers, orjson.dumps(said) + b"\n")

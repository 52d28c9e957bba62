"""``/-/live`` and ``/-/ready``: what a server answers to whoever watches it, on any host."""

import asyncio
import time
from collections.abc import Callable
from typing import Any, Final

import orjson
from starlette.types import Scope, Send

from ..domain.health import LIVE_PATH, READY_PATH, Health, describe_live, describe_ready
from .headers import HARMLESS, NO_STORE
from .replies import Reply

PATHS: Final = frozenset((LIVE_PATH, READY_PATH))
_KEPT_S: Final = 1
"""Examining asks the database; many who ask at once get one examination."""


class HealthReplies:
    def __init__(self, examine: Callable[[], Health]) -> None:
        """``examine`` is called in a thread, and may wait."""
        self._examine = examine
        self._examination: asyncio.Task[Health] | None = None
        self._until = float("-inf")

    async def send(self, path: str, scope: Scope, send: Send) -> None:
        now = time.monotonic()
        if self._examination is None or (self._examination.done() and now >= self._until):
            self._until = now + _KEPT_S
            self._examination = asyncio.create_task(asyncio.to_thread(self._examine))
        health = await asyncio.shield(self._examination)
        await build_reply(path, health).send(scope, b"", send)


def build_reply(path: str, health: Health) -> Reply:
    said: dict[str, Any] = describe_live(health) if path == LIVE_PATH else describe_ready(health)
    is_well = said["live" if path == LIVE_PATH else "ready"]
    headers = [(b"content-type", b"application/json"), (b"cache-control", NO_STORE), HARMLESS]
    return Reply(200 if is_well else 503, headers, orjson.dumps(said) + b"\n")

"""A cache of replies in two parts: a reply that was asked for again is kept, however many others are asked for once."""

from collections.abc import Hashable
from typing import Final

from .replies import Reply, ReplyCache

_FOREVER: Final = float("inf")


class ReadyReplies:
    """A flood of requests that are never repeated pushes out only replies of the same sort."""

    def __init__(self) -> None:
        self._wanted = ReplyCache(max_bytes=32 << 20)
        self._new = ReplyCache(max_bytes=8 << 20)

    def get(self, key: Hashable, now: float) -> Reply | None:
        reply = self._wanted.get(key, now)
        if reply is None:
            reply = self._new.get(key, now)
            if reply is not None and reply.valid_until == _FOREVER:
                self._wanted.add(key, reply)
        return reply

    def add(self, key: Hashable, reply: Reply) -> None:
        self._new.add(key, reply)

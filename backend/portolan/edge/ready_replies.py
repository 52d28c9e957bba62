"""Replies that lie ready, in two rooms: who is asked for again outlives any number of those that were asked for once."""

from collections.abc import Hashable
from typing import Final

from .replies import Reply, ReplyCache

_FOREVER: Final = float("inf")


class ReadyReplies:
    """A flood of requests that nobody repeats pushes out its own kind alone."""

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

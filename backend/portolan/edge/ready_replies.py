"""A cache of replies in two parts, so that repeated requests keep their replies during a flood of single ones."""

from collections.abc import Hashable
from typing import Final

from .replies import Reply, ReplyCache

_FOREVER: Final = float("inf")


class ReadyReplies:
    """A cache in which a flood of single requests only drops replies that were used once."""

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

"""Counts of requests that several processes and machines share by Redis.

Each process counts alone and exchanges counts every second. No request waits for Redis, and each process counts alone
while Redis is unavailable.
"""

import asyncio
import hashlib
import logging
import time
from collections import Counter
from typing import TYPE_CHECKING, Final

from ..domain.client_limits import WINDOW_S
from .limits import MemoryCounts

if TYPE_CHECKING:
    from redis.asyncio import Redis

_EVERY_S: Final = 1
_AT_ONCE: Final = 1_000
_MOST_UNTOLD: Final = 100_000
_SILENCE_S: Final = 60

_log = logging.getLogger(__name__)


class SharedCounts(MemoryCounts):
    """Counts by windows of the wall clock: pass ``time.time()``."""

    def __init__(self, name: str, url: str) -> None:
        """``name``: of the limit. ``url``: of the cache, also the key of the hashes that replace clients' addresses."""
        super().__init__()
        self._name = name
        self._key = hashlib.sha256(url.encode()).digest()
        self._untold: Counter[tuple[int, str]] = Counter()

    def add(self, client: str, window: int, more: int) -> int:
        if len(self._untold) > _MOST_UNTOLD:  # Redis is unavailable
            self._untold.clear()
        self._untold[window, client] += more
        return super().add(client, window, more)

    async def tell(self, redis: "Redis") -> None:
        """Send the counts since the last call, and read the totals of these clients."""
        while told := dict(self._untold.most_common(_AT_ONCE)):
            pipe = redis.pipeline(transaction=False)
            for (window, client), more in told.items():
                key = self._key_of(client, window)
                pipe.incrby(key, more)
                pipe.expire(key, 3 * WINDOW_S)
            totals = (await pipe.execute())[::2]
            for (window, client), total in zip(told, totals, strict=True):
                self._untold[window, client] -= told[window, client]
                if not self._untold[window, client]:
                    del self._untold[window, client]
                if window in self._windows:  # otherwise it is over, and would replace a current one
                    super().add(client, window, total + self._untold[window, client] - self.read(client, window))

    def _key_of(self, client: str, window: int) -> str:
        hashed = hashlib.blake2b(client.encode(), key=self._key, digest_size=12).hexdigest()
        return f"portolan:edge:{self._name}:{window}:{hashed}"


class Exchange:
    """Exchanges counts until the process ends."""

    def __init__(self, url: str, counts: list[SharedCounts]) -> None:
        self._url = url
        self._counts = counts
        self._silent_until = 0.0
        self._task: asyncio.Task[None] | None = None

    def start(self) -> None:
        """Start in the event loop of the server."""
        from redis.asyncio import from_url

        self._task = asyncio.create_task(
            self._keep_telling(from_url(self._url, socket_connect_timeout=1, socket_timeout=1))
        )

    async def _keep_telling(self, redis: "Redis") -> None:
        from redis.exceptions import RedisError

        while True:
            await asyncio.sleep(_EVERY_S)
            try:
                for counts in self._counts:
                    await counts.tell(redis)
            except (RedisError, OSError) as error:
                self._say(error)

    def _say(self, error: Exception) -> None:
        now = time.monotonic()
        if now >= self._silent_until:
            self._silent_until = now + _SILENCE_S
            _log.error("The cache does not respond (%s). Each process counts its requests alone.", error)

"""The cache that processes share. It is optional: everything works while it is unavailable."""

import logging
import time
from collections.abc import Callable
from typing import Any, Final, TypeVar

from django.core.cache.backends.base import DEFAULT_TIMEOUT
from django.core.cache.backends.redis import RedisCache
from redis.exceptions import RedisError

_Value = TypeVar("_Value")
_SILENCE_S: Final = 60

_log = logging.getLogger(__name__)


class SharedCache(RedisCache):
    """Redis. While it is unavailable, it acts like an empty cache, so no client is over a limit."""

    _silent_until = 0.0

    def get(self, key: str, default: Any = None, version: int | None = None) -> Any:
        return self._try(lambda: super(SharedCache, self).get(key, default, version), default)

    def set(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> None:
        self._try(lambda: super(SharedCache, self).set(key, value, timeout, version), None)

    def add(self, key: str, value: Any, timeout: Any = DEFAULT_TIMEOUT, version: int | None = None) -> bool:
        return self._try(lambda: super(SharedCache, self).add(key, value, timeout, version), True)

    def incr(self, key: str, delta: int = 1, version: int | None = None) -> int:
        """Add to a value. Raise ValueError if the key is missing."""
        return self._try(lambda: super(SharedCache, self).incr(key, delta, version), delta)

    def delete(self, key: str, version: int | None = None) -> bool:
        return self._try(lambda: super(SharedCache, self).delete(key, version), False)

    def _try(self, ask: Callable[[], _Value], otherwise: _Value) -> _Value:
        try:
            return ask()
        except (RedisError, OSError) as error:
            now = time.monotonic()
            if now >= SharedCache._silent_until:
                SharedCache._silent_until = now + _SILENCE_S
                _log.error("The cache does not respond (%s). Until then, limits and repeats are not counted.", error)
            return otherwise

"""Check whether the storages that machines share respond.

Callers get the last result and never wait. Otherwise an impatient monitor could take a machine out of traffic although
it can serve everything.
"""

import threading
import time
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import Final

from .env import env

_LOOK_EVERY_S: Final = 15.0


class StoreWatch:
    def __init__(self, looks: Mapping[str, Callable[[], None]], clock: Callable[[], float] = time.monotonic) -> None:
        """``looks``: by the storage's name, a check that raises an error if it does not respond."""
        self._looks = looks
        self._clock = clock
        self._looked_at = float("-inf")
        self._look: threading.Thread | None = None
        self._silent: tuple[str, ...] = ()

    def find_silent(self) -> tuple[str, ...]:
        """Return the names of storages that did not respond."""
        is_looking = self._look is not None and self._look.is_alive()
        if self._looks and not is_looking and self._clock() - self._looked_at >= _LOOK_EVERY_S:
            self._looked_at = self._clock()
            self._look = threading.Thread(target=self._look_at_all, name="store-health", daemon=True)
            self._look.start()
        return self._silent

    def join(self) -> None:
        """Wait for the running check."""
        if self._look:
            self._look.join()

    def _look_at_all(self) -> None:
        self._silent = tuple(name for name, look in self._looks.items() if _is_silent(look))


@lru_cache(maxsize=2)
def store_watch(has_studio: bool) -> StoreWatch:
    """Return the watch of this process's storages. Only the studio, or a machine without build store, uses uploads."""
    settings = env()
    urls = {"build store": settings.build_store}
    if has_studio or not settings.build_store:
        urls["storage of uploads"] = settings.media_storage
    return StoreWatch({name: _look(url) for name, url in urls.items() if url})


def _look(url: str) -> Callable[[], None]:
    def look() -> None:
        from ..builds.object_store import ObjectStore

        ObjectStore(url).find("live.json")

    return look


def _is_silent(look: Callable[[], None]) -> bool:
    try:
        look()
    except Exception:  # the storage's user reports it
        return True
    return False

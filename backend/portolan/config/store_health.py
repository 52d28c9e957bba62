"""Whether the stores that machines share answer, as it was found last. Nobody waits for one that does not: whoever asks only
begins the next look, or a watcher with little patience would take a machine out of traffic that serves everything it has.
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
        """``looks``: by the store's name, what raises an error where it does not answer."""
        self._looks = looks
        self._clock = clock
        self._looked_at = float("-inf")
        self._look: threading.Thread | None = None
        self._silent: tuple[str, ...] = ()

    def find_silent(self) -> tuple[str, ...]:
        """Names of those that did not answer."""
        is_looking = self._look is not None and self._look.is_alive()
        if self._looks and not is_looking and self._clock() - self._looked_at >= _LOOK_EVERY_S:
            self._looked_at = self._clock()
            self._look = threading.Thread(target=self._look_at_all, name="store-health", daemon=True)
            self._look.start()
        return self._silent

    def join(self) -> None:
        """Wait for the look that is under way."""
        if self._look:
            self._look.join()

    def _look_at_all(self) -> None:
        self._silent = tuple(name for name, look in self._looks.items() if _is_silent(look))


@lru_cache(maxsize=2)
def store_watch(has_studio: bool) -> StoreWatch:
    """Of this process's settings. Only who has a studio, or no build store, needs the storage of uploads."""
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
    except Exception:  # whatever it is, its owner says it in full
        return True
    return False

"""An event and its watchers.

Without watchers, a call takes less than a tenth of a microsecond.
"""

from collections.abc import Callable
from typing import Generic, ParamSpec

_Args = ParamSpec("_Args")


class Event(Generic[_Args]):
    """Call it when it happens.

    It is true if there are watchers, so that callers can skip preparing its arguments.
    """

    __slots__ = ("_watchers",)

    def __init__(self) -> None:
        self._watchers: tuple[Callable[_Args, None], ...] = ()

    def watch(self, watcher: Callable[_Args, None]) -> None:
        self._watchers = (*self._watchers, watcher)

    def forget(self, watcher: Callable[_Args, None]) -> None:
        self._watchers = tuple(each for each in self._watchers if each != watcher)

    def __bool__(self) -> bool:
        return bool(self._watchers)

    def __call__(self, *args: _Args.args, **named: _Args.kwargs) -> None:
        for watcher in self._watchers:
            watcher(*args, **named)

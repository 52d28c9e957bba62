"""Check that API and studio respond, for edges, `portolan doctor` and alerts."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

import httpcore
import orjson

from ..domain.health import LIVE_PATH, READY_PATH
from .look import BOUND_S, Look

_FAILURES: Final = (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException, ValueError)


class Place(NamedTuple):
    """The address of a role."""

    url: str
    socket: str | None = None
    """Path of a Unix socket, if the role belongs to the same command."""


class RoleAnswers:
    """Checks roles, each at most once a second and for at most two seconds."""

    def __init__(self, places: Mapping[str, Place]) -> None:
        """``places``: the address of each role by its name."""
        self._looks = {name: Look(_asking(place), False) for name, place in places.items()}

    def find_silent(self) -> tuple[str, ...]:
        """Return the names of roles that do not respond."""
        for look in self._looks.values():
            look.begin()
        return tuple(name for name, look in self._looks.items() if not look.get())


def ask_ready(place: Place, within_s: float = BOUND_S) -> dict[str, Any] | None:
    """Return a role's readiness report, or ``None`` if it does not respond."""
    try:
        found = orjson.loads(_ask(place, READY_PATH, within_s))
    except _FAILURES:
        return None
    return found if isinstance(found, dict) else {}


def _asking(place: Place) -> Any:
    def ask() -> bool:
        _ask(place, LIVE_PATH, BOUND_S)
        return True

    return ask


def _ask(place: Place, path: str, within_s: float) -> bytes:
    limits = {"connect": within_s, "read": within_s, "write": within_s, "pool": within_s}
    with httpcore.ConnectionPool(uds=place.socket) as pool:
        return pool.request("GET", place.url.rstrip("/") + path, extensions={"timeout": limits}).content

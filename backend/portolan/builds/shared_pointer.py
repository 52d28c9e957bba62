"""The pointer in the shared store: what is live, on which hosts, and in which packs its files lie. One object, so that all
of it changes at once.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson

from .manifest import BuildError

POINTER: Final = "live.json"


class SharedPointer(NamedTuple):
    switch: str
    """Names this state of the pointer; no other one has the same."""
    live: Mapping[str, Any]
    """What the machines have as ``live.json``."""
    hosts: Mapping[str, Any]
    """What they have as ``hosts.json``."""
    indexes: Sequence[str]
    """Names of the indexes of all packs that kept builds need."""

    @property
    def builds(self) -> Mapping[str, str]:
        """The live build of each site."""
        builds: Mapping[str, str] = self.live["sites"]
        return builds


def pack_pointer(pointer: SharedPointer) -> bytes:
    return orjson.dumps(pointer._asdict())


def unpack_pointer(data: bytes) -> SharedPointer:
    """Raises BuildError where it is damaged."""
    try:
        pointer = SharedPointer(**orjson.loads(data))
        dict(pointer.builds), dict(pointer.hosts), list(pointer.indexes)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BuildError(
            f"The pointer in the shared store is damaged ({error}), so nobody can tell what is live. What was live before is "
            "still served. Remove it from the store and publish again."
        ) from error
    return pointer

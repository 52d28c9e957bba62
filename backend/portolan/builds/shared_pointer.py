"""The pointer in the shared store: what is live, on which hosts, and in which packs its files lie. One object, so that all
of it changes at once.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson

from .manifest import BuildError
from .signing import NO_KEYS, Keys

POINTER: Final = "live.json"


class SharedMedia(NamedTuple):
    """What visitors see of media."""

    lists: Sequence[str]
    """Names of all lists, in their order."""
    covers: Mapping[str, str]
    """Releases whose media the lists have: number and mark (``ReleaseReader.mark``)."""


class SharedPointer(NamedTuple):
    switch: str
    """Names this state of the pointer; no other one has the same."""
    live: Mapping[str, Any]
    """What the machines have as ``live.json``."""
    hosts: Mapping[str, Any]
    """What they have as ``hosts.json``."""
    indexes: Sequence[str]
    """Names of the indexes of all packs that kept builds need."""
    media: "SharedMedia | None" = None
    """None before a publisher has put media there."""

    @property
    def builds(self) -> Mapping[str, str]:
        """The live build of each site."""
        builds: Mapping[str, str] = self.live["sites"]
        return builds


def pack_pointer(pointer: SharedPointer, keys: Keys = NO_KEYS) -> bytes:
    """Signed where ``keys`` can: hosts with their rules and lists of media are nobody else's to write either."""
    document = pointer._asdict()
    return keys.seal(orjson.dumps({**document, "media": pointer.media and pointer.media._asdict()}))


def unpack_pointer(data: bytes, keys: Keys = NO_KEYS) -> SharedPointer:
    """Raises BuildError where it is damaged, or signed by nobody whom ``keys`` believe."""
    if problem := keys.find_problem(data):
        raise BuildError(
            f"The pointer in the shared store is refused: {problem}. What was live before is still served. Where the publisher's "
            "key is new, `portolan sign` there signs what it has; otherwise somebody else has written it: look who can."
        )
    try:
        document = orjson.loads(data)
        document.pop("signature", None)
        media = document.pop("media", None)
        pointer = SharedPointer(**document, media=media and SharedMedia(**media))
        dict(pointer.builds), dict(pointer.hosts), list(pointer.indexes)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BuildError(
            f"The pointer in the shared store is damaged ({error}), so nobody can tell what is live. What was live before is "
            "still served. Remove it from the store and publish again."
        ) from error
    return pointer

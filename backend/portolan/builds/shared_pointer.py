"""The pointer in the shared store: live builds, hosts and packs.

It is one object, so that everything changes at once.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final, NamedTuple

import orjson

from .manifest import BuildError
from .signing import NO_KEYS, Keys

POINTER: Final = "live.json"


class SharedMedia(NamedTuple):
    """Public media."""

    lists: Sequence[str]
    """Names of all lists, in order."""
    covers: Mapping[str, str]
    """Releases whose media are in the lists: number and mark (``ReleaseReader.mark``)."""


class SharedPointer(NamedTuple):
    switch: str
    """A unique name of this state of the pointer."""
    live: Mapping[str, Any]
    """The contents of the machines' ``live.json``."""
    hosts: Mapping[str, Any]
    """The contents of their ``hosts.json``."""
    indexes: Sequence[str]
    """Names of the indexes of all packs that kept builds need."""
    media: "SharedMedia | None" = None
    """None before a publisher has uploaded media."""

    @property
    def builds(self) -> Mapping[str, str]:
        """The live build of each site."""
        builds: Mapping[str, str] = self.live["sites"]
        return builds


def pack_pointer(pointer: SharedPointer, keys: Keys = NO_KEYS) -> bytes:
    """Return the pointer as bytes, signed if ``keys`` can.

    The signature covers hosts and media lists too.
    """
    document = pointer._asdict()
    return keys.seal(orjson.dumps({**document, "media": pointer.media and pointer.media._asdict()}))


def unpack_pointer(data: bytes, keys: Keys = NO_KEYS) -> SharedPointer:
    """Return the pointer.

    Raise BuildError if it is damaged or not signed with one of ``keys``.
    """
    if problem := keys.find_problem(data):
        raise BuildError(
            f"The pointer in the shared store is refused: {problem}. The previous builds are still served. If the "
            "publisher's key is new, run `portolan sign` there. Otherwise someone else has written the pointer: check "
            "who can write there."
        )
    try:
        document = orjson.loads(data)
        document.pop("signature", None)
        media = document.pop("media", None)
        pointer = SharedPointer(**document, media=media and SharedMedia(**media))
        dict(pointer.builds), dict(pointer.hosts), list(pointer.indexes)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise BuildError(
            f"The pointer in the shared store is damaged ({error}). The previous builds are still served. Remove the "
            "pointer from the store and publish again."
        ) from error
    return pointer

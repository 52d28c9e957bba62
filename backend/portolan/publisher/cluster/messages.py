"""Messages between publisher and driver, and data forwarded to nodes unread."""

import pickle
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ..renderer import Answer, PageRequest, PictureRequest


class Opening(NamedTuple):
    """The first message to a driver."""

    address: str
    """Address of the cluster, as for ``ray.init``."""
    web: str
    """Folder of the web build's render worker, on the publisher's disk."""
    store: str
    """Folder of the content store, likewise."""
    objects: str
    """URL of the shared store; empty without one."""


class SharedData(NamedTuple):
    hash: str
    data: bytes


class Batch(NamedTuple):
    number: int
    shared: str
    """Hash of the shared data of all its pages."""
    requests: bytes
    """See ``pack_requests``."""


class Room(NamedTuple):
    """Number of batches that may be in work at once."""

    batches: int


class Pack(NamedTuple):
    """A pack that a node has written."""

    name: str
    digest: str
    """SHA-256 of the whole pack."""


class Rendered(NamedTuple):
    """A finished batch. Its packs are on the publisher's disk."""

    number: int
    answers: bytes
    """See ``pack_answers``."""
    packs: Sequence[Pack]
    seconds: float
    """Time that the node took."""


class Lost(NamedTuple):
    """A batch with which two nodes in a row were lost."""

    number: int


class Note(NamedTuple):
    """A text for people: a node is unusable or was lost."""

    text: str


class Away(NamedTuple):
    """All nodes are unusable. The driver ends."""

    why: str


FromPublisher = Opening | SharedData | Batch
FromDriver = Room | Rendered | Lost | Note | Away
Outgoing = PageRequest | PictureRequest
"""Requests that need no files of the publisher's disk."""


def pack(message: FromPublisher | FromDriver) -> bytes:
    return pickle.dumps(message, protocol=5)


def unpack(data: bytes | memoryview) -> Any:
    """Unpack a message.

    Only for data of our own processes: the driver, and nodes, which run our code anyway.
    """
    return pickle.loads(data)  # noqa: S301


def pack_requests(requests: Sequence[Outgoing]) -> bytes:
    return pickle.dumps(list(requests), protocol=5)


def pack_answers(requests: Sequence[Outgoing], answers: Iterable[Answer]) -> bytes:
    """Pack answers, each with the index of its request instead of the request."""
    places = {id(request): place for place, request in enumerate(requests)}
    found: list[tuple[int, Any]] = [(places[id(answer.request)], answer) for answer in answers]
    return pickle.dumps([(place, answer._replace(request=None)) for place, answer in found], protocol=5)


def unpack_answers(requests: Sequence[Outgoing], data: bytes) -> list[Answer]:
    return [answer._replace(request=requests[place]) for place, answer in unpack(data)]

"""What the publisher and its driver tell each other, and what the driver passes on to nodes without looking into it."""

import pickle
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from ..renderer import Answer, PageRequest, PictureRequest


class Opening(NamedTuple):
    """The first message to a driver."""

    address: str
    """Of the cluster, as ``ray.init`` takes it."""
    web: str
    """Folder of the web build's render worker, on the publisher's disk."""
    store: str
    """Folder of the content store, likewise."""
    objects: str
    """URL of the store that machines share; empty where there is none."""


class SharedData(NamedTuple):
    hash: str
    data: bytes


class Batch(NamedTuple):
    number: int
    shared: str
    """Hash of the shared data that all its pages have."""
    requests: bytes
    """See ``pack_requests``."""


class Room(NamedTuple):
    """So many batches may be under way at once."""

    batches: int


class Pack(NamedTuple):
    """A pack that a node has written."""

    name: str
    digest: str
    """SHA-256 of all of it."""


class Rendered(NamedTuple):
    """The packs are on the publisher's disk by now."""

    number: int
    answers: bytes
    """See ``pack_answers``."""
    packs: Sequence[Pack]
    seconds: float
    """How long the node was at it."""


class Lost(NamedTuple):
    """A batch that two nodes, one after the other, did not survive."""

    number: int


class Note(NamedTuple):
    """Something for people: a node that cannot be used, or was lost."""

    text: str


class Away(NamedTuple):
    """No node is left, or none was there. The driver ends."""

    why: str


FromPublisher = Opening | SharedData | Batch
FromDriver = Room | Rendered | Lost | Note | Away
Outgoing = PageRequest | PictureRequest
"""Requests that need nothing of the publisher's disk."""


def pack(message: FromPublisher | FromDriver) -> bytes:
    return pickle.dumps(message, protocol=5)


def unpack(data: bytes | memoryview) -> Any:
    """Only for what our own processes have packed: the driver, or a node of the cluster, which runs our code anyway."""
    return pickle.loads(data)  # noqa: S301


def pack_requests(requests: Sequence[Outgoing]) -> bytes:
    return pickle.dumps(list(requests), protocol=5)


def pack_answers(requests: Sequence[Outgoing], answers: Iterable[Answer]) -> bytes:
    """Each with the place of its request instead of the request, whose page content nobody needs again."""
    places = {id(request): place for place, request in enumerate(requests)}
    found: list[tuple[int, Any]] = [(places[id(answer.request)], answer) for answer in answers]
    return pickle.dumps([(place, answer._replace(request=None)) for place, answer in found], protocol=5)


def unpack_answers(requests: Sequence[Outgoing], data: bytes) -> list[Answer]:
    return [answer._replace(request=requests[place]) for place, answer in unpack(data)]

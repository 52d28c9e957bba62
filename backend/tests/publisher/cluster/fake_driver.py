"""A driver without a cluster: it renders with the fake renderer and returns batches in reverse order. Its argument sets
its faults."""

import os
import select
import sys
from typing import Any

from portolan.publisher.cluster.messages import (
    Away,
    Batch,
    FromDriver,
    Lost,
    Note,
    Opening,
    Pack,
    Rendered,
    Room,
    SharedData,
    pack,
    pack_answers,
    unpack,
)

from ..fake_renderer import FakeRenderer

_ROOM = 3
_MORE_WITHIN_S = 0.1
_INPUT = open(0, "rb", buffering=0, closefd=False)  # noqa: SIM115


def main(how: str) -> None:
    renderer = FakeRenderer()
    assert isinstance(_read(), Opening)
    if how == "away":
        _tell(Away("the address does not respond"))
        return
    if how == "unfit":
        _tell(Note("Node 10.0.0.7 of the Ray cluster cannot render: it has Portolan 0.0.9."))
        _tell(Away("node 10.0.0.7: it has Portolan 0.0.9"))
        return
    _tell(Room(_ROOM))
    waiting: list[Batch] = []
    done = 0
    while message := _read():
        if isinstance(message, SharedData):
            renderer.add_shared(message.hash, message.data or b"{}")
            continue
        waiting.append(message)
        if how == "dies" and done >= 2:
            sys.stderr.write("Fatal: the cluster is gone\n")
            sys.stderr.flush()
            os._exit(3)
        if how == "leaves" and done >= 2:
            _tell(Away("node 10.0.0.7: it was lost"))
            return
        if len(waiting) < _ROOM and select.select([_INPUT], [], [], _MORE_WITHIN_S)[0]:
            continue
        for batch in reversed(waiting):
            done += 1
            requests = unpack(batch.requests)
            if any("poison" in request.title for request in requests):
                _tell(Lost(batch.number))
            else:
                answers = pack_answers(requests, renderer.render(requests))
                _tell(Rendered(batch.number, answers, [Pack(f"pack-{batch.number}", "")], 0.1))
        waiting.clear()


def _read() -> Any:
    size = _read_bytes(4)
    return unpack(_read_bytes(int.from_bytes(size, "big"))) if size else None


def _read_bytes(count: int) -> bytes:
    found = b""
    while len(found) < count and (some := _INPUT.read(count - len(found))):
        found += some
    return found


def _tell(message: FromDriver) -> None:
    data = pack(message)
    sys.stdout.buffer.write(len(data).to_bytes(4, "big") + data)
    sys.stdout.buffer.flush()


if __name__ == "__main__":
    main(sys.argv[1])

"""The process between a publisher and a Ray cluster.

Run it with ``python -m portolan.publisher.cluster.driver``. Messages (`messages`) arrive on standard input and leave on
standard output, each after its length.

A separate process is needed because Ray ends its process with the cluster, handles its signals, and takes a hundred
megabytes. It ends with its input, without nodes, or after some idle minutes, which frees the cluster's processors.
"""

import logging
import os
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from queue import Empty, SimpleQueue
from typing import Any, BinaryIO, Final

from .address import is_reachable
from .dispatch import Dispatcher
from .messages import Away, Batch, FromDriver, Note, Opening, Rendered, SharedData, pack, unpack
from .node import NodeRenderer, Terms, leave_mark, open_store, pack_web, versions
from .packs_here import fetch_packs

_NODES_WITHIN_S: Final = 60
"""Time limit until one node of a cluster is ready."""
_BATCH_WITHIN_S: Final = 300
"""Time limit for a node's answer to a batch."""
_LOOK_EVERY_S: Final = 2
"""Interval for finding new and silent nodes."""
_IDLE_S: Final = 300
_ENDS_WITHIN_S: Final = 1
_SHARE_OF_A_PROCESSOR: Final = 0.1
"""Reserved by an actor. Publishers of several groups of sites share a node, and an autoscaler sees that it is in
use."""
_MOST_STARTS: Final = 3
"""Starts of the renderer of one node."""
_FETCHED_AT_ONCE: Final = 8

_Event = Callable[[], None]


class RayNode:
    """A node of the cluster with our actor."""

    def __init__(self, id: str, address: str, workers: int, actor: Any, driver: "Driver") -> None:
        self.id = id
        self.address = address
        self.workers = workers
        self.actor = actor
        self._driver = driver

    def begin(self, batch: Batch) -> None:
        shared = self._driver.shared[batch.shared]
        self._driver.when_done(
            self.actor.render.remote(batch.shared, shared, batch.requests),
            lambda future: self._driver.note_rendered(self, batch.number, future),
        )


class Driver:
    """Waits in other threads; all other work is in the thread that calls ``run``."""

    def __init__(self, ray: Any, opening: Opening, tell: Callable[[FromDriver], None]) -> None:
        self._ray = ray
        self._tell = tell
        self._events: SimpleQueue[_Event | None] = SimpleQueue()
        self._store = Path(opening.store)
        self._mark = leave_mark(self._store)
        self._objects = open_store(opening.objects)
        self._terms = Terms(versions(), opening.store, self._mark.name, opening.objects)
        self._web = ray.put(pack_web(Path(opening.web)))
        self._renderer = ray.remote(NodeRenderer)
        self._dispatcher: Dispatcher[RayNode] = Dispatcher(tell)
        self._starting: dict[str, RayNode] = {}
        self._starts: Counter[str] = Counter()
        self._why = "no node has a processor for rendering, or no node was ready in time"
        self._fetching = ThreadPoolExecutor(_FETCHED_AT_ONCE, thread_name_prefix="packs")
        self.shared: dict[str, Any] = {}

    def run(self, messages: BinaryIO) -> str:
        """Run until the input ends or the driver is idle.

        Return why the cluster is unusable, or an empty string.
        """
        threading.Thread(target=self._read, args=(messages,), daemon=True).start()
        began = asked = looked = time.monotonic()
        self._look_for_nodes()
        try:
            while True:
                with suppress(Empty):
                    event = self._events.get(timeout=_LOOK_EVERY_S)
                    if event is None:
                        return ""
                    event()
                now = time.monotonic()
                if not self._dispatcher.is_idle:
                    asked = now
                elif now - asked > _IDLE_S:
                    return ""
                if now - looked > _LOOK_EVERY_S:
                    looked = now
                    self._give_up_silent(now)
                    self._look_for_nodes()
                if self._dispatcher.nodes:
                    began = now
                elif not self._starting or now - began > _NODES_WITHIN_S:
                    return self._why
        finally:
            self._mark.unlink(missing_ok=True)
            self._fetching.shutdown(wait=False, cancel_futures=True)
            with suppress(Exception):  # they end with this process anyway
                self._ray.get([node.actor.close.remote() for node in self._dispatcher.nodes], timeout=_ENDS_WITHIN_S)

    def when_done(self, reference: Any, then: Callable[["Future[Any]"], None]) -> None:
        reference.future().add_done_callback(lambda future: self._events.put(lambda: then(future)))

    def note_rendered(self, node: RayNode, number: int, future: "Future[Any]") -> None:
        error = future.exception()
        if error:
            self._lose(node, error)
            return
        answers, packs, seconds = future.result()
        rendered = Rendered(number, answers, packs, seconds)
        if self._objects is None:
            self._dispatcher.finish(node, rendered, time.monotonic())
            return
        objects = self._objects
        fetched = self._fetching.submit(fetch_packs, objects, self._store, packs)
        fetched.add_done_callback(lambda future: self._events.put(lambda: self._note_fetched(node, rendered, future)))

    def _note_fetched(self, node: RayNode, rendered: Rendered, future: "Future[Any]") -> None:
        error = future.exception()
        if error:
            self._lose(node, error)
        else:
            self._dispatcher.finish(node, rendered, time.monotonic())

    def _read(self, messages: BinaryIO) -> None:
        while message := _read_message(messages):
            self._events.put(lambda message=message: self._take(message))  # type: ignore[misc]
        self._events.put(None)

    def _take(self, message: bytes) -> None:
        found = unpack(message)
        if isinstance(found, SharedData):
            self.shared[found.hash] = self._ray.put(found.data)
        else:
            self._dispatcher.add(found, time.monotonic())

    def _look_for_nodes(self) -> None:
        """Start a renderer on every node without one."""
        known = {node.id for node in self._dispatcher.nodes} | self._starting.keys()
        for each in self._ray.nodes():
            workers = int(each["Resources"].get("CPU", 0)) if each["Alive"] else 0
            id = each["NodeID"]
            if workers and id not in known and self._starts[id] < _MOST_STARTS:
                self._start(id, each["NodeManagerAddress"], workers)

    def _start(self, id: str, address: str, workers: int) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        self._starts[id] += 1
        actor = self._renderer.options(
            num_cpus=_SHARE_OF_A_PROCESSOR,
            max_concurrency=workers,
            scheduling_strategy=NodeAffinitySchedulingStrategy(id, soft=False),
        ).remote(self._terms, self._web, workers)
        node = self._starting[id] = RayNode(id, address, workers, actor, self)
        self.when_done(actor.ready.remote(), lambda future: self._note_started(node, future))

    def _note_started(self, node: RayNode, future: "Future[Any]") -> None:
        del self._starting[node.id]
        error = future.exception()
        if error is None:
            self._dispatcher.join(node, time.monotonic())
            return
        self._starts[node.id] = _MOST_STARTS
        self._why = f"node {node.address}: {_say(error)}"
        self._tell(Note(f"Node {node.address} of the Ray cluster cannot render: {_say(error)}."))

    def _lose(self, node: RayNode, error: BaseException) -> None:
        """Remove a node that died or failed. A failed one is not used again."""
        from ray.exceptions import RayActorError

        died = isinstance(error, RayActorError)
        if not self._dispatcher.leave(node, time.monotonic(), is_suspect=died):
            return
        self._why = f"node {node.address}: {'it was lost' if died else _say(error)}"
        self._tell(Note(f"Node {node.address} of the Ray cluster was lost with its batches: {_say(error)}."))
        if not died:
            self._starts[node.id] = _MOST_STARTS
        with suppress(Exception):
            self._ray.kill(node.actor)
        self._look_for_nodes()

    def _give_up_silent(self, now: float) -> None:
        for node in self._dispatcher.overdue(now, _BATCH_WITHIN_S):
            self._lose(node, TimeoutError(f"it sent no answer for {_BATCH_WITHIN_S} s"))


def _say(error: BaseException) -> str:
    """Return the line of Ray's text with the exception itself."""
    cause = getattr(error, "cause", None)
    lines = [line.strip() for line in str(cause or error).splitlines() if line.strip()] or [type(error).__name__]
    line = lines[-1] if "raised in its creation task" in lines[0] else lines[0]
    return line.removeprefix("portolan.publisher.cluster.node.Unfit: ").rstrip(". ")


def _read_message(messages: BinaryIO) -> bytes:
    """Return the next message, or empty bytes at the end."""
    length = messages.read(4)
    return messages.read(int.from_bytes(length, "big")) if len(length) == 4 else b""


def main() -> None:
    output = os.fdopen(os.dup(1), "wb", buffering=0)
    os.dup2(2, 1)  # Ray's own output must not mix with messages
    messages = sys.stdin.buffer

    def tell(message: FromDriver) -> None:
        data = pack(message)
        view = memoryview(len(data).to_bytes(4, "big") + data)
        while view:
            view = view[output.write(view) or 0 :]

    opening: Opening = unpack(_read_message(messages))
    if not is_reachable(opening.address):
        tell(Away("the address does not respond"))
        return
    os.environ.pop("RAY_ADDRESS", None)  # it would override our address
    import ray

    try:
        ray.init(address=opening.address, log_to_driver=False, logging_level=logging.ERROR)
    except Exception as error:
        tell(Away(_say(error)))
        return
    if why := Driver(ray, opening, tell).run(messages):
        tell(Away(why))
    ray.shutdown()


if __name__ == "__main__":
    main()

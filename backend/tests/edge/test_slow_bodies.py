"""Bodies that come too slowly, and too many of them at once."""

import asyncio
import gc
import weakref
from collections.abc import AsyncIterator, Callable
from typing import Any

import pytest
from starlette.types import ASGIApp

from portolan.edge.clients import Clients
from portolan.edge.slow_bodies import Pace, SlowBodies

from .fake_time import run

Message = dict[str, Any]


def scope_of(path: str = "/admin/login/", client: str = "192.0.2.1", **headers: str) -> Message:
    headers = headers or {"content_length": "1000000"}
    return {
        "type": "http",
        "method": "POST",
        "path": path,
        "client": (client, 1),
        "headers": [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()],
    }


async def read_all(scope: Any, receive: Any, send: Any) -> None:
    """Replace Edge and Django: reply with the body. Half a body gets no reply."""
    body = b""
    while True:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        body += message["body"]
        if not message["more_body"]:
            break
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"%d" % len(body)})


def every(pause_s: float, size: int, times: int) -> Callable[[], Any]:
    """A client that sends ``size`` bytes and pauses, ``times`` times. It then stays silent, with the connection open."""

    async def parts() -> AsyncIterator[Message]:
        for _ in range(times):
            await asyncio.sleep(pause_s)
            yield {"type": "http.request", "body": b"x" * size, "more_body": True}
        await asyncio.Event().wait()

    return parts().__anext__


def whole(pause_s: float, size: int, times: int) -> Callable[[], Any]:
    async def parts() -> AsyncIterator[Message]:
        for number in range(times):
            await asyncio.sleep(pause_s)
            yield {"type": "http.request", "body": b"x" * size, "more_body": number + 1 < times}
        await asyncio.Event().wait()

    return parts().__anext__


async def ask(app: ASGIApp, scope: Any, receive: Callable[[], Any]) -> tuple[int, float]:
    """Return the status and its time."""
    sent: list[Message] = []

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return sent[0]["status"], asyncio.get_running_loop().time()


@pytest.mark.parametrize(
    ("receive", "status", "after_s"),
    [
        (every(0, 0, 0), 408, 10),  # nothing at all
        (every(1, 1, 1000), 408, 10),  # a byte a second
        (every(1, 500, 1000), 408, 20),  # half of the required speed
        (every(1, 2_000, 1000), 408, 124),  # fast enough, but endless
        (whole(1, 2_000, 100), 200, 100),
        (whole(1, 200_000, 150), 200, 150),  # 30 MB over a poor line
        (whole(0, 0, 1), 200, 0),
    ],
)
def test_a_body_that_comes_too_slowly_is_cut_off(receive: Callable[[], Any], status: int, after_s: float) -> None:
    found, at = run(ask(SlowBodies(read_all, Clients()), scope_of(), receive))
    assert found == status
    assert at == pytest.approx(after_s, abs=1)


def test_what_an_application_does_meanwhile_costs_the_client_nothing() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await asyncio.sleep(1000)
        await read_all(scope, receive, send)

    assert run(ask(SlowBodies(app, Clients()), scope_of(), whole(1, 100, 3)))[0] == 200


def test_nobody_is_called_for_a_body_that_does_not_come() -> None:
    """A slow body then costs little more than its connection. For a large one, the beginning is enough."""
    called: list[int] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        called.append(len((await receive())["body"]))
        await read_all(scope, receive, send)

    slow = SlowBodies(app, Clients())
    assert run(ask(slow, scope_of(), every(1, 1, 1000)))[0] == 408
    assert called == []
    assert run(ask(slow, scope_of(), every(1, 40_000, 3)))[0] == 408
    assert called == [40_000]


def test_nobody_is_called_for_whoever_leaves_before_it_is_whole() -> None:
    """A thousand may leave at once. Chunked bodies without chunks look the same, and get a reply."""
    called: list[str] = []
    coming = [{"type": "http.request", "body": b"x" * 10, "more_body": True}, {"type": "http.disconnect"}]

    async def app(scope: Any, receive: Any, send: Any) -> None:
        called.append(scope["path"])

    async def leave() -> Message:
        return coming.pop(0)

    assert run(ask(SlowBodies(app, Clients()), scope_of(), leave))[0] == 400
    assert called == []


def test_a_read_is_answered_whatever_becomes_of_its_body() -> None:
    async def app(scope: Any, receive: Any, send: Any) -> None:
        await send({"type": "http.response.start", "status": 404, "headers": []})

    async def leave() -> Message:
        return {"type": "http.disconnect"}

    assert run(ask(SlowBodies(app, Clients()), {**scope_of(), "method": "GET"}, leave))[0] == 404


def test_who_leaves_later_is_told_of() -> None:
    """The application can then end its work."""
    seen: list[str] = []
    coming = [{"type": "http.request", "body": b"x" * 70_000, "more_body": True}, {"type": "http.disconnect"}]

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.extend([(await receive())["type"], (await receive())["type"]])

    async def leave() -> Message:
        return coming.pop(0)

    run(SlowBodies(app, Clients())(scope_of(), leave, leave))
    assert seen == ["http.request", "http.disconnect"]


def test_a_body_that_was_cut_off_is_forgotten_at_once() -> None:
    """Freed without Python's search for cycles, which stopped all requests for a quarter of a second while thousands
    were cut off.
    """
    left: list[weakref.ref[Any]] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        raise AssertionError

    async def drip() -> Message:
        return {"type": "http.request", "body": b"x", "more_body": True}

    class Drip:
        """A body with weak references, which shows whether it is still in memory."""

        async def __call__(self) -> Message:
            await asyncio.sleep(1)
            return await drip()

    def send_slowly() -> None:
        receive = Drip()
        left.append(weakref.ref(receive))
        assert run(ask(SlowBodies(app, Clients()), scope_of(), receive))[0] == 408

    gc.disable()
    try:
        send_slowly()
        assert left[0]() is None
    finally:
        gc.enable()


def test_what_has_no_body_waits_as_long_as_it_likes() -> None:
    seen: list[Any] = []

    async def app(scope: Any, receive: Any, send: Any) -> None:
        seen.append(receive)

    receive = every(0, 0, 0)
    for headers in ({"host": "localhost"}, {"content_length": "0"}):
        run(SlowBodies(app, Clients())(scope_of(**headers), receive, receive))
    assert seen == [receive, receive]


def test_one_client_holds_so_many_and_others_are_served() -> None:
    pace = Pace(of_client=3, of_all=5)
    slow = SlowBodies(read_all, Clients(), pace)

    async def crowd() -> list[int]:
        network = [asyncio.create_task(ask(slow, scope_of(client=f"2001:db8::{n}"), every(0, 0, 0))) for n in range(3)]
        await asyncio.sleep(0)
        refused = await ask(slow, scope_of(client="2001:db8::ffff"), every(0, 0, 0))
        other = await ask(slow, scope_of(client="192.0.2.1"), whole(0, 10, 1))
        third = [asyncio.create_task(ask(slow, scope_of(client=f"192.0.2.{n}"), every(0, 0, 0))) for n in (2, 3)]
        await asyncio.sleep(0)
        newcomer = await ask(slow, scope_of(client="192.0.2.4"), whole(0, 10, 1))
        ended = await asyncio.gather(*network, *third)
        again = await ask(slow, scope_of(client="2001:db8::1"), whole(0, 10, 1))
        return [refused[0], other[0], newcomer[0], *{status for status, _ in ended}, again[0]]

    assert run(crowd()) == [429, 200, 200, 408, 200]
    assert not slow._sending


def test_a_few_addresses_keep_nobody_else_from_sending() -> None:
    """The oldest body of the greatest sender is ended, with a reply at once."""
    slow = SlowBodies(read_all, Clients(), Pace(of_client=4, of_all=6))

    async def crowd() -> list[Any]:
        sending: list[asyncio.Task[tuple[int, float]]] = []
        for client, bodies in (("192.0.2.1", 2), ("192.0.2.2", 4)):
            for _ in range(bodies):
                sending.append(asyncio.create_task(ask(slow, scope_of(client=client), every(1, 2_000, 50))))
                await asyncio.sleep(0)
        await asyncio.sleep(3)
        visitor = await ask(slow, scope_of(client="192.0.2.3"), whole(0.5, 10, 2))
        given_up = [index for index, task in enumerate(sending) if task.done()]
        status, at = sending[given_up[0]].result()
        for _ in range(3):  # all have the same number: one more of theirs is refused, a new client passes
            sending.append(asyncio.create_task(ask(slow, scope_of(client="192.0.2.3"), every(1, 2_000, 50))))
            await asyncio.sleep(0)
        another = await ask(slow, scope_of(client="192.0.2.3"), whole(0, 10, 1))
        for task in sending:
            task.cancel()
        await asyncio.gather(*sending, return_exceptions=True)
        return [visitor[0], given_up, status, at, another[0]]

    visitor, given_up, status, at, another = run(crowd())
    assert (visitor, given_up, status, another) == (200, [2], 408, 503)
    assert at == pytest.approx(3, abs=0.5), "at once"
    assert not slow._sending


def test_the_api_answers_in_its_own_words() -> None:
    slow = SlowBodies(read_all, Clients(), Pace(of_client=0))
    sent: list[Message] = []

    async def send(message: Any) -> None:
        sent.append(message)

    run(slow(scope_of("/api/integration/form-data"), every(0, 0, 0), send))
    headers = dict(sent[0]["headers"])
    assert (sent[0]["status"], headers[b"content-type"], headers[b"retry-after"]) == (
        429,
        b"application/problem+json",
        b"5",
    )


def test_who_comes_when_the_oldest_body_has_just_run_out_of_time_is_answered() -> None:
    """The old body has its reply already, but its task is yet to run. It gets only one reply."""
    app = SlowBodies(read_all, Clients(), Pace(grace_s=0, of_all=1))

    async def come_at_once() -> tuple[int, float]:
        await asyncio.sleep(0)
        return await ask(app, scope_of(client="192.0.2.2"), every(0, 0, 0))

    async def meet() -> list[int]:
        late = asyncio.create_task(ask(app, scope_of(), every(0, 0, 0)))
        return [found[0] for found in await asyncio.gather(late, come_at_once())]

    assert run(meet()) == [408, 408]

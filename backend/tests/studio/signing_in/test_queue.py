"""Sign-ins one by one: who waits, who must come back later, and who passes."""

import asyncio
from typing import Any

from portolan.studio.signing_in.queue import MOST_OF_CLIENT, MOST_WAITING, SignInQueue

Sent = list[dict[str, Any]]


class Door:
    """An application that lets requests in one by one, on command."""

    def __init__(self) -> None:
        self.inside = 0
        self.most_inside = 0
        self.bodies: list[bytes] = []
        self.open = asyncio.Event()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.inside += 1
        self.most_inside = max(self.inside, self.most_inside)
        self.bodies.append((await receive())["body"])
        await self.open.wait()
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"in"})
        self.inside -= 1


def scope_of(
    address: str, path: str = "/admin/login/", method: str = "POST", host: str = "studio.localhost:8000"
) -> Any:
    headers = [(b"host", host.encode())]
    return {"type": "http", "method": method, "path": path, "headers": headers, "client": (address, 1)}


def knock(
    queue: SignInQueue, address: str, parts: tuple[bytes, ...] = (b"name=", b"ada"), **what: str
) -> "tuple[Any, Sent]":
    sent: Sent = []
    messages = [{"type": "http.request", "body": part, "more_body": part is not parts[-1]} for part in parts]

    async def receive() -> Any:
        return messages.pop(0)

    async def send(message: Any) -> None:
        sent.append(message)

    return asyncio.ensure_future(queue(scope_of(address, **what), receive, send)), sent


async def settle() -> None:
    for _ in range(10):
        await asyncio.sleep(0)


def test_one_has_its_turn_at_a_time_and_too_many_are_asked_to_come_back() -> None:
    async def run() -> None:
        door = Door()
        queue = SignInQueue(door)
        knocked = [knock(queue, f"192.0.2.{number}") for number in range(MOST_WAITING + 5)]
        await settle()
        assert [sent[0]["status"] for _, sent in knocked if sent] == [503] * 5
        door.open.set()
        await asyncio.gather(*(task for task, _ in knocked))
        assert [sent[0]["status"] for _, sent in knocked].count(200) == MOST_WAITING
        assert door.most_inside == 1
        assert set(door.bodies) == {b"name=ada"}

    asyncio.run(run())


def test_one_client_does_not_fill_it_whatever_address_of_its_network_it_has() -> None:
    async def run() -> None:
        door = Door()
        queue = SignInQueue(door)
        knocked = [knock(queue, f"2001:db8::{number}") for number in range(MOST_WAITING)]
        task, sent = knock(queue, "192.0.2.1")
        await settle()
        assert [bool(answer) for _, answer in knocked].count(True) == MOST_WAITING - MOST_OF_CLIENT
        assert not sent
        door.open.set()
        await asyncio.gather(task, *(task for task, _ in knocked))
        assert sent[0]["status"] == 200

    asyncio.run(run())


def test_whoever_sends_slowly_or_has_gone_holds_nobody_up() -> None:
    async def run() -> None:
        door = Door()
        door.open.set()
        queue = SignInQueue(door)

        async def never() -> Any:
            await asyncio.Event().wait()

        slow = asyncio.ensure_future(queue(scope_of("192.0.2.1"), never, never))
        task, sent = knock(queue, "192.0.2.2")
        await task
        assert sent[0]["status"] == 200
        slow.cancel()

    asyncio.run(run())


def test_everything_else_goes_past_it() -> None:
    async def run() -> None:
        door = Door()
        queue = SignInQueue(door)
        others = [{"method": "GET"}, {"path": "/admin/pages/"}, {"host": "de.localhost:8000"}]
        knocked = [knock(queue, "192.0.2.1", **other) for other in others]
        await settle()
        assert door.inside == len(others)
        door.open.set()
        await asyncio.gather(*(task for task, _ in knocked))

    asyncio.run(run())

"""Requests that an edge forwards to another role, over a socket."""

import asyncio
import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import orjson
import pytest
from starlette.types import ASGIApp

from portolan.domain.content_api import INTAKE_PATH
from portolan.edge.backend import Unreachable
from portolan.edge.behind_edges import BehindEdges
from portolan.edge.clients import Clients
from portolan.edge.remote import RemoteApplication, without_role
from portolan_dev.ports import free_port

from ..processes import LIMIT_S
from .conftest import EN, STUDIO, Harbour, ask_scope, build_scope, pages

Talk = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]
OK = b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"


@contextlib.asynccontextmanager
async def role(talk: Talk) -> AsyncIterator[RemoteApplication]:
    """A hand-written server, and the edge's connection to it."""
    talks: list[asyncio.Task[None]] = []

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task
        talks.append(task)
        try:
            await talk(reader, writer)
        finally:
            writer.close()

    server = await asyncio.start_server(serve, "127.0.0.1", 0)
    async with server:
        app = RemoteApplication(f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}")
        yield app
        await app.close()
    for each in talks:
        each.cancel()
    await asyncio.gather(*talks, return_exceptions=True)


async def pass_on(app: ASGIApp, scope: dict[str, Any], parts: tuple[bytes, ...] = (b"",)) -> list[Any]:
    coming, sent = list(parts), []

    async def receive() -> dict[str, Any]:
        return {"type": "http.request", "body": coming.pop(0), "more_body": bool(coming)}

    async def send(message: Any) -> None:
        sent.append(message)

    await app(scope, receive, send)
    return sent


def test_a_request_arrives_as_it_came_and_the_answer_as_it_was_sent() -> None:
    heads: list[bytes] = []

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        heads.append(await reader.readuntil(b"\r\n\r\n"))
        writer.write(
            b"HTTP/1.1 404 Not Found\r\nSet-Cookie: a=1\r\nSet-Cookie: b=2\r\nServer: other\r\nConnection: x-hop\r\n"
            b"X-Hop: 1\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
        )
        await reader.read()

    async def run() -> list[Any]:
        async with role(talk) as app:
            scope = build_scope(
                "/api/a%2Fb?page=2&q=%20",
                "de.brightmoor.example",
                scheme="https",
                client="203.0.113.7",
                x_forwarded_for="198.51.100.1",
                forwarded="for=198.51.100.1",
                x_forwarded_proto="http",
                connection="keep-alive, x-secret",
                x_secret="1",
                cookie="s=1",
            )
            return await pass_on(app, scope)

    start, *bodies = asyncio.run(run())
    first, *lines = heads[0].decode().lower().strip().split("\r\n")
    assert first == "get /api/a%2fb?page=2&q=%20 http/1.1"
    assert set(lines) == {
        "host: de.brightmoor.example",
        "x-forwarded-for: 203.0.113.7",
        "x-forwarded-proto: https",
        "cookie: s=1",
    }
    assert start["status"] == 404
    assert start["headers"] == [(b"set-cookie", b"a=1"), (b"set-cookie", b"b=2")]
    assert b"".join(part["body"] for part in bodies) == b"abcde"


def test_a_body_is_passed_on_while_it_comes() -> None:
    seen: list[bytes] = []

    async def run() -> list[Any]:
        arrived = asyncio.Event()

        async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            seen.append(await reader.readexactly(5))
            arrived.set()
            seen.append(await reader.readexactly(3))
            writer.write(OK)

        async with role(talk) as app:
            sent: list[Any] = []
            parts = iter(((b"first", True), (b"end", False)))

            async def receive() -> dict[str, Any]:
                body, more = next(parts)
                if not more:
                    await arrived.wait()
                return {"type": "http.request", "body": body, "more_body": more}

            async def send(message: Any) -> None:
                sent.append(message)

            await app(build_scope("/api/integration/form-data", method="POST", content_length="8"), receive, send)
            return sent

    assert asyncio.run(run())[0]["status"] == 200
    assert seen == [b"first", b"end"]


def test_a_body_that_breaks_off_is_no_request_there() -> None:
    async def run() -> bytes:
        rest: asyncio.Future[bytes] = asyncio.get_running_loop().create_future()

        async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            rest.set_result(await reader.read())

        async with role(talk) as app:
            messages = [{"type": "http.request", "body": b"half", "more_body": True}, {"type": "http.disconnect"}]

            async def receive() -> Any:
                return messages.pop(0)

            async def send(message: Any) -> None:
                raise AssertionError(message)

            await app(build_scope(method="POST", content_length="8"), receive, send)
            return await asyncio.wait_for(rest, LIMIT_S)

    assert asyncio.run(run()) == b"half"


@pytest.mark.parametrize(("method", "is_asked_again"), [("GET", True), ("POST", False)])
def test_only_what_reads_is_asked_again_on_another_connection(method: str, is_asked_again: bool) -> None:
    async def run() -> list[str]:
        asked: list[str] = []

        async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            asked.append((await reader.readuntil(b"\r\n\r\n")).decode().split()[0])
            if len(asked) != 1:
                writer.write(OK)  # the first one is closed without an answer

        async with role(talk) as app:
            if is_asked_again:
                assert (await pass_on(app, build_scope(method=method)))[0]["status"] == 200
            else:
                with pytest.raises(Unreachable):
                    await pass_on(app, build_scope(method=method))
        return asked

    assert asyncio.run(run()) == [method] * (2 if is_asked_again else 1)


def test_an_answer_that_breaks_off_breaks_off_here_too() -> None:
    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        await reader.readuntil(b"\r\n\r\n")
        writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf")

    async def run() -> None:
        async with role(talk) as app:
            await pass_on(app, build_scope())

    with pytest.raises(Exception, match="without sending complete message body") as broken:
        asyncio.run(run())
    assert not isinstance(broken.value, Unreachable)


@pytest.mark.parametrize("is_configured", [True, False])
def test_a_role_that_is_not_there_costs_its_own_addresses_alone(
    harbour: Harbour, is_configured: bool, caplog: pytest.LogCaptureFixture
) -> None:
    url = f"http://127.0.0.1:{free_port()}"
    nobody = (lambda: RemoteApplication(url)) if is_configured else (lambda: without_role("PORTOLAN_API_URL"))
    harbour = Harbour(harbour.root, harbour.media, harbour.build, nobody, load_studio=nobody)
    assert harbour.ask("/").text == pages("en")["/"]
    api, lead, form, studio = (
        harbour.ask("/api/content/offices"),
        harbour.ask("/api/integration/form-data", EN, "POST"),
        harbour.ask("/__form", EN, "POST"),
        harbour.ask("/admin/", STUDIO),
    )
    assert [answer.status for answer in (api, lead, form, studio)] == [503] * 4
    assert [orjson.loads(answer.body)["code"] for answer in (api, lead)] == ["unavailable"] * 2
    assert "the form still has your text" in form.text
    assert studio.headers["retry-after"]
    assert (url if is_configured else "PORTOLAN_API_URL is not set") in caplog.text
    assert len(caplog.records) == 2, "each role is said once a minute"


async def describe(scope: Any, receive: Any, send: Any) -> None:
    """Replace Django: reply with the request as Django gets it."""
    said = {"client": scope["client"] and scope["client"][0], "scheme": scope["scheme"]}
    said["read"] = scope.get("portolan.read", False)
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": orjson.dumps(said)})


@pytest.mark.parametrize(
    ("peer", "headers", "client", "scheme"),
    [
        ("10.0.0.5", {"x_forwarded_for": "203.0.113.7", "x_forwarded_proto": "https"}, "203.0.113.7", "https"),
        ("10.0.0.5", {"x_forwarded_for": "6.6.6.6, 203.0.113.7, 10.0.0.9"}, "203.0.113.7", "http"),
        ("10.0.0.5", {"x_forwarded_proto": "gopher"}, None, "http"),
        ("203.0.113.7", {"x_forwarded_for": "198.51.100.1", "x_forwarded_proto": "https"}, "203.0.113.7", "http"),
    ],
    ids=["an edge", "a chain", "an edge, for everybody", "somebody else"],
)
def test_only_an_edge_is_believed(peer: str, headers: dict[str, str], client: str | None, scheme: str) -> None:
    app = BehindEdges(lambda: describe, Clients(["10.0.0.0/8"]))
    answer = ask_scope(app, build_scope("/api/content/offices", client=peer, **headers))
    assert orjson.loads(answer.body) == {"client": client, "scheme": scheme, "read": True}


API, THE_STUDIO = None, "studio.localhost:8000"


@pytest.mark.parametrize(
    ("studio", "path", "host", "status"),
    [
        (API, "/api/content/offices", EN, 200),
        (API, "/__form", EN, 200),
        (API, "/__consent", EN, 200),
        (API, "/admin/", STUDIO, 404),
        (API, "/", EN, 404),
        (THE_STUDIO, "/admin/", STUDIO, 200),
        (THE_STUDIO, "/admin/", EN, 421),
        (THE_STUDIO, "/admin/", None, 421),
        (THE_STUDIO, INTAKE_PATH, EN, 200),  # for an edge whose API does not answer
        (THE_STUDIO, "/__form", EN, 200),
        (THE_STUDIO, "/api/content/offices", EN, 421),
    ],
)
def test_each_role_answers_what_is_its_own(studio: str | None, path: str, host: str | None, status: int) -> None:
    app = BehindEdges(lambda: describe, Clients(), studio)
    assert ask_scope(app, build_scope(path, host, client="10.0.0.5")).status == status


def test_a_body_is_bounded_there_too() -> None:
    app = BehindEdges(lambda: describe, Clients())
    scope = build_scope("/__consent", method="POST", client="10.0.0.5", content_length="100000")
    assert ask_scope(app, scope).status == 413

"""Monitoring of requests: ids, and the fields that the access log has and those it must never have."""

import asyncio
import logging
from typing import Any

import pytest
from starlette.types import Message, Receive, Scope, Send

from portolan.observing.access_log import log_requests, shorten
from portolan.observing.request_id import choose_id, current
from portolan.observing.requests import AnsweredRequest, ObservedRequests

ID = b"3f0c9a5e-1d7b"


@pytest.mark.parametrize("given", [None, b"short", b"with space in it", b"x" * 129, b"line\nbreak-in-it"])
def test_an_id_that_is_none_or_could_forge_a_line_is_made_anew(given: bytes | None) -> None:
    made = choose_id(given)
    assert len(made) == 32
    assert made != choose_id(given)


def test_an_id_that_can_be_used_is_taken() -> None:
    assert choose_id(ID) == ID.decode()


class Asked:
    """An application that answers 201, or breaks."""

    def __init__(self, fails: bool = False) -> None:
        self.fails = fails
        self.headers: list[tuple[bytes, bytes]] = []
        self.id = ""
        self.start: Message = {
            "type": "http.response.start",
            "status": 201,
            "headers": [(b"x-request-id", b"of another"), (b"etag", b"1")],
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        self.headers, self.id = list(scope["headers"]), current.get()
        if self.fails:
            raise RuntimeError
        await send(self.start)
        await send({"type": "http.response.body", "body": b"x"})


def ask(app: Asked, is_trusted: bool, headers: list[tuple[bytes, bytes]]) -> tuple[list[Any], list[AnsweredRequest]]:
    sent: list[Any] = []
    seen: list[AnsweredRequest] = []

    async def send(message: Message) -> None:
        sent.append(message)

    async def receive() -> Message:
        return {"type": "http.request"}

    observed = ObservedRequests(app, lambda _: is_trusted, lambda _: "203.0.113.9", lambda _: "de", [seen.append])
    scope = {"type": "http", "method": "GET", "path": "/a b", "query_string": b"email=x", "headers": headers}
    asyncio.run(observed(scope, receive, send))
    return sent, seen


@pytest.mark.parametrize(("is_trusted", "is_taken"), [(True, True), (False, False)])
def test_a_request_keeps_the_id_of_a_trusted_proxy_alone(is_trusted: bool, is_taken: bool) -> None:
    app = Asked()
    sent, seen = ask(app, is_trusted, [(b"host", b"x"), (b"x-request-id", ID)])
    assert (seen[0].id == ID.decode()) is is_taken
    assert app.id == seen[0].id
    assert [value for name, value in app.headers if name == b"x-request-id"] == [seen[0].id.encode()]
    assert sent[0]["headers"] == [(b"etag", b"1"), (b"x-request-id", seen[0].id.encode())]
    assert app.start["headers"][0] == (b"x-request-id", b"of another")  # a reply that is kept stays as it is
    assert (seen[0].site, seen[0].status, seen[0].address) == ("de", 201, "203.0.113.9")
    assert current.get() == ""


def test_a_request_that_breaks_is_told_too() -> None:
    seen: list[AnsweredRequest] = []
    observed = ObservedRequests(Asked(fails=True), lambda _: False, lambda _: "", lambda _: "", [seen.append])
    scope = {"type": "http", "method": "GET", "path": "/", "headers": []}
    with pytest.raises(RuntimeError):
        asyncio.run(observed(scope, None, None))  # type: ignore[arg-type]
    assert seen[0].status == 499


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("203.0.113.9", "203.0.113.0/24"),
        ("2001:db8:1:2::3", "2001:db8:1::/48"),
        ("::ffff:203.0.113.9", "203.0.113.0/24"),
        ("", ""),
        ("no address", ""),
    ],
)
def test_addresses_are_shortened_to_networks(address: str, network: str) -> None:
    assert shorten(address) == network


def test_the_access_log_says_neither_query_nor_whole_address(caplog: pytest.LogCaptureFixture) -> None:
    request = AnsweredRequest("id-of-this", "de", "GET", "/a b\nforged", 404, 0.00123, "203.0.113.9")
    with caplog.at_level(logging.INFO, "portolan.access"):
        log_requests("short-address")(request)
        log_requests("no-address")(request)
    first, second = caplog.records
    assert first.getMessage() == "de GET /a%20b?forged 404 1.23 ms 203.0.113.0/24 id-of-this"
    assert second.getMessage() == "de GET /a%20b?forged 404 1.23 ms id-of-this"
    assert not hasattr(second, "client")
    assert "203.0.113.9" not in str(vars(first)) + str(vars(second))

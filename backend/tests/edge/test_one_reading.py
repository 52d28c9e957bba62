"""Ambiguous requests are refused, and undeclared proxies are noticed."""

import re
from pathlib import Path
from typing import Any

import orjson
import pytest

import portolan
from portolan.domain.health import Health, find_reasons
from portolan.edge.clients import Clients
from portolan.edge.one_reading import LISTS, ONE_VALUE, OneReading
from portolan.edge.undeclared_proxies import UndeclaredProxies

from .conftest import ask_scope, build_scope

Headers = list[tuple[bytes, bytes]]


async def say_headers(scope: Any, receive: Any, send: Any) -> None:
    """Replace the application."""
    await send({"type": "http.response.start", "status": 200, "headers": []})
    await send({"type": "http.response.body", "body": b"reached"})


def ask(path: str, *headers: tuple[bytes, bytes], client: str = "203.0.113.7") -> Any:
    scope = build_scope(path, None, "POST", client=client)
    scope["headers"] = [*headers]
    return ask_scope(OneReading(say_headers, UndeclaredProxies(Clients()), ["CF-IPCountry"]), scope)


HOST = (b"host", b"de.localhost:8000")


@pytest.mark.parametrize(
    ("headers", "word"),
    [
        ([HOST, HOST], "host"),
        ([HOST, (b"host", b"localhost:8000")], "host"),
        ([HOST, (b"content-length", b"3"), (b"content-length", b"3")], "content-length"),
        ([HOST, (b"content-length", b"3"), (b"transfer-encoding", b"chunked")], "Send only one"),
        ([HOST, (b"transfer-encoding", b"chunked"), (b"content-length", b"3")], "Send only one"),
        ([HOST, (b"transfer-encoding", b"chunked"), (b"transfer-encoding", b"chunked")], "transfer-encoding"),
        ([HOST, (b"transfer-encoding", b"gzip, chunked")], "not supported"),
        ([HOST, (b"transfer-encoding", b"identity")], "not supported"),
        ([HOST, (b"country-code", b"de"), (b"country-code", b"fr")], "country-code"),
        ([HOST, (b"page-key", b"home"), (b"page-key", b"home")], "page-key"),
        ([HOST, (b"api-version", b"v5"), (b"api-version", b"v4")], "api-version"),
        ([HOST, (b"cookie", b"a=1"), (b"cookie", b"a=2")], "cookie"),
        ([HOST, (b"idempotency-key", b"a"), (b"idempotency-key", b"b")], "idempotency-key"),
        ([HOST, (b"x-forwarded-proto", b"http"), (b"x-forwarded-proto", b"https")], "x-forwarded-proto"),
        ([HOST, (b"cf-ipcountry", b"DE"), (b"cf-ipcountry", b"FR")], "cf-ipcountry"),
    ],
)
def test_what_can_be_read_in_two_ways_is_refused(headers: Headers, word: str) -> None:
    page, api = ask("/", *headers), ask("/api/content/offices", *headers)
    assert (page.status, api.status) == (400, 400)
    assert word in page.text
    assert orjson.loads(api.body)["code"] == "bad-request"
    assert word in orjson.loads(api.body)["detail"]


@pytest.mark.parametrize(
    ("version", "headers", "status"),
    [
        ("1.1", [HOST], 200),
        ("1.1", [], 400),
        ("1.1", [(b"host", b"")], 400),
        ("1", [(b"host", b"")], 200),  # HTTP/1.0: health checks of some load balancers
    ],
)
def test_a_request_names_its_host(version: str, headers: Headers, status: int) -> None:
    scope = {**build_scope("/"), "headers": headers, "http_version": version}
    reply = ask_scope(OneReading(say_headers, UndeclaredProxies(Clients())), scope)
    assert (reply.status, "Host" in reply.text) == (status, status == 400)


@pytest.mark.parametrize(
    "headers",
    [
        [HOST, (b"transfer-encoding", b"Chunked")],
        [HOST, (b"content-length", b"3"), (b"content-type", b"text/plain"), (b"cookie", b"a=1")],
        [HOST, (b"accept-language", b"de"), (b"accept-language", b"en")],
        [HOST, (b"x-forwarded-for", b"203.0.113.7"), (b"x-forwarded-for", b"198.51.100.1")],
        [HOST, (b"x-anything", b"1"), (b"x-anything", b"2")],
    ],
)
def test_lists_and_what_nobody_reads_may_stand_twice(headers: Headers) -> None:
    assert ask("/", *headers).text == "reached"


def test_every_header_that_is_read_is_of_one_sort() -> None:
    """Declare for each header that is read whether it may occur twice."""
    folder = Path(portolan.__file__).parent
    read: set[bytes] = set()
    for file in folder.rglob("*.py"):
        text = file.read_text(encoding="utf-8")
        read |= {name.lower().encode() for name in re.findall(r'request\.headers\.get\(\s*"([^"]+)"', text)}
        read |= {name.encode() for name in re.findall(r'name == b"([a-z-]+)"', text) if file.parent.name == "edge"}
    assert len(read) > 10
    assert not LISTS & ONE_VALUE
    of_answers = {b"cache-control", b"x-robots-tag"}
    assert read - of_answers <= LISTS | ONE_VALUE


FORWARDED = (b"x-forwarded-for", b"203.0.113.7")


@pytest.mark.parametrize(
    ("proxies", "requests", "is_found"),
    [
        ([], [("10.0.0.5", True)], True),
        ([], [("127.0.0.1", True)], True),
        ([], [("fd00::1", True)], True),
        ([], [("10.0.0.5", False)] * 200, False),
        (["10.0.0.0/8"], [("10.0.0.5", True)] * 200, False),
        ([], [("8.8.8.8", True)], False),  # anyone can forge that
        ([], [("8.8.8.8", True), ("9.9.9.9", False)] * 100, False),
        ([], [("8.8.8.8", True)] * 99, False),
        ([], [("8.8.8.8", True)] * 60 + [("9.9.9.9", False)] * 40, True),  # a CDN's
    ],
)
def test_a_proxy_that_nobody_declared_is_noticed(
    proxies: list[str], requests: list[tuple[str, bool]], is_found: bool, caplog: pytest.LogCaptureFixture
) -> None:
    undeclared = UndeclaredProxies(Clients(proxies))
    for address, is_forwarded in requests:
        undeclared.note({"client": (address, 1)}, is_forwarded=is_forwarded)
    assert undeclared.is_found() == is_found
    assert len(caplog.records) == is_found, "said once"
    if is_found:
        assert requests[0][0] in caplog.text
        assert "PORTOLAN_TRUSTED_PROXIES" in caplog.text


def test_it_is_said_again_and_forgotten_when_it_is_declared(caplog: pytest.LogCaptureFixture) -> None:
    clock = [0.0]
    undeclared = UndeclaredProxies(Clients(), lambda: clock[0])
    for clock[0] in (0.0, 300.0, 700.0):
        ask_scope(OneReading(say_headers, undeclared), build_scope(client="10.0.0.5", x_forwarded_for="203.0.113.7"))
    assert len(caplog.records) == 2
    clock[0] = 2_000.0
    assert not undeclared.is_found()


def test_who_watches_hears_of_it() -> None:
    reasons, (warning,) = find_reasons(Health("edge", "1", sites=8, undeclared_proxy=True))
    assert not reasons
    assert "PORTOLAN_TRUSTED_PROXIES" in warning

"""Sites are requested like a browser does, within limits of time and number."""

import asyncio
import gzip
from collections.abc import Iterator

import brotli
import pytest

from portolan.builds.store import digest_of
from portolan.delivery_status import ask as asking
from portolan.delivery_status.answers import Answer
from portolan.delivery_status.ask import ask

from ..edge.upstream import Upstream, head_only, running, typed
from ..processes import LIMIT_S, SLOWER

PAGE = b"<!DOCTYPE html>" + b"<p>Berth</p>" * 500


class PlainHost(Upstream):
    """Without TLS."""

    async def start(self) -> asyncio.Server:
        server = await asyncio.start_server(self._serve, "127.0.0.1", 0)
        self.port = server.sockets[0].getsockname()[1]
        return server


@pytest.fixture
def host() -> Iterator[PlainHost]:
    host = PlainHost()
    with running(host):
        yield host


def asked(host: PlainHost, path: str, within_s: float = LIMIT_S) -> Answer | str:
    url = f"http://de.localhost:{host.port}{path}"
    return ask([url], within_s)[url]


def test_a_page_is_unpacked_and_known_by_its_digest(host: PlainHost) -> None:
    host.answers = {
        "/plain": typed("text/html", PAGE),
        "/br": typed("text/html", brotli.compress(PAGE), "Content-Encoding: br"),
        "/gzip": typed("text/html", gzip.compress(PAGE), "Content-Encoding: gzip"),
    }
    for path in host.answers:
        assert asked(host, path) == Answer(200, digest_of(PAGE)), path
    head = host.heads[0].decode().lower()
    assert f"host: de.localhost:{host.port}\r\n" in head
    assert "accept-encoding: br, gzip\r\n" in head
    assert "cookie" not in head


def test_no_redirect_is_followed(host: PlainHost) -> None:
    host.answers = {"/old": head_only("Location: /new", "Content-Length: 0", status="301 Moved")}
    assert asked(host, "/old") == Answer(301, location=f"http://de.localhost:{host.port}/new")
    assert len(host.heads) == 1


def test_what_is_too_large_or_no_page_is_not_kept_in_memory(host: PlainHost, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(asking, "LARGEST", 1 << 20)
    host.answers = {
        "/large": typed("text/html", bytes(3 << 20)),
        "/gzip": typed("text/html", gzip.compress(bytes(4 << 20), 1), "Content-Encoding: gzip"),
        "/br": typed("text/html", brotli.compress(bytes(4 << 20), quality=1), "Content-Encoding: br"),
        "/other": typed("text/html", PAGE, "Content-Encoding: zstd"),
        "/broken": typed("text/html", b"no gzip", "Content-Encoding: gzip"),
    }
    for path in host.answers:
        assert asked(host, path) == "the response is too large or cannot be unpacked", path


def test_who_does_not_answer_is_not_waited_for_and_nobody_is_asked_twice(host: PlainHost) -> None:
    async def hang(_writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(3600)

    host.answers = {"/": hang, "/web": typed("text/html", PAGE)}
    urls = [f"http://de.localhost:{host.port}{path}" for path in ("/", "/web")]
    within_s = 0.3 * SLOWER
    late = f"it did not respond within {within_s:g} s"
    assert list(ask(urls, within_s).values()) == [late, Answer(200, digest_of(PAGE))]


def test_who_is_away_is_said_to_be_away() -> None:
    (said,) = ask(["http://localhost:1/"]).values()
    assert "connecting failed" in str(said)
    assert ask([]) == {}

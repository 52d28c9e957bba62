"""Django's threads: one for writes, and one with a kept connection for reads of the API."""

import asyncio
import threading
from typing import Any

import pytest
from django.db import connection
from django.http import HttpRequest, HttpResponse

from portolan.config.asgi import Handler
from portolan.domain.content_api import READ_IN_SCOPE


def ask(handler: Handler, path: str = "/api/nothing", **more: Any) -> tuple[int, bytes]:
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "client": None}
    sent: list[Any] = []
    body = [{"type": "http.request", "body": b""}]

    async def receive() -> Any:
        return body.pop() if body else await asyncio.get_running_loop().create_future()

    async def send(message: Any) -> None:
        sent.append(message)

    async def run() -> None:
        await asyncio.wait_for(handler({**scope, "headers": [(b"host", b"localhost")], **more}, receive, send), 30)

    asyncio.run(run())
    return sent[0]["status"], b"".join(message["body"] for message in sent[1:])


@pytest.fixture
def threads(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the names of the threads that ran each layer, in order."""
    found: list[str] = []

    def outer(get_response: Any) -> Any:
        def middleware(request: HttpRequest) -> HttpResponse:
            found.append(threading.current_thread().name)
            response: HttpResponse = get_response(request)
            return response

        return middleware

    monkeypatch.setattr("django.conf.settings.MIDDLEWARE", [f"{__name__}.layer", "portolan.api.headers.ApiHeaders"] * 2)
    monkeypatch.setattr(f"{__name__}.layer", outer)
    return found


def layer(get_response: Any) -> Any: ...


def test_a_request_stays_in_one_thread(threads: list[str]) -> None:
    assert ask(Handler())[0] == 404
    assert len(threads) == 2
    assert len(set(threads)) == 1
    assert threads[0] != threading.main_thread().name


def test_reads_of_the_api_share_one_thread_apart(threads: list[str]) -> None:
    handler = Handler()
    answers = [ask(handler, **{READ_IN_SCOPE: True}) for _ in range(3)]
    assert [status for status, _ in answers] == [404] * 3
    assert b"unknown-route" in answers[0][1]
    assert len(threads) == 6
    (name,) = set(threads)
    assert name.startswith("api-read")


@pytest.mark.django_db
def test_a_reader_keeps_its_connection_for_a_while(monkeypatch: pytest.MonkeyPatch) -> None:
    handler, now = Handler(), 1000.0
    monkeypatch.setattr("portolan.config.asgi.time.monotonic", lambda: now)
    connection.close_at = now  # as after a connection has been opened, where none is to be kept
    handler._keep_connection()
    assert connection.close_at > now
    kept_until = connection.close_at
    now += 5
    handler._keep_connection()
    assert connection.close_at == kept_until, "a busy reader opens one anew now and then"
    connection.close_at = None

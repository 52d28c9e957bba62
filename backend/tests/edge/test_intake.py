"""Leads when the API does not answer: the studio's process has the same intake."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, Final

import pytest

from portolan.domain.content_api import INTAKE_PATH
from portolan.domain.health import LIVE_PATH
from portolan.domain.plain_forms import FORM_PATH
from portolan.edge import intake as intake_module
from portolan.edge.backend import Backend, Unreachable
from portolan.edge.intake import LAST_AFTER_S, LEAD_REFUSED, Intake

from . import fake_time
from .conftest import build_scope

BODY: Final = (b"form=", b"contact")
TAKEN, WRONG, FAILED = 201, 422, 503
HANGS: Final = 0
"""The process is stopped: it does not answer leads or liveness requests."""
GONE: Final = -1
"""The port is closed."""

App = Callable[[Any, Any, Any], Awaitable[None]]


class Process:
    """Server that answers leads with a status after ``late_s`` seconds."""

    def __init__(self, status: int, late_s: float = 0) -> None:
        self.bodies: list[bytes] = []
        self.lives = True
        self._status = status
        self._late_s = late_s

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if self._status == GONE:
            raise Unreachable("Nobody listens.")
        if self._status == HANGS:
            await asyncio.Event().wait()
        if scope["path"] == LIVE_PATH:
            if not self.lives:
                await asyncio.Event().wait()
            await send({"type": "http.response.start", "status": 200, "headers": []})
            await send({"type": "http.response.body", "body": b""})
            return
        body = b""
        while True:
            message = await receive()
            body += message["body"]
            if not message["more_body"]:
                break
        self.bodies.append(body)
        await asyncio.sleep(self._late_s)
        await send({"type": "http.response.start", "status": self._status, "headers": []})
        await send({"type": "http.response.body", "body": b"%d" % id(self)})


def loaded(app: App) -> Backend:
    backend = Backend(lambda: app)
    backend.load()
    return backend


def send_lead(api: Process, studio: Process, path: str = INTAKE_PATH, is_starting: bool = False) -> tuple[int, bytes]:
    """Return status and body of the reply."""
    said: list[Any] = []
    waiting = [{"type": "http.request", "body": part, "more_body": part != BODY[-1]} for part in BODY]

    async def receive() -> Any:
        return waiting.pop(0)

    async def send(message: Any) -> None:
        said.append(message)

    async def run() -> None:
        await Intake(loaded(api), loaded(studio), lambda: is_starting)(build_scope(path, method="POST"), receive, send)

    fake_time.run(run())
    return said[0]["status"], said[1]["body"]


@pytest.mark.parametrize(
    ("api", "studio", "status", "is_asked"),
    [
        (Process(TAKEN), Process(TAKEN), TAKEN, False),
        (Process(WRONG), Process(TAKEN), WRONG, False),
        (Process(HANGS), Process(TAKEN), TAKEN, True),
        (Process(GONE), Process(TAKEN), TAKEN, True),
        (Process(FAILED), Process(TAKEN), TAKEN, True),
        (Process(HANGS), Process(WRONG), WRONG, True),
        (Process(HANGS), Process(FAILED), FAILED, True),
        (Process(HANGS), Process(HANGS), 503, False),
        (Process(GONE), Process(GONE), 503, False),
        (Process(TAKEN, late_s=LAST_AFTER_S - 1), Process(WRONG), TAKEN, True),
        (Process(TAKEN, late_s=LAST_AFTER_S + 1), Process(TAKEN, late_s=LAST_AFTER_S + 1), TAKEN, True),
    ],
    ids=[
        "taken at once",
        "refused at once",
        "the API is stopped",
        "the API is gone",
        "the API cannot store it",
        "the API is stopped and the form is wrong",
        "the API is stopped and the disk is full",
        "both are stopped",
        "both are gone",
        "an API that is late and takes it counts more than a refusal",
        "both are slow and alive",
    ],
)
def test_who_takes_a_lead(api: Process, studio: Process, status: int, is_asked: bool) -> None:
    refused: list[int] = []
    LEAD_REFUSED.watch(note := lambda: refused.append(1))
    try:
        assert send_lead(api, studio)[0] == status
    finally:
        LEAD_REFUSED.forget(note)
    assert all(body == b"".join(BODY) for body in [*api.bodies, *studio.bodies]), "whole, each time"
    assert bool(studio.bodies) == is_asked
    assert len(refused) == (status == 503), "a lead that is refused by an error of ours is told of"


def test_a_form_without_scripts_gets_a_page_when_nobody_takes_it() -> None:
    status, body = send_lead(Process(GONE), Process(GONE), FORM_PATH)
    assert status == 503
    assert b"Your message could not be sent" in body


def test_a_lead_waits_for_processes_that_are_being_started() -> None:
    """The wait is longer than for processes that should answer."""
    starts = Process(TAKEN, late_s=LAST_AFTER_S + 1)
    starts.lives = False
    assert send_lead(starts, Process(HANGS))[0] == 503
    assert send_lead(starts, Process(HANGS), is_starting=True)[0] == TAKEN


def test_a_body_beyond_what_is_kept_is_passed_on_as_it_comes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(intake_module, "_MOST_KEPT", 3)
    api = Process(TAKEN)
    assert send_lead(api, Process(TAKEN))[0] == TAKEN
    assert api.bodies == [b"".join(BODY)]

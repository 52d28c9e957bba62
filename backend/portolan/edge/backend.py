"""The API and studio behind the edge, as an ASGI application.

In a role of its own it is Django in the same process, which answers while Django loads. For an edge it is another
process, reached by HTTP (``remote.py``).
"""

import asyncio
import logging
import threading
import time
from collections.abc import Callable, MutableMapping
from typing import Any, Final

from starlette.types import ASGIApp, Receive, Scope, Send

from ..domain.health import Loading
from ..domain.plain_forms import FORM_PATH
from .plain_replies import (
    API_BAD_REQUEST,
    API_FAILED,
    API_UNAVAILABLE,
    BAD_REQUEST,
    FAILED,
    FORM_UNAVAILABLE,
)
from .replies import Reply
from .spoken_pages import STUDIO_UNAVAILABLE

LONGEST_WAIT_S: Final = 30
"""Seconds that a request waits while the application loads."""

_SAID_AGAIN_AFTER_S: Final = 60

_log = logging.getLogger(__name__)


class Unreachable(Exception):
    """The remote application does not respond, before any part of a reply was sent. The message is for the log."""


class Backend:
    """An ASGI application that loads in its own thread, and may fail while the sites are served."""

    def __init__(self, load: Callable[[], ASGIApp]) -> None:
        self._load = load
        self._app: ASGIApp | None = None
        self._loaded = threading.Event()
        self._thread: threading.Thread | None = None
        self._silent_until = 0.0
        self.is_silent = False
        """Whether the application is remote and its last request failed."""

    def start(self) -> None:
        """Start loading, once."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._load_app, name="load-backend", daemon=True)
            self._thread.start()

    def load(self) -> None:
        """Load, and return when loading has ended or failed."""
        self.start()
        self._loaded.wait()

    @property
    def loading(self) -> Loading:
        return "loaded" if self._app else "failed" if self._loaded.is_set() else "loading"

    async def wait(self) -> None:
        """Wait until loading has ended or failed."""
        if not self._loaded.is_set():
            self.start()
            await asyncio.to_thread(self._loaded.wait, LONGEST_WAIT_S)

    async def __call__(self, scope: Scope, receive: Receive, send: Send, *, is_api: bool) -> None:
        await self.wait()
        if self._app is None:
            await _unavailable(scope, is_api).send(scope, b"", send)
            return
        started = False

        async def watched_send(message: MutableMapping[str, Any]) -> None:
            nonlocal started
            started = True
            self.is_silent = False
            await send(message)

        try:
            await self._app(scope, receive, watched_send)
        except Unreachable as error:
            self.is_silent = True
            self._say(error)
            await _unavailable(scope, is_api).send(scope, b"", send)
            return
        except Exception:
            _log.exception("%s %s failed", scope["method"], scope["path"])
            if started:
                raise  # part of the reply is sent, so only closing the connection tells the client
            await (API_FAILED if is_api else FAILED).send(scope, b"", send)
            return
        if not started:  # the body broke off or is invalid; a client that is still connected is told
            await (API_BAD_REQUEST if is_api else BAD_REQUEST).send(scope, b"", send)

    def _say(self, error: Unreachable) -> None:
        """Log the error at most once a minute."""
        now = time.monotonic()
        if now >= self._silent_until:
            self._silent_until = now + _SAID_AGAIN_AFTER_S
            _log.error("%s Published pages are still served.", error)

    def _load_app(self) -> None:
        try:
            self._app = self._load()
        except BaseException:  # a settings error ends with SystemExit
            _log.exception("API and studio could not start. Published sites are still served.")
        finally:
            self._loaded.set()


def build_unavailable(scope: Scope) -> list[MutableMapping[str, Any]]:
    """Return the messages of the reply to a lead that every process failed to store."""
    reply = _unavailable(scope, is_api=True)
    return [dict(reply.start), dict(reply.body)]


def _unavailable(scope: Scope, is_api: bool) -> Reply:
    if scope["path"] == FORM_PATH:  # a browser without scripts: a person reads the reply
        return FORM_UNAVAILABLE
    return API_UNAVAILABLE if is_api else STUDIO_UNAVAILABLE.for_reader(scope)

"""What stands behind the edge: the API and the studio, in the same process, loaded while sites are served already."""

import asyncio
import logging
import threading
from collections.abc import Callable, MutableMapping
from typing import Any, Final

from starlette.types import ASGIApp, Receive, Scope, Send

from .plain_replies import API_BAD_REQUEST, API_FAILED, API_UNAVAILABLE, BAD_REQUEST, FAILED, STUDIO_UNAVAILABLE

LONGEST_WAIT_S: Final = 30
"""For a request that comes while the application is still loading."""

_log = logging.getLogger(__name__)


class Backend:
    """An ASGI application that is loaded in a thread of its own, and may fail without taking the sites along."""

    def __init__(self, load: Callable[[], ASGIApp]) -> None:
        self._load = load
        self._app: ASGIApp | None = None
        self._loaded = threading.Event()
        self._thread: threading.Thread | None = None

    def start(self) -> None:
        """Begin to load; done once."""
        if self._thread is None:
            self._thread = threading.Thread(target=self._load_app, name="load-backend", daemon=True)
            self._thread.start()

    async def wait(self) -> None:
        """Until it is loaded, or has failed to."""
        if not self._loaded.is_set():
            self.start()
            await asyncio.to_thread(self._loaded.wait, LONGEST_WAIT_S)

    async def __call__(self, scope: Scope, receive: Receive, send: Send, *, is_api: bool) -> None:
        await self.wait()
        if self._app is None:
            await (API_UNAVAILABLE if is_api else STUDIO_UNAVAILABLE).send(scope, b"", send)
            return
        started = False

        async def watched_send(message: MutableMapping[str, Any]) -> None:
            nonlocal started
            started = True
            await send(message)

        try:
            await self._app(scope, receive, watched_send)
        except Exception:
            _log.exception("%s %s failed", scope["method"], scope["path"])
            if started:
                raise  # half an answer is out: only breaking the connection tells the client
            await (API_FAILED if is_api else FAILED).send(scope, b"", send)
            return
        if not started:  # the body broke off, or its chunks are none; who is still there is told, else nobody hears it
            await (API_BAD_REQUEST if is_api else BAD_REQUEST).send(scope, b"", send)

    def _load_app(self) -> None:
        try:
            self._app = self._load()
        except BaseException:  # a settings error ends with SystemExit
            _log.exception("The API and the studio could not be started; the published sites are served without them")
        finally:
            self._loaded.set()

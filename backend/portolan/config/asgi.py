"""Django as an ASGI application, for the API and the studio."""

import asyncio
import threading
import time
import warnings
from collections.abc import MutableMapping
from concurrent.futures import ThreadPoolExecutor
from contextvars import copy_context
from functools import partial
from io import BytesIO
from typing import Any, Final

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.core.signals import request_started
from django.db import connection
from django.http import HttpRequest, HttpResponseBase

from ..domain.content_api import READ_IN_SCOPE
from .start_django import use_settings

_READERS: Final = 1
"""Number of threads for reads of the API.

They share one interpreter with the sites. A second thread would not answer more reads, and pages would wait for two.
"""
_CONNECTION_KEPT_S: Final = 10

_Message = MutableMapping[str, Any]


class Handler(ASGIHandler):
    """Answers a request in one thread, from the first middleware to the last, because none of ours is asynchronous.

    Django's own handler switches threads for every middleware, which takes two thirds of the time of a small reply.
    Reads of the API have their own thread with an open connection, because SQLite takes longer to open one than to read.
    """

    def __init__(self) -> None:
        super().__init__()
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="api-read")
        self._local = threading.local()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if not scope.get(READ_IN_SCOPE):
            await super().__call__(scope, receive, send)
            return
        read = partial(copy_context().run, self._read, scope)  # with the request's id, for the log
        for message in await asyncio.get_running_loop().run_in_executor(self._readers, read):
            await send(message)

    def load_middleware(self, is_async: bool = False) -> None:
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        return await sync_to_async(self.get_response, thread_sensitive=True)(request)

    def _read(self, scope: Any) -> list[_Message]:
        """Return the messages of the reply."""
        request_started.send(sender=type(self), scope=scope)
        request, refusal = self.create_request(scope, BytesIO())
        response: Any = self.get_response(request) if request else refusal
        headers = [(name.encode("ascii"), value.encode("latin-1")) for name, value in response.items()]
        body = b"".join(response)
        self._keep_connection()
        response.close()
        start = {"type": "http.response.start", "status": response.status_code, "headers": headers}
        return [start, {"type": "http.response.body", "body": body}]

    def _keep_connection(self) -> None:
        """Keep a recently opened connection for a while. Django closes connections after each request."""
        opened = connection.connection
        if (
            opened is not None
            and connection.close_at is not None
            and opened is not getattr(self._local, "opened", None)
        ):
            self._local.opened = opened
            connection.close_at = time.monotonic() + _CONNECTION_KEPT_S


def _load() -> Handler:
    import django

    use_settings()
    # The studio's static files are small and read whole in a thread. Streaming would not be faster.
    warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
    django.setup(set_prefix=False)
    return Handler()


application = _load()

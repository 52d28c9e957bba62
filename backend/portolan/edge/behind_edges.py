"""Serve the API or the studio as a server of its own, for requests that edges forward (``remote.py``)."""

from collections.abc import Callable, Mapping
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from .. import __version__
from ..builds.hosts import name_host
from ..domain.captcha import CAPTCHA_PATH
from ..domain.consent import CONSENT_PATH, LARGEST_CHOICE
from ..domain.content_api import API_PREFIX, INTAKE_PATH, INTEGRATION_PREFIX, READ_IN_SCOPE
from ..domain.health import Health, Role
from ..domain.plain_forms import FORM_PATH
from ..domain.previews import LARGEST_REQUEST, is_preview_host
from .backend import Backend
from .clients import Clients
from .health import PATHS as HEALTH_PATHS
from .health import HealthReplies
from .intake import LEAD_PATHS, counted
from .limits import LARGEST_BODY, LARGEST_PLAIN_FORM, LimitedBody, find_excess
from .plain_replies import UNKNOWN_HOST, build_text

_BODIES: Final[Mapping[str, int]] = {
    CONSENT_PATH: LARGEST_CHOICE,
    CAPTCHA_PATH: LARGEST_CHOICE,
    FORM_PATH: LARGEST_PLAIN_FORM,
}
"""Largest bodies of the API's paths outside ``/api/``."""
INTAKE_PATHS: Final = frozenset((*_BODIES, INTAKE_PATH))
"""Paths that the studio's process also accepts, for an edge whose API does not respond (``intake.py``)."""
_NOT_HERE: Final = build_text(404, "Another role serves this URL.")


class BehindEdges:
    """An ASGI application around the one that ``load`` returns. Edges enforce the limits for clients."""

    def __init__(
        self,
        load: Callable[[], ASGIApp],
        clients: Clients,
        studio: str | None = None,
        examine: Callable[[Health], Health] = lambda known: known,
        preview_domain: str = "",
    ) -> None:
        """``clients`` has the edges as trusted proxies. ``studio``: the studio's host if this is the studio, else this is
        the API. ``preview_domain``: parent domain of the studio's previews."""
        self.backend = Backend(load)
        self._clients = clients
        self._studio = studio
        self._preview_domain = preview_domain
        role: Role = "api" if studio is None else "studio"
        self._health = HealthReplies(lambda: Health(role, __version__, loading=self.backend.loading), examine)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
        elif scope["type"] != "http":
            await send({"type": "websocket.close"})
        elif scope["path"] in HEALTH_PATHS:
            await self._health.send(scope["path"], scope, send)
        elif self._studio is None or scope["path"] in INTAKE_PATHS:
            await self._api(self._as_it_came(scope), receive, send)
        else:
            await self._answer_editor(self._as_it_came(scope), receive, send)

    async def _api(self, scope: Scope, receive: Receive, send: Send) -> None:
        path: str = scope["path"]
        is_operation = path.startswith(API_PREFIX)
        if not is_operation and path not in _BODIES:
            await _NOT_HERE.send(scope, b"", send)
            return
        largest = _BODIES.get(path, LARGEST_BODY)
        if refusal := find_excess(scope, largest):
            await refusal.send(scope, b"", send)
        elif is_operation and scope["method"] in ("GET", "HEAD") and not path.startswith(INTEGRATION_PREFIX):
            await self.backend({**scope, READ_IN_SCOPE: True}, receive, send, is_api=True)
        else:
            body = LimitedBody(receive, counted(send) if path in LEAD_PATHS else send, largest)
            await self.backend(scope, body.receive, body.send, is_api=True)
            await body.finish(scope)

    async def _answer_editor(self, scope: Scope, receive: Receive, send: Send) -> None:
        host = _host(scope)
        if host == self._studio:
            await self.backend(scope, receive, send, is_api=False)
        elif is_preview_host(host, self._preview_domain):
            if refusal := find_excess(scope, LARGEST_REQUEST):
                await refusal.send(scope, b"", send)
                return
            body = LimitedBody(receive, send, LARGEST_REQUEST)
            await self.backend(scope, body.receive, body.send, is_api=False)
            await body.finish(scope)
        else:
            await UNKNOWN_HOST.send(scope, b"", send)

    def _as_it_came(self, scope: Scope) -> Scope:
        """Return the request with the client and scheme that the edge received."""
        connected = scope.get("client")
        if not self._clients.is_behind_proxy(scope):
            return {**scope, "client": connected}
        # A request for a reply that the edge will cache is for all clients, so it has none.
        is_of_one = _value(scope, b"x-forwarded-for") is not None
        client = (self._clients.address(scope), 0) if is_of_one else None
        return {**scope, "client": client, "scheme": self._clients.scheme(scope)}

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        self.backend.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})


def _host(scope: Scope) -> str:
    return name_host((_value(scope, b"host") or b"").decode("latin-1"), scope["scheme"])


def _value(scope: Scope, wanted: bytes) -> bytes | None:
    return next((value for name, value in scope["headers"] if name == wanted), None)

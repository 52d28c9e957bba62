"""The edge as one plain ASGI function: host, path, file. What a visitor reads passes no framework."""

import logging
from collections.abc import Callable
from pathlib import Path
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from ..builds.store import ContentStore
from . import media
from .backend import Backend
from .encodings import Coding, accepted_codings
from .headers import REVALIDATE
from .live_sites import STUDIO, LiveSite, LiveSites
from .paths import read_path
from .plain_replies import BAD_REQUEST, FAILED, NOT_FOUND, NOT_PUBLISHED, UNKNOWN_HOST, WRONG_METHOD, build_text
from .redirects import choose_redirect, location
from .replies import Reply, ReplyCache
from .site_files import FAILED_PAGE, NOT_FOUND_PAGE, SiteFiles

API_PREFIX: Final = "/api/"

_NOT_PAGES: Final = ("/page-data/", "/assets/", media.PREFIX)
"""A script or a picture asks for these: nobody reads an error page there."""

_log = logging.getLogger(__name__)


class Edge:
    """Serves every site by its host from ``builds``, ``/media/`` from ``media_folder``, the rest from what ``load`` gives."""

    def __init__(self, builds: Path, media_folder: Path, load: Callable[[], ASGIApp]) -> None:
        self._media_folder = media_folder
        self._sites = LiveSites(builds)
        self._cache = ReplyCache()
        self._files = SiteFiles(ContentStore(builds), self._cache)
        self._backend = Backend(load)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close"})
            return
        host = accept = if_none_match = b""
        hosts = 0
        for name, value in scope["headers"]:
            if name == b"host":
                host = value
                hosts += 1
            elif name == b"accept-encoding":
                accept = accept + b"," + value if accept else value
            elif name == b"if-none-match":
                if_none_match = value
        now = self._sites.look()
        path = read_path(scope)
        key = self._sites.key(host, scope["scheme"]) if hosts == 1 else None
        if path is None or hosts > 1:
            await BAD_REQUEST.send(scope, b"", send)
        elif key is None:
            await UNKNOWN_HOST.send(scope, b"", send)
        elif path.startswith(API_PREFIX) or (key == STUDIO and not path.startswith(media.PREFIX)):
            await self._backend(scope, receive, send, is_api=path.startswith(API_PREFIX))
        else:
            reply = self._reply(scope, key, path, accepted_codings(accept), now)
            await reply.send(scope, if_none_match, send)

    def _reply(self, scope: Scope, key: str, path: str, codings: tuple[Coding, ...], now: float) -> Reply:
        """The reply to a request for a file. Never fails: what fails in us becomes the site's own error page."""
        site = self._sites.site(key)
        try:
            if scope["method"] not in ("GET", "HEAD"):
                return WRONG_METHOD
            if path.startswith(media.PREFIX):
                return self._media(path, codings, now)
            if site is None:
                return NOT_PUBLISHED
            return self._files.reply(site, path, codings, now) or self._missing(scope, site, path, codings, now)
        except Exception:
            _log.exception("%s %s failed on %s", scope["method"], path, key)
            return self._failed(site, codings, now)

    def _media(self, path: str, codings: tuple[Coding, ...], now: float) -> Reply:
        key = (path, codings)
        reply = self._cache.get(key, now)
        if reply is None:
            reply = media.read_media(self._media_folder, path, codings, now)
            if reply is None:
                return NOT_FOUND
            self._cache.add(key, reply)
        return reply

    def _missing(self, scope: Scope, site: LiveSite, path: str, codings: tuple[Coding, ...], now: float) -> Reply:
        page = choose_redirect(path, site.is_page)
        if page is not None:
            target = location(page, scope["query_string"])
            return build_text(301, "Moved.", (b"location", target), cache=REVALIDATE)
        if path.startswith(_NOT_PAGES):
            return NOT_FOUND
        return self._files.reply(site, NOT_FOUND_PAGE, codings, now, 404) or NOT_FOUND

    def _failed(self, site: LiveSite | None, codings: tuple[Coding, ...], now: float) -> Reply:
        try:
            return (site and self._files.reply(site, FAILED_PAGE, codings, now, 500)) or FAILED
        except Exception:
            _log.exception("The site's own error page cannot be shown either")
            return FAILED

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        self._backend.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})

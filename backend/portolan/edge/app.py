"""The edge as one plain ASGI function: from host and path to a file, without a framework."""

import logging
from collections.abc import Callable, Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

from starlette.types import ASGIApp, Receive, Scope, Send

from .. import __version__
from ..builds.hosts import name_host
from ..builds.media_copies import MediaCopies
from ..builds.signing import NO_KEYS, Keys
from ..builds.store import ContentStore
from ..domain.captcha import CAPTCHA_PATH
from ..domain.consent import CONSENT_PATH, LARGEST_CHOICE
from ..domain.content_api import API_PREFIX, INTAKE_PATH, INTEGRATION_PREFIX
from ..domain.health import Health
from ..domain.media_addresses import MEDIA, is_open, is_public, read_media_name
from ..domain.plain_forms import FORM_PATH
from ..domain.previews import LARGEST_REQUEST, is_preview_host
from ..domain.raster_copies import read_raster_copy
from ..domain.redirects import GONE, PERMANENT
from .api_replies import ApiReplies
from .backend import Backend
from .clients import Clients
from .country import CountryFile, VisitorCountry
from .encodings import Coding, accepted_codings
from .health import PATHS as HEALTH_PATHS
from .health import HealthReplies
from .intake import Intake
from .limits import LARGEST_PLAIN_FORM, MISSED_TOO_MUCH, LimitedBody, RateLimit, find_excess
from .live_sites import STUDIO, LiveSite, LiveSites
from .media import find_media, read_media
from .paths import is_exact, read_path
from .plain_replies import (
    API_BAD_REQUEST,
    API_UNKNOWN_HOST,
    BAD_REQUEST,
    DAMAGED,
    FAILED,
    NOT_FOUND,
    NOT_PUBLISHED,
    UNKNOWN_HOST,
    WRONG_METHOD,
)
from .raster_copies import RasterCopies
from .redirects import build_redirect, choose_redirect, find_redirect, redirect_data
from .replies import Reply, ReplyCache
from .shared_counts import Exchange, SharedCounts
from .site_files import FAILED_PAGE, NOT_FOUND_PAGE, DamagedFileError, SiteFiles
from .stored_media import StoredMedia
from .third_party import PROXY_PATH, ThirdPartyScripts

_NOT_PAGES: Final = ("/page-data/", "/assets/", MEDIA)
"""Paths of scripts and images. Nobody would read an error page there."""

_log = logging.getLogger(__name__)


class Edge:
    """Serve each site from ``builds`` by the request's host.

    ``/media/`` is served from ``media``, a folder or copies of a storage. The application that ``load`` returns answers
    all other requests.
    """

    def __init__(
        self,
        builds: Path,
        media: Path | StoredMedia,
        load: Callable[[], ASGIApp],
        *,
        load_studio: Callable[[], ASGIApp] | None = None,
        reads_at_once: int = 1,
        cache_url: str = "",
        examine: Callable[[Health], Health] = lambda known: known,
        api_limit_per_minute: int = 0,
        api_misses_per_minute: int = 0,
        trusted_proxies: Iterable[str] = (),
        country_header: str = "",
        country_file: Path | None = None,
        country_override: bool = False,
        third_party: ThirdPartyScripts | None = None,
        name: str = "",
        keys: Keys = NO_KEYS,
        preview_domain: str = "",
        is_starting: Callable[[], bool] = lambda: False,
        wake: Callable[[], object] = lambda: None,
    ) -> None:
        """``load_studio``: the studio, if it is another application than the API. ``reads_at_once``: number of concurrent
        reads of the API. ``cache_url``: cache in which several edges count requests together. ``examine``: adds to the
        edge's health. ``third_party``: for tests with local servers.

        ``name``: under which the edge reports its builds; empty: no reports. ``keys``: signing keys that served builds
        need. ``preview_domain``: parent domain of the studio's previews; empty: no previews. ``is_starting``: whether API
        or studio is starting. ``wake``: notify the publisher about a damage report.
        """
        self._stored_media = media if isinstance(media, StoredMedia) else StoredMedia(MediaCopies(media))
        self._media_folders = self._stored_media.folders
        self._raster_copies = RasterCopies(self._media_folders)
        self._sites = LiveSites(builds, edge=name, keys=keys, wake=wake)
        self._cache = ReplyCache()
        self._files = SiteFiles(ContentStore(builds), self._cache)
        self._backend = Backend(load)
        self._studio = Backend(load_studio) if load_studio else self._backend
        self._intake = Intake(self._backend, self._studio if load_studio else None, is_starting)
        asked, missed = (SharedCounts(name, cache_url) if cache_url else None for name in ("asked", "missed"))
        self._exchange = Exchange(cache_url, [asked, missed]) if asked and missed else None
        misses = RateLimit(api_misses_per_minute, MISSED_TOO_MUCH, missed)
        self._api_replies = ApiReplies(self._sites, self._backend, misses, reads_at_once)
        self._clients = Clients(trusted_proxies)
        database = CountryFile(country_file) if country_file else None
        self._health = HealthReplies(self._describe_health, examine)
        self._country = VisitorCountry(self._clients, country_header, database, override=country_override)
        self._api_limit = RateLimit(api_limit_per_minute, shared=asked)
        self._third_party = third_party or ThirdPartyScripts()
        self._preview_domain = preview_domain

    def site_of(self, scope: Scope) -> str:
        """Return the site of the request's host, STUDIO, or an empty text."""
        host = next((value for name, value in scope["headers"] if name == b"host"), b"")
        return self._sites.key(host, self._clients.scheme(scope)) or ""

    def is_https(self, scope: Scope) -> bool:
        """Return whether visitors use https for any site, because unknown hosts get a reply too."""
        return scope["scheme"] == "https" or self._sites.by_https

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._lifespan(receive, send)
            return
        if scope["type"] != "http":
            await send({"type": "websocket.close"})
            return
        host = accept = if_none_match = b""
        for name, value in scope["headers"]:
            if name == b"host":
                host = value
            elif name == b"accept-encoding":
                accept = accept + b"," + value if accept else value
            elif name == b"if-none-match":
                if_none_match = if_none_match + b"," + value if if_none_match else value
        now = self._sites.look()
        path = read_path(scope)
        if path in HEALTH_PATHS:
            await self._health.send(path, scope, send)
            return
        key = self._sites.key(host, self._clients.scheme(scope))
        if path is None:
            await (API_BAD_REQUEST if _is_api(scope) else BAD_REQUEST).send(scope, b"", send)
        elif key is None and self._is_preview(host, scope):
            await self._preview(self._with_client(scope), receive, send)
        elif key is None:
            await (API_UNKNOWN_HOST if _is_api(scope) else UNKNOWN_HOST).send(scope, b"", send)
        elif path.startswith(API_PREFIX):
            await self._api(scope, receive, send, None if key == STUDIO else key, path, accept, if_none_match, now)
        elif path in (CONSENT_PATH, CAPTCHA_PATH) and key != STUDIO:
            await self._small(self._with_client(scope), receive, send, now)
        elif path == FORM_PATH and key != STUDIO:
            await self._form(self._with_client(scope), receive, send)
        elif path == PROXY_PATH and key != STUDIO:
            reply = await self._pass_on(self._with_client(scope), key, accepted_codings(accept), now)
            await reply.send(scope, if_none_match, send)
        elif key == STUDIO and not is_open(path):
            await self._studio(self._with_client(scope), receive, send, is_api=False)
        else:
            codings = accepted_codings(accept)
            reply = self._reply(scope, key, path, codings, now)
            if reply is NOT_FOUND and path.startswith(MEDIA) and self._is_public(path):
                elsewhere = await self._fetch_media(path, self._sites.is_closed(key), now)
                reply = elsewhere or self._reply(scope, key, path, codings, now)
            if reply is NOT_FOUND and key == STUDIO:  # previews show unpublished media
                await self._studio(self._with_client(scope), receive, send, is_api=False)
                return
            await reply.send(scope, if_none_match, send, self._country_cookie(scope, key) if reply.is_html else None)

    async def _api(
        self,
        scope: Scope,
        receive: Receive,
        send: Send,
        site: str | None,
        path: str,
        accept: bytes,
        if_none_match: bytes,
        now: float,
    ) -> None:
        scope = self._with_client(scope)
        client = scope["client"][0] if scope["client"] else ""
        # The limit of requests never rejects a lead, because the intake counts leads itself.
        refusal = None if path == INTAKE_PATH else self._api_limit.refusal(client, now)
        refusal = refusal or find_excess(scope)
        if refusal is not None:
            await refusal.send(scope, b"", send)
        elif scope["method"] in ("GET", "HEAD") and not path.startswith(INTEGRATION_PREFIX):
            await self._api_replies.answer(scope, send, site, path, accept, if_none_match, now)
        else:
            scope = self._api_replies.with_site(scope, site)
            await self._hand_over(scope, LimitedBody(receive, send), is_intake=path == INTAKE_PATH)

    async def _small(self, scope: Scope, receive: Receive, send: Send, now: float) -> None:
        """Answer a consent choice or a captcha challenge: a small body, counted towards the client's limit."""
        client = scope["client"][0] if scope["client"] else ""
        refusal = self._api_limit.refusal(client, now) or find_excess(scope, LARGEST_CHOICE)
        if refusal is not None:
            await refusal.send(scope, b"", send)
        else:
            await self._hand_over(scope, LimitedBody(receive, send, LARGEST_CHOICE), is_intake=True)

    async def _form(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a form from a browser without scripts. The limit of requests never rejects a lead."""
        refusal = find_excess(scope, LARGEST_PLAIN_FORM)
        if refusal is not None:
            await refusal.send(scope, b"", send)
        else:
            await self._hand_over(scope, LimitedBody(receive, send, LARGEST_PLAIN_FORM), is_intake=True)

    def _is_preview(self, host: bytes, scope: Scope) -> bool:
        return is_preview_host(name_host(host.decode("latin-1"), self._clients.scheme(scope)), self._preview_domain)

    async def _preview(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer a preview by the studio, whose own process keeps the load away from visitors."""
        if refusal := find_excess(scope, LARGEST_REQUEST):
            await refusal.send(scope, b"", send)
            return
        body = LimitedBody(receive, send, LARGEST_REQUEST)
        await self._studio(scope, body.receive, body.send, is_api=False)
        await body.finish(scope)

    async def _pass_on(self, scope: Scope, key: str, codings: tuple[Coding, ...], now: float) -> Reply:
        """Return another host's file that the site configuration allows, counted towards the client's limit."""
        if scope["method"] not in ("GET", "HEAD"):
            return WRONG_METHOD
        refusal = self._api_limit.refusal(scope["client"][0] if scope["client"] else "", now)
        return refusal or await self._third_party.answer(scope["query_string"], self._sites.third_party(key), codings)

    async def _hand_over(self, scope: Scope, body: LimitedBody, is_intake: bool) -> None:
        if is_intake:
            await self._intake(scope, body.receive, body.send)
        else:
            await self._backend(scope, body.receive, body.send, is_api=True)
        await body.finish(scope)

    def _with_client(self, scope: Scope) -> Scope:
        """Return the request as the proxy received it, so that later code can ignore proxies."""
        connected = scope.get("client")
        if connected is None or not self._clients.is_behind_proxy(scope):
            scope.setdefault("client", None)
            return scope
        return {**scope, "client": (self._clients.address(scope), 0), "scheme": self._clients.scheme(scope)}

    def _reply(self, scope: Scope, key: str, path: str, codings: tuple[Coding, ...], now: float) -> Reply:
        """Return the reply for a file. Never raises: our errors become the site's error page."""
        site = self._sites.site(key)
        try:
            if scope["method"] not in ("GET", "HEAD"):
                return WRONG_METHOD
            if path.startswith(MEDIA):
                if not self._is_public(path):
                    return NOT_FOUND
                return self._media(path, codings, self._sites.is_closed(key), now)
            if site is None:
                return NOT_PUBLISHED
            try:
                return self._page(scope, site, path, codings, now)
            except DamagedFileError as error:
                return self._second_best(scope, key, site, path, codings, now, error)
        except Exception:
            _log.exception("%s %s failed on %s", scope["method"], path, key)
            return self._failed(site, codings, now)

    def _second_best(
        self,
        scope: Scope,
        key: str,
        site: LiveSite,
        path: str,
        codings: tuple[Coding, ...],
        now: float,
        error: DamagedFileError,
    ) -> Reply:
        """Return the page of an earlier undamaged build, or an earlier version of the file, during a repair."""
        whole = self._sites.note_damage(key, error.file)
        with suppress(DamagedFileError):
            if whole and whole.manifest is not site.manifest:
                return self._page(scope, whole, path, codings, now)
        for earlier in self._sites.earlier(key):
            with suppress(DamagedFileError):
                if reply := self._files.reply(earlier, error.path, codings, now, error.status):
                    return reply
        return self._failed(site, codings, now, 503)

    def _page(self, scope: Scope, site: LiveSite, path: str, codings: tuple[Coding, ...], now: float) -> Reply:
        reply = self._files.reply(site, path, codings, now, is_exact=is_exact(scope, path))
        return reply or self._missing(scope, site, path, codings, now)

    def _country_cookie(self, scope: Scope, key: str) -> bytes | None:
        return self._country.set_cookie(scope, self._is_https(scope, key), self._sites.cdn_names_country(key))

    def _is_https(self, scope: Scope, key: str) -> bool:
        """Return whether visitors reach a site by https. The protocol between proxy and edge does not matter."""
        return scope["scheme"] == "https" or self._sites.origin(key).startswith("https:")

    def _is_public(self, path: str) -> bool:
        return is_public(path, self._sites.documents(), self._sites.shown_media())

    def _media(self, path: str, codings: tuple[Coding, ...], closed: bool, now: float) -> Reply:
        key = (path, codings, closed)
        reply = self._cache.get(key, now)
        if reply is None:
            reply = read_media(self._media_folders, path, codings, now, closed)
            if reply is None:
                return NOT_FOUND
            self._cache.add(key, reply)
        return reply

    async def _fetch_media(self, path: str, closed: bool, now: float) -> Reply | None:
        """Return a file that is missing on this machine, fetched from the storage or drawn, or None."""
        name = read_media_name(path)
        if name is None:
            return NOT_FOUND
        reply = await self._stored_media.bring(name, now, closed)
        copy = read_raster_copy(path)
        if reply or copy is None or any(find_media(folder, name) for folder in self._media_folders):
            return reply
        return await self._stored_media.bring(str(copy.drawing), now) or await self._raster_copies.make(copy, now)

    def _missing(self, scope: Scope, site: LiveSite, path: str, codings: tuple[Coding, ...], now: float) -> Reply:
        page = choose_redirect(path, site.is_page)
        if page is not None:
            return build_redirect(PERMANENT, page, scope["query_string"])
        if path.startswith(_NOT_PAGES):
            return redirect_data(site, path, scope["query_string"]) or NOT_FOUND
        redirect = find_redirect(site, path)
        if redirect and redirect.status != GONE:
            return build_redirect(redirect.status, redirect.target, scope["query_string"])
        return self._files.reply(site, NOT_FOUND_PAGE, codings, now, GONE if redirect else 404) or NOT_FOUND

    def _failed(self, site: LiveSite | None, codings: tuple[Coding, ...], now: float, status: int = 500) -> Reply:
        try:
            return (site and self._files.reply(site, FAILED_PAGE, codings, now, status)) or FAILED
        except DamagedFileError:
            return FAILED if status == 500 else DAMAGED
        except Exception:
            _log.exception("The site's error page cannot be shown")
            return FAILED

    def _describe_health(self) -> Health:
        roles = (("API", self._backend), ("studio", self._studio))
        return Health(
            "edge",
            __version__,
            sites=self._sites.count(),
            bare=self._sites.bare,
            loading=self._backend.loading,
            silent=tuple(name for name, backend in roles if backend.is_silent),
            fallbacks={site: found.build for site, found in self._sites.fallbacks.items()},
        )

    async def _lifespan(self, receive: Receive, send: Send) -> None:
        await receive()
        self._backend.start()
        self._studio.start()
        if self._exchange:
            self._exchange.start()
        await send({"type": "lifespan.startup.complete"})
        await receive()
        await send({"type": "lifespan.shutdown.complete"})


def _is_api(scope: Scope) -> bool:
    """Return whether an unreadable request, or one for an unknown host, is for the API."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    return raw.startswith(API_PREFIX.encode())

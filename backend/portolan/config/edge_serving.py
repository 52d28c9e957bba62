"""Build the edge from this process's settings. Runs without Django and database."""

import re
import socket
import sys
from collections.abc import Callable, Mapping
from functools import partial
from typing import Final

from starlette.types import ASGIApp

from ..builds.media_copies import ListedMedia, MediaCopies, MediaOrigin, UploadedMedia
from ..domain.health import Health
from ..edge.app import Edge
from ..edge.clients import Clients
from ..edge.common_headers import CommonHeaders
from ..edge.connections import Bounds, ConnectionWatch
from ..edge.one_reading import OneReading
from ..edge.remote import RemoteApplication, without_role
from ..edge.slow_bodies import SlowBodies
from ..edge.stored_media import StoredMedia
from ..edge.undeclared_proxies import UndeclaredProxies
from ..observing.role_board import current_board
from ..releases.wake import wake
from .env import Env, env
from .observing import Role, observe_requests
from .role_answers import Place, RoleAnswers

READS_AT_ONCE = 8
"""Concurrent reads of one worker, if the API is another process."""
SWITCH_S: Final = 0.0005
"""Seconds for which a thread may keep the interpreter while another waits for it.

The thread that checks thousands of connections needs a tenth of a second. Threads that answer release the interpreter at
each read and write, and would wait for the usual 5 ms each time.
"""


def build_edge(
    load: Callable[[], ASGIApp],
    load_studio: Callable[[], ASGIApp] | None = None,
    reads_at_once: int = 1,
    examine: Callable[[Health], Health] | None = None,
    role: Role = "serve",
    places: Mapping[str, Place] = {},
    is_starting: Callable[[], bool] = lambda: False,
) -> ASGIApp:
    """Return the edge. ``places``: addresses of the roles behind it. ``is_starting``: whether they are starting."""
    settings = env()
    answers = RoleAnswers(places)
    clients = Clients(settings.proxies)
    undeclared = UndeclaredProxies(clients)
    look = examine or _with_pointer
    edge = Edge(
        settings.builds_dir,
        _media(settings),
        load,
        load_studio=load_studio,
        reads_at_once=reads_at_once,
        api_limit_per_minute=settings.api_limit_per_minute,
        api_misses_per_minute=settings.client_limits.misses,
        cache_url=settings.cache_url,
        examine=lambda known: look(
            known._replace(
                undeclared_proxy=undeclared.is_found(),
                silent=tuple(dict.fromkeys((*known.silent, *answers.find_silent()))),
            )
        ),
        trusted_proxies=settings.proxies,
        country_header=settings.country_header,
        country_file=settings.country_file,
        country_override=settings.environment != "production",
        name=_name_edge(settings.port),
        keys=settings.keys,
        preview_domain=settings.preview_domain,
        is_starting=is_starting,
        wake=partial(wake, settings.wake_socket),
    )
    app = CommonHeaders(guard(edge, clients, undeclared), edge.is_https)
    return observe_requests(app, role, clients, edge.site_of)


def guard(app: ASGIApp, clients: Clients, undeclared: UndeclaredProxies) -> ASGIApp:
    """Return the application of a role with the checks for every request."""
    return OneReading(SlowBodies(app, clients), undeclared, [env().country_header])


def _media(settings: Env) -> StoredMedia:
    """Return the source of media that are not on this machine."""
    copies = MediaCopies(settings.media_copies, settings.media_folders)
    origin: MediaOrigin | None = None
    if settings.build_store:
        from ..builds.object_store import ObjectStore

        origin = ListedMedia(settings.builds_dir, ObjectStore(settings.build_store))
    elif settings.media_storage:
        from ..builds.object_store import ObjectStore

        origin = UploadedMedia(ObjectStore(settings.media_storage))
    return StoredMedia(copies, origin)


def _name_edge(port: int) -> str:
    """Return machine and port as part of a file name."""
    return re.sub(r"[^A-Za-z0-9.-]", "-", f"{socket.gethostname()}-{port}")


def build_edge_alone() -> ASGIApp:
    """Return the edge of ``portolan edge``, with API and studio in other processes or without them."""
    return build_edge(
        lambda: _remote(env().api_url, "PORTOLAN_API_URL"),
        lambda: _remote(env().studio_url, "PORTOLAN_STUDIO_URL"),
        READS_AT_ONCE,
        role="edge",
        places={name: Place(url) for name, url in (("API", env().api_url), ("studio", env().studio_url)) if url},
    )


def watch_connections(port: int, most: int) -> None:
    """Limit connections. ``most``: connections that the server accepts. An eighth is reserved for new clients."""
    sys.setswitchinterval(SWITCH_S)
    ConnectionWatch(port, env().proxies, Bounds(of_client=most // 8, of_all=most - most // 8)).start()


def _remote(url: str, setting: str) -> ASGIApp:
    return RemoteApplication(url) if url else without_role(setting)


def _with_pointer(known: Health) -> Health:
    from .health import pointer_look
    from .store_health import store_watch

    release, age = pointer_look().get()
    silent = (*known.silent, *current_board().find_silent(), *store_watch(has_studio=False).find_silent())
    return known._replace(
        release=release, pointer_age_s=age, silent=tuple(dict.fromkeys(silent)), refused=current_board().refusals()
    )

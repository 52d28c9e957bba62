"""What the roles with Django serve: the whole on one machine, the API, the studio."""

import gc
import warnings
from collections.abc import Callable
from importlib import import_module
from typing import Literal, cast

from starlette.types import ASGIApp, Scope

from ..builds.hosts import host_of
from ..domain.health import Health
from ..edge.behind_edges import BehindEdges
from ..edge.clients import Clients
from ..edge.common_headers import CommonHeaders
from ..edge.live_sites import STUDIO
from ..edge.undeclared_proxies import UndeclaredProxies
from .edge_serving import build_edge, guard
from .env import env
from .health import examine_role
from .observing import observe_requests


def build_whole() -> ASGIApp:
    """The edge, with API and studio behind it in the same process."""
    return build_edge(load_django, examine=_examine_whole)


def build_api() -> ASGIApp:
    return _build_behind_edges(_load_api, "api", lambda scope: "")


def build_studio() -> ASGIApp:
    return _build_behind_edges(load_django, "studio", lambda scope: STUDIO)


def _build_behind_edges(
    load: Callable[[], ASGIApp], role: Literal["api", "studio"], site: Callable[[Scope], str]
) -> ASGIApp:
    clients = Clients(env().proxies)
    undeclared = UndeclaredProxies(clients)

    def examine(known: Health) -> Health:
        return examine_role(known._replace(undeclared_proxy=undeclared.is_found()))

    host = host_of(env().registry.studio_origin(env().environment, env().port)) if role == "studio" else None
    app: ASGIApp = _load(BehindEdges(load, clients, host, examine))
    app = CommonHeaders(guard(app, clients, undeclared), _https_of_studio())
    return observe_requests(app, role, clients, site)


def _https_of_studio() -> Callable[[Scope], bool]:
    """Whether visitors come by https, as the edges in front have it."""
    is_https = env().registry.studio_origin(env().environment, env().port).startswith("https:")
    return lambda scope: is_https or scope["scheme"] == "https"


def _load(application: BehindEdges) -> BehindEdges:
    """Before anybody is listened to: what stands in front asks another one meanwhile."""
    application.backend.load()
    return application


def _examine_whole(known: Health) -> Health:
    return examine_role(known._replace(role="serve"))


def _load_api() -> ASGIApp:
    application = load_django()
    from ..leads.spool_keeper import SpoolKeeper

    SpoolKeeper().start()
    return application


def load_django() -> ASGIApp:
    """Takes about a second, so it is called while sites are served already."""
    from django.conf import settings

    from ..studio.request_bodies import StudioBodies
    from ..studio.signing_in.queue import SignInQueue
    from .asgi import application

    import_module(settings.ROOT_URLCONF)  # else the first request would wait for all views
    # All of this stays. Python would search it whenever it looks for cycles, and nobody is answered meanwhile: for half a
    # second, and just when many ask.
    gc.freeze()
    # The studio's own static files are small and read whole; that they are not read in parts is no news.
    warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
    return StudioBodies(
        SignInQueue(cast(ASGIApp, application))
    )  # Django's annotations ask for dicts where ASGI has mappings

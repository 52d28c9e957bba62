"""Build the applications of one machine, of the API and of the studio."""

import warnings
from collections.abc import Callable, Mapping, Sequence
from functools import partial
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
from .edge_serving import READS_AT_ONCE, build_edge, guard
from .env import env
from .health import examine_role
from .left_out import load_rest_framework
from .loading import expect_large_answers, loading
from .observing import observe_requests
from .role_answers import Place

BehindEdge = Literal["api", "studio"]


def build_whole(
    load_api: Callable[[], ASGIApp],
    load_studio: Callable[[], ASGIApp],
    places: Mapping[str, Place] = {},
    is_starting: Callable[[], bool] = lambda: False,
) -> ASGIApp:
    """Return the edge in front of both. ``places``: their addresses. ``is_starting``: whether they are starting."""
    return build_edge(
        load_api, load_studio, READS_AT_ONCE, examine=_examine_whole, places=places, is_starting=is_starting
    )


def build_role(role: BehindEdge, edges: Sequence[str], load: Callable[[], ASGIApp] | None = None) -> ASGIApp:
    """Return the API or the studio. ``edges``: addresses of edges. ``load``: returns Django if it is loaded already."""
    load = load or load_django
    site = "" if role == "api" else STUDIO
    return _build_behind_edges(partial(_load_intake, load), role, edges, lambda scope: site)


def _build_behind_edges(
    load: Callable[[], ASGIApp], role: BehindEdge, edges: Sequence[str], site: Callable[[Scope], str]
) -> ASGIApp:
    clients = Clients(edges)
    undeclared = UndeclaredProxies(clients)

    def examine(known: Health) -> Health:
        return examine_role(known._replace(undeclared_proxy=undeclared.is_found()))

    host = host_of(env().registry.studio_origin(env().environment, env().port)) if role == "studio" else None
    app: ASGIApp = _load(BehindEdges(load, clients, host, examine, env().preview_domain))
    app = CommonHeaders(guard(app, clients, undeclared), _https_of_studio())
    return observe_requests(app, role, clients, site)


def _https_of_studio() -> Callable[[Scope], bool]:
    """Return a test whether visitors use https, which the edges terminate."""
    is_https = env().registry.studio_origin(env().environment, env().port).startswith("https:")
    return lambda scope: is_https or scope["scheme"] == "https"


def _load(application: BehindEdges) -> BehindEdges:
    """Load before listening, so that a proxy uses another server until then."""
    application.backend.load()
    return application


def _examine_whole(known: Health) -> Health:
    return examine_role(known._replace(role="serve"))


def _load_intake(load: Callable[[], ASGIApp]) -> ASGIApp:
    """Load the application and start the keeper of the spool.

    The API accepts leads, and so does the studio if the API does not respond. Either may have leads in the spool.
    """
    application = load()
    from ..leads.spool_keeper import SpoolKeeper

    SpoolKeeper().start()
    return application


def load_django() -> ASGIApp:
    """Return Django. Takes two seconds of CPU time, so it is called while sites are being served."""
    from django.conf import settings

    with loading():
        load_rest_framework()
        from ..studio.request_bodies import StudioBodies
        from ..studio.signing_in.queue import SignInQueue
        from .asgi import application

        import_module(settings.ROOT_URLCONF)  # otherwise the first request would load all views
    expect_large_answers()
    # The studio's static files are small and read whole, so this warning is of no use.
    warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
    return StudioBodies(
        SignInQueue(cast(ASGIApp, application))
    )  # Django's annotations need dicts where ASGI has mappings

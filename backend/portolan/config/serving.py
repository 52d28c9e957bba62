"""The application that is served: the edge, and Django behind it."""

import warnings
from typing import cast

from starlette.types import ASGIApp

from ..edge.app import Edge
from ..edge.clients import Clients
from ..edge.connections import Bounds, ConnectionWatch
from ..edge.slow_bodies import SlowBodies
from .env import env


def load_django() -> ASGIApp:
    """Takes about a second, so the edge calls it while it is serving sites already."""
    from ..studio.request_bodies import StudioBodies
    from .asgi import application

    # The studio's own static files are small and read whole; that they are not read in parts is no news.
    warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
    return StudioBodies(cast(ASGIApp, application))  # Django's annotations ask for dicts where ASGI has mappings


def watch_connections(port: int, most: int) -> None:
    """``most``: how many connections the server takes. Some of them are kept free for new clients."""
    ConnectionWatch(port, env().proxies, Bounds(of_client=most // 8, of_all=most - most // 8)).start()


_edge = Edge(
    env().builds_dir,
    env().media_dir,
    load_django,
    api_limit_per_minute=env().api_limit_per_minute,
    api_misses_per_minute=env().client_limits.misses,
    trusted_proxies=env().proxies,
    country_header=env().country_header,
    country_file=env().country_file,
    country_override=env().environment != "production",
)
application = SlowBodies(_edge, Clients(env().proxies))

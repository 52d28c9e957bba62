"""The application that is served: the edge, and Django behind it."""

import warnings
from typing import cast

from starlette.types import ASGIApp

from ..edge.app import Edge
from .env import env


def load_django() -> ASGIApp:
    """Takes about a second, so the edge calls it while it is serving sites already."""
    from .asgi import application

    # The studio's own static files are small and read whole; that they are not read in parts is no news.
    warnings.filterwarnings("ignore", message="StreamingHttpResponse must consume synchronous iterators")
    return cast(ASGIApp, application)  # Django's annotations ask for dicts where ASGI has mappings


application = Edge(
    env().builds_dir,
    env().media_dir,
    load_django,
    api_limit_per_minute=env().api_limit_per_minute,
    trusted_proxies=env().proxies,
    country_header=env().country_header,
    country_file=env().country_file,
    country_override=env().environment != "production",
)

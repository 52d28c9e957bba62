"""The application that is served: the edge, and Django behind it."""

from starlette.types import ASGIApp

from ..edge.app import Edge
from .env import env


def load_django() -> ASGIApp:
    """Takes about a second, so the edge calls it while it is serving sites already."""
    from .asgi import application

    return application


application = Edge(env().builds_dir, env().media_dir, load_django)

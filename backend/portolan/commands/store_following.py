"""Run the follower of the shared store next to a server, if there is a store."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Final

from ..config.env import Env
from .companion import Companion, watched_command
from .role_watch import RoleWatch

_NAME: Final = "follower of the shared store"
_SECRETS: Final = ("DATABASE_URL", "CACHE_URL", "PORTOLAN_SECRET_KEY", "PORTOLAN_SMTP_URL")
_ENDS_WITHIN_S: Final = 1
"""Seconds to end. It may be waiting for the store, and ending it loses nothing."""


def make_follower(watch: RoleWatch, withheld: Collection[str] = ()) -> Companion:
    """Return the process that fetches live builds from the shared store."""
    return Companion(
        _NAME,
        watched_command(watch, _NAME, "follow"),
        "This machine serves its present files; new releases wait.",
        withheld=(*_SECRETS, *withheld),
        ends_within_s=_ENDS_WITHIN_S,
        watch=watch,
    )


@contextmanager
def following(settings: Env, watch: RoleWatch) -> Iterator[Callable[[], None]]:
    """Run a follower for an edge, an API or a studio. Yield a function that ends it."""
    if not settings.build_store:
        yield lambda: None
        return
    follower = make_follower(watch)
    follower.start()
    try:
        yield follower.stop
    finally:
        follower.stop()

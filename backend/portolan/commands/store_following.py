"""The follower of the shared store beside a server, where a store is shared."""

from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager
from typing import Final

from ..config.env import Env
from .companion import Companion, watched_command
from .role_watch import RoleWatch

_NAME: Final = "follower of the shared store"
_SECRETS: Final = ("DATABASE_URL", "CACHE_URL", "PORTOLAN_SECRET_KEY", "PORTOLAN_SMTP_URL")
_ENDS_WITHIN_S: Final = 1
"""While the store is silent it waits for longer, and nothing is lost with it."""


def make_follower(watch: RoleWatch, withheld: Collection[str] = ()) -> Companion:
    """Keeps this machine at what is live in the store it shares with others."""
    return Companion(
        _NAME,
        watched_command(watch, _NAME, "follow"),
        "This machine serves what it has; what other machines put live waits.",
        withheld=(*_SECRETS, *withheld),
        ends_within_s=_ENDS_WITHIN_S,
        watch=watch,
    )


@contextmanager
def following(settings: Env, watch: RoleWatch) -> Iterator[Callable[[], None]]:
    """For a role of its own: an edge, an API, a studio. Gives what ends it."""
    if not settings.build_store:
        yield lambda: None
        return
    follower = make_follower(watch)
    follower.start()
    try:
        yield follower.stop
    finally:
        follower.stop()

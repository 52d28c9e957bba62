"""The follower of the shared store beside a server, where a store is shared."""

import os
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Final

from ..config.env import Env
from .companion import Companion, own_command

_SECRETS: Final = ("DATABASE_URL", "CACHE_URL", "PORTOLAN_SECRET_KEY", "PORTOLAN_SMTP_URL")


def make_follower(withheld: Collection[str] = ()) -> Companion:
    """Keeps this machine at what is live in the store it shares with others."""
    return Companion(
        "follower of the shared store",
        own_command(os.getpid(), "follow"),
        "This machine serves what it has; what other machines put live waits.",
        withheld=(*_SECRETS, *withheld),
    )


@contextmanager
def following(settings: Env) -> Iterator[None]:
    """For a role of its own: an edge, an API, a studio."""
    if not settings.build_store:
        yield
        return
    follower = make_follower()
    follower.start()
    try:
        yield
    finally:
        follower.stop()

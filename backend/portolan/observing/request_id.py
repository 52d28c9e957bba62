"""The id by which a request is found in the logs of all processes that had a part in it."""

import re
import secrets
from contextvars import ContextVar
from typing import Final

HEADER: Final = b"x-request-id"
_USABLE: Final = re.compile(rb"[A-Za-z0-9._:/+=-]{8,128}")

current: ContextVar[str] = ContextVar("request_id", default="")
"""Of the request that is being answered; empty outside of one."""


def choose_id(given: bytes | None) -> str:
    """What a trusted proxy gave, else a new one. ``given``: none where nobody is to be believed."""
    if given is not None and _USABLE.fullmatch(given):
        return given.decode("ascii")
    return secrets.token_hex(16)

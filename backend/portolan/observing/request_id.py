"""The id that marks a request in the logs of all processes that handle it."""

import re
import secrets
from contextvars import ContextVar
from typing import Final

HEADER: Final = b"x-request-id"
_USABLE: Final = re.compile(rb"[A-Za-z0-9._:/+=-]{8,128}")

current: ContextVar[str] = ContextVar("request_id", default="")
"""Id of the present request; empty outside of one."""


def choose_id(given: bytes | None) -> str:
    """Return the id that a trusted proxy gave, else a new one.

    ``given``: None if the proxy is untrusted.
    """
    if given is not None and _USABLE.fullmatch(given):
        return given.decode("ascii")
    return secrets.token_hex(16)

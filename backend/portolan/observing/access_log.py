"""Log a line for each request.

Queries, headers and bodies are never logged, because they have personal data. The client's address is shortened to its
network, or left out.
"""

import logging
from collections.abc import Callable
from ipaddress import ip_address, ip_network
from typing import Final, Literal

from .requests import AnsweredRequest

AccessLog = Literal["off", "short-address", "no-address"]

_KEPT_BITS: Final = {4: 24, 6: 48}

_log = logging.getLogger("portolan.access")


def log_requests(kind: AccessLog) -> Callable[[AnsweredRequest], None]:
    """Return a function that logs a request.

    ``no-address`` leaves out the client's address.
    """

    def log(request: AnsweredRequest) -> None:
        client = shorten(request.address) if kind == "short-address" else ""
        milliseconds = round(request.seconds * 1000, 2)
        _log.info(
            "%s %s %s %d %.2f ms%s %s",
            request.site or "-",
            request.method,
            _printable(request.path),
            request.status,
            milliseconds,
            f" {client}" if client else "",
            request.id,
            extra={
                "site": request.site,
                "method": request.method,
                "path": request.path,
                "status": request.status,
                "ms": milliseconds,
                "request_id": request.id,
                **({"client": client} if client else {}),
            },
        )

    return log


def shorten(address: str) -> str:
    """Return the network of an address: 24 bits of IPv4, 48 of IPv6.

    Empty if it is invalid.
    """
    try:
        known = ip_address(address)
    except ValueError:
        return ""
    mapped = getattr(known, "ipv4_mapped", None)
    known = mapped or known
    return str(ip_network(f"{known}/{_KEPT_BITS[known.version]}", strict=False))


def _printable(path: str) -> str:
    """Return the path on one line, so that it cannot forge a log line."""
    return "".join(
        letter if letter.isprintable() and letter != " " else "%20" if letter == " " else "?" for letter in path
    )

"""Hosts of previews: the name, the certificate, what is in front, and the edge all have to know of them."""

import secrets
import socket
import ssl
from collections.abc import Callable, Iterator
from typing import Final, Literal, NamedTuple
from urllib.parse import urlsplit

import httpcore

from ...config.env import Env
from ...domain.previews import SECRET_LENGTH, name_preview_host
from ...sites.load import RegistryError
from .finding import Finding, problem, warning, well

_LETTERS: Final = "abcdefghijklmnopqrstuvwxyz234567"
_OURS: Final = b"noindex, nofollow, noarchive"
_HOW: Final = "docs/howto/preview-and-share.md says how"
_LIMITS: Final = {"connect": 3, "read": 10, "write": 3, "pool": 3}


class Reached(NamedTuple):
    """What came of a request to a host of previews that nobody has."""

    what: Literal["name", "certificate", "nobody", "answer"]
    """How far it came."""
    detail: str = ""
    status: int = 0
    is_preview: bool = False
    """Of an answer: that it is the studio's refusal."""


def examine_previews(
    settings: Env, reach: Callable[[str], Reached] = lambda url: reach_preview(url)
) -> Iterator[Finding]:
    """In ``local`` they are there by themselves."""
    if settings.environment == "local":
        return
    if not settings.preview_host:
        yield well("previews", "none on hosts of their own: PORTOLAN_PREVIEW_HOST is not set")
        return
    _ = settings.sites_file.exists() and settings.registry  # what is wrong with it is said by who looks at it
    try:
        domain = settings.preview_domain
    except RegistryError as error:
        for each in error.problems:
            yield problem("previews", each, f"Correct PORTOLAN_PREVIEW_HOST; {_HOW}.")
        return
    secret = "".join(secrets.choice(_LETTERS) for _ in range(SECRET_LENGTH))
    yield _judge(reach(f"{_scheme(settings)}://{name_preview_host(secret, _any_site(settings), domain)}/"), domain)


def reach_preview(url: str) -> Reached:
    parts = urlsplit(url)
    port = parts.port or (443 if parts.scheme == "https" else 80)
    try:
        socket.getaddrinfo(parts.hostname, port, type=socket.SOCK_STREAM)
    except OSError as error:
        return Reached("name", str(error))
    try:
        with httpcore.ConnectionPool(ssl_context=ssl.create_default_context()) as pool:
            answer = pool.request("GET", url, extensions={"timeout": _LIMITS})
    except httpcore.ConnectError as error:
        is_certificate = "[SSL" in str(
            error
        )  # Caddy has no certificate for a name it does not know, and ends the connection
        return Reached("certificate" if is_certificate else "nobody", str(error))
    except (httpcore.NetworkError, httpcore.ProtocolError, httpcore.TimeoutException) as error:
        return Reached("nobody", type(error).__name__)
    sent = {name.lower(): value for name, value in answer.headers}
    return Reached("answer", "", answer.status, answer.status == 404 and sent.get(b"x-robots-tag") == _OURS)


def _judge(found: Reached, domain: str) -> Finding:
    name = f"*.{domain}"
    if found.what == "name":
        return problem(
            "previews",
            f"{name} has no address ({found.detail}): no preview and no link opens.",
            f"Have the name {name} lead to what is in front of the edges; {_HOW}.",
        )
    if found.what == "certificate":
        return problem(
            "previews",
            f"There is no certificate at {name} that browsers take ({found.detail}).",
            f"Give what is in front a certificate that names {name}; {_HOW}.",
        )
    if found.what == "nobody":
        return warning(
            "previews",
            f"Nobody answers at {name} as seen from here ({found.detail}).",
            "Try a link from outside; if it does not open there either, see what is in front of the edges.",
        )
    if found.is_preview:
        return well("previews", f"{name} leads to the studio, with a certificate that browsers take")
    if found.status == 421:
        return problem(
            "previews",
            f"{name} leads to an edge that knows nothing of previews.",
            "Set the same PORTOLAN_PREVIEW_HOST for every edge and for the studio, and start them again.",
        )
    if found.status in (502, 503, 504):
        return problem(
            "previews",
            f"{name} leads to an edge or a proxy that does not reach the studio ({found.status}).",
            "See that the studio runs, and PORTOLAN_STUDIO_URL of the edges.",
        )
    return problem(
        "previews",
        f"At {name} something else answers ({found.status}), which is not the studio.",
        f"Have what is in front pass {name} on to the edges with the host as it came, and set the same PORTOLAN_PREVIEW_HOST "
        "for edges and studio.",
    )


def _scheme(settings: Env) -> str:
    if not settings.sites_file.exists():
        return "https"
    return urlsplit(settings.registry.studio_origin(settings.environment, settings.port)).scheme


def _any_site(settings: Env) -> str:
    return next(iter(settings.registry.sites)) if settings.sites_file.exists() else "en"

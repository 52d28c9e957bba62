"""Check the preview hosts: DNS, certificate, proxy and edge."""

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
_HOW: Final = "see docs/howto/preview-and-share.md"
_LIMITS: Final = {"connect": 3, "read": 10, "write": 3, "pool": 3}


class Reached(NamedTuple):
    """The result of a request to a preview host with a random name."""

    what: Literal["name", "certificate", "nobody", "answer"]
    """The last step that was reached."""
    detail: str = ""
    status: int = 0
    is_preview: bool = False
    """Whether the studio answered that there is no such preview."""


def examine_previews(
    settings: Env, reach: Callable[[str], Reached] = lambda url: reach_preview(url)
) -> Iterator[Finding]:
    """Check the preview hosts. In the environment ``local`` they need no setup."""
    if settings.environment == "local":
        return
    if not settings.preview_host:
        yield well("previews", "preview hosts are off: PORTOLAN_PREVIEW_HOST is not set")
        return
    _ = settings.sites_file.exists() and settings.registry  # examine_registry reports its problems
    try:
        domain = settings.preview_domain
    except RegistryError as error:
        for each in error.problems:
            yield problem("previews", each, f"Correct PORTOLAN_PREVIEW_HOST ({_HOW}).")
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
        # Caddy has no certificate for an unknown name, and ends the connection.
        is_certificate = "[SSL" in str(error)
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
            f"{name} has no DNS record ({found.detail}). Previews and their links do not open.",
            f"Point {name} to the proxy or edges ({_HOW}).",
        )
    if found.what == "certificate":
        return problem(
            "previews",
            f"{name} has no certificate that browsers accept ({found.detail}).",
            f"Give the proxy a certificate for {name} ({_HOW}).",
        )
    if found.what == "nobody":
        return warning(
            "previews",
            f"{name} does not respond from this machine ({found.detail}).",
            "Open a preview link from outside. If that fails too, check the proxy.",
        )
    if found.is_preview:
        return well("previews", f"{name} reaches the studio, with a certificate that browsers accept")
    if found.status == 421:
        return problem(
            "previews",
            f"{name} reaches an edge without previews.",
            "Set the same PORTOLAN_PREVIEW_HOST for every edge and the studio, and restart them.",
        )
    if found.status in (502, 503, 504):
        return problem(
            "previews",
            f"{name} reaches an edge or proxy that cannot reach the studio ({found.status}).",
            "Check that the studio runs, and that PORTOLAN_STUDIO_URL of the edges is right.",
        )
    return problem(
        "previews",
        f"{name} reaches another server ({found.status}), not the studio.",
        f"Let the proxy forward {name} to the edges with the Host header unchanged, and set the same PORTOLAN_PREVIEW_HOST "
        "for edges and studio.",
    )


def _scheme(settings: Env) -> str:
    if not settings.sites_file.exists():
        return "https"
    return urlsplit(settings.registry.studio_origin(settings.environment, settings.port)).scheme


def _any_site(settings: Env) -> str:
    return next(iter(settings.registry.sites)) if settings.sites_file.exists() else "en"

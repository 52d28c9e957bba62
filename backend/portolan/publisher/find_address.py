"""Finds what somebody means by an address of one of our sites, in whatever environment and spelling."""

from typing import NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from ..domain.routes import normalise_path, page_of_data
from ..sites.registry import Registry
from .problem import UsageError


class SiteAddress(NamedTuple):
    site: str
    path: str
    """As pages have it."""


def find_address(text: str, site: str | None, registry: Registry, port: int) -> SiteAddress:
    """Return the page that ``text`` names: a URL of any environment, with or without its scheme, or a path of ``site``
    (default: the default site). Page data stand for their page. ``port``: of this installation, for origins that have one.

    Raise UsageError for a URL that is on none of our sites, or on the port of another installation.
    """
    if site is not None and site not in registry.sites:
        raise UsageError(f"There is no site {site!r}, so nothing can be looked up. Sites: {', '.join(registry.sites)}.")
    origins = [
        (key, urlsplit(each.origin(environment, port)))
        for key, each in registry.sites.items()
        for environment in registry.environments
    ]
    hosts = {origin.hostname: key for key, origin in origins if origin.hostname}
    parts = urlsplit(text if "//" in text or text.startswith("/") else f"//{text}")
    host = (parts.hostname or "").rstrip(".")
    if host and host not in hosts and "//" not in text:  # a path without its slash
        host, parts = "", urlsplit(f"/{text}")
    if host and host not in hosts:
        raise UsageError(
            f"{host} is none of our sites in any environment, so nothing is known of {text}. `portolan sites list` names them."
        )
    ports = sorted({_port_of(origin) for _, origin in origins if origin.hostname == host})
    if host and _has_other_port(parts, ports):
        raise UsageError(
            f"{text} is not of this installation, whose port at {host} is {' or '.join(map(str, ports))}. Ask the installation that "
            "has the port of the URL, or leave the port out."
        )
    found = hosts[host] if host else site or registry.default_site.key
    if site and site != found:
        raise UsageError(f"{text} is an address of site {found}, not of {site}. Name one of the two.")
    path = normalise_path(unquote(parts.path))
    return SiteAddress(found, page_of_data(path) or path)


def _port_of(origin: SplitResult) -> int:
    return origin.port or (443 if origin.scheme == "https" else 80)


def _has_other_port(url: SplitResult, ports: list[int]) -> bool:
    try:
        return url.port is not None and url.port not in ports
    except ValueError:  # no number, or none that a port can have
        return True

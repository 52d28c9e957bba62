"""Find the page of a URL on one of our sites, in any environment and spelling."""

from typing import NamedTuple
from urllib.parse import SplitResult, unquote, urlsplit

from ..domain.routes import normalise_path, page_of_data
from ..sites.registry import Registry
from .problem import UsageError


class SiteAddress(NamedTuple):
    site: str
    path: str
    """As in pages."""


def find_address(text: str, site: str | None, registry: Registry, port: int) -> SiteAddress:
    """Return the page of ``text``, a URL of any environment or a path of ``site``.

    ``site`` defaults to the default site. Page data count as their page. ``port``: the port of this installation.

    Raise UsageError for a URL outside our sites, or on the port of another installation.
    """
    if site is not None and site not in registry.sites:
        raise UsageError(f"There is no site {site!r}. Name one of: {', '.join(registry.sites)}.")
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
            f"{host} is not one of our sites in any environment. To list the sites, run `portolan sites list`."
        )
    ports = sorted({_port_of(origin) for _, origin in origins if origin.hostname == host})
    if host and _has_other_port(parts, ports):
        raise UsageError(
            f"{text} is not on this installation, whose port at {host} is {' or '.join(map(str, ports))}. Use the "
            "installation with the port of the URL, or leave the port out."
        )
    found = hosts[host] if host else site or registry.default_site.key
    if site and site != found:
        raise UsageError(f"{text} is a URL of site {found}, not of {site}. Name one of the two.")
    path = normalise_path(unquote(parts.path))
    return SiteAddress(found, page_of_data(path) or path)


def _port_of(origin: SplitResult) -> int:
    return origin.port or (443 if origin.scheme == "https" else 80)


def _has_other_port(url: SplitResult, ports: list[int]) -> bool:
    try:
        return url.port is not None and url.port not in ports
    except ValueError:  # not a valid port
        return True

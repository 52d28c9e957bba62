"""Finds what somebody means by an address of one of our sites, in whatever environment and spelling."""

from typing import NamedTuple
from urllib.parse import unquote, urlsplit

from ..domain.routes import normalise_path, page_of_data
from ..sites.registry import Registry
from .problem import UsageError


class SiteAddress(NamedTuple):
    site: str
    path: str
    """As pages have it."""


def find_address(text: str, site: str | None, registry: Registry) -> SiteAddress:
    """``text``: a URL of any environment, with or without its scheme, or a path of ``site`` (default: the default site).
    Page data stand for their page. Raises UsageError where it is on none of our sites."""
    if site is not None and site not in registry.sites:
        raise UsageError(f"There is no site {site!r}, so nothing can be looked up. Sites: {', '.join(registry.sites)}.")
    hosts = {
        host: key
        for key, each in registry.sites.items()
        for environment in registry.environments
        if (host := urlsplit(each.origin(environment, 0)).hostname)
    }
    parts = urlsplit(text if "//" in text or text.startswith("/") else f"//{text}")
    host = (parts.hostname or "").rstrip(".")
    if host and host not in hosts and "//" not in text:  # a path without its slash
        host, parts = "", urlsplit(f"/{text}")
    if host and host not in hosts:
        raise UsageError(
            f"{host} is none of our sites in any environment, so nothing is known of {text}. `portolan sites list` names them."
        )
    found = hosts[host] if host else site or registry.default_site.key
    if site and site != found:
        raise UsageError(f"{text} is an address of site {found}, not of {site}. Name one of the two.")
    path = normalise_path(unquote(parts.path))
    return SiteAddress(found, page_of_data(path) or path)

"""Find the site of a page by its URL."""

from urllib.parse import urlsplit

from ..sites.registry import Registry


def site_of_page(address: str, registry: Registry) -> str | None:
    """Return the site of this page in any environment, or None. Ports are ignored, because they differ."""
    try:
        host = urlsplit(address).hostname
    except ValueError:
        return None
    for site in registry.sites.values():
        if any(urlsplit(origin.partition(":{port}")[0]).hostname == host for origin in site.origins.values()):
            return site.key
    return None

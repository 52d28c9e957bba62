"""Which site a page's address belongs to."""

from urllib.parse import urlsplit

from ..sites.registry import Registry


def site_of_page(address: str, registry: Registry) -> str | None:
    """Key of the site whose page this is, in any environment (staging may be reached by another environment's port);
    else None."""
    try:
        host = urlsplit(address).hostname
    except ValueError:
        return None
    for site in registry.sites.values():
        if any(urlsplit(origin.partition(":{port}")[0]).hostname == host for origin in site.origins.values()):
            return site.key
    return None

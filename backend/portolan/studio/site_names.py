"""What editors call a site."""

from django.conf import settings


def site_name(key: str) -> str:
    """The registry's name of a site; its key where the registry does not have the site any more."""
    site = settings.SITES_REGISTRY.sites.get(key)
    return site.name if site else key

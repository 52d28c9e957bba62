"""What editors call a site."""

from collections.abc import Iterable

from django.conf import settings
from django.utils.translation import gettext, pgettext


def site_name(key: str) -> str:
    """The registry's name of a site; its key where the registry does not have the site any more."""
    site = settings.SITES_REGISTRY.sites.get(key)
    return site.name if site else key


def name_sites(keys: Iterable[str]) -> str:
    """Names of sites in the registry's order; ``every site`` if these are all, or if it belongs to all. Standing alone."""
    return _name(keys, gettext("every site"))


def name_sites_after_on(keys: Iterable[str]) -> str:
    """The same behind “on”, which asks for another case in German."""
    return _name(keys, pgettext("behind “on”", "every site"))


def _name(keys: Iterable[str], every: str) -> str:
    found = set(keys)
    known = list(settings.SITES_REGISTRY.sites)
    if "" in found or found >= set(known):
        return every
    return ", ".join(site_name(key) for key in [*(key for key in known if key in found), *sorted(found - set(known))])


def site_choices() -> list[tuple[str, str]]:
    """For a field that chooses one of the registry's sites, or all of them."""
    return [("", gettext("All sites")), *((key, site.name) for key, site in settings.SITES_REGISTRY.sites.items())]

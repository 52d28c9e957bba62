"""The names of sites for editors."""

from collections.abc import Iterable

from django.conf import settings
from django.utils.translation import gettext, pgettext


def site_name(key: str) -> str:
    """Return the name of a site; its key if it was removed."""
    site = settings.SITES_REGISTRY.sites.get(key)
    return site.name if site else key


def name_sites(keys: Iterable[str]) -> str:
    """Return the names of sites, in the order of `sites.toml`; ``every site`` for all. To stand alone."""
    return _name(keys, gettext("every site"))


def name_sites_after_on(keys: Iterable[str]) -> str:
    """Return the names after “on”, which needs another case in German."""
    return _name(keys, pgettext("behind “on”", "every site"))


def _name(keys: Iterable[str], every: str) -> str:
    found = set(keys)
    known = list(settings.SITES_REGISTRY.sites)
    if "" in found or found >= set(known):
        return every
    return ", ".join(site_name(key) for key in [*(key for key in known if key in found), *sorted(found - set(known))])


def site_choices() -> list[tuple[str, str]]:
    """Return choices of one site or all sites."""
    return [("", gettext("All sites")), *((key, site.name) for key, site in settings.SITES_REGISTRY.sites.items())]

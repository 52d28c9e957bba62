"""Name the sites' locales in the studio, which has one for each site. Visitors never see these codes."""

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from .registry import Registry

_LONGEST_SUBTAG: Final = 8


class SiteLocale(NamedTuple):
    code: str
    """Language tag in lower case.

    The default site, else the first site of a language, has the plain tag. For the others their key is added as a
    private use of BCP 47: ``en-us-x-outlet``.
    """
    label: str
    """Name for editors."""


def locales_of(registry: Registry) -> Mapping[str, SiteLocale]:
    """Return the locales by site key, in the order of the site configuration."""
    first: dict[str, str] = {registry.default_site.language: registry.default_site.key}
    labels = [_label(site.endonym, site.name) for site in registry.sites.values()]
    found = {}
    for (key, site), label in zip(registry.sites.items(), labels, strict=True):
        is_first = first.setdefault(site.language, key) == key
        code = site.language if is_first else f"{site.language}-x-{'-'.join(_subtags(key))}"
        found[key] = SiteLocale(code.lower(), f"{label} ({key})" if labels.count(label) > 1 else label)
    return found


def _label(endonym: str, name: str) -> str:
    return f"{endonym} · {name}"


def _subtags(key: str) -> Sequence[str]:
    return [key[at : at + _LONGEST_SUBTAG] for at in range(0, len(key), _LONGEST_SUBTAG)]

"""Find the sites to show on the dashboard: all that the user may see, or the selected one."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.http import HttpRequest
from django.utils.translation import gettext

from ...content.may import sites_where
from ...domain.roles import Action
from ..site_names import site_name

PARAMETER: Final = "site"
_ALL: Final = "all"
_KEPT: Final = "studio_home_site"


class Choice(NamedTuple):
    name: str
    value: str
    is_chosen: bool


class OwnSites(NamedTuple):
    keys: tuple[str, ...]
    """Sites to show, in the order of the site configuration."""
    choices: tuple[Choice, ...]
    """Empty if the user has only one site."""
    is_all: bool
    """True if ``keys`` are all sites of the installation."""

    def concerns(self, sites: Iterable[str]) -> bool:
        """Return True if one of ``sites`` is shown. Content without a site (``""``) concerns every user."""
        found = set(sites)
        return not found or "" in found or not found.isdisjoint(self.keys)


def find_own_sites(request: HttpRequest) -> OwnSites:
    """Return the sites to show. A site selected by the URL is stored in the session."""
    own = _list_keys(request.user)
    asked = request.GET.get(PARAMETER)
    if asked is not None and asked != request.session.get(_KEPT, _ALL):
        request.session[_KEPT] = asked
    kept = request.session.get(_KEPT, _ALL)
    chosen = kept if kept in own else _ALL
    choices = [
        Choice(
            gettext("All my sites") if len(own) < len(settings.SITES_REGISTRY.sites) else gettext("All"),
            _ALL,
            chosen == _ALL,
        )
    ]
    choices += [Choice(site_name(key), key, chosen == key) for key in own]
    keys = own if chosen == _ALL else (chosen,)
    return OwnSites(keys, tuple(choices) if len(own) > 1 else (), len(keys) == len(settings.SITES_REGISTRY.sites))


def _list_keys(user: User | AnonymousUser) -> tuple[str, ...]:
    seen = sites_where(user, Action.SEE)
    return tuple(key for key in settings.SITES_REGISTRY.sites if key in seen)

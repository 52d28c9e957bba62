"""Whose translations a person may see and change."""

from collections.abc import Iterable
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied

from ...content.may import sites_where
from ...domain.roles import Action
from ...translations.sources import source_sites
from ..authors import name_of


def seen_sites(user: Any) -> list[str]:
    """Return the sites whose translations the person may see, in the order of the site configuration."""
    return [site for site in source_sites() if site in sites_where(user, Action.SEE)]


def require(user: Any, action: Action, sites: Iterable[str]) -> None:
    """Raise PermissionDenied if the person may not take the action on one of the sites."""
    if not set(sites) <= sites_where(user, action) & set(source_sites()):
        raise PermissionDenied


def list_people() -> list[tuple[int, str]]:
    """Return the ID and name of everyone who may be assigned, by name. Rights are checked on assignment."""
    people = get_user_model().objects.filter(is_active=True).exclude(groups=None, is_superuser=False)
    return sorted({person.pk: name_of(person) for person in people}.items(), key=lambda row: row[1].casefold())


def may_translate(user: Any, site: str) -> bool:
    return site in settings.SITES_REGISTRY.sites and site in sites_where(user, Action.TRANSLATE)

"""Find the sites on which a user has a right for objects other than pages.

A right from a role counts on the role's site. A right from another group, or given to the user directly, counts on all
sites. Django itself has no sites for rights.
"""

from collections.abc import Mapping
from typing import Any, Final

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser, Permission
from django.db.models import F, Model, Value

from ..domain.roles import ALL_SITES, SiteRole
from .models import RoleGroup

_KEPT: Final = "_sites_by_permission"

Person = AbstractBaseUser | AnonymousUser


def roles_of(user: Any) -> frozenset[SiteRole]:
    return frozenset(row.held for row in RoleGroup.objects.filter(group__user=user))


def find_sites_with(user: Person, *permissions: str) -> frozenset[str]:
    """Return the keys of the sites where the user has all these rights. ``ALL_SITES`` in it means every site."""
    if not user.is_active:
        return frozenset()
    if getattr(user, "is_superuser", False):
        return frozenset({ALL_SITES})
    known = _read(user)
    held = [known.get(permission, frozenset()) for permission in permissions]
    named = frozenset[str]().union(*held)
    return frozenset(site for site in named if all(site in each or ALL_SITES in each for each in held))


def has_everywhere(user: Person, *permissions: str) -> bool:
    return ALL_SITES in find_sites_with(user, *permissions)


def right_on(model: type[Model], action: str) -> str:
    """Return Django's name of a right, such as ``content.change_office``."""
    return f"{model._meta.app_label}.{action}_{model._meta.model_name}"


def _read(user: Any) -> Mapping[str, frozenset[str]]:
    """Return the user's rights by name. Read once for each request, like Django's own."""
    if (kept := getattr(user, _KEPT, None)) is None:
        names = ("content_type__app_label", "codename", "where")
        by_group = Permission.objects.filter(group__user=user).annotate(where=F("group__site_role__site"))
        own = Permission.objects.filter(user=user).annotate(where=Value(ALL_SITES))
        kept = {}
        for app, codename, where in by_group.order_by().values_list(*names).union(own.order_by().values_list(*names)):
            kept.setdefault(f"{app}.{codename}", set()).add(where or ALL_SITES)
        kept = {name: frozenset(sites) for name, sites in kept.items()}
        setattr(user, _KEPT, kept)
    found: Mapping[str, frozenset[str]] = kept
    return found

"""Check rights for leads, by site. Editors see leads only if they get the right."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser, Group, Permission
from django.core.exceptions import PermissionDenied
from django.db.models import Q, QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from ...domain.roles import ALL_SITES, Role, SiteRole
from ...leads.models import Lead
from ...rights.held import find_sites_with
from ..permissions import sync_role_group

VIEW: Final = "leads.view_lead"
WORK: Final = "leads.change_lead"
EXPORT: Final = "leads.export_lead"
ERASE: Final = "leads.erase_lead"

View = Callable[..., HttpResponseBase]


def list_permissions() -> QuerySet[Permission]:
    """Return the permissions that superusers may give to groups."""
    codenames = [right.partition(".")[2] for right in (VIEW, WORK, EXPORT, ERASE)]
    return Permission.objects.filter(content_type__app_label="leads", codename__in=codenames)


def sync_leads_group() -> Group:
    """Create and return the group of lead handlers of all sites.

    It gets every right when it is created. Later changes by administrators stay.
    """
    return sync_role_group(SiteRole(Role.LEAD_HANDLER, ALL_SITES))


def needs(*rights: str) -> Callable[[View], View]:
    """Restrict a view to users with all these rights."""

    def guard(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not may(request, *rights):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return guarded

    return guard


def may(request: HttpRequest, *rights: str) -> bool:
    """Return True if the user has all these rights on any site."""
    return bool(find_sites_with(request.user, *rights))


def may_with(request: HttpRequest, lead: Lead, *rights: str) -> bool:
    return not find_sites_with(request.user, *rights).isdisjoint({ALL_SITES, lead.site})


def leads_of(request: HttpRequest, *rights: str) -> QuerySet[Lead]:
    """Return the leads for which the user has all these rights."""
    sites = find_sites_with(request.user, *rights)
    return Lead.objects.all() if ALL_SITES in sites else Lead.objects.filter(site__in=sites)


def sees_all(request: HttpRequest) -> bool:
    return ALL_SITES in find_sites_with(request.user, VIEW)


def person(request: HttpRequest) -> AbstractBaseUser:
    """Return the signed-in user."""
    if request.user.is_anonymous:
        raise PermissionDenied
    return request.user


def list_colleagues(site: str | None = None) -> QuerySet[Any]:
    """Return the users who may see leads of the site, so a lead can be assigned to them. None: of any site."""
    users: Any = get_user_model()._default_manager
    right = Permission.objects.filter(content_type__app_label="leads", codename="view_lead")
    groups = Group.objects.filter(permissions__in=right)
    if site is not None:
        groups = groups.filter(Q(site_role=None) | Q(site_role__site__in=(ALL_SITES, site)))
    found: QuerySet[Any] = users.filter(
        Q(is_superuser=True) | Q(user_permissions__in=right) | Q(groups__in=groups), is_active=True
    )
    return found.distinct().order_by("username")


def name_user(user: AbstractBaseUser | None) -> str:
    if user is None:
        return ""
    full = getattr(user, "get_full_name", str)()
    return full or user.get_username()

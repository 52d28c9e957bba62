"""Who may do what with leads. Editors see none unless they are given the right."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import AbstractBaseUser, Group, Permission
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest
from django.http.response import HttpResponseBase

from ...domain.roles import ALL_SITES, Role, SiteRole
from ..permissions import sync_role_group

VIEW: Final = "leads.view_lead"
WORK: Final = "leads.change_lead"
EXPORT: Final = "leads.export_lead"
ERASE: Final = "leads.erase_lead"

View = Callable[..., HttpResponseBase]


def list_permissions() -> QuerySet[Permission]:
    """Permissions that superusers may give to groups."""
    codenames = [right.partition(".")[2] for right in (VIEW, WORK, EXPORT, ERASE)]
    return Permission.objects.filter(content_type__app_label="leads", codename__in=codenames)


def sync_leads_group() -> Group:
    """The group of people who work with the leads of all sites. It gets every right when it is created; after that,
    administrators decide."""
    return sync_role_group(SiteRole(Role.LEAD_HANDLER, ALL_SITES))


def needs(*rights: str) -> Callable[[View], View]:
    """Restricts a view to users with all these rights."""

    def guard(view: View) -> View:
        @wraps(view)
        def guarded(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponseBase:
            if not may(request, *rights):
                raise PermissionDenied
            return view(request, *args, **kwargs)

        return guarded

    return guard


def may(request: HttpRequest, *rights: str) -> bool:
    return bool(request.user.has_perms(rights))


def person(request: HttpRequest) -> AbstractBaseUser:
    """The signed-in user. Nobody else can reach a view of the studio."""
    if request.user.is_anonymous:
        raise PermissionDenied
    return request.user


def list_colleagues() -> QuerySet[Any]:
    """Users whom a lead can be assigned to: those who may see it."""
    users: Any = get_user_model()._default_manager
    found: QuerySet[Any] = users.with_perm(VIEW).order_by("username")
    return found


def name_user(user: AbstractBaseUser | None) -> str:
    if user is None:
        return ""
    full = getattr(user, "get_full_name", str)()
    return full or user.get_username()

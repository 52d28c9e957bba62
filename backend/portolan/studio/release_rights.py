"""Rights on releases."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from wagtail.models import Page
from wagtail.permission_policies.pages import PagePermissionPolicy

from ..content.may import sites_where
from ..domain.roles import Action
from ..releases.models import Release, ReleaseItem
from ..releases.reader import ALL_SITES

_User = AbstractBaseUser | AnonymousUser
_EVERYWHERE: Final = "_may_publish_everywhere"


def may_publish_everywhere(user: _User) -> bool:
    """Return whether the user may publish on every site. Cached, because several menu items need it on every screen."""
    if (known := getattr(user, _EVERYWHERE, None)) is None:
        root = Page.get_first_root_node()
        known = bool(PagePermissionPolicy().user_has_permission_for_instance(user, "publish", root))
        setattr(user, _EVERYWHERE, known)
    return bool(known)


def may_see_release(user: _User, number: int) -> bool:
    """Return whether the release changed a site that the user may see."""
    return may_publish_everywhere(user) or visible_releases(user).filter(number=number).exists()


def visible_releases(user: _User) -> QuerySet[Release]:
    """Return the releases that changed sites of the user."""
    if may_publish_everywhere(user):
        return Release.objects.all()
    sites = sites_where(user, Action.SEE)
    own = ReleaseItem.objects.filter(site__in=[*sites, ALL_SITES])
    concerned = Q(Exists(own.filter(since=OuterRef("number")))) | Q(Exists(own.filter(until=OuterRef("number"))))
    return Release.objects.filter(concerned) if sites else Release.objects.none()


def for_publishers(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Limit a view to users who may publish everywhere."""
    return _only_if(lambda request, **_: may_publish_everywhere(request.user), view)


def for_editors(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Limit a view to users who may see releases, or the one of its ``number``."""

    def may(request: HttpRequest, **given: Any) -> bool:
        if "number" in given:
            return may_see_release(request.user, given["number"])
        return may_publish_everywhere(request.user) or bool(sites_where(request.user, Action.SEE))

    return _only_if(may, view)


def _only_if(may: Callable[..., bool], view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not may(request, **kwargs):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return checked

"""Who may see releases, and who may do something with them."""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.contrib.auth.models import AbstractBaseUser, AnonymousUser
from django.core.exceptions import PermissionDenied
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from wagtail.models import Page
from wagtail.permission_policies.pages import PagePermissionPolicy

from ..content.site_records import load_site_roots
from ..releases.models import Release, ReleaseItem
from ..releases.reader import ALL_SITES

_User = AbstractBaseUser | AnonymousUser
_EVERYWHERE: Final = "_may_publish_everywhere"
_SITES: Final = "_edits_sites"


def may_publish_everywhere(user: _User) -> bool:
    """Asked once for a request: several items of the menu depend on it, on every page of the studio."""
    if (known := getattr(user, _EVERYWHERE, None)) is None:
        root = Page.get_first_root_node()
        known = bool(PagePermissionPolicy().user_has_permission_for_instance(user, "publish", root))
        setattr(user, _EVERYWHERE, known)
    return bool(known)


def edited_sites(user: _User) -> frozenset[str]:
    """The sites some page of which somebody may edit. Asked once for a request."""
    known: frozenset[str] | None = getattr(user, _SITES, None)
    if known is None:
        own = PagePermissionPolicy().instances_user_has_any_permission_for(user, {"add", "change", "publish"})
        roots = load_site_roots().values()
        known = frozenset(root.key for root in roots if own.filter(path__startswith=root.root_path).exists())
        setattr(user, _SITES, known)
    return known


def may_see_release(user: _User, number: int) -> bool:
    """Whoever may edit a site sees the releases that concern it."""
    return may_publish_everywhere(user) or visible_releases(user).filter(number=number).exists()


def visible_releases(user: _User) -> QuerySet[Release]:
    """Those that concern a site of which somebody may edit a page."""
    if may_publish_everywhere(user):
        return Release.objects.all()
    sites = edited_sites(user)
    own = ReleaseItem.objects.filter(site__in=[*sites, ALL_SITES])
    concerned = Q(Exists(own.filter(since=OuterRef("number")))) | Q(Exists(own.filter(until=OuterRef("number"))))
    return Release.objects.filter(concerned) if sites else Release.objects.none()


def for_publishers(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A screen for who may publish everywhere."""
    return _only_if(lambda request, **_: may_publish_everywhere(request.user), view)


def for_editors(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A screen for who may see releases; where it has a ``number``, that one."""

    def may(request: HttpRequest, **given: Any) -> bool:
        if "number" in given:
            return may_see_release(request.user, given["number"])
        return may_publish_everywhere(request.user) or bool(edited_sites(request.user))

    return _only_if(may, view)


def _only_if(may: Callable[..., bool], view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    @wraps(view)
    def checked(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        if not may(request, **kwargs):
            raise PermissionDenied
        return view(request, *args, **kwargs)

    return checked

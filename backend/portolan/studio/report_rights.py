"""Limit Wagtail's reports to the sites of the person who reads them.

*Site history* shows the log. Wagtail checks rights on the type, and this module checks them on the object. Pages follow
Wagtail's own rule. *Page types* names the last edited page of each type.
"""

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from django.conf import settings
from django.contrib.auth.models import AnonymousUser, User
from django.contrib.contenttypes.models import ContentType
from django.db.models import CharField, Q, QuerySet, Value
from django.db.models.functions import Cast, Replace
from wagtail.admin.views.reports.page_types_usage import PageTypesUsageReportView
from wagtail.documents.models import Document
from wagtail.models import ModelLogEntry, Page
from wagtail.permissions import policy_registry

from ..content.change_sets.models import ChangeSet
from ..content.export import SETTINGS
from ..content.may import sites_where
from ..content.pictures import SiteImage
from ..content.redirects import Redirect
from ..content.site_records import load_site_roots
from ..domain.roles import ALL_SITES, Action
from ..leads.models import Lead
from ..rights.held import find_sites_with
from .changes.seeing import sets_seen_by
from .leads.rights import VIEW
from .people.looking_after import list_people
from .redirects.own_sites import seen_redirects

_Person = Any
Rows = Callable[[_Person], QuerySet[Any]]


def connect() -> None:
    """Patch the reports once."""
    manager = type(ModelLogEntry.objects)
    if not hasattr(manager.viewable_by_user, "__wrapped__"):
        manager.viewable_by_user = _of_own_objects(manager.viewable_by_user)
    if not hasattr(PageTypesUsageReportView.decorate_paginated_queryset, "__wrapped__"):
        usual = PageTypesUsageReportView.decorate_paginated_queryset
        PageTypesUsageReportView.decorate_paginated_queryset = _of_own_pages(usual)


def _of_own_objects(usual: Callable[..., QuerySet[Any]]) -> Callable[..., QuerySet[Any]]:
    @wraps(usual)
    def viewable_by_user(self: Any, user: _Person) -> QuerySet[Any]:
        found = usual(self, user)
        if user.is_superuser:
            return found
        return found.alias(bare_id=_without_hyphens("object_id")).filter(_own_objects(user))

    return viewable_by_user


def _of_own_pages(usual: Callable[..., Any]) -> Callable[..., Any]:
    @wraps(usual)
    def decorate(self: Any, page_types: Any) -> Any:
        found = usual(self, page_types)
        named = {item.last_edited_page.pk for item in found if item.last_edited_page}
        seen = policy_registry.get_by_type(Page).explorable_instances(self.request.user).filter(pk__in=named)
        known = set(seen.values_list("pk", flat=True))
        for item in found:
            if item.last_edited_page and item.last_edited_page.pk not in known:
                item.last_edited_page = None
        return found

    return decorate


def _own_objects(user: User | AnonymousUser) -> Q:
    types = ContentType.objects.get_for_models(*_SEEN)
    own = ~Q(content_type__in=types.values())
    for model, content_type in types.items():
        rows = _SEEN[model](user).order_by().annotate(bare_id=_without_hyphens(Cast("pk", CharField())))
        own |= Q(content_type=content_type, bare_id__in=rows.values("bare_id"))
    return own


def _without_hyphens(id: Any) -> Replace:
    """Remove hyphens, because databases store UUIDs with or without them."""
    return Replace(id, Value("-"), Value(""))


def _leads(user: _Person) -> QuerySet[Any]:
    sites = find_sites_with(user, VIEW)
    return Lead.objects.all() if ALL_SITES in sites else Lead.objects.filter(site__in=sites)


def _settings_of(model: Any) -> Rows:
    def seen(user: _Person) -> Any:
        roots, own = load_site_roots(), sites_where(user, Action.SEE)
        if own >= set(settings.SITES_REGISTRY.sites):
            return model._default_manager.all()
        sites = [root.wagtail_site_id for key, root in roots.items() if key in own]
        return model._default_manager.filter(site_id__in=sites)

    return seen


def _files_of(model: Any) -> Rows:
    def seen(user: _Person) -> Any:
        policy: Any = policy_registry.get_by_type(model)
        ids = policy.instances_user_has_any_permission_for(user, ["change", "choose"]).values("pk")
        return model._default_manager.filter(pk__in=ids)

    return seen


_SEEN: Final[dict[Any, Rows]] = {
    Lead: _leads,
    Redirect: seen_redirects,
    ChangeSet: sets_seen_by,
    User: list_people,
    SiteImage: _files_of(SiteImage),
    Document: _files_of(Document),
    **{model: _settings_of(model) for model, _ in SETTINGS.values()},
}
"""Types that belong to sites or people. Other types are visible to everyone who works with them."""

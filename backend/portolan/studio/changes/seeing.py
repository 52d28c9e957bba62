"""Find the change sets that a user sees.

People see change sets of their own sites and those they own, sent or approved. Items of all sites and empty change sets
are visible to everyone who works on content.
"""

from collections.abc import Iterator
from functools import reduce
from operator import or_
from typing import Any

from django.conf import settings
from django.contrib.contenttypes.models import ContentType
from django.core.exceptions import PermissionDenied
from django.db.models import CharField, Q, QuerySet
from django.db.models.functions import Cast
from django.shortcuts import get_object_or_404
from wagtail.models import Page

from ...content.change_sets.models import ChangeSet, ChangeSetItem
from ...content.export import SETTINGS
from ...content.may import sites_where
from ...content.redirects import Redirect
from ...content.site_records import load_site_roots
from ...domain.roles import Action
from .rights import may_see


def sets_seen_by(user: Any) -> QuerySet[ChangeSet]:
    if not may_see(user):
        return ChangeSet.objects.none()
    keys = sites_where(user, Action.SEE)
    if keys == frozenset(settings.SITES_REGISTRY.sites):
        return ChangeSet.objects.all()
    seen = ChangeSetItem.objects.filter(reduce(or_, _items_on(keys))).values("change_set")
    own = Q(owner=user) | Q(sent_by=user) | Q(approved_by=user)
    return ChangeSet.objects.filter(own | Q(pk__in=seen) | ~Q(pk__in=ChangeSetItem.objects.values("change_set")))


def _items_on(keys: frozenset[str]) -> Iterator[Q]:
    roots = {key: root for key, root in load_site_roots().items() if key in keys}
    places = [Q(path__startswith=root.root_path) for root in roots.values()]
    rows: dict[Any, QuerySet[Any]] = {
        Page: Page.objects.filter(reduce(or_, places, Q(pk=None))),
        Redirect: Redirect.objects.filter(Q(site=None) | Q(site__in=keys)),
    }
    for model, _check in SETTINGS.values():
        rows[model] = model._default_manager.filter(site_id__in=[root.wagtail_site_id for root in roots.values()])
    types = {model: ContentType.objects.get_for_model(model).pk for model in rows}
    yield ~Q(content_type__in=types.values())
    for model, found in rows.items():
        ids = found.order_by().annotate(as_text=Cast("pk", CharField())).values("as_text")
        yield Q(content_type=types[model], object_id__in=ids)


def find_set(user: Any, id: int) -> ChangeSet:
    """Return a change set.

    Raises PermissionDenied for users without rights on content, and Http404 if this change set is hidden from the user.
    """
    if not may_see(user):
        raise PermissionDenied
    return get_object_or_404(sets_seen_by(user).select_related("owner", "sent_by", "approved_by"), pk=id)

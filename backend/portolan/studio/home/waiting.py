"""List the user's tasks on the dashboard."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

from django.contrib.auth.models import AbstractBaseUser
from django.contrib.contenttypes.models import ContentType
from django.db.models import Q
from django.http import HttpRequest, QueryDict
from django.urls import reverse
from django.utils.translation import gettext, ngettext
from wagtail.models import Page

from ...content.change_sets.models import ChangeSetItem
from ...content.site_records import load_site_roots
from ...leads.models import Lead
from ..changes.waiting import waiting_for
from ..leads import find, rights
from ..numbers import say_number
from ..site_names import site_name
from .own_sites import OwnSites

_MOST_DRAFTS: Final = 5


class Waiting(NamedTuple):
    """One task."""

    text: str
    url: str
    detail: str = ""


def list_waiting(request: HttpRequest, own: OwnSites) -> list[Waiting]:
    """Return the tasks, most urgent first."""
    user = rights.person(request)
    return [*_list_change_sets(user), *_list_leads(request), *_list_drafts(user, own)]


def _list_change_sets(user: AbstractBaseUser) -> Iterator[Waiting]:
    return (Waiting(*row) for row in waiting_for(user))


def _list_leads(request: HttpRequest) -> Iterator[Waiting]:
    if not rights.may(request, rights.VIEW):
        return
    leads = rights.leads_of(request, rights.VIEW).filter(erased_at=None, is_begun=False)
    new = leads.filter(state=Lead.State.OPEN, assigned_to=None).count()
    if new:
        yield Waiting(
            ngettext("{count} new enquiry", "{count} new enquiries", new).format(count=new),
            _address(assigned=find.NOBODY, sent=find.SENT),
            gettext("not assigned yet"),
        )
    mine = leads.filter(state=Lead.State.OPEN, assigned_to=rights.person(request).pk).count()
    if mine:
        yield Waiting(
            ngettext("{count} enquiry", "{count} enquiries", mine).format(count=mine),
            _address(assigned=find.ME, sent=find.SENT),
            gettext("assigned to you"),
        )
    doubtful = leads.filter(state=Lead.State.QUARANTINED).count()
    if doubtful:
        yield Waiting(
            ngettext("{count} quarantined enquiry", "{count} quarantined enquiries", doubtful).format(count=doubtful),
            _address(state=Lead.State.QUARANTINED.value, sent=find.SENT),
            gettext("not delivered until you decide"),
        )


def _list_drafts(user: AbstractBaseUser, own: OwnSites) -> Iterator[Waiting]:
    """Yield the user's own unpublished drafts, except scheduled drafts and drafts in a change set."""
    roots = {root.root_path: root.key for root in load_site_roots().values() if root.key in own.keys}
    if not roots:
        return
    below = Q()
    for path in roots:
        below |= Q(path__startswith=path)
    drafts: Any = (
        Page.objects.filter(below, has_unpublished_changes=True, latest_revision__user_id=user.pk, locked=False)
        .exclude(pk__in=_scheduled())
        .exclude(pk__in=_in_change_sets())
    )
    found: Sequence[Any] = drafts.order_by("-latest_revision_created_at").only("pk", "draft_title", "path")[
        : _MOST_DRAFTS + 1
    ]
    for page in found[:_MOST_DRAFTS]:
        site = next(key for path, key in roots.items() if page.path.startswith(path))
        yield Waiting(
            page.draft_title,
            reverse("wagtailadmin_pages:edit", args=[page.pk]),
            gettext("your draft, {site_name}").format(site_name=site_name(site)),
        )
    if len(found) > _MOST_DRAFTS:
        more = drafts.count() - _MOST_DRAFTS
        listed = reverse("wagtailadmin_reports:aging_pages")
        yield Waiting(_count(more, gettext("more draft"), gettext("more drafts")), listed)


def _scheduled() -> Any:
    return Page.objects.filter(_revisions__approved_go_live_at__isnull=False).values("pk")


def _in_change_sets() -> list[int]:
    pages = ContentType.objects.get_for_model(Page)
    items = ChangeSetItem.objects.filter(content_type=pages, is_open=True)
    return [int(id) for id in items.values_list("object_id", flat=True)]


def _address(**filters: str) -> str:
    query = QueryDict(mutable=True)
    query.update(filters)
    return f"{reverse('studio_leads')}?{query.urlencode()}"


def _count(number: int, one: str, many: str) -> str:
    return f"{say_number(number)} {one if number == 1 else many}"

"""Reject deleting and unpublishing with a reason. Wagtail itself rejects it if a foreign key protects a row."""

from collections.abc import Iterable
from typing import Final

from django.contrib import messages
from django.db.models import Model, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext

from ..collections.facets import FacetValue
from ..collections.offices import OfficeCategory
from ..collections.phones import Phone
from ..pages.case_study import CaseStudyPage
from ..quoted import quoted

_NAMED: Final = 3


def refuse_deletion(request: HttpRequest, instances: Iterable[Model]) -> HttpResponse | None:
    """Return a redirect to the list with every reason, or None if all may be deleted."""
    instances = list(instances)
    reasons = [reason for reason in (_why_not(instance, instances) for instance in instances) if reason]
    if not reasons:
        return None
    messages.error(request, " ".join(reasons))
    return redirect(type(instances[0]).snippet_viewset.get_url_name("list"))  # type: ignore[attr-defined]


def why_it_stays(row: Model) -> str:
    """Return why it cannot be unpublished; empty if it can."""
    if isinstance(row, FacetValue) and (names := _name_cases(row)):
        return gettext("“{row}” stays live, because case studies have it: {names}. Remove it there first.").format(
            row=row, names=names
        )
    if isinstance(row, Phone) and row.is_default:
        return gettext(
            "{row} stays live, because it is the default number. Make another number the default first."
        ).format(row=row)
    if isinstance(row, OfficeCategory) and row.offices.exists():
        return gettext("“{row}” stays live, because offices have it. Give them another category first.").format(row=row)
    return ""


def _why_not(instance: Model, instances: list[Model]) -> str | None:
    if isinstance(instance, FacetValue) and (names := _name_cases(instance)):
        return gettext(
            "“{instance}” was not deleted, because case studies have it: {names}. Remove it there first."
        ).format(instance=instance, names=names)
    if isinstance(instance, Phone) and instance.is_default and Phone.objects.filter(live=True).count() > len(instances):
        return gettext(
            "{instance} was not deleted, because it is the default number. Make another number the default first."
        ).format(instance=instance)
    if isinstance(instance, OfficeCategory) and instance.offices.exists():
        return gettext(
            "“{instance}” was not deleted, because offices have it. Give them another category first."
        ).format(instance=instance)
    return None


def _name_cases(facet: FacetValue) -> str:
    """Return the names of the first case studies with this value; empty if there are none."""
    found_by = Q(industries=facet.pk) | Q(services=facet.pk) | Q(technologies=facet.pk)
    cases = CaseStudyPage.objects.filter(found_by, alias_of=None).distinct().values_list("draft_title", flat=True)
    rest = gettext(" and {value} more").format(value=len(cases) - _NAMED) if len(cases) > _NAMED else ""
    return ", ".join(quoted(title) for title in cases[:_NAMED]) + rest

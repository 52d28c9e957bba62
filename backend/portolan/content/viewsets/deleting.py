"""Refuses deletions with a reason. Where a foreign key protects a row, Wagtail refuses by itself."""

from collections.abc import Iterable
from typing import Final

from django.contrib import messages
from django.db.models import Model, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from ..collections.facets import FacetValue
from ..collections.phones import Phone
from ..pages.case_study import CaseStudyPage

_NAMED: Final = 3


def refuse_deletion(request: HttpRequest, instances: Iterable[Model]) -> HttpResponse | None:
    """A redirect to the list with every reason; None if all may be deleted."""
    instances = list(instances)
    reasons = [reason for reason in (_why_not(instance, instances) for instance in instances) if reason]
    if not reasons:
        return None
    messages.error(request, " ".join(reasons))
    return redirect(type(instances[0]).snippet_viewset.get_url_name("list"))  # type: ignore[attr-defined]


def _why_not(instance: Model, instances: list[Model]) -> str | None:
    if isinstance(instance, FacetValue):
        found_by = Q(industries=instance.pk) | Q(services=instance.pk) | Q(technologies=instance.pk)
        cases = CaseStudyPage.objects.filter(found_by, alias_of=None).distinct().values_list("draft_title", flat=True)
        if cases:
            names = ", ".join(f"“{title}”" for title in cases[:_NAMED])
            rest = f" and {len(cases) - _NAMED} more" if len(cases) > _NAMED else ""
            return f"“{instance}” was not deleted: these case studies are found by it: {names}{rest}. Take it from them first."
    if isinstance(instance, Phone) and instance.is_default and Phone.objects.count() > len(instances):
        return f"{instance} was not deleted: it is the default number. Make another one the default first."
    return None

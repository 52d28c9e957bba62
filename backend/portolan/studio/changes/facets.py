"""Change the facets of selected case studies, as drafts of one change set."""

from collections.abc import Iterable
from typing import Any, Final

from django import forms
from django.db import transaction
from django.http import HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext, gettext_lazy, ngettext
from wagtail.admin.views.pages.bulk_actions.page_bulk_action import PageBulkAction
from wagtail.models import Page

from ...content.change_sets.holding import HeldElsewhere, add
from ...content.collections.facets import FacetValue
from ...content.pages.case_study import CaseStudyPage
from .forms import ChooseSetForm

_FIELDS: Final = {"industry": "industries", "service": "services", "technology": "technologies"}


class FacetsForm(ChooseSetForm):
    field_order = ("given", "taken", "change_set", "name")

    given = forms.ModelMultipleChoiceField(
        label=gettext_lazy("Add these facets"), queryset=FacetValue.objects.none(), required=False
    )
    taken = forms.ModelMultipleChoiceField(
        label=gettext_lazy("Remove these facets"), queryset=FacetValue.objects.none(), required=False
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        values = FacetValue.objects.filter(live=True).order_by("facet", "sort_order")
        for name in ("given", "taken"):
            self.fields[name].queryset = values.prefetch_related("translations__locale")  # type: ignore[attr-defined]

    def clean(self) -> dict[str, Any]:
        found = super().clean()
        if not found.get("given") and not found.get("taken") and not self.errors:
            raise forms.ValidationError({"given": gettext("Choose facets to add or remove.")})
        return found


class SortTicked(PageBulkAction):
    display_name = gettext_lazy("Facets…")
    action_type = "set_facets"
    aria_label = gettext_lazy("Change the facets of the selected case studies")
    template_name = "studio/changes/facets_ticked.html"
    action_priority = 46
    form_class = FacetsForm

    def check_perm(self, page: Page) -> bool:
        is_found = issubclass(page.specific_class or Page, CaseStudyPage) and not page.alias_of_id
        return is_found and bool(page.permissions_for_user(self.request.user).can_edit())

    def get_form_kwargs(self) -> dict[str, Any]:
        return {**super().get_form_kwargs(), "user": self.request.user}

    def prepare_action(self, objects: Any, objects_without_access: Any) -> None:
        self.wanted = len(objects)

    def get_execution_context(self) -> dict[str, Any]:
        chosen = self.cleaned_form.cleaned_data
        self.change_set = self.cleaned_form.open(self.request.user)
        return {
            **super().get_execution_context(),
            "change_set": self.change_set,
            "given": list(chosen["given"]),
            "taken": list(chosen["taken"]),
        }

    @classmethod
    def execute_action(
        cls,
        objects: Iterable[Page],
        user: Any = None,
        change_set: Any = None,
        given: Iterable[FacetValue] = (),
        taken: Iterable[FacetValue] = (),
        **_: Any,
    ) -> tuple[int, int]:
        """Change the newest draft of each page, except locked pages and those in another change set."""
        done = 0
        for page in objects:
            lock = page.get_lock()
            if lock and lock.for_user(user):
                continue
            draft = page.specific.get_latest_revision_as_object()
            for facet, field in _FIELDS.items():
                values = getattr(draft, field)
                values.add(*(value for value in given if value.facet == facet))
                values.remove(*(value for value in taken if value.facet == facet))
            try:
                with transaction.atomic():
                    draft.save_revision(user=user, log_action=True, clean=False)
                    add(change_set, draft, user)
                    done += 1
            except HeldElsewhere:
                continue
        return done, 0

    def get_success_message(self, num_parent_objects: int, num_child_objects: int) -> str:
        left = gettext(" Case studies that are locked or in another change set stay unchanged.")
        return ngettext(
            "{count} case study has a draft in the change set “{change_set}”.{left}",
            "{count} case studies have a draft in the change set “{change_set}”.{left}",
            num_parent_objects,
        ).format(
            count=num_parent_objects,
            change_set=self.change_set,
            left=left if num_parent_objects < self.wanted else "",
        )

    def form_valid(self, form: Any) -> HttpResponse:
        super().form_valid(form)
        return redirect("studio_change_set", self.change_set.pk)

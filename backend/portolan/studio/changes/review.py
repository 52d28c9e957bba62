"""Set which sites require review. Administrators decide for each site."""

from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils.translation import gettext
from wagtail.admin import messages
from wagtail.log_actions import log

from ...content.site_records import SiteRecord, load_site_roots
from ..site_names import site_name
from .rights import person

ALONE = "directly"
REVIEWED = "reviewed"
CHANGED = "portolan.site.review"


class RuleForm(forms.Form):
    """Has a field for each site."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.records = SiteRecord.objects.in_bulk(list(load_site_roots()))
        for key in load_site_roots():
            self.fields[key] = forms.ChoiceField(
                label=site_name(key),
                choices=[
                    (ALONE, gettext("Publish directly: editors with publishing rights publish without review")),
                    (REVIEWED, gettext("Review required: another person approves before publishing")),
                ],
                widget=forms.RadioSelect,
                initial=REVIEWED if self.records[key].is_reviewed else ALONE,
            )

    def save(self, user: Any) -> list[str]:
        """Store the rules. Return the names of changed sites."""
        changed = []
        for key, record in self.records.items():
            is_reviewed = self.cleaned_data[key] == REVIEWED
            if is_reviewed != record.is_reviewed:
                record.is_reviewed = is_reviewed
                record.save(update_fields=["is_reviewed"])
                log(instance=record, action=CHANGED, user=user, title=site_name(key), data={"reviewed": is_reviewed})
                changed.append(site_name(key))
        return changed


def may_set(user: Any) -> bool:
    """Return whether the user administers sites.

    The right to publish is not enough: the rule protects against publishing alone.
    """
    return bool(user.has_perm("wagtailcore.change_site"))


def show_rules(request: HttpRequest) -> HttpResponse:
    user = person(request)
    if not may_set(user):
        raise PermissionDenied
    form = RuleForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        changed = form.save(user)
        messages.success(
            request,
            gettext("Changed for {names}.").format(names=", ".join(changed))
            if changed
            else gettext("Nothing changed."),
        )
        return redirect("studio_review_rules")
    return TemplateResponse(request, "studio/changes/rules.html", {"form": form})

"""Erase a person's data, after a preview of the data and its receivers.

The e-mail address is sent only in the body of a form, because URLs are stored in logs and histories.
"""

from typing import Any

from django import forms
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ...leads.erasure import erase, find_person
from ...leads.models import Lead
from ...leads.open_store import open_store
from ...leads.sealing import count_unreadable
from ...leads.spool import open_spool, replay_spool
from ...rights.held import has_everywhere
from . import rights
from .listing import Tag, name_site, tag_delivery, tag_state


class PersonForm(forms.Form):
    email = forms.CharField(label=_("E-mail address"), max_length=254, widget=forms.EmailInput({"autocomplete": "off"}))


def erase_person(request: HttpRequest) -> HttpResponse:
    """Erase a person's leads on all sites. Needs the right to erase on all sites."""
    if not has_everywhere(request.user, rights.VIEW, rights.ERASE):
        raise PermissionDenied
    form = PersonForm(request.POST or None)
    store = open_store()
    if form.is_valid():
        replay_spool(store)  # the person's lead may still be in the spool
    context: dict[str, Any] = {
        "header_title": gettext("Erase a person"),
        "header_icon": "bin",
        "breadcrumbs_items": [
            {"url": reverse("studio_leads"), "label": gettext("Leads")},
            {"url": "", "label": gettext("Erase a person")},
        ],
        "form": form,
        "spooled": open_spool(store.root).count(),
        "locked": count_unreadable(Lead),
    }
    if form.is_valid():
        leads = list(find_person(form.cleaned_data["email"]).prefetch_related("deliveries", "files"))
        context |= {"email": form.cleaned_data["email"], "asked": True, "leads": [_describe(lead) for lead in leads]}
        if leads and request.POST.get("confirmed"):
            context |= {"receivers": erase(leads, store), "is_done": True}
    return TemplateResponse(request, "studio/leads/erase.html", context)


def _describe(lead: Lead) -> dict[str, Any]:
    deliveries = sorted(lead.deliveries.all(), key=lambda delivery: delivery.destination)
    tags = [(delivery, tag_delivery(delivery)) for delivery in deliveries]
    return {
        "lead": lead,
        "url": reverse("studio_lead", args=[lead.pk]),
        "site": name_site(lead.site),
        "state": tag_state(lead),
        "files": len(lead.files.all()),
        "deliveries": [Tag(f"{delivery.destination}: {tag.text.lower()}", tag.kind) for delivery, tag in tags],
    }

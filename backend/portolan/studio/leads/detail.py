"""Show one lead: fields, origin, spam signals and deliveries."""

from typing import Final, NamedTuple
from urllib.parse import quote
from uuid import UUID

from django.http import FileResponse, HttpRequest, HttpResponse, HttpResponseForbidden, HttpResponseNotFound
from django.http.response import HttpResponseBase
from django.shortcuts import get_object_or_404
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.translation import gettext
from wagtail.log_actions import registry
from wagtail.models import ModelLogEntry

from ...leads.files_away import FilesAway
from ...leads.models import Delivery, DeliveryAttempt, Lead, LeadFile
from ...leads.open_store import open_store
from ...leads.sealing import NoKey, Unreadable
from ...rights.held import has_everywhere
from . import labels, rights
from .decisions import DECISIONS, note
from .listing import Tag, name_lead, name_site, tag_delivery, tag_partial, tag_state
from .words import draft_answer, list_words

_FITTING: Final = {
    Lead.State.OPEN: ("done", "spam"),
    Lead.State.QUARANTINED: ("not-spam", "spam"),
    Lead.State.SPAM: ("not-spam",),
    Lead.State.DONE: ("open", "spam"),
}


class Handed(NamedTuple):
    """A delivery and its history."""

    delivery: Delivery
    tag: Tag
    attempts: list[DeliveryAttempt]
    """Newest first."""
    is_waiting: bool
    may_replay: bool


class Deed(NamedTuple):
    at: object
    who: str
    what: str


@rights.needs(rights.VIEW)
def show_lead(request: HttpRequest, lead_id: UUID) -> HttpResponse:
    lead = get_object_or_404(rights.leads_of(request, rights.VIEW).select_related("assigned_to"), pk=lead_id)
    may_work = rights.may_with(request, lead, rights.WORK) and lead.erased_at is None
    company = labels.text_at(lead.fields, ("contact", "company"))
    title = ", ".join(filter(None, (name_lead(lead), company)))
    offered = _FITTING[Lead.State(lead.state)] if may_work else ()
    context = {
        "header_title": title,
        "header_icon": "mail",
        "breadcrumbs_items": [{"url": reverse("studio_leads"), "label": gettext("Leads")}, {"url": "", "label": title}],
        "lead": lead,
        "title": title,
        "site": name_site(lead.site),
        "form": labels.describe_form(lead.form),
        "state": tag_state(lead),
        "partial": tag_partial(lead),
        "contact": labels.lines_of(lead.fields, labels.CONTACT),
        "locked": str(NoKey()) if isinstance(lead.fields, Unreadable) else "",
        "email": labels.text_at(lead.fields, ("contact", "email")),
        "enquiry": labels.lines_of(lead.fields, {place: label for place, label in labels.ENQUIRY.items() if place != ("form",)}),
        "origin": labels.lines_of(lead.fields, labels.ORIGIN),
        "others": [*labels.lines_of(lead.fields, labels.HIDDEN), *labels.unknown_lines(lead.fields)],
        "files": list(lead.files.all()),
        "flags": labels.describe_flags(lead.flags),
        "captcha": labels.CAPTCHA[Lead.CaptchaStatus(lead.captcha_status)],
        "deliveries": _list_deliveries(lead, may_work),
        "deeds": _list_deeds(lead),
        "words": list_words(lead),
        "draft": draft_answer(lead, request.user) if may_work else None,
        "decisions": [(name, gettext(DECISIONS[name].button)) for name in offered],
        "colleagues": [(str(user.pk), rights.name_user(user)) for user in rights.list_colleagues(lead.site)] if may_work else [],
        "assignee": str(lead.assigned_to_id or ""),
        "assigned_to": rights.name_user(lead.assigned_to),
        "is_mine": lead.assigned_to_id == request.user.pk,
        "may_work": may_work,
        "may_erase": has_everywhere(request.user, rights.ERASE) and lead.erased_at is None,
        "here": request.path,
    }  # fmt: skip
    return TemplateResponse(request, "studio/leads/lead.html", context)


def download_file(request: HttpRequest, lead_id: UUID, position: int) -> HttpResponseBase:
    """Return an attachment as a download. If it were displayed, its code could run on this origin."""
    if not rights.may(request, rights.VIEW):
        return HttpResponseForbidden(
            gettext("You may not see leads, so you cannot download their files."), content_type="text/plain"
        )
    own = rights.leads_of(request, rights.VIEW)
    file = get_object_or_404(LeadFile.objects.select_related("lead"), lead__in=own, lead=lead_id, position=position)
    try:
        content = open_store().path(file.path).open("rb")
    except FileNotFoundError:
        return HttpResponseNotFound(gettext("The file was deleted."), content_type="text/plain")
    except FilesAway as error:
        return HttpResponse(str(error), content_type="text/plain", status=503)
    note(file.lead, "download", rights.person(request))
    reply = FileResponse(content, content_type="application/octet-stream")
    reply["Content-Disposition"] = _attachment(file.name)
    reply["Content-Security-Policy"] = "sandbox; default-src 'none'"
    reply["X-Content-Type-Options"] = "nosniff"
    reply["Cache-Control"] = "private, no-store"
    return reply


def _attachment(name: str) -> str:
    """Return the header (RFC 6266): the name in ``filename*``, and an ASCII name for old browsers."""
    plain = "".join(sign if sign.isascii() and sign.isprintable() and sign not in '"\\%' else "_" for sign in name)
    return f"attachment; filename=\"{plain}\"; filename*=UTF-8''{quote(name, safe='')}"


def _list_deliveries(lead: Lead, may_work: bool) -> list[Handed]:
    found = lead.deliveries.order_by("destination").prefetch_related("history")
    is_let_go = lead.state in (Lead.State.OPEN, Lead.State.DONE)
    return [
        Handed(
            delivery,
            tag_delivery(delivery),
            list(delivery.history.all())[::-1],
            delivery.state == Delivery.State.PENDING,
            may_work and is_let_go and _is_stuck(delivery),
        )
        for delivery in found
    ]


def _is_stuck(delivery: Delivery) -> bool:
    return delivery.state == Delivery.State.DEAD or (delivery.state == Delivery.State.PENDING and delivery.attempts > 0)


def _list_deeds(lead: Lead) -> list[Deed]:
    entries = ModelLogEntry.objects.for_instance(lead).select_related("user")
    return [
        Deed(entry.timestamp, rights.name_user(entry.user), formatter.format_message(entry))
        for entry in entries
        if (formatter := registry.get_formatter(entry))
    ]

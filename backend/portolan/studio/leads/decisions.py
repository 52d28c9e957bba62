"""Decisions in the inbox, about one lead or many, by the same forms."""

from collections.abc import Callable
from typing import Final, NamedTuple
from uuid import UUID

from django.contrib import messages
from django.contrib.auth.models import AbstractBaseUser
from django.core.exceptions import BadRequest
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.utils.translation import gettext, gettext_lazy, gettext_noop, ngettext
from django.views.decorators.http import require_POST
from wagtail.admin.utils import get_valid_next_url_from_request
from wagtail.log_actions import LogActionRegistry, log

from ...leads import inbox
from ...leads.models import Delivery, Lead
from ...leads.outbox import wake_worker
from ...leads.replay import replay
from . import rights

MOST_AT_ONCE: Final = 200


class Decision(NamedTuple):
    button: str
    said: str
    """The leads' state after the decision: "2 leads are …"."""
    not_said: str
    """Why a lead was not changed: "1 lead …"."""
    decide: Callable[[UUID], int]
    """Returns whether it changed the lead."""


def _replay(lead: UUID) -> int:
    return replay(Delivery.objects.filter(lead=lead))


DECISIONS: Final = {
    "done": Decision(
        gettext_noop("Done"), gettext_noop("done"), gettext_noop("was not open"), lambda lead: inbox.mark_done([lead])
    ),
    "open": Decision(
        gettext_noop("Reopen"),
        gettext_noop("open again"),
        gettext_noop("was not done"),
        lambda lead: inbox.reopen([lead]),
    ),
    "spam": Decision(
        gettext_noop("Spam"),
        gettext_noop("spam, and handed on to nobody"),
        gettext_noop("was spam"),
        lambda lead: inbox.mark_spam([lead]),
    ),
    "not-spam": Decision(
        gettext_noop("Not spam"),
        gettext_noop("no spam: open, and handed on now"),
        gettext_noop("was open"),
        lambda lead: inbox.mark_not_spam([lead]),
    ),
    "replay": Decision(
        gettext_noop("Deliver again"),
        gettext_noop("handed on again now"),
        gettext_noop("had nothing to deliver again"),
        _replay,
    ),
}
_LOGGED: Final = {
    "done": gettext_noop("Marked as done"),
    "open": gettext_noop("Opened again"),
    "spam": gettext_noop("Marked as spam"),
    "not-spam": gettext_noop("Marked as no spam"),
    "replay": gettext_noop("Had deliveries tried again"),
    "assign": gettext_noop("Assigned"),
    "download": gettext_noop("Downloaded a file"),
    "answer": gettext_noop("Answered by mail"),
}


def list_decisions() -> list[tuple[str, str]]:
    """Names and buttons of the decisions that a list offers, in their order."""
    return [(name, gettext(decision.button)) for name, decision in DECISIONS.items()]


def name_actions(registry: LogActionRegistry) -> None:
    """Texts for a lead's history and for the studio's report of actions."""
    for name, said in _LOGGED.items():
        registry.register_action(f"portolan.lead.{name}", gettext_lazy(said), gettext_lazy(said))


def note(lead: Lead, name: str, user: AbstractBaseUser) -> None:
    log(instance=lead, action=f"portolan.lead.{name}", user=user)


@require_POST
@rights.needs(rights.VIEW, rights.WORK)
def decide(request: HttpRequest) -> HttpResponse:
    """Applies a decision to the leads named in the form, and leads back to the page it was sent from."""
    leads = list(
        rights.leads_of(request, rights.VIEW, rights.WORK).filter(pk__in=_ids(request)).order_by("-created_at")
    )
    name = request.POST.get("decision", "")
    if not leads:
        messages.warning(request, gettext("Nothing was chosen. Tick the leads first."))
    elif name in ("assign", "take"):
        _assign(request, leads, rights.person(request) if name == "take" else _colleague(request, leads))
    elif name == "replay-one":
        _replay_one(request, leads[0])
    elif name in DECISIONS:
        _decide(request, leads, name)
    else:
        raise BadRequest(gettext("There is no such decision."))
    wake_worker()  # released deliveries are due now
    return redirect(get_valid_next_url_from_request(request) or "studio_leads")


def _decide(request: HttpRequest, leads: list[Lead], name: str) -> None:
    decision = DECISIONS[name]
    with transaction.atomic():
        changed = [lead for lead in leads if decision.decide(lead.pk)]
        for lead in changed:
            note(lead, name, rights.person(request))
    if changed:
        messages.success(request, f"{_count(len(changed))} {gettext(decision.said)}.")
    if left := len(leads) - len(changed):
        which = ngettext("{count} lead was", "{count} leads were", left).format(count=left)
        messages.warning(
            request,
            gettext("{which} left as it is: it {not_said}.").format(which=which, not_said=gettext(decision.not_said)),
        )


def _replay_one(request: HttpRequest, lead: Lead) -> None:
    delivery = request.POST.get("delivery", "")
    if delivery.isdecimal() and replay(lead.deliveries.filter(pk=int(delivery))):
        note(lead, "replay", rights.person(request))
        messages.success(request, gettext("It is handed on again now."))
    else:
        messages.warning(request, gettext("There was nothing to deliver again: somebody may have been quicker."))


def _assign(request: HttpRequest, leads: list[Lead], user: AbstractBaseUser | None) -> None:
    with transaction.atomic():
        changed = inbox.assign([lead.pk for lead in leads], user)
        for lead in leads:
            if lead.erased_at is None:
                note(lead, "assign", rights.person(request))
    if changed:
        messages.success(
            request,
            gettext("{leads} assigned to {person}.").format(
                leads=_count(changed), person=rights.name_user(user) or gettext("nobody")
            ),
        )


def _colleague(request: HttpRequest, leads: list[Lead]) -> AbstractBaseUser | None:
    """The colleague chosen in the form; None if nobody is. BadRequest for somebody who may not see all these leads."""
    chosen = request.POST.get("assignee", "")
    if not chosen:
        return None
    found: AbstractBaseUser | None = None
    for site in {lead.site for lead in leads}:
        found = rights.list_colleagues(site).filter(pk=chosen).first() if chosen.isdecimal() else None
        if found is None:
            raise BadRequest(gettext("Leads are assigned to people who may see them."))
    return found


def _ids(request: HttpRequest) -> list[UUID]:
    try:
        return [UUID(id) for id in request.POST.getlist("lead")[:MOST_AT_ONCE]]
    except ValueError:
        raise BadRequest(gettext("Leads are named by their ids.")) from None


def _count(leads: int) -> str:
    return ngettext("{count} lead is", "{count} leads are", leads).format(count=leads)

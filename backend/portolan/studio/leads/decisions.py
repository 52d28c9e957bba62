"""Decide about one lead or several in the inbox."""

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
    """Result for the message "2 leads: …"."""
    not_said: str
    """Reason why a lead did not change."""
    decide: Callable[[UUID], int]
    """Returns 1 if it changed the lead, else 0."""


def _replay(lead: UUID) -> int:
    return replay(Delivery.objects.filter(lead=lead))


DECISIONS: Final = {
    "done": Decision(
        gettext_noop("Done"),
        gettext_noop("marked as done"),
        gettext_noop("not open"),
        lambda lead: inbox.mark_done([lead]),
    ),
    "open": Decision(
        gettext_noop("Reopen"),
        gettext_noop("reopened"),
        gettext_noop("not done"),
        lambda lead: inbox.reopen([lead]),
    ),
    "spam": Decision(
        gettext_noop("Spam"),
        gettext_noop("marked as spam, deliveries stopped"),
        gettext_noop("already spam"),
        lambda lead: inbox.mark_spam([lead]),
    ),
    "not-spam": Decision(
        gettext_noop("Not spam"),
        gettext_noop("opened, delivery started"),
        gettext_noop("already open"),
        lambda lead: inbox.mark_not_spam([lead]),
    ),
    "replay": Decision(
        gettext_noop("Deliver again"),
        gettext_noop("delivery restarted"),
        gettext_noop("no failed delivery"),
        _replay,
    ),
}
_LOGGED: Final = {
    "done": gettext_noop("Marked as done"),
    "open": gettext_noop("Reopened"),
    "spam": gettext_noop("Marked as spam"),
    "not-spam": gettext_noop("Marked as not spam"),
    "replay": gettext_noop("Restarted deliveries"),
    "assign": gettext_noop("Assigned"),
    "download": gettext_noop("Downloaded a file"),
    "answer": gettext_noop("Answered by mail"),
}


def list_decisions() -> list[tuple[str, str]]:
    """Return name and button of each decision in the list, in order."""
    return [(name, gettext(decision.button)) for name, decision in DECISIONS.items()]


def name_actions(registry: LogActionRegistry) -> None:
    """Register the texts for a lead's history and for the report *Site history*."""
    for name, said in _LOGGED.items():
        registry.register_action(f"portolan.lead.{name}", gettext_lazy(said), gettext_lazy(said))


def note(lead: Lead, name: str, user: AbstractBaseUser) -> None:
    log(instance=lead, action=f"portolan.lead.{name}", user=user)


@require_POST
@rights.needs(rights.VIEW, rights.WORK)
def decide(request: HttpRequest) -> HttpResponse:
    """Apply a decision to the selected leads and redirect back to the page of the form."""
    leads = list(
        rights.leads_of(request, rights.VIEW, rights.WORK).filter(pk__in=_ids(request)).order_by("-created_at")
    )
    name = request.POST.get("decision", "")
    if not leads:
        messages.warning(request, gettext("No leads selected. Nothing changed. Select leads first."))
    elif name in ("assign", "take"):
        _assign(request, leads, rights.person(request) if name == "take" else _colleague(request, leads))
    elif name == "replay-one":
        _replay_one(request, leads[0])
    elif name in DECISIONS:
        _decide(request, leads, name)
    else:
        raise BadRequest(gettext("Unknown decision."))
    wake_worker()  # released deliveries are due now
    return redirect(get_valid_next_url_from_request(request) or "studio_leads")


def _decide(request: HttpRequest, leads: list[Lead], name: str) -> None:
    decision = DECISIONS[name]
    with transaction.atomic():
        changed = [lead for lead in leads if decision.decide(lead.pk)]
        for lead in changed:
            note(lead, name, rights.person(request))
    if changed:
        messages.success(
            request,
            gettext("{leads}: {result}.").format(leads=_count(len(changed)), result=gettext(decision.said)),
        )
    if left := len(leads) - len(changed):
        messages.warning(
            request,
            gettext("{leads} not changed: {reason}.").format(leads=_count(left), reason=gettext(decision.not_said)),
        )


def _replay_one(request: HttpRequest, lead: Lead) -> None:
    delivery = request.POST.get("delivery", "")
    if delivery.isdecimal() and replay(lead.deliveries.filter(pk=int(delivery))):
        note(lead, "replay", rights.person(request))
        messages.success(request, gettext("Delivery restarted."))
    else:
        messages.warning(
            request, gettext("Nothing to deliver again. A colleague may have restarted the delivery already.")
        )


def _assign(request: HttpRequest, leads: list[Lead], user: AbstractBaseUser | None) -> None:
    with transaction.atomic():
        changed = inbox.assign([lead.pk for lead in leads], user)
        for lead in leads:
            if lead.erased_at is None:
                note(lead, "assign", rights.person(request))
    if changed:
        name = rights.name_user(user)
        text = gettext("{leads} assigned to {person}.") if name else gettext("{leads} not assigned.")
        messages.success(request, text.format(leads=_count(changed), person=name))


def _colleague(request: HttpRequest, leads: list[Lead]) -> AbstractBaseUser | None:
    """Return the colleague selected in the form, or None. Raise BadRequest if that person may not see all these leads."""
    chosen = request.POST.get("assignee", "")
    if not chosen:
        return None
    found: AbstractBaseUser | None = None
    for site in {lead.site for lead in leads}:
        found = rights.list_colleagues(site).filter(pk=chosen).first() if chosen.isdecimal() else None
        if found is None:
            raise BadRequest(gettext("This person may not see all of these leads. Nothing changed."))
    return found


def _ids(request: HttpRequest) -> list[UUID]:
    try:
        return [UUID(id) for id in request.POST.getlist("lead")[:MOST_AT_ONCE]]
    except ValueError:
        raise BadRequest(gettext("Invalid lead id.")) from None


def _count(leads: int) -> str:
    return ngettext("{count} lead", "{count} leads", leads).format(count=leads)

"""Export a list of leads as a spreadsheet."""

import logging
from collections.abc import Callable, Iterator
from io import BytesIO
from typing import Any, Final

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import QuerySet
from django.http import FileResponse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from ...leads.models import Delivery, Lead
from ..spreadsheets import write_workbook
from . import labels
from .rights import name_user

_AT_ONCE: Final = 500
_TYPE: Final = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet"

_log = logging.getLogger(__name__)


def _field(*place: str) -> Callable[[Lead], str]:
    return lambda lead: labels.text_at(lead.fields, place)


def _number(*place: str) -> Callable[[Lead], str]:
    return lambda lead: "" if (value := labels.value_at(lead.fields, place)) is None else str(value)


def _deliveries(lead: Lead) -> str:
    return "\n".join(
        f"{delivery.destination}: {labels.DELIVERY_STATES[Delivery.State(delivery.state)].lower()}"
        for delivery in lead.deliveries.all()
    )


def _others(lead: Lead) -> str:
    return "\n".join(f"{line.label}: {line.value}" for line in labels.unknown_lines(lead.fields))


COLUMNS: Final[tuple[tuple[Any, Callable[[Lead], str]], ...]] = (
    (_("Received (UTC)"), lambda lead: f"{lead.created_at:%Y-%m-%d %H:%M:%S}"),
    (_("Site"), lambda lead: lead.site),
    (_("Form"), lambda lead: labels.describe_form(lead.form)),
    (_("State"), lambda lead: gettext("Erased") if lead.erased_at else str(labels.STATES[Lead.State(lead.state)])),
    (_("Sent"), lambda lead: str(labels.PARTIAL) if lead.is_begun else gettext("Sent")),
    (_("Name"), _field("contact", "name")),
    (_("Company"), _field("contact", "company")),
    (_("E-mail"), _field("contact", "email")),
    (_("Phone"), _field("contact", "phone")),
    (_("Country"), _field("country")),
    (_("Message"), _field("message")),
    (_("Services"), _field("services")),
    (_("Team"), _field("team")),
    (_("Months"), _field("months")),
    (_("Start"), _field("start")),
    (_("Price from"), _number("price", "from")),
    (_("Price to"), _number("price", "to")),
    (_("Currency"), _field("price", "currency")),
    (_("Last step"), _field("step")),
    (_("Files"), lambda lead: "\n".join(file.name for file in lead.files.all())),
    (_("Page"), _field("pageUrl")),
    (_("First visit"), _field("firstVisitUrl")),
    (_("Session entry"), _field("sessionEntryUrl")),
    (_("Ad click"), _field("adClick")),
    (_("Other fields"), _others),
    (_("Spam score"), lambda lead: str(lead.spam_score)),
    (_("Flags"), lambda lead: ", ".join(lead.flags)),
    (_("Captcha"), lambda lead: str(labels.CAPTCHA[Lead.CaptchaStatus(lead.captcha_status)])),
    (_("Deliveries"), _deliveries),
    (_("Assigned to"), lambda lead: name_user(lead.assigned_to)),
    (_("Lead"), lambda lead: str(lead.pk)),
)


def export_leads(leads: QuerySet[Lead], user: AbstractBaseUser) -> FileResponse:
    file = BytesIO()
    count = write_workbook(gettext("Leads"), _list_rows(leads), file)
    _log.info("User %s exported %d leads as a spreadsheet.", user.pk, count)
    file.seek(0)
    reply = FileResponse(file, as_attachment=True, filename=f"leads-{timezone.now():%Y-%m-%d}.xlsx", content_type=_TYPE)
    reply["Cache-Control"] = "no-store"
    return reply


def _list_rows(leads: QuerySet[Lead]) -> Iterator[list[str]]:
    yield [str(heading) for heading, _read in COLUMNS]
    for lead in leads.iterator(chunk_size=_AT_ONCE):
        yield [read(lead) for _heading, read in COLUMNS]

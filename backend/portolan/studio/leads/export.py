"""A list of leads as a spreadsheet."""

import logging
from collections.abc import Callable
from io import BytesIO
from typing import Final

from django.contrib.auth.models import AbstractBaseUser
from django.db.models import QuerySet
from django.http import FileResponse
from django.utils import timezone
from django.utils.translation import gettext

from ...leads.models import Delivery, Lead
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


COLUMNS: Final[dict[str, Callable[[Lead], str]]] = {
    "Received (UTC)": lambda lead: f"{lead.created_at:%Y-%m-%d %H:%M:%S}",
    "Site": lambda lead: lead.site,
    "Form": lambda lead: labels.describe_form(lead.form),
    "State": lambda lead: gettext("Erased") if lead.erased_at else str(labels.STATES[Lead.State(lead.state)]),
    "Sent": lambda lead: str(labels.BEGUN) if lead.is_begun else gettext("Sent"),
    "Name": _field("contact", "name"),
    "Company": _field("contact", "company"),
    "E-mail": _field("contact", "email"),
    "Phone": _field("contact", "phone"),
    "Country": _field("country"),
    "Message": _field("message"),
    "Services": _field("services"),
    "Team": _field("team"),
    "Months": _field("months"),
    "To begin": _field("start"),
    "Price from": _number("price", "from"),
    "Price to": _number("price", "to"),
    "Currency": _field("price", "currency"),
    "Sent or left at step": _field("step"),
    "Files": lambda lead: "\n".join(file.name for file in lead.files.all()),
    "Page": _field("pageUrl"),
    "First visit": _field("firstVisitUrl"),
    "Session entry": _field("sessionEntryUrl"),
    "Ad click": _field("adClick"),
    "Other fields": _others,
    "Spam score": lambda lead: str(lead.spam_score),
    "Flags": lambda lead: ", ".join(lead.flags),
    "Captcha": lambda lead: str(labels.CAPTCHA[Lead.CaptchaStatus(lead.captcha_status)]),
    "Deliveries": _deliveries,
    "Assigned to": lambda lead: name_user(lead.assigned_to),
    "Lead": lambda lead: str(lead.pk),
}


def export_leads(leads: QuerySet[Lead], user: AbstractBaseUser) -> FileResponse:
    file = BytesIO()
    count = write_workbook(leads, file)
    _log.info("%d leads were taken along as a spreadsheet by user %s.", count, user.pk)
    file.seek(0)
    reply = FileResponse(file, as_attachment=True, filename=f"leads-{timezone.now():%Y-%m-%d}.xlsx", content_type=_TYPE)
    reply["Cache-Control"] = "no-store"
    return reply


def write_workbook(leads: QuerySet[Lead], file: BytesIO) -> int:
    """Returns how many rows below the heading there are."""
    from .workbook import write_sheet  # openpyxl is 9 MB that no other process of the product needs

    rows = ([read(lead) for read in COLUMNS.values()] for lead in leads.iterator(chunk_size=_AT_ONCE))
    return write_sheet(gettext("Leads"), COLUMNS, rows, file)

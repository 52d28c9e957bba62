"""Load the demo's leads of fictional companies and people, with a flag, into an installation without leads.

They are written directly into the tables, without spam checks and deliveries.
"""

import hashlib
import tomllib
import uuid
from collections.abc import Mapping
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from pydantic import ValidationError

from portolan.fixtures.problems import FixtureError, FixtureProblem
from portolan.leads.file_store import FileStore
from portolan.leads.flags import DEMO
from portolan.leads.models import Delivery, DeliveryAttempt, Lead, LeadFile
from portolan.schemas.lead import NO_CAPTCHA_TOKEN, LeadForm

FILE: Final = "leads.toml"
_OURS: Final = {"site", "page", "days_ago", "state", "flags", "score", "verified", "deliveries", "files"}
"""Fields of a fixture in addition to the form's, which have wire names."""
_DELIVERED: Final = "204 No Content"
_FAILED: Final = "503 Service Unavailable"
_TRIES: Final = 10
"""Tries of a failed delivery."""


def load_leads(folder: Path, origins: Mapping[str, str], store: FileStore) -> int:
    """Load the leads, and return their number. Raise FixtureError for the first invalid form."""
    file = folder / FILE
    if Lead.objects.exists() or not file.exists():
        return 0
    entries = tomllib.loads(file.read_text(encoding="utf-8"))["leads"]
    forms = [_check(number, entry, origins) for number, entry in enumerate(entries)]
    for entry, form in zip(entries, forms, strict=True):
        _load(entry, form, store)
    return len(entries)


def _check(number: int, entry: Mapping[str, Any], origins: Mapping[str, str]) -> LeadForm:
    sent = {name: value for name, value in entry.items() if name not in _OURS}
    page = f"{origins[entry['site']]}{entry.get('page', '/contact-us')}"
    sent |= {"pageUrl": page, "privacyAccepted": True, "captchaToken": NO_CAPTCHA_TOKEN}
    sent.setdefault("sessionEntryUrl", page)
    try:
        return LeadForm.model_validate(sent, by_alias=True, by_name=False)
    except ValidationError as error:
        detail = error.errors(include_url=False, include_input=False)[0]
        place = ".".join(["leads", str(number), *map(str, detail["loc"])])
        raise FixtureError([FixtureProblem(Path(FILE), place, detail["msg"])]) from None


def _load(entry: Mapping[str, Any], form: LeadForm, store: FileStore) -> None:
    at = timezone.now() - timedelta(days=entry["days_ago"])
    lead = Lead(
        id=uuid.uuid4(),
        site=entry["site"],
        form=form.form,
        created_at=at,
        fields=form.model_dump(mode="json", by_alias=True, exclude={"captcha_token", "begun"}, exclude_unset=True),
        flags=[*entry.get("flags", []), DEMO],
        captcha_token=NO_CAPTCHA_TOKEN,
        captcha_status=Lead.CaptchaStatus.VERIFIED if entry.get("verified") else Lead.CaptchaStatus.UNVERIFIED,
        spam_score=entry.get("score", 0),
        state=Lead.State(entry.get("state", "open")),
        is_begun=form.begun,
    )
    with store.receive() as incoming, transaction.atomic():
        lead.save(force_insert=True)
        for position, (name, text) in enumerate(entry.get("files", {}).items()):
            content = text.encode()
            file, path = incoming.create()
            with file:
                file.write(content)
            relative = f"{at.date().isoformat()}/{lead.pk}/{path.name}"
            digest = hashlib.sha256(content).hexdigest()
            extension = name.rpartition(".")[2]
            LeadFile.objects.create(
                lead=lead,
                position=position,
                name=name,
                extension=extension,
                size=len(content),
                sha256=digest,
                path=relative,
            )
        for destination, state in entry.get("deliveries", {}).items():
            _deliver(lead, destination, Delivery.State(state), at)
        incoming.keep(str(lead.pk), at.date())
        incoming.hand_over()
        incoming.commit()


def _deliver(lead: Lead, destination: str, state: Delivery.State, at: datetime) -> None:
    is_held = state == Delivery.State.HELD
    is_delivered = state == Delivery.State.DELIVERED
    tries = 0 if is_held else 1 if is_delivered else _TRIES
    delivery = Delivery.objects.create(
        lead=lead,
        destination=destination,
        state=state,
        attempts=tries,
        next_at=at,
        reason="" if is_held or is_delivered else _FAILED,
        delivered_at=at if is_delivered else None,
    )
    for number in range(tries):
        DeliveryAttempt.objects.create(
            delivery=delivery,
            at=at + timedelta(minutes=number**3),
            succeeded=is_delivered,
            detail=_DELIVERED if is_delivered else _FAILED,
        )

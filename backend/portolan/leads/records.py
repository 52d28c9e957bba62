"""The rows of an accepted form, and the transaction that stores them."""

import json
import uuid
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any, NamedTuple

from django.conf import settings
from django.db import IntegrityError, transaction

from .durable import durable_transaction
from .flags import CAPTCHA_REUSED
from .models import CaptchaSolution, Delivery, Lead, LeadFile
from .outbox import make_deliveries
from .refusals import CAPTCHA_REFUSED, refuse
from .repeats import Submission, save_answer
from .sealing import seal
from .spam import must_wait, score


class UsedSolution(NamedTuple):
    """A captcha solution, which may be used for one lead."""

    key: str
    expires_at: datetime


class Intake:
    """All rows of one accepted form. Its ``repr`` shows no values, because they are personal data."""

    def __init__(
        self,
        submission: Submission,
        receipt: bytes,
        received_at: datetime,
        lead: Mapping[str, Any],
        files: Sequence[Mapping[str, Any]],
        solution: UsedSolution | None,
    ) -> None:
        """``lead`` and ``files``: values of the models' fields."""
        self.submission = submission
        self.receipt = receipt
        self.received_at = received_at
        self.lead = lead
        self.files = files
        self.solution = solution

    def __repr__(self) -> str:
        return f"Intake({self.lead['id']})"

    def to_json(self) -> bytes:
        solution = self.solution and [self.solution.key, self.solution.expires_at.isoformat()]
        return json.dumps(
            {
                "submission": self.submission._asdict(),
                "receipt": self.receipt.decode(),
                "receivedAt": self.received_at.isoformat(),
                "lead": {**self.lead, "fields": seal(self.lead["fields"])},
                "files": self.files,
                "solution": solution,
            }
        ).encode()

    @classmethod
    def from_json(cls, data: bytes) -> "Intake":
        """Return the intake. Sealed fields stay sealed. Raise ValueError, KeyError or TypeError for invalid data."""
        values = json.loads(data)
        solution = values["solution"]
        return cls(
            Submission(**values["submission"]),
            values["receipt"].encode(),
            datetime.fromisoformat(values["receivedAt"]),
            values["lead"],
            values["files"],
            UsedSolution(solution[0], datetime.fromisoformat(solution[1])) if solution else None,
        )


def store_intake(intake: Intake, *, was_promised: bool = False) -> None:
    """Store all rows; they are on disk when this returns. Raise Overtaken for a repeat.

    A partial submission of the same name is replaced. A lead with a used captcha solution is rejected; if it
    ``was_promised`` by a reply, it is stored with a flag instead.
    """
    lead = Lead(**{**intake.lead, "id": uuid.UUID(intake.lead["id"])}, created_at=intake.received_at)
    with durable_transaction():
        partial = save_answer(intake.submission, intake.receipt, intake.received_at)
        if partial is not None:
            _take_the_place_of(partial, lead)
        if intake.solution is not None and not _use(intake.solution):
            if not was_promised:
                raise refuse(CAPTCHA_REFUSED, "captchaToken", "was used before. Get a new one")
            lead.flags = [*lead.flags, CAPTCHA_REUSED]
            lead.captcha_status = Lead.CaptchaStatus.UNVERIFIED
            lead.spam_score = score(lead.flags)
            if must_wait(lead.flags, settings.SITES_REGISTRY.leads.quarantine_score):
                lead.state = Lead.State.QUARANTINED
        lead.save(force_insert=True)
        LeadFile.objects.bulk_create(LeadFile(lead=lead, **file) for file in intake.files)
        Delivery.objects.bulk_create(make_deliveries(lead, intake.received_at))


def _take_the_place_of(partial: Lead, lead: Lead) -> None:
    """Replace a partial submission by the lead, and keep its assignment and spam mark."""
    lead.assigned_to_id = partial.assigned_to_id
    if partial.state == Lead.State.SPAM:
        lead.state = Lead.State.SPAM
    if partial.erased_at is None:  # an erased row stays for counting
        partial.delete()


def _use(solution: UsedSolution) -> bool:
    """Mark a solution as used. Return False if it was used before. Of concurrent calls, one succeeds."""
    try:
        with transaction.atomic():
            CaptchaSolution.objects.create(key=solution.key, expires_at=solution.expires_at)
    except IntegrityError:
        return False
    return True

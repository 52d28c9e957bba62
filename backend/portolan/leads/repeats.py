"""One submission, one lead: a form that is sent again gets the answer of the first time, byte for byte.

Who names submissions (``Idempotency-Key``) says what a repeat is. For who does not, the same form with the same files
within ten minutes is one.
"""

import hashlib
import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db import IntegrityError

from ..shapes.lead import LeadForm
from .models import Answer
from .refusals import KEY_REUSED, LeadRefused

REPEATED_WITHIN: Final = timedelta(minutes=10)
"""Without a key."""
ANSWERS_KEPT: Final = timedelta(days=30)
"""A form kept in a browser while offline comes back late."""

_OF_THE_SENDING: Final = {"captcha_token", "submission_id", "seconds_open"}
"""Fields that tell of one try to send: the next one has its own."""


class Submission(NamedTuple):
    key: str
    fingerprint: str
    is_named: bool


class Overtaken(Exception):
    """Another request answers the same submission at this moment, or has just done so."""


def identify(name: str | None, site: str, form: LeadForm, file_digests: Iterable[str]) -> Submission:
    """``name``: what the client calls the submission. It is kept as a digest; it may be anything."""
    fields = form.model_dump(mode="json", by_alias=True, exclude=_OF_THE_SENDING, exclude_defaults=True)
    canonical = json.dumps([site, fields, list(file_digests)], sort_keys=True, ensure_ascii=True)
    fingerprint = _digest(canonical)
    if name is None:
        return Submission(f"form:{fingerprint}", fingerprint, is_named=False)
    return Submission(f"key:{_digest(name)}", fingerprint, is_named=True)


def find_answer(submission: Submission, now: datetime) -> Answer | None:
    """The answer of the first time. Raises LeadRefused where the name stands for another form."""
    answer = Answer.objects.filter(pk=submission.key).first()
    if answer is None or is_stale(submission, answer, now):
        return None
    if answer.fingerprint != submission.fingerprint:
        raise LeadRefused(KEY_REUSED)
    return answer


def save_answer(submission: Submission, body: bytes, now: datetime) -> None:
    """To be called in the lead's own transaction, first. Waits for another request that answers the same submission.

    Raises Overtaken where that one has answered; the transaction is to be given up then.
    """
    before = Answer.objects.filter(pk=submission.key).first()
    if before is None:
        try:
            Answer.objects.create(key=submission.key, fingerprint=submission.fingerprint, body=body, created_at=now)
        except IntegrityError:
            raise Overtaken from None
        return
    if not is_stale(submission, before, now):
        raise Overtaken
    taken_over = Answer.objects.filter(pk=submission.key, created_at=before.created_at).update(
        fingerprint=submission.fingerprint, body=body, created_at=now
    )
    if not taken_over:
        raise Overtaken


def is_stale(submission: Submission, answer: Answer, now: datetime) -> bool:
    return now - answer.created_at > (ANSWERS_KEPT if submission.is_named else REPEATED_WITHIN)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

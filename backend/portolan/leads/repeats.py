"""One submission, one lead: a form that is sent again gets the answer of the first time, byte for byte.

Who names submissions (``Idempotency-Key``) says what a repeat is. For who does not, the same form with the same files
within ten minutes is one.

A form that is left is sent as it stands (``begun``), under the name it will be sent by later. Until the whole one comes, what
comes later takes the place of what came before; after it, what was begun comes too late and gets its answer.
"""

import hashlib
import json
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db import IntegrityError

from ..schemas.lead import LeadForm
from .models import Answer, Lead
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
    is_begun: bool = False


class Overtaken(Exception):
    """Another request answers the same submission at this moment, or has just done so."""


def identify(name: str | None, site: str, form: LeadForm, file_digests: Iterable[str]) -> Submission:
    """``name``: what the client calls the submission. It is kept as a digest; it may be anything."""
    fields = form.model_dump(mode="json", by_alias=True, exclude=_OF_THE_SENDING, exclude_defaults=True)
    canonical = json.dumps([site, fields, list(file_digests)], sort_keys=True, ensure_ascii=True)
    fingerprint = _digest(canonical)
    if name is None:
        return Submission(f"form:{fingerprint}", fingerprint, is_named=False, is_begun=form.begun)
    return Submission(f"key:{_digest(name)}", fingerprint, is_named=True, is_begun=form.begun)


def find_answer(submission: Submission, now: datetime) -> Answer | None:
    """The answer of the first time. Raises LeadRefused where the name stands for another form.

    None also where the name stands for what was begun of this one.
    """
    answer = Answer.objects.filter(pk=submission.key).first()
    if answer is None or is_stale(submission, answer, now):
        return None
    if answer.fingerprint == submission.fingerprint:
        return answer
    if find_begun(answer) is not None:
        return None
    if submission.is_begun:
        return answer
    raise LeadRefused(KEY_REUSED)


def find_begun(answer: Answer) -> Lead | None:
    """The lead that was answered, where it is one that was only begun."""
    return Lead.objects.filter(pk=json.loads(bytes(answer.body))["id"], is_begun=True).first()


def save_answer(submission: Submission, body: bytes, now: datetime) -> Lead | None:
    """To be called in the lead's own transaction, first. Waits for another request that answers the same submission.

    Returns the begun lead that is to give way to this one. Raises Overtaken where another request has answered; the
    transaction is to be given up then.
    """
    before = Answer.objects.filter(pk=submission.key).first()
    if before is None:
        try:
            Answer.objects.create(key=submission.key, fingerprint=submission.fingerprint, body=body, created_at=now)
        except IntegrityError:
            raise Overtaken from None
        return None
    begun = None
    if not is_stale(submission, before, now):
        begun = find_begun(before) if before.fingerprint != submission.fingerprint else None
        if begun is None:
            raise Overtaken
    same = Answer.objects.filter(pk=submission.key, created_at=before.created_at, fingerprint=before.fingerprint)
    if not same.update(fingerprint=submission.fingerprint, body=body, created_at=now):
        raise Overtaken
    return begun


def is_stale(submission: Submission, answer: Answer, now: datetime) -> bool:
    return now - answer.created_at > (ANSWERS_KEPT if submission.is_named else REPEATED_WITHIN)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

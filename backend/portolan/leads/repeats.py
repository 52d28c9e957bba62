"""Give repeats of a submission the first reply, byte for byte, and store one lead.

A client that names its submissions (``Idempotency-Key``) decides which are repeats. Without a name, the same form with
the same files within ten minutes is a repeat.

A form that its visitor leaves is sent as a partial submission (``begun``), under its later name. Each newer version
replaces the previous one. A partial submission after the complete form gets that form's reply.
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
"""For submissions without a name."""
ANSWERS_KEPT: Final = timedelta(days=30)
"""Long, because a browser may keep a form while offline."""

_OF_THE_SENDING: Final = {"captcha_token", "submission_id", "seconds_open"}
"""Fields that differ between tries to send the same form."""


class Submission(NamedTuple):
    key: str
    fingerprint: str
    is_named: bool
    is_begun: bool = False


class Overtaken(Exception):
    """Another request is replying to the same submission, or has just replied."""


def identify(name: str | None, site: str, form: LeadForm, file_digests: Iterable[str]) -> Submission:
    """Return the identity of a submission. ``name`` may be any text of the client, so only its digest is stored."""
    fields = form.model_dump(mode="json", by_alias=True, exclude=_OF_THE_SENDING, exclude_defaults=True)
    canonical = json.dumps([site, fields, list(file_digests)], sort_keys=True, ensure_ascii=True)
    fingerprint = _digest(canonical)
    if name is None:
        return Submission(f"form:{fingerprint}", fingerprint, is_named=False, is_begun=form.begun)
    return Submission(f"key:{_digest(name)}", fingerprint, is_named=True, is_begun=form.begun)


def find_answer(submission: Submission, now: datetime) -> Answer | None:
    """Return the first reply, or ``None`` if there is at most one to a partial submission.

    Raise LeadRefused if the name was used for another form.
    """
    answer = Answer.objects.filter(pk=submission.key).first()
    if answer is None or is_stale(submission, answer, now):
        return None
    if answer.fingerprint == submission.fingerprint:
        return answer
    if find_partial(answer) is not None:
        return None
    if not Answer.objects.filter(pk=submission.key, fingerprint=answer.fingerprint).exists():
        return find_answer(submission, now)  # another request has just replaced the partial submission
    if submission.is_begun:
        return answer
    raise LeadRefused(KEY_REUSED)


def find_partial(answer: Answer) -> Lead | None:
    """Return the lead of a reply if it is a partial submission."""
    return Lead.objects.filter(pk=json.loads(bytes(answer.body))["id"], is_begun=True).first()


def save_answer(submission: Submission, body: bytes, now: datetime) -> Lead | None:
    """Store the reply. Call this first in the lead's transaction; it waits for a request with the same submission.

    Return the partial submission to replace. Raise Overtaken if another request has replied; then roll back.
    """
    before = Answer.objects.filter(pk=submission.key).first()
    if before is None:
        try:
            Answer.objects.create(key=submission.key, fingerprint=submission.fingerprint, body=body, created_at=now)
        except IntegrityError:
            raise Overtaken from None
        return None
    partial = None
    if not is_stale(submission, before, now):
        partial = find_partial(before) if before.fingerprint != submission.fingerprint else None
        if partial is None:
            raise Overtaken
    same = Answer.objects.filter(pk=submission.key, created_at=before.created_at, fingerprint=before.fingerprint)
    if not same.update(fingerprint=submission.fingerprint, body=body, created_at=now):
        raise Overtaken
    return partial


def is_stale(submission: Submission, answer: Answer, now: datetime) -> bool:
    return now - answer.created_at > (ANSWERS_KEPT if submission.is_named else REPEATED_WITHIN)


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()

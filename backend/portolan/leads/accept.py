"""Accept a form: limits, parts, checks, files, one transaction.

A reply with success means that the lead is stored. Forwarding it is the delivery service's work, which reads the outbox
after the transaction.
"""

import json
import logging
import time
import uuid
from collections.abc import Callable, Iterable
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.utils import timezone

from ..releases.connection import require_fitting_database
from ..schemas.lead import NO_CAPTCHA_TOKEN, LeadForm, LeadReceipt
from .antivirus import check_for_viruses
from .body import read_body
from .captcha.base import Verdict
from .captcha.open import current_captcha
from .check_form import Attachment, check_fields, check_files
from .durable import ABOUT_THE_ROW, AWAY, explain_failure, forget_broken_connections
from .events import LEAD_TAKEN
from .file_store import IncomingFiles
from .files_away import FilesAway
from .flags import FOREIGN_PAGE, NO_CAPTCHA, OVER_LIMIT
from .housekeeping import tidy
from .models import Lead
from .open_store import open_store
from .outbox import wake_worker
from .page_sites import site_of_page
from .plain_form import number_repeats
from .records import Intake, store_intake
from .refusals import LeadNotStored, LeadRefused
from .repeats import Overtaken, Submission, find_answer, identify
from .spam import find_signs, must_wait, score
from .spool import Spool, open_spool

_ATTEMPTS: Final = 5
_NOT_IN_FIELDS: Final = {"captcha_token", "submission_id", "begun"}
_LEFT_ALONE_S: Final = 5
"""Seconds until an unavailable database is tried again, by one request at a time, because a try takes many seconds."""
_ASKING_S: Final = 25
"""Longer than a query may take."""

_log = logging.getLogger(__name__)
_away_until = 0.0


class Post(NamedTuple):
    """A request, reduced to the data that leads need."""

    read: Callable[[int], bytes]
    """Return the next bytes of the body, up to the given number; empty at its end."""
    boundary: str | None
    """Boundary of the multipart body, or None."""
    host: str
    """The requested host."""
    name: str | None = None
    """The client's name for the submission (``Idempotency-Key``)."""
    is_over_limit: Callable[[], bool] = lambda: False
    """Counts the lead for its client. Called once per stored lead, but not for repeats and partial submissions."""
    is_plain: bool = False
    """Sent as a plain form by a browser, in which several fields may have the same name."""


class Receipt(NamedTuple):
    body: bytes
    """JSON. A repeat gets the first reply."""
    is_stored: bool = True
    """False if the lead is in the spool, because the database failed."""


def accept_lead(post: Post) -> Receipt:
    """Store the lead on disk: in the database, or in the spool if the database fails.

    Raise LeadRefused if the form is invalid, or LeadNotStored if it could not be stored; the disk is then clean.
    """
    store = open_store()
    try:
        with store.receive() as incoming:
            receipt = _accept(post, incoming)
    except OSError as error:
        _log.error("A lead could not be stored (%s). Its sender was asked to send it again.", error.strerror)
        raise LeadNotStored from None
    if receipt.is_stored:
        wake_worker()
        tidy(store)
    if LEAD_TAKEN:
        LEAD_TAKEN(str(json.loads(receipt.body).get("id", "")), "stored" if receipt.is_stored else "spooled")
    return receipt


def _accept(post: Post, incoming: IncomingFiles) -> Receipt:
    received = read_body(post.read, post.boundary, incoming)
    form = check_fields(number_repeats(received.fields) if post.is_plain else received.fields)
    attachments = check_files(received.files)
    page_site = site_of_page(form.page_url, settings.SITES_REGISTRY)
    site = (
        page_site or site_of_page(f"//{post.host}", settings.SITES_REGISTRY) or settings.SITES_REGISTRY.default_site.key
    )
    submission = identify(post.name or form.submission_id, site, form, (file.sha256 for file in attachments))
    spool = open_spool(settings.LEADS_DIR)
    # Before the database, so that a lead that is replayed in between is found there.
    promised = spool.find(submission, timezone.now())
    if promised is not None:
        return Receipt(promised.receipt, is_stored=False)
    answer = _look_up(submission)
    if answer is not None:
        return Receipt(answer)
    # Before the transaction, because a captcha provider and an antivirus may be slow. After the look-up, because a
    # repeat has a used solution.
    verdict = _verify(form.captcha_token, site)
    flags = [*_flags(post, form, page_site), *verdict.flags, *check_for_viruses(file.path for file in attachments)]
    intake = _build(submission, form, site, flags, verdict, attachments, incoming)
    for _ in range(_ATTEMPTS):
        try:
            return _store(intake, incoming, spool)
        except Overtaken:
            answer = _look_up(submission)
            if answer is not None:
                return Receipt(answer)
            intake.received_at = timezone.now()
    raise LeadNotStored


def _look_up(submission: Submission) -> bytes | None:
    if _is_away():
        return None
    try:
        require_fitting_database(settings.UPGRADE_LOCK)
        answer = find_answer(submission, timezone.now())
    except LeadRefused:
        raise
    except Exception as error:
        _note_away(error)
        return None
    _note_back()
    return bytes(answer.body) if answer else None


def _store(intake: Intake, incoming: IncomingFiles, spool: Spool) -> Receipt:
    try:
        if not _is_away():
            incoming.hand_over()
            store_intake(intake)
            incoming.commit()
            return Receipt(intake.receipt)
    except FilesAway as error:
        _log.error("%s", error)
        return _spool(intake, incoming, spool)
    except (Overtaken, LeadRefused, LeadNotStored, OSError):
        raise
    except Exception as error:
        if isinstance(error, AWAY) and not isinstance(error, ABOUT_THE_ROW):
            _note_away(error)
        else:
            _log.error("A lead could not be stored in the database: %s\nIt waits in the spool.", explain_failure(error))
        # If the connection breaks at the commit, the lead may be stored. The replay then finds it.
        return _spool(intake, incoming, spool, perhaps_stored=True)
    return _spool(intake, incoming, spool)


def _spool(intake: Intake, incoming: IncomingFiles, spool: Spool, *, perhaps_stored: bool = False) -> Receipt:
    try:
        body = spool.put(intake)
    except OSError:
        if perhaps_stored:
            incoming.leave()
        raise
    if body == intake.receipt:
        incoming.leave()
    return Receipt(body, is_stored=False)


def _is_away() -> bool:
    """Return whether to skip the database. When it may be back, the first request tries it."""
    global _away_until
    now = time.monotonic()
    if now < _away_until:
        return True
    if _away_until:
        _away_until = now + _ASKING_S
    return False


def _note_back() -> None:
    global _away_until
    _away_until = 0.0


def _note_away(error: Exception) -> None:
    global _away_until
    _away_until = time.monotonic() + _LEFT_ALONE_S
    _log.error("Leads wait in the spool: %s", explain_failure(error))
    forget_broken_connections()


def _verify(token: str, site: str) -> Verdict:
    if token == NO_CAPTCHA_TOKEN:
        flags = [] if settings.SITES_REGISTRY.captcha.provider == "none" else [NO_CAPTCHA]
        return Verdict(is_verified=False, flags=flags)
    return current_captcha().verify(token, site, timezone.now())


def _build(
    submission: Submission,
    form: LeadForm,
    site: str,
    flags: list[str],
    verdict: Verdict,
    attachments: Iterable[Attachment],
    incoming: IncomingFiles,
) -> Intake:
    id = str(uuid.uuid4())
    now = timezone.now()
    waits = must_wait(flags, settings.SITES_REGISTRY.leads.quarantine_score)
    status = Lead.CaptchaStatus.VERIFIED if verdict.is_verified else Lead.CaptchaStatus.UNVERIFIED
    lead: dict[str, Any] = {
        "id": id,
        "site": site,
        "form": form.form,
        "fields": form.model_dump(mode="json", by_alias=True, exclude=_NOT_IN_FIELDS, exclude_unset=True),
        "flags": flags,
        "captcha_token": form.captcha_token,
        "captcha_status": str(status),
        "spam_score": score(flags),
        "state": str(Lead.State.QUARANTINED if waits else Lead.State.OPEN),
        "is_begun": form.begun,
    }
    receipt = LeadReceipt(id=id, status="received").model_dump_json(by_alias=True).encode()
    return Intake(submission, receipt, now, lead, _keep_files(id, attachments, incoming, now), verdict.solution)


def _keep_files(
    lead: str, attachments: Iterable[Attachment], incoming: IncomingFiles, now: datetime
) -> list[dict[str, Any]]:
    folder = incoming.keep(lead, now.date())
    return [
        {
            "position": position,
            "name": file.name,
            "extension": file.extension,
            "size": file.size,
            "sha256": file.sha256,
            "path": f"{folder}/{file.path.name}",
        }
        for position, file in enumerate(attachments)
    ]


def _flags(post: Post, form: LeadForm, page_site: str | None) -> list[str]:
    flags = list(find_signs(form))
    if not form.begun and post.is_over_limit():  # a partial submission is not delivered
        flags.append(OVER_LIMIT)
    if page_site is None:
        flags.append(FOREIGN_PAGE)
    return flags

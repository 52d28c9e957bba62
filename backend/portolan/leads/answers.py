"""Send colleagues' answers to the people who wrote, in the background like deliveries: claim, send, record.

An answer whose result was not recorded is sent again under the same id, so that mail programs show it once.
"""

import logging
import random
from collections.abc import Callable
from datetime import datetime, timedelta
from email.message import EmailMessage
from email.utils import format_datetime
from typing import Final

from django.db.models import Min
from django.utils import timezone

from .destinations.base import Clock, Permanent, Retryable
from .destinations.email import Mailer
from .models import LeadWord
from .outbox import CLAIMED_FOR
from .schedule import next_pause_s
from .sealing import Unreadable

ANSWERS: Final = "answers of colleagues"
"""Used in place of a destination's name. No destination can have it."""
_PENDING: Final = LeadWord.State.PENDING

_log = logging.getLogger(__name__)


class AnswerWorker:
    def __init__(self, mailer: Mailer, clock: Clock = timezone.now, draw: Callable[[], float] = random.random) -> None:
        self._mailer = mailer
        self._clock = clock
        self._draw = draw

    def run_due(self, is_ended: Callable[[], bool] = lambda: False) -> int:
        """Send due answers. Return the number of attempts."""
        attempts = 0
        while not is_ended() and (word := _claim(self._clock())):
            self._send(word)
            attempts += 1
        return attempts

    def _send(self, word: LeadWord) -> None:
        try:
            message = _write(word, self._mailer.sender)
            self._mailer.send(message, [word.fields["to"]])
        except Permanent as error:
            _note(word, state=LeadWord.State.DEAD, reason=error.reason, next_at=None)
        except Retryable as error:
            pause = next_pause_s(word.attempts, error.retry_after_s, self._draw)
            if pause is None:
                _note(word, state=LeadWord.State.DEAD, reason=error.reason, next_at=None)
            else:
                _note(word, reason=error.reason, next_at=self._clock() + timedelta(seconds=pause))
        except Exception as error:
            _log.error("Answer %s to lead %s failed by %s", word.pk, word.lead_id, type(error).__name__)
            _note(word, state=LeadWord.State.DEAD, reason=f"An internal error occurred ({type(error).__name__}).")
        else:
            _note(word, state=LeadWord.State.SENT, sent_at=self._clock(), reason="", next_at=None)


def find_next_answer() -> datetime | None:
    """Return when the next answer is due, or None."""
    found: datetime | None = LeadWord.objects.filter(state=_PENDING).aggregate(at=Min("next_at"))["at"]
    return found


def _claim(now: datetime) -> LeadWord | None:
    """Return the next due answer, claimed for a minute, after which it is due again if the worker was killed."""
    for word in LeadWord.objects.filter(state=_PENDING, next_at__lte=now).order_by("next_at", "pk"):
        mine = LeadWord.objects.filter(pk=word.pk, state=_PENDING, next_at=word.next_at)
        if mine.update(next_at=now + CLAIMED_FOR, attempts=word.attempts + 1):
            word.attempts += 1
            return word
    return None


def _note(word: LeadWord, **changes: object) -> None:
    """Change the answer, unless it was erased meanwhile."""
    LeadWord.objects.filter(pk=word.pk, attempts=word.attempts).update(**changes)


def _write(word: LeadWord, sender: str) -> EmailMessage:
    if isinstance(word.fields, Unreadable):
        raise Retryable("The lead is encrypted, and its key is missing in PORTOLAN_LEADS_KEY.")
    if not sender:
        raise Retryable("The site configuration has no sender: set leads.sender.")
    message = EmailMessage()
    message["Subject"] = word.fields["subject"]
    message["From"] = sender
    message["To"] = word.fields["to"]
    if word.fields.get("reply_to"):
        message["Reply-To"] = word.fields["reply_to"]
    message["Date"] = format_datetime(word.at)
    message["Message-ID"] = f"<answer-{word.pk}.{word.lead_id}@{sender.partition('@')[2]}>"
    message.set_content(word.fields["text"])
    return message

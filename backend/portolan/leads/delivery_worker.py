"""Deliver the leads of one destination, one after the other: claim, send, record. It may be killed at any time.

A lead whose reply was not recorded is sent again after a minute under the same id. Receivers get it at least once.
"""

import logging
import random
import time
from collections.abc import Callable
from datetime import timedelta
from pathlib import Path
from typing import Final

from django.db import transaction
from django.utils import timezone

from .alarm import Alarm
from .destinations.base import Clock, Closed, Destination, Payload, PayloadFile, Permanent, Retryable
from .events import DELIVERY_TRIED
from .files_away import FilesAway
from .models import Delivery, DeliveryAttempt
from .outbox import claim, close, flush, is_closed
from .schedule import next_pause_s
from .sealing import Unreadable
from .shared_files import SharedFile

PER_SECOND: Final = 10
"""Most leads per second, so that a receiver is not overloaded after an outage."""

_log = logging.getLogger(__name__)


class DeliveryWorker:
    def __init__(
        self,
        destination: Destination,
        files: Callable[[str], Path | SharedFile],
        alarm: Alarm,
        clock: Clock = timezone.now,
        sleep: Callable[[float], None] = time.sleep,
        draw: Callable[[], float] = random.random,
    ) -> None:
        """``files``: returns a file by its path in the store. The last three arguments are for tests."""
        self.destination = destination
        self._files = files
        self._alarm = alarm
        self._clock = clock
        self._sleep = sleep
        self._draw = draw
        self._unrecorded: dict[int, str] = {}
        """Replies to deliveries whose success could not be stored. They are not sent again."""

    def run_due(self, is_ended: Callable[[], bool] = lambda: False) -> int:
        """Deliver due leads. Return the number of attempts."""
        attempts = 0
        while not is_ended():
            started = self._clock()
            delivery = claim(self.destination.name, started)
            if delivery is None:
                break
            self._attempt(delivery)
            attempts += 1
            spare = 1 / PER_SECOND - (self._clock() - started).total_seconds()
            if spare > 0:
                self._sleep(spare)
        return attempts

    def _attempt(self, delivery: Delivery) -> None:
        try:
            if is_closed(self.destination.name):
                raise Permanent("The destination is closed. To send leads to it again, run `portolan leads reopen`.")
            said = self._unrecorded.get(delivery.pk) or self.destination.send(self._pack(delivery), self._clock())
        except Closed as error:
            close(self.destination.name, self._clock())
            self._give_up(delivery, error.reason)
        except Permanent as error:
            self._give_up(delivery, error.reason)
        except Retryable as error:
            self._put_off(delivery, error.reason, error.retry_after_s)
        except FilesAway as error:
            _log.error("%s", error)
            self._put_off(delivery, "The storage of leads' files does not respond.", None)
        except Exception as error:
            # Our errors must not stop other deliveries. The message may quote the lead, so only the type is logged.
            _log.error("Lead %s for %s failed by %s", delivery.lead_id, delivery.destination, _place(error))
            self._put_off(delivery, f"An internal error occurred ({type(error).__name__}).", None)
        else:
            self._unrecorded[delivery.pk] = said
            self._note_success(delivery, said)
            del self._unrecorded[delivery.pk]

    def _pack(self, delivery: Delivery) -> Payload:
        lead = delivery.lead
        if lead.erased_at is not None:
            raise Permanent("Its personal data was erased.")
        if isinstance(lead.fields, Unreadable):
            raise Retryable("The lead is encrypted, and its key is missing in PORTOLAN_LEADS_KEY.")
        files = [PayloadFile(f.pk, f.name, f.size, f.sha256, self._files(f.path)) for f in lead.files.all()]
        return Payload(
            str(lead.pk),
            lead.site,
            lead.form,
            lead.created_at,
            lead.fields,
            lead.flags,
            lead.spam_score,
            lead.captcha_status,
            files,
        )

    def _note_success(self, delivery: Delivery, said: str) -> None:
        now = self._clock()
        with transaction.atomic():
            # Even if the row has changed meanwhile, the receiver has the lead.
            Delivery.objects.filter(pk=delivery.pk).update(
                state=Delivery.State.DELIVERED, delivered_at=now, claimed_until=None, reason=""
            )
            DeliveryAttempt.objects.create(delivery=delivery, at=now, succeeded=True, detail=said)
            flushed = flush(self.destination.name, now)
        DELIVERY_TRIED(str(delivery.lead_id), self.destination.name, "delivered")
        if flushed:
            _log.info("%s responds again: %s waiting leads are sent now", self.destination.name, flushed)

    def _put_off(self, delivery: Delivery, reason: str, retry_after_s: float | None) -> None:
        pause = next_pause_s(delivery.attempts, retry_after_s, self._draw)
        if pause is None:
            self._give_up(delivery, reason)
            return
        now = self._clock()
        self._note_failure(delivery, reason, next_at=now + timedelta(seconds=pause))
        DELIVERY_TRIED(str(delivery.lead_id), self.destination.name, "put-off")

    def _give_up(self, delivery: Delivery, reason: str) -> None:
        if self._note_failure(delivery, reason, state=Delivery.State.DEAD):
            delivery.reason = reason
            DELIVERY_TRIED(str(delivery.lead_id), self.destination.name, "given-up")
            self._alarm(delivery)

    def _note_failure(self, delivery: Delivery, reason: str, **changes: object) -> bool:
        """Return False if the row has changed: the lead was put on hold or erased, or another worker has it."""
        now = self._clock()
        with transaction.atomic():
            DeliveryAttempt.objects.create(delivery=delivery, at=now, succeeded=False, detail=reason)
            mine = Delivery.objects.filter(pk=delivery.pk, state=Delivery.State.PENDING, attempts=delivery.attempts)
            return mine.update(claimed_until=None, reason=reason, **changes) > 0


def _place(error: Exception) -> str:
    """Return the type and line of an error, without its message."""
    trace = error.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    where = f"{Path(trace.tb_frame.f_code.co_filename).name}:{trace.tb_lineno}" if trace else "?"
    return f"{type(error).__name__} at {where}"

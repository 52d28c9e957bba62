"""End sessions, and remove old sessions, links and sign-ins."""

import logging
import time
from datetime import datetime, timedelta
from typing import Any, Final

from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db import Error
from django.db.models.signals import post_save
from django.utils import timezone

from ..retention.guard import Rule, remove_overdue
from .models import NewAddress, ProviderInvitation, RecoveryCode, SecondFactor, SignIn, StudioSession

MOST_FAILURES: Final = 100_000
"""Failed attempts to keep, newest first. This limits the log during an attack from many addresses."""

_EVERY_S: Final = 3600
_log = logging.getLogger(__name__)
_next_at = 0.0


def connect() -> None:
    post_save.connect(_end_if_disabled, sender=get_user_model(), dispatch_uid="accounts.endings")


def sign_out(user: User, apart_from: str | None = None) -> int:
    """End all sessions of a person except the key ``apart_from``, and return their number.

    An unconfirmed e-mail address may have been requested in one of them, so it is deleted. A new password ends sessions
    too, by Django's hash in each session.
    """
    NewAddress.objects.filter(user=user).delete()
    return StudioSession.objects.filter(user=user).exclude(session_key=apart_from or "").delete()[0]


def reset_second_factor(user: User) -> int:
    """Remove all second factors and recovery codes, end the sessions, and return the number of factors."""
    RecoveryCode.objects.filter(user=user).delete()
    count = SecondFactor.objects.filter(user=user).delete()[0]
    sign_out(user)
    return count


def tidy() -> None:
    """Prune at most once an hour. Errors are only logged, so that a sign-in or a lead never fails because of them."""
    global _next_at
    if time.monotonic() < _next_at:
        return
    _next_at = time.monotonic() + _EVERY_S
    try:
        prune()
    except Error as error:
        _log.error("Expired sessions and old sign-ins could not be removed: %s. The next attempt is in an hour.", error)


def prune() -> None:
    """Remove expired sessions, links and invitations, and sign-ins past their retention period."""
    now = timezone.now()
    NewAddress.objects.filter(until__lt=now).delete()
    ProviderInvitation.objects.filter(until__lt=now).delete()
    StudioSession.objects.filter(expire_date__lt=now).delete()
    remove_overdue(old_sign_ins(now), now)
    failures = SignIn.objects.exclude(result=SignIn.Result.DONE).order_by("-at").values_list("at", flat=True)
    oldest = failures[MOST_FAILURES : MOST_FAILURES + 1]
    for at in oldest:
        SignIn.objects.exclude(result=SignIn.Result.DONE).filter(at__lte=at).delete()


def old_sign_ins(now: datetime) -> Rule:
    old = SignIn.objects.filter(at__lt=now - timedelta(days=settings.SIGN_INS_KEPT_DAYS))
    return Rule("sign-ins", old.count, SignIn.objects.count, lambda: old.delete()[0])


def _end_if_disabled(sender: Any, instance: User, created: bool, **_: Any) -> None:
    if not created and not instance.is_active:
        sign_out(instance)

"""Limit how often passwords and codes can be guessed.

Attempts are counted in the database, so all processes count together. Each attempt is counted before its password is
checked, so parallel attempts count too.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.contrib.auth.models import User
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils import timezone

from ..domain.sign_in_limits import CODE_LIMIT, PASSWORD_LIMITS, SignInLimit, Whose, name_account, wait_s
from .clients import key_of_client, network_of
from .models import SignIn

Result = SignIn.Result

_GUESSES: Final = (Result.TRYING, Result.WRONG_PASSWORD, Result.WRONG_FACTOR)


class TooManyTries(Exception):
    """``wait_s``: seconds until the next attempt.

    ``from_anywhere``: attempts for this name came from many clients. The owner can still sign in from clients used before.
    """

    def __init__(self, wait_s: int, from_anywhere: bool = False) -> None:
        super().__init__(f"too many attempts to sign in; wait {wait_s} s")
        self.wait_s = wait_s
        self.from_anywhere = from_anywhere


def begin(request: HttpRequest, typed_name: str) -> SignIn:
    """Count an attempt, before the password is checked, and return its row. Raise TooManyTries.

    The row counts as a failure until its result is set.
    """
    name, client = name_account(typed_name), key_of_client(request)
    refusal = _refusal(name, client)
    if refusal is None:
        tried = SignIn.objects.create(name=name, client=client, network=network_of(request))
        refusal = _refusal(name, client, apart_from=tried)  # includes attempts that started at the same time
        if refusal is None:
            return tried
        tried.delete()
    _note_refusal(name, client, request)
    raise refusal


def begin_code(request: HttpRequest, user: User) -> SignIn:
    """Count an attempt, before the second factor is checked. Raise TooManyTries."""
    name = name_account(user.get_username())
    wrong = SignIn.objects.filter(name=name, result=Result.WRONG_FACTOR)
    if wait := _wait_by(CODE_LIMIT, wrong):
        raise TooManyTries(wait)
    tried = SignIn.objects.create(
        name=name, user=user, client=key_of_client(request), network=network_of(request), result=Result.WRONG_FACTOR
    )
    if wait := _wait_by(CODE_LIMIT, wrong.exclude(pk=tried.pk)):
        tried.delete()
        raise TooManyTries(wait)
    return tried


def unlock(name: str) -> int:
    """Delete the recent failed attempts of an account and return their number."""
    failed = SignIn.objects.filter(name=name_account(name), result__in=(*_GUESSES, Result.REFUSED), at__gte=_since())
    return failed.delete()[0]


def is_locked(name: str) -> bool:
    """Return True if this name is locked for clients that it has not signed in from."""
    name = name_account(name)
    of_name = SignIn.objects.filter(name=name)
    by_password = of_name.filter(result__in=_GUESSES)
    by_code = of_name.filter(result=Result.WRONG_FACTOR)
    clients = by_password.filter(at__gte=_since()).values_list("client", flat=True).distinct()[:100]
    everywhere = next(limit for limit in PASSWORD_LIMITS if limit.whose is Whose.NAME)
    return bool(
        _wait_by(everywhere, by_password)
        or _wait_by(CODE_LIMIT, by_code)
        or any(_refusal(name, each) for each in clients)
    )


def _refusal(name: str, client: str, apart_from: SignIn | None = None) -> TooManyTries | None:
    guesses = SignIn.objects.filter(result__in=_GUESSES)
    if apart_from:
        guesses = guesses.exclude(pk=apart_from.pk)
    waits = {limit.whose: _wait_by(limit, _counted(limit, guesses, name, client)) for limit in PASSWORD_LIMITS}
    whose = max(waits, key=lambda each: waits[each])
    return TooManyTries(waits[whose], whose is Whose.NAME) if waits[whose] else None


def _counted(limit: SignInLimit, guesses: QuerySet[SignIn], name: str, client: str) -> QuerySet[SignIn]:
    successes = SignIn.objects.filter(name=name, client=client, result=Result.DONE)
    match limit.whose:
        case Whose.CLIENT:
            return guesses.filter(client=client)
        case Whose.NAME_FROM_CLIENT:
            last = successes.order_by("-at").values_list("at", flat=True).first()
            mine = guesses.filter(name=name, client=client)
            return mine.filter(at__gt=last) if last else mine
        case Whose.NAME:
            return guesses.none() if successes.exists() else guesses.filter(name=name)


def _wait_by(limit: SignInLimit, guesses: QuerySet[SignIn]) -> int:
    now = timezone.now()
    recent = guesses.filter(at__gte=now - timedelta(seconds=limit.within_s)).order_by("-at")
    times: Iterable[float] = (at.timestamp() for at in recent.values_list("at", flat=True)[: limit.failures])
    return wait_s(limit, list(times), now.timestamp())


def _note_refusal(name: str, client: str, request: HttpRequest) -> None:
    """Log the refusal once for each client and window, so that an attack does not fill the log."""
    refused = SignIn.objects.filter(client=client, result=Result.REFUSED, at__gte=_since())
    if not refused.exists():
        SignIn.objects.create(name=name, client=client, network=network_of(request), result=Result.REFUSED)


def _since() -> datetime:
    return timezone.now() - timedelta(seconds=max(limit.within_s for limit in PASSWORD_LIMITS))

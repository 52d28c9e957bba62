"""Signing in takes one step or two. Between them the session holds who has given the right password, and is nobody's yet."""

from typing import Any, Final, NamedTuple

from django.contrib.auth import get_user_model, login
from django.contrib.auth.models import User
from django.http import HttpRequest
from django.utils import timezone
from django.utils.crypto import constant_time_compare

from ...accounts.endings import tidy
from ...accounts.models import SignIn

FIRST_STEP_LASTS_S: Final = 10 * 60
MOST_WRONG: Final = 5
"""Wrong codes, then the password is asked for again."""
FRESH_FOR_S: Final = 15 * 60
"""For so long after giving it, the password is not asked for before something changes about signing in."""

_FIRST_STEP: Final = "first_step"
_CONFIRMED_AT: Final = "confirmed_at"
_BACKEND: Final = "django.contrib.auth.backends.ModelBackend"


class FirstStep(NamedTuple):
    user: User
    tried: int
    """The try's row in the log."""
    goes_on: str
    """The address to go on to."""


def may_use_studio(user: User) -> bool:
    return user.is_active and user.has_perm("wagtailadmin.access_admin")


def keep_first_step(request: HttpRequest, user: User, tried: SignIn, goes_on: str) -> None:
    request.session.cycle_key()
    request.session[_FIRST_STEP] = {
        "user": user.pk,
        "password": user.get_session_auth_hash(),
        "tried": tried.pk,
        "goes_on": goes_on,
        "at": timezone.now().timestamp(),
        "wrong": 0,
    }


def first_step(request: HttpRequest) -> FirstStep | None:
    """None where there was none, or it is too long ago, or the password has changed since."""
    kept: dict[str, Any] | None = request.session.get(_FIRST_STEP)
    if not kept or timezone.now().timestamp() - kept["at"] > FIRST_STEP_LASTS_S:
        return None
    user = get_user_model().objects.filter(pk=kept["user"], is_active=True).first()
    if user is None or not constant_time_compare(user.get_session_auth_hash(), kept["password"]):
        return None
    return FirstStep(user, kept["tried"], kept["goes_on"])


def count_wrong(request: HttpRequest) -> bool:
    """Whether the password has to be given again now."""
    kept = request.session[_FIRST_STEP]
    kept["wrong"] += 1
    request.session.modified = True
    if kept["wrong"] < MOST_WRONG:
        return False
    request.session.flush()
    return True


def sign_in(request: HttpRequest, user: User, tried: SignIn, factor: str) -> None:
    """The session is this person's from here on, under a new key."""
    request.session.pop(_FIRST_STEP, None)
    login(request, user, _BACKEND)
    confirm(request)
    tried.user, tried.factor, tried.result = user, factor, SignIn.Result.DONE
    tried.save()
    tidy()


def confirm(request: HttpRequest) -> None:
    request.session[_CONFIRMED_AT] = timezone.now().timestamp()


def is_fresh(request: HttpRequest) -> bool:
    at: float = request.session.get(_CONFIRMED_AT, 0.0)
    return timezone.now().timestamp() - at < FRESH_FOR_S

"""Sign in, in one step or two. Between them the session stores the user, who is not signed in yet."""

from typing import Any, Final, NamedTuple

from django.contrib.auth import get_user_model, login
from django.contrib.auth.models import User
from django.http import HttpRequest, HttpResponseRedirect
from django.urls import reverse
from django.utils import timezone
from django.utils.crypto import constant_time_compare
from django.utils.http import url_has_allowed_host_and_scheme, urlencode

from ...accounts.endings import tidy
from ...accounts.models import SignIn

FIRST_STEP_LASTS_S: Final = 10 * 60
MOST_WRONG: Final = 5
"""After this many wrong codes, the password is required again."""
FRESH_FOR_S: Final = 15 * 60
"""Seconds after a proof of identity during which changes to signing in need no new proof."""

_FIRST_STEP: Final = "first_step"
_CONFIRMED_AT: Final = "confirmed_at"
_BACKEND: Final = "django.contrib.auth.backends.ModelBackend"


class FirstStep(NamedTuple):
    user: User
    tried: int
    """Id of the attempt's row in the log."""
    goes_on: str
    """The URL to open afterwards."""


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
    """Return the first step if it is recent and the password has not changed since."""
    kept: dict[str, Any] | None = request.session.get(_FIRST_STEP)
    if not kept or timezone.now().timestamp() - kept["at"] > FIRST_STEP_LASTS_S:
        return None
    user = get_user_model().objects.filter(pk=kept["user"], is_active=True).first()
    if user is None or not constant_time_compare(user.get_session_auth_hash(), kept["password"]):
        return None
    return FirstStep(user, kept["tried"], kept["goes_on"])


def count_wrong(request: HttpRequest) -> bool:
    """Count a wrong code and return True if the password is required again."""
    kept = request.session[_FIRST_STEP]
    kept["wrong"] += 1
    request.session.modified = True
    if kept["wrong"] < MOST_WRONG:
        return False
    request.session.flush()
    return True


def sign_in(request: HttpRequest, user: User, tried: SignIn, factor: str, confirmed_at: float | None = None) -> None:
    """Sign the user in and rotate the session's key. ``confirmed_at``: time of the proof of identity; None: now."""
    request.session.pop(_FIRST_STEP, None)
    login(request, user, _BACKEND)
    confirm(request, confirmed_at)
    tried.user, tried.factor, tried.result = user, factor, SignIn.Result.DONE
    tried.save()
    tidy()


def confirm(request: HttpRequest, at: float | None = None) -> None:
    request.session[_CONFIRMED_AT] = timezone.now().timestamp() if at is None else at


def is_fresh(request: HttpRequest) -> bool:
    at: float = request.session.get(_CONFIRMED_AT, 0.0)
    return timezone.now().timestamp() - at < FRESH_FOR_S


def confirm_first(then: str) -> HttpResponseRedirect:
    """Redirect to the page that confirms the identity, and from there to the path ``then``."""
    return HttpResponseRedirect(f"{reverse('studio_confirm')}?{urlencode({'next': then})}")


def own_path(request: HttpRequest, wanted: str, usual: str) -> str:
    """Return ``wanted`` if it is a path in this studio, else ``usual``."""
    is_ours = url_has_allowed_host_and_scheme(wanted, {request.get_host()}, require_https=request.is_secure())
    return wanted if is_ours else usual

"""Codes of authenticator apps, and recovery codes."""

import re
import secrets
from typing import Final
from urllib.parse import urlsplit

import pyotp
from django.conf import settings
from django.contrib.auth.models import User
from django.db import transaction
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from .models import RecoveryCode, SecondFactor, SignIn

CODES: Final = 10
_LETTERS: Final = "ABCDEFGHJKLMNPQRSTUVWXYZ23456789"
"""Without letters and digits that look alike."""
_GROUPS, _GROUP = 4, 4
_STEP_S: Final = 30
_SALT: Final = "portolan.accounts.recovery"


def is_asked(user: User) -> bool:
    """Return True if the user needs a second factor to sign in."""
    return settings.SECOND_FACTOR != "off" and SecondFactor.objects.filter(user=user).exists()


def is_missing(user: User) -> bool:
    """Return True if the user must set up a second factor first."""
    return settings.SECOND_FACTOR == "required" and not SecondFactor.objects.filter(user=user).exists()


def new_secret() -> str:
    return pyotp.random_base32()


def app_address(user: User, secret: str) -> str:
    """Return the URL in the QR code for authenticator apps."""
    host = urlsplit(settings.WAGTAILADMIN_BASE_URL).hostname or ""
    return pyotp.TOTP(secret).provisioning_uri(
        name=user.get_username(), issuer_name=f"{settings.WAGTAIL_SITE_NAME} ({host})"
    )


def draw_qr_code(address: str) -> str:
    """Return the QR code as SVG. Always dark on light, because cameras need it."""
    import segno

    drawing: str = segno.make(address, error="m").svg_inline(
        scale=5, border=3, light="#fff", dark="#000", omitsize=True
    )
    return drawing


def add_app(user: User, secret: str, code: str, name: str) -> bool:
    """Store a new app. Return False if the code is wrong."""
    step = _step_of(secret, code)
    if step is None:
        return False
    SecondFactor.objects.create(user=user, kind=SecondFactor.Kind.APP, name=name, secret=secret, counter=step)
    return True


def take_code(user: User, typed: str) -> SignIn.Factor | None:
    """Use a code and return its kind; None if it is wrong or was used before."""
    code = re.sub(r"[\s-]", "", typed).upper()
    if code.isascii() and code.isdigit() and len(code) == 6:
        return SignIn.Factor.CODE if any(_take(app, code) for app in _apps(user)) else None
    used = RecoveryCode.objects.filter(user=user, digest=_digest(user, code)).delete()[0]
    return SignIn.Factor.RECOVERY if used else None


def make_recovery_codes(user: User) -> list[str]:
    """Replace the user's recovery codes and return the new ones. Only their digests are stored."""
    codes = ["".join(secrets.choice(_LETTERS) for _ in range(_GROUPS * _GROUP)) for _ in range(CODES)]
    with transaction.atomic():
        RecoveryCode.objects.filter(user=user).delete()
        RecoveryCode.objects.bulk_create(RecoveryCode(user=user, digest=_digest(user, code)) for code in codes)
    return ["-".join(code[at : at + _GROUP] for at in range(0, len(code), _GROUP)) for code in codes]


def _apps(user: User) -> list[SecondFactor]:
    return list(SecondFactor.objects.filter(user=user, kind=SecondFactor.Kind.APP))


def _take(app: SecondFactor, code: str) -> bool:
    """Use a code once. One statement stores the time step only if it is newer."""
    step = _step_of(app.secret, code)
    if step is None:
        return False
    newer = SecondFactor.objects.filter(pk=app.pk, counter__lt=step)
    return newer.update(counter=step, used_at=timezone.now()) == 1


def _step_of(secret: str, code: str) -> int | None:
    """Return the time step of the code: the current one or a neighbour, because phone clocks differ. None: wrong code."""
    now = int(timezone.now().timestamp()) // _STEP_S
    right = pyotp.TOTP(secret)
    found = [step for step in (now - 1, now, now + 1) if constant_time_compare(right.generate_otp(step), code)]
    return found[-1] if found else None


def _digest(user: User, code: str) -> str:
    return salted_hmac(_SALT, f"{user.pk}:{code}", algorithm="sha256").hexdigest()

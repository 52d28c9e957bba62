"""Passkeys (WebAuthn) with Yubico's library. The studio's origin is the relying party.

The authenticator must verify the user (finger, face, PIN), so a passkey counts as two factors.
"""

import hashlib
import struct
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any, Final, NamedTuple
from urllib.parse import urlsplit

from django.conf import settings
from django.contrib.auth.models import User
from django.db.models import Q
from django.utils import timezone
from fido2.server import Fido2Server
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialUserEntity,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from .models import SecondFactor

_VERIFIED: Final = UserVerificationRequirement.REQUIRED
_ASKED_AT: Final = "asked_at"
_NO_BROWSER: Final = (KeyError, TypeError, AttributeError, IndexError, OverflowError, RecursionError, struct.error)
"""Errors, next to ValueError, that a forged reply can cause."""


class Begun(NamedTuple):
    options: dict[str, Any]
    """For the browser."""
    state: dict[str, Any]
    """State to keep until the browser replies."""


def begin_adding(user: User) -> Begun:
    person = PublicKeyCredentialUserEntity(
        id=_handle(user), name=user.get_username(), display_name=user.get_full_name() or user.get_username()
    )
    options, state = _server().register_begin(
        person,
        _credentials(user),
        resident_key_requirement=ResidentKeyRequirement.REQUIRED,
        user_verification=_VERIFIED,
    )
    return Begun(dict(options.public_key), dict(state))


def add(user: User, state: Mapping[str, Any], answer: Mapping[str, Any], name: str) -> SecondFactor:
    """Store a new passkey. Raise ValueError if ``answer`` does not match ``state``."""
    data = _answered(lambda: _server().register_complete(state, answer))
    if data.credential_data is None:
        raise ValueError("no credential")
    return SecondFactor.objects.create(
        user=user,
        kind=SecondFactor.Kind.PASSKEY,
        name=name,
        secret=bytes(data.credential_data).hex(),
        credential=_digest(data.credential_data.credential_id),
        counter=data.counter,
    )


def begin_asking(user: User | None) -> Begun:
    """Return a challenge for the passkeys of ``user``; None: for any passkey of the studio."""
    options, state = _server().authenticate_begin(_credentials(user) if user else None, user_verification=_VERIFIED)
    return Begun(dict(options.public_key), {**state, _ASKED_AT: timezone.now().timestamp()})


def take(state: Mapping[str, Any], answer: Mapping[str, Any], user: User | None) -> User | None:
    """Return the owner of the passkey if the answer is valid. With ``user``, accept only that person's passkeys.

    The browser keeps ``state``. A state from before the passkey's last use is rejected, so no answer is accepted twice.
    """
    try:
        asked_at = datetime.fromtimestamp(state[_ASKED_AT], UTC)
        shown = AuthenticationResponse.from_dict(answer)
        factor = SecondFactor.objects.select_related("user").get(credential=_digest(shown.raw_id))
        known = AttestedCredentialData(bytes.fromhex(factor.secret))
        _answered(lambda: _server().authenticate_complete(state, [known], answer))
    except (ValueError, SecondFactor.DoesNotExist):
        return None
    except _NO_BROWSER:
        return None
    if (user is not None and factor.user_id != user.pk) or not factor.user.is_active:
        return None
    counted = shown.response.authenticator_data.counter
    same = SecondFactor.objects.filter(pk=factor.pk)
    newer = same.filter(counter__lt=counted) if counted else same.filter(counter=0)  # most passkeys do not count
    newer = newer.filter(Q(used_at=None) | Q(used_at__lte=asked_at))
    return factor.user if newer.update(counter=counted, used_at=timezone.now()) else None


def _answered(check: Any) -> Any:
    try:
        return check()
    except _NO_BROWSER as error:
        raise ValueError(f"not a browser's answer: {type(error).__name__}") from error


def _server() -> Fido2Server:
    origin = settings.WAGTAILADMIN_BASE_URL
    party = PublicKeyCredentialRpEntity(id=urlsplit(origin).hostname or "", name=settings.WAGTAIL_SITE_NAME)
    return Fido2Server(party, verify_origin=lambda given: given == origin)


def _credentials(user: User) -> list[AttestedCredentialData]:
    keys = SecondFactor.objects.filter(user=user, kind=SecondFactor.Kind.PASSKEY)
    return [AttestedCredentialData(bytes.fromhex(key.secret)) for key in keys]


def _handle(user: User) -> bytes:
    return f"portolan-{user.pk}".encode()


def _digest(credential: bytes) -> str:
    return hashlib.sha256(credential).hexdigest()

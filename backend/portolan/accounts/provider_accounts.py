"""Connect accounts of the studio with accounts at the single sign-on provider.

Two accounts are connected once, by a step that proves both: an administrator invites the address, or the owner is
signed in and has just entered the password. From then on issuer and subject decide, even if the address changes.
"""

import logging
from datetime import timedelta
from typing import Final

from django.conf import settings
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models import QuerySet
from django.utils import timezone

from ..domain.email_addresses import compare_address
from ..domain.single_sign_on import Identity
from .endings import sign_out
from .models import ProviderAccount, ProviderInvitation, SecondFactor

INVITED_FOR: Final = timedelta(days=7)
_log = logging.getLogger(__name__)


class AlreadyConnected(Exception):
    """One of the two accounts is connected to a different account."""


def find_user(issuer: str, subject: str) -> User | None:
    known = ProviderAccount.objects.select_related("user").filter(issuer=issuer, subject=subject).first()
    return known.user if known else None


def connect(user: User, issuer: str, subject: str) -> None:
    """Connect the two accounts. Raise AlreadyConnected.

    Call this only after the person has proved to be this user.
    """
    try:
        with transaction.atomic():
            ProviderAccount.objects.create(user=user, issuer=issuer, subject=subject)
            ProviderInvitation.objects.filter(user=user).delete()
    except IntegrityError:
        raise AlreadyConnected from None
    _log.info("Account %s is connected to an account at %s", user.pk, issuer)


def disconnect(user: User) -> int:
    return ProviderAccount.objects.filter(user=user).delete()[0]


def may_be_invited(user: User) -> bool:
    """Return True while the user has no other way to sign in.

    An existing password or passkey may belong to a different person than the one the provider sends.
    """
    return bool(
        user.is_active
        and user.email
        and not user.has_usable_password()
        and not _passkeys(user).exists()
        and not ProviderAccount.objects.filter(user=user).exists()
    )


def count_locked_out() -> int:
    """Return how many accounts can be opened only by an invitation and have none."""
    invited = ProviderInvitation.objects.filter(until__gt=timezone.now()).values("user")
    return sum(may_be_invited(user) for user in User.objects.filter(is_active=True).exclude(pk__in=invited))


def invite(user: User) -> bool:
    """Invite the first person with the account's verified address at the provider. Return False if not allowed."""
    if not may_be_invited(user):
        return False
    try:
        email = compare_address(user.email)
    except ValueError:
        return False
    until = timezone.now() + INVITED_FOR
    ProviderInvitation.objects.update_or_create(user=user, defaults={"email": email, "until": until})
    return True


def accept_invitation(issuer: str, identity: Identity) -> User | None:
    """Connect the account invited for this address, end its open sessions and return it, if there is one."""
    try:
        email = compare_address(identity.email)
    except ValueError:
        return None
    open_now = ProviderInvitation.objects.filter(email=email, until__gt=timezone.now())
    found = list(open_now.select_related("user")[:2])
    if len(found) != 1:
        return None
    user = found[0].user
    if not may_be_invited(user) or user.email.lower() != email:
        return None
    try:
        connect(user, issuer, identity.subject)
    except AlreadyConnected:
        return None
    sign_out(user)
    return user


def count_ways_in(user: User) -> int:
    """Return in how many ways the person could sign in now: password, each passkey, account at the provider."""
    passkeys = _passkeys(user).count() if settings.SECOND_FACTOR != "off" else 0
    return user.has_usable_password() + passkeys + is_connected(user)


def is_connected(user: User) -> bool:
    provider = settings.SINGLE_SIGN_ON
    return provider is not None and ProviderAccount.objects.filter(user=user, issuer=provider.issuer).exists()


def _passkeys(user: User) -> QuerySet[SecondFactor]:
    return SecondFactor.objects.filter(user=user, kind=SecondFactor.Kind.PASSKEY)

"""Store the e-mail addresses of accounts: one account for each address, enforced by the database (migration 0004).

A new address becomes valid when its owner opens the link sent to it.
"""

from contextlib import suppress
from datetime import timedelta
from typing import Any, Final

from django.contrib.auth import get_user_model
from django.contrib.auth.models import User
from django.db import IntegrityError, transaction
from django.db.models.signals import pre_save
from django.utils import timezone
from django.utils.crypto import constant_time_compare, get_random_string, salted_hmac

from ..domain.email_addresses import compare_address, store_address
from .models import NewAddress, ProviderInvitation

LASTS: Final = timedelta(days=1)
_SALT: Final = "portolan.accounts.new-address"


class Taken(Exception):
    """Another account has the address."""


def connect() -> None:
    pre_save.connect(_store, sender=get_user_model(), dispatch_uid="accounts.addresses")


def is_taken(email: str, apart_from: User | None = None) -> bool:
    """Return True if another account has the address. Raise ValueError if `email` is not an address."""
    found = get_user_model().objects.filter(email__iexact=compare_address(email)).first()
    return found is not None and found != apart_from


def ask_for(user: User, email: str) -> str:
    """Store the new address until it is confirmed and return the secret for the link.

    It replaces an address that the user requested before.
    """
    secret = get_random_string(40)
    wanted = {"email": store_address(email), "digest": _digest(user, secret), "until": timezone.now() + LASTS}
    NewAddress.objects.update_or_create(user=user, defaults=wanted)
    return secret


def find_new(user_id: int, secret: str) -> NewAddress | None:
    """Return the requested address that belongs to the link.

    None if there is a newer link, the link is a day old, or the password has changed since.
    """
    wanted = NewAddress.objects.select_related("user").filter(user_id=user_id, until__gt=timezone.now()).first()
    if wanted is None or not wanted.user.is_active:
        return None
    return wanted if constant_time_compare(wanted.digest, _digest(wanted.user, secret)) else None


def confirm(wanted: NewAddress) -> str:
    """Make it the address of the account and return the old one. Raise Taken."""
    user = wanted.user
    old, user.email = user.email, wanted.email
    try:
        with transaction.atomic():
            user.save(update_fields=["email"])
            forget_pending(user)
    except IntegrityError:
        raise Taken from None
    return old


def forget_pending(user: User) -> None:
    """Delete the requested address and the invitation of the account.

    They were based on the old address, or were made in a session that has ended.
    """
    NewAddress.objects.filter(user=user).delete()
    ProviderInvitation.objects.filter(user=user).delete()


def _store(sender: Any, instance: User, **_: Any) -> None:
    """Normalise the address whenever an account is saved. Forms reject text that is not an address."""
    with suppress(ValueError):
        instance.email = store_address(instance.email)


def _digest(user: User, secret: str) -> str:
    return salted_hmac(_SALT, f"{user.pk}:{user.password}:{secret}", algorithm="sha256").hexdigest()

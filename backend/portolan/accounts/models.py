"""Models for sign-ins, sessions, second factors and single sign-on."""

from datetime import datetime
from typing import ClassVar

from django.conf import settings
from django.contrib.sessions.base_session import AbstractBaseSession
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


def this_moment() -> datetime:
    """Return the current time. Looked up at each call, so that tests can set the clock."""
    return timezone.now()


class SignIn(models.Model):
    """One attempt to sign in. The rate limits count these rows."""

    class Result(models.TextChoices):
        TRYING = "trying", _("Not finished")
        """Counts as a failure until the result is known."""
        AWAITS_FACTOR = "awaits", _("Password right, second step not done")
        DONE = "done", _("Signed in")
        WRONG_PASSWORD = "password", _("Wrong name or password")
        WRONG_FACTOR = "factor", _("Wrong second factor")
        REFUSED = "refused", _("Refused: too many tries")
        """Stored once for each client and time window."""

    class Factor(models.TextChoices):
        PASSWORD = "password", _("Password")
        CODE = "code", _("Password and code")
        RECOVERY = "recovery", _("Password and recovery code")
        KEY = "key", _("Password and passkey")
        PASSKEY = "passkey", _("Passkey")
        ELSEWHERE = "elsewhere", _("Account elsewhere")

    at = models.DateTimeField(_("time"), default=this_moment, db_index=True)
    name = models.CharField(max_length=150)
    """The entered name, normalised by ``domain.sign_in_limits.name_account``."""
    user = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    client = models.CharField(max_length=32)
    """Keyed hash of the client's address: tells clients apart without revealing the address."""
    network = models.CharField(max_length=50, blank=True)
    factor = models.CharField(_("with"), max_length=10, choices=Factor.choices, default=Factor.PASSWORD)
    result = models.CharField(max_length=10, choices=Result.choices, default=Result.TRYING)

    class Meta:
        verbose_name = _("sign-in")
        ordering = ("-at", "-pk")
        default_permissions = ("view",)
        indexes: ClassVar[list[models.Index]] = [
            models.Index(fields=("name", "client", "at"), name="sign_in_name_client"),
            models.Index(fields=("client", "at"), name="sign_in_client"),
        ]

    def __str__(self) -> str:
        return gettext("{name}, {at:%Y-%m-%d %H:%M} UTC").format(name=self.name, at=self.at)


class SecondFactor(models.Model):
    """An authenticator app, or a passkey."""

    class Kind(models.TextChoices):
        APP = "app", _("Authenticator app")
        PASSKEY = "passkey", _("Passkey")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="second_factors")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    name = models.CharField(max_length=60)
    secret = models.TextField()
    """App: secret for its codes (base32). Passkey: id and public key (hex)."""
    credential = models.CharField(max_length=64, null=True, unique=True)
    """Digest of a passkey's id."""
    counter = models.BigIntegerField(default=0)
    """App: last time step used. Passkey: its own counter. It only grows, so that no code is accepted twice."""
    added_at = models.DateTimeField(default=this_moment)
    used_at = models.DateTimeField(null=True)

    class Meta:
        verbose_name = _("second factor")
        ordering = ("added_at",)
        default_permissions = ()

    def __str__(self) -> str:
        return self.name


class RecoveryCode(models.Model):
    """A code that replaces the second factor once."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="recovery_codes")
    digest = models.CharField(max_length=64)

    class Meta:
        verbose_name = _("recovery code")
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=("user", "digest"), name="recovery_code_once")
        ]

    def __str__(self) -> str:
        return gettext("A recovery code")


class StudioSession(AbstractBaseSession):
    """A browser's session with its user, so that all sessions of a user can be ended."""

    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.CASCADE, related_name="studio_sessions"
    )
    began_at = models.DateTimeField(default=this_moment)
    network = models.CharField(max_length=50, blank=True)

    class Meta:
        verbose_name = _("session")
        default_permissions = ()


class ProviderAccount(models.Model):
    """An account at a single sign-on provider with which a person signs in. It is found by issuer and subject alone."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="provider_accounts")
    issuer = models.CharField(max_length=255)
    subject = models.CharField(max_length=255)
    connected_at = models.DateTimeField(default=this_moment)

    class Meta:
        verbose_name = _("provider account")
        default_permissions = ()
        constraints: ClassVar[list[models.BaseConstraint]] = [
            models.UniqueConstraint(fields=("issuer", "subject"), name="provider_account_of_one_person"),
            models.UniqueConstraint(fields=("user", "issuer"), name="provider_account_one_each"),
        ]

    def __str__(self) -> str:
        return self.issuer


class ProviderInvitation(models.Model):
    """An administrator's permission: the first person with this address at the provider gets this user's account."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="provider_invitation", primary_key=True
    )
    email = models.CharField(max_length=254)
    """In the form that ``domain.email_addresses.compare_address`` returns."""
    until = models.DateTimeField()

    class Meta:
        verbose_name = _("single sign-on invitation")
        default_permissions = ()

    def __str__(self) -> str:
        return self.email


class NewAddress(models.Model):
    """The new e-mail address of an account, until the owner opens the link that was sent to it."""

    user = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="new_address", primary_key=True
    )
    email = models.CharField(max_length=254)
    digest = models.CharField(max_length=64)
    """Digest of the link's secret and the password, so that a new password invalidates the link."""
    until = models.DateTimeField()

    class Meta:
        verbose_name = _("new e-mail address")
        verbose_name_plural = _("new e-mail addresses")
        default_permissions = ()

    def __str__(self) -> str:
        return self.email

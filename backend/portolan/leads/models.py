"""Models of leads. ``str`` and ``repr`` never show personal data."""

import uuid

from django.conf import settings
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from .sealing import SealedFields


class Lead(models.Model):
    """One enquiry, as it was sent."""

    class CaptchaStatus(models.TextChoices):
        UNVERIFIED = "unverified", _("not verified")
        VERIFIED = "verified", "verified"

    class State(models.TextChoices):
        """State in the inbox. A lead in quarantine is not delivered until an editor has checked it."""

        OPEN = "open", "open"
        QUARANTINED = "quarantined", "quarantined"
        SPAM = "spam", "spam"
        DONE = "done", "done"

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    site = models.CharField(max_length=12)
    form = models.CharField(max_length=20)
    created_at = models.DateTimeField(db_index=True)
    fields = SealedFields()  # schemas.lead.LeadForm in wire names, with unknown fields and without captcha token
    flags = models.JSONField(default=list)  # codes of leads.flags
    captcha_token = models.TextField()
    captcha_status = models.CharField(max_length=20, choices=CaptchaStatus.choices, default=CaptchaStatus.UNVERIFIED)
    spam_score = models.PositiveSmallIntegerField(default=0)  # 0 to 100, leads.spam
    state = models.CharField(max_length=20, choices=State.choices, default=State.OPEN, db_index=True)
    assigned_to = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, blank=True, on_delete=models.SET_NULL, related_name="leads"
    )
    is_begun = models.BooleanField(default=False)  # a partial submission; not delivered
    erased_at = models.DateTimeField(null=True)  # since then, the row has no personal data

    class Meta:
        default_permissions = ("view", "change")
        permissions = (("export_lead", "Can export leads"), ("erase_lead", "Can erase leads"))

    def __str__(self) -> str:
        return gettext("Lead {pk}").format(pk=self.pk)


class LeadFile(models.Model):
    """An attachment. The file store has its bytes under ``path``."""

    lead = models.ForeignKey(Lead, on_delete=models.CASCADE, related_name="files")
    position = models.PositiveSmallIntegerField()
    name = models.CharField(max_length=150)  # as on the visitor's computer, cleaned
    extension = models.CharField(max_length=10)
    size = models.PositiveIntegerField()
    sha256 = models.CharField(max_length=64)
    path = models.CharField(max_length=200)

    class Meta:
        ordering = ("position",)
        constraints = (models.UniqueConstraint(fields=("lead", "position"), name="one_file_in_a_place"),)

    def __str__(self) -> str:
        return gettext("File {position} of lead {lead_id}").format(position=self.position, lead_id=self.lead_id)


class Answer(models.Model):
    """The reply to a submission, for its repeats."""

    key = models.CharField(max_length=80, primary_key=True)  # leads.repeats
    fingerprint = models.CharField(max_length=64)
    body = models.BinaryField()
    created_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return gettext("Answer of {created_at}").format(created_at=self.created_at)


class Delivery(models.Model):
    """The outbox: one lead for one destination, created in the transaction that stores the lead."""

    class State(models.TextChoices):
        PENDING = "pending", "pending"
        HELD = "held", _("held until somebody has looked")
        DELIVERED = "delivered", "delivered"
        DEAD = "dead", _("given up")

    lead = models.ForeignKey(Lead, on_delete=models.CASCADE, related_name="deliveries")
    destination = models.CharField(max_length=60)  # name in the configuration
    state = models.CharField(max_length=20, choices=State.choices, default=State.PENDING)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField()
    claimed_until = models.DateTimeField(null=True)  # a worker is sending it; ends on its own if the worker is killed
    flushed_at = models.DateTimeField(
        null=True
    )  # when it was last made due early, because its destination responded again
    reason = models.CharField(max_length=300, blank=True)  # of the last failure, without personal data
    delivered_at = models.DateTimeField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(fields=("lead", "destination"), name="one_delivery_to_a_destination"),)
        indexes = (models.Index(fields=("state", "next_at"), name="deliveries_due"),)

    def __str__(self) -> str:
        return gettext("Delivery of lead {lead_id} to {destination}").format(
            lead_id=self.lead_id, destination=self.destination
        )


class DeliveryAttempt(models.Model):
    """One try, for the lead's history, without the lead's data."""

    delivery = models.ForeignKey(Delivery, on_delete=models.CASCADE, related_name="history")
    at = models.DateTimeField()
    succeeded = models.BooleanField()
    detail = models.CharField(max_length=300, blank=True)  # status and reason

    class Meta:
        ordering = ("at",)

    def __str__(self) -> str:
        return gettext("Attempt of {at} for delivery {delivery_id}").format(at=self.at, delivery_id=self.delivery_id)


class ClosedDestination(models.Model):
    """A destination that accepts no leads. Nothing is sent to it until an administrator reopens it."""

    name = models.CharField(max_length=60, primary_key=True)
    closed_at = models.DateTimeField()

    def __str__(self) -> str:
        return gettext("{name}, closed {closed_at}").format(name=self.name, closed_at=self.closed_at)


class CaptchaSolution(models.Model):
    """A used captcha solution, which cannot be used again."""

    key = models.CharField(max_length=80, primary_key=True)
    expires_at = models.DateTimeField(db_index=True)

    def __str__(self) -> str:
        return gettext("Solution used, until {expires_at}").format(expires_at=self.expires_at)


class LeadWord(models.Model):
    """A colleague's note on a lead, or answer to the person. Erased with the lead's personal data."""

    class Kind(models.TextChoices):
        NOTE = "note", "note"
        ANSWER = "answer", "answer"

    class State(models.TextChoices):
        """State of an answer. A note is always ``kept``."""

        KEPT = "kept", "kept"
        PENDING = "pending", _("on its way")
        SENT = "sent", "sent"
        DEAD = "dead", _("not sent")

    lead = models.ForeignKey(Lead, on_delete=models.CASCADE, related_name="words")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+")
    at = models.DateTimeField()
    fields = SealedFields()  # text; for an answer also to, subject, reply_to
    state = models.CharField(max_length=10, choices=State.choices, default=State.KEPT)
    attempts = models.PositiveSmallIntegerField(default=0)
    next_at = models.DateTimeField(null=True)
    reason = models.CharField(max_length=300, blank=True)  # of the last failure, without personal data
    sent_at = models.DateTimeField(null=True)

    class Meta:
        default_permissions = ()
        ordering = ("at", "pk")
        indexes = (models.Index(fields=("state", "next_at"), name="answers_due"),)

    def __str__(self) -> str:
        return gettext("Note of {at} on lead {lead_id}").format(at=self.at, lead_id=self.lead_id)

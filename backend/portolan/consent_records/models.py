"""Proof of what visitors chose. Nothing in it leads to a person: no address, no browser, no visit."""

import uuid
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NoReturn

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


class OnlyAdded(TypeError):
    """Somebody tried to change or delete what proves something."""

    def __init__(self) -> None:
        super().__init__(
            gettext(
                "Consent records are only ever added: changed, they would prove nothing. `portolan consent purge` removes old ones."
            )
        )


class ConsentRecords(models.QuerySet["ConsentRecord"]):
    """Can be read and added to. The database itself refuses updates too (migration 0001)."""

    def update(self, **values: Any) -> NoReturn:
        raise OnlyAdded

    def bulk_update(self, *args: Any, **options: Any) -> NoReturn:
        raise OnlyAdded

    def delete(self) -> NoReturn:
        raise OnlyAdded

    def purge(self, before: datetime) -> int:
        """Removes records older than that, whose time of retention is over; returns how many."""
        old = self.filter(made_at__lt=before)
        return int(old._raw_delete(old.db))  # nothing refers to them


def this_second() -> datetime:
    return timezone.now().replace(microsecond=0)


class ConsentRecord(models.Model):
    class Method(models.TextChoices):
        ACCEPT = "accept", _("Accept")
        REJECT = "reject", _("Reject")
        SETTINGS = "settings", _("Settings")

    id = models.UUIDField(primary_key=True, default=uuid.uuid4, editable=False)
    made_at = models.DateTimeField(_("time"), default=this_second, db_index=True)
    site = models.CharField(max_length=12)
    policy_version = models.CharField(max_length=20)
    text_hash = models.CharField(max_length=32)  # schemas.consent.ConsentChoice
    ad_storage = models.BooleanField(_("advertising"))
    analytics_storage = models.BooleanField(_("statistics"))
    method = models.CharField(max_length=10, choices=Method.choices)

    objects = ConsentRecords.as_manager()

    class Meta:
        ordering = ("-made_at", "id")
        default_permissions = ("view",)

    def __str__(self) -> str:
        return gettext("Consent record {pk}").format(pk=self.pk)

    def save(
        self,
        force_insert: bool | tuple[models.base.ModelBase, ...] = False,
        force_update: bool = False,
        using: str | None = None,
        update_fields: Iterable[str] | None = None,
    ) -> None:
        if not self._state.adding:
            raise OnlyAdded
        super().save(force_insert=True, using=using)

    def delete(self, *args: Any, **options: Any) -> NoReturn:
        raise OnlyAdded

"""Define the proof of visitors' cookie choices. It contains no address, browser or other personal data."""

import uuid
from collections.abc import Iterable
from datetime import datetime
from typing import Any, NoReturn

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _


class OnlyAdded(TypeError):
    """An attempt to change or delete a consent record."""

    def __init__(self) -> None:
        super().__init__(
            gettext(
                "Consent records are proof, so they cannot be changed or deleted. Remove old ones with `portolan consent purge`."
            )
        )


class ConsentRecords(models.QuerySet["ConsentRecord"]):
    """Can be read and added to. The database itself also rejects updates (migration 0001)."""

    def update(self, **values: Any) -> NoReturn:
        raise OnlyAdded

    def bulk_update(self, *args: Any, **options: Any) -> NoReturn:
        raise OnlyAdded

    def delete(self) -> NoReturn:
        raise OnlyAdded

    def purge(self, before: datetime) -> int:
        """Remove records older than ``before``, whose retention time is over. Return their number."""
        old = self.filter(made_at__lt=before)
        return int(old._raw_delete(old.db))  # no other rows refer to them


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

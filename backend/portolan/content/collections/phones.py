"""Phones: numbers by the visitor's country. They have no translations and are the same on all sites."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from wagtail.admin.panels import FieldPanel, FieldRowPanel, Panel
from wagtail.search import index

from ...domain.snapshot_bodies import EntryBody
from ...schemas import company as schemas
from ..countries import CountriesField, list_countries, name_country
from ..items import PHONE
from ..schedule_panel import SchedulePanel
from .base import Entry, check_phone, item, key_panel


class Phone(Entry):
    """A number and its countries. One number is the default: the first, until an editor marks another."""

    kind = PHONE
    schema = schemas.Phone

    phone = models.CharField(
        _("number"), max_length=32, validators=[check_phone], help_text=_("As visitors read it, with country code.")
    )
    is_default = models.BooleanField(
        _("default number"),
        default=False,
        help_text=_(
            "For visitors from countries without a number. There is one default number: ticking this box unticks it at the "
            "other number."
        ),
    )
    countries = CountriesField(blank=True, help_text=_("Visitors from these countries see this number."))

    panels: ClassVar[list[Panel]] = [
        FieldRowPanel([FieldPanel("phone"), key_panel("london")]),
        FieldPanel("is_default"),
        FieldPanel("countries"),
        SchedulePanel(),
    ]
    search_fields: ClassVar[list[index.BaseField]] = [
        *Entry.search_fields,
        index.SearchField("phone"),
        index.AutocompleteField("phone"),
        index.SearchField("country_names"),
        index.AutocompleteField("country_names"),
    ]

    class Meta(Entry.Meta):
        verbose_name = _("phone")
        constraints = (
            models.UniqueConstraint(
                fields=("is_default",), condition=models.Q(is_default=True), name="one_default_phone"
            ),
        )

    def __str__(self) -> str:
        return self.phone

    @property
    def country_names(self) -> str:
        return ", ".join(name for _, name in list_countries(self.countries))

    get_countries_display = country_names

    def clean(self) -> None:
        super().clean()
        problems: dict[str, Any] = {}
        others = list(type(self).objects.exclude(pk=self.pk).filter(live=True))
        if others and not self.is_default and not any(other.is_default for other in others):
            problems["is_default"] = gettext(
                "A default number is required. To replace this one, tick the box at another number."
            )
        if self.is_default and (self.go_live_at or self.expire_at):
            problems["is_default"] = gettext(
                "The default number is always shown. Clear the times below, or first tick this box at another number."
            )
        taken = [(code, other) for other in others for code in other.countries if code in self.countries]
        if taken:
            problems["countries"] = gettext("Each country can have one number: ") + " ".join(
                gettext("{country} is assigned to {phone}.").format(country=name_country(code), phone=other.phone)
                for code, other in taken
            )
        if problems:
            raise ValidationError(problems)

    def validate_constraints(self, exclude: Any = None) -> None:
        """Skip the check for a single default: ``save`` removes the mark from the previous one."""
        super().validate_constraints({*(exclude or ()), "is_default"})

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Move the default mark, but only for live numbers: a draft does not take it from another number."""
        if kwargs.get("update_fields") is not None and "is_default" not in kwargs["update_fields"]:
            super().save(*args, **kwargs)
            return
        if not self.live:
            wanted, self.is_default = self.is_default, False
            super().save(*args, **kwargs)
            self.is_default = wanted
            return
        with transaction.atomic():
            others = type(self).objects.exclude(pk=self.pk).filter(is_default=True)
            if self.is_default:
                for other in others:  # one by one: each save is a pending change
                    other.is_default = False
                    super(Phone, other).save(update_fields=["is_default"])
            else:
                self.is_default = not others.exists()
            super().save(*args, **kwargs)

    def snapshot(self, locales: Sequence[int]) -> EntryBody:
        value = {"id": self.key, "phone": self.phone, "isDefault": self.is_default, "countries": self.countries}
        return item(self.sort_order, value)

"""Phones: which number visitors of which country see. They have nothing to translate and stand on all sites."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.core.exceptions import ValidationError
from django.db import models, transaction
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from wagtail.admin.panels import FieldPanel, FieldRowPanel, Panel
from wagtail.search import index

from ...domain.frozen_bodies import EntryBody
from ...schemas import company as schemas
from ..countries import CountriesField, list_countries, name_country
from ..items import PHONE
from ..schedule_panel import SchedulePanel
from .base import Entry, check_phone, item, key_panel


class Phone(Entry):
    """A number and the countries it is for. One number is the default: the first one is, until another takes over."""

    kind = PHONE
    schema = schemas.Phone

    phone = models.CharField(
        _("number"), max_length=32, validators=[check_phone], help_text=_("With country code, as it is printed.")
    )
    is_default = models.BooleanField(
        _("default number"),
        default=False,
        help_text=_(
            "For visitors whose country has no number of its own. One number is: ticking it here takes it from "
            "the other."
        ),
    )
    countries = CountriesField(blank=True, help_text=_("Visitors from there see this number."))

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
                "This is the default number, and one has to be. Tick this box at the number that takes its place."
            )
        if self.is_default and (self.go_live_at or self.expire_at):
            problems["is_default"] = gettext(
                "The default number is always shown. Empty the times below, or tick this box at another number first."
            )
        taken = [(code, other) for other in others for code in other.countries if code in self.countries]
        if taken:
            problems["countries"] = gettext("Visitors of a country see one number: ") + " ".join(
                gettext("{country} stands at {phone}.").format(country=name_country(code), phone=other.phone)
                for code, other in taken
            )
        if problems:
            raise ValidationError(problems)

    def validate_constraints(self, exclude: Any = None) -> None:
        """Does not check that there is one default: ``save`` removes the mark from the number that has it."""
        super().validate_constraints({*(exclude or ()), "is_default"})

    def save(self, *args: Any, **kwargs: Any) -> None:
        """The mark moves with what is live: a draft that has it takes it from nobody."""
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

    def freeze(self, locales: Sequence[int]) -> EntryBody:
        value = {"id": self.key, "phone": self.phone, "isDefault": self.is_default, "countries": self.countries}
        return item(self.sort_order, value)

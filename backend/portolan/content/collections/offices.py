"""Offices: one entry each for all sites, so that one edit of a phone number changes every site that shows it.

City and address are entered once. A site whose language needs another spelling gets it under Translations.
"""

from collections.abc import Sequence
from typing import Any, ClassVar, Final, get_args

from django import forms
from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext, gettext_lazy
from django.utils.translation import gettext_lazy as _
from modelcluster.fields import ParentalKey
from modelcluster.models import ClusterableModel
from wagtail.admin.panels import FieldPanel, FieldRowPanel, InlinePanel, MultiFieldPanel, Panel
from wagtail.models import Locale
from wagtail.search import index

from ...domain.offices import OFFICE_SETS
from ...domain.snapshot_bodies import EntryBody
from ...schemas import office as schemas
from ...schemas.icon import IconName
from ..countries import CountryField
from ..drafts import Drafted
from ..items import OFFICE
from ..rules import check_placeholders
from ..schedule_panel import SchedulePanel
from .base import Entry, check_key, check_phone, item, key_panel

_TRANSLATED_FIELDS: Final = ("city", "address", "hours")
"""Fields that a site may write differently."""

_SET_NAMES: Final = {
    "default": _("Default"), "us": _("United States"), "uk": _("United Kingdom"), "de": _("Germany"), "ae": "UAE",
    "az": _("Azerbaijan"), "fr": _("France"), "kz": _("Kazakhstan"), "in": _("India"), "cis": "CIS",
}  # fmt: skip


class OfficeSetsField(models.JSONField):
    """Names of office sets, ticked in a list."""

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(**{"default": list, **kwargs})

    def formfield(self, **kwargs: Any) -> forms.Field:
        return forms.MultipleChoiceField(
            choices=[(name, _SET_NAMES.get(name, name)) for name in OFFICE_SETS],
            widget=forms.CheckboxSelectMultiple,
            label=gettext_lazy("Office sets"),
            help_text=gettext_lazy("Footers that show the office's card."),
            required=False,
        )

    def validate(self, value: Any, model_instance: models.Model | None) -> None:
        unknown = [name for name in value or () if name not in OFFICE_SETS]
        if unknown:
            raise ValidationError(
                gettext("{unknown!r} is not an office set. Use one of: {names}.").format(
                    unknown=unknown[0], names=", ".join(OFFICE_SETS)
                )
            )


class OfficeCategory(Drafted, index.Indexed, ClusterableModel):
    """A category of offices: a name, and an icon on the card."""

    key = models.CharField(
        max_length=40,
        unique=True,
        validators=[check_key],
        help_text=_("Never changes, e.g. hub."),
    )
    key.required_on_save = True  # type: ignore[attr-defined]  # as the key of an entry
    name = models.CharField(max_length=60, help_text=_("In the language of the international site."))
    icon = models.CharField(max_length=40, choices=[(name, name.replace("-", " ")) for name in get_args(IconName)])

    panels: ClassVar[list[Panel]] = [
        FieldPanel("name"),
        FieldPanel("icon"),
        key_panel("hub"),
        InlinePanel("translations", heading=_("Translations"), label=_("translation")),
        SchedulePanel(expires=False),
    ]
    of_the_row = ("key",)
    preview_modes: ClassVar[list[tuple[str, str]]] = []
    search_fields = [index.SearchField("name"), index.AutocompleteField("name")]

    class Meta:
        ordering = ("name",)
        verbose_name = _("office category")
        verbose_name_plural = _("office categories")

    def __str__(self) -> str:
        return self.name


class OfficeCategoryTranslation(models.Model):
    category = ParentalKey(OfficeCategory, on_delete=models.CASCADE, related_name="translations")
    locale = models.ForeignKey(Locale, on_delete=models.CASCADE, related_name="+", verbose_name=_("site"))
    name = models.CharField(max_length=60)

    class Meta:
        ordering = ("pk",)
        constraints = (
            models.UniqueConstraint(fields=("category", "locale"), name="one_category_translation_per_locale"),
        )

    def __str__(self) -> str:
        return self.name


class Office(Entry):
    """An office. Phone number, position and sets are the same on all sites.

    A new field needs changes in six more places: see docs/where-is.md, Offices.
    """

    kind = OFFICE
    schema = schemas.Office
    related = ("category__translations", "translations")

    city = models.CharField(max_length=80, help_text=_("In the language of the international site."))
    address = models.CharField(max_length=200, help_text=_("On one line, in the language of the international site."))
    phone = models.CharField(
        max_length=32, validators=[check_phone], help_text=_("One number for all sites, with country code.")
    )
    category = models.ForeignKey(
        OfficeCategory, on_delete=models.PROTECT, related_name="offices", limit_choices_to={"live": True}
    )
    country = CountryField()
    lat = models.FloatField(_("latitude"), validators=[MinValueValidator(-90), MaxValueValidator(90)])
    lng = models.FloatField(_("longitude"), validators=[MinValueValidator(-180), MaxValueValidator(180)])
    sets = OfficeSetsField(blank=True)
    opened = models.PositiveSmallIntegerField(
        _("opened in"),
        null=True,
        blank=True,
        validators=[MinValueValidator(1900), MaxValueValidator(2100)],
        help_text=_("The year."),
    )
    hours = models.CharField(
        _("opening hours"),
        max_length=120,
        blank=True,
        validators=[check_placeholders],
        help_text=_("In the language of the international site, e.g. Mon-Fri 9:00-18:00."),
    )

    panels: ClassVar[list[Panel]] = [
        FieldPanel("phone"),
        MultiFieldPanel(
            [
                FieldRowPanel([FieldPanel("city"), FieldPanel("country")]),
                FieldPanel("address"),
                FieldRowPanel([FieldPanel("lat"), FieldPanel("lng")]),
            ],
            heading=_("Place"),
        ),
        MultiFieldPanel(
            [FieldPanel("category"), FieldRowPanel([FieldPanel("opened"), FieldPanel("hours")])], heading=_("Details")
        ),
        FieldPanel("sets"),
        InlinePanel(
            "translations",
            heading=_("Translations by site"),
            label=_("site"),
            help_text=_("Only for sites that write city, address or opening hours differently."),
        ),
        key_panel("dallas"),
        SchedulePanel(),
    ]
    search_fields: ClassVar[list[index.BaseField]] = [
        *Entry.search_fields,
        index.SearchField("city", boost=2),
        index.AutocompleteField("city"),
        index.SearchField("address"),
        index.SearchField("phone"),
        index.FilterField("category"),
        index.FilterField("country"),
    ]

    class Meta(Entry.Meta):
        verbose_name = _("office")

    def __str__(self) -> str:
        return self.city

    def snapshot(self, locales: Sequence[int]) -> EntryBody:
        """Return the office in the translation for the first of ``locales`` that has one, else in its own texts."""
        texts = {name: getattr(self, name) for name in _TRANSLATED_FIELDS} | {"category": self.category.name}
        for locale in reversed(locales):
            for own in self.translations.all():
                if own.locale_id == locale:
                    texts |= {name: value for name in _TRANSLATED_FIELDS if (value := getattr(own, name))}
            for category in self.category.translations.all():
                if category.locale_id == locale:
                    texts["category"] = category.name
        value = {
            "id": self.key,
            "city": texts["city"],
            "address": texts["address"],
            "phone": self.phone,
            "category": {"name": texts["category"], "icon": self.category.icon},
            "country": self.country,
            "lat": self.lat,
            "lng": self.lng,
            "sets": [name for name in OFFICE_SETS if name in self.sets],
            "opened": self.opened,
            "hours": texts["hours"],
        }
        return item(self.sort_order, value)


class OfficeTranslation(models.Model):
    office = ParentalKey(Office, on_delete=models.CASCADE, related_name="translations")
    locale = models.ForeignKey(Locale, on_delete=models.CASCADE, related_name="+", verbose_name=_("site"))
    city = models.CharField(max_length=80, blank=True)
    address = models.CharField(max_length=200, blank=True)
    hours = models.CharField(_("opening hours"), max_length=120, blank=True, validators=[check_placeholders])

    class Meta:
        ordering = ("pk",)
        constraints = (models.UniqueConstraint(fields=("office", "locale"), name="one_office_translation_per_locale"),)

    def __str__(self) -> str:
        return self.city

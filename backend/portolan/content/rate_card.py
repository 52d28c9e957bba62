"""Rate card: the prices of the estimate form, one per site, in its currency.

A site that inherits another's pages uses that site's rates until it has its own.
"""

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from django.core.exceptions import ValidationError
from django.core.validators import MaxValueValidator, MinValueValidator
from django.db import models
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from modelcluster.fields import ParentalKey
from modelcluster.models import ClusterableModel
from wagtail import blocks
from wagtail.admin.panels import FieldPanel, FieldRowPanel, InlinePanel, MultiFieldPanel, Panel
from wagtail.contrib.settings.models import register_setting
from wagtail.models import Orderable

from ..domain.snapshot_bodies import EntryBody
from .collections.base import check_key, item
from .collections.cvs import SENIORITIES
from .fields import BlocksField
from .rules import check_placeholders, check_slug
from .schedule_panel import SchedulePanel
from .site_setting import SiteSetting
from .snapshot import TranslationKeys, snapshot_stream

_CURRENCIES: Final = {
    "AED": _("UAE dirham"), "AZN": _("Azerbaijani manat"), "CHF": _("Swiss franc"), "EUR": _("Euro"), "GBP": _("Pound sterling"),
    "KZT": _("Kazakhstani tenge"), "PLN": _("Polish złoty"), "USD": _("US dollar"),
}  # fmt: skip

_LEAST_PERCENT: Final = -50
_MOST_PERCENT: Final = 100


class UsualRoleBlock(blocks.StructBlock):
    """Published as :class:`~portolan.schemas.company.UsualRole`."""

    role = blocks.CharBlock(
        max_length=40, validators=(check_key,), label=_("Key of a role"), help_text=_("As in the rates above.")
    )
    count = blocks.IntegerBlock(min_value=1, max_value=1000, default=1, label=_("How many"))

    class Meta:
        label_format = "{count} {role}"


class ServiceRateBlock(blocks.StructBlock):
    """Published as :class:`~portolan.schemas.company.ServiceRate`."""

    service = blocks.CharBlock(
        max_length=100, validators=(check_slug,), label=_("Key of the service"), help_text=_("As in the estimate form.")
    )
    supplement = blocks.IntegerBlock(
        min_value=_LEAST_PERCENT,
        max_value=_MOST_PERCENT,
        default=0,
        label=_("Supplement in %"),
        help_text=_("Added to the rates for this service. A negative value is a discount."),
    )
    team = blocks.ListBlock(
        UsualRoleBlock(),
        default=[],
        max_num=12,
        label=_("Usual team"),
        help_text=_("The form suggests this team, and uses it for the price until the visitor chooses a team."),
    )

    class Meta:
        icon = "table"
        label_format = "{service}"


def _percent(label: Any, least: int = _LEAST_PERCENT, most: int = _MOST_PERCENT) -> models.SmallIntegerField[int, int]:
    validators = [MinValueValidator(least), MaxValueValidator(most)]
    return models.SmallIntegerField(label, default=0, validators=validators)


@register_setting
class RateCardSettings(SiteSetting, ClusterableModel):  # type: ignore[django-manager-missing]
    related = ("rates",)

    currency = models.CharField(
        max_length=3,
        default="EUR",
        choices=[(code, f"{name} ({code})") for code, name in _CURRENCIES.items()],
        help_text=_("The currency of estimates on this site."),
    )
    services = BlocksField(
        [("service", ServiceRateBlock())],
        blank=True,
        max_num=60,
        help_text=_(
            "The usual team and supplement for each service of the estimate form. For other services, the form states that "
            "they are not in the price."
        ),
    )
    start_now = _percent(_("as soon as possible, in %"))
    start_quarter = _percent(_("within three months, in %"))
    start_later = _percent(_("later, in %"))
    long_months = models.PositiveSmallIntegerField(
        _("from so many months"), default=12, validators=[MinValueValidator(2), MaxValueValidator(120)]
    )
    long_discount = _percent(_("discount in %"), 0, -_LEAST_PERCENT)

    panels: ClassVar[list[Panel]] = [
        FieldPanel("currency"),
        InlinePanel(
            "rates",
            heading=_("Rates"),
            label=_("rate"),
            panels=[
                FieldRowPanel([FieldPanel("name"), FieldPanel("role")]),
                FieldRowPanel([FieldPanel("seniority"), FieldPanel("low"), FieldPanel("high")]),
            ],
            help_text=_(
                "Monthly price range of a specialist: one row for each role and seniority, in the order of the estimate "
                "form. The role's name is in the language of the site. Its key is the same in all its rows and on all "
                "sites."
            ),
        ),
        FieldPanel("services"),
        MultiFieldPanel(
            [FieldRowPanel([FieldPanel("start_now"), FieldPanel("start_quarter"), FieldPanel("start_later")])],
            heading=_("Start"),
            help_text=_(
                "Added to the rates by start date; a negative value is a discount. Visitors without a start date see the "
                "range from the lowest to the highest price."
            ),
        ),
        MultiFieldPanel(
            [FieldRowPanel([FieldPanel("long_months"), FieldPanel("long_discount")])],
            heading=_("Long projects"),
            help_text=_("A discount on the rates for long projects. 0: none."),
        ),
        SchedulePanel(expires=False),
    ]

    class Meta:
        verbose_name = _("rate card")
        verbose_name_plural = _("rate cards")

    def is_filled(self) -> bool:
        return bool(self.rates.all())

    def raw(self) -> list[Any]:
        """Return an empty list, because a rate card never links to pages."""
        return []

    def snapshot(self, pages: TranslationKeys) -> EntryBody:
        rates = [
            {"role": rate.role, "name": rate.name, "seniority": rate.seniority, "low": rate.low, "high": rate.high}
            for rate in self.rates.all()
        ]
        long_term = {"months": self.long_months, "discount": self.long_discount} if self.long_discount else None
        return item(
            0,
            {
                "currency": self.currency,
                "rates": rates,
                "services": snapshot_stream(self.services, pages),
                "starts": {"now": self.start_now, "quarter": self.start_quarter, "later": self.start_later},
                "longTerm": long_term,
            },
        )


def name_rate(rate: Mapping[str, Any]) -> str:
    """Return the name of a rate for editors, e.g. ``Designer, senior``. ``rate``: from a release item or a revision."""
    return f"{rate.get('name') or rate.get('role')}, {gettext(str(rate['seniority']).capitalize()).lower()}"


class Rate(Orderable):
    """Monthly price range of one role at one seniority."""

    card = ParentalKey(RateCardSettings, on_delete=models.CASCADE, related_name="rates")
    role = models.CharField(_("key"), max_length=40, validators=[check_key])
    name = models.CharField(_("role"), max_length=80, validators=[check_placeholders])
    seniority = models.CharField(max_length=10, choices=SENIORITIES)
    low = models.PositiveIntegerField(_("from"), validators=[MinValueValidator(1)])
    high = models.PositiveIntegerField(_("to"), validators=[MinValueValidator(1)])

    class Meta(Orderable.Meta):
        constraints = (
            models.UniqueConstraint(fields=("card", "role", "seniority"), name="one_rate_per_role_and_seniority"),
        )

    def __str__(self) -> str:
        return name_rate({"name": self.name, "role": self.role, "seniority": self.seniority})

    def clean(self) -> None:
        super().clean()
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValidationError({"high": gettext("This is less than “from”. Enter the higher rate here.")})

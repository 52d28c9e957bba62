"""Rate card: what the estimate form counts with. One per site, in its currency.

A site that inherits another's pages counts with that site's rates until it has its own.
"""

from typing import Any, ClassVar, Final

from django.core.exceptions import ValidationError
from django.core.validators import MinValueValidator
from django.db import models
from modelcluster.fields import ParentalKey
from modelcluster.models import ClusterableModel
from wagtail.admin.panels import FieldPanel, FieldRowPanel, InlinePanel, Panel
from wagtail.contrib.settings.models import BaseSiteSetting, register_setting
from wagtail.models import Orderable

from .collections.base import check_key, item
from .collections.cvs import SENIORITIES
from .freeze import PageKeys
from .rules import check_placeholders

_CURRENCIES: Final = {
    "AED": "UAE dirham", "AZN": "Azerbaijani manat", "CHF": "Swiss franc", "EUR": "Euro", "GBP": "Pound sterling",
    "KZT": "Kazakhstani tenge", "PLN": "Polish złoty", "USD": "US dollar",
}  # fmt: skip


@register_setting(icon="table", order=120)
class RateCardSettings(ClusterableModel, BaseSiteSetting):
    related: ClassVar[tuple[str, ...]] = ("rates",)
    """Relations ``freeze`` reads."""

    currency = models.CharField(
        max_length=3,
        default="EUR",
        choices=[(code, f"{name} ({code})") for code, name in _CURRENCIES.items()],
        help_text="Visitors of the site read their estimate in it.",
    )

    panels: ClassVar[list[Panel]] = [
        FieldPanel("currency"),
        InlinePanel(
            "rates",
            heading="Rates",
            label="rate",
            panels=[
                FieldRowPanel([FieldPanel("name"), FieldPanel("role")]),
                FieldRowPanel([FieldPanel("seniority"), FieldPanel("low"), FieldPanel("high")]),
            ],
            help_text="What a specialist costs a month, from and to: one row for each role and seniority, in the order of "
            "the estimate form. A role has a name in the language of the site, and a key that is the same in all its rows "
            "and on all sites.",
        ),
    ]

    class Meta:
        verbose_name = "rate card"

    def is_filled(self) -> bool:
        """An editor who only looks at an empty form leaves an empty card behind."""
        return bool(self.rates.all())

    def raw(self) -> list[Any]:
        """Nothing in a rate card links to pages."""
        return []

    def freeze(self, pages: PageKeys) -> dict[str, Any]:
        rates = [
            {"role": rate.role, "name": rate.name, "seniority": rate.seniority, "low": rate.low, "high": rate.high}
            for rate in self.rates.all()
        ]
        return item(0, {"currency": self.currency, "rates": rates})


class Rate(Orderable):
    """What a month of one role costs at one seniority."""

    card = ParentalKey(RateCardSettings, on_delete=models.CASCADE, related_name="rates")
    role = models.CharField("key", max_length=40, validators=[check_key])
    name = models.CharField("role", max_length=80, validators=[check_placeholders])
    seniority = models.CharField(max_length=10, choices=SENIORITIES)
    low = models.PositiveIntegerField("from", validators=[MinValueValidator(1)])
    high = models.PositiveIntegerField("to", validators=[MinValueValidator(1)])

    class Meta(Orderable.Meta):
        constraints = (
            models.UniqueConstraint(fields=("card", "role", "seniority"), name="one_rate_per_role_and_seniority"),
        )

    def __str__(self) -> str:
        return f"{self.name}, {self.seniority}"

    def clean(self) -> None:
        super().clean()
        if self.low is not None and self.high is not None and self.low > self.high:
            raise ValidationError({"high": "This is less than “from”. Write the higher rate here."})

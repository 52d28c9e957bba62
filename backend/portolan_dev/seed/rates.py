"""Rate cards from ``<site>/rates.toml``."""

from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import transaction
from wagtail.models import Site

from portolan.content.rate_card import RateCardSettings

from .fixtures import Fixture
from .model_fields import is_same, own_fields, put_values, read_values
from .problems import FixtureProblem, flatten
from .report import Outcome, SeedReport, was_edited_by_a_person
from .streams import StreamBuilder, Targets

_KIND: Final = str(RateCardSettings._meta.verbose_name_plural)


def load_rates(
    site: Site, fixture: Fixture, targets: Targets, report: SeedReport, problems: list[FixtureProblem]
) -> None:
    report.begin(_KIND, fixture.file.as_posix())
    before = len(problems)

    def complain(field: str, message: str) -> None:
        problems.append(FixtureProblem(fixture.file, field, message))

    fields = own_fields(RateCardSettings, without={"site"})
    values = read_values(fields, fixture.data, "", StreamBuilder(targets, fixture.file.as_posix(), complain))
    if len(problems) > before:
        return
    stored: Any = RateCardSettings.objects.filter(site=site).first()
    if stored and is_same(fields, stored, values):
        report.note(_KIND, Outcome.UNCHANGED)
    elif stored and was_edited_by_a_person(stored):
        report.note(_KIND, Outcome.KEPT)
    else:
        card = stored or RateCardSettings(site=site)
        try:
            put_values(fields, card, values)
            card.full_clean()
            with transaction.atomic():
                card.save()
        except ValidationError as error:
            for field, text in flatten(error):
                complain(field, text)
        else:
            report.note(_KIND, Outcome.CHANGED if stored else Outcome.CREATED)

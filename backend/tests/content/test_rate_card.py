from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import connection
from django.test.utils import CaptureQueriesContext

from portolan.content.changes import keys_of
from portolan.content.export import all_item_keys, export_batch, export_items
from portolan.content.items import ItemKey
from portolan.content.models import Rate, RateCardSettings
from portolan.domain.problems import Subject
from portolan.schemas.company import RateCard

BACK_END = {"role": "back-end", "name": "Back-end engineer", "seniority": "senior", "low": 7000, "high": 9000}
KEYS = {site: ItemKey(site, "rate_card", "main") for site in ("en", "uk", "de")}


def add_card(sites: Any, site: str, currency: str = "EUR", *rates: dict[str, Any]) -> RateCardSettings:
    card = RateCardSettings(site=sites[site].wagtail_site, currency=currency)
    card.rates = [Rate(**{**BACK_END, **rate}) for rate in rates]
    card.full_clean()
    card.save()
    return card


def test_a_card_becomes_its_schema_in_the_editors_order(sites: Any) -> None:
    add_card(sites, "en", "EUR", {"sort_order": 2, "seniority": "lead"}, {"sort_order": 1, "low": 7000})
    body = export_items([KEYS["en"]])[KEYS["en"]]
    assert body and body["order"] == 0
    card = RateCard.model_validate(body["value"])
    assert card.currency == "EUR"
    assert [rate.seniority for rate in card.rates] == ["senior", "lead"]
    assert card.rates[0].model_dump() == BACK_END


def test_a_card_says_what_services_starts_and_a_long_stay_mean(sites: Any) -> None:
    card = add_card(sites, "en", "EUR", {})
    bare = RateCard.model_validate(export_items([KEYS["en"]])[KEYS["en"]]["value"])  # type: ignore[index]
    assert (bare.services, bare.starts.model_dump(), bare.long_term) == ([], {"now": 0, "quarter": 0, "later": 0}, None)
    team = [{"role": "back-end", "count": 2}]
    card.services = [("service", {"service": "web-development", "supplement": -5, "team": team})]
    card.start_now, card.start_later, card.long_months, card.long_discount = 10, -3, 9, 4
    card.full_clean()
    card.save()
    full = RateCard.model_validate(export_items([KEYS["en"]])[KEYS["en"]]["value"])  # type: ignore[index]
    assert [service.model_dump() for service in full.services] == [
        {"service": "web-development", "supplement": -5, "team": team}
    ]
    assert full.starts.model_dump() == {"now": 10, "quarter": 0, "later": -3}
    assert full.long_term and full.long_term.model_dump() == {"months": 9, "discount": 4}


@pytest.mark.parametrize(
    ("field", "wrong"),
    [("start_now", 101), ("start_later", -51), ("long_months", 1), ("long_discount", -1), ("long_discount", 51)],
)
def test_a_supplement_out_of_bounds_is_named(sites: Any, field: str, wrong: int) -> None:
    card = add_card(sites, "en")
    setattr(card, field, wrong)
    with pytest.raises(ValidationError) as caught:
        card.full_clean()
    assert set(caught.value.message_dict) == {field}


def test_an_heir_counts_with_the_rates_it_inherits_until_it_has_its_own(sites: Any) -> None:
    add_card(sites, "en", "EUR", {})
    add_card(sites, "uk", "GBP")  # an editor has looked at the empty form
    bodies = export_items(KEYS.values())
    assert bodies[KEYS["uk"]] == bodies[KEYS["en"]] is not None
    assert bodies[KEYS["de"]] is None, "nobody estimates in another site's currency"
    Rate.objects.create(card=RateCardSettings.objects.get(currency="GBP"), **BACK_END)
    own = export_items([KEYS["uk"]])[KEYS["uk"]]
    assert own and own["value"]["currency"] == "GBP"


def test_an_edit_dirties_the_card_and_its_heirs(sites: Any) -> None:
    card = add_card(sites, "en", "EUR", {})
    assert keys_of(card) == keys_of(card.rates.get()) == {KEYS["en"], KEYS["uk"]} <= all_item_keys()


@pytest.mark.parametrize(
    ("changes", "field"),
    [
        ({"low": 9001}, "high"),
        ({"low": 0}, "low"),
        ({"role": "Back end"}, "role"),
        ({"name": "{founded}"}, "name"),
        ({"seniority": "principal"}, "seniority"),
    ],
)
def test_a_mistake_is_named_with_its_field(sites: Any, changes: dict[str, Any], field: str) -> None:
    card = add_card(sites, "en")
    with pytest.raises(ValidationError) as caught:
        Rate(card=card, **{**BACK_END, **changes}).full_clean()
    assert set(caught.value.message_dict) == {field}


def test_equal_rates_are_a_range(sites: Any) -> None:
    Rate(card=add_card(sites, "en"), **{**BACK_END, "low": 9000}).full_clean()


def test_a_role_has_one_rate_for_a_seniority(sites: Any) -> None:
    card = add_card(sites, "en", "EUR", {})
    with pytest.raises(ValidationError, match="already exists"):
        Rate(card=card, **BACK_END).full_clean()


def test_what_the_forms_would_not_take_is_a_problem_and_no_crash(sites: Any) -> None:
    add_card(sites, "en", "EUR", {})
    Rate.objects.update(seniority="principal")
    (problem,) = export_batch([KEYS["en"]]).problems[KEYS["en"]]
    assert problem.subject == Subject("en", "rate_card", "main", field="rates.0.seniority")


def test_more_cards_take_no_more_queries(sites: Any) -> None:
    def queries() -> int:
        with CaptureQueriesContext(connection) as captured:
            export_items(KEYS.values())
        return len(captured)

    add_card(sites, "en", "EUR", {})
    one = queries()
    add_card(sites, "de", "EUR", {}, {"seniority": "lead"})
    assert queries() == one

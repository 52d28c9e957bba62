"""Always one number is the default, and a country has one number."""

from typing import Any

import pytest
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from portolan.content.items import ItemKey
from portolan.content.models import Phone
from portolan.releases.models import PendingChange

NUMBER = "+44 20 7946 0018"


def add(key: str, **given: Any) -> Phone:
    phone = Phone(key=key, **{"phone": NUMBER, **given})
    phone.full_clean()
    phone.save()
    return phone


def default() -> list[str]:
    return list(Phone.objects.filter(is_default=True).values_list("key", flat=True))


def test_the_first_number_is_the_default(db: None) -> None:
    add("london")
    add("dallas")
    assert default() == ["london"]


def test_ticking_another_one_takes_it_over(sites: Any) -> None:
    add("london")
    PendingChange.objects.all().delete()
    dallas = add("dallas", is_default=True)
    assert default() == ["dallas"]
    changed = {ItemKey(row.site, row.kind, row.key) for row in PendingChange.objects.all()}
    assert changed == {ItemKey(site, "phone", key) for site in sites for key in ("london", "dallas")}
    dallas.save()
    assert default() == ["dallas"]


def test_the_default_cannot_be_given_up_for_nothing(db: None) -> None:
    london = add("london")
    add("dallas")
    london.is_default = False
    with pytest.raises(ValidationError, match="is required"):
        london.full_clean()


def test_the_database_takes_no_second_default(db: None) -> None:
    add("london")
    add("dallas")
    with pytest.raises(IntegrityError), transaction.atomic():
        Phone.objects.update(is_default=True)


def test_a_country_has_one_number(db: None) -> None:
    add("london", countries=["gb", "ie"])
    with pytest.raises(ValidationError) as caught:
        add("dublin", countries=["ie", "us"])
    assert caught.value.message_dict == {
        "countries": [f"Each country can have one number: Ireland is assigned to {NUMBER}."]
    }


def test_countries_stand_in_one_order_and_once(db: None) -> None:
    phone = add("london", countries=["ie", "gb", "ie"])
    assert phone.countries == ["gb", "ie"]
    assert phone.country_names == "Ireland, United Kingdom"

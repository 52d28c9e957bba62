import re

import pytest
from django.core.exceptions import ValidationError
from django.db import models

from portolan.content.countries import CountriesField, CountryCheckboxes, CountryField, check_countries, list_countries
from portolan.domain.countries import COUNTRIES


def test_the_list_is_that_of_iso() -> None:
    assert len(COUNTRIES) == 249
    assert all(re.fullmatch(r"[a-z]{2}", code) and name == name.strip() != "" for code, name in COUNTRIES.items())
    assert len(set(COUNTRIES.values())) == 249
    assert {"gb": "United Kingdom", "ae": "United Arab Emirates", "kz": "Kazakhstan"}.items() <= COUNTRIES.items()
    assert not {"uk", "eu", "su", "xk"} & set(COUNTRIES), "reserved and unofficial codes are no countries"


def test_editors_choose_from_names_in_their_order() -> None:
    names = [name for _, name in list_countries()]
    assert list_countries()[0] == ("af", "Afghanistan")
    assert sorted(names) == sorted(COUNTRIES.values())
    plain = [name for name in names if name.isascii()]
    assert plain == sorted(plain, key=str.casefold)
    assert names[1] == "Åland Islands", "a letter with a mark stands with its letter"


@pytest.mark.parametrize("codes", [["uk"], ["GB"], ["gb", ""], ["gb", "zz"], [None]])
def test_what_is_no_country_is_refused(codes: list[str]) -> None:
    with pytest.raises(ValidationError, match="Unknown country code"):
        check_countries(codes)


def test_a_new_country_needs_no_migration() -> None:
    _, _, _, kwargs = CountryField().deconstruct()
    assert "choices" not in kwargs
    assert isinstance(CountryField(), models.CharField)


def test_the_ticked_countries_come_first() -> None:
    field = CountriesField(blank=True, verbose_name="countries").formfield()
    html = field.widget.render("countries", ["us", "gb"])
    values = re.findall(r'value="(..)"', html)
    assert values[:3] == ["gb", "us", "af"], "in the order of their names"
    assert html.count("checked") == 2
    assert 'class="country-checkboxes"' in html
    assert "content/country-checkboxes.js" in str(CountryCheckboxes().media)
    assert field.clean(["ie", "gb"]) == ["ie", "gb"]

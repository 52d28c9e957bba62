import pytest

from portolan.domain.countries import COUNTRIES
from portolan_dev.contract.phone_prefixes import build_phone_prefixes

PREFIXES = build_phone_prefixes()


def test_every_country_has_a_prefix() -> None:
    assert list(PREFIXES) == sorted(COUNTRIES)
    assert all(prefix.isdigit() and 1 <= len(prefix) <= 3 and prefix[0] != "0" for prefix in PREFIXES.values())


@pytest.mark.parametrize(
    ("country", "prefix"),
    [("gb", "44"), ("us", "1"), ("ca", "1"), ("de", "49"), ("ae", "971"), ("az", "994"), ("kz", "7"), ("ru", "7"),
     ("pl", "48"), ("fr", "33"), ("in", "91"), ("by", "375"), ("ua", "380")],
)  # fmt: skip
def test_prefixes_are_those_people_dial(country: str, prefix: str) -> None:
    assert PREFIXES[country] == prefix

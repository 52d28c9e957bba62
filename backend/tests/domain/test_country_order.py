import pytest

from portolan.domain.country_order import order_by_country, put_country_first

ITEMS = ["us-1", "eg-2", "de-3", "ae-4", "fr-5", "ae-6", "-7"]


def country_of(item: str) -> str:
    return item.partition("-")[0]


@pytest.mark.parametrize(
    ("country", "expected"),
    [
        (None, ITEMS),
        ("ae", ["ae-4", "ae-6", "eg-2", "us-1", "de-3", "fr-5", "-7"]),
        ("qa", ["eg-2", "ae-4", "ae-6", "us-1", "de-3", "fr-5", "-7"]),
        ("fr", ["fr-5", "de-3", "us-1", "eg-2", "ae-4", "ae-6", "-7"]),
        ("us", ["us-1", "eg-2", "de-3", "ae-4", "fr-5", "ae-6", "-7"]),
        ("nz", ITEMS),
    ],
)
def test_the_own_country_comes_first_then_its_groups_then_the_rest(country, expected):
    assert order_by_country(ITEMS, country, country_of) == expected


@pytest.mark.parametrize(
    ("country", "expected"),
    [(None, ITEMS), ("ae", ["ae-4", "ae-6", "us-1", "eg-2", "de-3", "fr-5", "-7"]), ("nz", ITEMS)],
)
def test_the_own_country_alone_comes_first(country, expected):
    assert put_country_first(ITEMS, country, country_of) == expected

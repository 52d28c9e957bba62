import pytest

from portolan.domain.countries import COUNTRIES
from portolan.domain.country_groups import ARABIC, CIS, EEA, EU, GROUPS, find_neighbours


@pytest.mark.parametrize(("group", "size"), [("eu", 27), ("eea", 30), ("cis", 10), ("arabic", 22)])
def test_groups_have_as_many_members_as_their_source(group, size):
    assert len(GROUPS[group]) == size
    assert GROUPS[group] <= COUNTRIES.keys()


def test_who_is_in_and_who_is_not():
    assert {"de", "gr", "ie"} <= EU
    assert not EU & {"gb", "ch", "no", "uk"}
    assert {"no", "is", "li"} <= EEA
    assert set("am az by kg kz md ru tj tm uz".split()) == CIS
    assert "ua" not in CIS
    assert {"ae", "eg", "sa"} <= ARABIC
    assert not ARABIC & {"ir", "tr", "il"}


def test_neighbours_are_the_others_of_all_groups():
    assert find_neighbours("ae") == ARABIC - {"ae"}
    assert find_neighbours("de") == EEA - {"de"}
    assert find_neighbours("no") == EEA - {"no"}
    assert find_neighbours("us") == frozenset()

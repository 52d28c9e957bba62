"""Office sets (spec §2 Footer)."""

from operator import attrgetter

from portolan.domain.offices import choose_offices
from portolan.schemas.office import Office, OfficeCategory


def office(key: str, *sets: str) -> Office:
    category = OfficeCategory(name="Sales office", icon="map-pin")
    return Office(
        id=key, city=key, address="", phone="", category=category, country="de", lat=0, lng=0, sets=list(sets)
    )


sets_of = attrgetter("sets")


def test_offices_of_any_wanted_set_come_once_in_the_companys_order() -> None:
    offices = [office("dallas", "default", "us"), office("berlin", "de", "default"), office("baku", "az")]
    assert [o.id for o in choose_offices(offices, ["de", "default"], sets_of)] == ["dallas", "berlin"]
    assert choose_offices(offices, ["fr"], sets_of) == []

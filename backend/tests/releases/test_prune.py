"""Which data is deleted with old releases, and which stays."""

import pytest

from portolan.releases.connection import connected_reader
from portolan.releases.ids import ItemId
from portolan.releases.models import EnteredValue, Release, ReleaseItem, ReleaseReference, ReleaseRoute
from portolan.releases.prune import count_before, prune_before
from portolan.releases.verifications import keep_answers

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]

ROUTES = [
    # site, key, path, template, since, until
    ("en", "a", "/old", "service", 1, 3),
    ("en", "a", "/newer", "service", 3, 6),
    ("en", "a", "/a", "service", 6, None),
    ("en", "b", "/old", "service", 3, 4),
    ("en", "b", "/b", "service", 4, 5),
    ("en", "c", "/back", "service", 1, 2),
    ("en", "d", "/back", "service", 2, 3),
    ("en", "c", "/back", "service", 4, None),
    ("en", "e", "/twice", "service", 1, 2),
    ("en", "f", "/twice", "service", 1, 2),
    ("de", "a", "/old", "service", 1, 2),
    ("en", "404", "/404.html", "error", 1, 2),
    ("en", "404", "/404.html", "error", 2, None),
]


@pytest.fixture
def rows():
    Release.objects.bulk_create(Release(number=number) for number in range(1, 8))
    for site, key, path, template, since, until in ROUTES:
        ReleaseRoute.objects.create(
            site=site, key=key, path=path, template=template, title=key, switcher_hidden=False, since=since, until=until
        )
    for release in (2, 6, 7):
        keep_answers(release, {"en": ("same", "a", 1, "", "")})
    for since, until in ((1, 2), (2, 5), (5, 6), (6, None)):
        ReleaseItem.objects.create(
            site="en", kind="menu", key="main", digest=str(since), body=b"{}", since=since, until=until
        )
        EnteredValue.objects.create(model="m", key="k", value=str(since), since=since, until=until)
        ReleaseReference.objects.create(
            site="en", kind="menu", key="main", target_kind="page", target_key="a", since=since, until=until
        )


@pytest.mark.parametrize("floor", range(1, 8))
def test_what_kept_releases_have_and_every_address_stays(rows, floor):
    reader = connected_reader()
    paths = {(site, path) for site, _, path, *_ in ROUTES}

    def known():
        kept = range(floor, 8)
        return (
            [reader.items(number) for number in kept],
            [reader.pages(number) for number in kept],
            [reader.item(number, *ItemId("en", "menu", "main")) for number in kept],
            {site: reader.former_addresses(site) for site in ("en", "de")},
            {at: reader.former_address(*at) for at in paths},
        )

    before, told = known(), count_before(floor)
    assert prune_before(floor) == told
    assert known() == before
    assert set(prune_before(floor).values()) == {0}
    assert [release.number for release in reader.releases()] == list(range(7, floor - 1, -1))
    assert not ReleaseItem.objects.filter(until__lte=floor).exists()


def test_only_the_newest_row_of_an_address_outlives_its_release(rows):
    assert count_before(7) == {
        "releases": 6, "items": 3, "references": 3, "entered values": 3, "answers of sites": 2, "addresses": 4,
    }  # fmt: skip
    prune_before(7)
    left = ReleaseRoute.objects.filter(path="/old", site="en").values_list("key", flat=True)
    assert list(left) == ["b"]
    assert ReleaseRoute.objects.filter(path="/twice").count() == 2, "nobody could tell which was the last one"

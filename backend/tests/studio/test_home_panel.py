import pytest
from django.urls import reverse

from portolan.builds.live import Hold, Installation, LivePointer
from portolan.cdn.purged import PurgeFailure, PurgeState, write_purged
from portolan.domain.problems import (
    Block,
    HeldChange,
    MissingHome,
    Problem,
    Subject,
    UnknownPlaceholder,
    WrongHeadings,
    pack_all,
)
from portolan.publisher.outcome import write_outcome
from portolan.releases.models import PendingChange, Release, ReleaseItem
from portolan.studio import holds
from portolan.studio.held_back import list_problems
from portolan.studio.home_panel import list_sites

pytestmark = pytest.mark.django_db


@pytest.fixture
def home_screen(admin_client, sites):
    def show() -> str:
        return admin_client.get("/admin/", headers={"Host": "studio.localhost"}).content.decode()

    return show


def test_lists_the_sites_with_their_addresses(home_screen, settings):
    PendingChange.objects.all().delete()
    page = home_screen()
    for key in ("en", "uk", "de"):
        assert f'href="{settings.SITE_ORIGINS[key]}"' in page
    assert "follows International" in page
    assert "Nothing has been published yet." in page
    assert "Held back" not in page


def test_shows_the_last_release_and_what_is_live(home_screen, settings):
    Release.objects.create(number=1, added=2)
    Release.objects.create(number=2, changed=7)
    ReleaseItem.objects.create(site="de", kind="page", key="a", digest="0", body=b"{}", since=1)
    write_outcome(settings.BUILDS_DIR, 2)
    PendingChange.objects.all().delete()
    page = home_screen()
    assert "Everything that was published is live. Last change:" in page
    assert ">release 2</a>" in page
    assert '<td data-label="Pages">1</td>' in page


def test_names_what_could_not_be_released_once_and_where_to_fix_it(home_screen, homes):
    for site in ("uk", "en"):
        item = (site, "page", str(homes["en"].translation_key))
        subject = Subject(*item, "Home", "/", Block("b1", 1, "hero"), "title")
        problem = pack_all([Problem(subject, UnknownPlaceholder("foo"))])
        PendingChange.objects.create(site=site, kind="page", key=item[2], problem=problem)
    page = home_screen()
    assert page.count("International, “Home” (/), block 1 (Hero), title: has the placeholder {foo}") == 1
    assert page.count("{foo}") == 1
    assert reverse("wagtailadmin_pages:edit", args=[homes["en"].pk]) in page


def test_the_studio_bears_the_companys_name(client, db):
    page = client.get("/admin/login/", headers={"Host": "studio.localhost"}).content.decode()
    assert "Sign in to Brightmoor studio" in page
    assert "studio/studio.css" in page


def test_each_site_says_what_it_shows_and_what_waits_there(home_screen, homes, settings, monkeypatch):
    page = str(homes["en"].translation_key)
    subject = Subject("de", "page", page, "Home", "/")
    stopped = Problem(Subject("de"), MissingHome())
    waits = HeldChange("en", "page", page, "Home", 3, True, Problem(subject, WrongHeadings(0)))
    live = LivePointer({}, {"en": 4, "de": 3}, {}, {}, Installation(False, 4, "", ""), {})
    monkeypatch.setattr(holds, "read_live", lambda root: live)
    PendingChange.objects.all().delete()
    write_outcome(settings.BUILDS_DIR, 4, [stopped], [waits])
    rows = {row.name: (row.release, row.state, row.waiting) for row in list_sites(list_problems())}
    assert rows == {
        "International": (4, "waits", 1),
        "United Kingdom": (0, "follows", 0),
        "Deutschland": (3, "stays", 1),
    }
    screen = home_screen()
    assert "Stays as it was: 1 to fix" in screen
    assert "Nothing yet" in screen
    monkeypatch.setattr(
        holds, "read_live", lambda root: live._replace(holds={"de": Hold("2026-11-20T09:30:00Z", "anna")})
    )
    assert {row.name: row.state for row in list_sites(list_problems())}["Deutschland"] == "held"


def test_without_problems_every_site_follows(sites):
    PendingChange.objects.all().delete()
    assert {row.state for row in list_sites(list_problems())} == {"follows"}


def test_says_that_a_cdn_may_still_show_what_was_replaced(home_screen, settings):
    failure = PurgeFailure("2026-11-24T02:00:00+00:00", "it answered 403")
    write_purged(settings.BUILDS_DIR, PurgeState({}, {"north": failure}))
    page = home_screen()
    assert "Live, but perhaps not seen yet" in page
    assert "north could not be told what to drop" in page and "it answered 403" in page
    write_purged(settings.BUILDS_DIR, PurgeState({}, {}))
    assert "perhaps not seen yet" not in home_screen()

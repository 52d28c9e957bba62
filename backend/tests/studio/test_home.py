from datetime import timedelta
from functools import partial
from uuid import NAMESPACE_DNS, UUID, uuid5

import pytest
from django.contrib.auth.models import Group, Permission
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from wagtail.models import GroupPagePermission

from portolan.builds.live import Installation, LivePointer, Pin
from portolan.cdn.purged import PurgeFailure, PurgeState, write_purged
from portolan.content.change_sets.holding import add
from portolan.content.change_sets.models import ChangeSet
from portolan.domain.problems import (
    Block,
    BlockedChange,
    MissingHome,
    Problem,
    Subject,
    UnknownPlaceholder,
    WrongHeadings,
    pack_all,
)
from portolan.leads.models import Lead
from portolan.publisher.outcome import write_outcome
from portolan.releases.models import PendingChange, Release, ReleaseItem
from portolan.studio import pins
from portolan.studio.authors import name_of
from portolan.studio.blocked import list_problems
from portolan.studio.home import mark, screen
from portolan.studio.home.sites import list_sites

pytestmark = pytest.mark.django_db
STUDIO = {"Host": "studio.localhost"}


@pytest.fixture
def home_screen(admin_client, sites):
    def show(query: str = "") -> str:
        return admin_client.get(f"/admin/{query}", headers=STUDIO).content.decode()

    return show


def test_lists_the_sites_with_their_addresses(home_screen, settings):
    PendingChange.objects.all().delete()
    page = home_screen()
    for key in ("en", "uk", "de"):
        assert f'href="{settings.SITE_ORIGINS[key]}"' in page
    assert "inherits from International" in page
    assert "Nothing is published yet. Publish a page to start." in page
    assert "No problems" in page


def test_shows_the_last_release_and_what_is_live(home_screen, settings):
    Release.objects.create(number=1, added=2)
    Release.objects.create(number=2, changed=7)
    ReleaseItem.objects.create(site="de", kind="page", key="a", digest="0", body=b"{}", since=1)
    write_outcome(settings.BUILDS_DIR, 2)
    PendingChange.objects.all().delete()
    page = home_screen()
    assert "All published changes are live. Last change:" in page
    assert ">release 2</a>" in page
    assert '<td data-label="Pages">1</td>' in page


def test_names_what_could_not_be_released_once_and_where_to_fix_it(home_screen, homes):
    for site in ("uk", "en"):
        item = (site, "page", str(homes["en"].translation_key))
        subject = Subject(*item, "Home", "/", Block("b1", 1, "hero"), "title")
        problem = pack_all([Problem(subject, UnknownPlaceholder("foo"))])
        PendingChange.objects.create(site=site, kind="page", key=item[2], problem=problem)
    page = home_screen()
    assert page.count("International, “Home” (/), block 1 (Hero), title: has the unknown placeholder {foo}") == 1
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
    waits = BlockedChange("en", "page", page, "Home", 3, True, Problem(subject, WrongHeadings(0)))
    live = LivePointer({}, {"en": 4, "de": 3}, {}, {}, Installation(False, 4, "", ""), {})
    monkeypatch.setattr(pins, "read_live", lambda root: live)
    PendingChange.objects.all().delete()
    write_outcome(settings.BUILDS_DIR, 4, [stopped], [waits])
    rows = {
        row.name: (row.release, row.state, row.waiting)
        for row in list_sites(list_problems(), settings.SITES_REGISTRY.sites)
    }
    assert rows == {
        "International": (4, "waits", 1),
        "United Kingdom": (0, "follows", 0),
        "Deutschland": (3, "stays", 1),
    }
    screen = home_screen()
    assert "Not updated: 1 to fix" in screen
    assert "Nothing yet" in screen
    monkeypatch.setattr(pins, "read_live", lambda root: live._replace(pins={"de": Pin("2026-11-20T09:30:00Z", "anna")}))
    assert {row.name: row.state for row in list_sites(list_problems(), settings.SITES_REGISTRY.sites)}[
        "Deutschland"
    ] == "pinned"


def test_a_problem_that_is_live_is_listed_and_stops_nothing(home_screen, homes, settings):
    """Its site had nothing else to serve."""
    PendingChange.objects.all().delete()
    subject = Subject("de", "page", str(homes["de"].translation_key), "Home", "/")
    write_outcome(settings.BUILDS_DIR, 4, live_problems=[Problem(subject, WrongHeadings(0))])
    (row,) = list_problems()
    assert row.effect == "Visitors see this version: there is no earlier one to show."
    assert row.stopped == frozenset()
    assert row.effect in home_screen()


def test_without_problems_every_site_follows(sites, settings):
    PendingChange.objects.all().delete()
    assert {row.state for row in list_sites(list_problems(), settings.SITES_REGISTRY.sites)} == {"follows"}


def test_says_that_a_cdn_may_still_show_what_was_replaced(home_screen, settings):
    failure = PurgeFailure("2026-11-24T02:00:00+00:00", "it returned 403")
    write_purged(settings.BUILDS_DIR, PurgeState({}, {"north": failure}))
    page = home_screen()
    assert "Live, but possibly cached" in page
    assert "north could not be purged" in page and "it returned 403" in page
    write_purged(settings.BUILDS_DIR, PurgeState({}, {}))
    assert "possibly cached" not in home_screen()


def _release(number: int, by: str, *sites: str) -> None:
    Release.objects.create(number=number, created_by=by, changed=len(sites))
    for site in sites:
        body = b'{"path": "/about-us", "title": "About", "blocks": []}'
        ReleaseItem.objects.create(
            site=site,
            kind="page",
            key=str(uuid5(NAMESPACE_DNS, f"{number}.{site}")),
            digest="0",
            body=body,
            since=number,
        )


def _part(page: str, name: str) -> str:
    return page.partition(f'data-home="{name}"')[2].partition("</section>")[0]


def test_tells_what_others_changed_on_the_sites_that_are_looked_at(home_screen, admin_user):
    me = name_of(admin_user)
    for number, by, site in ((1, "", "en"), (2, "Anna", "de"), (3, me, "de"), (4, "Boris", "uk")):
        _release(number, by, site)
    told = _part(home_screen(), "activity")
    assert "by Anna" in told and "Deutschland" in told
    assert "by Boris" in told
    assert reverse("studio_release", args=[3]) not in told, "it is my own"
    told = _part(home_screen("?site=de"), "activity")
    assert "by Anna" in told and "by Boris" not in told
    assert "by Boris" not in _part(home_screen(), "activity"), "the choice is kept"
    assert "by Boris" in _part(home_screen("?site=all"), "activity")


def test_what_failed_says_whose_it_is_and_mine_first(home_screen, homes, admin_user):
    me = name_of(admin_user)
    for site, by, detail in (("de", "Anna", "foo"), ("en", me, "bar")):
        item = (site, "page", str(homes[site].translation_key))
        problem = pack_all(
            [Problem(Subject(*item, "Home", "/", Block("b1", 1, "hero"), "title"), UnknownPlaceholder(detail))]
        )
        PendingChange.objects.create(site=site, kind="page", key=item[2], problem=problem, by=by)
    failed = _part(home_screen(), "failed")
    assert failed.index("{bar}") < failed.index("{foo}")
    assert failed.count(">Yours<") == 1
    assert "Changed by <strong>Anna</strong>" in failed
    german = _part(home_screen("?site=de"), "failed")
    assert "{foo}" in german and "{bar}" not in german
    assert "1 more on other sites." in german


def test_waits_for_me_what_i_drafted_and_what_nobody_has_answered(home_screen, homes, admin_user, django_user_model):
    other = django_user_model.objects.create_user("other")
    for site, user in (("de", admin_user), ("en", other)):
        page = homes[site]
        page.title = f"Draft {site}"
        page.save_revision(user=user)
    store = partial(Lead.objects.create, site="de", form="contact", created_at=timezone.now(), fields={})
    store()
    store(assigned_to=admin_user)
    store(is_begun=True)
    store(state=Lead.State.QUARANTINED)
    waiting = _part(home_screen(), "waiting")
    assert "Draft de" in waiting and "Draft en" not in waiting
    assert "1 new enquiry" in waiting and "1 enquiry" in waiting and "1 quarantined enquiry" in waiting
    assert "Draft de" not in _part(home_screen("?site=en"), "waiting")
    add(ChangeSet.objects.create(name="Campaign"), homes["de"], admin_user)
    assert "Draft de" not in _part(home_screen("?site=all"), "waiting"), "the change set says what waits there"


def test_tells_an_editor_of_one_country_of_that_one_alone(homes, sites, django_user_model, client, settings):
    editor = django_user_model.objects.create_user("kai")
    group = Group.objects.create(name="Germans")
    group.permissions.add(Permission.objects.get(content_type__app_label="wagtailadmin", codename="access_admin"))
    change = Permission.objects.get(content_type__app_label="wagtailcore", codename="change_page")
    GroupPagePermission.objects.create(group=group, page=homes["de"], permission=change)
    editor.groups.add(group)
    client.force_login(editor)
    for number, by, site in ((1, "", "en"), (2, "Anna", "de"), (3, "Boris", "uk")):
        _release(number, by, site)
    page = client.get("/admin/", headers=STUDIO).content.decode()
    assert "by Anna" in _part(page, "activity") and "by Boris" not in page
    assert reverse("studio_release", args=[2]) in _part(page, "activity"), "who may see it is led there"
    assert reverse("studio_release", args=[3]) not in page
    assert settings.SITE_ORIGINS["de"] in page and settings.SITE_ORIGINS["uk"] not in page
    assert "Pin all sites" not in page and "enquir" not in _part(page, "failed")
    assert "studio-notices" not in page and "studio-choice" not in page


@pytest.mark.postgres
def test_an_open_screen_asks_for_what_is_new_and_gets_it_once(admin_client, homes):
    first = admin_client.get("/admin/home/", headers=STUDIO)
    assert 'data-home="failed"' in first.content.decode()
    seen = {"seen": first["X-Seen"]}
    assert admin_client.get("/admin/home/", seen, headers=STUDIO).status_code == 204
    item = ("de", "page", str(homes["de"].translation_key))
    problem = pack_all([Problem(Subject(*item, "Home", "/"), WrongHeadings(0))])
    PendingChange.objects.create(site="de", kind="page", key=item[2], problem=problem, by="Anna")
    second = admin_client.get("/admin/home/", seen, headers=STUDIO)
    assert "main headings" in second.content.decode()
    assert second["X-Seen"] != first["X-Seen"]


@pytest.mark.postgres
def test_an_open_screen_hears_of_each_lead_at_once(admin_client, homes, monkeypatch):
    moment = timezone.now()
    monkeypatch.setattr(mark.timezone, "now", lambda: moment)
    marks = []
    for seconds, id in enumerate((UUID(int=2), UUID(int=3), UUID(int=1))):
        Lead.objects.create(id=id, site="de", form="contact", created_at=moment + timedelta(seconds=seconds), fields={})
        marks.append(admin_client.get("/admin/home/", headers=STUDIO)["X-Seen"].partition(".")[2])
    assert len({*marks}) == 3


@pytest.mark.postgres
def test_an_open_screen_costs_little_while_nothing_happens(
    admin_client, homes, django_assert_max_num_queries, monkeypatch
):
    moment = timezone.now()
    monkeypatch.setattr(mark.timezone, "now", lambda: moment)
    first = admin_client.get("/admin/home/", headers=STUDIO)
    monkeypatch.setattr(screen, "describe", lambda request: pytest.fail("it is not described again"))
    with django_assert_max_num_queries(8):
        again = admin_client.get("/admin/home/", {"seen": first["X-Seen"]}, headers=STUDIO)
    assert (again.status_code, again["X-Seen"]) == (204, first["X-Seen"])


def test_the_dashboard_asks_the_database_no_more_where_many_pages_are_blocked(
    home_screen, homes, settings, monkeypatch
):
    """The database has items without a snapshot. The publish's outcome has items that the publish checks refused."""
    PendingChange.objects.all().delete()
    Release.objects.create(number=1, created_by="Anna")

    def block(pages: int) -> None:
        keys = [str(uuid5(NAMESPACE_DNS, str(number))) for number in range(pages)]
        subjects = [Subject("de", "page", key, f"Page {key}", f"/{key}") for key in keys]
        PendingChange.objects.all().delete()
        PendingChange.objects.bulk_create(
            PendingChange(
                site="de", kind="page", key=each.key, by="Anna", problem=pack_all([Problem(each, UnknownPlaceholder("foo"))])
            )
            for each in subjects
        )  # fmt: skip
        blocked = [
            BlockedChange("de", "page", each.key, each.title, 1, True, Problem(each, WrongHeadings(0)))
            for each in subjects
        ]
        write_outcome(settings.BUILDS_DIR, 1, [], blocked)

    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            page = home_screen()
        assert "{foo}" in page and "main headings" in page
        return len(queries)

    block(6)
    count()  # content types and the like are read once
    before = count()
    block(60)
    assert count() == before

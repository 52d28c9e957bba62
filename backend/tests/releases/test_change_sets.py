"""A change set goes live as one release, at once, on schedule or not at all. Reverting it is one release too."""

import os
from datetime import UTC, datetime, timedelta

import pytest
from django.contrib.auth import get_user_model
from django.utils import timezone
from modelsearch import index
from wagtail.models import Page, Revision

from portolan.commands.release_making import run_scheduled
from portolan.commands.release_worker import DjangoReleaseWorker
from portolan.content.change_sets.holding import HeldElsewhere, add, find_overtaken, own_sites, sites_of
from portolan.content.change_sets.models import ChangeSet, ChangeSetItem, ChangeSetNotice
from portolan.content.changes import keys_of
from portolan.content.collections.offices import Office
from portolan.content.navigation.menu import MenuSettings
from portolan.content.pages.about import AboutPage
from portolan.content.pages.service import ServicePage
from portolan.content.redirects import Redirect
from portolan.domain.change_sets import State
from portolan.releases import change_sets
from portolan.releases.change_sets import NotReady, put_live, rehearse
from portolan.releases.changes import _gathered, note_changes
from portolan.releases.connection import connected_reader
from portolan.releases.models import PendingChange, Release
from portolan.releases.schedule import run_schedule
from portolan.studio.revert import revert

from ..conftest import _create_site, publish_page
from .conftest import rich_text

pytestmark = pytest.mark.django_db
START = datetime(2026, 11, 22, 9, 0, tzinfo=UTC)
ALL = ("en", "uk", "de", "ae", "az", "kz", "pl", "fr")
APPROVED = (State.APPROVED,)
EACH = int(os.environ.get("PORTOLAN_CHANGES_A_SITE", "1"))
"""With 5 they are forty."""


@pytest.fixture
def anna():
    return get_user_model().objects.create_superuser("anna", first_name="Anna", last_name="Berg")


@pytest.fixture
def approved(anna):
    """An approved set of drafts: ``approved(page, office=…)``."""

    def make(*things, name="Spring", state=State.APPROVED, **values):
        change_set = ChangeSet.objects.create(name=name, owner=anna, approved_by=anna, state=state.value, **values)
        for thing in things:
            add(change_set, thing, anna)
        return change_set

    return make


def draft(page, **fields):
    for name, value in fields.items():
        setattr(page, name, value)
    page.save_revision()
    return type(page).objects.get(pk=page.pk)


def newest():
    return Release.objects.first()


def says(page, site="en"):
    item = connected_reader().item(newest().number, site, "page", str(page.translation_key))
    return item and item.body.decode()


@pytest.mark.postgres
def test_changes_over_eight_sites_are_one_release_and_reverted_as_one(world, anna, approved):
    for site in ALL[3:]:
        _create_site(site)
    homes = {page.slug: page.specific for page in Page.objects.filter(depth=2)}
    pages = [
        publish_page(homes[site], ServicePage, f"offer-{number}", title=f"Offer {number}", locale=homes[site].locale)
        for site in ALL
        for number in range(EACH)
        if site != "uk"  # it follows the international site
    ]
    world.snapshot()
    before = newest().number
    things = [draft(page, title=f"{page.title} in spring") for page in pages]
    things += [draft(world.page(name), title=f"{name} in spring") for name in ("about", "german", "web")]
    fresh = [AboutPage(title=f"New {number}", slug=f"new-{number}", live=False) for number in range(2)]
    for page in fresh:
        homes["en"].refresh_from_db()
        homes["en"].add_child(instance=page)
        things.append(draft(page))
    assert len(things) == 7 * EACH + 5
    change_set = approved(*things)
    assert set().union(*map(sites_of, things)) == set(ALL)
    assert newest().number == before

    release = put_live(change_set, "Anna Berg", anna, APPROVED)
    assert (release.number, release.created_by, release.note) == (before + 1, "Anna Berg", "Spring")
    touched = {site for _, site, kind, _ in world.differences() if kind == "page"}
    assert touched == set(ALL)
    assert "Offer 0 in spring" in says(pages[0])
    assert "Offer 0 in spring" in says(pages[0], "uk")
    assert not PendingChange.objects.exists()
    change_set.refresh_from_db()
    assert (change_set.at, change_set.release) == (State.LIVE, release.number)
    assert not change_set.items.filter(is_open=True).exists()

    taken = revert(release.number, "Anna Berg", anna)
    assert (taken.new, taken.left) == (release.number + 1, [])
    assert connected_reader().changes(before, taken.new) == []


def test_its_release_holds_nothing_of_others(world, anna, approved):
    """Earlier changes of others become a release before it. Changes committed meanwhile wait for the next one."""
    change_set = approved(draft(world.page("about"), title="Ours"))
    web = world.page("web")
    web.title = "Theirs"
    web.save_revision().publish()
    before = newest().number
    release = put_live(change_set, "Anna Berg", anna, APPROVED)
    assert release.number == before + 2
    assert world.differences() == {("changed", "en", "page", "/about-us"), ("changed", "uk", "page", "/about-us")}
    with pytest.raises(NotReady, match="has just been changed"):  # an editor pressed the button a moment later
        put_live(change_set, "Ben", anna, APPROVED)


@pytest.mark.postgres
def test_what_is_noted_meanwhile_by_others_stays_pending(world, anna, approved, monkeypatch):
    change_set = approved(draft(world.page("about"), title="Ours"))
    apply = change_sets._apply

    def apply_beside_others(item, user):
        apply(item, user)
        token = _gathered.set(None)  # as another process, whose row is committed before ours
        Office.objects.filter(pk=world.office.pk).update(phone="+1 214-555-0199")
        note_changes(keys_of(world.office))
        _gathered.reset(token)

    monkeypatch.setattr(change_sets, "_apply", apply_beside_others)
    put_live(change_set, "Anna Berg", anna, APPROVED)
    assert {kind for _, _, kind, _ in world.differences()} == {"page"}
    assert {row.kind for row in PendingChange.objects.all()} == {"office"}


@pytest.mark.postgres
def test_all_or_nothing(world, anna, approved):
    """A link to a page that is not there, in the last of three: the first two stay as they were too."""
    things = [draft(world.page("web"), title="Fine"), draft(world.page("german"), title="Gut")]
    gone = world.page("home").add_child(instance=AboutPage(title="Gone", slug="gone", live=False))
    things.append(draft(world.page("about"), body=rich_text(f'<p><a linktype="page" id="{gone.pk}">x</a></p>')))
    world.snapshot()
    before = newest().number
    change_set = approved(*things)
    rehearsal = rehearse(change_set)
    assert {problem.site for problem in rehearsal.problems} == {"en", "uk"}
    with pytest.raises(NotReady) as refused:
        put_live(change_set, "Anna Berg", anna, APPROVED)
    assert refused.value.reasons
    assert newest().number == before
    assert not PendingChange.objects.exists()
    assert [page.title for page in map(world.page, ("web", "german"))] == ["web", "about-us"]
    change_set.refresh_from_db()
    assert change_set.at == State.APPROVED


def test_what_links_to_something_new_of_the_same_set_is_no_problem(world, anna, approved):
    home = world.page("home")
    fresh = home.add_child(instance=AboutPage(title="Fresh", slug="fresh", live=False))
    things = [
        draft(world.page("about"), body=rich_text(f'<p><a linktype="page" id="{fresh.pk}">x</a></p>')),
        draft(fresh),
    ]
    world.snapshot()
    change_set = approved(*things)
    before = newest().number, Revision.objects.count()
    rehearsal = rehearse(change_set)
    assert (rehearsal.problems, rehearsal.refused) == ([], {})
    assert {key.site for key in rehearsal.bodies} == {"en", "uk"}
    assert (newest().number, Revision.objects.count()) == before
    assert not PendingChange.objects.exists()
    put_live(change_set, "Anna Berg", anna, APPROVED)
    assert "Fresh" in says(fresh)


def test_a_page_is_taken_down_with_the_rest(world, anna, approved):
    change_set = approved(draft(world.page("about"), title="Ours"))
    add(change_set, world.page("web"), anna, ChangeSetItem.UNPUBLISH)
    put_live(change_set, "Anna Berg", anna, APPROVED)
    assert says(world.page("web")) is None
    assert says(world.page("web"), "uk") is None
    assert "Ours" in says(world.page("about"))


def test_what_went_live_meanwhile_is_a_conflict(world, anna, approved):
    change_set = approved(draft(world.page("about"), title="Ours"), draft(world.page("web"), title="Also ours"))
    assert find_overtaken(change_set.items.all()) == []
    about = world.page("about")
    about.title = "Theirs"
    about.save_revision().publish()
    (overtaken,) = find_overtaken(change_set.items.all())
    assert overtaken.object_id == str(about.pk)
    with pytest.raises(NotReady, match="published elsewhere"):
        put_live(change_set, "Anna Berg", anna, APPROVED)


def test_what_was_approved_goes_live_and_no_newer_draft(world, anna, approved):
    page = draft(world.page("about"), title="Approved")
    change_set = approved(page)
    change_set.items.update(approved=page.latest_revision_id)
    draft(page, title="Typed since")
    put_live(change_set, "Anna Berg", anna, APPROVED)
    assert "Approved" in says(page)
    assert world.page("about").has_unpublished_changes


def test_a_thing_is_in_one_open_set_at_a_time(world, approved):
    about = draft(world.page("about"), title="Ours")
    first = approved(about)
    second = approved(name="Summer")
    with pytest.raises(HeldElsewhere, match="already in the change set “Spring”"):
        add(second, about)
    first.items.update(is_open=False)
    assert add(second, about).change_set == second
    assert own_sites(about) == {"en"}


@pytest.mark.postgres
def test_it_goes_live_at_its_time_by_the_publisher(world, anna, approved, monkeypatch):
    monkeypatch.setattr(timezone, "now", lambda: START + timedelta(hours=1))
    change_set = approved(
        draft(world.page("about"), title="On time"), state=State.SCHEDULED, go_live_at=START + timedelta(hours=1)
    )
    reader = connected_reader()
    assert reader.next_scheduled() == START + timedelta(hours=1)
    assert run_scheduled(reader, DjangoReleaseWorker(), START) == []
    assert "On time" not in says(world.page("about"))
    assert run_scheduled(reader, DjangoReleaseWorker(), START + timedelta(hours=1)) == []
    assert "On time" in says(world.page("about"))
    assert (newest().note, newest().created_by) == ("Spring", "Anna Berg")
    assert reader.next_scheduled() is None
    change_set.refresh_from_db()
    assert change_set.at == State.LIVE


def test_what_cannot_go_live_at_its_time_waits_and_its_owner_is_told(world, anna, approved, monkeypatch):
    about, web = draft(world.page("about"), title="Ours"), draft(world.page("web"), title="Also ours")
    failing = approved(about, state=State.SCHEDULED, go_live_at=START)
    fine = approved(web, name="Summer", state=State.SCHEDULED, go_live_at=START)
    about.title = "Theirs"
    about.save_revision().publish()
    (said,) = run_schedule(START)
    assert "“Spring” could not go live" in said
    failing.refresh_from_db()
    fine.refresh_from_db()
    assert (failing.at, fine.at) == (State.FAILED, State.LIVE)
    assert "published elsewhere" in failing.said
    assert [(notice.to, notice.change_set) for notice in ChangeSetNotice.objects.all()] == [(anna, failing)]
    assert run_schedule(START + timedelta(minutes=1)) == []  # it is not tried again


def test_the_date_of_a_draft_gives_way_to_that_of_its_set(world, anna, approved):
    page = draft(world.page("about"), title="Ours", go_live_at=timezone.now() + timedelta(days=9))
    put_live(approved(page), "Anna Berg", anna, APPROVED)
    assert "Ours" in says(page)


@pytest.mark.postgres
def test_a_rehearsal_leaves_search_and_counts_of_uses_alone_and_going_live_does_not(
    world, anna, approved, settings, monkeypatch
):
    settings.TASKS = {"default": {"BACKEND": "django_tasks.backends.immediate.ImmediateBackend"}}
    indexed = []
    monkeypatch.setattr(index, "insert_or_update_object", lambda found: indexed.append(found.title))
    page = world.page("about")
    draft(page, title="Spring in the title")
    change_set = approved(page)
    indexed.clear()
    assert any(body and body["title"] == "Spring in the title" for body in rehearse(change_set).bodies.values())
    assert indexed == []
    put_live(change_set, "Anna", anna, states=APPROVED)
    assert "Spring in the title" in indexed


def test_entries_and_redirects_go_live_with_pages(world, anna, approved):
    office = world.office
    office.phone = "+1 214-555-0177"
    office.save_revision()
    office.refresh_from_db()
    menu = MenuSettings.for_site(world.sites["de"].wagtail_site)
    moved = Redirect(site=world.sites["de"], source="/alt", address="/about-us", live=False)
    moved.save()
    moved.save_revision()
    moved.refresh_from_db()
    assert [own_sites(thing) for thing in (office, menu, moved)] == [set(), {"de"}, {"de"}]
    put_live(approved(office, moved, draft(world.page("german"), title="Neu")), "Anna Berg", anna, APPROVED)
    assert {kind for _, site, kind, _ in world.differences() if site == "de"} >= {"office", "redirect", "page"}
    taken = revert(newest().number, "Anna Berg", anna)
    assert taken.left == []
    assert connected_reader().changes(newest().number - 2, taken.new) == []

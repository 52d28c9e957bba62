"""Schedules: pages go live and expire on time, or later if the time was missed."""

import json
from datetime import UTC, date, datetime, timedelta
from unittest.mock import Mock
from zoneinfo import ZoneInfo

import pytest
from django.apps import apps
from django.contrib.auth import get_user_model
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.utils import timezone
from wagtail.models import DraftStateMixin, Page, Revision

from portolan.commands.publish_watch import wait_for_work
from portolan.commands.release_making import run_scheduled
from portolan.commands.release_worker import DjangoReleaseWorker
from portolan.content.collections import COLLECTIONS
from portolan.content.drafts import Drafted
from portolan.content.models import Phone
from portolan.content.moments import EXPIRING
from portolan.content.pages.about import AboutPage
from portolan.content.pages.event import EventPage
from portolan.releases import changes
from portolan.releases.connection import connected_reader
from portolan.releases.models import Moment, PendingChange, Release
from portolan.releases.schedule import run_schedule

from ..conftest import publish_page

pytestmark = pytest.mark.django_db
START = datetime(2026, 11, 22, 9, 0, tzinfo=UTC)


class Clock:
    def __init__(self):
        self.now = START

    def __call__(self):
        return self.now

    def advance(self, **by):
        self.now += timedelta(**by)
        return self.now


@pytest.fixture
def clock(monkeypatch):
    """Replace the clock, also Wagtail's."""
    clock = Clock()
    monkeypatch.setattr(timezone, "now", clock)
    return clock


def schedule(page, go_live_at=None, expire_at=None, user=None, **fields):
    """Set dates as the studio's form does."""
    for name, value in fields.items():
        setattr(page, name, value)
    page.go_live_at, page.expire_at = go_live_at, expire_at
    page.save_revision(user=user).publish(user=user)


def look(world, clock):
    """Do the publisher's work before each publish."""
    problems = run_scheduled(connected_reader(), DjangoReleaseWorker(), clock())
    world.snapshot()
    return problems


def frozen(world, name):
    page = world.page(name)
    item = connected_reader().item(Release.objects.first().number, "en", "page", str(page.translation_key))
    return item and item.body.decode()


@pytest.mark.postgres
def test_a_page_goes_live_at_its_time_and_not_before(world, clock):
    editor = get_user_model().objects.create_superuser("anna", first_name="Anna", last_name="Berg")
    schedule(world.page("about"), go_live_at=START + timedelta(hours=1), user=editor, title="The new title")
    assert connected_reader().next_scheduled() == START + timedelta(hours=1)
    clock.advance(minutes=59, seconds=59)
    look(world, clock)
    assert "The new title" not in frozen(world, "about")
    clock.advance(seconds=1)
    look(world, clock)
    assert "The new title" in frozen(world, "about")
    assert Release.objects.first().created_by == "Anna Berg"
    assert connected_reader().next_scheduled() is None


def test_a_page_that_nobody_has_seen_yet_goes_live(world, clock, add_page):
    page = AboutPage(title="Soon", slug="soon", live=False)
    world.page("home").add_child(instance=page)
    world.pages["soon"] = page.pk
    schedule(page, go_live_at=START + timedelta(seconds=3))
    world.snapshot()
    assert frozen(world, "soon") is None
    clock.advance(seconds=3)
    look(world, clock)
    assert "Soon" in frozen(world, "soon")


@pytest.mark.postgres
def test_a_page_expires_with_its_copies(world, clock):
    schedule(world.page("web"), expire_at=START + timedelta(hours=1))
    world.snapshot()
    clock.advance(hours=1)
    look(world, clock)
    assert frozen(world, "web") is None
    assert ("removed", "uk", "page", "/services/web") in world.differences()
    assert world.page("web").expired
    assert connected_reader().next_scheduled() is None


@pytest.mark.postgres
def test_a_time_that_was_missed_as_a_whole_shows_nothing(world, clock):
    """The publisher was away at both the start and the end of the page's time."""
    schedule(
        world.page("about"), go_live_at=START + timedelta(hours=1), expire_at=START + timedelta(hours=2), title="Sale"
    )
    before = Release.objects.count()
    clock.advance(hours=3)
    look(world, clock)
    assert frozen(world, "about") is None
    assert not world.page("about").live
    assert Release.objects.count() == before + 1
    assert connected_reader().next_scheduled() is None


def test_one_that_cannot_go_live_is_named_and_holds_up_no_other(world, clock):
    """Another editor has taken its URL meanwhile."""
    schedule(world.page("about"), go_live_at=START + timedelta(hours=1), slug="wanted", title="The first")
    schedule(world.page("german"), go_live_at=START + timedelta(hours=2), title="Das zweite")
    taken = world.page("web")
    taken.move(world.page("home"), pos="last-child")
    schedule(world.page("web"), slug="wanted")
    clock.advance(hours=3)
    problems = look(world, clock)
    assert len(problems) == 1
    assert "“The first” was to go live at 2026-11-22 10:00:00 UTC" in problems[0]
    assert world.page("german").title == "Das zweite"
    assert world.page("about").title == "about-us"
    assert look(world, clock) == problems


def test_what_went_live_with_a_problem_is_said(world, clock):
    """Its schedule is kept; the page's last good state stays until it is fixed."""
    page = world.page("about")
    page.body = [("rich_text", {"html": f'<p><a linktype="page" id="{world.pages["services"]}">folder</a></p>'})]
    schedule(page, go_live_at=START + timedelta(hours=1), title="Broken")
    clock.advance(hours=1)
    look(world, clock)
    assert "Broken" not in frozen(world, "about")
    blocked = [change for change in connected_reader().blocked_changes() if change.problem.subject.title == "Broken"]
    assert (
        {change.site for change in blocked} == set(PendingChange.objects.values_list("site", flat=True)) == {"en", "uk"}
    )
    assert all(change.is_there for change in blocked)


def test_the_publisher_hears_of_a_schedule(world, clock, django_capture_on_commit_callbacks):
    """A page due before the next look would be late. Other saves of a live page send no wake."""
    page = world.page("about")
    page.go_live_at = START + timedelta(seconds=3)
    revision = page.save_revision()
    connection.run_on_commit.clear()
    with django_capture_on_commit_callbacks() as callbacks:
        revision.publish()
    assert callbacks.count(changes._wake) == 1
    assert not PendingChange.objects.exists()


def test_what_can_expire_is_what_the_schedule_looks_at():
    """``run_schedule`` publishes any draft, but expires only pages and ``EXPIRING``."""
    others = [m for m in apps.get_models() if issubclass(m, DraftStateMixin) and not issubclass(m, Page)]
    assert all(issubclass(model, Drafted) for model in others)
    expire = {m for m in others if "expire_at" in m.get_edit_handler().get_form_class().base_fields}
    assert expire <= {*EXPIRING}


@pytest.mark.parametrize(
    ("seconds", "waited", "is_woken"),
    [(None, 5, False), (3600, 5, False), (2.5, 2.5, True), (-60, 5, False)],
    ids=["nothing scheduled", "far off", "before the next look", "past, so that it could not be"],
)
def test_waits_no_longer_than_until_something_is_due(seconds, waited, is_woken):
    pauses = []

    def wait(pause):
        pauses.append(pause)
        return False

    due = None if seconds is None else START + timedelta(seconds=seconds)
    assert wait_for_work(wait, due, START) is is_woken
    assert pauses == [waited]


@pytest.mark.postgres
def test_schedule_of_a_cancelled_revision_is_left_alone(world, clock):
    schedule(world.page("about"), go_live_at=START + timedelta(hours=1), title="Never")
    Revision.objects.update(approved_go_live_at=None)
    assert run_schedule(clock.advance(hours=2)) == []
    assert world.page("about").title == "about-us"


@pytest.fixture
def phone(world):
    return Phone.objects.create(key="gb", phone="+44 20 7946 0100", countries=["gb"])


def is_in_release(phone, site="en"):
    return connected_reader().item(Release.objects.first().number, site, "phone", phone.key) is not None


@pytest.mark.postgres
def test_an_entry_comes_and_goes_on_every_site_with_what_else_is_due_then(world, clock, phone):
    at = START + timedelta(hours=1)
    phone.go_live_at, phone.expire_at = at, START + timedelta(hours=2)
    phone.save()
    schedule(world.page("about"), go_live_at=at, title="Both at nine")
    world.snapshot()
    before = Release.objects.count()
    assert connected_reader().next_scheduled() == at
    clock.advance(minutes=59, seconds=59)
    look(world, clock)
    assert not is_in_release(phone)
    clock.advance(seconds=1)
    look(world, clock)
    assert is_in_release(phone, "en")
    assert is_in_release(phone, "de")
    assert "Both at nine" in frozen(world, "about")
    assert Release.objects.count() == before + 1
    assert connected_reader().next_scheduled() == phone.expire_at
    clock.advance(hours=1)
    look(world, clock)
    assert not is_in_release(phone)
    assert Release.objects.count() == before + 2
    look(world, clock)
    assert Release.objects.count() == before + 2, "nothing is done twice"
    assert connected_reader().next_scheduled() is None


def test_an_entry_whose_whole_time_was_missed_is_never_shown(world, clock, phone):
    phone.go_live_at, phone.expire_at = START + timedelta(hours=1), START + timedelta(hours=2)
    phone.save()
    world.snapshot()
    before = Release.objects.count()
    clock.advance(hours=3)
    look(world, clock)
    assert (is_in_release(phone), Release.objects.count()) == (False, before)
    assert not Moment.objects.exists()


@pytest.mark.postgres
@pytest.mark.parametrize("killed", ["before", "while it is noted", "after it was noted"])
def test_a_kill_around_the_moment_loses_and_doubles_nothing(world, clock, phone, killed, monkeypatch):
    phone.go_live_at = START + timedelta(hours=1)
    phone.save()
    world.snapshot()
    before = Release.objects.count()
    clock.advance(minutes=59) if killed == "before" else clock.advance(hours=1)
    if killed == "while it is noted":
        with monkeypatch.context() as patch, pytest.raises(KeyboardInterrupt), transaction.atomic():
            patch.setattr("portolan.releases.schedule.note_changes", Mock(side_effect=KeyboardInterrupt))
            run_schedule(clock())
        assert Moment.objects.exists()
    else:
        run_schedule(clock())
    assert Release.objects.count() == before
    clock.advance(minutes=10)
    for _ in range(2):
        look(world, clock)
    assert is_in_release(phone)
    assert Release.objects.count() == before + 1


def test_what_an_editor_changes_or_deletes_is_not_waited_for(world, clock, phone):
    phone.go_live_at = START + timedelta(hours=1)
    phone.save()
    phone.go_live_at = START + timedelta(hours=5)
    phone.save()
    assert connected_reader().next_scheduled() == START + timedelta(hours=5)
    assert list(Moment.objects.values_list("at", flat=True)) == [phone.go_live_at]
    phone.delete()
    assert connected_reader().next_scheduled() is None


@pytest.mark.postgres
def test_an_event_passes_on_each_site_when_its_day_is_over_there(world, clock):
    days = {"start": date(2026, 11, 20), "end": date(2026, 11, 23), "cover": world.picture, "summary": "Three days."}
    event = publish_page(world.page("home"), EventPage, "fair", **days)
    publish_page(
        world.page("german").get_parent().specific,
        EventPage,
        "messe",
        locale=world.page("german").locale,
        translation_key=event.translation_key,
        **days,
    )
    world.snapshot()
    before = Release.objects.count()

    def passed():
        reader = connected_reader()
        cards = {site: reader.item(reader.latest(), site, "event", str(event.translation_key)) for site in ("en", "de")}
        return [site for site, card in cards.items() if json.loads(card.body)["value"]["past"]]

    berlin, london = (datetime(2026, 11, 24, tzinfo=ZoneInfo(zone)) for zone in ("Europe/Berlin", "Europe/London"))
    assert list(Moment.objects.order_by("at").values_list("at", flat=True)) == [berlin, london]
    clock.now = berlin - timedelta(seconds=1)
    look(world, clock)
    assert (passed(), Release.objects.count()) == ([], before)
    clock.now = berlin
    look(world, clock)
    assert (passed(), Release.objects.count()) == (["de"], before + 1)
    clock.now = london + timedelta(days=9)  # the machine was off
    look(world, clock)
    look(world, clock)
    assert (passed(), Release.objects.count()) == (["en", "de"], before + 2)
    assert connected_reader().next_scheduled() is None


def test_an_event_that_is_put_off_or_deleted_passes_as_it_is_then(world, clock):
    event = publish_page(
        world.page("home"), EventPage, "fair", start=date(2026, 11, 23), cover=world.picture, summary="One day."
    )
    midnight = datetime(2026, 11, 24, tzinfo=ZoneInfo("Europe/London"))
    assert connected_reader().next_scheduled() == midnight
    event.title = "Only a draft"
    event.start = date(2026, 11, 25)
    event.save_revision()
    assert connected_reader().next_scheduled() == midnight
    event.save_revision().publish()
    assert connected_reader().next_scheduled() == midnight + timedelta(days=2)
    EventPage.objects.update(start=date(2026, 11, 26))  # changed without saving, as by a new time zone of a site
    clock.now = midnight + timedelta(days=2)
    look(world, clock)
    assert connected_reader().next_scheduled() == midnight + timedelta(days=3)
    for page in EventPage.objects.all():  # the event, and its live copy
        page.delete()
    assert connected_reader().next_scheduled() is None


def test_an_entry_cannot_go_before_it_comes(phone):
    phone.go_live_at, phone.expire_at = START, START
    with pytest.raises(ValidationError) as error:
        phone.full_clean()
    assert set(error.value.message_dict) == {"expire_at"}


def test_the_default_number_is_always_there(phone):
    phone.is_default, phone.expire_at = True, START
    with pytest.raises(ValidationError) as error:
        phone.full_clean()
    assert "always shown" in str(error.value.message_dict["is_default"])


def test_every_collection_but_facets_can_expire():
    """The name of a facet value is in the cards of case studies, which stay when the value expires."""
    forms = {kind: model.get_edit_handler().get_form_class() for kind, model in COLLECTIONS.items()}
    assert all("go_live_at" in form.base_fields for form in forms.values())
    assert {kind for kind, form in forms.items() if "expire_at" not in form.base_fields} == {"facet"}

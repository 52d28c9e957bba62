"""Change sets in the studio: save to a set from a form, view, review, go live, and the rights to each."""

import re
from datetime import date, timedelta
from email.message import EmailMessage

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission
from django.core.files.base import ContentFile
from django.urls import reverse
from django.utils import timezone
from wagtail.models import Comment, GroupPagePermission, Page

from portolan.content.change_sets.holding import add
from portolan.content.change_sets.models import ChangeSet, ChangeSetNotice
from portolan.content.going_live import is_page_reviewed
from portolan.content.models import ServicePage, SiteImage, SiteRecord
from portolan.content.pages.event import EventPage
from portolan.domain.change_sets import State, Step
from portolan.domain.mail_server import read_mail_server
from portolan.leads.destinations.base import Retryable
from portolan.releases.create import create_release
from portolan.releases.models import Release
from portolan.studio.changes import checks
from portolan.studio.changes.calendar import read_month
from portolan.studio.changes.mail import tell_people
from portolan.studio.changes.steps import Refused, mark_of, take_step
from portolan.studio.changes.waiting import waiting_for
from portolan.studio.permissions import sync_editors_group

from ..releases.conftest import SVG

pytestmark = pytest.mark.django_db


def person(name, *groups, **values):
    user = get_user_model().objects.create_user(name, f"{name}@example.com", "x", first_name=name.title(), **values)
    user.groups.add(*groups)
    return user


def anew(user):
    """Return the user without the rights cached by Django and Portolan."""
    return get_user_model().objects.get(pk=user.pk)


@pytest.fixture
def publishers():
    return sync_editors_group()


@pytest.fixture
def writers():
    """Users who may write everywhere and publish nowhere."""
    group = Group.objects.create(name="Writers")
    group.permissions.add(Permission.objects.get(codename="access_admin"))
    for codename in ("add_page", "change_page"):
        permission = Permission.objects.get(content_type__app_label="wagtailcore", codename=codename)
        GroupPagePermission.objects.create(group=group, page=Page.get_first_root_node(), permission=permission)
    return group


@pytest.fixture
def anna(client, publishers):
    user = person("anna", publishers)
    client.force_login(user)
    client.defaults["HTTP_HOST"] = "studio.localhost"
    return user


@pytest.fixture
def page(homes, add_page):
    page = add_page(homes["de"], ServicePage, "web", title="Web", locale=homes["de"].locale)
    create_release("test", date(2026, 11, 24))
    return page


@pytest.fixture
def spring(anna, page):
    """Anna's change set, with a draft of the page."""
    change_set = ChangeSet.objects.create(name="Spring", owner=anna)
    write(page, "Web in spring")
    add(change_set, page, anna)
    return change_set


def write(page, title):
    page.title = title
    page.save_revision()
    page.refresh_from_db()


def wants_review(site):
    SiteRecord.objects.filter(key=site).update(is_reviewed=True)


def take(change_set, step, user, **given):
    return take_step(change_set, Step(step), anew(user), **given)


def text_of(answer):
    assert answer.status_code == 200
    return answer.content.decode()


def test_it_is_prepared_and_published_by_one_who_may(client, anna, spring, page):
    shown = text_of(client.get(reverse("studio_change_set", args=[spring.pk])))
    assert "Web in spring" in shown
    assert re.search(r"Before: </span>\W*<?/?[a-z]*>?Web\b", shown)
    assert "Publish now" in shown
    assert "Approve" not in shown
    Comment.objects.create(page=page, user=anna, text="Really spring?", contentpath="title")
    client.post(reverse("studio_change_set_step", args=[spring.pk, "publish"]), {"seen": mark_of(spring.items.all())})
    spring.refresh_from_db()
    assert (spring.at, spring.approved_by) == (State.LIVE, anna)
    newest = Release.objects.first()
    assert (newest.number, newest.note, newest.created_by) == (spring.release, "Spring", "Anna")
    trial = text_of(client.get(reverse("studio_change_set_revert", args=[spring.pk])))
    assert "Revert" in trial
    client.post(reverse("studio_change_set_revert", args=[spring.pk]))
    spring.refresh_from_db()
    page.refresh_from_db()
    assert (spring.at, page.title) == (State.REVERTED, "Web")
    over = text_of(client.get(reverse("studio_change_sets") + "?show=over"))
    assert "reverted" in over


def test_where_a_reviewer_publishes_nobody_publishes_alone(client, anna, spring, page, publishers, writers):
    wants_review("de")
    ben, cleo = person("ben", publishers), person("cleo", writers)
    assert is_page_reviewed(page)
    assert not page.permissions_for_user(anew(anna)).can_publish()
    assert page.permissions_for_user(anew(anna)).can_unpublish()
    with pytest.raises(Refused, match="Send it for review"):
        take(spring, "publish", anna)
    take(spring, "send", anna)
    assert {notice.to for notice in ChangeSetNotice.objects.all()} == {ben}
    assert [row.detail for row in waiting_for(anew(ben))] == ["Anna asks for a review"]
    assert waiting_for(anew(anna)) == waiting_for(anew(cleo)) == []
    for one, why in ((anna, "approval of another person"), (cleo, "right to publish")):
        with pytest.raises(Refused, match=why):
            take(spring, "approve", one)
    seen = mark_of(spring.items.all())
    write(page, "Typed while Ben was reading")
    with pytest.raises(Refused, match="changed since you opened"):
        take(spring, "approve", ben, seen=seen)
    take(spring, "approve", ben, seen=mark_of(spring.items.all()))
    write(page, "Typed after the approval")
    shown = text_of(client.get(reverse("studio_change_set", args=[spring.pk])))
    assert "has changed since the approval" in shown
    take(spring, "publish", anna)
    page.refresh_from_db()
    assert page.title == "Typed while Ben was reading"
    assert Release.objects.first().created_by == "Ben"


def test_it_is_sent_back_with_the_reason(anna, spring, publishers):
    ben = person("ben", publishers)
    take(spring, "send", anna)
    take(spring, "reopen", ben, said="The price is wrong.")
    (row,) = waiting_for(anew(anna))
    assert "The price is wrong." in row.detail
    spring.refresh_from_db()
    assert spring.at is State.OPEN


def test_problems_and_conflicts_keep_it_from_approval(client, anna, spring, page, homes):
    other = page.get_parent().add_child(instance=ServicePage(title="Later", slug="later", live=False))
    page.body = [
        {"type": "rich_text", "value": {"html": f'<p><a linktype="page" id="{other.pk}">x</a></p>'}, "id": "a"}
    ]
    page.save_revision()
    page.refresh_from_db()
    shown = text_of(client.get(reverse("studio_change_set", args=[spring.pk])))
    assert "1 problem" in shown
    assert "Send for review" not in shown
    with pytest.raises(Refused, match="have problems"):
        take(spring, "send", anna)
    fresh = ServicePage.objects.get(pk=page.pk)
    fresh.title = "Theirs"
    fresh.save_revision().publish()
    shown = text_of(client.get(reverse("studio_change_set", args=[spring.pk])))
    assert "published elsewhere" in shown
    with pytest.raises(Refused, match="went live since"):
        take(spring, "send", anna)
    item = spring.items.get()
    client.post(reverse("studio_change_set_keep", args=[spring.pk, item.pk]))
    take(spring, "send", anna)


def test_a_set_of_many_drafts_is_there_before_it_has_been_looked_at_and_says_so(client, anna, homes, add_page):
    """Until then its screen does not offer to go live."""
    autumn = ChangeSet.objects.create(name="Autumn", owner=anna)
    for number in range(checks._QUICK + 1):
        page = add_page(homes["de"], ServicePage, f"many-{number}", title=f"Many {number}", locale=homes["de"].locale)
        write(page, f"Many {number} in autumn")
        add(autumn, page, anna)
    create_release("test", date(2026, 11, 24))
    url = reverse("studio_change_set", args=[autumn.pk])
    ways_on = ["Publish now", "Schedule…", "/schedule/", "/publish/"]
    shown = text_of(client.get(url))
    assert f'data-unlooked="{url}?checked"' in shown and "are being checked" in shown
    assert "Items in this change set" in shown and "Previous items" not in shown
    assert "Many 3 in autumn" in shown and "Close…" in shown
    assert not [word for word in ways_on if word in shown]
    looked_at = text_of(client.get(f"{url}?checked"))
    assert "data-unlooked" not in looked_at and not [word for word in ways_on if word not in looked_at]
    assert "data-unlooked" not in text_of(client.get(url)), "it is known by now"
    write(page, "Many and one more")
    assert "data-unlooked" in text_of(client.get(url)), "the newest draft has not been looked at"


def test_a_time_is_asked_for_and_shown_in_the_calendar(client, anna, spring, homes, add_page, media):
    cover = SiteImage.objects.create(title="Cover", file=ContentFile(SVG, name="cover.svg"))
    event = {"title": "Fair", "summary": "S", "cover": cover, "start": timezone.localdate()}
    add_page(homes["de"], EventPage, "fair", locale=homes["de"].locale, **event)
    at = timezone.now() + timedelta(minutes=1)
    address = reverse("studio_change_set_step", args=[spring.pk, "schedule"])
    client.post(address, {"at": "2026-01-01T00:00"})
    spring.refresh_from_db()
    assert spring.at is State.OPEN
    client.post(address, {"at": f"{timezone.localtime(at):%Y-%m-%dT%H:%M:%S}"})
    spring.refresh_from_db()
    assert spring.at is State.SCHEDULED
    assert spring.items.get().approved
    month = f"{timezone.localtime(at):%Y-%m}"
    shown = text_of(client.get(reverse("studio_calendar"), {"month": month}))
    assert "Change set goes live" in shown
    assert "Event: " in shown
    listed = text_of(client.get(reverse("studio_calendar"), {"month": month, "view": "agenda", "site": "en"}))
    assert "Change set goes live" not in listed


@pytest.mark.parametrize(
    ("text", "month"), [("2027-02", (2027, 2)), ("", (2026, 11)), ("2027-13", (2026, 11)), ("9999-01", (2026, 11))]
)
def test_which_month(text, month):
    assert read_month(text, date(2026, 11, 24)) == date(*month, 1)


def test_what_is_in_a_set_goes_live_without_it_only_where_somebody_says_so(client, anna, spring, page):
    item = spring.items.get()
    address = reverse("studio_change_set_alone", args=[item.content_type_id, item.object_id])
    assert "Spring" in text_of(client.get(address))
    assert client.post(address).status_code == 302
    page.refresh_from_db()
    assert page.title == "Web in spring"
    assert not spring.items.exists()


def test_people_are_told_by_mail_once(settings, anna, spring, publishers):
    person("ben", publishers)
    person("dora", publishers, is_active=False)
    take(spring, "send", anna)
    sent: list[EmailMessage] = []

    class Post:
        sender = "studio@example.com"
        is_away = True

        def send(self, message, to):
            if self.is_away:
                raise Retryable("The mail server cannot be reached.")
            sent.append(message)

    settings.MAIL_SERVER = read_mail_server("smtp://mail.example")
    post = Post()
    tell_people(post)
    assert ChangeSetNotice.objects.count() == 1
    post.is_away = False
    tell_people(post)
    tell_people(post)
    (message,) = sent
    assert message["To"] == "ben@example.com"
    assert "Anna asks for a review" in message["Subject"]
    assert reverse("studio_change_set", args=[spring.pk]) in message.get_content()


def test_sites_choose_by_an_administrator_alone(client, anna, sites):
    assert client.get(reverse("studio_review_rules")).status_code == 302
    client.force_login(person("root", is_superuser=True))
    client.post(reverse("studio_review_rules"), {"en": "directly", "uk": "directly", "de": "reviewed"})
    assert set(SiteRecord.objects.filter(is_reviewed=True)) == {SiteRecord.objects.get(key="de")}

"""Scheduled items for editors: with their sites and times, overdue first, linked if the user may edit them."""

import re
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import Group, Permission, User
from django.core.files.base import ContentFile
from django.db import connection
from django.http import QueryDict
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone
from wagtail.models import GroupPagePermission, Page
from wagtail.users.models import UserProfile

from portolan.content.models import InsightVideo, Office, OfficeCategory, Phone, SiteImage
from portolan.content.pages.about import AboutPage
from portolan.content.pages.contact import ContactPage
from portolan.releases.models import Moment
from portolan.releases.schedule import run_schedule
from portolan.studio import scheduled_report
from portolan.studio.deleting import delete_page
from portolan.studio.permissions import sync_editors_group
from portolan.studio.scheduled import (
    Draft,
    Scheduled,
    find_scheduled,
    in_order,
    moments_of,
    say_mark,
    say_what,
    say_what_to_do,
    say_when,
    say_where,
)
from portolan.studio.scheduled_report import ScheduledFilter

NOW = datetime(2026, 11, 23, 9, 0, tzinfo=UTC)


def day(number: float) -> datetime:
    return NOW + timedelta(days=number)


def draft(at: datetime, expire_at: datetime | None = None) -> Draft:
    return Draft(at, expire_at, "Anna Berg", hidden=False)


@pytest.mark.parametrize(
    ("live", "expire_at", "waits", "happens"),
    [
        (True, None, None, []),
        (True, day(1), None, ["expires 1"]),
        (False, day(1), None, []),
        (True, day(-1), None, ["expires -1"]),
        (False, day(3), draft(day(1), day(3)), ["goes live 1", "expires 3"]),
        (True, None, draft(day(1)), ["goes live 1"]),
        (True, day(5), draft(day(1), day(3)), ["goes live 1", "expires 3"]),
        (True, day(5), draft(day(1)), ["goes live 1"]),
        (True, day(1), draft(day(3), day(5)), ["expires 1", "goes live 3", "expires 5"]),
        (True, day(-2), draft(day(3)), ["expires -2", "goes live 3"]),
        (True, day(-2), draft(day(-1), day(3)), ["goes live -1", "expires 3"]),
    ],
)
def test_what_happens_to_a_page(
    live: bool, expire_at: datetime | None, waits: Draft | None, happens: list[str]
) -> None:
    found = [
        f"{'goes live' if one.goes_live else 'expires'} {(one.at - NOW).days}"
        for one in moments_of(live, expire_at, waits, NOW)
    ]
    assert found == happens


def row(**given: Any) -> Scheduled:
    usual = {"at": day(1), "goes_live": True, "title": "Kontakt", "kind": "Contact page", "is_page": True}
    usual |= {"sites": ("de",), "zone": "Europe/Berlin", "edit_url": ""}
    return Scheduled(**{**usual, **given})


@pytest.mark.parametrize(
    ("own_zone", "own"),
    [
        ("", ""),
        ("Europe/Berlin", ""),
        ("Europe/Warsaw", ""),
        ("Asia/Dubai", "13:00 in Dubai, your time"),
        ("Pacific/Auckland", "22:00 in Auckland, your time"),
        ("America/New_York", "04:00 in New York, your time"),
        ("Pacific/Honolulu", "23 Nov 2026, 23:00 in Honolulu, your time"),
    ],
)
def test_the_time_is_the_site_s_and_the_editor_s_where_that_is_another(own_zone: str, own: str) -> None:
    assert say_when(row(), own_zone) == ("24 Nov 2026, 10:00", "Berlin", own)


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({}, "Goes live"),
        ({"replaces": True}, "Changes go live"),
        ({"goes_live": False}, "Expires"),
    ],
)
def test_what_happens_in_words(given: dict[str, Any], said: str) -> None:
    assert say_what(row(**given)) == said


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"sites": ("de", "en")}, "International, Deutschland"),
        ({"sites": ("en", "uk", "de", "ae", "az", "kz", "pl", "fr")}, "every site"),
        ({"sites": ()}, "no site: it is hidden"),
        ({"sites": (), "is_page": False}, "no site: translation missing"),
    ],
)
def test_where_in_words(given: dict[str, Any], said: str) -> None:
    assert say_where(row(**given)) == said


@pytest.mark.parametrize(
    ("given", "is_publishing", "mark", "to_do"),
    [
        ({}, True, "", None),
        ({"at": NOW - timedelta(seconds=30)}, True, "", None),
        ({"at": day(-1)}, True, "Overdue by 1 day", "could not go live"),
        ({"at": day(-1), "goes_live": False}, True, "Overdue by 1 day", "could not expire"),
        ({"at": day(-1), "is_page": False}, True, "Overdue by 1 day", "See the dashboard for the reason"),
        ({"at": day(-1)}, False, "Overdue by 1 day", "publisher is not running"),
    ],
)
def test_what_is_wrong_and_what_to_do(given: dict[str, Any], is_publishing: bool, mark: str, to_do: str | None) -> None:
    found = row(**given)
    assert say_mark(found, NOW).replace("\N{NO-BREAK SPACE}", " ") == mark
    if to_do:
        assert to_do in say_what_to_do(found, is_publishing)


def test_overdue_things_come_first_then_time_decides() -> None:
    rows = [row(at=day(2)), row(at=day(1), title="b"), row(at=day(1), title="a"), row(at=day(-1)), row(at=day(-3))]
    assert [(one.at - NOW).days for one in in_order(rows, NOW)] == [-3, -1, 1, 1, 2]
    assert [one.title for one in in_order(rows, NOW)][2:4] == ["a", "b"]


@pytest.mark.parametrize(
    ("query", "titles"),
    [
        ("", ["page", "entry", "nowhere"]),
        ("site=de", ["page", "entry"]),
        ("site=en", ["entry"]),
        ("kind=pages", ["page"]),
        ("kind=entries&site=de", ["entry"]),
        ("site=xx&kind=pages", ["page", "entry", "nowhere"]),
    ],
)
def test_filters(query: str, titles: list[str]) -> None:
    rows = [
        row(title="page"),
        row(title="entry", is_page=False, sites=("de", "en")),
        row(title="nowhere", is_page=False, sites=()),
    ]
    assert [one.title for one in ScheduledFilter(QueryDict(query)).choose(rows)] == titles


# Found in the database


@pytest.fixture
def anna(db: None) -> User:
    user: User = get_user_model().objects.create_user("anna", password="x", first_name="Anna", last_name="Berg")
    user.groups.add(sync_editors_group())
    return user


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(timezone, "now", lambda: NOW)


@pytest.fixture
def studio(client: Client, anna: User, clock: None) -> Client:
    client.force_login(anna)
    return client


@pytest.fixture
def make_video(sites: Any, media: Any) -> Callable[..., InsightVideo]:
    drawing = ContentFile(b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 8 8"/>', name="cover.svg")
    cover = SiteImage.objects.create(title="Cover", file=drawing)
    written = InsightVideo.translations.rel.related_model

    def make(key: str, *on: str, **fields: Any) -> InsightVideo:
        video = InsightVideo(key=key, video_id="aqz-KE-bpKQ", cover=cover, **fields)
        video.translations = [written(locale=sites[site].locale, title=key, alt="x") for site in on]
        video.save()
        return video

    return make


def schedule(page: Page, user: User | None = None, **fields: Any) -> None:
    for name, value in fields.items():
        setattr(page, name, value)
    page.save_revision().publish(user=user)


def said(user: User) -> list[tuple[str, str, str, str]]:
    """Return the action, title, time and sites."""
    return [
        (say_what(one), one.title, " ".join(say_when(one)[:2]), ",".join(one.sites))
        for one in find_scheduled(user, NOW)
    ]


@pytest.mark.postgres
def test_pages_of_all_sites_with_their_copies(
    anna: User, clock: None, homes: Any, add_page: Callable[..., Any], live_copy: Callable[..., Any]
) -> None:
    about = add_page(homes["en"], AboutPage, "about", title="About")
    live_copy(about, "uk")
    german = add_page(homes["de"], ContactPage, "kontakt", title="Kontakt")
    schedule(about, anna, title="About us", go_live_at=day(1), expire_at=day(3))
    schedule(german, expire_at=day(2))
    new = homes["de"].add_child(instance=AboutPage(title="Bald", slug="bald", live=False))
    schedule(
        new,
        go_live_at=day(
            1,
        )
        + timedelta(hours=1),
    )
    gone = add_page(homes["en"], AboutPage, "gone", title="Deleted")
    schedule(gone, expire_at=day(1))
    delete_page(gone, anna)
    assert said(anna) == [
        ("Changes go live", "About us", "24 Nov 2026, 09:00 London", "en,uk"),
        ("Goes live", "Bald", "24 Nov 2026, 11:00 Berlin", "de"),
        ("Expires", "Kontakt", "25 Nov 2026, 10:00 Berlin", "de"),
        ("Expires", "About us", "26 Nov 2026, 09:00 London", "en,uk"),
    ]
    first = find_scheduled(anna, NOW)[0]
    assert (first.by, first.kind) == ("Anna Berg", "About page")
    assert first.edit_url == reverse("wagtailadmin_pages:edit", args=[about.pk])


@pytest.mark.postgres
def test_a_site_that_hides_the_page_does_not_count(
    anna: User, clock: None, homes: Any, add_page: Callable[..., Any], live_copy: Callable[..., Any]
) -> None:
    about = add_page(homes["en"], AboutPage, "about")
    copy = live_copy(about, "uk")
    AboutPage.objects.filter(pk=copy.pk).update(hidden_here=True)
    schedule(about, expire_at=day(1))
    german = add_page(homes["de"], AboutPage, "kontakt", hidden_here=True)
    schedule(german, go_live_at=day(2), hidden_here=False, expire_at=day(3))
    hiding = add_page(homes["de"], AboutPage, "weg")
    schedule(hiding, go_live_at=day(4), hidden_here=True)
    assert [(one.title, one.sites) for one in find_scheduled(anna, NOW)] == [
        ("about", ("en",)),
        ("kontakt", ("de",)),
        ("kontakt", ("de",)),
        ("weg", ()),
    ]


def test_a_page_that_expires_before_its_changes_comes_back_with_them(
    anna: User, clock: None, homes: Any, add_page: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = add_page(homes["de"], AboutPage, "about")
    schedule(page, expire_at=day(1))
    schedule(page, go_live_at=day(3), expire_at=None)
    assert [one.goes_live for one in find_scheduled(anna, NOW)] == [False, True]
    monkeypatch.setattr(timezone, "now", lambda: day(1))
    assert run_schedule(day(1)) == []
    assert not AboutPage.objects.get(pk=page.pk).live
    assert [(one.goes_live, one.at) for one in find_scheduled(anna, day(1))] == [(True, day(3))]
    monkeypatch.setattr(timezone, "now", lambda: day(3))
    assert run_schedule(day(3)) == []
    assert AboutPage.objects.get(pk=page.pk).live


def test_entries_by_their_moments(anna: User, clock: None, sites: Any) -> None:
    Phone.objects.create(key="us", phone="+1 214-555-0140", is_default=True)
    phone = Phone.objects.create(key="gb", phone="+44 20", countries=["gb"], go_live_at=day(1), expire_at=day(2))
    Moment.objects.create(at=day(1), kind="event", key="an event that passes")
    Moment.objects.create(at=day(5), kind="phone", key="gb")
    assert said(anna) == [
        ("Goes live", "+44 20", "24 Nov 2026, 09:00 London", "de,en,uk"),
        ("Expires", "+44 20", "25 Nov 2026, 09:00 London", "de,en,uk"),
    ]
    found = find_scheduled(anna, NOW)[0]
    assert found.edit_url == reverse(Phone.snippet_viewset.get_url_name("edit"), args=[phone.pk])
    assert (found.kind, found.by) == ("Phone", "")


def test_an_entry_is_on_sites_with_a_translation_and_their_heirs(
    anna: User, clock: None, sites: Any, make_video: Callable[..., InsightVideo]
) -> None:
    make_video("english", "en", expire_at=day(1))
    make_video("german", "de", expire_at=day(2))
    make_video("nobody's", expire_at=day(3))
    assert [one.sites for one in find_scheduled(anna, NOW)] == [("en", "uk"), ("de",), ()]


@pytest.mark.postgres
def test_more_of_it_takes_no_more_queries(
    studio: Client, anna: User, homes: Any, add_page: Callable[..., Any], live_copy: Callable[..., Any],
    make_video: Callable[..., InsightVideo],
) -> None:  # fmt: skip
    hub = OfficeCategory.objects.create(key="hub", name="Hub", icon="code")

    def add(number: int) -> None:
        page = add_page(homes["en"], AboutPage, f"a{number}")
        live_copy(page, "uk")
        schedule(page, anna, go_live_at=day(1), expire_at=day(2))
        schedule(add_page(homes["de"], AboutPage, f"b{number}"), expire_at=day(-1))
        make_video(f"v{number}", "en", "de", expire_at=day(3))
        Office.objects.create(
            key=f"o{number}", city="Dallas", address="1 Pier", phone="+1 214-555-0140", country="us", lat=32.7,
            lng=-96.8, category=hub, go_live_at=day(1),
        )  # fmt: skip

    def count(url: str) -> int:
        with CaptureQueriesContext(connection) as queries:
            studio.get(url)
        return len(queries)

    add(0)
    urls = (reverse("studio_scheduled"), "/admin/")
    for url in urls:
        count(url)  # fill the caches
    few = [count(url) for url in urls]
    for number in range(1, 4):
        add(number)
    assert [count(url) for url in urls] == few
    assert len(find_scheduled(anna, NOW)) == 4 * 5
    with CaptureQueriesContext(connection) as queries:
        find_scheduled(anna, NOW)
    assert len(queries) <= 15


# The screens


def text_of(reply: Any) -> str:
    assert reply.status_code == 200
    return re.sub(r"\s+", " ", reply.content.decode().replace("&nbsp;", " ").replace("\N{NO-BREAK SPACE}", " "))


def test_the_report_says_it_with_what_is_overdue_first(
    studio: Client, anna: User, homes: Any, add_page: Callable[..., Any]
) -> None:
    UserProfile.objects.update_or_create(user=anna, defaults={"current_time_zone": "Asia/Dubai"})
    german = add_page(homes["de"], AboutPage, "ueber", title="Über uns")
    late = add_page(homes["en"], AboutPage, "late", title="<b>Late</b>")
    schedule(german, anna, go_live_at=day(1))
    schedule(late, expire_at=day(2))
    Page.objects.filter(pk=late.pk).update(expire_at=NOW - timedelta(hours=3))
    shown = text_of(studio.get(reverse("studio_scheduled")))
    assert shown.index("Overdue by 3 hours") < shown.index("Über uns")
    assert "The publisher is not running." in shown
    assert "&lt;b&gt;Late&lt;/b&gt;" in shown
    assert "24 Nov 2026, 10:00</time> Berlin <small>13:00 in Dubai, your time</small>" in shown
    assert "scheduled by Anna Berg" in shown
    assert f'href="{reverse("wagtailadmin_pages:edit", args=[german.pk])}"' in shown
    only = text_of(studio.get(reverse("studio_scheduled"), {"site": "de", "kind": "pages"}))
    assert "1 match." in only
    assert "Late" not in only
    assert "No scheduled changes match. Clear the filter to see all." in text_of(
        studio.get(reverse("studio_scheduled"), {"kind": "entries"})
    )


def test_an_empty_report_says_how_to_schedule(studio: Client, sites: Any) -> None:
    assert "Nothing is scheduled. In the form of a page, entry or menu, choose" in text_of(
        studio.get(reverse("studio_scheduled"))
    )


def test_the_dashboard_has_the_next_five(studio: Client, homes: Any, add_page: Callable[..., Any]) -> None:
    heading = 'id="studio-scheduled-heading"'
    assert "Nothing is scheduled. Set dates under Status → Set schedule." in text_of(studio.get("/admin/"))
    for number in range(6):
        schedule(add_page(homes["de"], AboutPage, f"p{number}", title=f"Seite {number}"), expire_at=day(1 + number))
    shown = text_of(studio.get("/admin/"))
    section = shown[shown.index(heading) :].partition("</section>")[0]
    assert re.findall(r"Seite \d", section) == [f"Seite {number}" for number in range(5)]
    assert "All 6 scheduled changes" in section
    assert reverse("studio_scheduled") in section


def test_who_may_edit_one_site_sees_what_concerns_it_and_is_led_to_its_forms_alone(
    client: Client, clock: None, homes: Any, add_page: Callable[..., Any]
) -> None:
    group = Group.objects.create(name="Germans")
    group.permissions.add(Permission.objects.get(codename="access_admin"))
    change = Permission.objects.get(content_type__app_label="wagtailcore", codename="change_page")
    GroupPagePermission.objects.create(group=group, page=homes["de"], permission=change)
    dora = get_user_model().objects.create_user("dora", password="x")
    dora.groups.add(group)
    schedule(add_page(homes["de"], AboutPage, "de"), expire_at=day(1))
    schedule(add_page(homes["en"], AboutPage, "en"), expire_at=day(2))
    Phone.objects.create(key="gb", phone="+44 20", countries=["gb"], is_default=True)
    Phone.objects.create(key="us", phone="+1 214", countries=["us"], expire_at=day(3))
    assert [(one.title, bool(one.edit_url)) for one in find_scheduled(dora, NOW)] == [("de", True), ("+1 214", False)]
    client.force_login(dora)
    assert reverse("studio_scheduled") in text_of(client.get("/admin/"))


def test_who_works_on_no_content_sees_nothing_of_it(
    client: Client, clock: None, homes: Any, add_page: Callable[..., Any]
) -> None:
    schedule(add_page(homes["de"], AboutPage, "de"), expire_at=day(1))
    reader = get_user_model().objects.create_user("reader", password="x")
    reader.user_permissions.add(Permission.objects.get(codename="access_admin"))
    client.force_login(reader)
    assert reverse("studio_scheduled") not in text_of(client.get("/admin/"))
    assert "studio-scheduled-heading" not in text_of(client.get("/admin/"))
    assert client.get(reverse("studio_scheduled")).status_code == 302


def test_a_publisher_that_answers_is_not_said_to_be_away(
    studio: Client, anna: User, homes: Any, add_page: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    page = add_page(homes["en"], AboutPage, "late")
    Page.objects.filter(pk=page.pk).update(expire_at=day(-1))
    monkeypatch.setattr(scheduled_report, "is_publisher_there", lambda: True)
    assert "It could not expire and is retried." in text_of(studio.get(reverse("studio_scheduled")))

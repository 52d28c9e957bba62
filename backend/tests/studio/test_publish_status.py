"""Editors see whether their save is live, and where to fix its problems."""

from datetime import timedelta
from uuid import uuid4

import orjson
import pytest
from django.urls import reverse
from django.utils import timezone

from portolan.builds.live import Installation, LivePointer, Pin
from portolan.content.models import FacetValue, ServicePage
from portolan.domain.problems import (
    Block,
    BlockedChange,
    DeadLink,
    MissingPage,
    Problem,
    Subject,
    UnusableFrame,
    WrongHeadings,
)
from portolan.publisher.addresses import Addresses
from portolan.publisher.outcome import outcome_file, write_outcome
from portolan.publisher.shared_data import build_shared_data
from portolan.releases.author import acting_as
from portolan.releases.create import create_release
from portolan.releases.models import PendingChange, Release
from portolan.studio import pins
from portolan.studio.blocked import list_problems, say_why_blocked
from portolan.studio.publish_status import find_publish_status

from ..publisher.release_book import ReleaseBook, link, small_site
from ..publisher.test_page_content import Release as BookWithProblem

pytestmark = pytest.mark.django_db


@pytest.fixture
def builds(settings):
    return settings.BUILDS_DIR


@pytest.fixture
def page(homes, add_page, live_copy):
    """A released page of the default site, which the heir follows."""
    page = add_page(homes["en"], ServicePage, "web", title="Web")
    live_copy(page, "uk")
    create_release("test", timezone.now().date())
    return page


def edit_url(page):
    return reverse("wagtailadmin_pages:edit", args=[page.pk])


def test_a_saved_change_is_on_its_way(sites):
    PendingChange.objects.create(site="en", kind="page", key="a")
    assert find_publish_status() == ("waiting", "Going live…", False)


def test_a_release_is_on_its_way_until_it_is_published(builds):
    release = Release.objects.create()
    assert find_publish_status().state == "waiting"
    write_outcome(builds, release.number)
    assert find_publish_status() == ("live", "Your changes are live.", False)


def test_a_publish_of_long_ago_is_no_news(builds):
    write_outcome(builds, Release.objects.create().number)
    document = orjson.loads(outcome_file(builds).read_bytes())
    document["at"] = "2020-01-01T00:00:00Z"
    outcome_file(builds).write_bytes(orjson.dumps(document))
    assert find_publish_status() == ("live", "", False)


def test_long_waiting_asks_for_the_publisher(sites):
    change = PendingChange.objects.create(site="en", kind="page", key="a")
    PendingChange.objects.filter(pk=change.pk).update(noted_at=timezone.now() - timedelta(minutes=1))
    assert find_publish_status() == (
        "waiting",
        "Still waiting to go live. Ask an administrator whether the publisher is running.",
        False,
    )


def test_a_failing_publisher_is_told_and_shown_in_full_on_the_dashboard(builds, sites, admin_client):
    write_outcome(builds, 0, failure="The disk is full.")
    assert find_publish_status() == (
        "blocked",
        "Changes are saved, but publishing fails at the moment. It is retried automatically.",
        True,
    )
    assert b"The disk is full." in admin_client.get("/admin/", headers={"Host": "studio.localhost"}).content


@pytest.mark.parametrize("kind", ["page", "project", "news"])
def test_what_no_release_can_take_leads_to_the_page(builds, page, kind):
    PendingChange.objects.create(site="en", kind=kind, key=str(page.translation_key), problem="“Web”: is empty.")
    assert [row[:2] for row in list_problems()] == [("“Web”: is empty.", edit_url(page))]


def test_what_no_release_can_take_leads_to_the_entry(builds, sites):
    facet = FacetValue.objects.create(key="healthcare", facet="industry")
    PendingChange.objects.create(site="en", kind="facet", key="healthcare", problem="Facet value: is empty.")
    PendingChange.objects.create(site="en", kind="facet", key="gone", problem="Facet value: is gone.")
    assert [row.edit_url for row in list_problems()] == ["", f"/admin/snippets/content/facetvalue/edit/{facet.pk}/"]


def test_what_the_publish_checks_refuses_leads_to_the_page(builds, page):
    block = Block("b-7", 2, "rich_text")
    problem = Problem(on(page)._replace(block=block, field="html"), DeadLink("/gone"))
    write_outcome(builds, Release.objects.first().number, [problem])
    text = (
        "International, “Web” (/web), block 2 (Text), text: links to /gone, where there is no page, so visitors would "
        "reach an error page. Choose another target."
    )
    stays = "International stays at its last release: no new content goes live there."
    (row,) = list_problems()
    assert row[:5] == (text, f"{edit_url(page)}#:w:contentpath=body.b-7", stays, "", ())
    assert row.sites == row.stopped == {"en"}
    assert find_publish_status() == (
        "blocked",
        "One change is blocked until it is fixed. All other changes are live.",
        False,
    )


def test_a_page_that_follows_is_fixed_in_its_source(builds, page):
    problem = Problem(on(page, "uk"), WrongHeadings(2))
    write_outcome(builds, Release.objects.first().number, [problem])
    assert list_problems()[0].edit_url == edit_url(page)


@pytest.mark.parametrize(
    ("subject", "leads_to"),
    [
        (Subject("de", "menu", "main"), "/admin/menus/"),
        (Subject("de", "footer", "main"), "/admin/footers/"),
        (Subject("de", "office"), "/admin/snippets/content/office/"),
        (Subject("de"), "/admin/pages/"),
    ],
)
def test_what_a_whole_site_shares_leads_to_its_form(builds, sites, subject, leads_to):
    write_outcome(builds, 1, [Problem(subject, UnusableFrame("KeyError"))])
    assert list_problems()[0].edit_url.startswith(leads_to)


def on(page, site="en"):
    return Subject(site, "page", str(page.translation_key), page.title, f"/{page.slug}")


def blocked(page, problem, site="en", is_there=True, release=1):
    return BlockedChange(site, "page", str(page.translation_key), page.title, release, is_there, problem)


@pytest.mark.parametrize(
    ("is_there", "effect"),
    [(True, "Visitors still see the previous version of “Web”."), (False, "Visitors do not see “Web” yet.")],
)
def test_what_is_blocked_says_what_visitors_see_and_whose_it_is(builds, page, is_there, effect):
    with acting_as("Anna"):
        page.title = "Web engineering"
        page.save_revision().publish()
    release = create_release("test", timezone.now().date())
    page.title = "Web"
    problem = Problem(on(page), DeadLink("/gone"))
    write_outcome(builds, release.number, blocked=[blocked(page, problem, is_there=is_there)])
    (row,) = list_problems()
    assert (row.edit_url, row.effect, row.by) == (edit_url(page), effect, "Anna")
    assert find_publish_status().text == "One change is blocked until it is fixed. All other changes are live."


def test_a_page_says_itself_that_visitors_see_another_one(builds, page, admin_client):
    problem = Problem(on(page), WrongHeadings(0))
    assert say_why_blocked(page) == ""
    write_outcome(builds, Release.objects.first().number, blocked=[blocked(page, problem)])
    page = ServicePage.objects.get(pk=page.pk)
    assert page.status_string == "blocked"
    assert "has 0 main headings" in page.why_blocked
    form = admin_client.get(edit_url(page), headers={"Host": "studio.localhost"}).content.decode()
    assert "has 0 main headings" in form
    assert ">Blocked</a>" in form
    assert ">Live</a>" not in form


def test_what_could_not_be_frozen_is_said_on_its_page_too(page):
    PendingChange.objects.create(site="en", kind="page", key=str(page.translation_key), problem="“Web”: is empty.")
    assert say_why_blocked(page) == "“Web”: is empty."


PIN = Pin("2026-11-20T09:30:00+00:00", "operator")
PINNED = [
    (
        LivePointer({}, {"de": 7}, {}, {"de": PIN}, Installation(False, 9, "", ""), {}),
        "Pinned: Deutschland stays at release 7 since 20 Nov 2026, 09:30 UTC (by operator).",
    ),
    (
        LivePointer({}, {"de": 7}, {}, {"de": PIN}, Installation(True, 7, *PIN), {}),
        "Pinned: Every site shows release 7 since 20 Nov 2026, 09:30 UTC (by operator).",
    ),
]


@pytest.mark.parametrize(("live", "said"), PINNED)
def test_what_is_pinned_is_said_with_since_when_and_by_whom(monkeypatch, sites, admin_client, live, said):
    monkeypatch.setattr(pins, "read_live", lambda root: live)
    PendingChange.objects.all().delete()
    assert find_publish_status().text.startswith(said)
    dashboard = admin_client.get("/admin/", headers={"Host": "studio.localhost"}).content.decode()
    assert said.replace("UTC", "GMT") in dashboard  # in the company's time there
    assert "All published changes are live" not in dashboard


def test_a_key_is_said_as_a_title_and_a_place_in_words(builds, page, tmp_path, settings):
    book = ReleaseBook(tmp_path / "book.sqlite3")
    small_site(book, "en")
    book.content["en", "menu", "main"]["items"][0]["submenu"][0]["url"] = link(str(page.translation_key))
    addresses = Addresses(settings.SITES_REGISTRY, "local", 8000)
    release = BookWithProblem(book, addresses)
    problem = build_shared_data("en", release.snapshot, release.lookup("en"), addresses)
    book.close()
    assert problem.detail == MissingPage(str(page.translation_key))
    write_outcome(builds, 1, [problem])
    (row,) = list_problems()
    assert row.text.startswith("International, header menu, Menu items 1, submenu 1, url: links to “Web”, which is")
    assert str(page.translation_key) not in row.text


def test_what_an_heir_shares_with_its_source_is_said_once(builds, sites):
    problems = [Problem(Subject(site, "menu", "main", field="contact"), MissingPage("x")) for site in ("uk", "en")]
    write_outcome(builds, 1, problems)
    (row,) = list_problems()
    assert row.text.startswith("International, header menu, Contact button: ")
    assert row.edit_url.endswith("/admin/menus/#:w:contentpath=contact")


def test_many_pages_with_one_problem_are_one_line(builds, page):
    problems = [Problem(on(page), DeadLink("/gone"))]
    others = [Subject("en", "page", str(uuid4()), title, f"/z{title}") for title in "ab"]
    problems += [Problem(other, DeadLink("/gone")) for other in others]
    write_outcome(builds, Release.objects.first().number, problems)
    (row,) = list_problems()
    assert row.edit_url == edit_url(page)
    assert [place.title for place in row.more] == [f"“{other.key}”" for other in others]


def test_only_editors_may_ask(client, admin_client, sites):
    url, host = reverse("publish_status"), {"Host": "studio.localhost"}
    assert admin_client.get(url, headers=host).json()["home"] == "/admin/"
    client.logout()
    assert client.get(url, headers=host).status_code == 302

from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from portolan.builds.live import live_file, switch_live
from portolan.builds.manifest import Manifest, write_manifest
from portolan.releases.models import Release, ReleaseItem
from portolan.releases.reader import ItemId

from .conftest import assert_problem
from .content.release_items import build_release, news, office, page, picture, row

OFFICES = "/api/content/offices"


@pytest.fixture
def put_live(builds: Path) -> Callable[..., None]:
    """``put_live(release, "en", "de")``: a build of these sites, made from that release, goes live."""
    count = 0

    def put(release: Release, *sites: str) -> None:
        nonlocal count
        count += 1
        for site in sites:
            manifest = Manifest(
                site=site,
                build=f"b{count}",
                release=release.number,
                web="web",
                created=datetime.now(UTC).isoformat(),
                html_headers={},
                files={},
            )
            write_manifest(builds, manifest, None)
        switch_live(builds, dict.fromkeys(sites, f"b{count}"))

    return put


@pytest.fixture
def offices(snapshot) -> Callable[[str], Release]:
    """Return a function that makes a release with the office at this address, on two sites."""

    def write(address: str) -> Release:
        body = row(1, office("dallas", address=address))
        return snapshot({("en", "office", "dallas"): body, ("de", "office", "dallas"): body})

    return write


def shown(get, site: str) -> str:
    (item,) = get(OFFICES, Accept_Language=site).json()["items"]
    return item["address"]


@pytest.mark.postgres
def test_a_site_shows_the_release_that_is_live_there(offices, put_live, get):
    first = offices("1 Pier")
    put_live(first, "en", "de")
    second = offices("2 Pier")
    assert (shown(get, "en"), shown(get, "de")) == ("1 Pier", "1 Pier")
    put_live(second, "de")
    assert (shown(get, "en"), shown(get, "de")) == ("1 Pier", "2 Pier")


@pytest.mark.postgres
def test_going_back_takes_the_api_back(offices, put_live, builds, get):
    put_live(offices("1 Pier"), "en")
    put_live(offices("2 Pier"), "en")
    assert shown(get, "en") == "2 Pier"
    switch_live(builds, {"en": "b1"})
    assert shown(get, "en") == "1 Pier"


@pytest.mark.postgres
def test_what_is_blocked_is_shown_as_it_was(offices, put_live, builds, get):
    first = offices("1 Pier")
    newer = offices("2 Pier")
    put_live(newer, "en", "de")
    blocked = {ItemId("en", "office", "dallas"): first.number}
    switch_live(builds, {"en": "b1"}, release=newer.number, blocked=blocked)
    assert (shown(get, "en"), shown(get, "de")) == ("1 Pier", "2 Pier")
    switch_live(builds, {"en": "b1"}, release=newer.number)  # fixed, and the release is the same one
    assert shown(get, "en") == "2 Pier"


def test_an_edit_that_changes_no_page_reaches_the_api(offices, put_live, builds, get):
    put_live(offices("1 Pier"), "en")
    newer = offices("2 Pier")
    switch_live(builds, {"en": "b1"}, release=newer.number)
    assert shown(get, "en") == "2 Pier"


def test_a_site_that_has_no_build_yet_shows_the_newest_release(offices, put_live, get):
    put_live(offices("1 Pier"), "en")
    offices("2 Pier")
    assert (shown(get, "en"), shown(get, "de")) == ("1 Pier", "2 Pier")


def test_a_release_that_the_database_lacks_is_replaced_by_the_newest(offices, put_live, get):
    """The database was restored to a time before the build."""
    put_live(offices("1 Pier"), "en")
    second = offices("2 Pier")
    put_live(second, "en")
    second.delete()
    assert shown(get, "en") == "1 Pier"


def test_a_number_that_is_used_again_is_another_release(offices, get):
    offices("1 Pier")
    assert shown(get, "en") == "1 Pier"
    ReleaseItem.objects.all().delete()
    Release.objects.all().delete()
    assert offices("2 Pier").number == 1
    assert shown(get, "en") == "2 Pier"


def test_a_damaged_pointer_is_said_and_nothing_is_guessed(offices, put_live, builds, get, caplog):
    put_live(offices("1 Pier"), "en")
    live_file(builds).write_text("{")
    assert_problem(get(OFFICES), 503, "unavailable")
    assert "live.json is damaged" in caplog.text


def test_before_the_first_release_the_api_says_so(db, get):
    reply = get(OFFICES)
    assert_problem(reply, 503, "nothing-published")
    assert reply["Retry-After"]


def queries(get, path: str, **headers: str) -> int:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        assert get(path, Accept_Language="en", **headers).status_code == 200
    return len(captured)


def crowded(count: int):
    """Make ``count`` news, each with a page and an image."""
    items = build_release()
    for number in range(1, count + 1):
        key, body = news(number)
        body["value"]["previewImage"] = picture(str(number))
        items["en", "news", key] = body
        items["en", "page", key] = page(f"/company/insights/{key}")
        items["", "picture", str(number)] = items["", "picture", "1"]
    return items


def test_a_list_costs_as_many_queries_whatever_it_holds(snapshot, get):
    snapshot(crowded(3))
    few = queries(get, "/api/content/news")
    snapshot(crowded(90))
    many = queries(get, "/api/content/news")
    assert few == many <= 10


@pytest.mark.postgres
def test_what_was_read_is_not_read_again(snapshot, get):
    snapshot(crowded(20))
    queries(get, "/api/content/news")
    again = queries(get, "/api/content/news/pagination?page=2")
    assert again == queries(get, "/api/content/news/n-03") <= 2  # which release it is


def test_of_pages_their_addresses_alone_are_read(snapshot, get):
    items = build_release()
    snapshot(items)
    get("/api/content/news", Accept_Language="en")
    snapshot(items | {("en", "page", "n-03"): page("/company/insights/moved")})
    with CaptureQueriesContext(connection) as captured:
        moved = get("/api/content/news/n-03", Accept_Language="en").json()
    assert moved["link"]["href"] == "/company/insights/moved"
    assert not [query["sql"] for query in captured if "'page'" in query["sql"] and "body" in query["sql"]]


def test_an_item_whose_page_or_picture_is_gone_is_left_out_and_the_log_says_so(snapshot, get, caplog):
    items = build_release()
    del items["en", "page", "n-03"]
    items["en", "certificate", "iso"]["value"]["picture"] = picture("9")
    snapshot(items)
    listed = get("/api/content/news", Accept_Language="en").json()["items"]
    assert "n-03" not in [item["id"] for item in listed]
    assert len(listed) == 10
    assert_problem(get("/api/content/news/n-03", Accept_Language="en"), 404, "unknown-news")
    assert get("/api/content/certificates", Accept_Language="en").json() == {"items": []}
    assert "news/n-03" in caplog.text
    assert "picture '9'" in caplog.text


def test_a_short_brings_its_own_film(snapshot, get):
    items = build_release()
    film = {"url": "/media/documents/7/quay.webm", "kind": "webm", "size": 4096}
    items["", "document", "7"] = film
    items["en", "short", "s-a"]["value"] |= {"videoId": "", "film": {"$document": "7"}}
    snapshot(items)
    (short,) = get("/api/content/insights-shorts", Accept_Language="en").json()["items"]
    assert short["film"] == film


def test_our_own_addresses_are_not_external(snapshot, get, settings):
    items = build_release()
    link = {"$url": f"{settings.SITE_ORIGINS['de']}/impressum", "title": "Imprint"}
    items["en", "news", "n-03"]["value"]["link"] = link
    items["en", "news", "n-04"]["value"]["link"] = {"$url": "https://elsewhere.example/x", "title": "Elsewhere"}
    items["en", "news", "n-05"]["value"]["link"] = {"$url": "mailto:a@brightmoor.example", "title": "Write"}
    snapshot(items)
    links = [get(f"/api/content/news/n-0{n}", Accept_Language="en").json()["link"]["external"] for n in (3, 4, 5)]
    assert links == [False, True, False]

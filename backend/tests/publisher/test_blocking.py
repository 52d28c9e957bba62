"""A mistake blocks only itself and the items that depend on it. Other sites and pages go live."""

import re
from collections.abc import Iterable, Iterator
from copy import deepcopy
from pathlib import Path

import pytest

from portolan.builds.live import Pin, read_live, resume, switch_live
from portolan.builds.manifest import File, Manifest, read_manifest
from portolan.builds.store import ContentStore
from portolan.domain.problems import Block, MissingAnchor, MissingPicture, Problem, Subject, WrongHeadings
from portolan.domain.redirects import GONE
from portolan.publisher.blocking import find_keepable
from portolan.publisher.outcome import read_outcome
from portolan.publisher.publish import Publisher, Summary
from portolan.publisher.renderer import Answer, RenderFailure, Request
from portolan.publisher.site_build import LiveBuild
from portolan.releases.reader import ItemId, open_reader

from .conftest import MakePublisher, write_web_build
from .fake_renderer import FakeRenderer
from .release_book import ReleaseBook, link, offices_block, page, project, rich_text

GONE_PICTURE = {"$picture": "9", "alt": ""}


class Desk:
    """Editors change ``book``, and their changes are published like `portolan serve` does."""

    def __init__(self, book: ReleaseBook, builds: Path, make: MakePublisher, media: Path) -> None:
        self.book = book
        self.builds = builds
        self.media = media
        self.renderer = FakeRenderer()
        self._make = make
        self.publisher: Publisher = make(self.renderer)
        self.publish()
        self.renderer.rendered.clear()

    def publish(self, full: bool = False) -> Summary:
        self.book.release()
        return self.publisher.publish(keep_going=True, full=full)

    def restart(self) -> None:
        self.publisher = self._make(self.renderer)

    def manifest(self, site: str) -> Manifest:
        return read_manifest(self.builds, site, read_live(self.builds).builds[site])

    def shown(self, site: str, path: str) -> str:
        data = ContentStore(self.builds).read(self.manifest(site).files[path].digest)
        assert data is not None
        return data.decode()

    def retitle(self, site: str, key: str, title: str) -> None:
        self.book.content[site, "page", key]["blocks"][0]["title"] = title

    def is_as_a_full_build(self, tmp_path: Path) -> bool:
        other = tmp_path / "full"
        self._make(FakeRenderer(), builds=other).publish()
        same = [
            read_manifest(other, site, build).files == self.manifest(site).files
            for site, build in read_live(other).builds.items()
        ]
        return all(same)


@pytest.fixture
def desk(book: ReleaseBook, tmp_path: Path, make_publisher: MakePublisher, media: Path) -> Desk:
    return Desk(book, tmp_path / "builds", make_publisher, media)


def blocked(summary: Summary) -> list[tuple[str, str, str]]:
    return sorted((change.site, change.kind, change.key) for change in summary.blocked)


def test_a_page_with_a_problem_stays_as_it_was_and_everything_else_goes_live(desk: Desk) -> None:
    desk.book.content["en", "page", "web"]["blocks"][0] |= {"picture": GONE_PICTURE, "title": "Broken"}
    desk.retitle("en", "about", "Neighbour")
    desk.retitle("de", "home", "Elsewhere")
    summary = desk.publish()
    assert "Neighbour" in desk.shown("en", "/about-us")
    assert "Elsewhere" in desk.shown("de", "/")
    assert "Broken" not in desk.shown("en", "/services/web-development")
    assert blocked(summary) == [("en", "page", "web")]
    outcome = read_outcome(desk.builds)
    assert outcome
    assert not outcome.is_live
    assert outcome.blocked == summary.blocked
    assert outcome.blocked[0].problem == Problem(
        Subject("en", "page", "web", "Web en", "/services/web-development", Block("hero", 1, "hero"), "picture"),
        MissingPicture("9"),
    )


def test_what_is_blocked_goes_live_once_it_is_fixed(desk: Desk, tmp_path: Path) -> None:
    desk.book.content["en", "page", "web"]["blocks"][0] |= {"picture": GONE_PICTURE, "title": "Fixed"}
    desk.publish()
    desk.restart()
    desk.book.content["en", "page", "web"]["blocks"][0]["picture"] = None
    summary = desk.publish()
    assert blocked(summary) == []
    assert "Fixed" in desk.shown("en", "/services/web-development")
    assert desk.is_as_a_full_build(tmp_path)
    assert read_live(desk.builds).blocked == {}


def test_a_new_page_with_a_problem_is_not_there_yet_and_who_links_to_it_waits(desk: Desk, tmp_path: Path) -> None:
    desk.book.content["en", "page", "audit"] = page("/audit", "Audit")
    desk.book.content["en", "page", "audit"]["blocks"][0]["picture"] = GONE_PICTURE
    desk.book.content["en", "page", "web"]["blocks"][0]["actions"] = [link("audit")]
    desk.retitle("en", "about", "Neighbour")
    summary = desk.publish()
    assert blocked(summary) == [("en", "page", "audit"), ("en", "page", "web")]
    assert "/audit" not in desk.manifest("en").files
    assert 'href="/contact-us"' in desk.shown("en", "/services/web-development")
    assert "Neighbour" in desk.shown("en", "/about-us")
    desk.restart()
    desk.book.content["en", "page", "audit"]["blocks"][0]["picture"] = None
    assert blocked(desk.publish()) == []
    assert 'href="/audit"' in desk.shown("en", "/services/web-development")
    assert desk.is_as_a_full_build(tmp_path)


def test_a_link_to_an_anchor_that_is_not_there_blocks_the_page_with_the_link_alone(desk: Desk) -> None:
    desk.book.content["en", "page", "web"]["blocks"].append(
        rich_text('<p><a data-page="about" data-anchor="nowhere">See</a></p>')
    )
    desk.retitle("en", "about", "Changed as well")
    summary = desk.publish()
    assert blocked(summary) == [("en", "page", "web")]
    assert "Changed as well" in desk.shown("en", "/about-us")


def test_an_anchor_that_others_link_to_stays_until_they_do_no_more(desk: Desk) -> None:
    desk.book.content["en", "page", "about"]["blocks"].pop()  # the footer and a page link to its offices
    desk.retitle("en", "mobile", "Goes live")
    summary = desk.publish()
    assert blocked(summary) == [("en", "page", "about")]
    assert 'id="offices"' in desk.shown("en", "/about-us")
    assert "Goes live" in desk.shown("en", "/services/mobile-development")


@pytest.mark.parametrize("keep_going", [True, False], ids=["watching", "once"])
def test_a_page_that_was_taken_down_is_gone_whatever_links_to_it(desk: Desk, tmp_path: Path, keep_going: bool) -> None:
    """On all sites, even if menus, pages, and typed URLs still link there."""
    desk.book.content["en", "page", "about"]["blocks"].append(rich_text('<p><a href="/contact-us">typed</a></p>'))
    desk.publish()
    contact = desk.book.content.pop(("en", "page", "contact"))
    desk.retitle("en", "mobile", "Goes live")
    desk.book.release()
    summary = desk.publisher.publish(keep_going=keep_going)
    assert (blocked(summary), summary.problems) == ([], [])
    assert "/contact-us" not in desk.manifest("en").files
    assert desk.manifest("en").redirects["/contact-us"].status == GONE
    assert "/contact-us" not in str(sorted(desk.manifest("en").files)) + desk.shown("en", "/services/web-development")
    assert "contact-us" not in desk.shown("ae", "/services/web-development")
    assert "Goes live" in desk.shown("en", "/services/mobile-development")
    with_problem = {problem.item for problem in summary.live_problems}
    assert with_problem >= {
        ("en", "menu", "main"),
        ("en", "page", "web"),
        ("en", "page", "about"),
        ("ae", "menu", "main"),
    }
    desk.book.content["en", "page", "contact"] = contact
    summary = desk.publish()
    assert (blocked(summary), summary.live_problems) == ([], [])
    assert desk.is_as_a_full_build(tmp_path)


def test_a_page_that_was_taken_down_does_not_wait_for_a_neighbour_with_a_problem(desk: Desk) -> None:
    desk.book.content["en", "office", "london"]["value"]["hours"] = "{never}"
    desk.book.content["en", "page", "web"]["blocks"][0] |= {"picture": GONE_PICTURE, "title": "Broken"}
    del desk.book.content["en", "page", "contact"]
    assert {change[1:3] for change in desk.publish().blocked} == {("office", "london"), ("page", "web")}
    assert "/contact-us" not in desk.manifest("en").files


def test_a_menu_with_a_dead_anchor_waits_and_is_named_once(desk: Desk) -> None:
    desk.book.content["en", "menu", "main"]["contact"] = link("about", "Contact us", "nowhere")
    desk.retitle("en", "web", "Goes live")
    summary = desk.publish()
    (change,) = summary.blocked
    assert change[:3] == ("en", "menu", "main")
    assert change.problem == Problem(Subject(*change[:3], field="contact"), MissingAnchor("/about-us#nowhere"))
    assert "Goes live" in desk.shown("en", "/services/web-development")
    assert "nowhere" not in desk.shown("en", "/services/web-development")


def test_a_footer_that_mentions_a_page_nobody_has_waits(desk: Desk) -> None:
    desk.book.content["de", "footer", "main"]["offices_link"] = link("never-was", "See more")
    desk.retitle("de", "web", "Goes live")
    assert blocked(desk.publish()) == [("de", "footer", "main")]
    assert "Goes live" in desk.shown("de", "/services/web-development")


def test_the_page_that_took_anothers_path_waits(desk: Desk) -> None:
    desk.book.content["en", "page", "other"] = page("/contact-us", "Another")
    desk.retitle("en", "web", "Goes live")
    assert blocked(desk.publish()) == [("en", "page", "other")]
    assert "Goes live" in desk.shown("en", "/services/web-development")
    assert "Contact en" in desk.shown("en", "/contact-us")


def test_a_page_and_its_card_wait_together_and_readers_of_the_release_see_neither(desk: Desk) -> None:
    case = page("/project-cases/north", "North", template="case-study")
    case["blocks"][0]["picture"] = GONE_PICTURE
    desk.book.content["en", "page", "north"] = case
    desk.book.content["en", "project", "north"] = project("north")
    summary = desk.publish()
    assert blocked(summary) == [("en", "page", "north"), ("en", "project", "north")]
    reader = open_reader(desk.book.url)
    live = reader.with_blocked(read_live(desk.builds).blocked["en"])
    assert reader.item(2, "en", "project", "north")
    assert live.item(2, "en", "project", "north") is None
    assert live.collection(2, "en", "project") == live.some_items(2, "en", "project", ["north"]) == []
    assert "north" not in live.digests(2, "en", "page")
    assert ItemId("en", "project", "north") not in {ItemId(*item[:3]) for item in live.items(2)}
    reader.close()


def test_a_page_whose_picture_file_is_missing_keeps_its_files_and_a_new_menu_goes_live(
    desk: Desk, tmp_path: Path
) -> None:
    (desk.media / "harbour.svg").rename(desk.media / "aside.svg")
    desk.book.content["en", "menu", "main"]["contact"] = link("about", "Reach us")
    summary = desk.publish(full=True)
    assert blocked(summary) == [(site, "page", "web") for site in ("ae", "de", "en")]
    data = desk.shown("en", "/page-data/services/web-development/page-data.json")
    shared = [path for path in desk.manifest("en").files if path.startswith("/page-data/sq/d/")]
    assert len(shared) == 2  # the old page's data and the new one's
    assert any(path.removeprefix("/page-data/sq/d/").removesuffix(".json") in data for path in shared)
    (desk.media / "aside.svg").rename(desk.media / "harbour.svg")
    desk.restart()
    assert blocked(desk.publisher.publish(keep_going=True)) == []
    assert desk.is_as_a_full_build(tmp_path)


def test_what_was_rendered_before_a_change_was_blocked_is_not_rendered_again(desk: Desk) -> None:
    desk.retitle("de", "home", "Elsewhere")
    desk.book.content["en", "page", "web"]["blocks"].append(
        rich_text('<p><a data-page="about" data-anchor="nowhere">See</a></p>')
    )
    desk.publish()
    assert desk.renderer.rendered.count(("de", "/")) == 1


def test_a_site_that_was_never_live_waits_for_its_home_page_alone(
    book: ReleaseBook, make_publisher: MakePublisher, tmp_path: Path
) -> None:
    home = book.content.pop(("de", "page", "home"))
    book.release()
    summary = make_publisher(FakeRenderer()).publish(keep_going=True)
    assert [problem.site for problem in summary.problems] == ["de"]
    live = read_live(tmp_path / "builds")
    assert sorted(live.builds) == ["ae", "en"]
    assert "has no home page" in live.problems["de"]
    html = ContentStore(tmp_path / "builds").read(
        read_manifest(tmp_path / "builds", "en", live.builds["en"]).files["/"].digest
    )
    assert b"http://de." not in (html or b""), "nobody names a site that was never live"
    book.content["de", "page", "home"] = home
    book.release()
    make_publisher(FakeRenderer()).publish(keep_going=True)
    assert read_live(tmp_path / "builds").problems == {}


def test_a_restored_database_leaves_no_site_behind(desk: Desk, tmp_path: Path) -> None:
    """Its numbers restart at the backup and mean other releases."""
    backup = deepcopy(desk.book.content)
    desk.retitle("de", "about", "After the backup")
    desk.publish()
    desk.retitle("en", "about", "After the backup too")
    desk.publish()
    desk.book.restore(1, backup)
    desk.retitle("ae", "about", "After the restore")
    desk.book.release()
    desk.book.release()  # the numbers the backup did not have are used again
    assert desk.book.number == 3
    for start in (lambda: None, desk.restart):
        start()
        desk.publisher.publish(keep_going=True)
        assert "After the backup" not in desk.shown("de", "/about-us")
        assert "After the restore" in desk.shown("ae", "/about-us")
        assert desk.is_as_a_full_build(tmp_path)


# Going back --------------------------------------------------------------------------------------------------------


def test_after_going_back_only_what_differs_is_rendered(desk: Desk) -> None:
    desk.retitle("en", "web", "Later")
    desk.publish()
    desk.publisher.go_back(by="an operator")
    assert "Later" not in desk.shown("en", "/services/web-development")
    resume(desk.builds)
    desk.restart()
    desk.renderer.rendered.clear()
    desk.publish()
    assert desk.renderer.rendered == [("en", "/services/web-development")]
    assert "Later" in desk.shown("en", "/services/web-development")


def test_what_was_blocked_then_is_blocked_again(desk: Desk) -> None:
    web = desk.book.content["en", "page", "web"]["blocks"][0]
    before = web["picture"]
    web |= {"picture": GONE_PICTURE, "title": "Broken"}
    desk.publish()
    broken = read_live(desk.builds)
    web |= {"picture": before, "title": "Fixed"}
    desk.publish()
    assert not read_live(desk.builds).blocked
    desk.publisher.go_back(2)
    assert read_live(desk.builds).blocked == broken.blocked == {"en": {ItemId("en", "page", "web"): 1}}
    page = desk.shown("en", "/services/web-development")
    assert "Broken" not in page
    assert "Fixed" not in page


# One country does not wait for another ---------------------------------------------------------------------------------


class Unwilling(FakeRenderer):
    """Renders no page of one site."""

    site = ""

    def render(self, requests: Iterable[Request], pages: int = 1) -> Iterator[Answer]:
        for request in requests:
            if request.site == self.site:
                yield RenderFailure(request, "could not be rendered: out of ink")
            else:
                yield from super().render([request])


def break_page(desk: Desk, site: str, key: str = "web") -> None:
    desk.book.content[site, "page", key]["blocks"][0] |= {"picture": GONE_PICTURE, "title": "Broken"}


def alternates(desk: Desk, site: str, path: str) -> list[str]:
    return re.findall(r'<link rel="alternate" hreflang="([^"]*)"', desk.shown(site, path))


def test_a_new_page_of_two_sites_goes_live_on_the_one_without_a_problem(desk: Desk, tmp_path: Path) -> None:
    """It names its translation once that exists."""
    for site in ("en", "de"):
        desk.book.content[site, "page", "audit"] = page("/audit", f"Audit {site}")
    break_page(desk, "de", "audit")
    assert blocked(desk.publish()) == [("de", "page", "audit")]
    assert alternates(desk, "en", "/audit") == ["en", "x-default"]
    assert "/audit" not in desk.manifest("de").files
    desk.book.content["de", "page", "audit"]["blocks"][0]["picture"] = None
    assert blocked(desk.publish()) == []
    assert alternates(desk, "en", "/audit") == ["en", "x-default", "de"]
    assert desk.is_as_a_full_build(tmp_path)


def test_another_problem_of_a_site_blocks_no_translation(desk: Desk) -> None:
    """While one page of a site is broken in the first try, the others are not compared with the site's last state. Its
    new pages go live as well."""
    for site in ("en", "de"):
        desk.book.content[site, "page", "audit"] = page("/audit", f"Audit {site}")
    break_page(desk, "de")
    assert blocked(desk.publish()) == [("de", "page", "web")]
    assert alternates(desk, "en", "/audit") == alternates(desk, "de", "/audit") == ["en", "x-default", "de"]


def test_a_site_that_cannot_be_made_stays_and_all_others_show_the_newest_release(
    book: ReleaseBook, tmp_path: Path, make_publisher: MakePublisher, media: Path
) -> None:
    desk = Desk(book, tmp_path / "builds", make_publisher, media)
    before = desk.manifest("de").build
    renderer = Unwilling()
    web = write_web_build(tmp_path / "dist2", "web-2", {"/assets/app-2.js": "console.log(2)"})
    desk.publisher = make_publisher(renderer, web=web)
    renderer.site = "de"
    for site in ("en", "de", "ae"):
        desk.retitle(site, "about", "Newest")
        if site != "ae":
            desk.book.content[site, "page", "audit"] = page("/audit", f"Audit {site}")
    del desk.book.content["de", "page", "mobile"]
    summary = desk.publish()
    assert {problem.site for problem in summary.problems} == {"de"}
    assert {change.site for change in summary.blocked} == {"de"}
    assert desk.manifest("de").build == before
    assert read_live(desk.builds).releases == {"en": 2, "ae": 2, "de": 1}
    assert "Newest" in desk.shown("en", "/about-us")
    assert "Newest" in desk.shown("ae", "/about-us")
    assert alternates(desk, "en", "/audit") == ["en", "x-default"]
    assert "de" in alternates(desk, "en", "/services/mobile-development")
    renderer.site = ""
    assert blocked(desk.publisher.publish(keep_going=True)) == []
    assert "de" in alternates(desk, "en", "/audit")
    assert "de" not in alternates(desk, "en", "/services/mobile-development")


def test_a_site_without_changes_of_its_own_makes_no_other_wait(
    book: ReleaseBook, tmp_path: Path, make_publisher: MakePublisher, media: Path
) -> None:
    desk = Desk(book, tmp_path / "builds", make_publisher, media)
    renderer = Unwilling()
    web = write_web_build(tmp_path / "dist2", "web-2", {"/assets/app-2.js": "console.log(2)"})
    desk.publisher = make_publisher(renderer, web=web)
    renderer.site = "de"
    desk.retitle("en", "about", "Newest")
    summary = desk.publish()
    assert blocked(summary) == []
    assert {problem.site for problem in summary.problems} == {"de"}
    assert "Newest" in desk.shown("en", "/about-us")


def test_what_a_pinned_site_does_not_show_is_named_by_nobody_and_nobody_waits(desk: Desk, tmp_path: Path) -> None:
    desk.publisher.publish(release=1, sites=["de"])
    switch_live(desk.builds, {"de": desk.manifest("de").build}, pin=Pin("2026-11-20T09:30:00+00:00", "anna"))
    for site in ("en", "de"):
        desk.book.content[site, "page", "audit"] = page("/audit", f"Audit {site}")
    del desk.book.content["de", "page", "mobile"]
    summary = desk.publish()
    assert (blocked(summary), summary.problems) == ([], [])
    assert alternates(desk, "en", "/audit") == ["en", "x-default"]
    assert "de" in alternates(desk, "en", "/services/mobile-development")
    resume(desk.builds, ["de"])
    assert blocked(desk.publish()) == []
    assert alternates(desk, "en", "/audit") == alternates(desk, "de", "/audit") == ["en", "x-default", "de"]
    assert desk.is_as_a_full_build(tmp_path)


def test_an_office_that_breaks_one_site_waits_there_alone(desk: Desk) -> None:
    for site in ("en", "de", "ae"):
        desk.book.content[site, "office", "london"]["value"]["phone"] = "+44 20 7946 0199"
    desk.book.content["de", "office", "london"]["value"]["hours"] = "{never}"
    assert blocked(desk.publish()) == [("de", "office", "london")]
    assert "+44 20 7946 0199" in desk.shown("en", "/about-us")
    assert "+44 20 7946 0199" not in desk.shown("de", "/about-us")


def test_what_is_blocked_is_as_its_own_site_shows_it(desk: Desk) -> None:
    """Sites may show different releases. A page that another site needs keeps its own state."""
    desk.book.content["en", "page", "contact"]["blocks"].append(offices_block())
    desk.book.content["ae", "menu", "main"]["contact"] = link("contact", "Contact us", "offices")
    desk.publish()
    switch_live(desk.builds, {"ae": desk.manifest("ae").build}, pin=Pin("2026-11-20T09:30:00+00:00", "anna"))
    desk.retitle("en", "contact", "Second")
    desk.publish()
    resume(desk.builds, ["ae"])
    desk.book.content["en", "page", "contact"]["blocks"].pop()  # Arabic pages link to its offices
    assert blocked(desk.publish()) == [("en", "page", "contact")]
    assert "Second" in desk.shown("en", "/contact-us")


@pytest.mark.parametrize(
    ("subject", "path_is_live", "web", "kept"),
    [
        (Subject("en", "page", "web", "Web", "/a"), True, "web-1", ("en", "/a")),
        (Subject("en", "page", "web", "Web", "/b"), True, "web-1", None),
        (Subject("en", "menu", "main", path="/a"), True, "web-1", None),
        (Subject("en", "page", "web", "Web", "/a"), True, "web-2", None),
        (Subject("en", "page", "web", "Web", "/a"), False, "web-1", None),
    ],
)
def test_whose_files_can_be_kept(subject: Subject, path_is_live: bool, web: str, kept: tuple[str, str] | None) -> None:
    """Files of a live page made by the same web build."""
    files = {"/a": File("digest", "text/html", 1)}
    manifest = Manifest(
        site="en", build="b-1", release=1, web="web-1", created="2026-11-20T09:30:00Z", html_headers={}, files=files
    )
    live = LiveBuild(manifest, None) if path_is_live else None
    assert find_keepable(Problem(subject, WrongHeadings(0)), live, web) == kept

"""A machine without builds shows its last live content, even with problems. A problem never takes a site down."""

import shutil
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from portolan.builds.live import live_file, read_live, resume
from portolan.builds.manifest import manifest_path, read_manifest
from portolan.builds.store import ContentStore
from portolan.domain.problems import (
    MissingAnchor,
    MissingHome,
    MissingMedia,
    MissingPage,
    MissingPicture,
    Problem,
    Subject,
)
from portolan.publisher.outcome import read_outcome
from portolan.publisher.problem import PublishError
from portolan.publisher.publish import Publisher, Summary
from portolan.publisher.renderer import Answer, RenderFailure, Request
from portolan.releases.last_live import LastLive, LiveRecord, read_last_live
from portolan.releases.reader import ItemId, open_reader

from .conftest import MakePublisher
from .fake_renderer import FakeRenderer
from .release_book import ReleaseBook, link, picture, rich_text

HOME_PICTURE = ItemId("", "picture", "7")


class Unable(FakeRenderer):
    """Renderer that fails for some pages."""

    def __init__(self) -> None:
        super().__init__()
        self.titles: set[str] = set()

    def render(self, requests: Iterable[Request], pages: int = 1) -> Iterator[Answer]:
        for request in requests:
            if request.title in self.titles:
                yield RenderFailure(request, "could not be rendered: out of ink")
            else:
                yield from super().render([request])


class Installation:
    """A company's three sites. Tests may delete ``builds``."""

    def __init__(self, book: ReleaseBook, folder: Path, make: MakePublisher, media: Path) -> None:
        self.book, self.builds, self.media = book, folder / "builds", media
        self.renderer = Unable()
        self._make = make
        (media / "seven.svg").write_text("<svg/>")
        book.content[HOME_PICTURE] = picture("seven")
        for site in ("en", "de", "ae"):
            book.content[site, "page", "home"]["blocks"][0]["picture"] = {"$picture": "7", "alt": ""}
        self.publisher: Publisher = make(self.renderer)

    def publish(self, **how: bool) -> Summary:
        return self.publisher.publish(keep_going=True, **how)

    def edit_and_publish(self) -> Summary:
        self.book.release()
        return self.publish()

    def lose(self, what: str = "") -> None:
        """Delete the builds, or a part of their folder. The next publish uses a new publisher."""
        lost = self.builds / what
        if lost.is_dir():
            shutil.rmtree(lost)
        else:
            lost.unlink()
        self.restart()

    def restart(self) -> None:
        self.publisher = self._make(self.renderer)

    def forget_what_was_live(self) -> None:
        """Delete the record, as in a database of an older version."""
        self.book.execute("DELETE FROM releases_lastlive")

    def pages(self) -> dict[str, dict[str, bytes | None]]:
        """Return the pages that visitors get, by site and path."""
        store, live = ContentStore(self.builds), read_live(self.builds).builds
        return {
            site: {
                path: store.read(file.digest)
                for path, file in read_manifest(self.builds, site, build).files.items()
                if file.content_type.startswith("text/html")
            }
            for site, build in live.items()
        }

    def block(self) -> None:
        """Delete the image of all home pages, and give a footer a dead anchor."""
        del self.book.content[HOME_PICTURE]
        self.book.content["de", "footer", "main"]["offices_link"] = link("about", "Offices", "nowhere")
        self.book.content["en", "page", "web"]["blocks"][0]["title"] = "Newest"


@pytest.fixture
def installation(book: ReleaseBook, tmp_path: Path, make_publisher: MakePublisher, media: Path) -> Installation:
    return Installation(book, tmp_path, make_publisher, media)


def blocked(summary: Summary) -> set[ItemId]:
    return {ItemId(*change[:3]) for change in summary.blocked}


BLOCKED = {HOME_PICTURE, ItemId("de", "footer", "main")}


@pytest.mark.parametrize("is_known", [True, False], ids=["what was live is known", "only releases are left"])
@pytest.mark.parametrize("full", [False, True], ids=["", "in full"])
def test_a_machine_without_builds_shows_what_was_live_last(
    installation: Installation, is_known: bool, full: bool
) -> None:
    installation.edit_and_publish()
    installation.block()
    assert blocked(installation.edit_and_publish()) == BLOCKED
    before = installation.pages()
    installation.lose()
    if not is_known:
        installation.forget_what_was_live()
    summary = installation.publish(full=full)
    assert installation.pages() == before
    assert b"Newest" in (before["en"]["/services/web-development"] or b"")
    assert (blocked(summary), summary.problems, summary.live_problems) == (BLOCKED, [], [])
    outcome = read_outcome(installation.builds)
    assert outcome
    assert {ItemId(*change[:3]) for change in outcome.blocked} == BLOCKED


def test_a_strict_publish_says_what_went_live_and_what_did_not(installation: Installation) -> None:
    installation.edit_and_publish()
    installation.block()
    installation.edit_and_publish()
    before = installation.pages()
    installation.lose()
    with pytest.raises(PublishError, match=r"files of en, de, ae were missing.* `portolan publish --keep-going`"):
        installation.publisher.publish()
    assert installation.pages() == before


def test_the_only_release_with_a_problem_goes_live_with_it(installation: Installation) -> None:
    """All earlier states have the problem."""
    installation.book.content["de", "page", "web"]["blocks"].append(
        rich_text('<p><a data-page="about" data-anchor="nowhere">See</a></p>')
    )
    installation.book.content["de", "page", "mobile"]["blocks"][0]["picture"] = {"$picture": "9", "alt": ""}
    installation.book.content["de", "page", "mobile"]["blocks"].append(rich_text('<p><a data-page="never">See</a></p>'))
    installation.book.content["de", "footer", "main"]["offices_link"] = link("never", "Offices")
    summary = installation.edit_and_publish()
    live_problems = {(problem.subject.kind, problem.subject.path, problem.detail) for problem in summary.live_problems}
    assert live_problems == {
        ("page", "/services/web-development", MissingAnchor("/about-us#nowhere")),
        ("page", "/services/mobile-development", MissingPicture("9")),
        ("page", "/services/mobile-development", MissingPage("never")),
        ("footer", "", MissingPage("never")),
    }
    assert b"/icon-512.png" in (installation.pages()["de"]["/services/mobile-development"] or b"")


class WithProblem:
    """A site with one page that is live with a problem."""

    def __init__(self, installation: Installation) -> None:
        self.all = installation
        self.body = installation.book.content["de", "page", "web"]
        self.body["blocks"].append(rich_text('<p><a data-page="about" data-anchor="nowhere">See</a></p>'))
        installation.edit_and_publish()


@pytest.fixture
def with_problem(installation: Installation) -> WithProblem:
    return WithProblem(installation)


def test_a_problem_is_reported_until_it_is_fixed_and_blocks_nothing(with_problem: WithProblem) -> None:
    for _ in range(2):
        with_problem.all.restart()
        with_problem.all.book.content["de", "page", "web"]["blocks"][0]["title"] += " Neu"
        with_problem.all.book.content["de", "page", "mobile"]["blocks"][0]["title"] += " Neu"
        summary = with_problem.all.edit_and_publish()
        assert ([problem.detail for problem in summary.live_problems], blocked(summary)) == (
            [MissingAnchor("/about-us#nowhere")],
            set(),
        )
        assert b"Neu" in (with_problem.all.pages()["de"]["/services/web-development"] or b"")
        outcome = read_outcome(with_problem.all.builds)
        assert outcome
        assert outcome.every_problem() == summary.live_problems
    with_problem.body["blocks"].pop()
    assert with_problem.all.edit_and_publish().live_problems == []
    outcome = read_outcome(with_problem.all.builds)
    assert outcome
    assert outcome.every_problem() == []


def test_another_problem_is_blocked_beside_a_problem(with_problem: WithProblem) -> None:
    with_problem.body["blocks"][0]["picture"] = {"$picture": "9", "alt": ""}
    summary = with_problem.all.edit_and_publish()
    assert blocked(summary) == {ItemId("de", "page", "web")}
    assert [problem.detail for problem in summary.live_problems] == [MissingAnchor("/about-us#nowhere")]


def test_a_problem_of_the_footer_blocks_no_page(installation: Installation) -> None:
    installation.book.content["de", "footer", "main"]["offices_link"] = link("about", "Offices", "nowhere")
    installation.edit_and_publish()
    installation.book.content["de", "page", "web"]["blocks"][0]["title"] = "Neu"
    summary = installation.edit_and_publish()
    assert b"Neu" in (installation.pages()["de"]["/services/web-development"] or b"")
    assert [(problem.item, problem.detail) for problem in summary.live_problems] == [
        (("de", "footer", "main"), MissingAnchor("/about-us#nowhere"))
    ]


def test_a_file_that_is_missing_takes_no_page_back_to_an_earlier_text(installation: Installation) -> None:
    installation.edit_and_publish()
    installation.book.content["en", "page", "home"]["blocks"][0]["title"] = "Newest"
    installation.edit_and_publish()
    installation.lose()
    (installation.media / "seven.svg").unlink()
    summary = installation.publish()
    assert {type(problem.detail) for problem in summary.live_problems} == {MissingMedia}
    assert b"Newest" in (installation.pages()["en"]["/"] or b"")


def test_a_page_that_cannot_be_rendered_shows_an_earlier_state_or_is_left_out(installation: Installation) -> None:
    installation.edit_and_publish()
    installation.book.content["en", "page", "web"]["title"] = "Unprintable"
    installation.book.release()
    installation.renderer.titles = {"Unprintable", "Mobile de"}
    installation.lose()
    installation.forget_what_was_live()
    summary = installation.publish()
    pages = installation.pages()
    assert b"Web en" in (pages["en"]["/services/web-development"] or b"")
    assert "/services/mobile-development" not in pages["de"]
    assert blocked(summary) == {ItemId("en", "page", "web"), ItemId("de", "page", "mobile")}


def test_a_site_whose_home_page_cannot_be_rendered_serves_its_other_pages(installation: Installation) -> None:
    installation.renderer.titles = {"Home de"}
    summary = installation.edit_and_publish()
    assert "/about-us" in installation.pages()["de"]
    assert MissingHome() in {problem.detail for problem in summary.live_problems}


def test_what_is_pinned_is_pinned_again(installation: Installation) -> None:
    installation.edit_and_publish()
    installation.block()
    installation.edit_and_publish()
    installation.publisher.go_back(1, ("en",), by="anna")
    before = installation.pages()
    pointer = read_live(installation.builds)
    installation.lose()
    installation.publish()
    assert installation.pages() == before
    again = read_live(installation.builds)
    assert (again.pins, again.releases, again.blocked) == (pointer.pins, pointer.releases, pointer.blocked)


def test_a_pinned_installation_is_pinned_again(installation: Installation) -> None:
    installation.edit_and_publish()
    installation.book.content["en", "page", "web"]["blocks"][0]["title"] = "Newest"
    installation.edit_and_publish()
    installation.publisher.go_back(1, by="anna")
    before, pointer = installation.pages(), read_live(installation.builds)
    installation.lose()
    installation.publish()
    assert installation.pages() == before
    assert read_live(installation.builds).installation == pointer.installation
    assert read_live(installation.builds).pins == pointer.pins


def test_a_blocked_release_can_be_named(installation: Installation) -> None:
    installation.edit_and_publish()
    installation.block()
    installation.edit_and_publish()
    before = installation.pages()
    installation.book.content["en", "page", "about"]["blocks"][0]["title"] = "Later"
    installation.book.release()
    installation.lose()
    installation.forget_what_was_live()
    assert blocked(installation.publisher.publish(release=2)) == BLOCKED
    assert installation.pages() == before
    assert {pin.by for pin in read_live(installation.builds).pins.values()} == {"portolan publish --release"}


def damage_pointer(installation: Installation) -> None:
    live_file(installation.builds).write_text("{")
    installation.restart()


def lose_pointer(installation: Installation) -> None:
    installation.lose("live.json")


def lose_store(installation: Installation) -> None:
    installation.lose("store")


def lose_inputs(installation: Installation) -> None:
    installation.lose("inputs")


def damage_manifest(installation: Installation) -> None:
    build = read_live(installation.builds).builds["en"]
    manifest_path(installation.builds, "en", build).write_text("{")
    installation.restart()


@pytest.mark.parametrize(
    "harm",
    [damage_pointer, lose_pointer, lose_store, lose_inputs, damage_manifest],
)
def test_builds_that_are_lost_in_part_are_made_whole(
    installation: Installation, harm: Callable[[Installation], None]
) -> None:
    installation.edit_and_publish()
    installation.block()
    installation.edit_and_publish()
    before = installation.pages()
    harm(installation)
    summary = installation.publish()
    assert installation.pages() == before
    assert blocked(summary) == BLOCKED


def test_files_that_are_lost_are_made_again_by_a_full_publish(installation: Installation) -> None:
    installation.edit_and_publish()
    installation.block()
    installation.edit_and_publish()
    before = installation.pages()
    manifest = read_manifest(installation.builds, "de", read_live(installation.builds).builds["de"])
    store = ContentStore(installation.builds)
    for path in ("/about-us", "/services/web-development"):
        Path(store.path(manifest.files[path].digest)).unlink()
    installation.restart()
    installation.publish(full=True)
    assert installation.pages() == before


def test_the_record_says_what_each_site_shows(installation: Installation) -> None:
    installation.edit_and_publish()
    installation.block()
    installation.edit_and_publish()
    reader = open_reader(installation.book.url)
    picture_held = {HOME_PICTURE: 1}
    assert read_last_live(reader) == {
        "en": LastLive(2, picture_held),
        "de": LastLive(2, {**picture_held, ItemId("de", "footer", "main"): 1}),
        "ae": LastLive(2, picture_held),
    }
    installation.publisher.go_back(1, ("en",), by="anna")
    assert read_last_live(reader)["en"].by == "anna"
    resume(installation.builds, ["en"])
    LiveRecord(installation.book.url).write({"left": LastLive(1)}, ("left", "en", "de", "ae"))
    installation.publish()
    assert read_last_live(reader).keys() == {"en", "de", "ae"}, "the others have left the registry"
    assert read_last_live(reader)["en"] == LastLive(2, picture_held)
    reader.close()


def test_problems_are_told_apart_by_item_and_problem() -> None:
    one = Problem(Subject("en", "page", "a", "A", "/a", field="x"), MissingPicture("1"))
    assert one.identity == one._replace(subject=one.subject._replace(field="y")).identity
    assert one.identity != one._replace(detail=MissingPicture("2")).identity

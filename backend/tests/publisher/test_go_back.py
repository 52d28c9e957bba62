"""Going back shows every site as it was at a release, and pins it there."""

import json
from collections.abc import Callable
from copy import deepcopy
from pathlib import Path
from typing import Any

import pytest

from portolan.builds.live import Installation, live_file, read_live, resume
from portolan.builds.manifest import File, list_builds, manifest_path, read_manifest, write_manifest
from portolan.builds.store import ContentStore
from portolan.publisher.build_inputs import inputs_path
from portolan.publisher.go_back import WentBack, compare_pages
from portolan.publisher.problem import PublishError, UsageError
from portolan.publisher.publish import Publisher
from portolan.publisher.web_build import WebBuild

from .conftest import MakePublisher, write_web_build
from .fake_renderer import FakeRenderer
from .release_book import ReleaseBook, page, small_site

Files = dict[tuple[str, str], File]


class Desk:
    """Edits, publishes and goes back."""

    def __init__(self, book: ReleaseBook, builds: Path, make: MakePublisher, web: WebBuild) -> None:
        self.book, self.builds, self._make, self.web = book, builds, make, web
        self.renderer = FakeRenderer()
        self.publisher: Publisher = make(self.renderer, builds=builds)
        self.fulls = 0

    def with_web(self, web: WebBuild) -> None:
        self.web = web
        self.publisher = self._make(self.renderer, builds=self.builds, web=web)

    def write(self, site: str, title: str, key: str = "about") -> int:
        self.book.content[site, "page", key]["blocks"][0]["title"] = title
        return self.book.release()

    def publish(self, site: str, title: str, key: str = "about") -> int:
        release = self.write(site, title, key)
        self.publisher.publish()
        return release

    def back(self, release: int | None = None, *sites: str, is_trial: bool = False) -> WentBack:
        self.renderer.rendered.clear()
        return self.publisher.go_back(release, sites, "anna", is_trial)

    def origins(self, found: WentBack) -> dict[str, str]:
        return {site.site: site.origin for site in found.sites}

    def live(self) -> dict[str, str]:
        return dict(read_live(self.builds).builds)

    def files(self) -> Files:
        """Everything that is live, and surely there."""
        store = ContentStore(self.builds)
        found = {
            (site, path): file
            for site, build in self.live().items()
            for path, file in read_manifest(self.builds, site, build).files.items()
        }
        assert all(store.read(file.digest) is not None for file in found.values())
        return found

    def redirects(self, site: str) -> dict[str, tuple[int, str]]:
        manifest = read_manifest(self.builds, site, self.live()[site])
        return {path: (redirect.status, redirect.target) for path, redirect in manifest.redirects.items()}

    def full(self, release: int | None = None) -> Files:
        """Return the files of a full build of a release."""
        self.fulls += 1
        other = self.builds.with_name(f"full-{self.fulls}")
        self._make(FakeRenderer(), builds=other, web=self.web).publish(release)
        return Desk(self.book, other, self._make, self.web).files()


@pytest.fixture
def desk(book: ReleaseBook, tmp_path: Path, make_publisher: MakePublisher, web: WebBuild) -> Desk:
    """Release 1 is live on en, de and ae."""
    desk = Desk(book, tmp_path / "builds", make_publisher, web)
    book.release()
    desk.publisher.publish()
    return desk


def test_sites_that_the_later_releases_never_touched_keep_their_very_builds(desk: Desk) -> None:
    before = desk.files()
    builds = desk.live()
    desk.book.content["en", "page", "web"]["blocks"][0]["title"] = "Two sites"
    desk.publish("de", "Two sites")
    found = desk.back(1)
    assert desk.origins(found) == {"en": "build", "de": "build", "ae": "kept"}
    assert desk.files() == before
    assert desk.live()["ae"] == builds["ae"]
    assert desk.renderer.rendered == []


def test_the_installation_is_held_at_the_release(desk: Desk) -> None:
    desk.publish("de", "Later")
    desk.back(1)
    live = read_live(desk.builds)
    assert live.installation == Installation(True, 1, live.installation.since, "anna")
    assert set(live.releases.values()) == {1}
    assert set(live.pins) == {"en", "de", "ae"}
    pinned = desk.files()
    desk.write("en", "Much later")
    assert desk.publisher.publish(keep_going=True).sites == []
    assert desk.files() == pinned
    with pytest.raises(UsageError, match=r"Site en is pinned since .*\(by anna\).*run `portolan resume`"):
        desk.publisher.publish(sites=["en"])
    resume(desk.builds, by="ben")
    desk.publisher.publish()
    live = read_live(desk.builds)
    assert (live.installation.is_pinned, live.installation.release, live.installation.by) == (False, 3, "ben")
    assert desk.files() == desk.full()


def test_without_a_release_it_is_the_one_before_the_last_change(desk: Desk) -> None:
    desk.publish("de", "Second")
    desk.publish("de", "Third")
    assert desk.back().release == 2
    assert desk.back().release == 1
    with pytest.raises(UsageError, match="There is no release 0"):
        desk.back()


def test_what_no_build_was_made_of_is_rendered_from_the_release(desk: Desk) -> None:
    """Two saves in quick succession are published as one: release 2 was never live."""
    desk.write("de", "Second")
    desk.write("en", "Third")
    desk.publish("de", "Fourth")
    found = desk.back(2)
    assert desk.origins(found) == {"en": "build", "de": "rendered", "ae": "kept"}
    assert desk.renderer.rendered == [("de", "/about-us")]
    assert desk.files() == desk.full(2)


def test_a_store_of_an_older_version_gets_the_folder_that_workers_write_packs_into(desk: Desk) -> None:
    packs = ContentStore(desk.builds).packs.folder
    packs.rmdir()
    desk.book.content["en", "page", "web"]["blocks"][0]["title"] = "Newer"
    desk.book.release()
    desk.publisher.go_back(release=1, is_trial=True)
    assert packs.is_dir()


def damage(path: Path) -> None:
    path.write_bytes(path.read_bytes()[:-9] + b"123456789")


def lose(path: Path) -> None:
    path.unlink()


@pytest.mark.parametrize("harm", [damage, lose])
@pytest.mark.parametrize("what", ["manifest", "inputs", "file"])
def test_a_build_that_is_not_whole_is_rendered_again(desk: Desk, harm: Callable[[Path], None], what: str) -> None:
    first, store = desk.live()["de"], ContentStore(desk.builds)
    page_file = Path(store.path(read_manifest(desk.builds, "de", first).files["/about-us"].digest))
    desk.publish("de", "Later")
    if what == "file":
        lose(page_file)  # a damaged one is for `portolan verify`: reading all of them takes too long
    elif what == "inputs":
        harm(inputs_path(desk.builds, "de", first))
    else:
        _write_whole(desk, "de")  # the live one must not lean on the damaged one
        harm(manifest_path(desk.builds, "de", first))
    assert desk.origins(desk.back(1))["de"] == "rendered"
    assert desk.files() == desk.full(1)


def _write_whole(desk: Desk, site: str) -> None:
    """Write a whole record, as after 16 builds or pruning."""
    path = manifest_path(desk.builds, site, desk.live()[site])
    manifest = read_manifest(desk.builds, site, desk.live()[site])
    path.unlink()
    write_manifest(desk.builds, manifest, None)


def test_addresses_that_came_later_lead_somewhere_too(desk: Desk) -> None:
    """Visitors have seen them: a moved page is at its old URL, and a new one is gone."""
    desk.book.content["de", "page", "extra"] = page("/extra", parent="home")
    desk.book.content["de", "page", "web"]["path"] = "/web"
    desk.publish("de", "Later")
    assert desk.redirects("de") == {"/services/web-development": (301, "/web")}
    found = desk.back(1)
    assert desk.origins(found) == {"en": "build", "de": "build", "ae": "build"}  # pages name their translations
    assert desk.redirects("de") == {"/extra": (410, ""), "/web": (301, "/services/web-development")}
    assert desk.redirects("ae") == {}


def test_a_build_that_showed_the_release_later_on_is_found(desk: Desk) -> None:
    """Release 3 reverted release 2 while the sites showed 1, so it has no build."""
    before = deepcopy(desk.book.content)
    menu(desk.book.content)
    desk.publish("de", "Second")
    desk.back(1)
    desk.book.content = before
    desk.book.release()
    resume(desk.builds)
    desk.publisher.publish()
    desk.publish("de", "Fourth")
    assert desk.origins(desk.back(3)) == {"en": "kept", "de": "build", "ae": "kept"}
    assert desk.renderer.rendered == []
    assert desk.files() == desk.full(3)


def test_a_damaged_live_build_is_left_behind(desk: Desk) -> None:
    release = desk.publish("de", "Later")
    damage(manifest_path(desk.builds, "de", desk.live()["de"]))
    with pytest.raises(UsageError, match="The live build of de is damaged"):
        Desk(desk.book, desk.builds, desk._make, desk.web).back()
    again = Desk(desk.book, desk.builds, desk._make, desk.web)
    assert again.origins(again.back(release - 1))["de"] == "build"
    assert again.files() == again.full(release - 1)


def test_builds_of_an_earlier_web_build_are_shown_as_they_are(desk: Desk, tmp_path: Path) -> None:
    before = desk.files()
    desk.publish("en", "Later")
    desk.with_web(write_web_build(tmp_path / "dist2", "web-2", {"/assets/app-2.js": "console.log(2)"}))
    desk.publisher.publish()
    found = desk.back(1)
    assert set(desk.origins(found).values()) == {"build"}
    assert desk.files() == before
    assert read_manifest(desk.builds, "en", desk.live()["en"]).file("/assets/app-2.js")  # for tabs that are open


def test_a_site_that_no_release_since_reached_needs_no_build_of_its_own(desk: Desk, tmp_path: Path) -> None:
    """Its only build from before the new web build is of an earlier release and other code, so it cannot be compared."""
    before = {key: file for key, file in desk.files().items() if key[0] == "ae"}
    release = desk.publish("en", "Second")
    desk.publish("ae", "Third")
    desk.with_web(write_web_build(tmp_path / "dist2", "web-2", {"/assets/app-2.js": "console.log(2)"}))
    desk.publisher.publish()
    (desk.builds / "inputs/ae").joinpath(f"{desk.live()['ae']}.json").unlink()
    found = desk.back(release)
    assert desk.origins(found)["ae"] == "build"
    assert {key: file for key, file in desk.files().items() if key[0] == "ae"} == before


def text(content: Any) -> None:
    content["de", "page", "about"]["blocks"][0]["title"] = "Second"


def menu(content: Any) -> None:
    content["de", "menu", "main"]["items"][0]["title"] = "Second"


def fewer_pages(content: Any) -> None:
    del content["de", "page", "mobile"]


@pytest.mark.parametrize("change", [text, menu, fewer_pages])
def test_what_a_later_web_build_cannot_compare_is_rendered_by_it(
    desk: Desk, tmp_path: Path, change: Callable[[Any], None]
) -> None:
    before = deepcopy(desk.book.content)
    change(desk.book.content)
    desk.book.release()
    desk.book.content = before
    desk.publish("de", "Third")
    desk.with_web(write_web_build(tmp_path / "dist2", "web-2", {"/assets/app-2.js": "console.log(2)"}))
    origins = desk.origins(desk.back(2))
    assert origins["de"] == "rendered"
    expected = desk.full(2)
    for site in origins:
        if origins[site] == "rendered":
            shown, whole = (
                {key: file for key, file in files.items() if key[0] == site} for files in (desk.files(), expected)
            )
            assert shown == whole


def test_goes_back_without_a_web_build_where_builds_are_kept(desk: Desk) -> None:
    before = desk.files()
    desk.write("de", "Second")
    desk.publish("en", "Third")
    desk.with_web(WebBuild(Path("nowhere"), "", {}, (), False))
    with pytest.raises(UsageError, match=r"No kept build has de as at release 2.*no usable web build"):
        desk.back(2)
    desk.back(1)
    assert desk.files() == before


@pytest.mark.parametrize("way", [(3, 1, 2), (1, 3, 4, 2), (4, 4, 1, 1)])
def test_goes_from_one_release_to_any_other(desk: Desk, way: tuple[int, ...]) -> None:
    for release in (2, 3, 4):
        desk.publish("de" if release % 2 else "en", f"Edition {release}")
    for release in way:
        desk.back(release)
        assert desk.files() == desk.full(release)
        assert read_live(desk.builds).installation.release == release
        assert desk.renderer.rendered == []
    resume(desk.builds)
    desk.publisher.publish()
    assert desk.files() == desk.full()


def test_a_trial_says_what_would_change_and_changes_nothing(desk: Desk) -> None:
    desk.book.content["de", "page", "extra"] = page("/extra", parent="home")
    del desk.book.content["de", "page", "mobile"]
    desk.publish("de", "Later")
    pointer, builds = live_file(desk.builds).read_bytes(), list_builds(desk.builds, "de")
    de = desk.back(1, is_trial=True).sites[1]
    assert (de.site, de.origin) == ("de", "build")
    assert de.pages.changed == ["/about-us"]
    assert de.pages.back == ["/services/mobile-development"]
    assert de.pages.gone == ["/extra"]
    assert live_file(desk.builds).read_bytes() == pointer
    assert list_builds(desk.builds, "de") == builds


def no_such_release(desk: Desk) -> None:
    desk.back(99)


def no_such_site(desk: Desk) -> None:
    desk.back(1, "fr")


def a_site_that_was_not_there(desk: Desk) -> None:
    for key in [key for key in desk.book.content if key[0] == "ae"]:
        del desk.book.content[key]
    empty = desk.book.release()
    small_site(desk.book, "ae")
    desk.book.release()
    desk.publisher.publish()
    desk.back(empty)


def a_file_that_is_gone(desk: Desk) -> None:
    desk.write("de", "Second")
    desk.publish("de", "Third")
    (desk.builds.parent / "media/harbour.svg").unlink()
    for path in (desk.builds / "inputs/de").glob("*.json"):
        path.unlink()
    desk.with_web(desk.web)  # one that has not seen them
    desk.back(2)


def a_translation_that_would_not_agree(desk: Desk) -> None:
    desk.book.content["de", "page", "about"]["path"] = "/ueber-uns"
    desk.book.release()
    desk.publisher.publish()
    desk.back(1, "de")


@pytest.mark.parametrize(
    ("attempt", "message"),
    [
        (no_such_release, r"There is no release 99. No site was changed. The newest is 1;"),
        (no_such_site, "Site fr is not live. No site was changed."),
        (a_site_that_was_not_there, r"Site ae has no page at release 2. No site was changed"),
        (a_file_that_is_gone, r"de, “Web de” \(/services/web-development\).*harbour"),
        (
            a_translation_that_would_not_agree,
            r"page /about-us of de and page /ueber-uns of de would|page .* would not link to each other as translations",
        ),
    ],
)
def test_what_cannot_be_done_is_said_and_nothing_is_half_done(
    desk: Desk, attempt: Callable[[Desk], None], message: str
) -> None:
    states: list[tuple[bytes, Files]] = []
    back = desk.back

    def watched(release: int | None = None, *sites: str, is_trial: bool = False) -> WentBack:
        states.append((live_file(desk.builds).read_bytes(), desk.files()))
        return back(release, *sites, is_trial=is_trial)

    desk.back = watched  # type: ignore[method-assign]
    with pytest.raises((UsageError, PublishError), match=message):
        attempt(desk)
    assert states == [(live_file(desk.builds).read_bytes(), desk.files())]


def test_one_site_can_be_held_alone(desk: Desk) -> None:
    desk.publish("de", "Second")
    desk.back(1, "de")
    live = read_live(desk.builds)
    assert not live.installation.is_pinned
    assert set(live.pins) == {"de"}
    assert desk.publisher.publish().sites
    desk.publish("en", "Third")
    assert live.releases["de"] == read_live(desk.builds).releases["de"] == 1
    assert read_live(desk.builds).releases["en"] == 3


@pytest.mark.parametrize(
    ("before", "after", "expected"),
    [
        ({}, {}, ([], [], [])),
        ({"/": "a"}, {"/": "a"}, ([], [], [])),
        ({"/": "a", "/x": "a"}, {"/": "b", "/y": "a"}, (["/"], ["/y"], ["/x"])),
        ({"/a.js": "a"}, {"/b.js": "a"}, ([], [], [])),
    ],
)
def test_compares_pages(before: dict[str, str], after: dict[str, str], expected: tuple[list[str], ...]) -> None:
    def files(digests: dict[str, str]) -> dict[str, File]:
        return {
            path: File(digest, "text/javascript" if "." in path else "text/html; charset=utf-8", 1)
            for path, digest in digests.items()
        }

    assert tuple(compare_pages(files(before), files(after))) == expected


def test_a_pointer_of_an_older_version_is_read(desk: Desk) -> None:
    """Its rollback put each pinned site separately."""
    desk.publish("de", "Later")
    old = json.loads(live_file(desk.builds).read_bytes())
    del old["installation"], old["problems"]
    live_file(desk.builds).write_text(json.dumps(old))
    live = read_live(desk.builds)
    assert live.installation == Installation(False, 2, old["switchedAt"], "")
    pin = {"since": "2026-11-01T10:00:00+00:00", "by": "anna"}
    old["holds"] = dict.fromkeys(("en", "de"), pin)
    live_file(desk.builds).write_text(json.dumps(old))
    assert (read_live(desk.builds).installation.is_pinned, set(read_live(desk.builds).pins)) == (False, {"en", "de"})
    old["holds"]["ae"] = pin
    live_file(desk.builds).write_text(json.dumps(old))
    assert read_live(desk.builds).installation == Installation(True, 2, *pin.values())
    resume(desk.builds, ["de"], "ben")
    assert set(read_live(desk.builds).pins) == {"en", "ae"}
    resume(desk.builds)
    assert read_live(desk.builds).pins == {}

"""Several publishers, each with its sites; and an installation of many."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from portolan.builds.live import read_live, resume
from portolan.builds.manifest import BuildError, read_manifest
from portolan.builds.object_store import ObjectStore
from portolan.builds.store import ContentStore
from portolan.publisher.addresses import Addresses
from portolan.publisher.lock import publish_lock
from portolan.publisher.outcome import read_outcome
from portolan.publisher.problem import PublishError
from portolan.publisher.publish import Publisher
from portolan.publisher.scope import Scope
from portolan.publisher.shared_builds import SharedBuilds
from portolan.publisher.sitemap import SITEMAP
from portolan.publisher.watch import Watch
from portolan.publisher.web_build import WebBuild
from portolan.releases.reader import open_reader
from portolan.sites.groups import Group
from portolan.sites.registry import Registry

from .fake_renderer import FakeRenderer
from .release_book import ReleaseBook, page, rich_text, small_site

BRAND = "brand"


class Desk:
    """An installation whose site ``ae`` has a publisher of its own. ``ae`` lacks a contact page, so its links point to
    ``en``.
    """

    def __init__(self, book: ReleaseBook, registry: Registry, web: WebBuild, builds: Path, media: Path) -> None:
        sites = registry.sites | {"ae": registry.sites["ae"].model_copy(update={"group": BRAND})}
        self.registry = registry.model_copy(update={"groups": {BRAND: Group(publisher="own")}, "sites": sites})
        self.book, self.builds = book, builds
        self._web, self._media = web, media
        self._open: list[Publisher] = []
        self.shared, self.brand = self.publisher(Scope.shared), self.publisher(lambda all: Scope.own(all, BRAND))

    def publisher(self, scope: Callable[[Registry], Scope], builds: Path | None = None) -> Publisher:
        made = Publisher(
            Addresses(self.registry, "local", 8000),
            open_reader(self.book.url),
            self._web,
            builds or self.builds,
            self._media,
            FakeRenderer(),
            scope=scope(self.registry),
        )
        self._open.append(made)
        return made

    def close(self) -> None:
        for publisher in self._open:
            publisher.close()

    def served(self, site: str, path: str, builds: Path | None = None) -> str:
        root = builds or self.builds
        manifest = read_manifest(root, site, read_live(root).builds[site])
        data = ContentStore(root).read(manifest.files[path].digest)
        assert data is not None
        return data.decode()

    def releases(self) -> dict[str, int]:
        return dict(read_live(self.builds).releases)


@pytest.fixture
def desk(book: ReleaseBook, registry: Registry, web: WebBuild, media: Path, tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(book, registry, web, tmp_path / "builds", media)
    yield desk
    desk.close()


def test_each_publisher_puts_its_own_sites_live_and_the_pointer_has_all(desk: Desk) -> None:
    desk.book.release()
    assert [site.site for site in desk.shared.publish().sites] == ["en", "de"]
    assert [site.site for site in desk.brand.publish().sites] == ["ae"]
    assert desk.releases() == {"en": 1, "de": 1, "ae": 1}
    assert 'hreflang="ar"' not in desk.served("en", "/about-us"), "a page's alternates are those of its group"
    desk.book.content["de", "page", "about"]["blocks"][0]["title"] = "Seit 2007"
    desk.book.release()
    desk.shared.publish()
    assert desk.releases() == {"en": 2, "de": 2, "ae": 1}
    outcome = read_outcome(desk.builds)
    assert outcome
    assert outcome.release == 1, "the slower one decides what is live everywhere"
    desk.brand.publish()
    outcome = read_outcome(desk.builds)
    assert outcome
    assert (outcome.release, outcome.is_live) == (2, True)


def test_a_problem_of_one_group_is_nobody_else_s(desk: Desk) -> None:
    desk.book.release()
    desk.shared.publish()
    desk.brand.publish()
    desk.book.content["ae", "page", "about"]["blocks"][0]["picture"] = {"$picture": "9", "alt": ""}
    desk.book.content["de", "page", "about"]["blocks"][0]["title"] = "Seit 2007"
    desk.book.release()
    assert desk.shared.publish().blocked == []
    assert "Seit 2007" in desk.served("de", "/about-us")
    assert [change.site for change in desk.brand.publish(keep_going=True).blocked] == ["ae"]
    desk.book.content["de", "page", "about"]["blocks"][0]["title"] = "Seit 2008"
    desk.book.release()
    desk.shared.publish()
    outcome = read_outcome(desk.builds)
    assert outcome
    assert [change.site for change in outcome.blocked] == ["ae"], "what the other one said still holds"


def test_links_to_the_default_site_follow_what_it_shows(desk: Desk) -> None:
    desk.book.release()
    with pytest.raises(PublishError, match="Contact button: links to a page that is not published on this or"):
        desk.brand.publish()  # the default site is not live yet, so it cannot be a target
    desk.shared.publish()
    desk.brand.publish()
    assert "http://localhost:8000/contact-us" in desk.served("ae", "/services/web-development")
    desk.book.content["en", "page", "contact"]["path"] = "/talk-to-us"
    desk.book.release()
    desk.brand.publish()
    assert "http://localhost:8000/contact-us" in desk.served("ae", "/services/web-development"), "not there yet"
    desk.shared.publish()
    desk.brand.publish()
    assert "http://localhost:8000/talk-to-us" in desk.served("ae", "/services/web-development")
    del desk.book.content["en", "page", "contact"]
    desk.book.content["en", "page", "web"]["blocks"][0]["actions"] = []
    desk.book.content["en", "menu", "main"]["contact"] = desk.book.content["en", "menu", "main"]["items"][0]["submenu"][
        0
    ]["url"]
    desk.book.release()
    summary = desk.shared.publish(keep_going=True)
    assert summary.blocked == [], "it waits for no other group"
    with pytest.raises(KeyError):
        desk.served("en", "/talk-to-us")
    assert {problem.site for problem in summary.live_problems} >= {"ae"}, "a page of the other group leads there"


def test_a_typed_link_to_another_group_goes_by_what_is_live_there(desk: Desk) -> None:
    desk.book.content["ae", "page", "new"] = page("/new", "New")
    desk.book.content["de", "page", "about"]["blocks"].append(
        rich_text('<p><a href="http://ae.localhost:8000/new">There</a></p>')
    )
    desk.book.release()
    assert [problem.site for problem in desk.shared.publish(keep_going=True).live_problems] == ["de"], (
        "it has nothing else to serve"
    )
    desk.brand.publish()
    assert desk.shared.publish().live_problems == []


def test_the_whole_installation_goes_back_and_follows_again(desk: Desk) -> None:
    desk.book.release()
    desk.shared.publish()
    desk.brand.publish()
    for site in ("de", "ae"):
        desk.book.content[site, "page", "about"]["blocks"][0]["title"] = "Another"
    desk.book.release()
    desk.shared.publish()
    desk.brand.publish()
    with publish_lock(desk.builds):
        desk.shared.go_back(1, by="anna")
    assert "Another" not in desk.served("ae", "/about-us") + desk.served("de", "/about-us")
    assert desk.brand.publish().sites == desk.shared.publish().sites == [], "held for every publisher"
    with publish_lock(desk.builds):
        resume(desk.builds)
    desk.brand.publish()
    assert "Another" in desk.served("ae", "/about-us")
    assert "Another" not in desk.served("de", "/about-us")
    desk.shared.publish()
    assert "Another" in desk.served("de", "/about-us")


def test_a_publisher_of_a_group_publishes_again_where_the_default_site_went_on(desk: Desk) -> None:
    desk.book.release()
    desk.shared.publish()
    switches: list[str] = []
    watch = Watch(
        desk.builds,
        open_reader(desk.book.url),
        lambda: desk.brand,
        lambda: "",
        lambda: None,
        lambda line: None,
        scope=Scope.own(desk.registry, BRAND),
        after_switch=lambda: switches.append("ae"),
    )
    assert watch.round(woken=True)
    assert watch.round(woken=True) is None
    desk.book.content["en", "page", "contact"]["path"] = "/talk-to-us"
    desk.book.release()
    assert watch.round(woken=True)
    desk.shared.publish()
    assert watch.round(woken=True), "without a new release"
    assert watch.round(woken=True) is None
    assert "talk-to-us" in desk.served("ae", "/services/web-development")
    assert switches == ["ae", "ae"], "only where something went live"


def test_on_machines_with_disks_of_their_own_both_switches_hold(desk: Desk, tmp_path: Path, store_url: str) -> None:
    objects = ObjectStore(store_url)
    first, second = (SharedBuilds(root, objects, desk.book.url) for root in (desk.builds, tmp_path / "second"))
    brand = desk.publisher(lambda all: Scope.own(all, BRAND), tmp_path / "second")
    desk.shared.shared, brand.shared = first, second
    desk.book.release()
    with publish_lock(desk.builds, shared=first, groups=[""]):
        desk.shared.publish()
    for site in ("en", "ae"):
        desk.book.content[site, "page", "about"]["blocks"][0]["title"] = "Another"
    desk.book.release()
    with (
        publish_lock(desk.builds, shared=first, groups=[""]),
        publish_lock(tmp_path / "second", shared=second, groups=[BRAND]),
    ):
        brand.publish()
        desk.shared.publish()  # the pointer is another by now
    assert read_live(desk.builds).releases == {"en": 2, "de": 2, "ae": 2}
    for site in ("en", "ae"):
        assert "Another" in desk.served(site, "/about-us")
    second.catch_up()
    assert read_live(tmp_path / "second").builds == read_live(desk.builds).builds
    desk.book.content["ae", "page", "about"]["blocks"][0]["title"] = "A third"
    desk.book.release()
    other = desk.publisher(lambda all: Scope.own(all, BRAND))
    other.shared = first
    brand.publish()
    with pytest.raises(BuildError, match="meanwhile"):
        other.publish()  # of the same group: the lease was lost unnoticed


OUTLETS = 50


def test_sixty_sites_of_which_fifty_are_in_one_language(
    tmp_path: Path, registry: Registry, web: WebBuild, media: Path
) -> None:
    english = registry.sites["en"]
    sites = {"en": english}
    for number in range(9):
        key = f"land{'abcdefghi'[number]}"
        sites[key] = english.model_copy(
            update={"key": key, "language": f"xx-{'ABCDEFGHI'[number]}A", "hreflang": [key]}
        )
    for number in range(OUTLETS):
        key = f"out{chr(97 + number // 26)}{chr(97 + number % 26)}"
        sites[key] = english.model_copy(update={"key": key, "group": "outlets"})
    origins = {key: {"local": f"http://{key}.localhost:8000"} for key in sites}
    sites = {key: site.model_copy(update={"origins": origins[key]}) for key, site in sites.items()}
    groups = {"outlets": Group(alternates=False)}
    many = Registry.model_validate(
        registry.model_dump(mode="json")
        | {"groups": {"outlets": {"alternates": False}}, "environments": {"local": {"robots": "open"}}}
        | {"sites": {key: site.model_dump(mode="json") for key, site in sites.items()}}
    )
    assert many.groups == groups
    book = ReleaseBook(tmp_path / "releases.sqlite3")
    for key in sites:
        small_site(book, key)
    book.release()
    renderer = FakeRenderer()
    reader = open_reader(book.url)
    with Publisher(Addresses(many, "local", 8000), reader, web, tmp_path / "builds", media, renderer) as publisher:
        assert len(publisher.publish().sites) == 60
        pages = len(renderer.rendered)
        manifest = read_manifest(tmp_path / "builds", "outaa", read_live(tmp_path / "builds").builds["outaa"])
        store = ContentStore(tmp_path / "builds")
        about = (store.read(manifest.files["/about-us"].digest) or b"").decode()
        sitemap = (store.read(manifest.files[SITEMAP].digest) or b"").decode()
        assert about.count('rel="alternate"') == 2, "itself, as its language and as the default"
        assert "landa" not in sitemap
        renderer.rendered.clear()
        book.content["outab", "page", "about"]["blocks"][0]["title"] = "Another"
        del book.content["outac", "page", "web"]
        del book.content["outac", "page", "mobile"]
        book.content["outac", "menu", "main"]["items"] = []
        book.content["landa", "page", "contact"]["path"] = "/talk-to-us"
        book.release()
        publisher.publish()
        changed = {site for site, _ in renderer.rendered}
        assert "outab" in changed
        assert not {site for site in changed if site.startswith("out")} - {"outab", "outac"}
        assert {site for site, path in renderer.rendered if path in ("/contact-us", "/talk-to-us")} == {
            "en", *(key for key in sites if key.startswith("land"))
        }  # fmt: skip
    assert pages == 60 * 7
    reader.close()
    book.close()

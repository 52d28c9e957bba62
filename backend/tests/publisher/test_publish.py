"""A release becomes builds, and one switch puts them live."""

from pathlib import Path
from typing import Any

import orjson
import pytest

from portolan.builds.live import read_live, resume, switch_live
from portolan.builds.manifest import Manifest, list_builds, read_manifest
from portolan.builds.store import ContentStore
from portolan.builds.verify import verify
from portolan.content.blocks.download import DownloadBlock
from portolan.domain.problems import CircularRedirect, DeadRedirect, ReservedPath
from portolan.domain.redirects import Redirect
from portolan.domain.routes import page_data_path
from portolan.publisher.problem import PublishError, UsageError
from portolan.publisher.publish import Publisher
from portolan.releases.reader import ReleaseReader

from .conftest import MakePublisher, write_web_build
from .fake_renderer import FakeRenderer
from .release_book import ReleaseBook, link, page, rich_text


@pytest.fixture
def builds(tmp_path: Path) -> Path:
    return tmp_path / "builds"


@pytest.fixture
def renderer() -> FakeRenderer:
    return FakeRenderer()


@pytest.fixture
def publisher(make_publisher: MakePublisher, renderer: FakeRenderer, book: ReleaseBook) -> Publisher:
    """Return a publisher that has published the first release."""
    publisher = make_publisher(renderer)
    book.release()
    publisher.publish()
    renderer.rendered.clear()
    return publisher


def live(builds: Path, site: str) -> Manifest:
    return read_manifest(builds, site, read_live(builds).builds[site])


def served(builds: Path, site: str, path: str) -> str:
    data = ContentStore(builds).read(live(builds, site).files[path].digest)
    assert data is not None
    return data.decode()


def test_puts_every_page_and_file_of_every_site_live(publisher: Publisher, builds: Path) -> None:
    assert sorted(read_live(builds).builds) == ["ae", "de", "en"]
    files = live(builds, "de").files
    assert {"/", "/about-us", "/services/web-development", "/404.html", "/500.html"} <= files.keys()
    assert {"/page-data/index/page-data.json", "/page-data/404.html/page-data.json"} <= files.keys()
    assert {"/sitemap.xml", "/robots.txt", "/manifest.webmanifest", "/favicon.svg", "/assets/app-1.js"} <= files.keys()
    assert orjson.loads(served(builds, "de", "/page-data/app-data.json")) == {"buildHash": "web-1"}
    shared = [path for path in files if path.startswith("/page-data/sq/d/")]
    assert len(shared) == 1
    assert orjson.loads(served(builds, "de", "/page-data/about-us/page-data.json"))["shared"] in shared[0]
    store = ContentStore(builds)
    assert store.read(files["/"].digest, "br") is not None
    assert "script-src 'self' 'sha256-abc='" in live(builds, "de").html_headers["Content-Security-Policy"]


def test_edit_of_a_page_renders_that_page_alone(
    publisher: Publisher, book: ReleaseBook, renderer: FakeRenderer, builds: Path
) -> None:
    before = read_live(builds).builds
    book.content["de", "page", "about"]["blocks"][0]["title"] = "Seit 2007"
    book.release()
    summary = publisher.publish()
    assert renderer.rendered == [("de", "/about-us")]
    assert {site.site: site.is_new for site in summary.sites} == {"en": False, "de": True, "ae": False}
    assert read_live(builds).builds["en"] == before["en"]
    assert "Seit 2007" in served(builds, "de", "/about-us")


def test_menus_that_show_a_page_follow_its_title_teaser_and_picture(
    make_publisher: MakePublisher, renderer: FakeRenderer, book: ReleaseBook, builds: Path
) -> None:
    def menu(site: str) -> dict[str, Any]:
        (shared,) = (path for path in live(builds, site).files if path.startswith("/page-data/sq/d/"))
        (item,) = orjson.loads(served(builds, site, shared))["menu"][0]["submenu"]
        return {**item, "img": item["img"] and item["img"]["width"]}

    del book.content["ae", "page", "web"]
    for site in ("de", "ae"):
        book.content[site, "menu", "main"]["items"][0]["submenu"][0]["title"] = ""
    publisher = make_publisher(renderer)
    book.release()
    publisher.publish()
    assert [menu(site)["title"] for site in ("en", "de", "ae")] == ["Web", "Web de", "Web en"]
    book.content["de", "page", "web"]["title"] = "Netz"
    book.content["en", "page", "web"]["head"]["description"] = "The whole net"
    book.release()
    summary = publisher.publish()
    assert {site.site: site.is_new for site in summary.sites} == {"en": True, "de": True, "ae": True}
    assert (menu("de")["title"], menu("ae")["description"]) == ("Netz", "The whole net")
    book.content["", "picture", "1"] |= {"width": 777}
    book.release()
    publisher.publish()
    assert (menu("de")["img"], menu("ae")["img"], menu("en")["img"]) == (777, 777, None)


def test_what_an_edit_changed_is_read_once_for_all_sites(
    publisher: Publisher, book: ReleaseBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[tuple[int, int]] = []
    changes = ReleaseReader.changes

    def note(reader: ReleaseReader, older: int, newer: int) -> Any:
        read.append((older, newer))
        return changes(reader, older, newer)

    monkeypatch.setattr(ReleaseReader, "changes", note)
    book.content["de", "page", "about"]["blocks"][0]["title"] = "Seit 2007"
    book.release()
    publisher.publish()
    assert read == [(1, 2)]


def test_new_phone_number_reaches_the_pages_of_that_site_alone(
    publisher: Publisher, book: ReleaseBook, renderer: FakeRenderer
) -> None:
    book.content["de", "office", "berlin"]["value"]["phone"] = "+49 30 5550 0199"
    book.release()
    publisher.publish()
    # The footer of each of its pages shows it. One page shows it in its content, and a home page in its data for search
    # engines.
    assert sorted(renderer.rendered) == [("de", "/"), ("de", "/about-us")]
    assert {site for site, _ in renderer.spliced} == {"de"}
    assert len(renderer.spliced) == 5


def test_new_process_knows_what_the_last_one_built(
    publisher: Publisher, book: ReleaseBook, make_publisher: MakePublisher
) -> None:
    book.content["en", "page", "web"]["title"] = "Web engineering"
    book.release()
    fresh = FakeRenderer()
    make_publisher(fresh).publish()
    # Its own structured data, and the breadcrumb of the page below it.
    assert sorted(fresh.rendered) == [("en", "/services/mobile-development"), ("en", "/services/web-development")]


def test_nothing_new_makes_no_build(publisher: Publisher, renderer: FakeRenderer, builds: Path) -> None:
    before = read_live(builds).builds
    summary = publisher.publish(full=True)
    assert len(renderer.rendered) == 20
    assert not any(site.is_new for site in summary.sites)
    assert read_live(builds).builds == before


def test_release_that_changes_no_file_is_live_all_the_same(
    publisher: Publisher, book: ReleaseBook, builds: Path
) -> None:
    before = read_live(builds).builds
    book.content["en", "certificate", "iso"] = {"order": 0, "value": {"id": "iso"}}
    release = book.release()
    publisher.publish()
    assert read_live(builds).builds == before
    assert set(read_live(builds).releases.values()) == {release}


def test_moved_page_stands_at_its_new_path_and_links_follow(
    publisher: Publisher, book: ReleaseBook, renderer: FakeRenderer, builds: Path
) -> None:
    book.content["en", "page", "contact"]["path"] = "/contact"
    book.release()
    publisher.publish()
    files = live(builds, "en").files
    assert "/contact" in files
    assert "/contact-us" not in files
    assert "/page-data/contact-us/page-data.json" not in files
    assert 'href="/contact"' in served(builds, "en", "/services/web-development")
    assert 'href="http://localhost:8000/contact"' in served(builds, "ae", "/services/web-development")


def test_addresses_that_pages_had_lead_to_them(
    publisher: Publisher, book: ReleaseBook, renderer: FakeRenderer, builds: Path
) -> None:
    contact, about = book.content["en", "page", "contact"], book.content["en", "page", "about"]
    contact["path"] = "/contact"
    book.release()
    publisher.publish()
    assert live(builds, "en").redirects == {"/contact-us": Redirect(301, "/contact")}
    assert live(builds, "de").redirects == {}
    contact["path"] = "/talk-to-us"
    book.release()
    publisher.publish()
    moved = {path: Redirect(301, "/talk-to-us") for path in ("/contact-us", "/contact")}
    assert live(builds, "en").redirects == moved
    renderer.rendered.clear()
    about["title"] = "Another title"
    book.release()
    publisher.publish()
    assert live(builds, "en").redirects == moved
    contact["path"] = "/contact"  # back, where it was once
    book.release()
    publisher.publish()
    back = {path: Redirect(301, "/contact") for path in ("/contact-us", "/talk-to-us")}
    assert live(builds, "en").redirects == back
    publisher.publish(full=True)
    assert live(builds, "en").redirects == back
    publisher.publish(release=1)
    assert live(builds, "en").redirects == {path: Redirect(301, "/contact-us") for path in ("/contact", "/talk-to-us")}


def test_an_address_belongs_to_the_page_that_stood_there_last(
    publisher: Publisher, book: ReleaseBook, builds: Path
) -> None:
    content = book.content
    content["de", "page", "jobs"] = page("/jobs", parent="home")
    book.release()
    content["de", "page", "jobs"]["path"] = "/careers"
    content["de", "page", "about"]["path"] = "/jobs"
    book.release()
    publisher.publish()
    assert live(builds, "de").redirects == {"/about-us": Redirect(301, "/jobs")}
    content["de", "page", "about"]["path"] = "/about"
    book.release()
    publisher.publish()
    assert live(builds, "de").redirects["/jobs"] == Redirect(301, "/about")
    del content["de", "page", "jobs"]
    book.release()
    publisher.publish()
    assert live(builds, "de").redirects == {
        "/about-us": Redirect(301, "/about"),
        "/careers": Redirect(410, ""),
        "/jobs": Redirect(301, "/about"),
    }


def redirect(page: str | None = None, address: str = "", status: int = 301, anchor: str = "") -> dict[str, object]:
    return {"status": status, "page": page, "anchor": anchor, "address": address}


def test_editors_redirects_are_live_without_rendering_anything(
    publisher: Publisher, book: ReleaseBook, renderer: FakeRenderer, builds: Path
) -> None:
    book.content["ae", "redirect", "/talk"] = redirect("contact", anchor="form")  # a page that only other sites have
    book.content["de", "redirect", "/talk"] = redirect("contact", status=302)
    book.content["de", "redirect", "/blog/*"] = redirect(address="https://blog.example/*")
    book.content["de", "redirect", "/lost"] = redirect("no-such-page")
    book.release()
    before = read_live(builds).builds
    publisher.publish()
    assert renderer.rendered == []
    assert live(builds, "ae").redirects == {"/talk": Redirect(301, "http://localhost:8000/contact-us#form")}
    assert live(builds, "de").redirects == {
        "/talk": Redirect(302, "/contact-us"),
        "/blog/*": Redirect(301, "https://blog.example/*"),
        "/lost": Redirect(410, ""),
    }
    assert read_live(builds).builds["en"] == before["en"]
    book.content["de", "page", "contact"]["path"] = book.content["en", "page", "contact"]["path"] = "/contact"
    book.release()
    publisher.publish()
    assert live(builds, "ae").redirects["/talk"].target == "http://localhost:8000/contact#form"
    assert live(builds, "de").redirects["/talk"].target == "/contact"
    del book.content["de", "redirect", "/talk"]
    book.release()
    publisher.publish()
    assert "/talk" not in live(builds, "de").redirects


def test_redirects_that_cannot_be_followed_are_left_out_and_everything_else_is_live(
    publisher: Publisher, book: ReleaseBook, builds: Path
) -> None:
    book.content["de", "redirect", "/a"] = redirect(address="/b")
    book.content["de", "redirect", "/b"] = redirect(address="/a")
    book.content["de", "redirect", "/c"] = redirect(address="/nowhere")
    book.content["de", "redirect", "/about-us"] = redirect(address="/nowhere")  # a page is there
    book.content["de", "redirect", "/e"] = redirect(address="/about-us")
    book.release()
    for _ in range(2):  # every publish reports it
        summary = publisher.publish()
        assert live(builds, "de").redirects == {"/e": Redirect(301, "/about-us")}
        assert {change.key: change.problem.detail for change in summary.blocked} == {
            "/a": CircularRedirect("/b"),
            "/b": CircularRedirect("/a"),
            "/c": DeadRedirect("/nowhere"),
        }
        assert {(change.site, change.kind, change.is_there) for change in summary.blocked} == {
            ("de", "redirect", False)
        }


def test_link_to_a_page_the_site_lacks_leads_to_the_default_site(publisher: Publisher, builds: Path) -> None:
    assert 'href="http://localhost:8000/contact-us"' in served(builds, "ae", "/services/web-development")
    shared = next(path for path in live(builds, "ae").files if path.startswith("/page-data/sq/d/"))
    contact = orjson.loads(served(builds, "ae", shared))["contact"]
    assert (contact["href"], contact["site"], contact["hreflang"]) == ("http://localhost:8000/contact-us", "en", "en")


def test_picture_reaches_the_pages_that_show_it(
    publisher: Publisher, book: ReleaseBook, renderer: FakeRenderer
) -> None:
    book.content["", "picture", "1"]["width"] = 1600
    book.release()
    publisher.publish()
    assert sorted(renderer.rendered) == [(site, "/services/web-development") for site in ("ae", "de", "en")]


def test_a_document_reaches_the_page_that_offers_it(
    publisher: Publisher, book: ReleaseBook, renderer: FakeRenderer
) -> None:
    offer = DownloadBlock().snapshot({"title": "List", "document": 1, "link_title": "Take it"}, "download", {})
    book.content["de", "page", "web"]["blocks"].append(offer)
    for name in ("one", "two"):
        book.content["", "document", "1"] = {"url": f"/media/{name}.pdf", "kind": "pdf", "size": 4}
        book.release()
        renderer.rendered.clear()
        publisher.publish()
        assert renderer.rendered == [("de", "/services/web-development")]


def test_figures_reach_the_pages_with_placeholders(
    publisher: Publisher, book: ReleaseBook, renderer: FakeRenderer, builds: Path
) -> None:
    book.content["", "figures", "company"]["employees"] = "4000+"
    book.release()
    publisher.publish()
    assert {path for _, path in renderer.rendered} >= {"/"}
    assert "4000+ people" in served(builds, "ae", "/")


def test_figures_reach_pages_through_the_offices_they_list(
    publisher: Publisher, book: ReleaseBook, renderer: FakeRenderer, builds: Path
) -> None:
    book.content["de", "office", "london"]["value"]["address"] = "{age} Quay Road"
    book.content["de", "page", "about"]["head"]["title"] = "A title without a placeholder"
    book.release()
    publisher.publish()
    renderer.rendered.clear()
    book.content["", "figures", "company"]["age"] = "20"
    book.release()
    publisher.publish()
    assert ("de", "/about-us") in renderer.rendered
    assert "20 Quay Road" in served(builds, "de", "/about-us")


def test_one_site_alone(publisher: Publisher, book: ReleaseBook, builds: Path) -> None:
    before = read_live(builds).builds
    for site in ("en", "de"):
        book.content[site, "page", "about"]["blocks"][0]["title"] = "Who we are"
    book.release()
    publisher.publish(sites=["de"])
    assert read_live(builds).builds["en"] == before["en"]
    assert read_live(builds).builds["de"] != before["de"]
    publisher.publish()
    assert live(builds, "en").release == 2


def test_site_alone_does_not_go_live_where_its_translations_would_not_agree(
    publisher: Publisher, book: ReleaseBook, builds: Path
) -> None:
    before = read_live(builds).builds
    for site in ("en", "de"):
        book.content[site, "page", "audit"] = page("/audit", "Audit")
    book.release()
    with pytest.raises(
        PublishError, match=r"de, “Audit” \(/audit\): would not match .* links to http://localhost:8000/audit"
    ):
        publisher.publish(sites=["de"])
    assert read_live(builds).builds == before
    publisher.publish()
    assert "/audit" in live(builds, "de").files


def test_page_that_leaves_one_site_takes_the_others_along(
    publisher: Publisher, book: ReleaseBook, builds: Path
) -> None:
    del book.content["de", "page", "mobile"]
    book.release()
    with pytest.raises(
        PublishError, match=r"/services/mobile-development links to http://de\..*, which does not exist"
    ):
        publisher.publish(sites=["de"])
    publisher.publish()
    assert "/services/mobile-development" not in live(builds, "de").files


def test_problem_names_page_block_and_fix_and_nothing_goes_live(
    publisher: Publisher, book: ReleaseBook, builds: Path
) -> None:
    before = read_live(builds).builds
    book.content["de", "page", "web"]["blocks"].append(rich_text("", anchor=None) | {"html": link("gone")})
    book.content["en", "page", "web"]["title"] = "Changed"
    book.release()
    with pytest.raises(PublishError) as raised:
        publisher.publish()
    assert read_live(builds).builds == before
    assert (
        "de, “Web de” (/services/web-development), block 2 (Rich text), text: links to a page that is not published"
        in str(raised.value)
    )


def test_publishes_after_a_problem_is_fixed(publisher: Publisher, book: ReleaseBook, builds: Path) -> None:
    book.content["de", "page", "web"]["blocks"][0]["title"] = "Neu"
    book.content["de", "page", "mobile"]["blocks"][0]["picture"] = {"$picture": "9", "alt": ""}
    book.release()
    with pytest.raises(PublishError):
        publisher.publish()
    book.content["de", "page", "mobile"]["blocks"][0]["picture"] = None
    book.release()
    publisher.publish()
    assert "Neu" in served(builds, "de", "/services/web-development")


def test_home_page_of_another_site_joins_the_switcher_everywhere(
    make_publisher: MakePublisher, book: ReleaseBook, builds: Path, renderer: FakeRenderer
) -> None:
    publisher = make_publisher(renderer)
    home = book.content.pop(("de", "page", "home"))
    book.release()
    publisher.publish(keep_going=True)
    assert "http://de.localhost:8000" not in served(builds, "en", "/404.html")
    book.content["de", "page", "home"] = home
    book.release()
    publisher.publish()
    assert 'href="http://de.localhost:8000"' in served(builds, "en", "/404.html")


def test_two_pages_at_one_path_are_both_named(publisher: Publisher, book: ReleaseBook) -> None:
    book.content["en", "page", "other"] = page("/contact-us", "Another")
    book.release()
    with pytest.raises(PublishError, match=r"“Contact en” \(/contact-us\): and “Another” have the same path"):
        publisher.publish()


def test_anchor_that_goes_is_found_on_the_page_that_links_to_it(publisher: Publisher, book: ReleaseBook) -> None:
    book.content["de", "page", "about"]["blocks"].pop()
    book.release()
    with pytest.raises(PublishError, match=r"links to /about-us#offices, but that page has no section named “offices”"):
        publisher.publish(sites=["de"])


@pytest.mark.parametrize("is_warm", [True, False])
@pytest.mark.parametrize("what", ["anchor", "page of another site", "redirect"])
def test_a_link_of_a_page_that_nobody_touched_is_checked_where_what_it_leads_to_differs(
    publisher: Publisher, make_publisher: MakePublisher, book: ReleaseBook, builds: Path, what: str, is_warm: bool
) -> None:
    book.content["en", "page", "web"]["blocks"].append(rich_text("<p>More</p>", "more"))
    book.content["en", "page", "extra"] = page("/extra", parent="home")
    book.content["en", "redirect", "/talk"] = redirect("contact", anchor="")
    url = {"anchor": "/services/web-development#more", "page of another site": "/extra", "redirect": "/talk"}[what]
    text = rich_text(f'<p><a href="http://localhost:8000{url}">There</a></p>')
    for key in ("contact", "home"):
        book.content["de", "page", key]["blocks"].append(text)
    book.release()
    publisher.publish()
    before = read_live(builds).builds
    if what == "anchor":
        book.content["en", "page", "web"]["blocks"].pop()
    elif what == "redirect":
        del book.content["en", "redirect", "/talk"]
    else:
        del book.content["en", "page", "extra"]
    book.content["de", "page", "home"]["blocks"][0]["title"] = "Touched"
    book.release()
    at_work = publisher if is_warm else make_publisher()
    if what == "page of another site":
        problems = at_work.publish().live_problems
        assert "/extra" not in live(builds, "en").files, "what was taken down is gone"
    else:
        with pytest.raises(PublishError) as error:
            at_work.publish()
        problems = error.value.problems
        assert read_live(builds).builds == before
    paths = [problem.subject.path for problem in problems]
    assert sorted(paths) == ["/", "/contact-us"], "each is named once, rendered or not"


def test_an_earlier_release_put_live_on_purpose_stays(publisher: Publisher, book: ReleaseBook, builds: Path) -> None:
    book.content["en", "page", "web"]["blocks"][0]["title"] = "Second"
    book.release()
    publisher.publish()
    assert read_live(builds).pins == {}
    publisher.publish(release=1)
    assert set(read_live(builds).pins) == {"en", "de", "ae"}
    assert publisher.publish().sites == []
    assert "Second" not in served(builds, "en", "/services/web-development")
    with pytest.raises(UsageError, match="Site en is pinned since"):
        publisher.publish(sites=["en"])
    resume(builds)
    publisher.publish()
    assert "Second" in served(builds, "en", "/services/web-development")


def test_new_web_build_renders_everything_and_keeps_old_files_for_open_tabs(
    publisher: Publisher, make_publisher: MakePublisher, tmp_path: Path, builds: Path
) -> None:
    web = write_web_build(tmp_path / "dist2", "web-2", {"/assets/app-2.js": "console.log(2)"})
    fresh = FakeRenderer()
    make_publisher(fresh, web=web).publish()
    assert len(fresh.rendered) == 20
    manifest = live(builds, "en")
    assert "/assets/app-2.js" in manifest.files
    assert "/assets/app-1.js" not in manifest.files
    assert manifest.file("/assets/app-1.js")


def test_goes_on_from_an_earlier_build_that_was_put_live_again(
    publisher: Publisher, book: ReleaseBook, renderer: FakeRenderer, builds: Path
) -> None:
    first = read_live(builds).builds["en"]
    book.content["en", "page", "web"]["blocks"][0]["title"] = "Second"
    book.release()
    publisher.publish()
    switch_live(builds, {"en": first})
    renderer.rendered.clear()
    book.content["en", "page", "about"]["blocks"][0]["title"] = "Third"
    book.release()
    publisher.publish()
    assert sorted(renderer.rendered) == [("en", "/about-us"), ("en", "/services/web-development")]
    assert "Second" in served(builds, "en", "/services/web-development")


def test_hosts_of_all_sites_are_there_for_the_edge(publisher: Publisher, builds: Path) -> None:
    hosts = orjson.loads((builds / "hosts.json").read_bytes())
    assert hosts["hosts"]["de.localhost:8000"] == "de"
    assert hosts["sites"]["ae"] == {
        "lang": "ar-AE",
        "dir": "rtl",
        "noindex": False,
        "third_party": [],
        "worker_sources": [],
        "cdn": None,
    }


def test_staging_is_closed(make_publisher: MakePublisher, book: ReleaseBook, builds: Path) -> None:
    book.release()
    make_publisher(environment="staging").publish()
    assert served(builds, "en", "/robots.txt").endswith("\nDisallow:\n")
    assert '"robots": "noindex"' in served(builds, "en", "/").replace("&quot;", '"')


@pytest.mark.parametrize(
    ("call", "message"),
    [({"sites": ["xx"]}, "no site 'xx'"), ({"release": 9}, "no release 9")],
)
def test_says_what_was_called_wrongly(publisher: Publisher, call: dict[str, object], message: str) -> None:
    with pytest.raises(UsageError, match=message):
        publisher.publish(**call)  # type: ignore[arg-type]


def test_says_that_there_is_no_release_yet(make_publisher: MakePublisher) -> None:
    with pytest.raises(UsageError, match="no release yet"):
        make_publisher().publish()


def test_builds_are_counted_and_kept(publisher: Publisher, book: ReleaseBook, builds: Path) -> None:
    for title in ("Two", "Three"):
        book.content["en", "page", "web"]["title"] = title
        book.release()
        publisher.publish()
    assert [head.release for head in list_builds(builds, "en")] == [3, 2, 1]


def test_a_page_called_index_leaves_the_home_page_its_data(
    publisher: Publisher, book: ReleaseBook, builds: Path
) -> None:
    """Such a page is refused now, but may have gone live earlier."""
    home = served(builds, "de", page_data_path("/"))
    book.content["de", "page", "index"] = page("/index", "Index")
    book.release()
    publisher.publish()
    assert served(builds, "de", page_data_path("/")) == home
    assert orjson.loads(served(builds, "de", page_data_path("/index")))["path"] == "/index"
    del book.content["de", "page", "index"]
    book.release()
    publisher.publish()
    assert served(builds, "de", page_data_path("/")) == home
    assert verify(builds, "de", read_live(builds).builds["de"]) == []


def test_a_page_at_a_file_that_every_site_has_is_held(publisher: Publisher, book: ReleaseBook, builds: Path) -> None:
    robots = served(builds, "de", "/robots.txt")
    book.content["de", "page", "robots"] = page("/robots.txt", "Robots")
    book.release()
    (blocked,) = publisher.publish(keep_going=True).blocked
    assert blocked.problem.detail == ReservedPath("/robots.txt")
    assert served(builds, "de", "/robots.txt") == robots

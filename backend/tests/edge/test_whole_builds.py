"""Changed bytes: visitors get intact ones or a whole build, and the monitoring is notified."""

import logging
from pathlib import Path

import brotli
import pytest

from portolan.builds.compress import Compressor
from portolan.builds.damage import DamagedFile, DamageReport, write_damage
from portolan.builds.hosts import build_hosts, write_hosts
from portolan.builds.live import read_live, switch_live
from portolan.builds.manifest import manifest_path, manifests_folder
from portolan.builds.met_damage import MetDamage
from portolan.builds.store import ContentStore, digest_of
from portolan.domain.health import Health, find_reasons
from portolan.edge.live_sites import LiveSites
from portolan.edge.whole_builds import DAMAGE_MET

from ..builds.test_verify import damage
from .conftest import PORT, REGISTRY, Build, Harbour, echo, pages


def stored(harbour: Harbour, text: str) -> Path:
    return Path(ContentStore(harbour.root).path(digest_of(text.encode())))


def publish(harbour: Harbour, build: str, version: str, release: int = 1) -> None:
    harbour.build(build, pages("en", version), release=release)


def test_a_damaged_copy_is_never_sent(harbour: Harbour) -> None:
    Compressor(harbour.root).work()
    page = pages("en")["/about-us"]
    damage(stored(harbour, page).with_suffix(".br"))
    answer = harbour.ask("/about-us", accept_encoding="br")
    assert (answer.status, answer.headers["content-encoding"]) == (200, "br")
    assert brotli.decompress(answer.body).decode() == page


@pytest.mark.parametrize("coding", ["br", "gzip", "identity"])
def test_a_damaged_file_is_had_from_its_copies(harbour: Harbour, coding: str) -> None:
    Compressor(harbour.root).work()
    page = pages("en")["/about-us"]
    damage(stored(harbour, page))
    stored(harbour, page).with_suffix(".gz").unlink()
    answer = harbour.ask("/about-us", accept_encoding=coding)
    body = brotli.decompress(answer.body) if answer.headers.get("content-encoding") == "br" else answer.body
    assert (answer.status, body.decode()) == (200, page)
    assert not harbour.edge._sites.fallbacks


@pytest.mark.parametrize("is_missing", [True, False])
def test_a_file_that_cannot_be_had_makes_the_site_fall_back_until_it_can(
    harbour: Harbour, is_missing: bool, caplog: pytest.LogCaptureFixture
) -> None:
    met: list[str] = []
    DAMAGE_MET.watch(met.append)
    publish(harbour, "b", "2")
    assert harbour.ask("/").text == pages("en", "2")["/"]
    broken = stored(harbour, pages("en", "2")["/about-us"])
    whole = broken.read_bytes()
    if is_missing:
        broken.unlink()
    else:
        damage(broken)
    with caplog.at_level(logging.ERROR):
        answers = [harbour.ask("/about-us"), harbour.ask("/")]
    DAMAGE_MET.forget(met.append)
    assert [answer.text for answer in answers] == [pages("en")["/about-us"], pages("en")["/"]]
    assert met == ["en"]
    (said,) = [record.message for record in caplog.records]
    assert str(broken) in said
    assert "Site en stays at a" in said
    assert find_reasons(harbour.edge._describe_health())[1][-1].startswith(
        "The live build of site en is damaged: it shows build a instead."
    )
    broken.unlink(missing_ok=True)
    broken.write_bytes(whole)
    harbour.later(10)
    assert harbour.ask("/about-us").text == pages("en", "2")["/about-us"]
    assert not harbour.edge._sites.fallbacks


def test_where_no_build_is_whole_only_that_address_is_an_error(
    harbour: Harbour, caplog: pytest.LogCaptureFixture
) -> None:
    publish(harbour, "b", "2")
    damage(stored(harbour, pages("en")["/services/web-development"]))  # both builds have it
    for _ in range(3):
        answer = harbour.ask("/services/web-development")
        assert (answer.status, answer.headers["retry-after"], answer.headers["cache-control"]) == (503, "5", "no-store")
    assert harbour.ask("/").text == pages("en", "2")["/"]
    assert len(caplog.records) == 1
    assert harbour.edge._sites.fallbacks["en"].build == ""


def test_a_damaged_error_page_does_no_harm(harbour: Harbour) -> None:
    for path in ("/404.html", "/500.html"):
        stored(harbour, pages("en")[path]).unlink()
    assert harbour.ask("/nowhere").status == 503
    assert harbour.ask("/").status == 200


def test_a_build_is_checked_before_it_is_served(harbour: Harbour, caplog: pytest.LogCaptureFixture) -> None:
    harbour.ask("/")
    harbour.build("b", pages("en", "2"), live=False)
    damage(stored(harbour, pages("en", "2")["/about-us"]))
    switch_live(harbour.root, {"en": "b"})
    assert harbour.ask("/").text == pages("en")["/"]
    assert "Site en stays at a" in caplog.text


def test_a_server_that_starts_with_a_damaged_build_serves_an_earlier_one(harbour: Harbour) -> None:
    publish(harbour, "b", "2")
    path = manifest_path(harbour.root, "en", "b")
    path.chmod(0o644)
    damage(path)
    assert harbour.ask("/").text == pages("en")["/"]


def test_nothing_newer_than_what_is_live_is_fallen_back_to(harbour: Harbour) -> None:
    """An editor went back to release 1 to hide release 2."""
    publish(harbour, "b", "2", release=2)
    harbour.build("c", pages("en", "3"), release=1)
    assert harbour.ask("/").text == pages("en", "3")["/"]
    damage(stored(harbour, pages("en", "3")["/"]))
    harbour.edge._cache._replies.clear()
    assert harbour.ask("/").text == pages("en")["/"]


def test_one_damaged_file_takes_no_more_than_five_edits_away(harbour: Harbour) -> None:
    late = "Only from here on"
    for number in range(7):
        harbour.build(f"b{number}", {**pages("en", str(number)), "/late": late})
    stored(harbour, late).unlink()
    assert harbour.ask("/late").status == 503
    assert harbour.ask("/").text == pages("en", "6")["/"]


def test_what_the_scrub_has_found_no_visitor_meets(harbour: Harbour) -> None:
    publish(harbour, "b", "2")
    harbour.ask("/robots.txt")
    page = pages("en", "2")["/about-us"]
    damage(stored(harbour, page))
    found = DamagedFile(
        digest_of(page.encode()), len(page), "x is damaged", "en b /about-us", "2026-03-01T12:00:00+00:00"
    )
    write_damage(harbour.root, DamageReport({found.digest: found}))
    assert harbour.ask("/").text == pages("en")["/"]


def test_a_site_of_which_no_build_can_be_read_has_nothing_to_serve(harbour: Harbour) -> None:
    sites = LiveSites(harbour.root)
    sites.look()
    assert sites.bare == ()
    lost = next(iter(read_live(harbour.root).builds))
    for manifest in manifests_folder(harbour.root, lost).glob("*.json"):
        manifest.write_text("{")
    sites = LiveSites(harbour.root)
    sites.look()
    assert (sites.bare, sites.site(lost)) == ((lost,), None)


def test_health_says_what_a_site_shows_and_that_it_can_show_nothing_else() -> None:
    health = Health("edge", "1", sites=2, fallbacks={"de": "20260301-1", "pl": ""})
    reasons, warnings = find_reasons(health)
    assert not reasons
    assert "site de is damaged: it shows build 20260301-1" in warnings[0]
    assert "no earlier build is whole" in warnings[1]


def test_where_no_build_is_whole_an_earlier_version_of_the_page_is_shown(harbour: Harbour) -> None:
    publish(harbour, "b", "2")
    damage(stored(harbour, pages("en", "1")["/about-us"]))
    damage(stored(harbour, pages("en", "2")["/"]))
    assert [harbour.ask(path).text for path in ("/", "/about-us")] == [pages("en")["/"], pages("en", "2")["/about-us"]]
    assert harbour.edge._sites.fallbacks["en"].build == ""


def test_a_page_that_was_deleted_does_not_come_back(harbour: Harbour) -> None:
    gone = {**pages("en", "2"), "/404.html": "Nothing is here."}
    del gone["/about-us"]
    harbour.build("b", gone)
    damage(stored(harbour, pages("en")["/"]))
    for page in ("/", "/404.html"):
        damage(stored(harbour, gone[page]))
    answer = harbour.ask("/about-us")
    assert (answer.status, answer.text) == (404, pages("en")["/404.html"])


@pytest.fixture
def reporting(root: Path, media: Path, build: Build) -> Harbour:
    """Return an edge with a name, so that it reports damage."""
    write_hosts(root, build_hosts(REGISTRY, "local", PORT))
    harbour = Harbour(root, media, build, lambda: echo, name="edge-1", wake=lambda: woken.append(1))
    harbour.build("a", pages("en"))
    reports = harbour.edge._sites._whole._reports
    reports._plan = reports._send  # type: ignore[method-assign]  # each request has a loop of its own here
    woken.clear()
    return harbour


woken: list[int] = []


def test_damage_is_reported_once_however_many_ask_and_again_while_it_lasts(reporting: Harbour) -> None:
    reports = MetDamage(reporting.root)
    stored(reporting, pages("en")["/about-us"]).unlink()
    for _ in range(50):
        reporting.ask("/about-us")
        reporting._now -= 1  # at the same time
    assert reports.take() == {digest_of(pages("en")["/about-us"].encode())}
    assert len(woken) == 1
    for _ in range(60):  # once a second
        reporting.ask("/about-us")
    assert reports.take()
    assert len(woken) == 5  # after pauses of 2, 4, 8 and 16 s


def test_paths_that_no_live_build_has_are_never_reported(reporting: Harbour) -> None:
    for path in ("/about-u", "/page-data/x.json", "/../store/00", f"/{'0' * 32}"):
        reporting.ask(path)
    assert not MetDamage(reporting.root).take()

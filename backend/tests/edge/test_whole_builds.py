"""Bytes that are not what they were: visitors get whole ones or a whole build, and whoever watches is told."""

import logging
from pathlib import Path

import brotli
import pytest

from portolan.builds.compress import Compressor
from portolan.builds.damage import DamagedFile, DamageReport, write_damage
from portolan.builds.live import read_live, switch_live
from portolan.builds.manifest import manifest_path, manifests_folder
from portolan.builds.store import ContentStore, digest_of
from portolan.domain.health import Health, find_reasons
from portolan.edge.live_sites import LiveSites
from portolan.edge.whole_builds import DAMAGE_MET

from ..builds.test_verify import damage
from .conftest import Harbour, pages


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
        assert harbour.ask("/services/web-development").status == 500
    assert harbour.ask("/").text == pages("en", "2")["/"]
    assert len(caplog.records) == 1
    assert harbour.edge._sites.fallbacks["en"].build == ""


def test_a_damaged_error_page_does_no_harm(harbour: Harbour) -> None:
    for path in ("/404.html", "/500.html"):
        stored(harbour, pages("en")[path]).unlink()
    assert harbour.ask("/nowhere").status == 500
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
    """Somebody went back to release 1, because release 2 must not be seen."""
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
    assert harbour.ask("/late").status == 500
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
    reasons, remarks = find_reasons(health)
    assert not reasons
    assert "site de is damaged: it shows build 20260301-1" in remarks[0]
    assert "no earlier build is whole" in remarks[1]

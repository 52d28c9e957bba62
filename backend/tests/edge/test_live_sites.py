from itertools import pairwise
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from portolan.builds.hosts import build_hosts, write_hosts
from portolan.builds.live import live_file, reswitch, switch_live
from portolan.builds.manifest import manifest_path, sign_manifest
from portolan.builds.signing import Keys
from portolan.edge.live_sites import LOOK_EVERY_S, STUDIO, LiveSites

from ..builds.conftest import Build
from .conftest import REGISTRY


class Clock:
    now = 100.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def sites(root: Path, clock: Clock) -> LiveSites:
    write_hosts(root, build_hosts(REGISTRY, "local", 8000))
    return LiveSites(root, clock)


@pytest.mark.parametrize(
    ("host", "scheme", "key"),
    [
        (b"localhost:8000", "http", "en"),
        (b"LOCALHOST:8000", "http", "en"),
        (b"de.localhost:8000", "http", "de"),
        (b"studio.localhost:8000", "http", STUDIO),
        (b"localhost", "http", None),
        (b"localhost:80", "http", None),
        (b"127.0.0.1:8000", "http", None),
        (b"evil.com", "http", None),
        (b"evil.localhost:8000", "http", None),
        (b"localhost:8000.evil.com", "http", None),
        (b"localhost:8000@evil.com", "http", None),
        (b"", "http", None),
        (b"\xff", "http", None),
    ],
)
def test_hosts_are_matched_exactly(sites: LiveSites, host: bytes, scheme: str, key: str | None) -> None:
    sites.look()
    assert sites.key(host, scheme) == key


@pytest.mark.parametrize(
    ("host", "scheme", "key"),
    [
        (b"brightmoor-de.example", "https", "de"),
        (b"brightmoor-de.example:443", "https", "de"),
        (b"brightmoor-de.example:80", "http", "de"),  # behind a proxy that ends TLS
        (b"brightmoor-de.example:8443", "https", None),
    ],
)
def test_the_schemes_own_port_may_be_named(root: Path, clock: Clock, host: bytes, scheme: str, key: str | None) -> None:
    write_hosts(root, build_hosts(REGISTRY, "production", 443))
    sites = LiveSites(root, clock)
    sites.look()
    assert sites.key(host, scheme) == key


def test_a_switch_is_seen_at_the_next_look(root: Path, build: Build, sites: LiveSites, clock: Clock) -> None:
    build("a", {"/": "a"})
    sites.look()
    before = sites.site("en")
    assert before is not None
    build("b", {"/": "b"})
    clock.now += LOOK_EVERY_S / 2
    sites.look()
    assert sites.site("en") is before
    clock.now += LOOK_EVERY_S
    sites.look()
    after = sites.site("en")
    assert after is not None
    assert (before.manifest.build, after.manifest.build) == ("a", "b")


def test_other_sites_stay_the_same_object(root: Path, build: Build, sites: LiveSites, clock: Clock) -> None:
    build("a", {"/": "a"}, site="en")
    build("a", {"/": "a"}, site="de")
    sites.look()
    manifest = sites.site("de").manifest  # type: ignore[union-attr]
    build("b", {"/": "b"}, site="en")
    clock.now += 1
    sites.look()
    assert sites.site("de").manifest is manifest  # type: ignore[union-attr]


def test_a_damaged_manifest_leaves_the_site_where_it_was(
    root: Path, build: Build, sites: LiveSites, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    build("a", {"/": "a"}, site="en")
    build("a", {"/": "a"}, site="de")
    sites.look()
    build("b", {"/": "b"}, site="en", live=False)
    build("b", {"/": "b"}, site="de", live=False)
    switch_live(root, {"en": "b", "de": "b"})
    manifest_path(root, "en", "b").unlink()
    clock.now += 1
    sites.look()
    assert sites.site("en").manifest.build == "a"  # type: ignore[union-attr]
    assert sites.site("de").manifest.build == "b"  # type: ignore[union-attr]
    assert "Site en stays at a" in caplog.text


def test_a_pointer_seen_before_its_manifests_is_followed_as_soon_as_they_are_there(
    root: Path, build: Build, sites: LiveSites, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    build("a", {"/": "a"})
    sites.look()
    build("b", {"/": "b"})
    late = manifest_path(root, "en", "b")
    late.rename(root / "on its way")
    for _ in range(400):  # ten seconds
        clock.now += 0.025
        sites.look()
    assert sites.site("en").manifest.build == "a"  # type: ignore[union-attr]
    assert caplog.text.count("Site en stays at a") == 1
    (root / "on its way").rename(late)
    clock.now += 5
    sites.look()
    assert sites.site("en").manifest.build == "b"  # type: ignore[union-attr]
    assert sites._look_again == float("inf")


def test_what_cannot_be_read_is_tried_again_after_growing_pauses(
    root: Path, build: Build, sites: LiveSites, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    build("a", {"/": "a"})
    build("b", {"/": "b"})
    manifest_path(root, "en", "b").unlink()
    tries: list[float] = []
    began = clock.now
    monkeypatch.setattr(sites, "_read_sites", lambda: tries.append(clock.now - began) or ["no manifest"])
    for _ in range(1200):  # a minute
        sites.look()
        clock.now += 0.05
    pauses = [round(after - before, 1) for before, after in pairwise(tries)]
    assert pauses[0] < 0.2
    assert pauses == sorted(pauses)
    assert max(pauses) == 5


def test_a_damaged_pointer_leaves_all_sites_where_they_were(
    root: Path, build: Build, sites: LiveSites, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    build("a", {"/": "a"})
    sites.look()
    live_file(root).write_text("{")
    clock.now += 1
    sites.look()
    assert sites.site("en").manifest.build == "a"  # type: ignore[union-attr]
    assert "live.json is damaged" in caplog.text
    live_file(root).unlink()
    clock.now += 1
    sites.look()
    assert sites.site("en") is not None


def test_an_older_pointer_and_a_stranger_s_leave_all_sites_where_they_were(
    root: Path, build: Build, clock: Clock, caplog: pytest.LogCaptureFixture
) -> None:
    key = Ed25519PrivateKey.generate()
    write_hosts(root, build_hosts(REGISTRY, "local", 8000), Keys(key))
    sites = LiveSites(root, clock, keys=Keys(trusted=[key.public_key()]))
    kept = []
    for name in ("a", "b"):
        build(name, {"/": name})
        sign_manifest(root, "en", name, Keys(key))
        reswitch(root, None, Keys(key))
        kept.append(live_file(root).read_bytes())
        clock.now += 1
        sites.look()
    for written, said in (
        (kept[0], "it is older (number"),
        (kept[0].replace(b'"en":"a"', b'"en":"c"'), "differs from the signed content"),
    ):
        live_file(root).write_bytes(written)
        clock.now += 10
        sites.look()
        assert sites.site("en").manifest.build == "b"  # type: ignore[union-attr]
        assert said in caplog.text
    live_file(root).write_bytes(kept[1])
    clock.now += 10
    sites.look()
    assert "All live files can be read again" in caplog.text


def test_hosts_that_come_later_are_seen(root: Path, build: Build, clock: Clock) -> None:
    build("a", {"/": "a"})
    sites = LiveSites(root, clock)
    sites.look()
    assert sites.key(b"localhost:8000", "http") is None
    write_hosts(root, build_hosts(REGISTRY, "local", 8000))
    clock.now += 1
    sites.look()
    assert sites.key(b"localhost:8000", "http") == "en"
    assert sites.site("en") is not None

"""The signed and numbered live file: only the publisher can write it, and an older one is refused."""

from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from portolan.builds import sealed
from portolan.builds.hosts import Hosts, ServedSite, hosts_file, put_hosts, read_hosts, write_hosts
from portolan.builds.live import live_file, read_live, read_live_number, resume, reswitch, switch_live
from portolan.builds.manifest import BuildError
from portolan.builds.signing import NO_KEYS, Keys

from .test_signing import EDGE, PUBLISHER, write

HOSTS = Hosts({"b.example": "en", "a.example": "en"}, {"en": ServedSite("en", "ltr", False)}, "s.example", {"en": "x"})
STRANGER = Keys(Ed25519PrivateKey.generate())


@pytest.fixture
def live(root: Path) -> Path:
    """Make build b live after a. The file of a is next to it."""
    first = write(root, "a", PUBLISHER)
    write(root, "b", PUBLISHER, first, "home 2")
    write_hosts(root, HOSTS, PUBLISHER)
    for build in ("a", "b"):
        switch_live(root, {"en": build}, keys=PUBLISHER)
        (root / f"live-{build}").write_bytes(live_file(root).read_bytes())
    return root


def test_a_switch_is_signed_and_its_number_grows(live: Path) -> None:
    pointer = read_live(live, EDGE)
    assert pointer.builds == {"en": "b"}
    switch_live(live, {"en": "a"}, keys=PUBLISHER)  # going back is a newer pointer to an older build
    back = read_live(live, EDGE, pointer.number)
    assert back.builds == {"en": "a"}
    assert back.number > pointer.number
    resume(live, keys=PUBLISHER)
    reswitch(live, None, PUBLISHER)
    assert read_live(live, EDGE, back.number).number > back.number


def test_numbers_grow_also_where_the_clock_goes_back_or_the_last_one_is_lost(
    live: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    number = read_live(live).number
    monkeypatch.setattr(sealed.time, "time_ns", lambda: 0)
    switch_live(live, {"en": "a"}, keys=PUBLISHER)
    assert read_live(live).number == number + 1
    monkeypatch.undo()
    live_file(live).unlink()
    monkeypatch.setattr(sealed.time, "time_ns", lambda: (number + 2) * 1_000_000)
    switch_live(live, {"en": "a"}, keys=PUBLISHER)
    assert read_live(live).number == number + 2


def test_an_older_one_is_refused(live: Path) -> None:
    number = read_live(live, EDGE).number
    live_file(live).write_bytes((live / "live-a").read_bytes())
    with pytest.raises(BuildError, match=r"it is older .* someone has put it back"):
        read_live(live, EDGE, number)
    assert read_live(live, NO_KEYS, number).builds == {"en": "a"}, "where nobody signs, nobody can tell"


@pytest.mark.parametrize(
    ("forge", "said"),
    [
        (lambda data: data.replace(b'"en":"b"', b'"en":"a"'), "differs from the signed content"),
        (lambda data: data.replace(b'"number":1', b'"number":9'), "differs from the signed content"),
        (lambda data: orjson.dumps({"sites": {"en": "a"}, "number": 1 << 60}), "not signed"),
        (
            lambda data: orjson.dumps(sealed.seal(orjson.loads(data), STRANGER)),
            "not a trusted key of the publisher",
        ),
    ],
)
def test_what_others_write_is_refused(live: Path, forge: Callable[[bytes], bytes], said: str) -> None:
    forged = forge(live_file(live).read_bytes())
    assert forged != live_file(live).read_bytes()
    live_file(live).write_bytes(forged)
    with pytest.raises(BuildError, match=said):
        read_live(live, EDGE)
    assert read_live_number(live, EDGE) == 0


def test_hosts_are_signed_numbered_and_written_where_they_differ(live: Path) -> None:
    was = hosts_file(live).read_bytes()
    write_hosts(live, HOSTS, PUBLISHER)
    assert hosts_file(live).read_bytes() == was
    first = read_hosts(live, EDGE)
    assert [*first.hosts] == ["b.example", "a.example"]
    write_hosts(live, Hosts({}, {}, "s.example", {}), PUBLISHER)
    second = read_hosts(live, EDGE, first.number)
    assert second.number > first.number
    hosts_file(live).write_bytes(was)
    with pytest.raises(BuildError, match="older"):
        read_hosts(live, EDGE, second.number)


def test_who_has_a_key_now_signs_hosts_that_nobody_had_signed(root: Path) -> None:
    write_hosts(root, HOSTS)
    with pytest.raises(BuildError, match="not signed"):
        read_hosts(root, EDGE)
    write_hosts(root, HOSTS, PUBLISHER)
    assert read_hosts(root, EDGE).studio == "s.example"


def test_another_machine_writes_the_very_bytes_that_were_signed(live: Path) -> None:
    """It has read them from the shared pointer, but lacks a key to sign with."""
    hosts = orjson.loads(orjson.dumps({"hosts": orjson.loads(hosts_file(live).read_bytes())}))["hosts"]
    hosts_file(live).unlink()
    put_hosts(live, hosts)
    assert read_hosts(live, EDGE).studio == "s.example"
    pointer = orjson.loads(orjson.dumps({"live": orjson.loads(live_file(live).read_bytes())}))["live"]
    assert sealed.write_out(pointer) == live_file(live).read_bytes()

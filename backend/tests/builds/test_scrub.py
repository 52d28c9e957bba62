"""The scrub: its repairs, its reports, and the damage it leaves to the next publish."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import brotli
import pytest

from portolan.builds.compress import Compressor
from portolan.builds.damage import damage_file, read_damage
from portolan.builds.integrity import find_damage
from portolan.builds.manifest import File, manifest_path
from portolan.builds.scrub import Scrub
from portolan.builds.store import ContentStore, digest_of

from .conftest import Build
from .test_verify import damage

PAGE = "A page about the harbour. " * 40
DIGEST = digest_of(PAGE.encode())
AS_FILE = File(DIGEST, "text/html", len(PAGE))


def path_of(root: Path, encoding: str = "") -> Path:
    return Path(f"{ContentStore(root).path(DIGEST)}{encoding}")


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("what", ["", ".br", ".gz"])
def test_what_has_a_whole_twin_is_made_whole(root: Path, build: Build, what: str, packed: bool) -> None:
    build("a", {"/": PAGE})
    Compressor(root).work()
    if packed:
        ContentStore(root).pack([DIGEST])
    place = path_of(root, what)
    if not place.exists():  # in the pack: as the file itself, which comes first
        place.write_bytes(b"not whole")
    damage(place)
    report = Scrub(root).round()
    assert report
    assert (dict(report.files), report.mended) == ({}, 1)
    assert find_damage(ContentStore(root), AS_FILE) == []
    assert ContentStore(root).read(DIGEST) == PAGE.encode()


def test_what_has_no_twin_is_named_until_it_is_stored_again(root: Path, build: Build) -> None:
    build("a", {"/": PAGE, "/about-us": "about"})
    damage(path_of(root))
    assert list(Scrub(root).round().files) == [DIGEST]  # type: ignore[union-attr]
    found = read_damage(root).files[DIGEST]
    assert (found.place, found.size) == ("en a /", len(PAGE))
    assert str(path_of(root)) in found.what
    assert not path_of(root).exists()  # the damaged file is removed
    store = ContentStore(root)
    store.prepare()
    assert not store.keep(DIGEST)
    store.put(PAGE.encode())
    Scrub(root).look_again()
    assert not read_damage(root).files
    assert store.keep(DIGEST)


def test_no_copy_is_made_of_a_damaged_file(root: Path, build: Build) -> None:
    build("a", {"/": PAGE})
    Compressor(root).work()
    for what in ("", ".br", ".gz"):
        damage(path_of(root, what))
    ContentStore(root).pack([DIGEST])  # where it cannot be set aside
    report = Scrub(root).round()
    assert report
    assert (list(report.files), report.mended) == ([DIGEST], 0)


def test_what_is_damaged_in_a_pack_is_stored_beside_it(root: Path, build: Build) -> None:
    build("a", {"/": PAGE})
    ContentStore(root).pack([DIGEST])
    (pack,) = (path for path in ContentStore(root).packs.folder.iterdir() if path.suffix != ".index")
    damage(pack)
    Scrub(root).round()
    store = ContentStore(root)
    store.prepare()
    store.put(PAGE.encode())
    assert ContentStore(root).read(DIGEST) == PAGE.encode()
    assert ContentStore(root).locate(DIGEST).path == str(path_of(root))  # type: ignore[union-attr]
    Scrub(root).look_again()
    assert not read_damage(root).files


def test_a_manifest_that_cannot_be_read_is_named_and_stops_nothing(root: Path, build: Build) -> None:
    build("a", {"/": "home"})
    build("b", {"/": PAGE})
    path = manifest_path(root, "en", "a")
    path.chmod(0o644)
    damage(path)
    damage(path_of(root))
    report = Scrub(root).round()
    assert report
    assert list(report.manifests) == ["en a"]
    assert list(report.files) == [DIGEST]


def test_what_no_build_names_any_more_is_forgotten(root: Path, build: Build) -> None:
    build("a", {"/": PAGE})
    build("b", {"/": "home"})
    damage(path_of(root))
    Scrub(root).round()
    assert list(read_damage(root).files) == [DIGEST]
    manifest_path(root, "en", "a").unlink()
    Scrub(root).round()
    assert not read_damage(root).files


def test_it_is_slow_on_purpose_and_ends_when_asked(root: Path, build: Build) -> None:
    build("a", {f"/{number}": f"{number}" * 1000 for number in range(10)})
    pauses: list[float] = []

    def pause(seconds: float) -> bool:
        pauses.append(seconds)
        return len(pauses) == 4

    assert Scrub(root, pause, clock=lambda: 0.0, bytes_per_s=1000).round() is None
    assert pauses == [1.0, 2.0, 3.0, 4.0]
    assert not read_damage(root).passed
    assert Scrub(root).round()
    assert read_damage(root).passed


def test_who_is_in_a_hurry_does_not_wait_for_a_slow_round(root: Path, build: Build) -> None:
    build("a", {f"/{number}": f"{number}" * 1000 for number in range(10)})
    slow: list[object] = []

    def pause(seconds: float) -> bool:
        if not slow:
            slow.append(hurried.submit(Scrub(root).round, wait=True))
        return False

    with ThreadPoolExecutor(1) as hurried:
        while not slow or not slow[0].done():  # type: ignore[attr-defined]
            Scrub(root, pause).round()
    assert slow[0].result().passed  # type: ignore[attr-defined]


def test_what_was_pruned_meanwhile_is_not_missed(root: Path, build: Build) -> None:
    build("a", {"/": PAGE, "/about-us": "about"})
    build("b", {"/": "home"})

    def prune(seconds: float) -> bool:
        path_of(root).unlink(missing_ok=True)
        manifest_path(root, "en", "a").unlink(missing_ok=True)
        return False

    assert not Scrub(root, prune).round().files  # type: ignore[union-attr]


@pytest.mark.parametrize("text", ["", "{", "[]", '{"files": [1]}', '{"files": [], "manifests": 3}'])
def test_a_report_that_cannot_be_read_says_nothing(root: Path, build: Build, text: str) -> None:
    build("a", {"/": "home"})
    damage_file(root).write_text(text)
    assert not read_damage(root).files
    assert Scrub(root).round()


def test_copies_of_another_file_are_none(root: Path, build: Build) -> None:
    build("a", {"/": PAGE})
    ContentStore(root).put_copy(DIGEST, "br", brotli.compress(PAGE.encode().upper()), best=True)
    assert Scrub(root).round().mended == 1  # type: ignore[union-attr]

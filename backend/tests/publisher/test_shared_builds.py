"""Machines with separate disks, and one shared store."""

from collections.abc import Callable
from datetime import timedelta
from pathlib import Path

import pytest
from click.testing import CliRunner
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

from portolan.builds.follow import Follower, prune_copies
from portolan.builds.hosts import read_hosts
from portolan.builds.live import live_file, read_live, resume
from portolan.builds.manifest import BuildError, File, list_builds, manifest_path, read_manifest, sign_manifest
from portolan.builds.met_damage import report_damage
from portolan.builds.object_store import ObjectStore, StoreAway
from portolan.builds.prune import prune
from portolan.builds.pull import PACKS
from portolan.builds.scrub import Scrub
from portolan.builds.shared_pointer import POINTER, unpack_pointer
from portolan.builds.signing import Keys
from portolan.builds.store import ContentStore
from portolan.builds.verify import verify
from portolan.commands import follow
from portolan.config.env import Env
from portolan.config.project import ROOT
from portolan.publisher.journal import read_entries
from portolan.publisher.lock import publish_lock
from portolan.publisher.shared_builds import SharedBuilds
from portolan.publisher.watch import Watch
from portolan.releases.reader import open_reader

from .conftest import MakePublisher
from .machine import Machine
from .release_book import ReleaseBook

NewMachine = Callable[[str], Machine]


@pytest.fixture
def objects(store_url: str) -> ObjectStore:
    return ObjectStore(store_url)


@pytest.fixture
def machine(tmp_path: Path, objects: ObjectStore, book: ReleaseBook, make_publisher: MakePublisher) -> NewMachine:
    return lambda name: Machine(tmp_path / name, objects, book.url, make_publisher)


@pytest.fixture
def publishing(machine: NewMachine, book: ReleaseBook) -> Machine:
    """Return a publisher that has published the first release."""
    first = machine("first")
    book.release()
    first.publish()
    return first


def edit(book: ReleaseBook, title: str) -> None:
    book.content["de", "page", "about"]["blocks"][0]["title"] = title
    book.release()


def served(root: Path, path: str, site: str = "de") -> str:
    manifest = read_manifest(root, site, read_live(root).builds[site])
    data = ContentStore(root).read(manifest.files[path].digest)
    assert data is not None
    return data.decode()


def keys(objects: ObjectStore) -> set[str]:
    return {listed.key for listed in objects.list()}


def test_an_edge_with_an_empty_disk_serves_what_another_machine_published(
    publishing: Machine, objects: ObjectStore, tmp_path: Path, book: ReleaseBook
) -> None:
    edge = tmp_path / "edge"
    follower = Follower(edge, objects)
    assert follower.look()
    assert live_file(edge).read_bytes() == live_file(publishing.root).read_bytes()
    assert read_hosts(edge) == read_hosts(publishing.root)
    for site, build in read_live(edge).builds.items():
        assert verify(edge, site, build) == []
    assert not follower.look(), "nothing has changed"
    before = {path.name for path in (edge / PACKS).iterdir()}
    edit(book, "Seit 2007")
    publishing.publish()
    assert "Seit 2007" not in served(edge, "/about-us")
    assert follower.look()
    assert "Seit 2007" in served(edge, "/about-us")
    assert before < {path.name for path in (edge / PACKS).iterdir()}


def test_an_edit_puts_into_the_store_only_what_it_changed(
    publishing: Machine, objects: ObjectStore, book: ReleaseBook
) -> None:
    before = {listed.key: listed.changed for listed in objects.list()}
    edit(book, "Seit 2007")
    publishing.publish()
    new = keys(objects) - before.keys()
    assert {key.split("/")[1] for key in new if key.startswith("manifests/")} == {"de"}
    assert sum(key.startswith(PACKS) for key in new) <= 4, "a pack of pages, one of other files, an index of each"
    size = sum(listed.size for listed in objects.list() if listed.key in new)
    assert 0 < size < sum(listed.size for listed in objects.list() if listed.key not in new) / 4


def test_nothing_that_is_missing_in_the_store_is_switched_to(
    publishing: Machine, objects: ObjectStore, tmp_path: Path, book: ReleaseBook
) -> None:
    follower = Follower(tmp_path / "edge", objects)
    follower.look()
    edit(book, "Seit 2007")
    known = keys(objects)
    publishing.publish()
    pack = next(key for key in keys(objects) - known if key.startswith(PACKS) and not key.endswith(".index"))
    data = objects.get(pack)
    for damaged in (None, b"0123456789" + data[10:], data[:20]):
        if damaged is None:
            objects.delete([pack])
        else:
            objects.put(pack, damaged)
        assert not follower.look()
        assert follower.problem
        assert "Seit 2007" not in served(tmp_path / "edge", "/about-us")
    objects.put(pack, data)
    assert follower.look()
    assert (follower.problem, verify(tmp_path / "edge", "de", read_live(tmp_path / "edge").builds["de"])) == ("", [])


def test_a_second_publisher_goes_on_where_the_first_is(
    publishing: Machine, machine: NewMachine, book: ReleaseBook, objects: ObjectStore, tmp_path: Path
) -> None:
    second = machine("second")
    assert all(not site.is_new for site in second.publish().sites)
    assert second.renderer.rendered == [], "everything is as the first one put it live"
    edit(book, "Seit 2007")
    second.publish()
    assert second.renderer.rendered == [("de", "/about-us")]
    edit(book, "Seit 2008")
    publishing.publish()
    assert publishing.renderer.rendered == [("de", "/about-us")]
    assert read_live(publishing.root).releases["de"] == 3
    assert [head.build for head in list_builds(publishing.root, "de")][1:] == [
        head.build for head in list_builds(second.root, "de")
    ]
    assert [entry.build for entry in read_entries(publishing.root, "de")] == [
        head.build for head in list_builds(publishing.root, "de")
    ]


def test_of_two_publishers_at_once_one_loses_and_takes_over(
    publishing: Machine, machine: NewMachine, book: ReleaseBook, objects: ObjectStore
) -> None:
    second = machine("second")
    second.publish()
    edit(book, "Seit 2007")
    with publish_lock(second.root, shared=second.shared):
        publishing.publish()  # a lease that was lost unnoticed
        edit(book, "Seit 2008")
        with pytest.raises(BuildError, match="on another machine has published meanwhile"):
            second.publisher.publish()
    assert "Seit 2008" not in served(second.root, "/about-us"), "the loser serves no build of its own"
    second.publish()
    assert "Seit 2008" in served(second.root, "/about-us")
    pointer = unpack_pointer(objects.get(POINTER))
    assert pointer.builds == read_live(second.root).builds


def test_while_the_store_is_away_everything_stays_as_it_is(
    s3_bucket: str, book: ReleaseBook, make_publisher: MakePublisher, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = Machine(tmp_path / "first", ObjectStore(s3_bucket), book.url, make_publisher)
    follower = Follower(tmp_path / "edge", ObjectStore(s3_bucket))
    book.release()
    first.publish()
    follower.look()
    before = read_live(first.root)
    with monkeypatch.context() as away:
        away.setenv("AWS_ENDPOINT_URL", "http://127.0.0.1:9")
        cut_off = ObjectStore(s3_bucket)
        away.setattr(first.shared, "_objects", cut_off)
        away.setattr(follower, "_objects", cut_off)
        edit(book, "Seit 2007")
        with pytest.raises(StoreAway):
            first.publish()
        assert read_live(first.root) == before
        assert not follower.look()
        assert "cannot be read" in follower.problem
        assert "Seit 2007" not in served(tmp_path / "edge", "/about-us")
    first.publish()
    assert follower.look()
    assert "Seit 2007" in served(tmp_path / "edge", "/about-us")


def test_what_was_live_before_a_store_was_shared_is_put_there(
    machine: NewMachine, book: ReleaseBook, objects: ObjectStore, tmp_path: Path
) -> None:
    first = machine("first")
    first.publisher.shared = None
    book.release()
    first.publisher.publish()
    assert keys(objects) == set()
    first.publisher.shared = first.shared
    assert all(not site.is_new for site in first.publish().sites)
    assert Follower(tmp_path / "edge", objects).look()
    assert verify(tmp_path / "edge", "en", read_live(tmp_path / "edge").builds["en"]) == []


def test_going_back_and_resuming_reach_the_other_machines(
    publishing: Machine, objects: ObjectStore, tmp_path: Path, book: ReleaseBook
) -> None:
    follower = Follower(tmp_path / "edge", objects)
    edit(book, "Seit 2007")
    publishing.publish()
    follower.look()
    with publish_lock(publishing.root, shared=publishing.shared):
        publishing.publisher.go_back(1, by="anna")
    assert follower.look()
    assert "Seit 2007" not in served(tmp_path / "edge", "/about-us")
    assert read_live(tmp_path / "edge").installation.is_pinned
    with publish_lock(publishing.root, shared=publishing.shared):
        resume(publishing.root, by="anna", shared=publishing.shared)
    assert follower.look()
    assert not read_live(tmp_path / "edge").installation.is_pinned


def test_pruning_leaves_in_the_store_what_kept_builds_need(
    publishing: Machine,
    machine: NewMachine,
    objects: ObjectStore,
    tmp_path: Path,
    book: ReleaseBook,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    follower = Follower(tmp_path / "edge", objects)
    for year in range(2001, 2009):
        edit(book, f"Seit {year}")
        publishing.publish()
        follower.look()
    everything = keys(objects)
    for module in ("prune", "pack_pruning"):  # recently written files count as in use
        monkeypatch.setattr(f"portolan.builds.{module}.is_unused", lambda path, seconds: True)
    monkeypatch.setattr("portolan.builds.follow.is_unused", lambda path, seconds: True)
    monkeypatch.setattr("portolan.publisher.shared_builds._UNNEEDED_BEFORE_REMOVAL", timedelta(hours=-1))
    with publish_lock(publishing.root, shared=publishing.shared):
        prune(publishing.root, keep_builds=2, keep_days=0)
        publishing.shared.tidy(())
    left = keys(objects)
    assert len(left) < len(everything)
    assert sum(key.endswith(".index") for key in left) < sum(key.endswith(".index") for key in everything)
    assert follower.look()
    prune_copies(tmp_path / "edge", unpack_pointer(objects.get(POINTER)))
    new = tmp_path / "new"
    assert Follower(new, objects).look()
    for root in (publishing.root, tmp_path / "edge", new):
        for site, build in read_live(root).builds.items():
            assert verify(root, site, build) == []
    assert {path.name for path in (tmp_path / "edge" / PACKS).iterdir()} == {
        key.rpartition("/")[2] for key in left if key.startswith(PACKS)
    }
    second = machine("second")
    second.publish()
    for head in list_builds(second.root, "de"):
        assert verify(second.root, "de", head.build) == []
    assert len(list_builds(second.root, "de")) == len(list_builds(publishing.root, "de")) >= 2


def test_a_follower_takes_what_the_publisher_signed_and_nothing_else(
    objects: ObjectStore, tmp_path: Path, book: ReleaseBook, make_publisher: MakePublisher
) -> None:
    key = Ed25519PrivateKey.generate()
    trusted = Keys(trusted=[key.public_key()])
    signing = Machine(tmp_path / "first", objects, book.url, make_publisher, keys=Keys(key))
    book.release()
    signing.publish()
    edge = tmp_path / "edge"
    follower = Follower(edge, objects, keys=trusted)
    assert follower.look()
    build = read_live(edge).builds["de"]
    assert verify(edge, "de", build, trusted) == []
    signed = objects.get(POINTER)
    for forged in (
        signed.replace(b'"hosts":{"hosts"', b'"hosts":{"h0sts"'),
        signed.partition(b',"signature"')[0] + b"}",
    ):
        objects.put(POINTER, forged)
        assert not follower.look()
        assert "The pointer in the shared store is refused" in follower.problem
    objects.put(POINTER, signed)
    edit(book, "Seit 2007")
    signing.publish()
    manifest = f"manifests/de/{read_live(signing.root).builds['de']}.json"
    written = objects.get(manifest)
    for forged in (written.replace(b'"release":2', b'"release":3'), written.replace(b',"signature"', b',"signed"')):
        assert forged != written
        objects.put(manifest, forged)
        assert not follower.look()
        assert "is refused: it" in follower.problem
        assert read_live(edge).builds["de"] == build
    objects.put(manifest, written)
    assert follower.look()
    assert "Seit 2007" in served(edge, "/about-us")


def test_an_older_pointer_of_the_publisher_s_own_is_not_followed_and_is_replaced(
    objects: ObjectStore, tmp_path: Path, book: ReleaseBook, make_publisher: MakePublisher
) -> None:
    """An attacker who can write to the store has kept the old pointer and puts it back."""
    key = Ed25519PrivateKey.generate()
    trusted = Keys(trusted=[key.public_key()])
    signing = Machine(tmp_path / "first", objects, book.url, make_publisher, keys=Keys(key))
    book.release()
    signing.publish()
    older = objects.get(POINTER)
    edit(book, "Seit 2007")
    signing.publish()
    edge = tmp_path / "edge"
    follower = Follower(edge, objects, keys=trusted)
    assert follower.look()
    newest = read_live(edge, trusted)
    objects.put(POINTER, older)
    assert not follower.look()
    assert "someone has put it back" in follower.problem
    assert not Follower(edge, objects, keys=trusted).look(), "nor by one that has just been started"
    assert read_live(edge, trusted) == newest
    with publish_lock(signing.root, shared=signing.shared):
        pass
    assert follower.look()
    again = read_live(edge, trusted)
    assert again.builds == newest.builds
    assert again.number > newest.number


def test_what_somebody_wrote_beside_the_follower_is_written_anew(
    objects: ObjectStore, tmp_path: Path, book: ReleaseBook, make_publisher: MakePublisher
) -> None:
    key = Ed25519PrivateKey.generate()
    trusted = Keys(trusted=[key.public_key()])
    signing = Machine(tmp_path / "first", objects, book.url, make_publisher, keys=Keys(key))
    book.release()
    signing.publish()
    edge = tmp_path / "edge"
    assert Follower(edge, objects, keys=trusted).look()
    live = live_file(edge).read_bytes()
    live_file(edge).write_bytes(live.partition(b',"signature"')[0] + b"}")
    with pytest.raises(BuildError, match="not signed"):
        read_live(edge, trusted)
    assert Follower(edge, objects, keys=trusted).look()
    assert live_file(edge).read_bytes() == live


def test_what_is_damaged_on_a_disk_is_fetched_once_more(
    publishing: Machine, objects: ObjectStore, tmp_path: Path, book: ReleaseBook
) -> None:
    edge = tmp_path / "edge"
    follower = Follower(edge, objects)
    follower.look()
    build = read_live(edge).builds["de"]
    for pack in (edge / PACKS).iterdir():
        if pack.suffix != ".index":
            pack.chmod(0o644)
            pack.write_bytes(bytes(pack.stat().st_size))
    manifest_path(edge, "de", build).write_text("{")
    report = Scrub(edge).round()
    assert report and report.files and list(report.manifests) == [f"de {build}"]
    assert follower.mend()
    for _ in range(2):  # files that only the manifest names are found once that can be read
        Scrub(edge).round()
        follower.mend()
    assert [verify(edge, site, live) for site, live in read_live(edge).builds.items()] == [[], [], []]
    assert not Scrub(edge).round().files  # type: ignore[union-attr]


def test_what_was_there_before_the_key_is_signed_for_everybody(
    publishing: Machine, objects: ObjectStore, tmp_path: Path, book: ReleaseBook
) -> None:
    key = Ed25519PrivateKey.generate()
    edge = tmp_path / "edge"
    Follower(edge, objects).look()
    trusting = Follower(edge, objects, keys=Keys(trusted=[key.public_key()]))
    assert not trusting.look()
    signing = SharedBuilds(publishing.root, objects, book.url, keys=Keys(key).believing_all())
    with publish_lock(publishing.root, shared=signing):
        builds = [
            (site, head.build)
            for site in read_live(publishing.root).builds
            for head in list_builds(publishing.root, site)
        ]
        assert all(sign_manifest(publishing.root, site, build, Keys(key)) for site, build in builds)
        signing.put_again(f"manifests/{site}/{build}.json" for site, build in builds)
    assert trusting.look()
    live = read_live(edge).builds
    assert [verify(edge, site, build, Keys(trusted=[key.public_key()])) for site, build in live.items()] == [[], [], []]


def files_of(root: Path, site: str = "de") -> dict[str, File]:
    return dict(read_manifest(root, site, read_live(root).builds[site]).files)


def test_what_an_edge_has_met_is_fetched_at_once_also_a_pack_that_is_gone(
    publishing: Machine, objects: ObjectStore, tmp_path: Path
) -> None:
    edge = tmp_path / "edge"
    follower = Follower(edge, objects)
    follower.look()
    for pack in (edge / PACKS).iterdir():
        pack.unlink()
    report_damage(edge, "edge-1", [files_of(edge)["/about-us"].digest])
    assert follower.mend()
    assert [verify(edge, site, live) for site, live in read_live(edge).builds.items()] == [[], [], []]
    assert not follower.mend()


@pytest.mark.parametrize("lost", ["pack", "manifest"])
def test_what_the_store_has_lost_is_put_there_again_by_the_publisher(
    publishing: Machine,
    objects: ObjectStore,
    tmp_path: Path,
    lost: str,
    book: ReleaseBook,
) -> None:
    edge = tmp_path / "edge"
    follower = Follower(edge, objects)
    follower.look()
    build = read_live(edge).builds["de"]
    if lost == "pack":
        key = next(key for key in keys(objects) if key.startswith(PACKS) and not key.endswith(".index"))
        (edge / key).unlink()
        what = files_of(edge)["/about-us"].digest
    else:
        key = f"manifests/de/{build}.json"
        (edge / key).unlink()
        what = f"de {build}"
    objects.delete([key])
    report_damage(edge, "edge-1", [what])
    assert not follower.mend()
    assert any(each.startswith("damaged/") for each in keys(objects))
    watch = Watch(
        publishing.root,
        open_reader(book.url),
        lambda: publishing.publisher,
        lambda: "",
        lambda: None,
        lambda line: None,
        shared=publishing.shared,
    )
    watch.round(woken=True)
    watch.close()
    assert key in keys(objects)
    assert not any(each.startswith("damaged/") for each in keys(objects))
    report_damage(edge, "edge-1", [what, "again"])
    assert follower.mend()
    assert [verify(edge, site, live) for site, live in read_live(edge).builds.items()] == [[], [], []]
    Follower(empty := tmp_path / "empty", objects).look()
    assert read_live(empty).builds == read_live(edge).builds


def test_the_command_brings_the_live_builds_once(
    publishing: Machine, store_url: str, book: ReleaseBook, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    var = tmp_path / "edge"
    settings = Env(sites_file=ROOT / "sites.toml", var_dir=var, build_store=store_url, DATABASE_URL=book.url)
    monkeypatch.setattr(follow, "env", lambda: settings)
    done = CliRunner().invoke(follow.command, ["--once"])
    assert done.exit_code == 0, done.output
    assert read_live(settings.builds_dir).builds == read_live(publishing.root).builds
    assert served(settings.builds_dir, "/about-us") == served(publishing.root, "/about-us")

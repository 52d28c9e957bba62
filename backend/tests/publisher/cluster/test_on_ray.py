"""A real cluster of two nodes on this machine: equal files in any way, and all pages if a node is lost."""

import os
import shutil
import signal
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from e2e import seeded
from portolan.builds.live import read_live
from portolan.builds.manifest import read_manifest
from portolan.builds.object_store import ObjectStore
from portolan.builds.store import ContentStore, digest_of
from portolan.builds.verify import verify
from portolan.publisher.addresses import Addresses
from portolan.publisher.cluster.bulk_renderer import BulkRenderer
from portolan.publisher.cluster.cluster import Cluster, ClusterPlace
from portolan.publisher.publish import Publisher
from portolan.publisher.render_worker import worker_command
from portolan.publisher.renderer import PageRequest, RecordedPage, RenderPool, Request, StoredFile
from portolan.publisher.shared_builds import SharedBuilds
from portolan.publisher.web_build import WebBuild, load_web_build
from portolan.releases.reader import open_reader
from portolan.sites.registry import Registry
from portolan_dev.bench.installation import PORTOLAN
from portolan_dev.bench.ray_nodes import ENVIRONMENT, RayNodes, ray_nodes

from ...processes import run_program
from ..conftest import ROOT
from ..fake_renderer import FakeRenderer
from ..release_book import ReleaseBook

pytestmark = pytest.mark.one_worker
SITES = ("en", "de", "ae")
PAGES = 800


@pytest.fixture(scope="module")
def nodes() -> Iterator[RayNodes]:
    before = dict(os.environ)
    os.environ.update(ENVIRONMENT)
    with ray_nodes(2, 1) as started:
        yield started
    os.environ.clear()
    os.environ.update(before)


@pytest.fixture(scope="module")
def real_web() -> WebBuild:
    return load_web_build(ROOT / "web" / "dist")


class Noting(ObjectStore):
    """Notes which packs are put into it."""

    def __init__(self, url: str, put: list[str]) -> None:
        super().__init__(url)
        self._put = put

    def put(self, key: str, data: bytes | Path) -> None:
        if key.startswith("store/packs/") and not key.endswith(".index"):
            self._put.append(key.rpartition("/")[2])
        super().put(key, data)


class Machine:
    """A publisher with a separate disk."""

    def __init__(self, root: Path, web: WebBuild, registry: Registry, book: ReleaseBook, media: Path) -> None:
        self.root, self.web, self.registry, self.book, self.media = root, web, registry, book, media
        self.put: list[str] = []
        """Packs that it has put into the shared store itself."""

    def publish(self, address: str = "", objects: str = "") -> dict[str, dict[str, str]]:
        """Publish, and return the digest of each file of each site. With an ``address``, render every page there."""
        shared = SharedBuilds(self.root, Noting(objects, self.put), self.book.url) if objects else None
        pool = RenderPool(worker_command(self.web.worker), workers=1)
        renderer = pool if not address else BulkRenderer(FakeRenderer(), self._cluster(address, objects, shared), 1)
        with Publisher(
            Addresses(self.registry, "local", 8000),
            open_reader(self.book.url),
            self.web,
            self.root,
            self.media,
            renderer,
            shared=shared,
        ) as publisher:
            if shared:
                with shared.alone():
                    publisher.publish()
            else:
                publisher.publish()
        pool.close()
        live = read_live(self.root).builds
        manifests = {site: read_manifest(self.root, site, live[site]) for site in SITES}
        return {
            site: {path: file.digest for path, file in manifest.files.items()} for site, manifest in manifests.items()
        }

    def _cluster(self, address: str, objects: str, shared: SharedBuilds | None) -> Cluster:
        store = ContentStore(self.root).folder
        place = ClusterPlace(address, self.web.worker.parent, store, objects)
        return Cluster(place, shared.note_stored if shared else lambda pack: None)


def test_files_that_come_through_the_shared_store_equal_those_of_the_local_pool(
    nodes: RayNodes, real_web: WebBuild, registry: Registry, book: ReleaseBook, media: Path, tmp_path: Path
) -> None:
    book.release()
    local, machine = (Machine(tmp_path / name, real_web, registry, book, media) for name in ("local", "store"))
    files = local.publish()
    assert any(path.endswith(".jpg") for path in files["en"])  # social images are drawn there too
    assert machine.publish(nodes.address, f"file://{tmp_path}/objects") == files
    assert [verify(machine.root, *build) for build in read_live(machine.root).builds.items()] == [[], [], []]
    packs = {path.name for path in (machine.root / "store" / "packs").iterdir()}
    assert packs == {path.name for path in (tmp_path / "objects" / "store" / "packs").iterdir()}
    from_nodes = {name for name in packs if not name.endswith((".index", "-0"))}
    assert from_nodes
    assert not from_nodes & {*machine.put}  # a node has put them there already


@pytest.mark.skipif("PORTOLAN_RAY_DEMO" not in os.environ, reason="the whole demo takes a minute: `make soak`")
def test_every_file_of_the_demo_equals_the_local_pool_s(nodes: RayNodes, tmp_path: Path) -> None:
    demo = seeded.prepare()
    files = []
    for name, variables in (
        ("local", {}),
        ("cluster", {"PORTOLAN_RAY_ADDRESS": nodes.address, "PORTOLAN_RAY_FROM_PAGES": "1"}),
    ):
        var = tmp_path / name
        var.mkdir()
        seeded.copy_to(var, demo)
        shutil.rmtree(var / "builds")
        environment = {**os.environ, "PORTOLAN_VAR_DIR": str(var), **variables}
        done = run_program([PORTOLAN, "publish"], env=environment)
        assert done.returncode == 0, done.stderr
        assert "Ray" not in done.stderr
        builds = read_live(var / "builds").builds
        manifests = {site: read_manifest(var / "builds", site, build) for site, build in builds.items()}
        files.append({(site, path): file for site, each in manifests.items() for path, file in each.files.items()})
    local, cluster = files
    assert {at for at in local.keys() | cluster.keys() if local.get(at) != cluster.get(at)} == set()
    assert len(local) > 2000


def test_nothing_is_lost_with_an_actor_or_a_node(
    nodes: RayNodes, real_web: WebBuild, registry: Registry, book: ReleaseBook, media: Path, tmp_path: Path
) -> None:
    book.release()
    page, shared = _a_page(real_web, registry, book, media, tmp_path / "once")
    store = ContentStore(tmp_path / "builds")
    store.prepare()
    requests = [page._replace(path=f"/page-{number}", store=str(store.folder)) for number in range(PAGES)]
    place = ClusterPlace(nodes.address, real_web.worker.parent, store.folder, "")
    cluster = Cluster(place)
    undone: list[Request] = []
    answered: list[str] = []
    made: set[tuple[StoredFile, StoredFile]] = set()
    try:
        for answer in cluster.render(iter(requests), {page.shared: shared}, undone):
            assert isinstance(answer, RecordedPage), answer
            store.packs.add(answer.packed)
            answered.append(answer.request.path)
            made.add((answer.html, answer.data))
            assert digest_of(store.read(answer.html.digest) or b"") == answer.html.digest
            if len(answered) == 100:
                os.kill(_actors(nodes)[0], signal.SIGKILL)
            if len(answered) == 300:
                nodes.kill(1)
    finally:
        cluster.close()
    with RenderPool(worker_command(real_web.worker), workers=1) as pool:
        pool.add_shared(page.shared, shared)
        (alone,) = pool.render([requests[0]])
    assert isinstance(alone, RecordedPage)
    assert made == {(alone.html, alone.data)}
    assert undone == []
    assert sorted(answered) == sorted(request.path for request in requests)


def _actors(nodes: RayNodes) -> list[int]:
    processes = psutil.Process(nodes.process.pid).children(recursive=True)
    return [process.pid for process in processes if "".join(process.cmdline()).startswith("ray::NodeRenderer")]


def _a_page(
    web: WebBuild, registry: Registry, book: ReleaseBook, media: Path, folder: Path
) -> tuple[PageRequest, bytes]:
    """Return a publish's request to a renderer for one page, and the shared data for it."""

    class Recorder(FakeRenderer):
        asked: list[Request] = []
        given: dict[str, bytes] = {}

        def add_shared(self, key: str, data: bytes) -> None:
            self.given[key] = data
            super().add_shared(key, data)

        def render(self, requests, pages=1):  # type: ignore[no-untyped-def]
            self.asked = list(requests)
            return super().render(self.asked, pages)

    recorder = Recorder()
    with Publisher(
        Addresses(registry, "local", 8000), open_reader(book.url), web, folder, media, recorder
    ) as publisher:
        publisher.publish()
    found = next(request for request in recorder.asked if isinstance(request, PageRequest) and request.brotli)
    return found, recorder.given[found.shared]

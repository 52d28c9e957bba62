"""Which batches a cluster renders and which this machine renders. If the cluster is lost, no batch is."""

import logging
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from portolan.builds.store import ContentStore, Place
from portolan.publisher.cluster.bulk_renderer import BulkRenderer
from portolan.publisher.cluster.cluster import Cluster, ClusterPlace
from portolan.publisher.renderer import (
    Answer,
    DrawnPicture,
    InspectRequest,
    PageRequest,
    PictureRequest,
    RecordedPage,
    Request,
    SpliceRequest,
)
from portolan_dev.ports import free_port

from ..fake_renderer import FakeRenderer
from ..test_renderer import SHARED, ask

FROM = 120


class Bulk:
    """A bulk renderer with a driver of this behaviour, or the real one by default."""

    def __init__(self, folder: Path, how: str = "well", objects: str = "", address: str = "10.0.0.1:6379") -> None:
        self.store = ContentStore(folder)
        self.store.prepare()
        self.shared: list[str] = []
        """Packs that it received."""
        self.local = FakeRenderer()
        command = (sys.executable, "-m", "backend.tests.publisher.cluster.fake_driver", how)
        place = ClusterPlace(address, folder / "dist" / "server", self.store.folder, objects)
        cluster = Cluster(place, self.shared.append, command) if how else Cluster(place)
        self.renderer = BulkRenderer(self.local, cluster, FROM)
        for key in ("s1", "s2"):
            self.renderer.add_shared(key, SHARED)

    def pages(self, count: int, shared: str = "s1", title: str = "A page") -> list[PageRequest]:
        folder = str(self.store.folder)
        return [ask(f"/{shared}/page-{number}", title, shared=shared, store=folder) for number in range(count)]

    def render(self, requests: list[Request], pages: int = 0) -> list[Answer]:
        return list(self.renderer.render(iter(requests), pages or len(requests)))

    @property
    def here(self) -> int:
        """Pages that were rendered on this machine."""
        return len(self.local.rendered)


@pytest.fixture
def bulk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[..., Bulk]]:
    root = str(Path(__file__).parents[4])
    monkeypatch.setenv("PYTHONPATH", root)
    made: list[Bulk] = []

    def make(how: str = "well", **others: str) -> Bulk:
        made.append(Bulk(tmp_path / f"store-{len(made)}", how, **others))
        return made[-1]

    yield make
    for each in made:
        each.renderer.close()


def _all_once(answers: list[Answer], requests: list[Request]) -> bool:
    return Counter(id(answer.request) for answer in answers) == Counter(map(id, requests))


def test_few_pages_stay_here_and_many_go(bulk: Callable[..., Bulk]) -> None:
    few, many = bulk(), bulk()
    requests: list[Request] = [*few.pages(FROM - 1)]
    assert _all_once(few.render(requests), requests)
    assert few.here == FROM - 1
    requests = [*many.pages(70), *many.pages(130, "s2")]
    answers = many.render(requests)
    assert _all_once(answers, requests)
    assert many.here == 0
    for answer in answers:
        assert isinstance(answer, RecordedPage)
        assert many.store.read(answer.html.digest)


def test_pictures_go_with_the_pages(bulk: Callable[..., Bulk]) -> None:
    many = bulk()
    pictures: list[Request] = [PictureRequest("en", f"/{n}", "A", f"/{n}.jpg", b"%d" % n) for n in range(150)]
    requests = [request for pair in zip(many.pages(150), pictures, strict=True) for request in pair]
    answers = many.render(requests)
    assert _all_once(answers, requests)
    drawn = {answer.request.name: answer.data for answer in answers if isinstance(answer, DrawnPicture)}
    assert drawn == {f"/{n}.jpg": b"JPEG of %d" % n for n in range(150)}
    assert (many.here, many.local.drawn) == (0, [])


def test_what_lies_on_this_disk_is_worked_on_here(bulk: Callable[..., Bulk]) -> None:
    many = bulk()
    (first,) = many.render([*many.pages(1)])
    assert isinstance(first, RecordedPage)
    places = [many.store.locate(file.digest) for file in (first.html, first.data)]
    html, data = (place or Place("", 0, 0) for place in places)
    spliced = [SpliceRequest("en", "/a", "A", "s1", html, data, str(many.store.folder))] * 1
    seen = InspectRequest("en", "/b", "B", html)
    requests: list[Request] = [*spliced, *many.pages(150), seen]
    assert _all_once(many.render(requests), requests)
    assert many.local.spliced == [("en", "/a")]
    assert many.here == 1


def test_a_publish_that_only_splices_asks_no_cluster(
    bulk: Callable[..., Bulk], caplog: pytest.LogCaptureFixture
) -> None:
    away = bulk("away")
    requests: list[Request] = [*away.pages(5)]
    assert _all_once(away.render(requests, pages=100_000), requests)
    assert away.here == 5
    assert caplog.messages == []


@pytest.mark.parametrize(
    ("how", "why"),
    [
        ("away", "the address does not respond"),
        ("unfit", "node 10.0.0.7: it has Portolan 0.0.9"),
        ("leaves", "node 10.0.0.7: it was lost"),
        ("dies", "its driver process ended (Fatal: the cluster is gone)"),
    ],
)
def test_without_the_cluster_this_machine_does_the_rest_and_says_so_once(
    bulk: Callable[..., Bulk], caplog: pytest.LogCaptureFixture, how: str, why: str
) -> None:
    left = bulk(how)
    requests: list[Request] = [*left.pages(370), *left.pages(50, "s2")]
    caplog.set_level(logging.WARNING)
    for _ in range(2):
        assert _all_once(left.render(requests), requests)
    assert left.here >= 420
    said = [line for line in caplog.messages if "cannot be used" in line]
    assert said == [
        f"The Ray cluster at 10.0.0.1:6379 cannot be used ({why}), so this machine renders all pages, which takes longer. "
        "Check the cluster, or unset PORTOLAN_RAY_ADDRESS."
    ]
    assert len(caplog.messages) == (2 if how == "unfit" else 1)


def test_an_address_without_a_cluster_costs_no_minutes(
    bulk: Callable[..., Bulk], caplog: pytest.LogCaptureFixture
) -> None:
    alone = bulk("", address=f"127.0.0.1:{free_port()}")
    requests: list[Request] = [*alone.pages(FROM)]
    assert _all_once(alone.render(requests), requests)
    assert alone.here == FROM
    (said,) = caplog.messages
    assert "cannot be used (the address does not respond)" in said


def test_a_batch_that_nodes_do_not_survive_is_taken_apart_and_its_page_tried_here(bulk: Callable[..., Bulk]) -> None:
    many = bulk()
    requests: list[Request] = [*many.pages(150)]
    poisoned = many.pages(1, title="poison")[0]._replace(path="/poisoned")
    requests.insert(75, poisoned)
    assert _all_once(many.render(requests), requests)
    assert many.local.rendered == [("en", "/poisoned")]


def test_packs_in_the_shared_store_are_told(bulk: Callable[..., Bulk]) -> None:
    alone, shared = bulk(), bulk(objects="file:///mnt/shared")
    for each in (alone, shared):
        each.render([*each.pages(150)])
    assert alone.shared == []
    assert sorted(shared.shared) == ["pack-1", "pack-2"]


def test_a_run_that_is_left_early_takes_nothing_of_the_next_one(bulk: Callable[..., Bulk]) -> None:
    many = bulk()
    answers = many.renderer.render(iter(many.pages(450)), 450)
    next(answers)
    answers.close()
    requests: list[Request] = [*many.pages(150, "s2")]
    assert _all_once(many.render(requests), requests)
    assert many.here == 0

"""The pool of render workers: order, crashes, hangs, and no process left behind."""

import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import orjson
import pytest

from portolan.builds.store import ContentStore
from portolan.publisher.problem import UsageError
from portolan.publisher.renderer import (
    InspectedPage,
    InspectRequest,
    PageRequest,
    RecordedPage,
    RenderedPage,
    RenderFailure,
    RenderPool,
)

from ..processes import SLOWER

FAKE = Path(__file__).with_name("fake_renderer.py")
SHARED = orjson.dumps({"site": {"lang": "en", "dir": "ltr"}, "offices": []})


@pytest.fixture
def pool(tmp_path: Path) -> Iterator[RenderPool]:
    with RenderPool([sys.executable, str(FAKE), str(tmp_path)], workers=2, page_limit_s=60 * SLOWER) as pool:
        pool.add_shared("s1", SHARED)
        yield pool


def ask(path: str, title: str = "A page", brotli: int = 5, shared: str = "s1", store: str = "") -> PageRequest:
    head = {"title": title, "alternates": []}
    page = {"path": path, "template": "service", "head": head, "switcher": [], "breadcrumb": [], "blocks": []}
    return PageRequest("en", path, title, shared, orjson.dumps(page), brotli, store)


def _store(root: Path) -> str:
    store = ContentStore(root)
    store.prepare()
    return str(store.folder)


@pytest.mark.parametrize("pages", [1, 120], ids=["alone", "packed"])
def test_every_page_comes_back_with_its_own_record(pool: RenderPool, tmp_path: Path, pages: int) -> None:
    store = ContentStore(tmp_path)
    folder = str(store.folder)
    store.prepare()
    requests = [ask(f"/page-{number}", f"Title {number}", store=folder) for number in range(pages)]
    answers = list(pool.render(iter(requests), pages))
    assert sorted(answer.request.path for answer in answers) == sorted(request.path for request in requests)
    for answer in answers:
        assert isinstance(answer, RecordedPage)
        store.packs.add(answer.packed)
        assert len(answer.packed) == (3 if pages > 1 else 0)
        html = store.read(answer.html.digest)
        assert html
        assert f"<title>{answer.request.title}</title>".encode() in html
        assert len(html) == answer.html.size
        assert orjson.loads(store.read(answer.data.digest) or b"")["path"] == answer.request.path
        assert store.encodings(answer.html.digest) == {"br"}
        assert (answer.seen.lang, answer.seen.dir) == ("en", "ltr")
    one = answers[0]
    assert isinstance(one, RecordedPage)
    place = store.locate(one.html.digest)
    assert place
    (again,) = pool.render([InspectRequest("en", "/a", "A", place)])
    assert isinstance(again, InspectedPage)
    assert again.seen.own == one.seen.own


def test_html_that_is_only_looked_at_is_stored_nowhere(pool: RenderPool, tmp_path: Path) -> None:
    (answer,) = pool.render([ask("/draft", "A draft")])
    assert isinstance(answer, RenderedPage)
    assert b"<title>A draft</title>" in answer.html
    assert not (tmp_path / "store").exists()


def test_a_disk_that_takes_nothing_is_no_page_s_problem(pool: RenderPool) -> None:
    with pytest.raises(OSError, match="no space left") as error:
        list(pool.render([ask("/a", "full disk")]))
    assert error.value.errno == errno.ENOSPC


def test_pages_larger_than_a_pipe_do_not_block(pool: RenderPool) -> None:
    requests = [ask(f"/large-{number}", "x" * 3_000_000, brotli=0) for number in range(6)]
    assert sum(isinstance(answer, RenderedPage) for answer in pool.render(requests)) == 6


def test_shared_data_of_many_sites_reaches_every_worker(pool: RenderPool) -> None:
    for number in range(9):
        pool.add_shared(f"site-{number}", SHARED)
    requests = [ask(f"/p-{number}", shared=f"site-{number % 9}") for number in range(60)]
    answers = list(pool.render(requests))
    assert all(isinstance(answer, RenderedPage) for answer in answers)
    assert {answer.html.split(b"shared=")[1][:6] for answer in answers} == {b"site-%d" % n for n in range(9)}


@pytest.mark.parametrize("pages", [1, 200], ids=["alone", "in batches"])
def test_crash_costs_the_page_one_more_try(pool: RenderPool, tmp_path: Path, pages: int) -> None:
    requests = [ask(f"/page-{number}", store=_store(tmp_path)) for number in range(20)]
    requests.insert(7, ask("/shaky", "crash once", store=_store(tmp_path)))
    answers = list(pool.render(requests, pages))
    assert all(isinstance(answer, RecordedPage) for answer in answers)
    assert {answer.request.path for answer in answers} == {request.path for request in requests}


@pytest.mark.parametrize("pages", [1, 200], ids=["alone", "in batches"])
def test_page_that_crashes_twice_is_named_and_the_others_are_rendered(
    pool: RenderPool, tmp_path: Path, pages: int
) -> None:
    requests = [ask(f"/page-{number}", store=_store(tmp_path)) for number in range(20)]
    requests.insert(7, ask("/cursed", "crash", store=_store(tmp_path)))
    answers = list(pool.render(requests, pages))
    failures = [answer for answer in answers if isinstance(answer, RenderFailure)]
    assert [failure.request.path for failure in failures] == ["/cursed"]
    assert failures[0].what == "ended the render worker twice (output: Fatal: out of ink)"
    assert len(answers) == 21


def test_page_that_hangs_is_named_and_the_others_are_rendered(tmp_path: Path) -> None:
    with RenderPool([sys.executable, str(FAKE), str(tmp_path)], workers=2, page_limit_s=3 * SLOWER) as pool:
        pool.add_shared("s1", SHARED)
        requests = [ask(f"/page-{number}", store=_store(tmp_path)) for number in range(12)]
        requests.insert(3, ask("/endless", "hang", store=_store(tmp_path)))
        answers = list(pool.render(requests, 60))
    failures = [answer for answer in answers if isinstance(answer, RenderFailure)]
    assert [(failure.request.path, failure.what) for failure in failures] == [
        ("/endless", f"took longer than {3 * SLOWER:g} s to render")
    ]
    assert len(answers) == 13


def test_error_names_the_block(pool: RenderPool) -> None:
    (answer,) = pool.render([ask("/broken", "fail")])
    assert isinstance(answer, RenderFailure)
    assert answer.what == "could not be rendered in block 2 (offices): offices is not iterable"


def test_pages_after_an_abandoned_run_get_their_own_answers(pool: RenderPool) -> None:
    first = pool.render(ask(f"/a-{number}") for number in range(50))
    next(first)
    first.close()
    (answer,) = pool.render([ask("/b", "Mine")])
    assert isinstance(answer, RenderedPage)
    assert b"<title>Mine</title>" in answer.html


def test_no_worker_is_left_behind(tmp_path: Path) -> None:
    with RenderPool([sys.executable, str(FAKE), str(tmp_path)], workers=3) as pool:
        pool.add_shared("s1", SHARED)
        pool.warm_up(pages=200)
        processes = pool.processes()
        assert len(processes) == 3
        next(pool.render(ask(f"/{number}", "hang" if number > 3 else "fine") for number in range(20)))
    for process in processes:
        with pytest.raises(ProcessLookupError):
            os.kill(process, 0)


def test_starts_no_more_workers_than_the_pages_need(pool: RenderPool) -> None:
    list(pool.render([ask("/one")]))
    assert len(pool.processes()) == 1


def test_says_what_is_missing_when_the_worker_cannot_start() -> None:
    with RenderPool(["/no/such/node"]) as pool, pytest.raises(UsageError, match="Install the requirements again"):
        pool.warm_up()


def test_workers_know_none_of_the_secrets_in_our_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CRM_SECRET", "canary")
    monkeypatch.setenv("DATABASE_URL", "postgres://portolan:canary@db/portolan")
    with RenderPool([sys.executable, str(FAKE), "/tmp"], workers=1, cache=Path("/var/cache")) as own:
        own.add_shared("s1", SHARED)
        list(own.render([ask("/one")]))  # a worker that has replied has its environment, a new one may not have it yet
        (process,) = own.processes()
        known = Path(f"/proc/{process}/environ").read_bytes()
    assert b"canary" not in known
    assert b"NODE_ENV=production" in known
    assert b"NODE_COMPILE_CACHE=/var/cache" in known
    assert f"PATH={os.environ['PATH']}".encode() in known

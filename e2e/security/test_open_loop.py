"""A thousand visitors a second under load: p99 stays under 0.1 s while everything is published and while thirty clients guess
passwords. Runs only in the long form (`make soak`), because the result is a time.
"""

import asyncio
import itertools
import multiprocessing
import os
import shutil
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import urlencode

import httpx
import pytest

from ..faults import LONGEST_WAIT_S, wait_until
from ..product import write_project
from ..seeded import ROOT
from .installation import Installation, installed
from .open_loop import Stream, Waits, come

pytestmark = [
    pytest.mark.one_worker,
    pytest.mark.skipif(
        "PORTOLAN_OPEN_LOOP" not in os.environ, reason="PORTOLAN_OPEN_LOOP is not set: `make soak` sets it"
    ),
]
A_SECOND: Final = int(os.environ.get("PORTOLAN_OPEN_LOOP", "0"))
LASTS_S: Final = 20
LONGEST_P99_S: Final = 0.1
GUESSERS: Final = 30


class Demo(NamedTuple):
    installation: Installation
    public: Path
    """The company's own files. Where one has changed, the publisher renders every page of every site."""

    def count_publishes(self) -> int:
        record = self.installation.var / "builds" / "publishes.jsonl"
        return len(record.read_bytes().splitlines()) if record.exists() else 0

    def publish(self, number: int, until: Callable[[], bool] = lambda: False) -> None:
        (self.public / "open-loop.txt").write_text(str(number))
        headers = {"Host": self.installation.host}
        address = f"http://127.0.0.1:{self.installation.port}/open-loop.txt"
        wait_until(
            lambda: httpx.get(address, headers=headers, trust_env=False).text == str(number) or until(),
            lambda: f"everything is published: {self.installation.log.read_text()[-2000:]}",
            120,
        )


@pytest.fixture(scope="module")
def demo(seeded: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Demo]:
    """As its unit starts it, publisher and all; everything is published for its port."""
    folder = tmp_path_factory.mktemp("open-loop")
    write_project(folder, (ROOT / "sites.toml").read_text())
    public = folder / "public"
    public.unlink()
    shutil.copytree(ROOT / "public", public)
    with installed(folder / "var", seeded=seeded, PORTOLAN_SITES_FILE=str(folder / "sites.toml")) as running:
        served = Demo(running, public)
        served.publish(0)
        yield served


@contextmanager
def meanwhile(work: Callable[[threading.Event], None]) -> Iterator[None]:
    """``work`` goes on in a thread until the end of the block."""
    ended = threading.Event()
    thread = threading.Thread(target=work, args=[ended])
    thread.start()
    try:
        yield
    finally:
        ended.set()
        thread.join()


def count_waits(installation: Installation) -> Waits:
    context = multiprocessing.get_context("spawn")
    said = context.Queue()
    visitors = context.Process(
        target=come, args=(Stream(installation.port, installation.host, A_SECOND, LASTS_S), said)
    )
    visitors.start()
    try:
        waits: Waits = said.get(timeout=LASTS_S + 60)
    finally:
        visitors.join(20)
        visitors.kill()
    return waits


def tell(capsys: pytest.CaptureFixture[str], when: str, waits: Waits, more: str) -> None:
    p50, p99, p999 = (round(waits.percentile(share) * 1000) for share in (0.5, 0.99, 0.999))
    load = os.getloadavg()[0]
    with capsys.disabled():
        print(
            f"\n{A_SECOND} requests a second for {LASTS_S} s {when}: p50 {p50}, p99 {p99}, p99.9 {p999}, longest "
            f"{waits.seconds[-1] * 1000:.0f} ms, {waits.answers}; {more}; load {load:.1f}"
        )


def judge(waits: Waits) -> None:
    assert waits.answers == {"200": A_SECOND * LASTS_S}
    assert waits.percentile(0.99) < LONGEST_P99_S


def test_visitors_do_not_wait_while_nothing_else_happens(demo: Demo, capsys: pytest.CaptureFixture[str]) -> None:
    """Measure the baseline for the other tests."""
    waits = count_waits(demo.installation)
    tell(capsys, "alone", waits, "nothing else")
    judge(waits)


def test_visitors_do_not_wait_while_everything_is_published(demo: Demo, capsys: pytest.CaptureFixture[str]) -> None:
    before = demo.count_publishes()
    begun = itertools.count(1)

    def keep_publishing(ended: threading.Event) -> None:
        while not ended.is_set():
            demo.publish(next(begun), ended.is_set)

    with meanwhile(keep_publishing):
        waits = count_waits(demo.installation)
    ended = demo.count_publishes() - before
    tell(capsys, "while everything is published again and again", waits, f"{ended} publishes ended, one was at work")
    judge(waits)
    demo.publish(next(begun))


def test_visitors_do_not_wait_while_passwords_are_guessed(demo: Demo, capsys: pytest.CaptureFixture[str]) -> None:
    answers: Counter[int] = Counter()

    def keep_guessing(ended: threading.Event) -> None:
        asyncio.run(guess(demo.installation, ended, answers))

    with meanwhile(keep_guessing):
        waits = count_waits(demo.installation)
    tell(capsys, "while 30 clients guess passwords", waits, f"guesses {dict(answers)}")
    judge(waits)
    assert answers[200] > GUESSERS, "passwords were looked at, and were wrong"


async def guess(installation: Installation, ended: threading.Event, answers: Counter[int]) -> None:
    """Each guess comes from another address: who stays at one is soon told to wait."""
    addresses = (f"127.{high}.{low}.1" for high in range(20, 250) for low in range(1, 250))

    async def keep_on(number: int) -> None:
        while not ended.is_set():
            transport = httpx.AsyncHTTPTransport(local_address=next(addresses))
            origin = f"http://127.0.0.1:{installation.port}"
            async with httpx.AsyncClient(
                base_url=origin, transport=transport, timeout=LONGEST_WAIT_S, trust_env=False
            ) as client:
                client.headers["Host"] = installation.studio
                form = await client.get("/admin/login/")
                token = form.text.partition('name="csrfmiddlewaretoken" value="')[2].partition('"')[0]
                fields = {"csrfmiddlewaretoken": token, "username": f"editor-{number}", "password": "a guess"}
                sent = await client.post(
                    "/admin/login/",
                    content=urlencode(fields),
                    headers={
                        "Content-Type": "application/x-www-form-urlencoded",
                        "Cookie": f"csrftoken={form.cookies.get('csrftoken')}",
                        "Origin": f"http://{installation.studio}",
                    },
                )
                answers[sent.status_code] += 1

    await asyncio.gather(*(keep_on(number) for number in range(GUESSERS)))

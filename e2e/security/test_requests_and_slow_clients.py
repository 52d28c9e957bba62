"""Send ambiguous requests to a running installation, and open slow connections to it.

The long form (`make soak`) is 4,300 slow bodies and 300 slow readers from 200 addresses for 52 seconds.
"""

import asyncio
import multiprocessing
import os
import re
import socket
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar

import pytest

from portolan.edge.slow_bodies import Pace
from tests.processes import SLOWER
from tests.small_installation import LARGE_PATH

from ..faults import LONGEST_WAIT_S
from ..visitors import CONTACT
from .installation import Installation
from .slow_clients import Crowd, SlowClients, Visitor, attack, percentile, visit

pytestmark = pytest.mark.one_worker
BODIES: Final = int(os.environ.get("PORTOLAN_SLOW_BODIES", "0"))
LONGEST_P99_S: Final = 0.2
LONGEST_AFTER_S: Final = 5 * SLOWER
"""For one who comes when a thousand have left, on a machine that is busy with something else; it was a minute."""
Result = TypeVar("Result")


LAST: Final = "GET / HTTP/1.1\r\nHost: HOST\r\nConnection: close\r\n\r\n"


def send(installation: Installation, raw: str) -> list[str]:
    """Statuses of all that is answered on one connection, on which a page is asked for at last."""
    with socket.create_connection(("127.0.0.1", installation.port), timeout=LONGEST_WAIT_S) as connection:
        connection.sendall((raw + LAST).replace("HOST", installation.host).encode("latin-1"))
        answer = b""
        with suppress(ConnectionResetError):  # it has closed, and more was on its way
            while part := connection.recv(1 << 16):
                answer += part
    return [status.decode() for status in re.findall(rb"HTTP/1\.1 (\d{3})", answer)]


SMUGGLED: Final = "GET /smuggled HTTP/1.1\r\nHost: HOST\r\n\r\n"


@pytest.mark.parametrize(
    ("head", "body", "status"),
    [
        ("GET / HTTP/1.1\r\nHost: HOST", "", "200"),
        ("GET / HTTP/1.1\r\nX: a", "", "400"),
        ("GET / HTTP/1.1\r\nHost:", "", "400"),
        ("GET / HTTP/1.1\r\nHost: HOST\r\nHost: HOST", "", "400"),
        ("GET / HTTP/1.1\r\nHost: HOST\r\nHost: de.HOST", "", "400"),
        ("GET / HTTP/1.1\r\nHost: HOST, de.HOST", "", "421"),
        ("GET / HTTP/1.1\r\nHost : HOST", "", "400"),
        ("GET / HTTP/1.1\r\nHost: HOST\r\nX: a\r\n b", "", "400"),
        ("GET / HTTP/1.1\r\nHost: HOST\r\nCookie: a=1\r\nCookie: a=2", "", "400"),
        ("GET /api/content/events HTTP/1.1\r\nHost: HOST\r\nCountry-Code: de\r\nCountry-Code: fr", "", "400"),
        # The server has one reading of each; a proxy that reads them differently finds no second request here.
        (f"POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: {5 + len(SMUGGLED)}\r\nTransfer-Encoding: chunked", "0\r\n\r\n" + SMUGGLED, "405"),
        ("POST / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked\r\nContent-Length: 4", "0\r\n\r\n" + SMUGGLED, "405"),
        ("POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 3\r\nContent-Length: 4", "a=1x", "400"),
        ("POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: 3, 3", "a=1", "400"),
        ("POST / HTTP/1.1\r\nHost: HOST\r\nContent-Length: +3", "a=1", "400"),
        ("POST / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: gzip, chunked", "0\r\n\r\n", "400"),
        ("POST / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: chunked, identity", "0\r\n\r\n" + SMUGGLED, "400"),
        ("POST / HTTP/1.1\r\nHost: HOST\r\nTransfer-Encoding: xchunked", "0\r\n\r\n" + SMUGGLED, "400"),
        # For a URL in absolute form, the Host header alone selects the site.
        ("GET http://evil.example/ HTTP/1.1\r\nHost: evil.example", "", "421"),
        ("GET http://evil.example/ HTTP/1.1", "", "421"),
        ("GET http://HOST/ HTTP/1.1\r\nHost: evil.example", "", "421"),
        ("CONNECT HOST HTTP/1.1\r\nHost: HOST", "", "400"),
    ],
)  # fmt: skip
def test_nobody_reads_two_requests_where_another_reads_one(
    installation: Installation, head: str, body: str, status: str
) -> None:
    first, *more = send(installation, f"{head}\r\n\r\n{body}")
    assert first == status
    assert more in ([], ["200"]), "the page that was asked for at last, or nothing"


def test_a_proxy_that_nobody_declared_is_named(installation: Installation) -> None:
    """An untrusted proxy's visitors count as one client. Its forwarding headers are ignored, as a stranger's are."""
    forwarded = "X-Forwarded-For: 203.0.113.7\r\nX-Forwarded-Proto: https\r\n"
    for _ in range(2):
        assert send(installation, f"GET / HTTP/1.1\r\nHost: HOST\r\n{forwarded}\r\n") == ["200", "200"]
    said = installation.log.read_text()
    assert said.count("127.0.0.1 forwards requests, but is missing in PORTOLAN_TRUSTED_PROXIES") == 1


def run_beside(work: Coroutine[Any, Any, Result]) -> Result:
    """In a thread of its own: once a journey has had a browser, a loop runs in the tests' thread for good."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, work).result()


def send_lead(installation: Installation) -> bytes:
    """The request of a visitor who sends a form."""
    form = {**CONTACT, "message": "We move containers.", "pageUrl": f"http://{installation.host}/contact-us"}
    parts = "".join(
        f'--limit\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in form.items()
    )
    body = f"{parts}--limit--\r\n"
    head = (
        f"POST /api/integration/form-data HTTP/1.1\r\nHost: {installation.host}\r\nIntegration: site\r\n"
        f"Content-Type: multipart/form-data; boundary=limit\r\nContent-Length: {len(body)}\r\nConnection: close\r\n\r\n"
    )
    return (head + body).encode()


@pytest.mark.parametrize(
    ("addresses", "bodies", "status"),
    [(1, Pace().of_client + 60, "429"), (24, Pace().of_all + 60, "408")],
    ids=["one address", "many"],
)
def test_others_are_served_while_slow_clients_take_all_the_room_there_is(
    installation: Installation, addresses: int, bodies: int, status: str
) -> None:
    """One address gets an error above its limit; for many addresses, the oldest bodies are dropped."""
    crowd = Crowd(bodies, 40, addresses, lasts_s=300, a_second=2_000)
    slow = SlowClients(installation.port, installation.studio, LARGE_PATH, crowd)

    async def meet() -> list[Visitor]:
        attacking = asyncio.create_task(slow.run())
        visitors: list[Visitor] = []
        while slow.begun < crowd.bodies + crowd.readers or not slow.answers:
            visitors.append(await visit(installation.port, installation.host))
        visitors.append(await visit(installation.port, installation.host, send_lead(installation)))
        attacking.cancel()
        await asyncio.gather(attacking, return_exceptions=True)
        # All of them have left in the same moment, which is work too.
        visitors.append(await visit(installation.port, installation.host))
        visitors.append(await visit(installation.port, installation.host, send_lead(installation)))
        return visitors

    *pages, lead, page_after, lead_after = run_beside(meet())
    assert {each.status for each in (*pages, page_after)} == {200}
    assert lead.status == lead_after.status == 201
    assert max(page_after.waited_s, lead_after.waited_s) < LONGEST_AFTER_S
    assert status in slow.answers


@pytest.mark.skipif(not BODIES, reason="PORTOLAN_SLOW_BODIES is not set: `make soak` sets it")
@pytest.mark.parametrize("addresses", [1, 200])
def test_others_wait_no_longer_while_thousands_are_slow(
    installation: Installation, addresses: int, capsys: pytest.CaptureFixture[str]
) -> None:
    said = multiprocessing.get_context("spawn").Queue()
    crowd = Crowd(BODIES, 300, addresses, lasts_s=52)
    given = (installation.port, installation.studio, LARGE_PATH, crowd, said)
    attackers = multiprocessing.get_context("spawn").Process(target=attack, args=given)
    attackers.start()

    async def keep_visiting() -> tuple[list[Visitor], list[Visitor]]:
        pages, leads = [], []
        for number in range(20 * 48):
            pages.append(asyncio.create_task(visit(installation.port, installation.host)))
            if number % 4 == 0:
                leads.append(asyncio.create_task(visit(installation.port, installation.host, send_lead(installation))))
            await asyncio.sleep(0.05)
        return await asyncio.gather(*pages), await asyncio.gather(*leads)

    try:
        pages, leads = run_beside(keep_visiting())
        answers = said.get(timeout=LONGEST_WAIT_S)
    finally:
        attackers.join(60)
    memory = int(Path("/proc/net/sockstat").read_text().split("TCP:")[1].split()[9]) * 4
    with capsys.disabled():
        print(
            f"\n{BODIES} slow bodies, 300 slow readers, {addresses} addresses: pages p50 {percentile(pages, 0.5) * 1000:.0f}, "
            f"p99 {percentile(pages, 0.99) * 1000:.0f}, longest {percentile(pages, 1) * 1000:.0f} ms; leads p99 "
            f"{percentile(leads, 0.99) * 1000:.0f} ms; {answers}; {memory} kB of sockets"
        )
    assert {each.status for each in pages} == {200}
    assert {each.status for each in leads} == {201}
    assert answers["408"] > 0
    assert answers["cut off"] >= 300, "slow readers do not keep what they hold"
    assert percentile(pages, 0.99) < LONGEST_P99_S
    assert percentile(leads, 0.99) < LONGEST_P99_S

"""Networks that swallow requests: an IP address and name servers that stay silent."""

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager

import pytest

from portolan.edge import public_fetch
from portolan.edge.public_fetch import PublicFetcher
from portolan.outgoing import network, resolve
from portolan.outgoing.network import FetchError, PublicNetwork
from portolan.outgoing.post import Poster
from portolan.outgoing.resolve import alternate_families, resolve_host

from ..edge.upstream import SCRIPT, Upstream, running, typed
from ..processes import LIMIT_S

HOST = "crm.test"
URL = f"https://{HOST}/hook"


@pytest.fixture
def crm() -> Iterator[Upstream]:
    """On IPv4 alone."""
    host = Upstream((HOST,))
    host.answers["/hook"] = typed("text/javascript", SCRIPT)
    with running(host):
        yield host


@contextmanager
def black_hole(port: int, address: str = "::1") -> Iterator[None]:
    """Make the port ignore connections: its queue is full, so the kernel drops new ones."""
    with ExitStack() as stack:
        hole = stack.enter_context(socket.socket(socket.AF_INET6 if ":" in address else socket.AF_INET))
        hole.bind((address, port))
        hole.listen(0)
        for _ in range(3):
            knocker = stack.enter_context(socket.socket(hole.family))
            knocker.setblocking(False)
            knocker.connect_ex(hole.getsockname())
        with stack.enter_context(socket.socket(hole.family)) as last, pytest.raises(TimeoutError):
            last.settimeout(0.1)
            last.connect(hole.getsockname())
        yield


def found(*addresses: str) -> Callable[[str], Awaitable[list[str]]]:
    async def answer(_host: str) -> list[str]:
        return [*addresses]

    return answer


def test_an_address_that_swallows_everything_is_passed_over(crm: Upstream, monkeypatch: pytest.MonkeyPatch) -> None:
    """IPv6 comes first and stays silent, as behind a broken tunnel. Waiting for it would end the test."""
    for module, name in ((network, "CONNECT_S"), (public_fetch, "CONNECT_S"), (public_fetch, "TOTAL_S")):
        monkeypatch.setattr(module, name, LIMIT_S)
    reach = PublicNetwork(found("::1", "127.0.0.1"), bool, crm.port)
    with black_hole(crm.port):
        assert Poster(reach, crm.client_tls).post(URL, b"{}", {}, LIMIT_S).status == 200
        assert asyncio.run(PublicFetcher(reach, crm.client_tls).fetch(URL)).body == SCRIPT


def test_where_every_address_swallows_everything_nothing_was_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(network, "CONNECT_S", 0.6)
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    with black_hole(port), black_hole(port, "127.0.0.1"):
        reach = PublicNetwork(found("::1", "127.0.0.1"), bool, port)
        with pytest.raises(
            FetchError, match=r"crm\.test did not resolve or accept a connection within 0\.6 s"
        ) as failed:
            Poster(reach).post(URL, b"{}", {}, LIMIT_S)
    assert type(failed.value) is FetchError, "a receiver that nothing reached is not one that may have it"


@pytest.fixture
def silent_name_servers(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """Make the system's look-up hang until the end of the test. Return the requested hosts."""
    asked: list[str] = []
    waited_for: list[str] = []
    ended = threading.Event()

    def wait(host: str) -> list[str]:
        asked.append(host)
        if not ended.wait(LIMIT_S):
            waited_for.append(host)
        raise socket.gaierror(socket.EAI_AGAIN, "Temporary failure in name resolution")

    monkeypatch.setattr(resolve, "look_up", wait)
    monkeypatch.setattr(network, "CONNECT_S", 0.2)
    before = set(threading.enumerate())
    yield asked
    ended.set()
    for thread in set(threading.enumerate()) - before:
        thread.join()
    assert waited_for == []


def test_name_servers_that_do_not_answer_hold_nobody_up(silent_name_servers: list[str]) -> None:
    with pytest.raises(FetchError, match=r"crm\.test did not resolve"):
        Poster().post(URL, b"{}", {}, LIMIT_S)
    assert silent_name_servers == [HOST]


def test_while_they_are_silent_files_are_read(silent_name_servers: list[str]) -> None:
    async def fetch_many() -> None:
        fetcher = PublicFetcher()
        many = [fetcher.fetch(f"https://tags{number}.test/") for number in range(resolve.MOST_AT_ONCE + 8)]
        all_of_them = asyncio.gather(*many, return_exceptions=True)
        while len(silent_name_servers) < resolve.MOST_AT_ONCE:
            await asyncio.sleep(0)
        await asyncio.to_thread(len, "")  # the threads that files are read in
        assert {type(each) for each in await all_of_them} == {FetchError}

    asyncio.run(fetch_many())
    assert len(silent_name_servers) == resolve.MOST_AT_ONCE, "no more threads than that"


def test_a_name_is_found_and_a_wrong_one_is_not() -> None:
    assert set(asyncio.run(resolve_host("localhost"))) <= {"127.0.0.1", "::1"}
    with pytest.raises(UnicodeError):
        asyncio.run(resolve_host("a" * 64 + ".test"))


@pytest.mark.parametrize(
    ("addresses", "order"),
    [
        (["127.0.0.1"], ["127.0.0.1"]),
        (["::1", "::2", "::3", "1.1.1.1"], ["::1", "1.1.1.1", "::2", "::3"]),
        (["1.1.1.1", "::1", "1.1.1.2"], ["1.1.1.1", "::1", "1.1.1.2"]),
    ],
)
def test_families_are_tried_by_turns(addresses: list[str], order: list[str]) -> None:
    assert alternate_families(addresses) == order

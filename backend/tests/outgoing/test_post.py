"""Requests, replies, and refused hosts."""

import asyncio
import datetime
import ssl
from collections.abc import Iterator

import pytest
import trustme

from portolan.outgoing.network import FetchError, PublicNetwork, RefusedError
from portolan.outgoing.post import LARGEST_ANSWER, Poster, TimedOut

from ..edge.upstream import LOOPBACKS, Canaries, Upstream, head_only, running, typed
from ..processes import LIMIT_S

HOST = "crm.test"
URL = f"https://{HOST}/hook"
HEADERS = {"content-type": "application/json"}


@pytest.fixture
def crm() -> Iterator[Upstream]:
    host = Upstream((HOST,))
    host.answers["/hook"] = typed("application/json", b'{"ok":true}', "X-Own: 1")
    with running(host):
        yield host


async def loopback(_host: str) -> list[str]:
    return ["127.0.0.1"]


def poster(host: Upstream, tls: ssl.SSLContext | None = None) -> Poster:
    return Poster(PublicNetwork(loopback, bool, host.port), tls or host.client_tls)


def test_a_body_is_sent_and_the_answer_read(crm: Upstream) -> None:
    answer = poster(crm).post(URL, b"{}", HEADERS, LIMIT_S)
    assert (answer.status, answer.body, answer.headers["x-own"]) == (200, b'{"ok":true}', "1")
    head = crm.heads[0].decode().lower()
    assert head.startswith("post /hook http/1.1\r\n")
    assert "host: crm.test\r\n" in head
    assert "content-type: application/json\r\n" in head
    assert "content-length: 2\r\n" in head
    assert crm.names == [HOST]


def test_a_redirect_is_an_answer_like_any_other(crm: Upstream) -> None:
    crm.answers["/hook"] = head_only("Location: https://crm.test/other", "Content-Length: 0", status="302 Found")
    assert poster(crm).post(URL, b"", HEADERS, LIMIT_S).status == 302
    assert len(crm.heads) == 1


def test_a_long_answer_is_cut(crm: Upstream) -> None:
    crm.answers["/hook"] = typed("text/plain", b"x" * (LARGEST_ANSWER * 3))
    assert len(poster(crm).post(URL, b"", HEADERS, LIMIT_S).body) == LARGEST_ANSWER


def test_who_does_not_answer_is_not_waited_for(crm: Upstream) -> None:
    async def hang(_writer: asyncio.StreamWriter) -> None:
        await asyncio.sleep(3600)

    crm.answers["/hook"] = hang
    with pytest.raises(TimedOut, match=r"crm\.test did not respond within 0\.3 s"):
        poster(crm).post(URL, b"CANARY", HEADERS, 0.3)


def test_who_takes_no_connection_is_named_and_what_was_sent_is_not() -> None:
    closed = Upstream((HOST,))
    with running(closed):
        pass
    with pytest.raises(FetchError, match=r"crm\.test") as failed:
        poster(closed).post(f"{URL}?token=CANARY", b"CANARY", {"authorization": "CANARY"}, LIMIT_S)
    assert "CANARY" not in repr(failed.value)
    assert failed.value.__cause__ is None


@pytest.mark.parametrize("kind", ["stranger", "expired", "other name"])
def test_a_certificate_has_to_be_good(kind: str, crm: Upstream) -> None:
    if kind == "stranger":
        with pytest.raises(FetchError, match=r"crm\.test cannot be reached"):
            poster(crm, ssl.create_default_context()).post(URL, b"", HEADERS, LIMIT_S)
        return
    authority = trustme.CA()
    trusting = ssl.create_default_context()
    authority.configure_trust(trusting)
    yesterday = datetime.datetime.now(datetime.UTC) - datetime.timedelta(days=1)
    issued = (
        authority.issue_cert("elsewhere.test")
        if kind == "other name"
        else authority.issue_cert(HOST, not_after=yesterday)
    )
    host = Upstream((HOST,))
    host._tls = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    issued.configure_cert(host._tls)
    with running(host), pytest.raises(FetchError, match="expired" if kind == "expired" else "mismatch"):
        poster(host, trusting).post(URL, b"", HEADERS, LIMIT_S)
    assert host.heads == []


@pytest.mark.parametrize(
    "address",
    [
        *LOOPBACKS,
        "10.0.0.1",
        "169.254.169.254",
        "192.168.1.1",
        "::ffff:127.0.0.1",
        "64:ff9b::7f00:1",
        "fd00::1",
        "0.0.0.0",
    ],
)
def test_nothing_is_sent_to_hosts_that_are_not_public(address: str) -> None:
    canaries = Canaries()

    async def resolve(_host: str) -> list[str]:
        return ["93.184.215.14", address]

    with running(canaries):
        guarded = Poster(PublicNetwork(resolve, port=canaries.port))
        with pytest.raises(RefusedError, match="not a public address"):
            guarded.post(URL, b"", HEADERS, LIMIT_S)
        assert canaries.find_others() == []


@pytest.mark.parametrize("host", ["127.0.0.1", "[::1]", "localhost", "2130706433", "0x7f.1"])
def test_nor_to_such_addresses_by_another_spelling(host: str) -> None:
    with pytest.raises(FetchError):
        Poster().post(f"https://{host}/", b"", HEADERS, LIMIT_S)


def test_only_https() -> None:
    with pytest.raises(RefusedError):
        Poster().post("http://crm.test/", b"", HEADERS, LIMIT_S)

"""The verdict on an e-mail address, with a name server on the loopback."""

import socket
import threading
import time
from collections.abc import Iterator

import dns.flags
import dns.message
import dns.rcode
import dns.rdatatype
import dns.rrset
import pytest
from django.core.cache import cache
from pytest_django import Settings

from portolan.domain.name_servers import NameServer
from portolan.leads.email_check import check_email, is_email
from portolan.leads.mail_domains import LONGEST_S, ask_domain

from ..processes import LIMIT_S, SLOWER

_ROOT = (".", "NS")
_ZONE = {
    _ROOT: ["a.root-servers.net."],
    ("mail.example.", "MX"): ["10 mx1.mail.example.", "20 mx2.mail.example."],
    ("null.example.", "MX"): ["0 ."],
    ("host.example.", "A"): ["192.0.2.1"],
    ("six.example.", "AAAA"): ["2001:db8::1"],
    ("xn--80a1acny.example.", "MX"): ["10 mx1.mail.example."],
}
_EXISTING = {name for name, _ in _ZONE} | {"empty.example."}


class NameServerOnLoopback(threading.Thread):
    """Replies from the table above: NXDOMAIN for other names, silence below ``silent.``, SERVFAIL below ``broken.``."""

    def __init__(self) -> None:
        super().__init__(daemon=True)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self.port: int = self._socket.getsockname()[1]
        self.asked: list[str] = []

    def run(self) -> None:
        while True:
            data, client = self._socket.recvfrom(4096)
            if not data:
                return
            query = dns.message.from_wire(data)
            name, kind = str(query.question[0].name), dns.rdatatype.to_text(query.question[0].rdtype)
            self.asked.append(f"{name} {kind}")
            if name.startswith("silent."):
                continue
            reply = dns.message.make_response(query)
            reply.flags |= dns.flags.RA
            if name.startswith("garbage."):
                self._socket.sendto(b"\0" * 40, client)
                continue
            if name.startswith("broken."):
                reply.set_rcode(dns.rcode.SERVFAIL)
            elif name not in _EXISTING:
                reply.set_rcode(dns.rcode.NXDOMAIN)
            elif (name, kind) in _ZONE:
                reply.answer.append(dns.rrset.from_text_list(name, 300, "IN", kind, _ZONE[name, kind]))
            self._socket.sendto(reply.to_wire(), client)

    def stop(self) -> None:
        with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as end:
            end.sendto(b"", ("127.0.0.1", self.port))
        self.join()
        self._socket.close()


@pytest.fixture
def server(settings: Settings, monkeypatch: pytest.MonkeyPatch) -> Iterator[NameServerOnLoopback]:
    monkeypatch.setattr("portolan.leads.mail_domains.LONGEST_S", LIMIT_S)
    server = NameServerOnLoopback()
    server.start()
    settings.EMAIL_NAME_SERVERS = [NameServer("127.0.0.1", server.port)]
    yield server
    server.stop()


@pytest.fixture(autouse=True)
def nobody_is_asked(settings: Settings) -> None:
    settings.EMAIL_NAME_SERVERS = None


@pytest.fixture
def impatient(server: NameServerOnLoopback, monkeypatch: pytest.MonkeyPatch) -> float:
    """Shorten the limit of two seconds, so that tests need not wait."""
    longest_s = 0.2 * SLOWER
    monkeypatch.setattr("portolan.leads.mail_domains.LONGEST_S", longest_s)
    return longest_s


@pytest.mark.parametrize(
    ("address", "reason"),
    [
        ("operations@northwind.example", "ok"),
        ("o.p+tag@northwind.example", "ok"),
        ("директор@почта.рф", "ok"),
        ("用户@例子.广告", "ok"),
        ("a@b", "syntax"),
        ("", "syntax"),
        ("@", "syntax"),
        ("a b@northwind.example", "syntax"),
        ("a@northwind..example", "syntax"),
        ("a@localhost", "syntax"),
        ("a@[192.0.2.1]", "syntax"),
        ('"a b"@northwind.example', "syntax"),
        ("Jo <a@northwind.example>", "syntax"),
        ("a@northwind.example\r\nBcc: b@northwind.example", "syntax"),
        ("a\0@northwind.example", "syntax"),
        ("\u202ea@northwind.example", "syntax"),
        ("a" * 250 + "@northwind.example", "too-long"),
        ("a" * 400, "too-long"),
        ("ä" * 321, "too-long"),
    ],
)
def test_syntax_says_what_it_can(address: str, reason: str) -> None:
    verdict = check_email(address)
    assert (verdict.reason, verdict.valid) == (reason, reason == "ok")
    assert is_email(address) == verdict.valid


@pytest.mark.parametrize(
    ("address", "valid", "suggestion"),
    [
        ("jo@gmial.com", True, "jo@gmail.com"),
        ("jo@gmail,com", False, "jo@gmail.com"),
        ("jo@gmail..com", False, "jo@gmail.com"),
        (" jo@northwind.example", False, "jo@northwind.example"),
        ("j o@gmial.com", False, None),  # a suggestion that is still wrong is no help
        ("jo@gmail.com", True, None),
    ],
)
def test_a_slip_is_shown_the_whole_address_that_was_meant(address: str, valid: bool, suggestion: str | None) -> None:
    verdict = check_email(address)
    assert (verdict.valid, verdict.suggestion) == (valid, suggestion)


@pytest.mark.parametrize(
    ("domain", "reason", "valid"),
    [
        ("mail.example", "ok", True),
        ("host.example", "ok", True),
        ("six.example", "ok", True),
        ("почта.example", "ok", True),
        ("null.example", "domain-takes-no-mail", False),
        ("empty.example", "domain-takes-no-mail", False),
        ("nowhere.example", "domain-unknown", False),
        ("broken.example", "unknown", True),
    ],
)
def test_a_name_server_says_more(server: NameServerOnLoopback, domain: str, reason: str, valid: bool) -> None:
    verdict = check_email(f"jo@{domain}")
    assert (verdict.reason, verdict.valid) == (reason, valid)


def test_a_name_server_is_not_asked_unless_configured(server: NameServerOnLoopback, settings: Settings) -> None:
    settings.EMAIL_NAME_SERVERS = None
    assert check_email("jo@nowhere.example").valid
    settings.EMAIL_NAME_SERVERS = [NameServer("127.0.0.1", server.port)]
    assert not check_email("no address@nowhere").valid
    assert server.asked == []


def test_a_silent_name_server_is_waited_for_two_seconds(server: NameServerOnLoopback, impatient: float) -> None:
    """The answer itself shows that the wait ends: this server never replies."""
    assert LONGEST_S == 2
    began = time.monotonic()
    assert check_email("jo@silent.example").reason == "unknown"
    assert time.monotonic() - began >= impatient
    assert server.asked == ["silent.example. MX"]


def test_an_answer_that_is_none_is_waited_out(server: NameServerOnLoopback, impatient: float) -> None:
    assert check_email("jo@garbage.example").reason == "unknown"
    assert server.asked


@pytest.mark.usefixtures("impatient")
def test_an_address_is_valid_where_there_is_no_name_server(settings: Settings) -> None:
    settings.EMAIL_NAME_SERVERS = [NameServer("127.0.0.1", 1)]
    assert check_email("jo@mail.example").valid


def test_an_answer_is_kept_for_the_domain(server: NameServerOnLoopback) -> None:
    for local in ("a", "b", "c"):
        assert check_email(f"{local}@mail.example").valid
        assert not check_email(f"{local}@NOWHERE.example").valid
    assert sorted(server.asked) == [". NS", "mail.example. MX", "nowhere.example. MX"]
    cache.clear()
    assert check_email("a@mail.example").valid
    assert len(server.asked) == 4


def test_a_server_that_knows_no_name_at_all_is_not_believed(
    server: NameServerOnLoopback, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(_ZONE, _ROOT)
    monkeypatch.setattr(f"{__name__}._EXISTING", set())
    verdict = check_email("jo@gmail.com")
    assert (verdict.valid, verdict.reason) == (True, "unknown")


@pytest.mark.usefixtures("impatient")
def test_no_more_than_a_few_wait_at_once(server: NameServerOnLoopback, monkeypatch: pytest.MonkeyPatch) -> None:
    taken = threading.BoundedSemaphore(1)
    taken.acquire()
    monkeypatch.setattr("portolan.leads.mail_domains._asking", taken)
    assert ask_domain("silent.example", [NameServer("127.0.0.1", server.port)]) == "unknown"
    assert server.asked == []


def test_neither_address_nor_domain_is_kept_or_logged(
    server: NameServerOnLoopback, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(0):
        for domain in ("mail.example", "canary.example", "broken.example"):
            check_email(f"canary@{domain}")
    assert "canary" not in caplog.text
    assert "canary" not in repr(cache._cache)  # type: ignore[attr-defined]
    assert "mail.example" not in repr(cache._cache)  # type: ignore[attr-defined]

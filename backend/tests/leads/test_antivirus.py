"""A lead's files with an antivirus that speaks ClamAV's protocol. The daemon here finds only EICAR."""

import json
import socket
import struct
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from pytest_django import Settings

from portolan.domain.scanner_address import ScannerAddress, read_scanner_address
from portolan.leads import antivirus
from portolan.leads.accept import accept_lead
from portolan.leads.models import Delivery, Lead
from portolan.sites.destinations import Mailbox

from ..processes import LIMIT_S
from .conftest import post

EICAR = b"X5O!P%@AP[4\\PZX54(P^)7CC)7}$" + b"EICAR-STANDARD-ANTIVIRUS-TEST-FILE!$H+H*"
Answer = Callable[[bytes], bytes]


def find_eicar(data: bytes) -> bytes:
    return b"stream: Eicar-Test-Signature FOUND\0" if EICAR in data else b"stream: OK\0"


class Daemon:
    """Listen on a socket of its own. ``answer`` maps the streamed bytes to a reply."""

    def __init__(self, path: Path, answer: Answer) -> None:
        self.address = ScannerAddress(str(path))
        self.seen: list[bytes] = []
        self._answer = answer
        self._listener = socket.socket(socket.AF_UNIX)
        self._listener.bind(str(path))
        self._listener.listen()
        self._thread = threading.Thread(target=self._serve)
        self._thread.start()

    def end(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        self._thread.join(LIMIT_S)
        self._listener.close()

    def _serve(self) -> None:
        while True:
            try:
                connection, _ = self._listener.accept()
            except OSError:
                return
            with connection, connection.makefile("rb") as received:
                command = received.read(len("zPING\0"))
                if command == b"zPING\0":
                    connection.sendall(b"PONG\0")
                    continue
                assert command + received.read(len("zINSTREAM\0") - len(command)) == b"zINSTREAM\0"
                data = b""
                while length := struct.unpack(">I", received.read(4))[0]:
                    data += received.read(length)
                self.seen.append(data)
                connection.sendall(self._answer(data))


@pytest.fixture
def start(tmp_path: Path, settings: Settings) -> Iterator[Callable[[Answer], Daemon]]:
    started: list[Daemon] = []

    def begin(answer: Answer) -> Daemon:
        started.append(Daemon(tmp_path / "clamd.ctl", answer))
        settings.LEADS_SCANNER = started[0].address
        entry = Mailbox(name="crm", kind="email", to=["sales@brightmoor.example"])
        settings.SITES_REGISTRY = settings.SITES_REGISTRY.model_copy(update={"destinations": [entry]})
        return started[0]

    yield begin
    for daemon in started:
        daemon.end()


def take(*files: bytes) -> Lead:
    receipt = accept_lead(post(files=[(f"attachments[{n}]", f"cv{n}.txt", data) for n, data in enumerate(files)]))
    return Lead.objects.get(pk=json.loads(receipt.body)["id"])


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("files", "answer", "state", "flag"),
    [
        ([b"clean", b"clean too" * 20_000], find_eicar, Lead.State.OPEN, None),
        ([b"clean", EICAR], find_eicar, Lead.State.QUARANTINED, "file-with-virus"),
        (
            [b"too much"],
            lambda data: b"INSTREAM size limit exceeded. ERROR\0",
            Lead.State.QUARANTINED,
            "unchecked-file",
        ),
        ([b"nothing is said"], lambda data: b"", Lead.State.QUARANTINED, "unchecked-file"),
        ([b"not to its end"], lambda data: b"stream: O", Lead.State.QUARANTINED, "unchecked-file"),
    ],
)
def test_what_waits_until_somebody_has_looked(
    start: Callable[[Answer], Daemon], files: list[bytes], answer: Answer, state: str, flag: str | None
) -> None:
    daemon = start(answer)
    lead = take(*files)
    assert daemon.seen == files
    assert lead.state == state
    assert [each for each in lead.flags if "file" in each] == ([flag] if flag else [])
    assert lead.files.count() == len(files), "the file is kept"
    (delivery,) = Delivery.objects.all()
    assert (delivery.state == Delivery.State.HELD) == (state == Lead.State.QUARANTINED)


@pytest.mark.django_db
def test_a_daemon_that_is_away_loses_no_lead_and_lets_no_file_pass(settings: Settings, tmp_path: Path) -> None:
    settings.LEADS_SCANNER = ScannerAddress(str(tmp_path / "nobody.ctl"))
    assert take(b"text").state == Lead.State.QUARANTINED
    assert take().state == Lead.State.OPEN, "without files nothing is asked"


def test_a_daemon_that_is_slow_is_not_waited_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "file").write_bytes(b"x")
    with socket.create_server(("127.0.0.1", 0)) as hangs:
        address = ScannerAddress("", "127.0.0.1", hangs.getsockname()[1])
        monkeypatch.setattr(antivirus, "_LONGEST_S", 0.1)
        ends = antivirus.time.monotonic() + 0.1
        with pytest.raises(antivirus.ScannerAway, match=r"127\.0\.0\.1:\d+ does not respond"):
            antivirus.find_virus(address, tmp_path / "file", ends)


def test_whether_it_answers(start: Callable[[Answer], Daemon], tmp_path: Path) -> None:
    antivirus.try_scanner(start(find_eicar).address)
    with pytest.raises(antivirus.ScannerAway):
        antivirus.try_scanner(ScannerAddress(str(tmp_path / "nobody.ctl")))


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("unix:///run/clamav/clamd.ctl", "/run/clamav/clamd.ctl"),
        ("tcp://127.0.0.1", "127.0.0.1:3310"),
        ("tcp://scanner.internal:3311/", "scanner.internal:3311"),
    ],
)
def test_addresses(url: str, said: str) -> None:
    assert str(read_scanner_address(url)) == said


@pytest.mark.parametrize(
    "url", ["/run/clamd.ctl", "unix://host/run", "unix:///", "tcp://", "tcp://a:3310/x", "tcp://a:x"]
)
def test_what_is_no_address(url: str) -> None:
    with pytest.raises(ValueError):
        read_scanner_address(url)

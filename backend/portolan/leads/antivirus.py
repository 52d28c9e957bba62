"""Scan attachments by ClamAV's daemon, if PORTOLAN_ANTIVIRUS is set.

Uses ``INSTREAM`` and ``PING`` of clamd(8), so the daemon needs no access to our folders.
"""

import logging
import socket
import time
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Final

from django.conf import settings

from ..domain.scanner_address import ScannerAddress
from .flags import FILE_WITH_VIRUS, UNCHECKED_FILE

_CHUNK: Final = 64 << 10
_CONNECTED_WITHIN_S: Final = 2
_LONGEST_S: Final = 20.0
"""Seconds for all files of a lead, because their sender waits."""
_LONGEST_REPLY: Final = 4096

_log = logging.getLogger(__name__)


class ScannerAway(Exception):
    """The scanner did not return a result. The message names it and the cause."""


def check_for_viruses(files: Iterable[Path]) -> Iterator[str]:
    """Yield flags. A virus or an unavailable scanner never rejects a lead: it waits until someone has checked it."""
    address: ScannerAddress | None = settings.LEADS_SCANNER
    if address is None:
        return
    ends = time.monotonic() + _LONGEST_S
    try:
        for file in files:
            if virus := find_virus(address, file, ends):
                _log.warning("A file of a lead has a virus (%s). The lead is in quarantine.", virus)
                yield FILE_WITH_VIRUS
                return
    except ScannerAway as error:
        _log.error("%s Leads with files go to quarantine until it responds.", error)
        yield UNCHECKED_FILE


def find_virus(address: ScannerAddress, file: Path, ends: float) -> str:
    """Return the virus's name, or an empty text.

    ``ends``: the time limit by the monotonic clock. Raise ScannerAway.
    """
    reply = _ask(address, b"zINSTREAM\0", _in_chunks(file), ends)
    verdict = reply.removeprefix("stream: ")
    if verdict == "OK":
        return ""
    if verdict.endswith(" FOUND"):
        return verdict.removesuffix(" FOUND")
    raise ScannerAway(f"The antivirus at {address} did not scan a file: {reply or 'it closed the connection'}.")


def try_scanner(address: ScannerAddress) -> None:
    """Raise ScannerAway if the scanner does not respond."""
    reply = _ask(address, b"zPING\0", (), time.monotonic() + _CONNECTED_WITHIN_S)
    if reply != "PONG":
        raise ScannerAway(f"{address} is not a clamd.")


def _in_chunks(file: Path) -> Iterator[bytes]:
    with file.open("rb") as source:
        while chunk := source.read(_CHUNK):
            yield len(chunk).to_bytes(4, "big") + chunk
    yield bytes(4)


def _ask(address: ScannerAddress, command: bytes, parts: Iterable[bytes], ends: float) -> str:
    try:
        with _connect(address) as connection:
            try:
                connection.sendall(command)
                for part in parts:
                    connection.settimeout(_left(ends))
                    connection.sendall(part)
            except (BrokenPipeError, ConnectionResetError):
                pass  # the daemon stopped reading, and may have sent a reason
            return _read(connection, ends)
    except OSError as error:
        raise ScannerAway(f"The antivirus at {address} does not respond ({error.strerror or error}).") from None


def _connect(address: ScannerAddress) -> socket.socket:
    if not address.socket:
        return socket.create_connection((address.host, address.port), timeout=_CONNECTED_WITHIN_S)
    connection = socket.socket(socket.AF_UNIX)
    try:
        connection.settimeout(_CONNECTED_WITHIN_S)
        connection.connect(address.socket)
    except OSError:
        connection.close()
        raise
    return connection


def _read(connection: socket.socket, ends: float) -> str:
    reply = b""
    while not reply.endswith(b"\0") and len(reply) < _LONGEST_REPLY:
        connection.settimeout(_left(ends))
        part = connection.recv(_LONGEST_REPLY)
        if not part:
            break
        reply += part
    return reply.rstrip(b"\0\n").decode("utf-8", "replace")


def _left(ends: float) -> float:
    left = ends - time.monotonic()
    if left <= 0:
        raise TimeoutError("it took too long")
    return left

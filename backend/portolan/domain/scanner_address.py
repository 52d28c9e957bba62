"""Read the setting for the address of an antivirus daemon."""

from typing import Final, NamedTuple
from urllib.parse import urlsplit

_USUAL_PORT: Final = 3310


class ScannerAddress(NamedTuple):
    socket: str
    """Path of its socket on this machine; empty for TCP."""
    host: str = ""
    port: int = 0

    def __str__(self) -> str:
        return self.socket or f"{self.host}:{self.port}"


def read_scanner_address(url: str) -> ScannerAddress:
    """Read ``unix:///run/clamav/clamd.ctl`` or ``tcp://127.0.0.1:3310``. Raise ValueError."""
    parts = urlsplit(url)
    if parts.scheme == "unix" and not parts.netloc and parts.path.strip("/"):
        return ScannerAddress(parts.path)
    if parts.scheme == "tcp" and parts.hostname and parts.path in ("", "/"):
        return ScannerAddress("", parts.hostname, parts.port or _USUAL_PORT)
    raise ValueError("write unix:///path/of/clamd.ctl or tcp://host:3310")

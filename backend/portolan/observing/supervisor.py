"""Notify the supervisor of this process by systemd's protocol (sd_notify(3)).

Does nothing if it is missing.
"""

import os
import socket
from contextlib import suppress


def notify(what: str, file: socket.socket | None = None) -> None:
    """Send a state, and an open file with it. A missing supervisor raises no error."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    with suppress(OSError), socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as link:
        link.settimeout(1)
        link.connect(f"\0{address[1:]}" if address.startswith("@") else address)
        socket.send_fds(link, [what.encode()], [file.fileno()] if file else [])


def expect_signs(within_s: float) -> None:
    """Have the watchdog restart this process after ``within_s`` of silence.

    Until this call the unit's own limit applies, which leaves time for the start.
    """
    if _is_watched():
        notify(f"WATCHDOG=1\nWATCHDOG_USEC={within_s * 1_000_000:.0f}")


def tell_watchdog() -> None:
    """Notify the watchdog that this process is at work."""
    if _is_watched():
        notify("WATCHDOG=1")


def _is_watched() -> bool:
    """Return True if the watchdog watches this process.

    Children inherit the variables.
    """
    return os.environ.get("WATCHDOG_PID") == str(os.getpid())

"""A socket where a role listens for the edge of the same command only, because the role trusts the edge's client address.

The command owns the socket, so requests wait there while the role restarts.
"""

import os
import socket
from pathlib import Path
from typing import Final

_LONGEST_ADDRESS: Final = 100
"""Path length in bytes that every kernel accepts (Linux 108, macOS 104)."""
_OWN: Final = 0o600


class RoleSocket:
    def __init__(self, path: Path, backlog: int) -> None:
        """Listen at ``path``. Only this process uses its folder, and removes it at the end."""
        self.address = self._name(path)
        self.listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        try:
            self.listening.bind(self.address)
            path.chmod(_OWN)
            self.listening.listen(backlog)
        except OSError:
            self.listening.close()
            raise

    def close(self) -> None:
        self.listening.close()

    def _name(self, path: Path) -> str:
        """Return the address for the kernel, here and in copies of this process.

        A long path is reached through its folder's descriptor (Linux), which stays open.
        """
        if len(os.fsencode(path)) <= _LONGEST_ADDRESS:
            return str(path)
        self._folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        return f"/proc/self/fd/{self._folder}/{path.name}"

"""A socket at which a role listens for the edge of the same command, and for nobody else: whoever may connect is believed whom a
request is from. It belongs to the command, so requests wait there while the role starts again.
"""

import os
import socket
from pathlib import Path
from typing import Final

_LONGEST_ADDRESS: Final = 100
"""Bytes of a socket's path the kernel surely takes (Linux 108, macOS 104)."""
_OWN: Final = 0o600


class RoleSocket:
    def __init__(self, path: Path, backlog: int) -> None:
        """Listen at ``path``. Its folder belongs to this process alone and is removed with its contents."""
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
        """What the kernel takes for the path, here and in copies of this process. A long one is reached through its folder's
        descriptor (Linux), which stays open."""
        if len(os.fsencode(path)) <= _LONGEST_ADDRESS:
            return str(path)
        self._folder = os.open(path.parent, os.O_RDONLY | os.O_DIRECTORY)
        return f"/proc/self/fd/{self._folder}/{path.name}"

"""A stand-in for systemd's ``FileDescriptorStoreMax``: it stores a service's socket and passes it to the service's next process,
so that connections in between are not refused.
"""

import os
import socket
from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Final

_FIRST: Final = 3
"""The number under which a process has the first file it is given."""


class KeptSocket:
    def __init__(self, address: Path) -> None:
        self._address = address
        self._kept: int | None = None
        self._name = ""
        self._link = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._link.setblocking(False)
        self._link.bind(str(address))

    def environment(self) -> Mapping[str, str]:
        """Return the environment of the next process; ``command`` and ``files`` pass the stored sockets, if any."""
        self._receive()
        left = {"LISTEN_FDS": "1", "LISTEN_FDNAMES": self._name} if self._kept else {}
        return {"NOTIFY_SOCKET": str(self._address), **left}

    def command(self, arguments: Sequence[str]) -> list[str]:
        if self._kept is None:
            return [*arguments]
        # The process id is known only when the process runs; exec keeps it.
        given = f'exec {_FIRST}<&{self._kept} {self._kept}<&-; export LISTEN_PID=$$; exec "$@"'
        return ["bash", "-euc", given, "bash", *arguments]

    @property
    def files(self) -> list[int]:
        return [self._kept] if self._kept else []

    def close(self) -> None:
        self._receive()
        self._drop()
        self._link.close()

    def _receive(self) -> None:
        with suppress(BlockingIOError):
            while True:
                said, files, _, _ = socket.recv_fds(self._link, 4096, 4)
                words = dict(line.partition("=")[::2] for line in said.decode().splitlines())
                if "FDSTOREREMOVE" in words:
                    self._drop()
                elif words.get("FDSTORE") and self._kept is None:
                    self._kept, self._name = os.dup(files[0]), words["FDNAME"]
                for file in files:
                    os.close(file)

    def _drop(self) -> None:
        if self._kept is not None:
            os.close(self._kept)
            self._kept = None

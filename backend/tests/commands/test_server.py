"""Our server, as processes and sockets."""

import os
import signal
import socket
import subprocess
import sys
from contextlib import closing, suppress
from http.client import HTTPConnection
from pathlib import Path

import pytest

from portolan.commands import kept_socket
from portolan_dev.ports import free_port

from ..processes import LIMIT_S, wait_until

PROGRAM = """
import os, sys, time
from pathlib import Path
from portolan.commands.server import Server, check_port, keep_serving

if len(sys.argv) > 3:  # what a supervisor does who starts it again
    os.dup2(int(sys.argv[3]), 3)
    os.environ |= {"LISTEN_PID": str(os.getpid()), "LISTEN_FDS": "1", "LISTEN_FDNAMES": "portolan-server"}

async def answer(scope, receive, send):
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

def load():
    Path(sys.argv[2]).touch()
    while Path(sys.argv[2]).exists():
        time.sleep(0.01)
    return answer

def end_others():
    Path(sys.argv[2] + ".ending").touch()
    while Path(sys.argv[2] + ".ending").exists():
        time.sleep(0.01)

port = int(sys.argv[1])
check_port("127.0.0.1", port)
keep_serving(lambda: Server("127.0.0.1", port, keeps_socket=True), load, before_end=end_others)
"""


class Supervised:
    """A server that loads and ends only once a file is gone."""

    def __init__(self, folder: Path, port: int, kept: socket.socket | None = None, **variables: str) -> None:
        self.port, self.loading, self.ending = port, folder / "loading", folder / "loading.ending"
        files = [kept.fileno()] if kept else []
        self._process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(port), str(self.loading), *map(str, files)],
            env={**os.environ, **variables},
            pass_fds=files,
        )

    def wait_until_it_loads(self) -> None:
        wait_until(self.loading.exists)

    def ask_to_end(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        wait_until(self.ending.exists)

    def end(self) -> None:
        self._process.send_signal(signal.SIGTERM)
        wait_until(lambda: self.ending.exists() or self._process.poll() is not None)
        self.ending.unlink(missing_ok=True)
        assert self._process.wait(LIMIT_S) == 0


def test_nobody_is_connected_before_it_can_answer(tmp_path: Path) -> None:
    """The server listens once it can answer, so that a proxy uses another one meanwhile."""
    server = Supervised(tmp_path, free_port())
    try:
        server.wait_until_it_loads()
        for _ in range(3):
            assert not connects(server.port)
        server.loading.unlink()
        wait_until(lambda: connects(server.port))
        assert status(ask(server.port)) == 204
    finally:
        server.end()


def test_it_serves_until_what_stands_beside_it_has_ended(tmp_path: Path) -> None:
    server = Supervised(tmp_path, free_port())
    try:
        server.wait_until_it_loads()
        server.loading.unlink()
        wait_until(lambda: connects(server.port))
        server.ask_to_end()
        assert status(ask(server.port)) == 204
    finally:
        server.end()


def test_a_socket_that_is_kept_lets_requests_wait_for_the_next_process(tmp_path: Path) -> None:
    port, address = free_port(), tmp_path / "notify"
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as link:
        link.bind(str(address))
        link.settimeout(LIMIT_S)
        first = Supervised(tmp_path, port, NOTIFY_SOCKET=str(address))
        try:
            first.wait_until_it_loads()
            said, (number,), _, _ = socket.recv_fds(link, 4096, 1)
            assert said == b"FDSTORE=1\nFDNAME=portolan-server"
            early = ask(port)
            first.loading.unlink()
            assert status(early) == 204
        finally:
            first.end()
        with socket.socket(fileno=number) as kept:
            waiting = ask(port)
            second = Supervised(tmp_path, port, kept, NOTIFY_SOCKET=str(address))
            try:
                second.wait_until_it_loads()
                second.loading.unlink()
                assert status(waiting) == 204
            finally:
                second.end()


@pytest.mark.parametrize("has_address", [True, False])
def test_only_the_socket_of_its_address_is_taken(monkeypatch: pytest.MonkeyPatch, has_address: bool) -> None:
    with socket.create_server(("127.0.0.1", 0)) as kept:
        port = kept.getsockname()[1]
        monkeypatch.setattr(kept_socket, "_FIRST", os.dup(kept.fileno()))
        monkeypatch.setenv("LISTEN_PID", str(os.getpid()))
        monkeypatch.setenv("LISTEN_FDNAMES", "portolan-server")
        wanted = port if has_address else port + 1
        assert kept_socket.is_kept("127.0.0.1", wanted) is has_address
        taken = kept_socket.take_kept("127.0.0.1", wanted)
        assert bool(taken) is has_address
        assert not kept_socket.is_kept("127.0.0.1", wanted), "it is taken once"
        if taken:
            taken.close()


def ask(port: int) -> HTTPConnection:
    connection = HTTPConnection("127.0.0.1", port, timeout=LIMIT_S)
    connection.request("GET", "/")
    return connection


def status(connection: HTTPConnection) -> int:
    with closing(connection):
        return connection.getresponse().status


def connects(port: int) -> bool:
    with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S):
        return True
    return False

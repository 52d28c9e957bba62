"""Workers that end by themselves, and the processes and sockets that their clients cost the kernel."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPException
from pathlib import Path

import pytest

from portolan_dev.ports import free_port

from ..processes import LIMIT_S, SLOWER, wait_until
from .test_server import connects

PROGRAM = """
import sys, time
from pathlib import Path
from portolan.commands.server import Server

async def answer(scope, receive, send):
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

def load():
    Path(sys.argv[2]).touch()
    while Path(sys.argv[2]).exists():
        time.sleep(0.01)
    return answer

Server("127.0.0.1", int(sys.argv[1])).serve(target_loader=load, wrap_loader=False)
"""


def test_a_worker_can_be_ended_while_it_loads(tmp_path: Path) -> None:
    """Otherwise, if its server is killed, it would occupy the port for ever."""
    port, loading = free_port(), tmp_path / "loading"
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(port), str(loading)], env=dict(os.environ))
    try:
        wait_until(loading.exists)
        (worker,) = children(process.pid)
        os.kill(worker, signal.SIGTERM)
        wait_until(lambda: children(process.pid) not in ([], [worker]))
    finally:
        loading.unlink()
        process.send_signal(signal.SIGTERM)
        process.wait(LIMIT_S)


WORKERS = """
import os, sys
from portolan.commands.server import Server, keep_serving

async def answer(scope, receive, send):
    if scope["type"] == "http":
        body = b"%d" % os.getpid() if scope["path"] == "/" else b"x" * 8_000_000
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": body})

keep_serving(lambda: Server("127.0.0.1", int(sys.argv[1]), 2), lambda: answer)
"""


@pytest.fixture
def workers() -> Iterator[tuple[int, int]]:
    """Yield port and process of a server with two workers."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-c", WORKERS, str(port)], env=dict(os.environ), stderr=subprocess.PIPE, text=True
    )
    try:
        wait_until(lambda: connects(port))
        yield port, process.pid
    finally:
        process.send_signal(signal.SIGTERM)
        _, said = process.communicate(timeout=LIMIT_S)
        assert process.returncode == 0, said


def test_a_worker_that_is_killed_again_and_again_takes_nobody_along(workers: tuple[int, int]) -> None:
    """The package would end all workers after two kills within seconds."""
    port, server = workers
    wait_until(lambda: len(children(server)) == 2)
    steady, victim = children(server)
    for _ in range(4):
        os.kill(victim, signal.SIGKILL)
        wait_until(lambda: children(server) != [steady, victim] and len(children(server)) == 2)  # noqa: B023
        (victim,) = set(children(server)) - {steady}
    for each in children(server):  # two at once, of which one might be missed
        os.kill(each, signal.SIGKILL)
    wait_until(lambda: len(children(server)) == 2 and not {steady, victim} & set(children(server)))
    wait_until(lambda: ask(port) in children(server))


def test_what_a_client_does_not_read_costs_the_kernel_little(workers: tuple[int, int]) -> None:
    port, _ = workers
    with socket.socket() as client:
        client.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        client.settimeout(LIMIT_S)
        client.connect(("127.0.0.1", port))
        client.sendall(b"GET /large HTTP/1.1\r\nHost: localhost\r\n\r\n")
        assert client.recv(1000).startswith(b"HTTP/1.1 200 OK")
        sizes = [-1]
        while len(sizes) < 3 or sizes[-1] != sizes[-2]:  # until it takes no more
            sizes.append(count_unsent(client))
            time.sleep(0.05 * SLOWER)
        assert 0 < sizes[-1] < 512 << 10


def count_unsent(client: socket.socket) -> int:
    """Return the bytes of an answer that the kernel has yet to send to this client."""
    wanted = f":{client.getpeername()[1]:04X}", f":{client.getsockname()[1]:04X}"
    for line in Path("/proc/net/tcp").read_text().splitlines()[1:]:
        _, local, remote, _, queues, *_ = line.split()
        if (local[-5:], remote[-5:]) == wanted:
            return int(queues.partition(":")[0], 16)
    raise AssertionError("The server has closed it.")


def ask(port: int) -> int:
    connection = HTTPConnection("127.0.0.1", port, timeout=LIMIT_S)
    try:
        connection.request("GET", "/")
        return int(connection.getresponse().read())
    except (OSError, HTTPException):
        return 0
    finally:
        connection.close()


def children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]

"""A server of our own kind, as processes and sockets."""

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from http.client import HTTPConnection
from pathlib import Path

from portolan_dev.ports import free_port

PROGRAM = """
import sys, time
from pathlib import Path
from portolan.commands.server import build_server

async def answer(scope, receive, send):
    if scope["type"] == "http":
        await send({"type": "http.response.start", "status": 204, "headers": []})
        await send({"type": "http.response.body", "body": b""})

def load():
    Path(sys.argv[2]).touch()
    while Path(sys.argv[2]).exists():
        time.sleep(0.01)
    return answer

build_server("127.0.0.1", int(sys.argv[1])).serve(target_loader=load, wrap_loader=False)
"""


def test_nobody_is_connected_before_it_can_answer(tmp_path: Path) -> None:
    """So that whoever stands in front asks another one meanwhile."""
    port, loading = free_port(), tmp_path / "loading"
    process = subprocess.Popen([sys.executable, "-c", PROGRAM, str(port), str(loading)], env=dict(os.environ))
    try:
        wait_for(loading.exists)
        for _ in range(3):
            assert not connects(port)
        loading.unlink()
        wait_for(lambda: connects(port))
        connection = HTTPConnection("127.0.0.1", port, timeout=20)
        connection.request("GET", "/")
        assert connection.getresponse().status == 204
        connection.close()
    finally:
        process.send_signal(signal.SIGTERM)
        process.wait(20)


def connects(port: int) -> bool:
    with suppress(ConnectionRefusedError), socket.create_connection(("127.0.0.1", port), timeout=20):
        return True
    return False


def wait_for(happened: Callable[[], bool]) -> None:
    deadline = time.monotonic() + 40
    while not happened():
        assert time.monotonic() < deadline
        time.sleep(0.01)

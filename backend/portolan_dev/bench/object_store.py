"""Run an object store with the S3 API on loopback, for benchmarks."""

import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Final

import click

from ..ports import free_port

BUCKET: Final = "portolan"
_STARTS_WITHIN_S: Final = 30


@contextmanager
def served_store() -> Iterator[Mapping[str, str]]:
    """Run the store and yield its environment variables. Its content is in memory, and lost at the end."""
    port = free_port()
    command = [sys.executable, "-m", "moto.server", "--host", "127.0.0.1", "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            endpoint = f"http://127.0.0.1:{port}"
            _make_bucket(endpoint, server)
            yield {
                "AWS_ACCESS_KEY_ID": "bench",
                "AWS_SECRET_ACCESS_KEY": "bench",
                "AWS_REGION": "us-east-1",
                "AWS_ENDPOINT_URL": endpoint,
            }
        finally:
            server.terminate()


def _make_bucket(endpoint: str, server: "subprocess.Popen[bytes]") -> None:
    deadline = time.monotonic() + _STARTS_WITHIN_S
    while True:
        try:
            urllib.request.urlopen(urllib.request.Request(f"{endpoint}/{BUCKET}", method="PUT"), timeout=5)  # noqa: S310
        except (urllib.error.URLError, OSError):
            if server.poll() is not None or time.monotonic() > deadline:
                raise click.ClickException("The object store did not start. Nothing was measured.") from None
            time.sleep(0.1)
        else:
            return

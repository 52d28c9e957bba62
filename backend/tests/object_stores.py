"""A store that machines share, for one test: a folder, or a server on the loopback that speaks S3."""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from typing import Any

import pytest

_numbers = count()


class S3Server:
    """Runs in this process and ends with the test."""

    def __init__(self) -> None:
        from moto.server import ThreadedMotoServer

        logging.getLogger("werkzeug").setLevel(logging.ERROR)
        self._server: Any = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
        self._server.start()
        host, port = self._server.get_host_and_port()
        self.address = f"http://{host}:{port}"

    @property
    def variables(self) -> dict[str, str]:
        return {
            "AWS_ACCESS_KEY_ID": "test",
            "AWS_SECRET_ACCESS_KEY": "test",
            "AWS_REGION": "us-east-1",
            "AWS_DEFAULT_REGION": "us-east-1",
            "AWS_ENDPOINT_URL": self.address,
        }

    def make_bucket(self) -> str:
        """Return the bucket's URL, with a prefix. The variables must be set."""
        import boto3

        name = f"bucket-{next(_numbers)}"
        boto3.client("s3").create_bucket(Bucket=name)
        return f"s3://{name}/company"

    def stop(self) -> None:
        self._server.stop()


@contextmanager
def s3_server() -> Iterator[S3Server]:
    server = S3Server()
    try:
        yield server
    finally:
        server.stop()


@pytest.fixture(scope="session")
def _s3() -> Iterator[S3Server]:
    with s3_server() as server:
        yield server


@pytest.fixture
def s3_bucket(_s3: S3Server, monkeypatch: pytest.MonkeyPatch) -> str:
    """The URL of an empty bucket."""
    for name, value in _s3.variables.items():
        monkeypatch.setenv(name, value)
    return _s3.make_bucket()


@pytest.fixture(params=["file", "s3"])
def store_url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Return the URL of an empty store, for each kind available here."""
    if request.param == "file":
        return (tmp_path / "shared").as_uri()
    url: str = request.getfixturevalue("s3_bucket")
    return url

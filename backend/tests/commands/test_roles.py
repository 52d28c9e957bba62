"""The roles as separate processes: ``portolan edge`` and ``portolan api``, over sockets."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any

import orjson
import pytest

from portolan_dev.ports import free_port

from ..processes import LIMIT_S, PORTOLAN, started, wait_until
from ..small_installation import write_live_page

LOADED = """
import asyncio, sys
from portolan.commands import edge
from portolan.config.edge_serving import build_edge_alone
app = build_edge_alone()
said = []
async def ask(path):
    async def receive():
        return {"type": "http.request", "body": b"", "more_body": False}
    async def send(message):
        said.append(message.get("status"))
    scope = {"type": "http", "method": "GET", "path": path, "raw_path": path.encode(), "query_string": b"", "scheme": "http",
             "http_version": "1.1", "headers": [(b"host", b"localhost:%d" % PORT)], "client": ("127.0.0.1", 1),
             "server": ("127.0.0.1", 8000), "root_path": ""}
    await app(scope, receive, send)
async def ask_all():
    await ask("/")
    await ask("/api/content/offices")
    await ask("/-/ready")
asyncio.run(ask_all())
print(*said[::2])
print(*sorted({"django", "wagtail", "ninja", "sqlite3", "psycopg", "psycopg_pool", "redis"} & sys.modules.keys()))
"""


@pytest.fixture
def site(tmp_path: Path) -> tuple[Path, int]:
    """A var folder with one page live on en, and the port that the sites have."""
    var, port = tmp_path / "var", free_port()
    write_live_page(var, port)
    return var, port


def environment(site: tuple[Path, int], **more: str) -> dict[str, str]:
    known = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "CACHE_URL")}
    return {**known, "PORTOLAN_VAR_DIR": str(site[0]), "PORTOLAN_PORT": str(site[1]), **more}


@contextmanager
def running(*arguments: str, **variables: str) -> Iterator["subprocess.Popen[str]"]:
    with started([*PORTOLAN, *arguments], env=variables, stderr=subprocess.PIPE) as process:
        yield process
        process.send_signal(signal.SIGTERM)
        process.communicate(timeout=LIMIT_S)


def ask(port: int, path: str, host_port: int, method: str = "GET", body: bytes | None = None) -> tuple[int, bytes]:
    connection = HTTPConnection("127.0.0.1", port, timeout=LIMIT_S)
    try:
        connection.request(method, path, body, headers={"Host": f"localhost:{host_port}"})
        response = connection.getresponse()
        return response.status, response.read()
    finally:
        connection.close()


def wait_for(port: int, path: str, host_port: int, status: int) -> bytes:
    found: list[Any] = []

    def has_status() -> bool:
        try:
            found[:] = ask(port, path, host_port)
        except (OSError, HTTPException) as error:
            found[:] = [error]
        return found[0] == status

    wait_until(has_status, lambda: found)
    return bytes(found[1])


def test_the_edge_alone_loads_neither_django_nor_a_database(site: tuple[Path, int]) -> None:
    program = LOADED.replace("PORT", str(site[1]))
    done = subprocess.run([sys.executable, "-c", program], env=environment(site), capture_output=True, text=True)
    assert done.stdout == "200 503 200\n\n", done.stderr


def test_an_edge_passes_on_to_an_api_and_outlives_it(site: tuple[Path, int]) -> None:
    _, port = site
    api_port = free_port()
    known = environment(
        site,
        PORTOLAN_API_URL=f"http://127.0.0.1:{api_port}",
        PORTOLAN_TRUSTED_PROXIES="127.0.0.1",
        PORTOLAN_VAR_DIR=str(site[0]),
    )
    with ExitStack() as stack:
        api = stack.enter_context(running("api", "--port", str(api_port), **known))
        edge = stack.enter_context(running("edge", "--workers", "2", **known))
        assert b"Home" in wait_for(port, "/", port, 200)
        assert "openapi" in orjson.loads(wait_for(port, "/api/openapi.json", port, 200))
        assert ask(api_port, "/admin/", port)[0] == 404, "the API is not the studio"
        status, _ = ask(port, "/__form", port, "POST", b"not=a form of ours")
        assert status == 403, "Django has it, and knows no page that it came from"
        ready = {
            role: orjson.loads(wait_for(at, "/-/ready", port, 200)) for role, at in (("edge", port), ("api", api_port))
        }
        assert (ready["edge"]["role"], ready["edge"]["release"], ready["edge"]["sites"]) == ("edge", 1, 1)
        assert ready["edge"]["pointerAgeSeconds"] < 300
        assert ready["api"]["role"] == "api"
        assert ready["api"]["warnings"] == ["The database is not reachable."], "leads go to the spool meanwhile"
        assert str(site[0]) not in repr(ready), "no paths"
        assert orjson.loads(ask(api_port, "/-/live", port)[1])["live"]
        api.kill()
        api.wait(LIMIT_S)
        assert b"unavailable" in wait_for(port, "/api/content/offices", port, 503)
        status, form = ask(port, "/__form", port, "POST", b"a=1")
        assert status == 503
        assert b"could not be sent" in form

        def is_known() -> bool:  # each worker knows only its own requests
            ask(port, "/api/content/offices", port)
            return b"The API does not answer." in ask(port, "/-/ready", port)[1]

        wait_until(is_known)
        assert ask(port, "/", port)[0] == 200
        edge.send_signal(signal.SIGTERM)
        _, said = edge.communicate(timeout=LIMIT_S)
        assert edge.returncode == 0
        assert said.count("does not respond") <= 2, "each worker says it once"


def test_the_studio_serves_its_own_host_alone(site: tuple[Path, int]) -> None:
    _, port = site
    studio_port = free_port()
    known = environment(site, PORTOLAN_TRUSTED_PROXIES="127.0.0.1")
    with running("studio", "--port", str(studio_port), **known):
        assert orjson.loads(wait_for(studio_port, "/-/ready", port, 503))["role"] == "studio", "without a database"
        assert ask(studio_port, "/", port)[0] == 421, "of a site, which is not the studio's host"


def test_a_delivery_says_how_it_does(site: tuple[Path, int]) -> None:
    health = free_port()
    known = environment(site, DATABASE_URL=f"sqlite:///{site[0] / 'empty.sqlite3'}")
    (site[0] / "empty.sqlite3").touch()
    with running("leads", "deliver", "--health", f"127.0.0.1:{health}", **known):
        assert orjson.loads(wait_for(health, "/-/live", site[1], 200))["role"] == "delivery"
        said = orjson.loads(wait_for(health, "/-/ready", site[1], 503))
        assert "lacks migrations" in said["reasons"][0]
        assert said["queues"]["spool"] == {"count": 0, "oldestSeconds": None}
        assert ask(health, "/", site[1])[0] == 404

"""Debian's nginx and Caddy for tests: each started with its own folder and port, and ended by id."""

import contextlib
import http.client
import os
import re
import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, NamedTuple

import pytest

from .processes import LIMIT_S, wait_until

SHIPPED: Final = Path(__file__).parents[2] / "deploy" / "proxy" / "nginx.conf"
_MODULES: Final = Path("/usr/lib/nginx/modules")
BROTLI: Final = "ngx_http_brotli_static_module.so"
PURGE: Final = "ngx_http_cache_purge_module.so"

_NGINX: Final = """\
{modules}
{user}
daemon off;
worker_processes 1;
pid {folder}/nginx.pid;
error_log {folder}/error.log;
events {{ }}
http {{
    access_log off;
    client_body_temp_path {folder}/body;
    proxy_temp_path {folder}/proxy;
    fastcgi_temp_path {folder}/fastcgi;
    uwsgi_temp_path {folder}/uwsgi;
    scgi_temp_path {folder}/scgi;
{http}
}}
"""


class Answer(NamedTuple):
    status: int
    headers: dict[str, str]
    body: bytes


def need_nginx(*modules: str) -> pytest.MarkDecorator:
    missing = [name for name in modules if not (_MODULES / name).exists()]
    return pytest.mark.skipif(
        _nginx() is None or bool(missing),
        reason=f"needs nginx{' with ' if modules else ''}{', '.join(modules)}: `make test` installs Debian's",
    )


need_caddy = pytest.mark.skipif(shutil.which("caddy") is None, reason="needs caddy: `make test` installs Debian's")


@contextlib.contextmanager
def running(
    command: Sequence[str], port: int | None, log: Path, environment: Mapping[str, str] | None = None
) -> Iterator["subprocess.Popen[bytes]"]:
    """Run a process, from its listening to the end of the block."""
    with log.open("wb") as output:
        process = subprocess.Popen(command, stdout=output, stderr=output, env=environment)
    try:
        if port is not None:
            wait_until(lambda: process.poll() is not None or _listens(port), log.read_text)
        assert process.poll() is None, log.read_text()
        yield process
    finally:
        process.terminate()
        process.wait()


@contextlib.contextmanager
def nginx(folder: Path, http: str, port: int, modules: Sequence[str] = ()) -> Iterator[None]:
    """``http`` is the content of its http block."""
    folder.mkdir(parents=True)
    config = folder / "nginx.conf"
    config.write_text(
        _NGINX.format(
            modules="".join(f"load_module {_MODULES / name};\n" for name in modules),
            user="user root;" if os.geteuid() == 0 else "",
            folder=folder,
            http=http,
        )
    )
    command = [str(_nginx()), "-p", str(folder), "-c", str(config), "-e", str(folder / "error.log")]
    with running(command, port, folder / "log"):
        yield


def shipped_nginx(port: int, servers: str, other: Sequence[tuple[str, str]] = ()) -> str:
    """Return the shipped nginx.conf without TLS, on the loopback: for `nginx`. ``servers`` are lines of its upstream.
    ``other`` has pairs of pattern and replacement. Each pattern must occur."""
    text = SHIPPED.read_text()
    text = text[: text.index("server {\n\tlisten 80;")]
    for pattern, now in (
        (r"\tserver 127\.0\.0\.1.*\n\t# server.*\n", servers),
        (r"\tlisten 443 ssl http2;.*\n", f"\tlisten 127.0.0.1:{port};\n"),
        (r"\tlisten \[::\]:443.*\n", ""),
        (r"\tserver_name.*\n", ""),
        (r"\tssl_.*\n", ""),
        *other,
    ):
        text, count = re.subn(pattern, now, text)
        assert count, f"{SHIPPED.name} has nothing like {pattern} any more"
    return text


@contextlib.contextmanager
def caddy(folder: Path, config: str, port: int) -> Iterator[None]:
    folder.mkdir(parents=True)
    file = folder / "Caddyfile"
    file.write_text("{\n    admin off\n    auto_https off\n}\n" + config)
    environment = {**os.environ, "XDG_DATA_HOME": str(folder), "XDG_CONFIG_HOME": str(folder)}
    with running(["caddy", "run", "--config", str(file), "--adapter", "caddyfile"], port, folder / "log", environment):
        yield


def ask(port: int, path: str, host: str, source: str = "127.0.0.1", method: str = "GET", **headers: str) -> Answer:
    """Request ``path``, as written in the request line. ``source`` is the client's IP address."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=LIMIT_S, source_address=(source, 0))
    try:
        connection.putrequest(method, path, skip_host=True, skip_accept_encoding=True)
        for name, value in {"host": host, **headers}.items():
            connection.putheader(name.replace("_", "-"), value)
        connection.endheaders()
        answer = connection.getresponse()
        return Answer(answer.status, {name.lower(): value for name, value in answer.getheaders()}, answer.read())
    finally:
        connection.close()


def _nginx() -> str | None:
    return shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")


def _listens(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), timeout=LIMIT_S).close()
    except OSError:
        return False
    return True

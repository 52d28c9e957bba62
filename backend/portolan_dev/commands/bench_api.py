"""``portolan bench-api``: measure reads of the content API, compared with a constant reply of the same size."""

import http.client
import os
import re
import shutil
import statistics
import subprocess
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import click

from portolan.builds.hosts import host_of, read_hosts
from portolan.builds.live import read_live
from portolan.config.env import env
from portolan.config.processes import end_with_parent

from ..bench.server import WHOLE, run_server
from ..ports import free_port
from ..short_form import short_form

_READS: Final = (
    "/api/content/news/pagination?page=1&perPage=20",
    "/api/content/offices",
    "/api/content/projects/full-cards",
)
_CONSTANT: Final = """
    body = Path({file!r}).read_bytes()
    start = {{"type": "http.response.start", "status": 200, "headers": {headers!r}}}
    reply = {{"type": "http.response.body", "body": body}}
    async def application(scope, receive, send):
        if scope["type"] == "lifespan":
            for _ in range(2):
                message = await receive()
                await send({{"type": message["type"] + ".complete"}})
            return
        await send(start)
        await send(reply)
    return application
"""


class Measured(NamedTuple):
    per_second: float
    p50_ms: float
    p99_ms: float


@click.command()
@click.argument("reads", nargs=-1, metavar="[PATH]...")
@click.option("--seconds", default=4, show_default=True, type=click.IntRange(1, 60), help="Seconds per run.")
@click.option("--runs", default=3, show_default=True, type=click.IntRange(1, 20), help="Runs of each kind.")
@click.option("--connections", default=16, show_default=True, type=click.IntRange(1, 512))
@short_form(reads=["/api/content/offices"], seconds=1, runs=1)
def command(reads: Sequence[str], seconds: int, runs: int, connections: int) -> None:
    """Measure API reads per second.

    One worker on one core, as a ratio of a constant reply.
    """
    from rich.console import Console
    from rich.table import Table

    console = Console(highlight=False)
    wrk = shutil.which("wrk")
    if wrk is None:
        raise click.ClickException("wrk, the load generator, is not installed. Run apt-get install wrk")
    settings = env()
    live = read_live(settings.builds_dir).builds
    if not live:
        raise click.ClickException("Nothing is published on this machine. Nothing was measured. Run `make demo` first.")
    origin = read_hosts(settings.builds_dir).origins[settings.registry.company.default_site]
    load = Load(wrk, host_of(origin), seconds, connections)
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("", "bytes", "requests/s", "of constant", "p50 ms", "p99 ms"):
        table.add_column(column, justify="left" if not column else "right")
    with tempfile.TemporaryDirectory(prefix="portolan-bench-") as folder:
        environment = {**os.environ, "PORTOLAN_API_LIMIT_PER_MINUTE": "0", "PORTOLAN_API_MISS_LIMIT_PER_MINUTE": "0"}
        with _serve(WHOLE, environment, "The API") as port:
            for path in reads or _READS:
                status, headers, body = load.ask(port, path)
                if status != 200:
                    raise click.ClickException(f"{path} returned {status}: {body[:300].decode()}")
                file = Path(folder) / "body"
                file.write_bytes(body)
                kept = [(n, v) for n, v in headers if n.lower() in ("content-type", "etag", "vary", "cache-control")]
                own = [(n.lower().encode(), v.encode()) for n, v in [*kept, ("Content-Length", str(len(body)))]]
                constant = _CONSTANT.format(file=str(file), headers=own)
                with _serve(constant, environment, "The constant reply") as constant_port:
                    constants, measured = [], []
                    for _ in range(runs):  # in turns, so that other programs affect both
                        constants.append(load.run(constant_port, path))
                        measured.append(load.run(port, path))
                    known = load.run(port, path, headers={"If-None-Match": dict(headers)["etag"]})
                base = _typical(constants)
                table.add_row(*_row("constant reply", len(body), base, base))
                table.add_row(*_row(path.removeprefix("/api/"), len(body), _typical(measured), base))
                table.add_row(*_row("  … known already (304)", 0, known, base))
    console.print(
        f"one worker on core {_CORES[0]}, wrk with {connections} connections on core {_CORES[1]}; median of {runs} "
        f"runs of {seconds} s, in turns"
    )
    console.print(table)


class Load:
    """Runs wrk on a core of its own."""

    def __init__(self, wrk: str, host: str, seconds: int, connections: int) -> None:
        self._wrk, self._host = wrk, host
        self._seconds, self._connections = seconds, connections

    def ask(self, port: int, path: str) -> tuple[int, list[tuple[str, str]], bytes]:
        connection = http.client.HTTPConnection("127.0.0.1", port, timeout=60)
        connection.request("GET", path, headers={"Host": self._host})
        response = connection.getresponse()
        return response.status, [(name.lower(), value) for name, value in response.getheaders()], response.read()

    def run(self, port: int, path: str, headers: Mapping[str, str] = {}) -> Measured:
        given = [part for name, value in headers.items() for part in ("-H", f"{name}: {value}")]
        done = subprocess.run(
            [
                *(self._wrk, "-t1", f"-c{self._connections}", f"-d{self._seconds}s", "--latency"),
                *("-H", f"Host: {self._host}", *given, f"http://127.0.0.1:{port}{path}"),
            ],
            capture_output=True,
            text=True,
            check=True,
            preexec_fn=_on_core(_CORES[1]),
        )
        return read_wrk(done.stdout)


def read_wrk(output: str) -> Measured:
    """Return the results of wrk. Raise ClickException if a request failed, because a rate of errors is useless."""
    if "Non-2xx" in output:
        raise click.ClickException(f"Some requests failed:\n{output}")
    rate = re.search(r"Requests/sec:\s+([\d.]+)", output)
    p50, p99 = (re.search(rf"\b{percent}%\s+([\d.]+)(us|ms|s)", output) for percent in (50, 99))
    if not (rate and p50 and p99):
        raise click.ClickException(f"wrk printed unexpected output:\n{output}")
    return Measured(float(rate[1]), _milliseconds(p50), _milliseconds(p99))


def _milliseconds(match: re.Match[str]) -> float:
    return float(match[1]) * {"us": 0.001, "ms": 1, "s": 1000}[match[2]]


def _typical(measured: Sequence[Measured]) -> Measured:
    return Measured(*(statistics.median(values) for values in zip(*measured, strict=True)))


def _row(title: str, size: int, measured: Measured, base: Measured) -> list[str]:
    return [
        title,
        f"{size:,}",
        f"{measured.per_second:,.0f}",
        f"{measured.per_second / base.per_second:.2f}",
        f"{measured.p50_ms:.2f}",
        f"{measured.p99_ms:.2f}",
    ]


_CORES: Final = (max(os.sched_getaffinity(0)), min(os.sched_getaffinity(0)))
"""Core of the server and of the load generator; equal if there is only one."""


def _on_core(core: int):  # type: ignore[no-untyped-def]
    parent = os.getpid()

    def prepare() -> None:
        os.sched_setaffinity(0, {core})
        end_with_parent(parent)

    return prepare


@contextmanager
def _serve(load: str, environment: Mapping[str, str], name: str) -> Iterator[int]:
    port = free_port()
    with run_server(load, port, environment, _on_core(_CORES[0]), name):
        yield port

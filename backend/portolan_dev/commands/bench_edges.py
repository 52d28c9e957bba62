"""``portolan bench-edges``: compare one edge with two behind nginx."""

import os
import shutil
import ssl
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Final

import click

from portolan.builds.hosts import host_of, read_hosts
from portolan.builds.live import read_live
from portolan.builds.manifest import read_manifest
from portolan.config.env import Env, env
from portolan.config.project import ROOT

from ..bench.cpu_quota import CpuQuota, NoControlGroups, cpu_quota
from ..ports import free_port
from ..short_form import short_form
from .bench_api import read_wrk

_PROXY: Final = ROOT / "deploy" / "proxy" / "nginx.conf"
_MAIN: Final = """\
daemon off;
{user}worker_processes 1;
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
{shipped}
}}
"""
_EACH_PAGE_IN_TURN: Final = """\
local paths, number = {{ {paths} }}, 0
request = function()
    number = number % #paths + 1
    return wrk.format("GET", paths[number])
end
"""
_STARTS_WITHIN_S: Final = 60
_BUSY: Final = 0.9


@click.command()
@click.option("--seconds", default=5, show_default=True, type=click.IntRange(1, 60), help="Seconds per run.")
@click.option(
    "--runs", default=5, show_default=True, type=click.IntRange(1, 20), help="Runs with one edge and with two."
)
@click.option(
    "--share", default=0.1, show_default=True, type=click.FloatRange(0.05, 1), help="Share of a core per edge."
)
@click.option("--connections", default=32, show_default=True, type=click.IntRange(1, 512))
@short_form(seconds=1, runs=1)
def command(seconds: int, runs: int, share: float, connections: int) -> None:
    """Measure requests per second with one edge and with two.

    Through the shipped nginx.conf over TLS. Each edge has a share of a core, so that two edges, nginx and the load
    generator fit on one small machine and only the edges are measured.
    """
    from rich.console import Console

    console = Console(highlight=False, soft_wrap=True)
    wrk, nginx = shutil.which("wrk"), shutil.which("nginx", path=f"{os.environ.get('PATH', '')}:/usr/sbin")
    if not (wrk and nginx):
        raise click.ClickException("wrk and nginx are not installed. Run apt-get install wrk nginx-light")
    settings = env()
    live = read_live(settings.builds_dir).builds
    if not live:
        raise click.ClickException("Nothing is published on this machine. Nothing was measured. Run `make demo` first.")
    site = settings.registry.company.default_site
    host = host_of(read_hosts(settings.builds_dir).origins[site])
    files = read_manifest(settings.builds_dir, site, live[site]).files
    pages = sorted(
        path for path, file in files.items() if file.content_type.startswith("text/html") and "." not in path
    )
    with tempfile.TemporaryDirectory(prefix="portolan-bench-") as name, ExitStack() as stack:
        folder = Path(name)
        script = folder / "pages.lua"
        script.write_text(_EACH_PAGE_IN_TURN.format(paths=", ".join(f'"{path}"' for path in pages)))
        try:
            quotas = [stack.enter_context(cpu_quota(f"edge-{number}", share)) for number in (1, 2)]
        except NoControlGroups as error:
            raise click.ClickException(
                f"Edges cannot be limited on this machine ({error}), so the result would only show the number of cores. "
                "Nothing was measured. Run it as root on Linux."
            ) from error
        edges = [stack.enter_context(_edge(settings, host, quota, folder / "edge.log")) for quota in quotas]
        proxies = [
            stack.enter_context(_nginx(nginx, folder / f"nginx-{len(each)}", each)) for each in (edges[:1], edges)
        ]
        rates: tuple[list[float], list[float]] = ([], [])
        costs: list[float] = []
        had: list[float] = []
        for _ in range(runs):
            for which, port in enumerate(proxies):
                before = sum(quota.used_s() for quota in quotas)
                rate = _load(wrk, port, host, script, seconds, connections)
                used = sum(quota.used_s() for quota in quotas) - before
                costs.append(rate * seconds / used)
                had.append(used / (share * seconds * (which + 1)))
                rates[which].append(rate)
    one, two = (statistics.median(each) for each in rates)
    pairs = sorted(second / first for first, second in zip(*rates, strict=True))
    console.print(
        f"{len(pages)} pages of {site} in turn, Brotli, over TLS through {_PROXY.relative_to(ROOT)}; each edge has {share:g} of a core; "
        f"medians of {runs} runs of {seconds} s, in turns"
    )
    console.print(f"one edge   {one:7,.0f} requests/s   ({min(rates[0]):,.0f} to {max(rates[0]):,.0f})")
    console.print(f"two edges  {two:7,.0f} requests/s   ({min(rates[1]):,.0f} to {max(rates[1]):,.0f})")
    console.print(f"two to one {two / one:7.2f}              ({pairs[0]:.2f} to {pairs[-1]:.2f}, pair by pair)")
    console.print(f"{statistics.median(costs):,.0f} requests per CPU second of an edge")
    if min(had) < _BUSY:
        console.print(
            f"[yellow]The edges had only {min(had):.0%} of their share: the machine was busy with other programs, "
            "or nginx and wrk need more CPU time than it has. Try a smaller --share, or try again later.[/]"
        )


def _load(wrk: str, port: int, host: str, script: Path, seconds: int, connections: int) -> float:
    command = [wrk, "-t1", f"-c{connections}", f"-d{seconds}s", "--latency", "-s", str(script)]
    headers = ["-H", f"Host: {host}", "-H", "Accept-Encoding: br"]
    done = subprocess.run(
        [*command, *headers, f"https://127.0.0.1:{port}/"], capture_output=True, text=True, check=True
    )
    return read_wrk(done.stdout).per_second


@contextmanager
def _edge(settings: Env, host: str, quota: CpuQuota, log: Path) -> Iterator[int]:
    port = free_port()
    command = [sys.executable, "-c", "from portolan.commands.main import main; main()", "edge", "--port", str(port)]
    with log.open("ab") as output:
        process = subprocess.Popen(command, env={**os.environ, "PORTOLAN_TRUSTED_PROXIES": "127.0.0.1"}, stderr=output)
    try:
        deadline = time.monotonic() + _STARTS_WITHIN_S
        while not _answers(port, host):
            if process.poll() is not None or time.monotonic() > deadline:
                raise click.ClickException(f"The edge did not start:\n{log.read_text()[-2000:]}")
            time.sleep(0.05)
        for pid in (process.pid, *_children(process.pid)):
            quota.put(pid)
        yield port
    finally:
        process.terminate()
        process.wait()


def _children(pid: int) -> list[int]:
    return [int(child) for child in Path(f"/proc/{pid}/task/{pid}/children").read_text().split()]


def _answers(port: int, host: str) -> bool:
    connection = HTTPConnection("127.0.0.1", port, timeout=5)
    with suppress(OSError, HTTPException):
        connection.request("GET", "/", headers={"Host": host})
        return connection.getresponse().status == 200
    return False


@contextmanager
def _nginx(program: str, folder: Path, edges: Sequence[int]) -> Iterator[int]:
    """Run nginx with the shipped configuration, and only addresses and certificate replaced. Yield its port."""
    import trustme

    folder.mkdir()
    port = free_port()
    certificate = trustme.CA().issue_cert("localhost", "127.0.0.1")
    for name, parts in (("fullchain", certificate.cert_chain_pems), ("privkey", [certificate.private_key_pem])):
        (folder / f"{name}.pem").write_bytes(b"".join(part.bytes() for part in parts))
    shipped = _PROXY.read_text()
    first = "server 127.0.0.1:8000"
    options = shipped.partition(first)[2].partition(";")[0]
    for before, after in (
        (f"\t{first}{options};\n", "".join(f"\tserver 127.0.0.1:{edge}{options};\n" for edge in edges)),
        ("listen 443 ssl http2;", f"listen 127.0.0.1:{port} ssl http2;"),
        ("listen [::]:443 ssl http2;", ""),
        ("listen 80;", f"listen 127.0.0.1:{free_port()};"),
        ("listen [::]:80;", ""),
        ("server_name .acme.example .acme-preview.example;", "server_name _;"),
        ("/etc/ssl/portolan", str(folder)),
        ("Host $host;", "Host $http_host;"),  # origins of this machine have a port
    ):
        if before not in shipped:
            raise click.ClickException(f"{_PROXY} lacks {before.strip()!r}. Update this benchmark.")
        shipped = shipped.replace(before, after)
    config = folder / "nginx.conf"
    config.write_text(_MAIN.format(folder=folder, shipped=shipped, user="user root;\n" if os.geteuid() == 0 else ""))
    process = subprocess.Popen([program, "-p", folder, "-c", config, "-e", folder / "error.log"])
    try:
        deadline = time.monotonic() + _STARTS_WITHIN_S
        while not _speaks_tls(port):
            if process.poll() is not None or time.monotonic() > deadline:
                raise click.ClickException(f"nginx did not start:\n{(folder / 'error.log').read_text()[-2000:]}")
            time.sleep(0.05)
        yield port
    finally:
        process.terminate()
        process.wait()


def _speaks_tls(port: int) -> bool:
    with suppress(OSError):
        ssl.get_server_certificate(("127.0.0.1", port), timeout=5)
        return True
    return False

"""Serve Prometheus on a separate port.

One process of the machine serves for all; if it ends, another takes over.
"""

import errno
import hmac
import logging
import os
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Final

from prometheus_client import CONTENT_TYPE_LATEST, CollectorRegistry, generate_latest
from prometheus_client.core import GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector
from prometheus_client.registry import Collector

from .queues import Gauge

PATH: Final = "/-/metrics"
_TRY_AGAIN_S: Final = 5

_log = logging.getLogger(__name__)


class Exposition:
    """Listens at ``host`` and ``port``, or waits until they are free.

    ``token``: required in requests (``Authorization: Bearer``). If it is empty, requests need none.
    """

    def __init__(self, host: str, port: int, token: str, folder: Path, ask: Callable[[], Iterator[Gauge]]) -> None:
        """``folder``: where this machine's processes write.

        ``ask``: returns the current gauges.
        """
        self._address = (host, port)
        self._token = token
        self._folder = folder
        self._registry = CollectorRegistry()
        MultiProcessCollector(self._registry, str(folder))  # type: ignore[no-untyped-call]
        self._registry.register(_Asked(ask))
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._keep_listening, name="metrics", daemon=True)
        self.listens = threading.Event()

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._ended.set()
        self._thread.join()

    def _keep_listening(self) -> None:
        is_said = False
        while not self._ended.is_set():
            try:
                server = _Server(self._address, self._handler())
            except OSError as error:
                # Usually another process of this installation serves already.
                if error.errno != errno.EADDRINUSE and not is_said:
                    is_said = True
                    _log.error("Metrics cannot be served at %s, port %s: %s.", *self._address, error.strerror)
                self._ended.wait(_TRY_AGAIN_S)
                continue
            remove_dead(self._folder)
            threading.Thread(target=self._end, args=(server,), daemon=True).start()
            self.listens.set()
            with server:
                server.serve_forever(0.2)
            self.listens.clear()

    def _end(self, server: "_Server") -> None:
        self._ended.wait()
        server.shutdown()

    def _handler(self) -> type[BaseHTTPRequestHandler]:
        registry, token = self._registry, self._token

        class Handler(BaseHTTPRequestHandler):
            server_version = "Portolan"
            sys_version = ""
            timeout = 10

            def do_GET(self) -> None:
                given = self.headers.get("authorization", "")
                if self.path.partition("?")[0] != PATH:
                    self._answer(404, b"Metrics are at /-/metrics.\n", "text/plain")
                elif token and not hmac.compare_digest(given.encode(), f"Bearer {token}".encode()):
                    self._answer(401, b"Send the token of PORTOLAN_METRICS_TOKEN.\n", "text/plain")
                else:
                    self._answer(200, generate_latest(registry), CONTENT_TYPE_LATEST)

            def _answer(self, status: int, body: bytes, kind: str) -> None:
                self.send_response(status)
                self.send_header("content-type", kind)
                self.send_header("content-length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def log_message(self, format: str, *args: object) -> None:
                """Log nothing, because requests for metrics are routine."""

        return Handler


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    allow_reuse_address = True


class _Asked(Collector):
    def __init__(self, ask: Callable[[], Iterator[Gauge]]) -> None:
        self._ask = ask

    def collect(self) -> Iterator[GaugeMetricFamily]:
        families: dict[str, GaugeMetricFamily] = {}
        for name, help, labels, value in self._ask():
            if name not in families:
                families[name] = GaugeMetricFamily(name, help, labels=list(labels))
            families[name].add_metric(list(labels.values()), value)
        yield from families.values()


def remove_dead(folder: Path) -> None:
    """Remove the files of ended processes if no process of them lives.

    All counters then restart together.
    """
    files = {file: int(file.stem.rpartition("_")[2]) for file in folder.glob("*_*.db")}
    if any(pid != os.getpid() and _is_alive(pid) for pid in files.values()):
        return
    for file, pid in files.items():
        if pid != os.getpid():
            file.unlink(missing_ok=True)


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True

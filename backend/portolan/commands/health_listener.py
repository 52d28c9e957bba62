"""``--health HOST:PORT`` of publisher and delivery: answer `/-/live`, `/-/ready` and `/-/well` for monitoring."""

import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import click
import orjson

from .. import __version__
from ..config.health import examine_role
from ..domain.health import LIVE_PATH, READY_PATH, WELL_PATH, Health, Role, describe
from ..observing.work_pulse import WorkPulse


class HealthListener:
    """Answer in a thread of its own, so also during a long publish."""

    def __init__(self, role: Role, address: str, pulse: WorkPulse) -> None:
        """``pulse``: the pulse of the working thread."""
        self._pulse = pulse
        self._role = role
        self._began = time.monotonic()
        listener = self

        class Handler(BaseHTTPRequestHandler):
            timeout = 5  # for a connection that sends nothing

            def do_GET(self) -> None:
                listener.answer(self)

            def log_message(self, *_: Any) -> None:
                pass  # monitoring sends requests all day

        host, _, port = address.rpartition(":")
        try:
            self._server = ThreadingHTTPServer((host.strip("[]"), int(port)), Handler)
        except OSError as error:
            raise click.ClickException(
                f"Cannot listen on {address} ({error.strerror}), so the process cannot be monitored. Give another address."
            ) from error
        self._server.daemon_threads = True

    def start(self) -> None:
        threading.Thread(target=self._server.serve_forever, name="health", daemon=True).start()

    def beat(self) -> None:
        """Note that a round of work begins."""
        self._began = time.monotonic()

    def answer(self, request: BaseHTTPRequestHandler) -> None:
        known = Health(
            self._role, __version__, round_age_s=time.monotonic() - self._began, stands_s=self._pulse.silent_s()
        )
        if request.path in (LIVE_PATH, READY_PATH, WELL_PATH):
            status, said = describe(request.path, known if request.path == LIVE_PATH else examine_role(known))
        else:
            status, said = 404, {"reasons": [f"Use {LIVE_PATH}, {READY_PATH} or {WELL_PATH}."]}
        body = orjson.dumps(said) + b"\n"
        request.send_response(status)
        request.send_header("Content-Type", "application/json")
        request.send_header("Cache-Control", "no-store")
        request.send_header("Content-Length", str(len(body)))
        request.end_headers()
        request.wfile.write(body)

"""An installation whose roles are processes of their own behind nginx, begun and restarted as their units say."""

import re
import shlex
import signal
import subprocess
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

from drill.documents import read_blocks
from portolan_dev.ports import free_port
from tests.processes import SLOWER
from tests.web_servers import nginx, shipped_nginx

from .faults import wait_until
from .product import answers
from .seeded import ROOT

UNITS: Final = ROOT / "deploy" / "systemd"
STARTS_WITHIN_S: Final = 300
ENDS_WITHIN_S: Final = 40


class Service(NamedTuple):
    unit: str
    """As it is called in ``deploy/systemd/``."""
    number: int
    port: int
    """Where it is asked for its health, and what servers listen on."""


class Machines:
    """``opt``: the folder used as /opt. Its link ``portolan`` points to an environment."""

    def __init__(self, opt: Path, logs: Path, variables: Mapping[str, str], units: Mapping[str, int]) -> None:
        self._opt = opt
        self._logs = logs
        self._variables = variables
        self.services = [
            Service(unit, number, free_port()) for unit, count in units.items() for number in range(1, count + 1)
        ]
        self._running: dict[Service, subprocess.Popen[bytes]] = {}

    def of(self, unit: str) -> list[Service]:
        return [service for service in self.services if service.unit == unit]

    def start(self, service: Service) -> None:
        with self._log(service).open("ab") as log:
            self._running[service] = subprocess.Popen(
                self._command(service), env=dict(self._variables), stdin=subprocess.DEVNULL, stdout=log, stderr=log
            )

    def stop(self, service: Service) -> None:
        if (process := self._running.pop(service, None)) is None:
            return
        process.send_signal(signal.SIGTERM)
        try:
            process.wait(ENDS_WITHIN_S * SLOWER)
        except subprocess.TimeoutExpired:  # as systemd does, after the unit's TimeoutStopSec
            process.kill()
            process.wait()

    def restart(self, service: Service) -> None:
        self.stop(service)
        self.start(service)

    def stop_all(self) -> None:
        for service in list(self._running):
            self.stop(service)

    def wait(self, *services: Service, path: str = "/-/ready") -> None:
        """Until each of them is ready."""
        for service in services:
            wait_until(
                lambda service=service: self._is_up(service, path),
                lambda service=service: f"{service.unit} is ready:\n{self.said(service)}",
                within_s=STARTS_WITHIN_S,
            )

    def said(self, service: Service) -> str:
        file = self._log(service)
        return file.read_text()[-4000:] if file.exists() else ""

    def _is_up(self, service: Service, path: str) -> bool:
        process = self._running[service]
        assert process.poll() is None, f"{service.unit} has ended:\n{self.said(service)}"
        return answers(f"http://127.0.0.1:{service.port}{path}")

    def _command(self, service: Service) -> list[str]:
        """The unit's own, with a port of this machine, and one worker, so that two cores have all of them."""
        found = re.search(r"(?m)^ExecStart=(.*)$", (UNITS / f"{service.unit}.service").read_text())
        assert found
        program, *arguments = shlex.split(found[1])
        command = [program.replace("/opt", str(self._opt)), *arguments]
        if "--health" in command:
            command[-1] = f"127.0.0.1:{service.port}"
            return command
        if "--workers" in command:
            command[-1] = "1"
        return [*command, "--port", str(service.port)]

    def _log(self, service: Service) -> Path:
        return self._logs / f"{service.unit}-{service.number}.log"


@contextmanager
def proxy(folder: Path, port: int, upstream: list[int]) -> Iterator[None]:
    """nginx as it is shipped, but without TLS and on a port of its own, in front of several servers."""
    servers = "".join(f"\tserver 127.0.0.1:{each} max_fails=1 fail_timeout=2s;\n" for each in upstream)
    other = (
        (r"Host \$host;", "Host $http_host;"),  # with the port, which in production is none
        (r"X-Forwarded-Proto https", "X-Forwarded-Proto http"),
        (r"\tlocation /-/ \{\n\t\tdeny all;\n\t\}\n", ""),
    )
    with nginx(folder, shipped_nginx(port, servers, other), port):
        yield


def read_steps(document: str, heading: str) -> list[list[str]]:
    """Commands of each block of shell below a heading, one a line, without remarks."""
    lines = [
        [re.sub(r"\s+# .*$", "", line) for line in block.text.splitlines()] for block in read_blocks(document, heading)
    ]
    return [[line for line in block if line] for block in lines]

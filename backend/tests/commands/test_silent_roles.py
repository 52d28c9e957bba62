"""Stopped processes (SIGSTOP) of a running ``portolan serve``: noticed and restarted, without losing a lead."""

import json
import os
import signal
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from typing import Any, Final

import psutil
import pytest

from portolan.config.empty_database import begin_database
from portolan.domain.content_api import INTAKE_PATH
from portolan_dev.ports import free_port

from ..processes import LIMIT_S, PORTOLAN, SLOWER, started, wait_until
from ..small_installation import write_live_page

SILENT_AFTER_S: Final = round(8 * SLOWER)
LEAD: Final = {
    "form": "contact",
    "contact[name]": "Ada",
    "contact[email]": "ada@northwind.example",
    "message": "We move containers.",
    "privacyAccepted": "true",
    "captchaToken": "no-token",
}


class Whole:
    """``portolan serve`` with all its roles, one live page and a database."""

    def __init__(self, var: Path) -> None:
        self.var, self.port = var, free_port()
        write_live_page(var, self.port)
        assert begin_database(var / "portolan.sqlite3", "en")

    @contextmanager
    def running(self) -> Iterator["Whole"]:
        kept = {name: value for name, value in os.environ.items() if name not in ("DATABASE_URL", "CACHE_URL")}
        variables = {
            **kept,
            "PORTOLAN_VAR_DIR": str(self.var),
            "PORTOLAN_PORT": str(self.port),
            "PORTOLAN_SILENT_AFTER_S": str(SILENT_AFTER_S),
        }
        with started([*PORTOLAN, "serve"], env=variables, stderr=subprocess.PIPE) as self.process:
            wait_until(self.is_whole)
            yield self

    def ask(self, path: str) -> dict[str, Any]:
        """Return the document; empty if the server does not answer."""
        try:
            status, body = self._send("GET", path)
        except (OSError, HTTPException):
            assert self.process.poll() is None, self.process.stderr and self.process.stderr.read()
            return {}
        return {**json.loads(body), "status": status}

    def send_lead(self, message: str) -> tuple[int, bytes]:
        page = f"http://localhost:{self.port}/contact"
        fields = {**LEAD, "message": message, "pageUrl": page}
        parts = [
            f'--x\r\nContent-Disposition: form-data; name="{name}"\r\n\r\n{value}\r\n' for name, value in fields.items()
        ]
        body = "".join([*parts, "--x--\r\n"]).encode()
        headers = {"Content-Type": "multipart/form-data; boundary=x", "Integration": "site"}
        return self._send("POST", INTAKE_PATH, body, headers)

    def _send(
        self, method: str, path: str, body: bytes | None = None, headers: dict[str, str] | None = None
    ) -> tuple[int, bytes]:
        with closing(HTTPConnection("127.0.0.1", self.port, timeout=LIMIT_S)) as connection:
            connection.request(method, path, body, {"Host": f"localhost:{self.port}", **(headers or {})})
            answer = connection.getresponse()
            return answer.status, answer.read()

    def is_whole(self) -> bool:
        return set(self.processes()) >= {"edge", "api", "studio", "leads", "publisher"} and bool(
            self.ask("/-/well").get("well")
        )

    def processes(self) -> dict[str, int]:
        found = {}
        server = psutil.Process(self.process.pid)
        for each in server.children(recursive=True):
            with suppress(psutil.Error):
                words = each.cmdline()
                if "publisher" in words:
                    found["publisher"] = each.pid
                elif each.name().startswith("portolan-"):
                    found[each.name().removeprefix("portolan-")] = each.pid
                elif each.ppid() == server.pid and "worker-" in words[0]:
                    found["edge"] = each.pid
        return found

    def wait_until_replaced(self, before: dict[str, int], *roles: str) -> None:
        gone = {before[role] for role in roles}
        wait_until(lambda: not gone & {*self.processes().values()})

    def leads(self) -> list[str]:
        with closing(sqlite3.connect(self.var / "portolan.sqlite3")) as database:
            return [
                str(json.loads(fields)["message"]) for (fields,) in database.execute("SELECT fields FROM leads_lead")
            ]


@pytest.fixture
def whole(tmp_path: Path) -> Iterator[Whole]:
    with Whole(tmp_path / "var").running() as running:
        yield running


def test_a_stopped_process_is_seen_and_restarted_and_no_lead_is_lost(whole: Whole) -> None:
    before = whole.processes()
    names = {"api": "API", "leads": "delivery of leads", "publisher": "publisher"}
    for role in names:
        os.kill(before[role], signal.SIGSTOP)
    status, answer = whole.send_lead("while the API is stopped")
    assert status in (201, 202), answer  # 202: kept in the spool of a busy machine
    seen: set[str] = set()

    def each_is_named_or_replaced() -> bool:
        """Return True also if a slow machine has already restarted one."""
        seen.update(whole.ask("/-/ready").get("silent", ()))
        now = whole.processes()
        return all(name in seen or now.get(role) not in (None, before[role]) for role, name in names.items())

    wait_until(each_is_named_or_replaced)
    assert whole.ask("/-/ready")["status"] == 200, "pages are served"
    whole.wait_until_replaced(before, "api", "leads", "publisher")
    wait_until(whole.is_whole)
    assert whole.leads() == ["while the API is stopped"], "stored once"
    before = whole.processes()
    for role in ("edge", "studio", "django"):
        os.kill(before[role], signal.SIGSTOP)
    whole.wait_until_replaced(before, "edge", "studio", "django")
    wait_until(whole.is_whole)
    whole.process.send_signal(signal.SIGTERM)
    _, said = whole.process.communicate(timeout=LIMIT_S)
    for name in ("The publisher", "The API", "The delivery of leads", "A server process"):
        assert f"{name} has not responded for {SILENT_AFTER_S} s." in said
    assert whole.process.returncode == 0, said

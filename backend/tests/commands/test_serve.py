"""``portolan serve`` as processes and sockets."""

import json
import logging
import os
import shutil
import signal
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Self

import click
import pytest

from portolan.commands import serve
from portolan.commands import server as server_module
from portolan.commands.applications import Applications
from portolan.commands.companion import Companion
from portolan.commands.role_watch import RoleWatch
from portolan.config.empty_database import begin_database
from portolan.config.env import Env, env
from portolan.config.secret_key import load_secret_key
from portolan.observing.role_board import RoleBoard
from portolan_dev.ports import free_port

from ..processes import LIMIT_S, PORTOLAN, started, wait_until
from ..small_installation import LARGE, LARGE_PATH, write_large_picture, write_live_page


class Server:
    """``portolan serve`` with one page live on en, and a large image."""

    def __init__(self, var: Path) -> None:
        self.var, self.port = var, free_port()
        write_live_page(var, self.port)
        write_large_picture(var)

    @contextmanager
    def running(self) -> Iterator[Self]:
        with self.started_again():
            self.wait_until_it_answers()
            yield self

    @contextmanager
    def started_again(self) -> Iterator[None]:
        """Start another server at once; from then on ``process`` is the new one."""
        variables = {**os.environ, "PORTOLAN_VAR_DIR": str(self.var), "PORTOLAN_PORT": str(self.port)}
        command = [*PORTOLAN, "serve", "--no-publisher", "--no-deliver"]
        with started(command, env=variables, stderr=subprocess.PIPE) as self.process:
            yield

    def connect(self, path: str) -> socket.socket:
        connection = socket.create_connection(("127.0.0.1", self.port), timeout=LIMIT_S)
        request = f"GET {path} HTTP/1.1\r\nHost: localhost:{self.port}\r\nConnection: close\r\n\r\n"
        connection.sendall(request.encode())
        return connection

    def get(self, path: str) -> bytes:
        with self.connect(path) as connection:
            return read_all(connection)

    def get_studio(self) -> bytes:
        with socket.create_connection(("127.0.0.1", self.port), timeout=LIMIT_S) as connection:
            host = f"studio.localhost:{self.port}"
            connection.sendall(f"GET /admin/login/ HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
            return read_all(connection)

    def processes(self, role: str) -> list[int]:
        """Return the processes of this role."""
        found = []
        for each in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                is_called_so = (each / "comm").read_text().strip() == f"portolan-{role}"
                if is_called_so and f"PORTOLAN_PORT={self.port}".encode() in (each / "environ").read_bytes():
                    found.append(int(each.name))
        return found

    def worker(self) -> int:
        """Return the only serving process."""
        (child,) = Path(f"/proc/{self.process.pid}/task/{self.process.pid}/children").read_text().split()
        return int(child)

    def wait_until_it_answers(self) -> None:
        wait_until(self._answers)

    def _answers(self) -> bool:
        try:
            return b"200 OK" in self.get("/")
        except ConnectionError:
            assert self.process.poll() is None, self.process.stderr and self.process.stderr.read()
            return False


@contextmanager
def mounted_read_only(folder: Path) -> Iterator[None]:
    """Mount the folder read-only, like a disk that refuses writes."""
    mount = shutil.which("mount")
    if os.geteuid() != 0 or mount is None or subprocess.run([mount, "--bind", folder, folder]).returncode:
        pytest.skip("needs root and the right to mount")
    try:
        subprocess.run([mount, "-o", "remount,ro,bind", folder], check=True)
        yield
    finally:
        subprocess.run(["umount", "-l", folder], check=True)


def read_all(connection: socket.socket) -> bytes:
    parts = []
    while part := connection.recv(1 << 20):
        parts.append(part)
    return b"".join(parts)


@pytest.fixture
def server(tmp_path: Path) -> Iterator[Server]:
    with Server(tmp_path / "var").running() as server:
        yield server


def test_sigterm_lets_running_answers_end_and_takes_no_more(server: Server) -> None:
    with server.connect(LARGE_PATH) as running:
        began = running.recv(1000)
        server.process.send_signal(signal.SIGTERM)
        answer = began + read_all(running)
    assert answer.startswith(b"HTTP/1.1 200 OK")
    assert len(answer.partition(b"\r\n\r\n")[2]) == LARGE
    _, errors = server.process.communicate(timeout=LIMIT_S)
    assert server.process.returncode == 0
    assert "Traceback" not in errors
    assert f"http://de.localhost:{server.port}" in errors
    with pytest.raises(ConnectionRefusedError):
        server.connect("/")


def test_the_sites_outlive_a_server_process_that_is_killed_again_and_again(server: Server) -> None:
    killed: set[int] = set()
    while len(killed) < 3:  # the package would give up after two kills within seconds
        worker = server.worker()
        os.kill(worker, signal.SIGKILL)
        killed.add(worker)
        server.wait_until_it_answers()
    server.process.send_signal(signal.SIGTERM)
    _, errors = server.process.communicate(timeout=LIMIT_S)
    assert server.process.returncode == 0
    assert errors.count("A server process ended by itself.") == 3


def test_a_taken_port_is_named_with_the_fix() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(click.ClickException, match=rf"Port {port} .*--port {port + 1}"):
            server_module.check_port("127.0.0.1", port)
    server_module.check_port("127.0.0.1", port)


def test_a_var_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "var").write_text("a file where the folder should be")
    with pytest.raises(click.ClickException, match="PORTOLAN_VAR_DIR"):
        server_module.check_var_dir(tmp_path / "var")


def test_a_companion_that_ends_is_started_again(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    starts = tmp_path / "starts"
    code = f"open({str(starts)!r}, 'a').write('x'); exit(3)"
    publisher = Companion("publisher", [sys.executable, "-c", code], "Changes wait.", pauses_s=(0, 0))
    publisher.start()
    try:
        wait_until(lambda: starts.exists() and len(starts.read_text()) >= 3)
    finally:
        publisher.stop()
    assert "The publisher ended (exit code 3). Changes wait." in capfd.readouterr().err


def test_a_running_companion_is_ended_with_the_command(tmp_path: Path) -> None:
    file = tmp_path / "started"
    code = f"import pathlib, signal; pathlib.Path({str(file)!r}).touch(); signal.pause()"
    publisher = Companion("publisher", [sys.executable, "-c", code], "")
    publisher.start()
    try:
        wait_until(file.exists)
    finally:
        publisher.stop()
    process = publisher._process
    assert process is not None
    assert process.returncode == -signal.SIGTERM


def test_the_publisher_is_not_told_what_only_the_delivery_of_leads_needs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    registry = env().registry
    captcha = registry.captcha.model_copy(update={"secret_env": "CRM_SECRET"})
    settings = SimpleNamespace(registry=registry.model_copy(update={"captcha": captcha}), build_store="")
    monkeypatch.setattr(serve, "env", lambda: settings)
    for name in ("CRM_SECRET", "PORTOLAN_SMTP_URL", "DATABASE_URL"):
        monkeypatch.setenv(name, "canary")
    watch = RoleWatch(RoleBoard())
    publisher, applications = serve._publisher("", watch), Applications(tmp_path, 1, True, watch)
    deliver = applications._running
    for each in (applications._api, applications._studio):
        each.close()
    assert [name for name, value in publisher._environment.items() if value == "canary"] == ["DATABASE_URL"]
    assert {"CRM_SECRET", "PORTOLAN_SMTP_URL"} <= deliver._environment.keys()


def test_a_child_ends_with_its_killed_parent() -> None:
    child = (
        "import os, signal; from portolan.config.processes import end_with_parent; "
        "end_with_parent(os.getppid()); print('ready', flush=True); signal.pause()"
    )
    command = f"import subprocess, sys; subprocess.run([sys.executable, '-c', {child!r}])"
    with started([sys.executable, "-c", command], within_s=60, stdout=subprocess.PIPE) as parent:
        assert parent.stdout
        assert parent.stdout.readline() == "ready\n"
        parent.kill()
        assert parent.stdout.read() == ""  # the child kept the other end open until it died


def test_what_it_says_is_a_document_where_programs_read_the_log(
    monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(server_module, "env", lambda: Env(log="json"))
    monkeypatch.setattr(server_module, "configure_logs", lambda form: None)
    said: list[tuple[int, str]] = []
    monkeypatch.setattr(logging.getLogger("portolan.server"), "log", lambda level, line: said.append((level, line)))
    server_module.console.print("[yellow]The publisher ended.[/] It is started again.")
    server_module.console.print("Press Ctrl-C to stop.")
    assert said == [
        (logging.WARNING, "The publisher ended. It is started again."),
        (logging.INFO, "Press Ctrl-C to stop."),
    ]
    assert capfd.readouterr() == ("", "")


def test_the_studio_is_a_process_of_its_own_for_which_requests_wait(server: Server) -> None:
    """A process without Django serves the pages. Only the server's user may reach the studio directly."""
    assert begin_database(server.var / "portolan.sqlite3", "en")
    assert server.get_studio().startswith(b"HTTP/1.1 200 OK")
    (studio,) = server.processes("studio")
    (folder,) = server.var.glob(f"serve-{server.port}-*")
    assert folder.stat().st_mode & 0o777 == 0o700
    sockets = [folder / f"{role}.sock" for role in ("api", "studio")]
    assert [each.stat().st_mode & 0o777 for each in sockets] == [0o600, 0o600]
    os.kill(studio, signal.SIGKILL)
    assert server.get_studio().startswith(b"HTTP/1.1 200 OK"), "asked while it starts again"
    assert studio not in server.processes("studio")
    server.process.send_signal(signal.SIGTERM)
    _, errors = server.process.communicate(timeout=LIMIT_S)
    assert errors.count("The studio ended by itself.") == 1
    assert not folder.exists()


def test_a_restart_at_once_waits_for_the_first_and_keeps_its_own_sockets(server: Server) -> None:
    """Regression: the first server removed the sockets of the second; API and studio answered 503 until the next
    restart."""
    assert begin_database(server.var / "portolan.sqlite3", "en")
    assert server.get_studio().startswith(b"HTTP/1.1 200 OK")
    first = server.process
    with server.connect(LARGE_PATH) as slow:  # so that it takes time to stop
        slow.recv(1000)
        first.send_signal(signal.SIGTERM)
        with server.started_again():
            assert server.process.stderr
            said = server.process.stderr.readline()
            assert f"`portolan serve` (process {first.pid}) is ending" in said
            read_all(slow)
            server.wait_until_it_answers()
            assert first.wait(LIMIT_S) == 0
            assert server.get_studio().startswith(b"HTTP/1.1 200 OK")


def test_a_second_server_of_a_port_is_refused_by_name(server: Server) -> None:
    with server.started_again():
        _, said = server.process.communicate(timeout=LIMIT_S)
    assert server.process.returncode == 1
    assert f"Port {server.port} already has a `portolan serve`" in said
    assert "Nothing was started" in said


def test_a_var_folder_that_takes_nothing_keeps_nobody_from_reading(tmp_path: Path) -> None:
    """On a read-only file system the existing pages are served, and forms are refused."""
    read_only = Server(tmp_path / "var")
    assert begin_database(read_only.var / "portolan.sqlite3", "en")
    load_secret_key(read_only.var)
    with mounted_read_only(read_only.var), read_only.running():
        assert b"<title>Home</title>" in read_only.get("/")
        well = json.loads(read_only.get("/-/well").partition(b"\r\n\r\n")[2])
        assert not well["well"]
        assert "folder of leads" in well["warnings"][0]
        assert "cannot be written to (Read-only file system)." in well["warnings"][0]
        status = read_only.get("/-/ready").split()[1]
        assert status == b"200", "there is something to serve"
        read_only.process.send_signal(signal.SIGTERM)
        _, said = read_only.process.communicate(timeout=LIMIT_S)
    assert "Cannot write to" in said
    assert "Traceback" not in said
    assert read_only.process.returncode == 0

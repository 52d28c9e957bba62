"""`compose.yaml` brought up as an engine would: a container for each service, with its settings, names, volumes and restarts.

The Containerfile defines our images, which are built over the installed product. Other images are replaced by Debian's programs.
"""

import os
import re
import shlex
import signal
import subprocess
import sys
import threading
from pathlib import Path
from typing import Any, Final

import boto3
import yaml

from .disk import DISKS, DRILL, INSTALLED, PATH
from .documents import ROOT
from .machine import Machine
from .supervisor import children, wait_until

FOLDER: Final = ROOT / "deploy" / "container"
_VARIABLE: Final = re.compile(r"\$\{(\w+)(?::([-?])([^}]*))?\}")
_POSTGRES: Final = """\
install -d -o postgres /var/lib/postgresql/data /run/postgresql; cd /
as() { runuser -u postgres -- "$@"; }
data=/var/lib/postgresql/data
if [ ! -e $data/PG_VERSION ]; then
    echo "$POSTGRES_PASSWORD" > /tmp/password; chmod 644 /tmp/password
    as /usr/lib/postgresql/15/bin/initdb -D $data -U "$POSTGRES_USER" -E UTF8 --locale=C.UTF-8 -A scram-sha-256 --pwfile /tmp/password --no-sync > /dev/null
    echo "host all all all scram-sha-256" >> $data/pg_hba.conf
    echo "CREATE DATABASE $POSTGRES_DB" | as /usr/lib/postgresql/15/bin/postgres --single -D $data template1 > /dev/null || true
fi
exec runuser -u postgres -- /usr/lib/postgresql/15/bin/postgres -D $data -c "listen_addresses=*" -c fsync=off
"""
_CADDY: Final = """\
sed '0,/^{$/s//{\\n\\tlocal_certs\\n\\tskip_install_trust/' /etc/caddy/Caddyfile > /tmp/Caddyfile
exec env XDG_DATA_HOME=/data XDG_CONFIG_HOME=/tmp HOME=/tmp caddy run --config /tmp/Caddyfile --adapter caddyfile
"""
_OTHERS: Final = {
    "database": ["bash", "-euc", _POSTGRES],
    "cache": ["redis-server", "--bind", "0.0.0.0", "--protected-mode", "no"],
    "store": [sys.executable, "-m", "moto.server", "-H", "0.0.0.0", "-p", "9000"],
    "front": ["bash", "-euc", _CADDY],
}


class Image:
    """The last stage of the Containerfile."""

    def __init__(self) -> None:
        last = (FOLDER / "Containerfile").read_text().replace("\\\n", " ").rpartition("\nFROM ")[2]
        self.environment = dict(re.findall(r"(\w+)=(\S+)", " ".join(re.findall(r"(?m)^ENV (.*)$", last))))
        (self.folder,) = re.findall(r"(?m)^WORKDIR (.*)$", last)
        (self.user,) = re.findall(r"(?m)^USER (.*)$", last)
        (self.volume,) = re.findall(r"(?m)^VOLUME (.*)$", last)
        (entrypoint,) = re.findall(r"(?m)^ENTRYPOINT (.*)$", last)
        self.entrypoint: list[str] = yaml.safe_load(entrypoint)
        assert f"install --directory --owner portolan --mode 700 {self.volume}" in last
        (self.home,) = re.findall(rf"useradd --system --uid {self.user} --home-dir (\S+) ", last)


class Compose:
    """``project``: the project folder of the Compose file; ``secrets``: the variables of `.env`."""

    def __init__(self, project: Path, secrets: dict[str, str]) -> None:
        self._project, self._secrets = project, secrets
        whole = yaml.safe_load(_VARIABLE.sub(self._fill_in, (FOLDER / "compose.yaml").read_text()))
        self.services: dict[str, Any] = whole["services"]
        self._network = whole["networks"]["inside"]["ipam"]["config"][0]["subnet"].rpartition(".")[0]
        self._volumes = {*whole["volumes"]}
        self.image = Image()
        self.running: dict[str, Container] = {}

    def _fill_in(self, match: re.Match[str]) -> str:
        name, kind, other = match.groups()
        value = self._secrets.get(name, "")
        assert value or kind != "?", f"{name} is not set: {other}"
        return value or (other if kind == "-" else "")

    def address(self, name: str) -> str:
        return f"{self._network}.{10 + [*self.services].index(name)}"

    def up(self, names: list[str]) -> None:
        for name in names or self.services:
            if name not in self.running:
                self.running[name] = Container(self, name)
                self.running[name].keep()

    def run(self, name: str, command: list[str], volumes: list[str]) -> None:
        """Run a command in a temporary container, as `run --rm` does."""
        once = Container(self, name, f"{self._network}.99", volumes)
        done = once.machine.start(self.start_of(name, command), subprocess.PIPE, text=True)
        said, complained = done.communicate(timeout=600)
        once.machine.remove()
        assert done.returncode == 0, f"{name} {command}: {said}{complained}"

    def place(self, source: str) -> Path:
        """Return the folder of a named volume, or a folder next to the Compose file."""
        if source == "./project":
            return self._project
        if source.startswith("."):
            return (FOLDER / source).resolve()
        assert source in self._volumes, f"{source} is no volume of the file's"
        folder = DISKS / "volumes" / source
        if not folder.exists():
            folder.mkdir(parents=True)
            if source not in ("certificates", "database", "store"):  # as it is in the image, whose folder it stands for
                subprocess.run(["chown", f"{self.image.user}:{self.image.user}", folder], check=True)
                folder.chmod(0o700)
        return folder

    def hosts(self) -> str:
        return "127.0.0.1 localhost\n" + "".join(f"{self.address(name)} {name}\n" for name in self.services)

    def start_of(self, name: str, command: list[str]) -> list[str]:
        """As the first process of its container."""
        first = ["unshare", "--pid", "--fork", "--kill-child", "--mount-proc", "env", "-i"]
        service = self.services[name]
        variables = {key: "" if value is None else str(value) for key, value in service.get("environment", {}).items()}
        if name in _OTHERS:
            return [*first, f"PATH={PATH}", *(f"{key}={value}" for key, value in variables.items()), *_OTHERS[name]]
        known = {"HOME": self.image.home, **self.image.environment, **variables}
        become = ["setpriv", f"--reuid={self.image.user}", f"--regid={self.image.user}", "--clear-groups"]
        folder = ["-C", self.image.folder]
        settings = (f"{key}={value}" for key, value in known.items())
        return [*first, *folder, *settings, *become, *self.image.entrypoint, *command]

    def carry_out(self, line: str) -> None:
        """Run `podman compose …` as the documents write it."""
        words = shlex.split(line, comments=True)
        assert words[:2] == ["podman", "compose"], line
        match words[2:]:
            case ["up", "--detach", *names]:
                self.up(names)
            case ["run", "--rm", "--volume", volume, name, *command]:
                self.run(name, command, [volume])
            case ["run", "--rm", name, *command]:
                self.run(name, command, [])
            case ["exec", "store", "mc", "mb", "--ignore-existing", bucket]:
                self.make_bucket(bucket.removeprefix("/data/"))
            case other:
                raise AssertionError(f"nobody here knows {other}")

    def make_bucket(self, name: str) -> None:
        address = f"http://{self.address('store')}:9000"
        boto3.client("s3", endpoint_url=address, region_name="us-east-1").create_bucket(Bucket=name)

    def down(self) -> None:
        for container in [*self.running.values()]:
            container.stop()


class Container:
    def __init__(self, compose: Compose, name: str, address: str = "", volumes: list[str] | None = None) -> None:
        self.name, self._compose = name, compose
        self.service = compose.services[name]
        assert self.service["restart"] == "unless-stopped"
        kind = "c-" if not address else "r-"
        self.machine = Machine(
            f"{kind}{name}", address or compose.address(name), () if name == "store" else (INSTALLED,)
        )
        self.machine.write("/etc/resolv.conf", "nameserver 127.0.0.1\n")
        self.machine.write("/etc/hosts", compose.hosts())
        accounts = self.machine.path("/etc/passwd").read_text()
        user = compose.image.user
        self.machine.write("/etc/passwd", f"{accounts}image:x:{user}:{user}::{compose.image.home}:/usr/sbin/nologin\n")
        for volume in [*self.service.get("volumes", ()), *(volumes or ())]:
            source, target, *mode = volume.split(":")
            self.machine.mount(compose.place(source), target, read_only=mode == ["ro"])
        self.starts = 0
        self._ended = threading.Event()
        self._process: subprocess.Popen[bytes] | None = None
        self._thread = threading.Thread(target=self._keep_running, daemon=True)

    def keep(self) -> None:
        self._thread.start()
        wait_until(lambda: self.starts > 0, f"{self.name} is started")

    def _keep_running(self) -> None:
        while not self._ended.is_set():
            with (DRILL / "logs" / f"compose-{self.name}.log").open("ab") as output:
                command = self._compose.start_of(self.name, self.service.get("command", []))
                self._process = self.machine.start(command, output)
            self.starts += 1
            self._process.wait()
            self._ended.wait(0.5)

    def signal(self, number: signal.Signals) -> None:
        """To the first process of the container."""
        assert self._process
        for child in children(self._process.pid)[:1]:
            os.kill(child, number)

    def stop(self) -> None:
        self._ended.set()
        self.signal(signal.SIGTERM)
        assert self._process
        try:
            self._process.wait(int(self.service.get("stop_grace_period", "10s").rstrip("s")))
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
            assert self.name in _OTHERS, f"{self.name} does not end when it is asked to"
        self._thread.join()
        self.machine.remove()

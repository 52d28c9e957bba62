"""Machines of the drill: each has a disk over this machine's, an address, and its own processes."""

import ctypes
import os
import shutil
import socket
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from http.client import HTTPConnection
from pathlib import Path
from typing import IO, Any, Final, NamedTuple

from .disk import DISKS, INSTALLED, PATH, mount_script
from .documents import ROOT, Block, note_carried_out

_GATEWAYS: Final = ("10.0.0.1", "10.87.0.1")
"""Of the machines' network and of the containers': the drill itself, and beyond it all visitors."""
_NETWORK: Final = 0x40000000  # CLONE_NEWNET
_BRIDGE: Final = "drill0"
_HOLD: Final = """\
ip link set lo up
hostname "$3"
echo ready
exec chroot "$2/root" sleep infinity
"""


class Reply(NamedTuple):
    status: int
    body: bytes

    @property
    def text(self) -> str:
        return self.body.decode()


class StepError(AssertionError):
    """A step that failed, with its output."""


def make_network(visitors: Sequence[str]) -> None:
    """Machines' network, and beyond its gateway the visitors'."""
    for command in (
        "ip link set lo up",
        f"ip link add {_BRIDGE} address 02:00:00:00:00:01 type bridge",  # its own, whoever comes and goes
        *(f"ip addr add {gateway}/24 dev {_BRIDGE}" for gateway in _GATEWAYS),
        *(f"ip addr add {address}/32 dev lo" for address in visitors),
        f"ip link set {_BRIDGE} up",
    ):
        subprocess.run(command.split(), check=True)


class Machine:
    def __init__(self, name: str, address: str, layers: Sequence[Path] = (INSTALLED,)) -> None:
        self.name, self.address = name, address
        mount, *values = mount_script(name, layers)
        self.root = Path(values[1]) / "root"
        command = ["unshare", "--mount", "--net", "--uts", "--", "sh", "-euc", mount + _HOLD, "sh", *values, name]
        self._holder = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self._holder.stdout
        assert self._holder.stdout.readline() == "ready\n", f"{name} could not be made"
        self._connect()

    def _connect(self) -> None:
        pid, link = str(self._holder.pid), f"to-{self.name}"
        # A machine that replaces another also takes its hardware address, so other machines need no new ARP entry.
        hardware = "02:00:" + ":".join(f"{int(part):02x}" for part in self.address.split("."))
        for command in (
            f"ip link add {link} type veth peer name eth0 address {hardware} netns {pid}",
            f"ip link set {link} master {_BRIDGE} up",
            f"nsenter -t {pid} -n ip addr add {self.address}/24 dev eth0",
            f"nsenter -t {pid} -n ip link set eth0 up",
            f"nsenter -t {pid} -n ip route add default via {self.address.rpartition('.')[0]}.1",
        ):
            subprocess.run(command.split(), check=True)

    @contextmanager
    def unreachable(self) -> Iterator[None]:
        """Unplug the network cable: packets disappear without an error."""
        subprocess.run(["ip", "link", "set", f"to-{self.name}", "down"], check=True)
        try:
            yield
        finally:
            subprocess.run(["ip", "link", "set", f"to-{self.name}", "up"], check=True)

    def start(self, command: Sequence[str], output: IO[Any] | int, **options: Any) -> "subprocess.Popen[Any]":
        """A process there, which leads a session of its own."""
        inside = ["nsenter", "-t", str(self._holder.pid), "--mount", "--net", "--uts", "--root", "--wd", "--"]
        return subprocess.Popen(
            [*inside, *command],
            **{
                "stdin": subprocess.DEVNULL,
                "stdout": output,
                "stderr": subprocess.PIPE if output == subprocess.PIPE else subprocess.STDOUT,
                "start_new_session": True,
                **options,
            },
        )

    def processes(self) -> list[int]:
        """Return all processes on the machine except the one that keeps the machine alive."""
        found = []
        own = os.readlink(f"/proc/{self._holder.pid}/ns/net")  # noqa: PTH115  (it leads nowhere)
        for folder in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                if os.readlink(folder / "ns" / "net") == own:  # noqa: PTH115
                    found.append(int(folder.name))
        return [process for process in found if process != self._holder.pid]

    def run(self, script: str, env: Mapping[str, str] | None = None, folder: Path = ROOT) -> str:
        """Run a shell script as root in a folder with ``dist`` and ``deploy``. Return its stdout."""
        clean = {"PATH": PATH, "HOME": "/root", "LANG": "C.UTF-8"}
        quiet = {"DEBIAN_FRONTEND": "noninteractive", "APT_CONFIG": "/etc/apt/drill.conf"}
        variables = {**clean, **quiet, **(env or {})}
        process = self.start(
            [
                "env",
                "-i",
                "-C",
                str(folder),
                *(f"{key}={value}" for key, value in variables.items()),
                "bash",
                "-euc",
                script,
            ],
            subprocess.PIPE,
            text=True,
        )
        said, complained = process.communicate(timeout=600)
        if process.returncode:
            raise StepError(f"on {self.name}: {script}\nended with {process.returncode}:\n{said}{complained}")
        return str(said)

    def ask(self, host: str, port: int, path: str, name: str) -> Reply:
        """Send a request from this machine to its own server. ``name`` is the Host header."""
        with Path(f"/proc/{self._holder.pid}/ns/net").open() as there, Path("/proc/thread-self/ns/net").open() as here:
            _enter(there.fileno())
            try:
                link = socket.socket()
            finally:
                _enter(here.fileno())
        link.settimeout(10)
        with link:
            link.connect((host, port))
            connection = HTTPConnection(name)
            connection.sock = link
            connection.request("GET", path, headers={"Host": name, "Connection": "close"})
            answer = connection.getresponse()
            return Reply(answer.status, answer.read())

    def carry_out(self, *steps: Block, **instead: str) -> str:
        """Run the steps and return their output. ``instead`` replaces words of a step, such as ``PASSWORD``."""
        said = ""
        for step in steps:
            text = step.text
            for word, written in instead.items():
                text = text.replace(word, written)
            said += self.run(f"exec 2>&1\n{text}")
            note_carried_out(step)
        return said

    def write(self, path: str, text: str | bytes) -> None:
        """Keeps owner and mode of a file that is there."""
        file = Path(f"/proc/{self._holder.pid}/root") / path.lstrip("/")
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(text if isinstance(text, bytes) else text.encode())

    def path(self, path: str) -> Path:
        """Return the path of the machine's file on this machine. Absolute links of the machine do not resolve here."""
        return Path(f"/proc/{self._holder.pid}/root") / path.lstrip("/")

    def mount(self, source: Path, path: str, read_only: bool = False) -> None:
        """A folder or file of the drill, as a volume."""
        place = self.path(path)
        if source.is_dir():
            place.mkdir(parents=True, exist_ok=True)
        else:
            self.write(path, "")
        there = str(self.root / path.lstrip("/"))
        how = ["-o", "bind,ro"] if read_only else ["--bind"]
        inside = ["nsenter", "-t", str(self._holder.pid), "--mount", "--", "mount"]
        subprocess.run([*inside, *how, str(source), there], check=True)

    def remove(self) -> None:
        """Remove the machine and its disk. End its processes first."""
        self._holder.kill()
        self._holder.wait()
        subprocess.run(["ip", "link", "del", f"to-{self.name}"], check=False, stderr=subprocess.DEVNULL)
        shutil.rmtree(DISKS / self.name, ignore_errors=True)


def copy_tree(source: Machine, path: str, target: Machine, without: Sequence[str] = ()) -> None:
    """As an administrator would by rsync: names of owners count, not their numbers."""
    read = source.start(
        ["tar", "-C", "/", *(f"--exclude={name}" for name in without), "-cf", "-", path.lstrip("/")], subprocess.PIPE
    )
    assert read.stdout
    write = subprocess.run(
        ["nsenter", "-t", str(target._holder.pid), "--mount", "--root", "--", "tar", "-C", "/", "-xf", "-"],
        stdin=read.stdout,
    )
    assert read.wait() == 0
    assert write.returncode == 0


def _enter(namespace: int) -> None:
    """The network that this thread makes sockets in."""
    if ctypes.CDLL(None, use_errno=True).setns(namespace, _NETWORK):
        raise OSError(ctypes.get_errno(), "a machine's network cannot be entered")

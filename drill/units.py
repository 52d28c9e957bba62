"""Services as systemd would start them: units of `deploy/systemd`, and Debian's own in a few words."""

import re
import shlex
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from .disk import PATH
from .machine import Machine

_UNITS: Final = "/etc/systemd/system"


class Unit(NamedTuple):
    command: list[str]
    user: str = "root"
    folder: str = "/"
    environment: dict[str, str] = {}
    umask: str = "0022"
    restart_s: float | None = 0.1
    """None: one that has ended stays so."""
    stop_s: float = 90
    state: str = ""
    """The folder below /var/lib that is made for it."""
    private_tmp: bool = False
    hardened: bool = False
    runtime: str = ""
    reload: list[str] | None = None
    ends_by_itself: bool = False
    """Its first process is told to end, and it ends the others (``KillMode=mixed``)."""
    keeps_socket: bool = False


class Kept(NamedTuple):
    """A socket that outlives the process that listens on it."""

    name: str
    file: int


_DEBIANS: Final = {
    "postgresql": Unit(
        [
            *("/usr/lib/postgresql/15/bin/postgres", "-D", "/var/lib/postgresql/15/main"),
            *("-c", "config_file=/etc/postgresql/15/main/postgresql.conf", "-c", "fsync=off"),
        ],
        user="postgres",
        runtime="postgresql",
    ),
    "redis-server": Unit(
        ["/usr/bin/redis-server", "/etc/redis/redis.conf", "--daemonize", "no", "--supervised", "no"],
        user="redis",
        runtime="redis",
    ),
    "nginx": Unit(["/usr/sbin/nginx", "-g", "daemon off;"], reload=["/usr/sbin/nginx", "-s", "reload"]),
}
"""As Debian's packages have them; none of them is ours to test. A test's disk need not outlive a power cut."""


def read_unit(machine: Machine, name: str) -> Unit:
    return _DEBIANS[name] if name in _DEBIANS else _read_file(machine, machine.path(f"{_UNITS}/{name}.service"))


def _read_file(machine: Machine, file: Path) -> Unit:
    values: dict[str, list[str]] = {}
    for line in file.read_text().splitlines():
        key, equals, value = line.partition("=")
        if equals and not line.startswith("#"):
            values.setdefault(key, []).append(value)
    one = {key: each[-1] for key, each in values.items()}
    environment = dict(pair.split("=", 1) for pair in values.get("Environment", []))
    for name in values.get("EnvironmentFile", []):
        environment |= read_environment(machine.path(name).read_text())
    assert one["Restart"] == "always"
    return Unit(
        [*_expand(one["ExecStart"], environment)],
        one["User"],
        one["WorkingDirectory"],
        environment,
        one["UMask"],
        float(one["RestartSec"]),
        float(one["TimeoutStopSec"]),
        one["StateDirectory"],
        one["PrivateTmp"] == "yes",
        one["NoNewPrivileges"] == "yes" and one["CapabilityBoundingSet"] == "",
        ends_by_itself=one.get("KillMode") == "mixed",
        keeps_socket=one.get("NotifyAccess") == "main" and one.get("FileDescriptorStoreMax") == "1",
    )


def _expand(line: str, environment: Mapping[str, str]) -> Iterator[str]:
    """Its words: ``$NAME`` alone is as many as there are in the variable, ``${NAME}`` part of one."""
    for word in shlex.split(line):
        if re.fullmatch(r"\$\w+", word):
            yield from shlex.split(environment.get(word[1:], ""))
        else:
            yield re.sub(r"\$\{(\w+)\}", lambda name: environment.get(name[1], ""), word)


def read_environment(text: str) -> dict[str, str]:
    """As systemd reads ``EnvironmentFile``: lines, and nothing behind a value."""
    lines = [line for line in text.splitlines() if line and line[0] not in "#;"]
    return dict(line.split("=", 1) for line in lines)


def as_service(unit: Unit, notified: str = "", kept: Kept | None = None) -> list[str]:
    """Return the command that starts the unit on its machine and becomes the unit's process.

    ``notified`` is the socket for the unit's status messages.
    """
    variables = {"PATH": PATH, "LANG": "C.UTF-8", **unit.environment}
    prepare = ["cd /", f"umask {unit.umask}"]
    listens = ""
    if notified:
        variables["NOTIFY_SOCKET"] = notified
    if kept:
        variables |= {"LISTEN_FDS": "1", "LISTEN_FDNAMES": kept.name}
        prepare.append(f"exec 3<&{kept.file} {kept.file}<&-")
        listens = "LISTEN_PID=$$ "
    for folder in [f"/run/{unit.runtime}"] * bool(unit.runtime) + [f"/var/lib/{unit.state}"] * bool(unit.state):
        prepare.append(f"install -d -o {unit.user} -g {unit.user} {folder}")
    if unit.private_tmp:
        prepare.append("mount -t tmpfs -o mode=1777 tmpfs /tmp")
    become = ["setpriv", f"--reuid={unit.user}", f"--regid={unit.user}", "--init-groups"] if unit.user != "root" else []
    if unit.hardened:
        become += ["--no-new-privs", "--bounding-set=-all"]
    start = f"env -i -C {shlex.quote(unit.folder)} {listens}" + shlex.join(
        [
            *(f"{key}={value}" for key, value in variables.items()),
            *become,
            *unit.command,
        ]
    )
    shell = ["bash", "-euc", "; ".join([*prepare, f"exec {start}"])]
    return ["unshare", "--mount", "--", *shell] if unit.private_tmp else shell

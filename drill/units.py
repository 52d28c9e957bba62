"""Services as systemd would start them: units of `deploy/systemd`, and Debian's own in a few words."""

import shlex
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
        shlex.split(one["ExecStart"]),
        one["User"],
        one["WorkingDirectory"],
        environment,
        one["UMask"],
        float(one["RestartSec"]),
        float(one["TimeoutStopSec"]),
        one["StateDirectory"],
        one["PrivateTmp"] == "yes",
        one["NoNewPrivileges"] == "yes" and one["CapabilityBoundingSet"] == "",
    )


def read_environment(text: str) -> dict[str, str]:
    """As systemd reads ``EnvironmentFile``: lines, and nothing behind a value."""
    lines = [line for line in text.splitlines() if line and line[0] not in "#;"]
    return dict(line.split("=", 1) for line in lines)


def as_service(unit: Unit) -> list[str]:
    """The command that starts it on its machine, so that its process is that of the command."""
    variables = {"PATH": PATH, "LANG": "C.UTF-8", **unit.environment}
    prepare = ["cd /", f"umask {unit.umask}"]
    for folder in [f"/run/{unit.runtime}"] * bool(unit.runtime) + [f"/var/lib/{unit.state}"] * bool(unit.state):
        prepare.append(f"install -d -o {unit.user} -g {unit.user} {folder}")
    if unit.private_tmp:
        prepare.append("mount -t tmpfs -o mode=1777 tmpfs /tmp")
    become = ["setpriv", f"--reuid={unit.user}", f"--regid={unit.user}", "--init-groups"] if unit.user != "root" else []
    if unit.hardened:
        become += ["--no-new-privs", "--bounding-set=-all"]
    start = shlex.join(
        [
            "env",
            "-i",
            "-C",
            unit.folder,
            *(f"{key}={value}" for key, value in variables.items()),
            *become,
            *unit.command,
        ]
    )
    shell = ["sh", "-euc", "; ".join([*prepare, f"exec {start}"])]
    return ["unshare", "--mount", "--", *shell] if unit.private_tmp else shell

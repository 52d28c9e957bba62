"""Run a Ray cluster on loopback for tests and benchmarks: ``python -m portolan_dev.bench.ray_nodes NODES CPUS``.

Prints its address, then reads lines: ``kill N`` ends a node as a power cut would. It ends with all its processes when
its input ends.
"""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from secrets import token_hex
from typing import Any, Final, NamedTuple

ENVIRONMENT: Final = {
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # otherwise Ray replaces 127.0.0.1 by the machine's address
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": token_hex(32),
}
"""Clients need these variables too."""
_OBJECTS_BYTES: Final = 200 << 20
_ENDS_WITHIN_S: Final = 20


class RayNodes(NamedTuple):
    address: str
    process: "subprocess.Popen[str]"

    def kill(self, number: int) -> None:
        """Kill a node. Node 0 is the head of the cluster."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(f"kill {number}\n")
        self.process.stdin.flush()
        self.process.stdout.readline()


@contextmanager
def ray_nodes(nodes: int, cpus: int, environment: Mapping[str, str] | None = None) -> Iterator[RayNodes]:
    """Start a cluster. ``environment``: variables of nodes, in addition to those for Ray."""
    with (
        tempfile.TemporaryFile("w+") as said,
        subprocess.Popen(
            [sys.executable, "-m", "portolan_dev.bench.ray_nodes", str(nodes), str(cpus)],
            env={**os.environ, **(environment or {}), **ENVIRONMENT},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=said,
            text=True,
        ) as process,
    ):
        assert process.stdin
        assert process.stdout
        try:
            address = process.stdout.readline().strip()
            if not address:
                said.seek(0)
                raise RuntimeError(f"Ray did not start on loopback:\n{said.read()[-3000:]}")
            yield RayNodes(address, process)
        finally:
            process.stdin.close()
            try:
                process.wait(_ENDS_WITHIN_S)
            except subprocess.TimeoutExpired:
                process.kill()


def main(nodes: int, cpus: int) -> None:
    folder = tempfile.mkdtemp(prefix="ray-", dir="/tmp")  # paths of its sockets must be short
    # Ray always stores the newest cluster in a global folder, which a new machine lacks.
    os.environ["RAY_TMPDIR"] = folder
    (Path(folder) / "ray").mkdir()
    from ray.cluster_utils import Cluster

    output = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    cluster: Any = Cluster()
    options: dict[str, Any] = {
        "num_cpus": cpus,
        "node_ip_address": "127.0.0.1",
        "object_store_memory": _OBJECTS_BYTES,
        "include_dashboard": False,
        "include_log_monitor": False,
        "temp_dir": folder,
    }
    try:
        started = [cluster.add_node(wait=False, **options) for _ in range(nodes)]
        output.write(f"{cluster.address}\n")
        for line in sys.stdin:
            cluster.remove_node(started[int(line.split()[1])], allow_graceful=False)
            output.write("done\n")
    finally:
        cluster.shutdown()
        shutil.rmtree(Path(folder), ignore_errors=True)


if __name__ == "__main__":
    main(int(sys.argv[1]), int(sys.argv[2]))

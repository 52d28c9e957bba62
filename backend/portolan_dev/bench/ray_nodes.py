"""A Ray cluster on this machine's loopback, for tests and benchmarks: ``python -m portolan_dev.bench.ray_nodes NODES CPUS``.

Prints its address, then takes lines: ``kill N`` ends a node as a power cut would. It ends, with all that it started, when its
input does.
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
    "RAY_ENABLE_WINDOWS_OR_OSX_CLUSTER": "0",  # else Ray takes the machine's own address for 127.0.0.1
    "RAY_USAGE_STATS_ENABLED": "0",
    "RAY_AUTH_MODE": "token",
    "RAY_AUTH_TOKEN": token_hex(32),
}
"""For whoever speaks to it as well."""
_OBJECTS_BYTES: Final = 200 << 20
_ENDS_WITHIN_S: Final = 20


class RayNodes(NamedTuple):
    address: str
    process: "subprocess.Popen[str]"

    def kill(self, number: int) -> None:
        """The first one, number 0, holds the cluster together."""
        assert self.process.stdin
        assert self.process.stdout
        self.process.stdin.write(f"kill {number}\n")
        self.process.stdin.flush()
        self.process.stdout.readline()


@contextmanager
def ray_nodes(nodes: int, cpus: int, environment: Mapping[str, str] | None = None) -> Iterator[RayNodes]:
    """``environment``: what nodes have, beside what Ray needs here."""
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
                raise RuntimeError(f"Ray did not start on this machine's loopback:\n{said.read()[-3000:]}")
            yield RayNodes(address, process)
        finally:
            process.stdin.close()
            try:
                process.wait(_ENDS_WITHIN_S)
            except subprocess.TimeoutExpired:
                process.kill()


def main(nodes: int, cpus: int) -> None:
    folder = tempfile.mkdtemp(prefix="ray-", dir="/tmp")  # its sockets' paths may not be long
    # Whatever folder it is given, Ray notes the newest cluster in one of the machine, which is not there on a new one.
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

"""docs/deploy/ray.md, "As services": everything is rendered by machines of a cluster, one of which is lost in the middle."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path
from secrets import token_hex
from typing import Final

import pytest

from portolan.builds.live import read_live
from portolan.builds.manifest import read_manifest

from .documents import read_blocks
from .supervisor import command_line, wait_until
from .test_2_many_servers import wait_until_ready
from .world import ADDRESS_OF, PASSWORD, World

PAGE: Final = "ray.md"
Files = dict[tuple[str, str], str]
"""The digest of every live file, by site and path."""
NODES: Final = ("render1", "render2")
BUILDS: Final = "/var/lib/portolan/builds"
ALL_PAGES: Final = "PORTOLAN_RAY_FROM_PAGES=1\n"
RENDERS: Final = "ray::NodeRenderer.render"
BY_ITSELF: Final = "this machine renders by itself"
# As the services run it, but onto an empty disk and into an empty part of the store.
_APART: Final = """
install -d -o portolan -g portolan -m 700 /srv/{0}
cd /etc/portolan
while IFS= read -r line; do case $line in '' | '#'*) ;; *) export "$line" ;; esac; done <environment
export HOME=/var/lib/portolan PORTOLAN_VAR_DIR=/srv/{0} PORTOLAN_BUILD_STORE=s3://acme-portolan/{0} PORTOLAN_RAY_ADDRESS={1}
exec runuser -u portolan -- /opt/portolan/bin/portolan publish 2>&1
"""


@pytest.fixture(scope="module")
def cluster(world: World) -> Iterator[Files]:
    """Start the cluster by the page's steps, and return the live files before the last step, which publishes.

    The cluster ends with these tests, because other tests need the processors.
    """
    _, first, node, publisher = read_blocks(PAGE, "As services")
    (block,) = read_blocks(PAGE, "As services", "ini")
    settings = block.text.replace("A_TOKEN", token_hex(32)).replace("A_PASSWORD", PASSWORD)
    publisher1 = world.machines["publisher1"]
    publisher1.write("/etc/portolan/ray", settings)
    publisher1.carry_out(first)
    for name in NODES:
        world.add(name).write("/etc/portolan/ray", f"{settings}RAY_START_OPTIONS=--num-cpus=1\n")
        world.machines[name].carry_out(node)
    wait_until(lambda: has_processors(world, len(NODES)), "both machines have joined")
    place = publisher1.path("/etc/portolan/environment")
    before = place.read_text()
    place.write_text(before + ALL_PAGES)
    live = files(publisher1.path(BUILDS))
    began = time.monotonic()
    said = publisher1.carry_out(publisher)
    assert BY_ITSELF not in said, said
    world.note(f"Ray: everything rendered by two machines after {time.monotonic() - began:.0f} s, their start included")
    wait_until_ready(world, "publisher1")
    yield live
    for name in NODES:
        if name in world.machines:
            world.remove(name)
    place.write_text(before)
    world.supervisors["publisher1"].obey(["stop", "portolan-ray-head"])
    world.supervisors["publisher1"].obey(["restart", "portolan-publisher"])
    wait_until_ready(world, "publisher1")


def has_processors(world: World, wanted: int) -> bool:
    said = world.machines["publisher1"].run(
        "export $(grep RAY_ /etc/portolan/ray); /opt/portolan/bin/ray status --address=$PORTOLAN_RAY_ADDRESS 2>&1 || true"
    )
    return f"/{wanted}.0 CPU" in said


def files(builds: Path) -> Files:
    found: Files = {}
    for site, build in read_live(builds).builds.items():
        found |= {(site, path): file.digest for path, file in read_manifest(builds, site, build).files.items()}
    return found


def publish_apart(world: World, name: str, address: str = "") -> "subprocess.Popen[str]":
    return world.machines["publisher1"].start(
        ["bash", "-euc", _APART.format(name, address)], subprocess.PIPE, text=True, stderr=subprocess.STDOUT
    )


def test_a_publish_of_everything_on_a_cluster(world: World, cluster: Files) -> None:
    publisher1 = world.machines["publisher1"]
    publisher1.run("portolan verify")
    assert cluster
    assert files(publisher1.path(BUILDS)) == cluster


def test_nothing_is_lost_with_a_machine_of_the_cluster(world: World, cluster: Files) -> None:
    local = publish_apart(world, "local")
    said, _ = local.communicate(timeout=300)
    assert local.returncode == 0, said
    root = world.machines["publisher1"].path("/srv")
    assert files(root / "local" / "builds") == cluster
    began = time.monotonic()
    publish = publish_apart(world, "cluster", f"{ADDRESS_OF['publisher1']}:6379")
    found: list[str] = []

    def renders() -> bool:
        assert publish.poll() is None, publish.communicate()[0]
        found.extend(name for name in NODES if not found and freeze(world, name))
        return bool(found)

    wait_until(renders, "a machine of the cluster is in the middle of a batch")
    lost = found[0]
    world.lose(lost)
    said, _ = publish.communicate(timeout=300)
    assert publish.returncode == 0, said
    assert f"Node {ADDRESS_OF[lost]} of the Ray cluster was lost with its batches" in said
    assert BY_ITSELF not in said, said
    assert files(root / "cluster" / "builds") == cluster
    world.note(
        f"{len(cluster)} files by a Ray cluster of two machines, one of them lost in the middle: "
        f"equal to a local publish's, after {time.monotonic() - began:.0f} s"
    )


def freeze(world: World, name: str) -> bool:
    """Whether the machine is in the middle of a batch: then it is stopped there."""
    for process in world.machines[name].processes():
        if command_line(process) == RENDERS:
            os.kill(process, signal.SIGSTOP)
            if command_line(process) == RENDERS:
                return True
            os.kill(process, signal.SIGCONT)
    return False

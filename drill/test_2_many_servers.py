"""docs/deploy/many-servers.md: the one server becomes nine machines, with nothing lost and the sites served throughout."""

import time
from http.client import HTTPException

import boto3

from .documents import read_blocks
from .machine import copy_tree
from .supervisor import wait_until
from .visitors import Visitors
from .world import FRONT, OTHERS, PASSWORD, PDF, SECRET, World

PAGE = "many-servers.md"
ROLES = {
    "publisher1": "publisher",
    "publisher2": "publisher",
    "api": "api",
    "studio": "studio",
    "delivery": "delivery",
    "web1": "edge",
    "web2": "edge",
}
PORTS = {"edge": 8000, "studio": 8001, "api": 8002, "publisher": 8003, "delivery": 8004}


def settle(world: World, name: str) -> None:
    """A machine has the settings and the project, and mounts the media."""
    machine = world.machines[name]
    (block,) = read_blocks(PAGE, "Install", "ini")
    text = block.text.replace("A_SECRET", SECRET).replace("A_PASSWORD", PASSWORD)
    text = text.replace("PORTOLAN_HOST=AN_ADDRESS\n", f"PORTOLAN_HOST={machine.address}\n" if name != "web1" else "")
    machine.write("/etc/portolan/environment", text)
    if name != "web1":
        copy_tree(world.machines["web1"], "/etc/portolan", machine, without=["environment"])


def move_files(world: World) -> None:
    """Uploads and files of leads, as `aws s3 sync` would."""
    store = boto3.client("s3", endpoint_url=f"http://{OTHERS}:9000", region_name="us-east-1")
    for name, bucket in (("media", "acme-portolan-media"), ("leads/files", "acme-portolan-leads")):
        folder = world.machines["web1"].path(f"/var/lib/portolan/{name}")
        for file in folder.rglob("*"):
            if file.is_file():
                store.upload_file(str(file), bucket, f"production/{file.relative_to(folder)}")


def is_ready(world: World, name: str) -> bool:
    machine, port = world.machines[name], PORTS[ROLES[name]]
    host = machine.address if ROLES[name] in ("edge", "api", "studio") and name != "web1" else "127.0.0.1"
    try:
        return machine.ask(host, port, "/-/ready", "acme.example").status == 200
    except (OSError, HTTPException):
        return False


def wait_until_ready(world: World, *names: str) -> None:
    for name in names:
        wait_until(lambda name=name: is_ready(world, name), f"{name} is ready")


def share_builds(world: World) -> None:
    """Let web1 upload the live builds to the store; keep its other settings."""
    (block,) = read_blocks(PAGE, "Install", "ini")
    lines = block.text.replace("A_PASSWORD", PASSWORD).splitlines()
    place = world.machines["web1"].path("/etc/portolan/environment")
    shared = [line for line in lines if line.startswith(("PORTOLAN_BUILD_STORE=", "AWS_"))]
    place.write_text("\n".join([place.read_text().rstrip(), *shared, ""]))


def test_a_second_edge(world: World) -> None:
    """Requests wait while the only server starts again."""
    web1, pages = world.machines["web1"], world.pages()
    restart, edge = read_blocks(PAGE, "A second edge")
    world.add("web2")
    settle(world, "web2")
    with Visitors(world.authority, FRONT, pages) as visitors:
        share_builds(world)
        web1.carry_out(restart)
        wait_until(world.serves, "web1 serves again")
        world.machines["web2"].carry_out(edge)
        wait_until_ready(world, "web2")
    world.note(f"one server restarted, and a second edge: {visitors}")
    assert not visitors.failures, visitors


def test_a_machine_for_each_role(world: World) -> None:
    """Visitors can read while the database moves; they send their leads again afterwards."""
    web1, pages = world.machines["web1"], world.pages()
    before = {url: world.browser().ask("GET", url).body for url in pages}
    for name in ("data", *ROLES):
        if name not in world.machines:
            world.add(name)
    data = world.machines["data"]
    for name in ROLES:
        if name not in ("web1", "web2"):
            settle(world, name)
    world.supervisors["data"].obey(["start", "postgresql", "redis-server"])
    wait_until(lambda: data.path("/run/postgresql/.s.PGSQL.5432").exists(), "PostgreSQL is up")
    prepare, leave, restore = read_blocks(PAGE, "The database moves")
    data.carry_out(prepare, A_PASSWORD=PASSWORD)
    publisher, role, edge = read_blocks(PAGE, "The roles move")
    began = time.monotonic()
    with Visitors(world.authority, FRONT, pages) as visitors:
        web1.carry_out(leave)
        moved = web1.path("/var/backups/portolan/moved.dump").read_bytes()
        data.write("/var/backups/portolan/moved.dump", moved)
        data.carry_out(restore)
        move_files(world)
        world.machines["publisher1"].carry_out(publisher)
        for name in ("api", "studio", "delivery", "publisher2"):
            world.machines[name].carry_out(role, **{"portolan-api": f"portolan-{ROLES[name]}"})
        wait_until_ready(world, "publisher1", "api", "studio", "delivery", "publisher2")
        settle(world, "web1")
        web1.carry_out(edge)
        wait_until_ready(world, "web1")
        answer = world.form("Grace Hopper", files={"offer.pdf": PDF}).send()
        moved_after = time.monotonic() - began
    assert answer.status == 201, answer
    world.note(f"one server to nine machines: {visitors}; nothing could be saved for {moved_after:.0f} s")
    assert not visitors.failures, visitors
    assert {url: world.browser().ask("GET", url).body for url in pages} == before, "the same content is the same bytes"
    for name in ROLES:
        world.machines[name].run(f"/usr/local/bin/portolan doctor --role {ROLES[name]}")

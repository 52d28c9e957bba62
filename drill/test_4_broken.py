"""Failures: each process killed, services away, disks and machines gone. Every promise to visitors and editors holds."""

import os
import signal
import time
from contextlib import suppress
from http.client import HTTPException

from .documents import read_blocks
from .supervisor import children, command_line, wait_until
from .test_2_many_servers import ROLES, is_ready, settle, wait_until_ready
from .test_3_a_day import serves_everywhere
from .visitors import Form, Visitors
from .world import ADDRESS_OF, FRONT, PASSWORD, PDF, Editor, World

UNITS = [(machine, f"portolan-{role}") for machine, role in ROLES.items()]
LEFT_ALONE_S = 5.5
"""nginx asks an edge that failed again after five seconds (`fail_timeout`); the other one must not break before."""
sent: list[Form] = []


def send(world: World, name: str, files: dict[str, bytes] | None = None, within_s: float = 180) -> int:
    form = world.form(name, files=files)
    status = form.send(within_s).status
    sent.append(form)
    return status


def require_nothing_lost(world: World, within_s: float = 180) -> None:
    """Every lead that was acknowledged is stored once, with its file, and has been delivered."""
    wait_until(
        lambda: {form.address for form in sent} <= world.mail().keys(),
        lambda: f"delivered, all but {sorted({form.address for form in sent} - world.mail().keys())}",
        within_s,
    )
    editor = Editor(world.machines["studio"])
    names = [lead["name"] for lead in editor.leads()]
    editor.end()
    assert sorted(name for name in names if name in {form.name for form in sent}) == sorted(form.name for form in sent)


def restarted(world: World, machine: str, name: str, starts: int) -> None:
    service = world.service(machine, name)
    wait_until(lambda: service.starts > starts and service.is_running, f"{name} on {machine} is started again")
    if machine in ROLES:
        wait_until_ready(world, machine)
    if ROLES.get(machine) == "edge":
        time.sleep(LEFT_ALONE_S)


def test_each_process_is_killed_in_turn(world: World) -> None:
    pages = world.pages()
    with Visitors(world.authority, FRONT, pages) as visitors:
        for machine, name in [*UNITS, ("data", "redis-server"), ("data", "postgresql")]:
            service = world.service(machine, name)
            starts = service.starts
            os.kill(service.pid, signal.SIGKILL)
            send(world, f"Killed {machine} {name.removeprefix('portolan-')}", {"a.pdf": PDF})
            restarted(world, machine, name, starts)
    world.note(f"kill -9 of {len(UNITS) + 2} services in turn: {visitors}")
    assert not visitors.failures
    require_nothing_lost(world)


def test_each_child_process_is_killed(world: World) -> None:
    """Return the processes that a service starts itself, such as workers, followers and renderers."""
    killed = []
    with Visitors(world.authority, FRONT, world.pages()) as visitors:
        for machine, name in UNITS:
            for child in children(world.service(machine, name).pid):
                line = command_line(child)
                if line:
                    os.kill(child, signal.SIGKILL)
                    killed.append(f"{machine}: {line[:60]}")
                    wait_until_ready(world, machine)
            send(world, f"Child of {machine}")
    world.note(f"kill -9 of {len(killed)} child processes in turn: {visitors}")
    edit_goes_live(world, "8100")
    assert visitors.failures.total() <= len(killed), visitors
    require_nothing_lost(world)


def test_the_proxy_is_killed(world: World) -> None:
    service = world.service("web1", "nginx")
    with Visitors(world.authority, FRONT, world.pages()) as visitors:
        starts = service.starts
        os.kill(service.pid, signal.SIGKILL)
        restarted(world, "web1", "nginx", starts)
        wait_until(world.serves, "nginx is back")
    world.note(f"kill -9 of the only nginx: away for {visitors.away_s:.1f} s; {visitors}")


def test_postgresql_is_restarted(world: World) -> None:
    with Visitors(world.authority, FRONT, world.pages()) as visitors:
        world.machines["data"].run("systemctl stop postgresql")
        try:
            assert send(world, "While the database is away", {"a.pdf": PDF}) == 202
        finally:
            world.machines["data"].run("systemctl start postgresql")
        took = edit_goes_live(world, "8200")
    world.note(f"PostgreSQL restarted: an edit right after it is live after {took:.1f} s; {visitors}")
    assert not visitors.failures
    require_nothing_lost(world)


def test_the_store_is_away(world: World) -> None:
    editor = Editor(world.machines["studio"])
    with Visitors(world.authority, FRONT, world.pages()) as visitors:
        with world.machines["others"].unreachable():
            began = time.monotonic()
            editor.change_phone("+44 20 7946 8300")
            status = send(world, "While the store is away", {"a.pdf": PDF})
            again = time.monotonic()
            world.machines["web2"].run("systemctl restart portolan-edge")
            wait_until(lambda: serves(world, "web2"), "an edge serves from its own disk")
            again = time.monotonic() - again
            while time.monotonic() - began < 20:
                assert world.serves()
                time.sleep(0.5)
        back = time.time()
        live = serves_everywhere(world, "7946 8300")
    editor.end()
    world.note(
        f"store and mail server unreachable for 20 s: a lead is answered {status}; an edge that is restarted meanwhile serves "
        f"after {again:.1f} s; the edit of meanwhile is live "
        f"{max(live.values()) - back:.1f} s after its return; {visitors}"
    )
    assert not visitors.failures
    require_nothing_lost(world)


def serves(world: World, edge: str) -> bool:
    """Return whether the edge serves a page. Its readiness is ignored."""
    with suppress(OSError, HTTPException):
        return world.machines[edge].ask(ADDRESS_OF[edge], 8000, "/about-us", "acme.example").status == 200
    return False


def test_redis_is_away(world: World) -> None:
    with Visitors(world.authority, FRONT, world.pages()) as visitors:
        world.machines["data"].run("systemctl stop redis-server")
        status = send(world, "While Redis is away")
        took = edit_goes_live(world, "8400")
        world.machines["data"].run("systemctl start redis-server")
    world.note(f"Redis away: a lead is answered {status}, an edit live after {took:.1f} s; {visitors}")
    assert status == 201
    assert not visitors.failures
    require_nothing_lost(world)


def test_an_edge_is_cut_off(world: World) -> None:
    """As by a cable or a power cut: it refuses nothing, it is silent."""
    with Visitors(world.authority, FRONT, world.pages()) as visitors, world.machines["web2"].unreachable():
        began = time.monotonic()
        for number in range(3):
            send(world, f"While web2 is cut off {number}")
        while time.monotonic() - began < 15:
            assert world.serves()
            time.sleep(0.5)
    world.note(f"web2 cut off for 15 s: {visitors}")
    assert not visitors.failures
    wait_until_ready(world, "web2")
    edit_goes_live(world, "8500")
    require_nothing_lost(world)


def test_an_edge_begins_with_an_empty_disk(world: World) -> None:
    began = time.monotonic()
    web3 = world.add("web3")
    ROLES["web3"] = "edge"
    try:
        settle(world, "web3")
        web3.carry_out(read_blocks("many-servers.md", "A second edge")[1])
        wait_until_ready(world, "web3")
        world.note(f"an edge with an empty disk is ready after {time.monotonic() - began:.1f} s")
        for path in ("/", "/about-us", "/contact-us"):
            pages = [
                world.machines[name].ask(host, 8000, path, "acme.example")
                for name, host in (("web2", "10.0.0.12"), ("web3", web3.address))
            ]
            assert pages[0] == pages[1], path
    finally:
        del ROLES["web3"]
        world.remove("web3")


def test_the_publisher_s_machine_is_gone(world: World) -> None:
    world.remove("publisher1")
    took = edit_goes_live(world, "8600")
    world.note(f"publisher1 gone: the next edit is live after {took:.1f} s, by publisher2")
    world.add("publisher1")
    settle(world, "publisher1")
    world.machines["publisher1"].carry_out(read_blocks("many-servers.md", "The roles move")[0])
    wait_until_ready(world, "publisher1")


def test_the_database_s_machine_is_gone(world: World) -> None:
    """With the last backup on another one, as "When a machine is gone" has it."""
    backup, restore = read_blocks("many-servers.md", "When a machine is gone")
    world.machines["data"].carry_out(backup)
    dump = world.machines["data"].path("/var/backups/portolan/database.dump").read_bytes()
    with Visitors(world.authority, FRONT, world.pages()) as visitors:
        world.remove("data")
        began = time.monotonic()
        status = send(world, "While the database is gone", {"a.pdf": PDF})
        data = world.add("data")
        world.supervisors["data"].obey(["start", "postgresql", "redis-server"])
        wait_until(lambda: data.path("/run/postgresql/.s.PGSQL.5432").exists(), "PostgreSQL is up")
        data.carry_out(read_blocks("many-servers.md", "The database moves")[0], A_PASSWORD=PASSWORD)
        data.write("/var/backups/portolan/database.dump", dump)
        data.carry_out(restore)
        edit_goes_live(world, "8700")
        took = time.monotonic() - began
    world.note(
        f"database gone: restored on an empty machine, and an edit live, after {took:.0f} s; a lead meanwhile {status}; {visitors}"
    )
    assert not visitors.failures
    require_nothing_lost(world)


def edit_goes_live(world: World, phone: str) -> float:
    """Returns after how many seconds on both edges."""
    editor = Editor(world.machines["studio"])
    saved = editor.change_phone(f"+44 20 7946 {phone}")
    editor.end()
    return max(serves_everywhere(world, f"7946 {phone}").values()) - saved


def test_machines_agree(world: World) -> None:
    """`portolan doctor --compare`, of the studio's and the publisher's."""
    said = world.machines["studio"].run("portolan doctor --role studio --json")
    world.machines["publisher1"].write("/tmp/studio.json", said)
    world.machines["publisher1"].run(
        "chmod 644 /tmp/studio.json; portolan doctor --role publisher --compare /tmp/studio.json"
    )
    assert all(is_ready(world, name) for name in ROLES)

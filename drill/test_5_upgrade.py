"""docs/deploy/many-servers.md, "Upgrade": machine by machine, while visitors read."""

import time

from .base import steps_of_all
from .documents import left_out, note_carried_out, read_blocks
from .test_2_many_servers import ROLES, wait_until_ready
from .test_4_broken import LEFT_ALONE_S, edit_goes_live, require_nothing_lost, send
from .visitors import Visitors
from .world import FRONT, World


def test_all_machines_are_upgraded_and_no_page_is_missing(world: World) -> None:
    beside, dump, publisher, others, edges = read_blocks("many-servers.md", "Upgrade")
    machines = world.machines
    with Visitors(world.authority, FRONT, world.pages()) as visitors:
        for name in ROLES:
            machines[name].carry_out(beside)
        machines["data"].carry_out(dump)
        machines["publisher1"].carry_out(publisher)
        send(world, "During the upgrade")
        for name in ("api", "studio", "delivery", "publisher2"):
            machines[name].carry_out(others, **{"portolan-api": f"portolan-{ROLES[name]}"})
        wait_until_ready(world, "publisher1", "api", "studio", "delivery", "publisher2")
        for name in ("web1", "web2"):
            machines[name].carry_out(edges)
            wait_until_ready(world, name)
            time.sleep(LEFT_ALONE_S)
    world.note(f"upgrade of all machines: {visitors}")
    assert not visitors.failures
    for name, role in ROLES.items():
        assert machines[name].path("/opt").joinpath("portolan").readlink().name == "portolan-0.3.0", role
    edit_goes_live(world, "8800")
    require_nothing_lost(world)


def test_no_step_of_the_documents_was_left_out() -> None:
    for step in steps_of_all():
        note_carried_out(step)
    on_ray = [step for step in left_out("ray.md") if step.heading == "As services"]
    assert [*left_out("one-server.md"), *left_out("many-servers.md"), *on_ray] == []

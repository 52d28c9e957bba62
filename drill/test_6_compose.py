"""docs/deploy/containers.md, "Compose": from an empty folder to the sites, and each container killed."""

import signal
import time
from collections.abc import Iterator

import pytest

from .compose import Compose
from .disk import DISKS
from .documents import read_blocks
from .supervisor import wait_until
from .visitors import Browser, Form, Visitors
from .world import OTHERS, PASSWORD, SECRET, SITES, STUDIO, World


@pytest.fixture(scope="module")
def compose(world: World) -> Iterator[Compose]:
    secrets = {
        "PORTOLAN_SECRET_KEY": SECRET,
        "POSTGRES_PASSWORD": PASSWORD,
        "STORE_PASSWORD": PASSWORD,
        "PORTOLAN_SMTP_URL": f"smtp://{OTHERS}:25",
    }
    compose = Compose(DISKS / "project", secrets)
    yield compose
    compose.down()


def front(compose: Compose) -> Browser:
    """Caddy's own authority signs the certificates, because the drill has no public one."""
    authority = compose.place("certificates") / "caddy/pki/authorities/local/root.crt"
    return Browser(str(authority), compose.address("front"))


def answers(compose: Compose, url: str = SITES[0]) -> bool:
    try:
        return front(compose).ask("GET", url).status == 200
    except OSError:
        return False


def test_a_company_is_live_in_containers(world: World, compose: Compose) -> None:
    began = time.monotonic()
    (step,) = read_blocks("containers.md", "Compose")
    first, *lines = step.text.splitlines()
    assert first.startswith("install -d -m 777 project")
    (DISKS / "project").mkdir()
    (DISKS / "project").chmod(0o777)
    for line in lines:
        compose.carry_out(line)
        if " store" in line and "up" in line:
            wait_until(
                lambda: (
                    "5432"
                    in compose.running["database"].machine.run(
                        "cat /proc/net/tcp | grep -o 1538 | sed s/1538/5432/ || true"
                    )
                ),
                "up",
            )
            wait_until(
                lambda: compose.running["store"].machine.run("grep -c :2328 /proc/net/tcp || true").strip() != "0",
                "the store is up",
            )
    wait_until(lambda: answers(compose), "Caddy serves the sites")
    for site in SITES:
        assert front(compose).ask("GET", f"{site}/about-us").status == 200
    wait_until(lambda: answers(compose, f"{STUDIO}/admin/login/"), "the studio is there")
    assert front(compose).ask("GET", f"{SITES[0]}/-/ready").status == 403
    world.note(f"compose: the sites are live after {time.monotonic() - began:.0f} s (images not fetched)")


def test_each_container_is_killed(world: World, compose: Compose) -> None:
    """As by the kernel, short of memory: an engine starts it again."""
    authority = compose.place("certificates") / "caddy/pki/authorities/local/root.crt"
    pages = [f"{site}{path}" for site in SITES for path in ("/", "/about-us", "/contact-us")]
    with Visitors(str(authority), compose.address("front"), pages) as visitors:
        for name in ("edge", "api", "studio", "publisher", "delivery", "cache", "database"):
            container = compose.running[name]
            starts = container.starts
            container.signal(signal.SIGKILL)
            wait_until(lambda container=container, starts=starts: container.starts > starts, f"{name} is started again")
            answer = Form(front(compose), SITES[0], f"Container {name}", {}).send()
            assert answer.status in (201, 202)
    world.note(f"compose, kill -9 of 7 containers in turn: {visitors}")
    assert not visitors.failures

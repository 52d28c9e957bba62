"""docs/deploy/one-server.md, from the first package to the machine that is gone."""

import json
import time

from .documents import read_blocks
from .supervisor import wait_until
from .visitors import Visitors
from .world import FRONT, OTHERS, PDF, SECRET, SITES, STUDIO, World

PAGE = "one-server.md"
DESTINATION = """
[leads]
sender = "website@acme.example"

[[destinations]]
name = "sales"
kind = "email"
to = ["sales@acme.example"]
"""


def write_settings(world: World, machine: str) -> None:
    """Return the settings that environment.example requires."""
    place = world.machines[machine].path("/etc/portolan/environment")
    mail = "#PORTOLAN_SMTP_URL=smtp://user:password@mail.example:587"
    text = place.read_text()
    assert mail in text
    text = text.replace("#PORTOLAN_SECRET_KEY=", f"PORTOLAN_SECRET_KEY={SECRET}")
    place.write_text(text.replace(mail, f"PORTOLAN_SMTP_URL=smtp://{OTHERS}:25"))


def test_a_company_is_live_on_one_server(world: World) -> None:
    began = time.monotonic()
    web1 = world.add("web1")
    write_settings(world, "web1")
    world.supervisors["web1"].obey(["start", "postgresql", "nginx"])  # as Debian's packages do
    wait_until(lambda: web1.path("/run/postgresql/.s.PGSQL.5432").exists(), "PostgreSQL is up")
    _, begin, proxy, check = read_blocks(PAGE, "Install")
    web1.carry_out(begin)
    world.login = json.loads(web1.path("/var/lib/portolan/login.json").read_text())
    sites = web1.path("/etc/portolan/sites.toml")
    sites.write_text(sites.read_text() + DESTINATION)
    world.install_certificate(web1)
    web1.carry_out(proxy)
    wait_until(world.serves, "the site is served through nginx")
    web1.carry_out(check)
    for url in world.pages():
        assert world.browser().ask("GET", url).status == 200, url
    assert world.browser().ask("GET", f"{STUDIO}/admin/login/").status == 200
    assert world.browser().ask("GET", f"{SITES[0]}/-/ready").status == 403, (
        "what is said of health is the proxy's alone"
    )
    assert (
        world.browser().ask("GET", "http://acme.example/about-us").headers["location"]
        == "https://acme.example/about-us"
    )
    world.note(f"one server, installed to live: {time.monotonic() - began:.0f} s (without fetching packages)")


def test_it_is_backed_up(world: World) -> None:
    form = world.form("Ada Lovelace", files={"plan.pdf": PDF})
    answer = form.send()
    assert answer.status == 201, answer
    wait_until(lambda: form.address in world.mail(), "the lead is in somebody's mailbox")
    (attachment,) = world.mail()[form.address][0].iter_attachments()
    assert attachment.get_content() == PDF
    web1 = world.machines["web1"]
    web1.carry_out(*read_blocks(PAGE, "Back up"))
    ready = json.loads(web1.run("curl --silent --fail http://127.0.0.1:8000/-/ready"))
    assert ready["role"] == "serve"


def test_it_is_upgraded_while_it_serves_and_goes_back(world: World) -> None:
    web1, pages = world.machines["web1"], world.pages()
    upgrade, back = read_blocks(PAGE, "Upgrade")
    with Visitors(world.authority, FRONT, pages) as visitors:
        web1.carry_out(upgrade)
        wait_until(world.serves, "the new version serves")
    assert "/opt/portolan-0.3.0/" in str(web1.path(f"/proc/{world.service('web1', 'portolan').pid}/maps").read_text())
    world.note(f"one server, upgraded: {visitors}")
    assert not visitors.failures, visitors
    web1.carry_out(back)
    wait_until(world.serves, "the version before serves")


def test_the_machine_is_gone(world: World) -> None:
    """Another one, with an empty disk and the backup."""
    before = {url: world.browser().ask("GET", url).body for url in world.pages()}
    backup = {
        name: world.machines["web1"].path(f"/var/backups/portolan/{name}").read_bytes()
        for name in ("database.dump", "files.tar.gz")
    }
    world.remove("web1")
    began = time.monotonic()
    web1 = world.add("web1")
    world.supervisors["web1"].obey(["start", "postgresql", "nginx"])
    wait_until(lambda: web1.path("/run/postgresql/.s.PGSQL.5432").exists(), "PostgreSQL is up")
    for name, data in backup.items():
        web1.write(f"/var/backups/portolan/{name}", data)
    web1.carry_out(*read_blocks(PAGE, "When the machine is gone"))
    world.install_certificate(web1)
    web1.carry_out(read_blocks(PAGE, "Install")[2])
    wait_until(world.serves, "the new machine serves")
    world.note(
        f"machine gone: {time.monotonic() - began:.0f} s from an empty disk to the sites (without fetching packages)"
    )
    for url, body in before.items():
        assert world.browser().ask("GET", url).body == body, url

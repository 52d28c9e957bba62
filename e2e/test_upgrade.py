"""The previous version is upgraded to this one while visitors read, write and have pages open, by the steps of
`docs/deploy/many-servers.md`; then it is restored by those of `docs/deploy/one-server.md`. (`make drill` runs both on machines.)
"""

import os
import re
import subprocess
import tarfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final
from urllib.parse import unquote, urlsplit

import httpx
import psycopg
import pytest
from django.contrib.auth.hashers import PBKDF2PasswordHasher
from playwright.sync_api import Browser, Locator, Page, expect

from portolan.builds.live import read_live
from portolan.builds.manifest import read_manifest
from portolan_dev.dataset.version import CONSTRAINTS, PROJECT
from portolan_dev.ports import free_port
from scripts.with_postgres import find_binaries, run_server
from tests.upgrade.restore import on_postgres
from tests.web_servers import need_nginx

from .faults import LONGEST_WAIT_S, wait_until
from .installed import build_wheel, give_machine_code, install_quickly, make_version_to_come
from .machines import Machines, proxy, read_steps
from .product import NO_LIMITS
from .seeded import ROOT
from .test_forms import CONTACT, Visit
from .visitors import Read, Visitors

POSTGRES: Final = find_binaries()
pytestmark = [
    pytest.mark.one_worker,
    need_nginx(),
    pytest.mark.skipif(
        POSTGRES is None, reason="PostgreSQL: no server binaries found, so nothing could be upgraded there"
    ),
]
(VERSION,) = (ROOT / "fixtures" / "versions").glob("*.tar.xz")
OLD, NEW = VERSION.name.removesuffix(".tar.xz"), "to-come"
UNITS: Final = {
    "portolan-publisher": 1,
    "portolan-delivery": 1,
    "portolan-api": 2,
    "portolan-studio": 1,
    "portolan-edge": 2,
}
SITES: Final = ("en", "de", "ae")
PAGE: Final = "/services/design-studio"
FORGIVEN_S: Final = 3
"""nginx asks a server that has refused it again after two seconds, and it cannot be seen from outside when."""
PASSWORD: Final = "of-this-test-alone"
TYPED: Final = "Typed before the upgrade"
TO_BE_RESTARTED: Final = re.compile("The studio has to be (restarted|started again)")
"""The heading of the previous version's studio. 0.1.0 has the second."""
API: Final = ("content/offices", "content/news", "content/projects/top", "content/phones")


class Installation:
    """On one machine, whose /opt, /etc/portolan and /var/lib/portolan are folders of this test."""

    def __init__(self, folder: Path, url: str) -> None:
        self.opt, self.project, self.var = folder / "opt", folder / "etc", folder / "var"
        self.url = url
        self.port, self.studio_port, self.api_port = free_port(), free_port(), free_port()
        variables = {
            **NO_LIMITS,
            "PORTOLAN_VAR_DIR": str(self.var),
            "PORTOLAN_SITES_FILE": str(self.project / "sites.toml"),
            "PORTOLAN_PORT": str(self.port),
            "DATABASE_URL": url,
            "PORTOLAN_TRUSTED_PROXIES": "127.0.0.1",
            "PORTOLAN_API_URL": f"http://127.0.0.1:{self.api_port}",
            "PORTOLAN_STUDIO_URL": f"http://127.0.0.1:{self.studio_port}",
        }
        known = {name: value for name, value in os.environ.items() if not name.startswith(("PORTOLAN_", "DATABASE_"))}
        self.variables = {**known, **variables, "PATH": f"{POSTGRES}{os.pathsep}{os.environ['PATH']}"}
        self.variables |= {"PGHOST": unquote(urlsplit(url).hostname or ""), "PGUSER": "postgres"}
        logs = folder / "logs"
        logs.mkdir()
        self.machines = Machines(self.opt, logs, self.variables, UNITS)

    @contextmanager
    def served(self) -> Iterator[None]:
        """With nginx in front of the edges, of the APIs, and of the studio."""
        with ExitStack() as stack:
            for unit, port in (("edge", self.port), ("api", self.api_port), ("studio", self.studio_port)):
                servers = [service.port for service in self.machines.of(f"portolan-{unit}")]
                stack.enter_context(proxy(self.opt.parent / f"nginx-{unit}", port, servers))
            stack.callback(self.machines.stop_all)
            yield

    def host(self, site: str) -> str:
        return f"localhost:{self.port}" if site == "en" else f"{site}.localhost:{self.port}"

    def get(self, site: str, path: str, **headers: str) -> httpx.Response:
        return httpx.get(
            f"http://127.0.0.1:{self.port}{path}", headers={"Host": self.host(site), **headers}, timeout=LONGEST_WAIT_S
        )

    def web_build(self) -> str:
        """Of the page that visitors get now; a company with a brand has one of its own, made from the version's."""
        found = re.search(r'data-build="?([0-9a-f]{32})', self.get("en", PAGE).text)
        assert found
        return found[1]

    def ask(self, sql: str, *values: Any) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url, autocommit=True) as connection:
            found = connection.execute(sql, values)
            return found.fetchall() if found.description else []

    def take_steps(self, lines: Sequence[str]) -> None:
        """Run the lines as an administrator types them; `systemctl` is simulated."""
        for line in lines:
            if line.startswith("systemctl "):
                self._control(*line.split()[1:])
                continue
            done = subprocess.run(
                ["bash", "-c", self._here(line)], cwd=self.project, env=self.variables, capture_output=True, text=True
            )
            assert done.returncode == 0, f"{line}\n{done.stdout}{done.stderr}"

    def _here(self, line: str) -> str:
        """The line with the names of this machine: `portolan` is a script that ``deploy/systemd/`` has."""
        line = re.sub(
            r"^(?:PORTOLAN=(\S+) )?portolan ", lambda found: f"{found[1] or '/opt/portolan'}/bin/portolan ", line
        )
        line = line.replace("portolan-0.2.0", f"portolan-{OLD}").replace("portolan-0.3.0", f"portolan-{NEW}")
        for known, ours in (("/opt", self.opt), ("/var/backups/portolan", self.opt.parent)):
            line = re.sub(rf"(^|\s){known}\b", rf"\g<1>{ours}", line)
        return line.replace("runuser -u postgres -- ", "")

    def _control(self, action: str, unit: str) -> None:
        for service in self.machines.services if unit == "portolan" else self.machines.of(unit):
            getattr(self.machines, action)(service)
            if action == "restart":
                self.machines.wait(service)
                time.sleep(FORGIVEN_S if len(self.machines.of(unit)) > 1 else 0)
        if action == "start":
            self.machines.wait(*self.machines.services)


@pytest.fixture(scope="module")
def installation(seeded: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Installation]:
    """Yield a served installation of the previous version with its data. ``seeded`` supplies the web build."""
    folder = tmp_path_factory.mktemp("upgrade")
    with tarfile.open(VERSION) as archive:
        archive.extractall(folder / "var", filter="data")
    (folder / "var" / PROJECT).rename(folder / "etc")
    packages, opt = folder / "dist", folder / "opt"
    packages.mkdir()
    opt.mkdir()
    for file in (*(folder / "var").glob("*.whl"), folder / "var" / CONSTRAINTS):
        file.rename(packages / file.name)
    install(packages, opt, OLD)
    give_machine_code(opt / f"portolan-{OLD}")
    (opt / "portolan").symlink_to(f"portolan-{OLD}")
    assert POSTGRES
    with run_server(POSTGRES) as server, on_postgres(folder / "var", server, "portolan") as url:
        made = Installation(folder, url)
        with made.served():
            made.ask("CREATE ROLE portolan LOGIN SUPERUSER")
            made.ask(
                "UPDATE auth_user SET password = %s, is_superuser = true WHERE username = 'editor'",
                PBKDF2PasswordHasher().encode(PASSWORD, "salt"),
            )
            for unit in UNITS:
                for service in made.machines.of(unit):
                    made.machines.start(service)
            made.machines.wait(*made.machines.services)
            wait_until(
                lambda: set(SITES) <= set(read_live(made.var / "builds").builds), "the old version has published", 300
            )
            yield made


def test_nothing_is_lost_and_nobody_is_turned_away(
    installation: Installation, browser: Browser, tmp_path: Path
) -> None:
    machines = installation.machines
    build_wheel(tmp_path / "dist")
    install(tmp_path / "dist", installation.opt, NEW)
    make_version_to_come(installation.opt / f"portolan-{NEW}")
    old_build = read_live(installation.var / "builds").builds["en"]
    old_web = installation.web_build()
    _, dump, publisher, others, edges = read_steps("many-servers.md", "Upgrade")
    with Visitors(installation.port, reads(installation)) as visitors, pages(browser, installation, 2) as (tab, studio):
        visit = open_form(tab, installation)
        title = open_editor(studio, installation)
        title.fill(TYPED)

        installation.take_steps([*dump, *publisher])
        assert installation.ask("SELECT count(*) FROM releases_tocome") == [(0,)], "the tables are the new version's"
        assert read_live(installation.var / "builds").builds["en"] != old_build

        # The old code on the new tables: services that still run, and services that now replace the new version.
        installation.take_steps(["ln -sfn portolan-0.2.0 /opt/portolan"])
        for service in (
            *machines.of("portolan-edge")[:1],
            *machines.of("portolan-api")[:1],
            *machines.of("portolan-studio"),
        ):
            machines.restart(service)
            machines.wait(service, path="/-/live")
        spooled = len(visitors.leads)
        wait_until(
            lambda: len(visitors.leads) > spooled + 2, lambda: f"leads are taken by the old code: {visitors.told()}", 60
        )
        assert [*visitors.leads.values()][-1] == 202, "they wait in the spool"
        studio.get_by_role("button", name="Publish").click()
        expect(studio.get_by_role("heading")).to_have_text(TO_BE_RESTARTED)
        studio.go_back()
        expect(title).to_have_value(TYPED)

        for role in ("api", "studio", "delivery"):
            installation.take_steps([line.replace("portolan-api", f"portolan-{role}") for line in others])
        installation.take_steps(edges)
        visit.go_on.click()
        expect(visit.thanks).to_be_visible()
        # The menu's page may be prefetched from the old build, but the page behind its link is new.
        tab.get_by_role("banner").get_by_role("link", name="Case studies").first.click()
        tab.wait_for_url("**/project-cases")
        tab.locator("main a[href^='/project-cases/']").first.click()
        tab.wait_for_url("**/project-cases/*")
        assert installation.web_build() != old_web
        expect(tab.locator("html")).to_have_attribute("data-build", installation.web_build())
        again = studio.context.new_page()  # sessions lie in another table than before: everybody signs in once more
        open_editor(again, installation).fill(title.input_value())
        again.get_by_role("button", name="Publish").click()
        wait_until(lambda: TYPED in installation.get("en", PAGE).text, "what was typed before is live", 120)
    assert visitors.failures == [], visitors.told()
    marks = {*visitors.leads, visit.mark}
    wait_until(lambda: marks <= stored(installation), "every lead is stored", 120)


def test_back_with_the_database_of_before(installation: Installation) -> None:
    """Runs after the upgrade: nothing of the new version is left, and it can be installed once more."""
    _, back = read_steps("one-server.md", "Upgrade")
    new_web = installation.web_build()
    installation.take_steps(back)
    assert installation.ask("SELECT to_regclass('releases_tocome')") == [(None,)]
    assert TYPED not in installation.get("en", PAGE).text
    assert installation.web_build() != new_web
    with Visitors(installation.port, reads(installation)) as visitors:
        wait_until(lambda: len(visitors.leads) > 2, lambda: f"leads are taken: {visitors.told()}")
    assert visitors.failures == [], visitors.told()
    assert {*visitors.leads} <= stored(installation)
    installation.take_steps(["PORTOLAN=/opt/portolan-0.3.0 portolan upgrade --check || test $? = 3"])


def install(packages: Path, opt: Path, name: str) -> None:
    """Install the version whose wheel is in ``dist``; in the long form by the documented steps, which download packages."""
    if os.environ.get("PORTOLAN_UPGRADE") != "whole":
        install_quickly(packages, opt / f"portolan-{name}")
        return
    for line in read_steps("one-server.md", "Upgrade")[0][:2]:
        line = line.replace("/opt/portolan-0.3.0", str(opt / f"portolan-{name}"))
        subprocess.run(["bash", "-c", line], cwd=packages.parent, check=True, capture_output=True)


def stored(installation: Installation) -> set[str]:
    """Return the text at the end of each lead's message."""
    rows = installation.ask("SELECT fields ->> 'message' FROM leads_lead WHERE erased_at IS NULL")
    return {message.split()[-1] for (message,) in rows if message}


def reads(installation: Installation) -> list[Read]:
    """Pages of three sites, and replies of the API."""
    builds = installation.var / "builds"
    live = read_live(builds).builds
    pages = [
        Read(installation.host(site), path)
        for site in SITES
        for path, file in read_manifest(builds, site, live[site]).files.items()
        if file.content_type.startswith("text/html") and not path.startswith("/-/")
    ]
    return [
        *pages,
        *(Read(installation.host(site), f"/api/{path}", {"Page-Key": "home"}) for path in API for site in SITES),
    ]


@contextmanager
def pages(browser: Browser, installation: Installation, count: int) -> Iterator[list[Page]]:
    contexts = [
        browser.new_context(viewport={"width": 1280, "height": 900}, reduced_motion="reduce") for _ in range(count)
    ]
    try:
        yield [context.new_page() for context in contexts]
    finally:
        for context in contexts:
            context.close()


def open_form(tab: Page, installation: Installation) -> Visit:
    saved = "%7B%22ad_storage%22%3Afalse%2C%22analytics_storage%22%3Afalse%7D"
    origin = f"http://{installation.host('en')}"
    tab.context.add_cookies([{"name": "consent_status", "value": saved, "url": origin}])
    tab.goto(f"{origin}{CONTACT.path}")
    visit = Visit(tab, CONTACT)
    visit.fill()
    return visit


def open_editor(studio: Page, installation: Installation) -> Locator:
    """Sign in and open a page's form. Return its title field."""
    [(id,)] = installation.ask("SELECT id FROM wagtailcore_page WHERE url_path LIKE %s", f"%/en{PAGE}/")
    studio.goto(f"http://studio.localhost:{installation.port}/admin/pages/{id}/edit/")
    studio.get_by_label("Username").fill("editor")
    studio.get_by_label("Password").fill(PASSWORD)
    studio.get_by_role("button", name="Sign in").click()
    return studio.locator("[name=title]")

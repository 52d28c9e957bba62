"""A company of one's own: the wheel in an empty environment, `portolan init`, and its two sites in a browser."""

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from urllib.request import urlopen

import pytest
from playwright.sync_api import Browser, Page, expect

from portolan_dev.ports import free_port

from .editing import expect_published
from .faults import LONGEST_WAIT_S, wait_until
from .installed import give_compiled
from .product import answers
from .seeded import ROOT

pytestmark = pytest.mark.one_worker  # one company, to which each test adds

NAME = "Acme Works"
MOST_BYTES_OF_PREACT = 60_000
"""Uncompressed. With React the file has more than 200,000."""


@pytest.fixture(scope="module")
def portolan(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The command, installed from the wheel alone. It finds no checkout: the package lies elsewhere, and so does the project."""
    folder = tmp_path_factory.mktemp("installed")
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    (wheel,) = folder.glob("*.whl")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder / "venv"], check=True)
    tested = [
        line.rstrip(" \\") for line in (ROOT / "requirements.lock").read_text().splitlines() if line[:1].isalpha()
    ]
    (folder / "constraints.txt").write_text("\n".join(tested))
    install = [sys.executable, "-m", "uv", "pip", "install", "--quiet", "--python", folder / "venv/bin/python"]
    subprocess.run([*install, "-c", folder / "constraints.txt", wheel, _build_example(folder / "example")], check=True)
    give_compiled(folder / "venv")
    return folder / "venv/bin/portolan"


def _build_example(folder: Path) -> Path:
    """The wheel of the example of a plugin, which is of no platform."""
    build = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(build, cwd=ROOT / "examples/portolan-opening-hours", check=True, capture_output=True)
    return next(folder.glob("portolan_opening_hours-*-py3-none-any.whl"))


@pytest.fixture(scope="module")
def company(portolan: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Path, int]]:
    """The project's folder, and the port it is served on."""
    folder, port = tmp_path_factory.mktemp("own") / "my-site", free_port()
    own = {**_environment(portolan), "PORTOLAN_PORT": str(port)}
    begin = [portolan, "init", folder, "--name", NAME, "--sites", "en,ae", "--accent", "#35d0a5", "--yes"]
    done = subprocess.run(begin, env=own, cwd=folder.parent, capture_output=True, text=True)
    assert done.returncode == 0, done.stderr
    registry = folder / "sites.toml"
    registry.write_text(registry.read_text().replace('islands = "react"', 'islands = "preact"'))
    log = folder.parent / "serve.log"
    with log.open("wb") as output:
        served = subprocess.Popen([portolan, "serve"], env=own, cwd=folder, stdout=output, stderr=subprocess.STDOUT)
    try:
        wait_until(
            lambda: (
                served.poll() is None
                and answers(f"http://127.0.0.1:{port}/admin/login/", host=f"studio.localhost:{port}")
            ),
            lambda: f"the company is served:\n{log.read_text()[-2000:]}",
            within_s=60,
        )
        yield folder, port
    finally:
        served.send_signal(signal.SIGTERM)
        served.wait(LONGEST_WAIT_S)


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    page = browser.new_page()
    yield page
    page.close()


def test_its_sites_are_its_own_and_a_visitor_finds_the_form(company: tuple[Path, int], page: Page) -> None:
    _, port = company
    loader = json.loads((ROOT / "web/dist/web-build.json").read_bytes())["preact"]["script"]
    wait_until(lambda: loader in _read(port), lambda: "the choice of Preact in sites.toml is live", within_s=60)
    page.goto(f"http://localhost:{port}/")
    expect(page).to_have_title("Acme Works: what we do, in five words")
    expect(page.get_by_role("banner").get_by_role("link", name=NAME)).to_be_visible()
    assert page.evaluate("getComputedStyle(document.documentElement).getPropertyValue('--signal')") == "#35d0a5"
    page.get_by_role("banner").get_by_role("link", name="Contact us").click()
    expect(page.get_by_role("heading", name="Tell us about your project")).to_be_visible()
    page.locator("form[data-form] textarea").click()
    expect(page.locator("[data-island=lead-form]")).to_have_attribute("data-awake", "")
    fetched = page.evaluate(
        "performance.getEntriesByType('resource').filter(({name}) => name.includes('/react-')).map(e => e.decodedBodySize)"
    )
    assert len(fetched) == 1 and fetched[0] < MOST_BYTES_OF_PREACT, f"{fetched}, though its sites.toml chooses Preact"
    page.goto(f"http://ae.localhost:{port}/")
    expect(page.locator("html")).to_have_attribute("dir", "rtl")
    expect(page.get_by_role("heading", level=1)).to_have_text("قل في سطر واحد ماذا تقدمون لعملائكم")


def test_nothing_of_the_demo_is_in_what_visitors_get(company: tuple[Path, int], portolan: Path, tmp_path: Path) -> None:
    folder, _ = company
    subprocess.run([portolan, "export", tmp_path / "tree"], cwd=folder, check=True, capture_output=True)
    files = [
        file
        for file in (tmp_path / "tree").rglob("*")
        if file.is_file() and file.suffix in (".html", ".json", ".svg", ".js", ".css")
    ]
    assert len(files) > 50
    assert [file for file in files if b"brightmoor" in file.read_bytes().lower()] == []


def test_its_administrator_changes_a_number_and_it_is_live(company: tuple[Path, int], page: Page) -> None:
    folder, port = company
    login = json.loads((folder / "var/login.json").read_text())
    page.goto(f"http://studio.localhost:{port}/admin/snippets/content/office/")
    page.get_by_label("Username").fill(login["user"])
    page.get_by_label("Password").fill(login["password"])
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("link", name="Your city").first.click()
    page.locator("input[name='phone']").fill("+44 20 7946 0123")
    page.get_by_role("button", name="Publish").first.click()
    expect_published(page)
    wait_until(lambda: "+44 20 7946 0123" in _read(port), lambda: "the new number is on the site")


def test_a_block_of_its_own_and_a_plugin_s_page_are_built_on_this_machine_and_published(
    company: tuple[Path, int], portolan: Path, page: Page
) -> None:
    folder, port = company
    own = {**_environment(portolan), "PORTOLAN_PORT": str(port)}

    def run(*arguments: str | Path) -> None:
        done = subprocess.run([portolan, *arguments], cwd=folder, env=own, capture_output=True, text=True)
        assert done.returncode == 0, done.stderr

    run("new", "block", "price_table")
    registry = folder / "sites.toml"
    registry.write_text(registry.read_text().replace('_plugin"]', '_plugin", "portolan_opening_hours"]'))
    run("build", "--node-modules", ROOT / "web" / "node_modules")  # as npm would install them from the same lock
    assert "export interface PriceTableData" in (folder / "acme_works_plugin/types.ts").read_text()
    written = folder / "var/cache/web-source/web/src/blocks/plugins/portolan_opening_hours/types.ts"
    shipped = ROOT / "examples/portolan-opening-hours/portolan_opening_hours/types.ts"
    assert written.read_text() == shipped.read_text()
    run("upgrade")
    run("django", "shell", "--no-imports", "-c", _ADD_CONTENT)
    run("publish")
    page.goto(f"http://localhost:{port}/")
    section = page.locator("section", has=page.get_by_role("heading", name="What it costs"))
    expect(section.get_by_role("heading", level=3)).to_have_text(["Small", "Large"])
    assert section.locator("ul").evaluate("list => getComputedStyle(list).display") == "grid"
    hours = page.locator("section", has=page.get_by_role("heading", name="Come and see us"))
    expect(hours.get_by_role("row")).to_have_text(["Monday – Sunday00:00–23:59"])
    hours.scroll_into_view_if_needed()
    expect(hours.get_by_text("Open now, until 23:59")).to_be_visible()

    page.goto(f"http://ae.localhost:{port}/branch")
    expect(page.get_by_role("heading", level=1)).to_have_text("دبي")
    expect(page.get_by_text("مفتوح الآن")).to_be_visible()
    assert page.get_by_role("heading", level=1).evaluate("title => getComputedStyle(title).fontSize") > "36px"
    about = json.loads(page.locator("script[type='application/ld+json']").inner_text())["@graph"]
    assert [thing["@type"] for thing in about] == ["LocalBusiness", "BreadcrumbList"]


_ADD_CONTENT = """
from portolan.content.pages.home import HomePage
from portolan_opening_hours.models import BranchPage
every_day = {"days": ["mon", "tue", "wed", "thu", "fri", "sat", "sun"], "opens": "00:00:00", "closes": "23:59:00"}
for home in HomePage.objects.all():
    entries = [{"title": title, "text": "For {company}."} for title in ("Small", "Large")]
    section = {"tone": "paper", "anchor": "", "anchor_title": ""}
    home.body.append(("price_table", {**section, "title": "What it costs", "entries": entries}))
    hours = {"title": "Come and see us", "text": "", "hours": [every_day], "closed_on": [], "time_zone": "Asia/Dubai"}
    home.body.append(("opening_hours", {**section, **hours}))
    home.save_revision().publish()
    page = BranchPage(title="دبي", slug="branch", summary="…", address="1", time_zone="Asia/Dubai", locale=home.locale)
    page.hours.append(("hours", every_day))
    HomePage.objects.get(pk=home.pk).add_child(instance=page)
    page.save_revision().publish()
"""


def _environment(portolan: Path) -> dict[str, str]:
    """Nothing of the tests' own settings."""
    own = {key: value for key, value in os.environ.items() if not key.startswith(("PORTOLAN_", "PYTHON", "DATABASE_"))}
    return own | {"PATH": f"{portolan.parent}{os.pathsep}/usr/bin{os.pathsep}/bin"}


def _read(port: int) -> str:
    with urlopen(f"http://localhost:{port}/contact-us", timeout=LONGEST_WAIT_S) as reply:
        text: str = reply.read().decode()
    return text

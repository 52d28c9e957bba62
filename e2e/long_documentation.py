"""The tutorial and three guides, step by step: `make test-long ARGS=documentation`.

The test runs the commands of the pages in a temporary folder and compares their output. Steps in the studio are scripts here.
"""

import json
import os
import shutil
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from portolan_dev.ports import free_port

from .doc_pages import Command, File, apply_diff, fits, read_sections
from .faults import LONGEST_WAIT_S, wait_until
from .product import answers
from .running_commands import copy_checkout, environment
from .seeded import ROOT

pytestmark = pytest.mark.one_worker  # one folder, in which each page continues

HOWTO: Final = ROOT / "docs" / "howto"
LONGEST_COMMAND_S: Final = 300
_START: Final = "from portolan.content.pages.home import HomePage\nhome = HomePage.objects.get(slug='en')\n"
_SECTION: Final = '{"tone": "paper", "anchor": "", "anchor_title": ""}'
_UPLOAD: Final = """
from django.contrib.auth import get_user_model
from portolan.studio.redirects.csv_file import import_plan, plan_import

def upload(text):
    user = get_user_model().objects.get(username="admin")
    assert import_plan(text, plan_import(text, user).mark, user)

"""

STUDIO: Final = {
    "model-your-content: 3. Put the block on a page": f"""
entries = [{{"figure": "30", "title": "Days off", "text": "And your birthday."}}]
home.body.append(("benefits", {{**{_SECTION}, "title": "Why people stay", "entries": entries}}))
home.save_revision().publish()
""",
    "model-your-content: 5. Create a page of the type": """
from acme_works_plugin.team import TeamPage
page = TeamPage(title="Platform", slug="platform", summary="We keep the lights on.", lead="Mira Okafor", locale=home.locale)
home.add_child(instance=page)
page.save_revision().publish()
""",
    "model-your-content: 8. Add an entry": f"""
from portolan.content.models import Job, JobTranslation
job = Job(key="developer-leeds", city="Leeds", weekly_hours=32)
job.translations = [JobTranslation(locale=home.locale, title="Developer")]
job.save()
home.body.append(("job_list", {{**{_SECTION}, "title": "Open jobs"}}))
home.save_revision().publish()
""",
    "move-from-another-system: Upload the redirects": f'{_UPLOAD}upload(open("../content/redirects-en.csv").read())',
    "lead-addresses-elsewhere: Check": f'{_UPLOAD}upload("site,from,to\\nall,/old-page,/about-us\\n")',
}
"""By page and heading: the steps in the studio before the first command of this section that reads a site."""


class Reader:
    """A reader who takes the steps of a page, in folders next to a checkout called ``portolan``."""

    def __init__(self, folder: Path) -> None:
        self.place = folder
        self.port = free_port()
        self.served: subprocess.Popen[bytes] | None = None
        self.log = folder / "serve.log"
        own = {"PORTOLAN_PORT": str(self.port), "COLUMNS": "160"}
        product = {key: "" for key in os.environ if key.startswith(("PORTOLAN_", "DATABASE_"))}
        self.environment = {k: v for k, v in environment(folder / "portolan", own).items() if k not in product} | own

    def follow(self, page: Path) -> None:
        for section in read_sections(page):
            waiting = STUDIO.get(f"{page.stem}: {section.heading}")
            for step in section.steps:
                if waiting and isinstance(step, Command) and step.line.startswith("curl"):
                    self.run(["portolan", "django", "shell", "--no-imports", "-c", _START + waiting])
                    waiting = None
                self.take(step)

    def take(self, step: Command | File) -> None:
        if isinstance(step, File):
            file = self.place / step.path
            file.write_text(apply_diff(file.read_text(), step.text) if step.is_diff else step.text)
        elif step.line == "portolan serve":
            self.serve()
        elif step.line.startswith("cd "):
            self.place = (self.place / step.line.removeprefix("cd ")).resolve()
        else:
            self.compare(step)

    def compare(self, step: Command) -> None:
        """Run the command. If it reads a site, repeat it until the publisher has published."""
        line, said = step.line.replace(":8000", f":{self.port}"), ""
        expected = [text.replace(":8000", f":{self.port}") for text in step.output]

        def is_so() -> bool:
            nonlocal said
            said = self.run(["bash", "-c", line], may_fail=line.startswith("curl"))
            return fits(expected, said)

        if line.startswith("curl"):
            wait_until(is_so, lambda: f"{line} prints\n{said}", within_s=LONGEST_WAIT_S)
        else:
            assert is_so(), f"$ {line}\n{said}\ninstead of\n" + "\n".join(expected)

    def run(self, command: list[str], may_fail: bool = False) -> str:
        done = subprocess.run(
            command,
            cwd=self.place,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            timeout=LONGEST_COMMAND_S,
        )
        assert may_fail or done.returncode == 0, f"{command[-1]} ended with {done.returncode}:\n{done.stdout}"
        return done.stdout

    def serve(self) -> None:
        self.stop()
        with self.log.open("wb") as output:
            self.served = subprocess.Popen(
                ["portolan", "serve"], cwd=self.place, env=self.environment, stdout=output, stderr=subprocess.STDOUT
            )
        studio = f"studio.localhost:{self.port}"
        wait_until(
            lambda: answers(f"http://127.0.0.1:{self.port}/admin/login/", host=studio),
            lambda: f"the company is served:\n{self.log.read_text()[-2000:]}",
            within_s=60,
        )

    def stop(self) -> None:
        if self.served:
            self.served.send_signal(signal.SIGTERM)
            self.served.wait(LONGEST_WAIT_S)
            self.served = None


@pytest.fixture(scope="module")
def folder() -> Iterator[Path]:
    """Return a folder with a copy of this checkout, on its disk."""
    folder = ROOT / "var" / f"documentation-{os.getpid()}"
    shutil.rmtree(folder, ignore_errors=True)
    try:
        copy_checkout(folder / "portolan")
        yield folder
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def reader(folder: Path) -> Iterator[Reader]:
    reader = Reader(folder)
    yield reader
    reader.stop()


def test_three_guides(reader: Reader) -> None:
    for page in ("begin-your-own-company", "move-from-another-system", "lead-addresses-elsewhere"):
        reader.follow(HOWTO / f"{page}.md")
    assert json.loads((reader.place / "var" / "login.json").read_text())["user"] == "admin"


def test_the_tutorial(reader: Reader) -> None:
    reader.place /= "portolan"
    reader.follow(HOWTO / "model-your-content.md")

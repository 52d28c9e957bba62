"""The example plugin in a company that names it, and its pages once the company removes the name. Each uses its own
process, because Django's apps are fixed at the start."""

import json
import os
import sys
from pathlib import Path
from typing import Any

from click.testing import CliRunner

from portolan.commands import init
from portolan.config.empty_database import begin_database

from .processes import run_program

EXAMPLE = Path(__file__).parents[2] / "examples" / "portolan-opening-hours"


def test_the_example_s_own_tests_and_its_pages_without_it(tmp_path: Path) -> None:
    var = tmp_path / "var"
    var.mkdir(mode=0o700)
    begin_database(var / "portolan.sqlite3", "en")
    # Without the pytest plugins of our environment.
    own = {"PORTOLAN_VAR_DIR": str(var), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
    ran = _run(["-m", "pytest", "-q", "-o", "addopts=", "-p", "no:cacheprovider"], EXAMPLE, own)
    assert "4 passed" in ran

    project = tmp_path / "without"
    CliRunner().invoke(init.command, [str(project), "--name", "Acme", "--sites", "en,ae", "--yes", "--files-only"])
    said = _run(["-c", _WITHOUT_PLUGIN], project, {"PORTOLAN_VAR_DIR": str(var)})
    seen: dict[str, Any] = json.loads(said.splitlines()[-1])
    assert seen["missing"] == {"portolan_opening_hours": 1}
    assert seen["problems"] == ["family-unknown"]
    assert seen["explored"] == 200
    home = seen["home"]
    changing = ("edit", "move", "copy", "delete", "unpublish")
    assert seen["answers"] == {name: [302, f"/admin/pages/{home}/"] for name in changing}
    assert "which is not in sites.toml" in seen["told"]
    assert seen["offline"] == [1, [None], {}]
    assert seen["unknown_block"] == ["block-unknown", "has an unknown block “Opening hours”: its plugin is missing"]
    assert seen["saved_without"] == []


_WITHOUT_PLUGIN = """
import json, logging, warnings
from portolan.config.start_django import start_django
start_django()
warnings.simplefilter("ignore")
logging.disable(logging.CRITICAL)
from django.contrib.auth import get_user_model
from django.test import Client
from wagtail.models import Page
from portolan.config.env import env
from portolan.content.export import export_batch
from portolan.content.items import PAGE, ItemKey
from portolan.content.pages.home import HomePage
from portolan.domain.problem_texts import say
from portolan.releases.connection import connected_reader
from portolan.releases.missing_plugins import count_pages_of_missing_plugins
from portolan.studio.missing_plugins import take_offline

page = Page.objects.get(slug="london")
home = HomePage.objects.get(slug="en")
key = ItemKey("en", PAGE, str(page.translation_key))
count = lambda: count_pages_of_missing_plugins(connected_reader(), env().registry.plugins)
problems = lambda found, key: [problem.detail.code for problem in found.problems.get(key, ())]
seen = {"home": home.pk, "missing": count(), "problems": problems(export_batch([key]), key)}
client = Client(HTTP_HOST="studio.localhost:8000")
client.force_login(get_user_model().objects.create_superuser("anna"))
client.get(f"/admin/pages/{page.pk}/edit/")
explored = client.get(f"/admin/pages/{home.pk}/")
seen["explored"], seen["told"] = explored.status_code, explored.content.decode()
answers = {name: client.get(f"/admin/pages/{page.pk}/{name}/") for name in ("edit", "move", "copy", "delete", "unpublish")}
seen["answers"] = {name: [answer.status_code, answer.headers.get("Location")] for name, answer in answers.items()}
seen["offline"] = [take_offline(), list(export_batch([key]).bodies.values()), count()]

block = {"type": "opening_hours", "id": "x", "value": {"title": "When we are there"}}
HomePage.objects.filter(pk=home.pk).update(live=True)
from django.db import connection
connection.cursor().execute("UPDATE content_homepage SET body = %s WHERE page_ptr_id = %s", [json.dumps([block]), home.pk])
key = ItemKey("en", PAGE, str(home.translation_key))
(problem,) = export_batch([key]).problems[key]
seen["unknown_block"] = [problem.detail.code, say(problem).split(": ", 1)[1].split(", ")[0]]
home = HomePage.objects.get(pk=home.pk)
home.save()
seen["saved_without"] = problems(export_batch([key]), key)
print(json.dumps(seen))
"""


def _run(arguments: list[str], folder: Path, own: dict[str, str]) -> str:
    """Run as a company does, apart from the settings of these tests."""
    kept = {
        name: value for name, value in os.environ.items() if not name.startswith(("PORTOLAN_", "DJANGO_", "PYTEST_"))
    }
    kept.pop("DATABASE_URL", None)
    done = run_program([sys.executable, *arguments], cwd=folder, env={**kept, **own}, timeout_s=300)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stdout

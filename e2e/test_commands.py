"""Short forms of commands that measure: they start, end well and print figures. The longer ones: `long_commands.py`."""

import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

import pytest

from tests.processes import run_program

from .running_commands import assert_says, run_make, run_npm
from .seeded import ROOT, copy_to

NUMBER = r"[\d,.]+"
_FOREIGN = re.compile(r"<(?:script|link|img|iframe)[^>]*(?:src|href)=\"https?://")
needs_wrk = pytest.mark.skipif(shutil.which("wrk") is None, reason="needs wrk: `make test` installs Debian's")
_IN_DRILL = """
from drill.disk import run_installing
run_installing("probe", "test -f Makefile && ! touch Makefile && touch /tmp/of-the-machine /etc/of-the-machine")
"""


@pytest.fixture(scope="module")
def demo(seeded: Path, tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """Return variables that name a copy of the published demo."""
    folder = tmp_path_factory.mktemp("commands")
    copy_to(folder, seeded)
    return {"PORTOLAN_VAR_DIR": str(folder)}


def test_help_prints_a_line_for_each_target() -> None:
    assert_says(run_make("help"), r"^make demo  ", r"^make bench-api  ")


def test_docs_builds_a_site_with_diagrams_and_handbook_that_loads_nothing_from_other_hosts() -> None:
    assert_says(run_make("docs"), r"^The site is in var/docs/index\.html$")
    site = ROOT / "var" / "docs"
    pages = {page.relative_to(site).as_posix(): page.read_text(encoding="utf-8") for page in site.rglob("*.html")}
    assert [name for name, page in pages.items() if _FOREIGN.search(page)] == []
    assert [name for name, page in pages.items() if 'class="mermaid"' in page or "@import" in page] == []
    assert pages["architecture.html"].count('class="diagram"') == 2
    assert '<div lang="de">' in pages["handbook/de/checks.html"]
    assert (site / "handbook" / "de" / "checks.webp").exists()


def test_long_tests_that_are_chosen_wait_for_another_time() -> None:
    assert_says(run_make("test-long", "outages --minutes 0"), r"^  left, because the time is over: outages$")


@needs_wrk
def test_bench_api_compares_a_read_with_a_constant_reply(demo: dict[str, str]) -> None:
    said = run_make("bench-api", "--short", variables=demo)
    assert_says(
        said, rf"^constant reply +{NUMBER} +{NUMBER} +1\.00 ", rf"^content/offices +{NUMBER} +{NUMBER} +\d\.\d\d "
    )


def test_bench_inp_measures_a_form_on_a_page_of_production(demo: dict[str, str]) -> None:
    said = run_make("bench-inp", "--short", variables=demo)
    assert_says(said, rf"^/contact-us +a name +{NUMBER} +{NUMBER}", rf"^INP +the slowest of each visit +{NUMBER}")
    assert "has no element for" not in said


def test_bench_render_prints_what_a_page_costs() -> None:
    assert_says(run_npm("bench:render", "--short"), rf"^with HTML compressed by Brotli 5 +{NUMBER} ms of CPU a page")


def test_texts_of_the_web_are_complete_and_those_of_consent_have_a_hash() -> None:
    assert_says(run_npm("check:texts"), r"\d+ texts, 0 problems$")
    assert_says(run_npm("consent-texts"), r"^[0-9a-f]{8,} en spec gdpr$", r"^[0-9a-f]{8,} \w+ strict settings$")


@pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="machines of namespaces need root on Linux")
def test_a_machine_of_the_drill_has_a_checkout_below_the_system_s_temporary_folder() -> None:
    """A machine has a temporary folder of its own, so the checkout is mounted there."""
    with tempfile.TemporaryDirectory(dir="/tmp", prefix="portolan-drill-") as name:
        shutil.copytree(ROOT / "drill", Path(name, "drill"))
        shutil.copy(ROOT / "Makefile", name)
        disks = Path(name, "var", "drill", "disks")
        disks.mkdir(parents=True)
        script = f'mount -t tmpfs drill {disks}; exec "$0" -c "$1"'
        namespaces = ["unshare", "--mount", "--pid", "--fork", "--kill-child", "--mount-proc"]
        done = run_program([*namespaces, "sh", "-euc", script, sys.executable, _IN_DRILL], 60, cwd=name)
        assert done.returncode == 0, done.stderr
        assert [*disks.iterdir()] == [], "its disk is gone with its namespace"

"""Every other command in its short form: `make test-long ARGS=commands`.

Commands that write into the checkout run in a copy. If they generate files, these have to equal the committed ones.
"""

import importlib.util
import os
import re
import shutil
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from portolan import __version__
from portolan_dev.bench.cpu_quota import NoControlGroups, cpu_quota
from portolan_dev.ports import free_port
from tests.processes import run_program, started

from .faults import wait_until
from .product import Product, answers
from .running_commands import (
    assert_says,
    commit_all,
    copy_checkout,
    environment,
    list_changed,
    run_git,
    run_make,
    run_npm,
    run_portolan,
)
from .seeded import ROOT, copy_to
from .test_commands import NUMBER, needs_wrk

_FIND_POSTGRES = (sys.executable, ROOT / "scripts" / "with_postgres.py", "--find")
needs_postgres = pytest.mark.skipif(
    "run_program(_FIND_POSTGRES).returncode != 0", reason="PostgreSQL: no server binaries found"
)
needs_root = pytest.mark.skipif(sys.platform != "linux" or os.geteuid() != 0, reason="needs root on Linux")
ROW = rf" +{NUMBER} +{NUMBER}"


@pytest.fixture(scope="session")
def copied(seeded: Path) -> Iterator[Path]:
    folder = ROOT / "var" / f"commands-{os.getpid()}"
    shutil.rmtree(folder, ignore_errors=True)
    try:
        copy_checkout(folder)
        yield folder
    finally:
        shutil.rmtree(folder)


@pytest.fixture
def checkout(copied: Path) -> Iterator[Path]:
    """Return a copy of this checkout, with its packages and its web build, and nothing of other tests in it."""
    commit = run_git(copied, "rev-parse", "HEAD").strip()
    yield copied
    run_git(copied, "reset", "--hard", commit)
    run_git(copied, "clean", "-d", "--force")


@pytest.fixture
def demo(seeded: Path, tmp_path: Path) -> dict[str, str]:
    """Return variables that name a copy of the published demo."""
    copy_to(tmp_path, seeded)
    return {"PORTOLAN_VAR_DIR": str(tmp_path)}


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("bench-build", (rf"^cold publish, nothing compressed{ROW}", r"from save to live: p50 \d")),
        ("bench-ray", (r"all \d+ files are equal", r"^Ray, running publisher +\d", r"local pool's: first publish \d")),
        ("bench-store", (r"first publish: \d", r"to the edge's: p50 \d", r"^export of one edit.*: p50 \d")),
        ("bench-peers", (rf"^Eleventy 3, no React{ROW}", rf"^Astro 7, React{ROW}", rf"^Portolan, nothing compressed{ROW}")),
    ],
)  # fmt: skip
def test_builds_of_few_pages_are_measured(seeded: Path, target: str, says: tuple[str, ...]) -> None:
    assert_says(run_make(target, "--short"), *says)


def test_bench_pages_has_lighthouse_s_scores(demo: dict[str, str]) -> None:
    said = run_make("bench-pages", "--short", variables=demo)
    assert_says(said, r"^Lighthouse, mobile.*median of 1 runs", r"^en/contact-us +\d+ +\d+ +\d+ +\d+ ")


@pytest.fixture
def control_groups() -> None:
    try:
        with cpu_quota("probe", 0.1):
            return
    except NoControlGroups as error:
        pytest.skip(f"needs control groups that it may write to: {error}")


@needs_root
@needs_wrk
@pytest.mark.skipif(not Path("/usr/sbin/nginx").exists(), reason="needs nginx: `make test` installs Debian's")
def test_bench_edges_compares_one_edge_with_two(demo: dict[str, str], control_groups: None) -> None:
    said = run_make("bench-edges", "--short", variables=demo)
    assert_says(said, rf"^two edges +{NUMBER} requests/s", rf"^two to one +{NUMBER}")


def test_bench_screens_opens_the_screens_of_pages(demo: dict[str, str]) -> None:
    said = run_make("bench-screens", f"--short --folder {demo['PORTOLAN_VAR_DIR']}")
    assert_says(said, rf"^administrator +/admin/pages/\S* +200 +{NUMBER}", r"^The slowest needs \d")
    assert re.search(r"^\w+ +/admin/\S* +500 ", said, re.M) is None


def test_bench_editor_does_the_first_tasks(product: Product) -> None:
    said = run_make("bench-editor", "--short", variables=product.environment)
    assert_says(said, rf"^find the German contact page by a word and open it{ROW}")


@pytest.mark.parametrize(
    ("target", "says"),
    [
        ("contract", r"contract/: \d+ files, 0 written, 0 removed"),
        ("texts", r"^de: \d+ texts, 0 problems"),
        ("empty-database", r"kB$"),
        ("evidence", ""),
        ("format", ""),
        ("lock", ""),
    ],
)
def test_generated_files_are_those_that_are_committed(checkout: Path, target: str, says: str) -> None:
    assert_says(run_make(target, folder=checkout), says)
    assert list_changed(checkout) == []


def test_scripts_of_the_web_write_what_is_committed(checkout: Path) -> None:
    assert_says(run_npm("zones", folder=checkout), r"^wrote \d+ import zones")
    assert_says(run_npm("texts", folder=checkout), r"\d+ texts, 0 problems$")
    for script in ("icons", "contract", "format"):  # the last one lays out what `zones` has written
        run_npm(script, folder=checkout)
    assert list_changed(checkout) == []


def test_npm_runs_the_tests_of_one_file() -> None:
    assert_says(run_npm("test", "src/ui/icon/icon.test.ts"), r"Tests +\d+ passed")


def test_wheel_and_image_are_built_from_what_is_there(checkout: Path, tmp_path: Path) -> None:
    """No program here builds images: a stand-in checks that each file it would copy is there."""
    buildah = tmp_path / "buildah"
    buildah.write_text(
        f"#!{sys.executable}\n"
        "import re, sys\n"
        "from pathlib import Path\n"
        "assert sys.argv[1] == 'build' and sys.argv[-1] == '.' and '--build-arg' in sys.argv, sys.argv\n"
        "lines = Path(sys.argv[sys.argv.index('--file') + 1]).read_text().replace('\\\\\\n', ' ')\n"
        "copied = [word for line in re.findall(r'^COPY (?!--from)(.*) \\S+$', lines, re.M) for word in line.split()]\n"
        "copied = [word for word in copied if not word.startswith('--')]\n"
        "assert copied\n"
        "assert [word for word in copied if not [*Path().glob(word)]] == []\n"
        "print('built with', *copied)\n"
    )
    buildah.chmod(0o755)
    variables = {"PATH": environment(checkout, {}, tmp_path)["PATH"]}
    said = run_make("image", "--build-arg BASE=x", checkout, variables=variables)
    assert_says(said, r"portolan-\S+\.whl$", r"constraints\.txt$", r"^built with .*dist")


def test_pictures_of_blocks_and_handbook_are_taken(checkout: Path, product: Product) -> None:
    assert_says(run_make("block-pictures", "--short", checkout), r"^\d+ images, \d+ kB")
    said = run_make("handbook-pictures", f"--short {product.var_dir} {product.port}", checkout)
    assert_says(said, r"dashboard\S*: \d+ kB", r"^\d+ kB in all")


def test_the_gallery_is_served(checkout: Path) -> None:
    port = free_port()
    args = f"--unchecked --port {port} {checkout / 'var' / 'gallery'}"
    with started(["make", "gallery", "DEV=", f"ARGS={args}"], cwd=checkout, env=environment(checkout)):
        url = f"http://127.0.0.1:{port}/blocks.html"
        wait_until(lambda: answers(url), lambda: "the gallery is served", within_s=100)


def test_a_command_runs_with_a_share_of_the_processors(control_groups: None) -> None:
    assert_says(run_make("test-slow", "--percent 50 printenv PORTOLAN_SLOWER"), r"^2$")


def test_make_demo_serves_the_sites(demo: dict[str, str]) -> None:
    port = free_port()
    variables = environment(ROOT, {**demo, "PORTOLAN_PORT": str(port)})
    with started(["make", "demo", "RUN="], cwd=ROOT, env=variables):
        url = f"http://127.0.0.1:{port}/"
        wait_until(lambda: answers(url, host=f"localhost:{port}"), lambda: "the demo is served", within_s=100)


@pytest.mark.parametrize(
    "target",
    [
        "axe", "drill-upgrade", "fuzz-api", "fuzz-forms", "journeys-preact",
        *(pytest.param(name, marks=needs_postgres) for name in ("drill-restore", "journeys-postgres", "test-postgres")),
        pytest.param(
            "journeys-browsers",
            marks=pytest.mark.skipif(shutil.which("chromedriver") is None, reason="needs chromium-driver"),
        ),
    ],
)  # fmt: skip
def test_pytest_finds_the_tests_of_a_target(target: str) -> None:
    """The tests themselves are run by `make test`, in their short form."""
    said = run_make(target, "--collect-only", variables={"PORTOLAN_BROWSERS": "chromium"})
    assert_says(said, r"^\d+(/\d+)? tests? collected|^\S+: \d+$")


def test_mutants_of_one_part_are_tried_in_both_languages(checkout: Path) -> None:
    assert_says(run_make("mutate", "--short", checkout), r"^domain +\d+ %.*noticed", r"menu-aim\.ts +\d+\.\d +\d+")


def test_soak_runs_a_row_and_writes_down_what_came_of_it(checkout: Path) -> None:
    said = run_make("soak", "--short R6", checkout)
    assert_says(said, r"^== R6: ", r"\d+ passed|\[100%\]")
    assert list_changed(checkout) == ["docs/evidence/faults.json", "docs/evidence/faults.md"]


def test_release_refuses_a_tree_until_it_is_committed_described_and_proven(checkout: Path) -> None:
    changelog = checkout / "CHANGELOG.md"
    changelog.write_text("# Changelog\n")
    assert "There are changes that are not committed" in refuse_release(checkout)
    commit_all(checkout)
    assert f"has no heading for {__version__}" in refuse_release(checkout)
    changelog.write_text(f"# Changelog\n\n## Unreleased\n\n- One.\n\n## {__version__} (2026-01-01)\n")
    commit_all(checkout)
    assert "has entries under Unreleased" in refuse_release(checkout)
    changelog.write_text(f"# Changelog\n\n## {__version__} (2026-01-01)\n")
    (checkout / "testing" / "proven.json").write_text("{}\n")
    commit_all(checkout)
    assert "unproven: commands (make test-long ARGS=commands)" in refuse_release(checkout)


def refuse_release(checkout: Path) -> str:
    """Return the reason."""
    done = run_program(["make", "release", "TEST="], cwd=checkout, env=environment(checkout))
    assert done.returncode != 0
    return f"{done.stdout}{done.stderr}"


@needs_postgres
def test_a_data_set_is_kept_as_one_file(checkout: Path, tmp_path: Path) -> None:
    variables = {"PORTOLAN_VAR_DIR": str(tmp_path / "var")}
    said = run_portolan("dataset", "probe", "--into", str(tmp_path), folder=checkout, variables=variables)
    assert_says(said, r"probe\.tar\.xz: \d+ kB")


def test_extras_are_installed_already() -> None:
    run_make("extras")
    assert importlib.util.find_spec("obstore")


@needs_root
def test_drill_brings_up_one_server() -> None:
    """Installs packages of Debian and Python by the steps of the documentation, so it needs a network the first time."""
    assert_says(run_make("drill", "--short", within_s=1500), r"one server, installed to live: \d+ s", r"\d+ passed")

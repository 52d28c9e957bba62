"""Commands in the documentation exist, with their options; and the reader of pages for `make test-long ARGS=documentation`."""

import re
import shlex
from pathlib import Path
from string import Template

import click
import pytest

from e2e.doc_pages import Command, File, apply_diff, fits, read_sections
from portolan.commands.main import main
from portolan.config.project import ROOT

PAGES = sorted([*(ROOT / "docs").rglob("*.md"), ROOT / "README.md", ROOT / "CONTRIBUTING.md"])
CODE = re.compile(r"^ *(?:\$ |# )?(?:nice |sudo -u portolan )?portolan (.+)$|`portolan ([^`…]+)`", re.MULTILINE)


def list_commands(page: Path) -> list[str]:
    """Return the command lines of `portolan` in a page, without comments and pipes."""
    text = page.read_text(encoding="utf-8").replace("\\\n", " ")
    blocks = "\n".join(re.findall(r"^ *```(?:sh|console)\n(.*?)```", text, re.MULTILINE | re.DOTALL))
    prose = re.sub(r"^ *```.*?```", "", text, flags=re.MULTILINE | re.DOTALL)
    lines = [match[1] for match in CODE.finditer(blocks) if match[1]] + [m[2] for m in CODE.finditer(prose) if m[2]]
    return [re.split(r"\s+#|\s*(?:&&|\||>|;|&$)", line)[0].strip() for line in lines]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.relative_to(ROOT).as_posix())
def test_commands_exist_with_their_options(page: Path) -> None:
    unknown = [line for line in list_commands(page) if not is_known(line)]
    assert unknown == []


def is_known(line: str) -> bool:
    if line.startswith("django "):
        return True
    command: click.Command = main
    arguments = shlex.split(line.replace("'", "").replace('"', ""))
    while isinstance(command, click.Group) and arguments and not arguments[0].startswith("-"):
        name, *arguments = arguments
        found = command.get_command(click.Context(command), name)
        if found is None:
            return False
        command = found
    known = {option for parameter in command.params for option in (*parameter.opts, *parameter.secondary_opts)} | {
        "--help",
        "-h",
        "--version",
    }
    return {part.partition("=")[0] for part in arguments if part.startswith("--")} <= known


def test_steps_of_a_page(tmp_path: Path) -> None:
    page = tmp_path / "page.md"
    page.write_text(
        "# Title\n## One\n1. Do it:\n\n   ```console\n   $ cd a\n   $ ls \\\n       -l\n   total …\n   ```\n"
        '```diff title="b.txt"\n a\n-b\n+c\n```\n```sh\nnot run\n```\n'
    )
    start, one = read_sections(page)
    assert start.steps == []
    assert one.steps == [Command("cd a", []), Command("ls     -l", ["total …"]), File("b.txt", " a\n-b\n+c\n", True)]


def test_output_fits_lines_in_which_an_ellipsis_is_any_text() -> None:
    said = "  ✓ Building  3.1 s\nmore\n\nRelease 2 is live.\n"
    assert fits(["✓ Building  … s", "…", "Release 2 is live."], said)
    assert fits([], said)
    assert not fits(["✓ Building  … s", "Release 2 is live."], said)
    assert not fits(["✓ Building  … s", "…"], "Error\n")


def test_each_place_of_a_diff_changes() -> None:
    assert apply_diff("a\nb\nc\nd\n", " a\n-b\n+x\n …\n d\n+e\n") == "a\nx\nc\nd\ne\n"
    with pytest.raises(AssertionError, match="0 places"):
        apply_diff("a\n", " b\n+c\n")


def test_the_changes_of_the_tutorial_fit_the_code() -> None:
    """Its long test also runs them. This one finds a page that a change of the code made wrong at once."""
    tutorial = ROOT / "docs" / "howto" / "model-your-content.md"
    files = [step for section in read_sections(tutorial) for step in section.steps if isinstance(step, File)]
    ours = {file.path: file.text for file in files if file.is_diff and file.path.startswith("backend/")}
    assert len(ours) == 4
    for path, diff in ours.items():
        compile(apply_diff((ROOT / path).read_text(encoding="utf-8"), diff), path, "exec")
    for path, template in (("benefits.py", "block.py"), ("benefits.block.tsx", "block.block.tsx")):
        [diff] = [file.text for file in files if file.path == f"acme_works_plugin/{path}"]
        text = (ROOT / f"backend/portolan/starter/plugin/{template}.template").read_text(encoding="utf-8")
        apply_diff(Template(text).substitute(name="benefits", Name="Benefits", Label="Benefits"), diff)

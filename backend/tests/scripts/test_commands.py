"""Every target of the Makefile, command of `portolan` and script of web/package.json is run by a test or a check."""

import json
import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

import click
import pytest

from portolan.commands.main import main

ROOT = Path(__file__).parents[3]
TABLE = tomllib.loads((ROOT / "testing" / "commands.toml").read_text(encoding="utf-8"))
MAKEFILE = (ROOT / "Makefile").read_text(encoding="utf-8")
SCRIPTS = json.loads((ROOT / "web" / "package.json").read_text(encoding="utf-8"))["scripts"]


def list_targets() -> dict[str, list[str]]:
    """Return the targets, each with the targets that `make` runs before it."""
    return {target: before.split() for target, before in re.findall(r"^([a-z][\w-]*):(.*)", MAKEFILE, re.M)}


def list_commands(command: click.Command = main, *path: str) -> Iterator[str]:
    if not isinstance(command, click.Group):
        yield " ".join(path)
        return
    context = click.Context(command)
    for name in command.list_commands(context):
        below = command.get_command(context, name)
        assert below
        if not below.hidden:  # the former name of another
            yield from list_commands(below, *path, name)


def runs(kind: str, command: str, text: str) -> bool:
    """Return whether a file with this text runs the command.

    A target that another target needs is run too. A command is named in quotes (`[*PORTOLAN, "serve"]`), as the object
    of its module (`verify.command`), or in a shell (`make test`, `web lint`).
    """
    last = command.split()[-1]
    forms = [rf'"{last}"', rf"^(make|.*\bweb) {last}$"]
    if kind == "make":
        forms += [f'"{target}"' for target, before in list_targets().items() if command in before]
    if kind == "portolan" and last == command:
        module = last.replace("-", "_")
        forms += [
            rf"\b{module}(_command)?\.command\b",
            rf"from portolan(_dev)?\.commands\.{module} import .*\bcommand\b",
            rf"from portolan(_dev)?\.commands import .*\b{module} as command\b",
        ]
    return any(re.search(form, text, re.M) for form in forms)


@pytest.mark.parametrize(
    ("kind", "commands"), [("make", {*list_targets()}), ("portolan", {*list_commands()}), ("npm", {*SCRIPTS})]
)
def test_each_command_is_in_the_table(kind: str, commands: set[str]) -> None:
    assert commands == TABLE[kind].keys()


@pytest.mark.parametrize("kind", TABLE)
def test_each_command_is_run_by_the_file_that_the_table_names(kind: str) -> None:
    files = {file: (ROOT / file).read_text(encoding="utf-8") for file in {*TABLE[kind].values()}}
    assert [name for name, file in TABLE[kind].items() if not runs(kind, name, files[file])] == []


def test_help_and_phony_name_each_target() -> None:
    phony = re.search(r"^\.PHONY: (.*)$", MAKEFILE, re.M)
    assert phony
    assert {*phony[1].split()} == {*list_targets()}
    explained = set(re.findall(r'echo "make ([\w-]+)', MAKEFILE))
    assert {*list_targets()} - explained - {"help"} == set()


def test_variables_that_recipes_set_are_read_by_a_test() -> None:
    variables = set(re.findall(r"\b(PORTOLAN_\w+)=", re.sub(r"(?m)^\t@echo.*$", "", MAKEFILE)))
    assert variables
    texts = [
        file.read_text(encoding="utf-8")
        for folder in ("backend/tests", "e2e")
        for file in (ROOT / folder).rglob("*.py")
    ]
    assert {name for name in variables if not any(f'"{name}"' in text for text in texts)} == set()

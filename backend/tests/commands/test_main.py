"""The command line: commands of the product, and those only in a checkout."""

from collections.abc import Iterator

import click
import pytest
from click.testing import CliRunner

from portolan.commands import main as main_module
from portolan.commands.main import CHECKOUT_COMMANDS, COMMANDS, main


@pytest.fixture
def installed_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(main_module, "find_spec", lambda name: None)


@pytest.mark.parametrize("name", sorted({*COMMANDS, *CHECKOUT_COMMANDS} - {"django"}))  # django passes `--help` on
def test_each_command_has_help(name: str) -> None:
    done = CliRunner().invoke(main, [name, "--help"])
    assert done.exit_code == 0, done.output
    assert "Usage:" in done.output


def walk(command: click.Command, path: str) -> Iterator[tuple[str, click.Command]]:
    yield path, command
    if isinstance(command, click.Group):
        for name in command.list_commands(click.Context(command)):
            child = command.get_command(click.Context(command), name)
            assert child
            if not child.hidden:  # the former name of another
                yield from walk(child, f"{path} {name}")


def test_the_first_line_of_help_is_short_and_the_same_in_the_list() -> None:
    first_lines = {path: (command.help or "").partition("\n\n")[0].strip() for path, command in walk(main, "portolan")}
    assert {path: line for path, line in first_lines.items() if not line or len(line) > 60} == {}
    listed = {f"portolan {name}": line for name, line in {**COMMANDS, **CHECKOUT_COMMANDS}.items()}
    assert listed == {path: first_lines[path] for path in listed}


@pytest.mark.parametrize("name", CHECKOUT_COMMANDS)
@pytest.mark.usefixtures("installed_alone")
def test_an_installed_product_says_that_a_command_needs_a_checkout(name: str) -> None:
    done = CliRunner().invoke(main, [name])
    assert done.exit_code == 1
    assert f"`portolan {name}` needs the package portolan_dev" in done.stderr
    assert "Run it in a checkout" in done.stderr


@pytest.mark.usefixtures("installed_alone")
def test_an_installed_product_lists_its_own_commands_alone() -> None:
    said = CliRunner().invoke(main, ["--help"]).output
    assert "publish" in said
    assert "bench-build" not in said

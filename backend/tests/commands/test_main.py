"""The command line: commands of the product, and those that only a checkout has."""

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


@pytest.mark.parametrize("name", CHECKOUT_COMMANDS)
@pytest.mark.usefixtures("installed_alone")
def test_an_installed_product_says_that_a_command_needs_a_checkout(name: str) -> None:
    done = CliRunner().invoke(main, [name])
    assert done.exit_code == 1
    assert f"`portolan {name}` needs the package portolan_dev" in done.stderr
    assert "run it from a checkout" in done.stderr


@pytest.mark.usefixtures("installed_alone")
def test_an_installed_product_lists_its_own_commands_alone() -> None:
    said = CliRunner().invoke(main, ["--help"]).output
    assert "publish" in said
    assert "bench-build" not in said

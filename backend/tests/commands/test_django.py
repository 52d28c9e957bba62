from click.testing import CliRunner

from portolan.commands.django import command


def test_passes_on_options_too() -> None:
    reply = CliRunner().invoke(command, ["check", "--fail-level", "WARNING"])
    assert reply.exit_code == 0, reply.output
    assert "no issues" in reply.output

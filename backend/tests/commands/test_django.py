from click.testing import CliRunner

from portolan.commands.django import command


def test_passes_on_options_too() -> None:
    # Not every check: the demo's registry has warnings of its own (consent_records.W001).
    reply = CliRunner().invoke(command, ["check", "--fail-level", "WARNING", "--tag", "models", "--tag", "urls"])
    assert reply.exit_code == 0, reply.output
    assert "no issues" in reply.output

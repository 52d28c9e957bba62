from click.testing import CliRunner

from portolan.commands.django import command


def test_passes_on_options_too() -> None:
    # Only some checks: the demo's site configuration has its own warnings (consent_records.W001).
    reply = CliRunner().invoke(command, ["check", "--fail-level", "WARNING", "--tag", "models", "--tag", "urls"])
    assert reply.exit_code == 0, reply.output
    assert "no issues" in reply.output

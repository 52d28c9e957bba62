"""``portolan django …``: run Django's management commands with Portolan's settings."""

import click

from ..config.start_django import use_settings


@click.command(
    context_settings={"ignore_unknown_options": True, "allow_extra_args": True, "allow_interspersed_args": False},
    add_help_option=False,
)
@click.argument("arguments", nargs=-1, type=click.UNPROCESSED)
def command(arguments: tuple[str, ...]) -> None:
    """Run a management command of Django."""
    from django.core.management import execute_from_command_line

    use_settings()
    execute_from_command_line(["portolan django", *arguments])

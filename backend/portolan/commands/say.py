"""Print or log the work of long-running processes: a line, or JSON."""

import logging
from datetime import UTC, datetime

import click

from ..config.env import env
from ..domain.moments import stamp


def say(who: str, line: str) -> None:
    if env().log == "json":
        logging.getLogger(f"portolan.{who.replace(' ', '_')}").info(line)
    else:
        click.echo(f"{stamp(datetime.now(UTC))} {who}: {line}", err=True)

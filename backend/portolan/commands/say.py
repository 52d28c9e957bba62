"""What processes that stay say of their work: a line for people, or a document for programs."""

import logging
import time

import click

from ..config.env import env


def say(who: str, line: str) -> None:
    if env().log == "json":
        logging.getLogger(f"portolan.{who.replace(' ', '_')}").info(line)
    else:
        click.echo(f"{time.strftime('%Y-%m-%d %H:%M:%S')} {who}: {line}", err=True)

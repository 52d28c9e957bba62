"""``portolan publisher``: stays, and publishes every change as it is committed. ``portolan publish --watch`` is the same."""

import click

from ..config.env import env
from ..publisher.priority import PUBLISHING, give_way
from .health_option import health_option


@click.command()
@click.option(
    "--pictures/--no-pictures",
    default=True,
    help="Draw what is shown where a page is shared, unless it is there already; or let pages have no such picture.",
)
@click.option(
    "--group",
    metavar="GROUP",
    help='The sites of this group, which has publisher = "own" in the registry. Not given: all sites whose group has not.',
)
@health_option
def command(pictures: bool, group: str | None, health: str | None) -> None:
    """Stay, and publish every change as it is committed."""
    from .publish_watch import publish_and_stay
    from .publishing import readable_errors

    give_way(PUBLISHING)
    with readable_errors():
        publish_and_stay(env(), pictures, health, group)

"""``portolan publisher``: keep running and publish each change, like ``portolan publish --watch``."""

import click

from ..config.env import env
from ..publisher.priority import PUBLISHING, give_way
from .health_option import health_option


@click.command()
@click.option(
    "--pictures/--no-pictures",
    default=True,
    help="Create the image for social media of each page that has none.",
)
@click.option(
    "--group",
    metavar="GROUP",
    help='Publish the sites of this group (publisher = "own" in sites.toml). Default: all other sites.',
)
@health_option
def command(pictures: bool, group: str | None, health: str | None) -> None:
    """Keep running and publish each change."""
    from .publish_watch import publish_and_stay
    from .publishing import readable_errors

    give_way(PUBLISHING)
    with readable_errors():
        publish_and_stay(env(), pictures, health, group)

"""``portolan publish``: create a release from pending changes, and put it live."""

import click

from ..config.env import env
from ..publisher.priority import PUBLISHING, give_way


@click.command()
@click.option("--site", "sites", multiple=True, metavar="SITE", help="Only this site. Repeat for more.")
@click.option("--release", type=int, help="Publish this release. Pending changes stay pending.")
@click.option("--watch", is_flag=True, help="Keep running and publish each change.")
@click.option("--keep-going", is_flag=True, help="Publish the sites without problems, even if other sites have some.")
@click.option("--full", is_flag=True, help="Render every page again.")
@click.option(
    "--brotli",
    type=click.IntRange(0, 11),
    help="Brotli quality of new pages. Default: 5, or 3 for more than 1,000 pages. 0: compress in the background.",
)
@click.option(
    "--pictures/--no-pictures",
    default=True,
    help="Create the image for social media of each page that has none.",
)
@click.option("--wait/--no-wait", default=True, help="Wait for another publisher, or give up at once.")
def command(
    sites: tuple[str, ...],
    release: int | None,
    watch: bool,
    keep_going: bool,
    full: bool,
    brotli: int | None,
    pictures: bool,
    wait: bool,
) -> None:
    """Create a release from pending changes and put it live."""
    settings = env()
    from .publishing import load_web, readable_errors, start_pool

    with readable_errors():
        if watch:
            give_way(PUBLISHING)
            from .publish_watch import publish_and_stay

            publish_and_stay(settings, pictures)
            return
        web = load_web(settings, pictures)
        pool = start_pool(settings, web)
        from .publish_once import publish_once  # here, because it loads most of our code while Node starts

        publish_once(settings, web, pool, sites, release, keep_going, full, brotli, wait)

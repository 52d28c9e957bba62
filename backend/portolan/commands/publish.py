"""``portolan publish``: freezes what is pending into a release, and puts it live."""

import click

from ..config.env import env
from ..publisher.priority import PUBLISHING, give_way


@click.command()
@click.option("--site", "sites", multiple=True, metavar="SITE", help="Only this site; may be repeated.")
@click.option("--release", type=int, help="This release instead of the newest; nothing pending is frozen then.")
@click.option("--watch", is_flag=True, help="Stay, and publish every change as it is committed.")
@click.option("--keep-going", is_flag=True, help="Publish the sites without problems where others have some.")
@click.option("--full", is_flag=True, help="Render every page, whatever was built before.")
@click.option(
    "--brotli",
    type=click.IntRange(0, 11),
    help="Quality of the HTML's first compressed copies: 5 unless given, 3 where more than 1,000 pages are rendered. 0 leaves "
    "them to the background.",
)
@click.option(
    "--pictures/--no-pictures",
    default=True,
    help="Draw what is shown where a page is shared, unless it is there already; or let pages have no such picture.",
)
@click.option("--wait/--no-wait", default=True, help="Wait for another publisher that is at work, or give up.")
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
    """Freeze pending changes into a release and put it live."""
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
        from .publish_once import publish_once  # with most of our code: Node starts meanwhile

        publish_once(settings, web, pool, sites, release, keep_going, full, brotli, wait)

"""``portolan explain URL``: print why a page was rendered, and its links.

Only reads; needs no publisher, studio or Django.
"""

import json

import click

from ..config.env import env
from ..publisher.addresses import Addresses
from ..publisher.explain import Explainer
from ..publisher.find_address import find_address
from ..publisher.item_names import ItemNames
from ..publisher.page_scripts import find_page_scripts
from ..publisher.problem import UsageError
from ..releases.reader import open_reader
from .explain_report import as_json, print_explanation
from .publishing import load_web


@click.command()
@click.argument("url")
@click.option("--site", metavar="SITE", help="Site of a path without a host. Default: the default site.")
@click.option("--scripts", "has_scripts", is_flag=True, help="Also list the page's scripts, each with its reason.")
@click.option("--json", "is_json", is_flag=True, help="Print all details as JSON.")
def command(url: str, site: str | None, has_scripts: bool, is_json: bool) -> None:
    """Print why a page was rendered, and its links.

    Also prints which changes would render it again.

    URL is a URL of one of our sites in any environment, or a path: `/about-us --site de`. For a URL without a page, prints
    the visitors' response.
    """
    settings = env()
    addresses = Addresses(settings.registry, settings.environment, settings.port)
    try:
        where = find_address(url, site, settings.registry, settings.port)
    except UsageError as error:
        raise click.ClickException(str(error)) from error
    reader = open_reader(settings.database)
    try:
        explainer = Explainer(settings.builds_dir, reader, addresses)
        found = explainer.explain(*where)
        names = ItemNames(where.site, reader)
        html = explainer.read_html(found.facts.page) if has_scripts and found.facts else None
        scripts = find_page_scripts(html, load_web(settings, pictures=False).dist) if html else None
        if is_json:
            click.echo(json.dumps(as_json(found, names, scripts), ensure_ascii=False, indent=2))
        else:
            print_explanation(found, names, addresses, scripts)
    except UsageError as error:
        raise click.ClickException(str(error)) from error
    finally:
        reader.close()

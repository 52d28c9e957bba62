"""``portolan``: the list of commands. Each command is imported when it is called."""

from importlib import import_module
from importlib.util import find_spec
from typing import Final

import click

from .. import __version__

COMMANDS: Final = {
    "api": "Serve the API: content, leads, forms, consent, captcha.",
    "backup": "Back up database, media, leads and project to TARGET.",
    "build": "Build the web with the plugins that sites.toml names.",
    "consent": "Export or remove records of cookie choices.",
    "django": "Run a management command of Django.",
    "doctor": "Check this installation and print a fix for each problem.",
    "edge": "Serve the sites, and forward requests to API and studio.",
    "explain": "Print why a page was rendered, and its links.",
    "export": "Write the live sites as files for any web server.",
    "follow": "Keep running and fetch live builds from the shared store.",
    "history": "List publishes: time, author, pages, reasons, duration.",
    "init": "Create a company's sites in FOLDER, with brand and pages.",
    "leads": "Deliver, encrypt and erase leads.",
    "new": "Create a block or a page type of your own.",
    "publish": "Create a release from pending changes and put it live.",
    "publisher": "Keep running and publish each change.",
    "purge": "Purge replaced files from the CDNs.",
    "releases": "List, show, compare and revert releases.",
    "restore": "Restore a backup from SOURCE into FOLDER.",
    "resume": "Publish new releases again, after `portolan rollback`.",
    "retention": "Show and remove data past its retention period.",
    "rollback": "Put an earlier release live, until `portolan resume`.",
    "serve": "Serve the sites, the API and the studio on one port.",
    "sign": "Sign every build with the key in PORTOLAN_SIGNING_KEY_FILE.",
    "sites": "Check sites.toml, and apply it to the studio.",
    "studio": "Serve the studio to edges.",
    "translations": "Export texts, import translations, and translate by machine.",
    "upgrade": "Upgrade database and sites to this version.",
    "users": "Manage studio accounts.",
    "verify": "Check live builds and the release index for damage.",
}

CHECKOUT: Final = "portolan_dev"
"""Package of the commands below. Checkouts of the repository have it, installed products do not."""
CHECKOUT_COMMANDS: Final = {
    "bench-api": "Measure API reads per second.",
    "bench-build": "Build 1,000 generated pages and print pages a second.",
    "bench-edges": "Measure requests per second with one edge and with two.",
    "bench-inp": "Measure the time from an input to the next paint.",
    "bench-editor": "Measure the clicks and seconds of an editor's tasks.",
    "bench-screens": "Measure every screen of a studio with many pages.",
    "bench-store": "Measure publishes, edges and exports with a store.",
    "bench-pages": "Run Lighthouse (mobile) on pages, such as `ae/contact-us`.",
    "block-pictures": "Draw the preview images of blocks for the studio.",
    "dataset": "Save a small installation of this version for tests.",
    "contract": "Write the schemas of the API to contract/.",
    "demo": "Create, publish and serve the demo.",
    "empty-database": "Write the database that new installations start with.",
    "evidence": "Write the evidence of the product to docs/evidence/.",
    "seed": "Load the demo content.",
    "texts": "Collect and compile the translations of the studio.",
    "soak": "Run the fault tests of docs/evidence/faults.toml.",
}


class Commands(click.Group):
    def list_commands(self, ctx: click.Context) -> list[str]:
        return [*COMMANDS, *(CHECKOUT_COMMANDS if find_spec(CHECKOUT) else ())]

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name in COMMANDS:
            package = "portolan"
        elif cmd_name not in CHECKOUT_COMMANDS:
            return None
        elif find_spec(CHECKOUT):
            package = CHECKOUT
        else:
            raise click.ClickException(
                f"`portolan {cmd_name}` needs the package {CHECKOUT}, which is not installed. Run it in a checkout of the repository."
            )
        module = import_module(f"{package}.commands.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except Exception as error:  # any command may read the site configuration, use the database or fill the disk
            from .failures import explain_failure

            sentence = explain_failure(error)
            if sentence is None:
                raise
            raise click.ClickException(sentence) from error

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        with formatter.section("Commands"):
            formatter.write_dl(list(COMMANDS.items()))
        if find_spec(CHECKOUT):
            with formatter.section("Commands of a checkout"):
                formatter.write_dl(list(CHECKOUT_COMMANDS.items()))


@click.command(cls=Commands, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(__version__, prog_name="portolan")
def main() -> None:
    """Run one company's website in many countries from one studio."""

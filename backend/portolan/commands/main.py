"""``portolan``: the table of contents of its commands. Each is imported only when it is called."""

from importlib import import_module
from importlib.util import find_spec
from typing import Final

import click

from .. import __version__

COMMANDS: Final = {
    "api": "Serve the API to edges: one role of several machines.",
    "backup": "Copy the installation, while it runs, to a folder or an object store; list and check what is there.",
    "build": "Build the web with the company's plugins.",
    "consent": "Write out or remove records of visitors' choices about cookies.",
    "django": "Pass on to Django's own management commands.",
    "doctor": "Look at everything that can be wrong with this installation, and say what to do.",
    "edge": "Serve the sites' files, and pass on to API and studio what is theirs.",
    "explain": "Say why a page was rendered, and what it links to.",
    "export": "Write the live sites as a plain tree of files for any web server.",
    "follow": "Serve here what a publisher on another machine puts live.",
    "history": "Say what was published when, for whom, and how long it took.",
    "init": "Begin a company's own sites in a new folder.",
    "leads": "Deliver leads; erase one person's, or those whose time is over.",
    "new": "Begin a block or a page family of one's own.",
    "publish": "Freeze pending changes into a release and put it live.",
    "publisher": "Stay, and publish every change as it is committed.",
    "purge": "Have the CDNs in front drop what has been replaced.",
    "releases": "List, show and compare releases; freeze content anew.",
    "restore": "Put an installation back from a backup, say what is missing, publish what was live.",
    "resume": "Let sites follow the newest release again, after a rollback.",
    "retention": "Show and remove old data that waits for a confirmation.",
    "rollback": "Put an earlier release live again, and hold it.",
    "serve": "Serve the sites, the API and the studio on one port, publish and deliver: the whole on one machine.",
    "sign": "Sign the kept builds with the publisher's key, once it is new.",
    "sites": "Check the registry and make the studio follow it.",
    "studio": "Serve the studio to edges.",
    "upgrade": "Bring database and sites to this version; say beforehand what that takes.",
    "users": "The studio's accounts: list, add, passwords, second factors, locks, sessions.",
    "verify": "Check every file of the live builds against its digest.",
}

CHECKOUT: Final = "portolan_dev"
"""The package of the commands below. A checkout of the repository has it, an installed product has not."""
CHECKOUT_COMMANDS: Final = {
    "bench-api": "Requests a second of published API reads, beside a constant reply.",
    "bench-build": "Build 1,000 generated pages and print pages a second.",
    "bench-edges": "What a second edge behind nginx is worth, each with a share of a core.",
    "bench-inp": "How soon published pages answer, at a slow phone's pace.",
    "bench-editor": "Twenty tasks of an editor in the studio, in clicks and seconds.",
    "bench-screens": "Every screen of the studio with 10,000 pages, in seconds and queries.",
    "bench-store": "10,000 generated pages through a store: publish, one edit on an edge's disk, export.",
    "bench-pages": "Lighthouse on pages of the production environment.",
    "block-pictures": "Draw the pictures that editors choose blocks by.",
    "dataset": "Keep a small installation of this version, for tests of upgrades.",
    "contract": "Write what Python and TypeScript share to contract/.",
    "demo": "Bring up the demo: database, content, web build, publish, serve.",
    "empty-database": "Write what new installations on SQLite begin with.",
    "evidence": "Write what is evidence of the product to docs/evidence/.",
    "seed": "Load the demo content.",
    "texts": "Gather the studio's texts into its catalogues, and compile those.",
    "soak": "Bring about what may go wrong, again and again, and write down what came of it.",
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
                f"`portolan {cmd_name}` needs the package {CHECKOUT}, which is not installed: run it from a checkout of the repository."
            )
        module = import_module(f"{package}.commands.{cmd_name.replace('-', '_')}")
        command: click.Command = module.command
        return command

    def invoke(self, ctx: click.Context) -> object:
        try:
            return super().invoke(ctx)
        except (
            Exception
        ) as error:  # any command may be the first to read the registry, ask the database or fill the disk
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
    """One studio, frozen releases, and a company's website live in many countries."""

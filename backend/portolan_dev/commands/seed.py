"""``portolan seed``: load the demo content with the checks of an editor's save."""

import time
from pathlib import Path

import click
from rich.console import Console
from rich.markup import escape
from rich.progress import BarColumn, MofNCompleteColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

from portolan.commands.sites import sync_studio
from portolan.config.env import env
from portolan.config.project import ROOT
from portolan.config.start_django import start_django


@click.command()
@click.option(
    "--dir",
    "folder",
    type=click.Path(path_type=Path),
    default=ROOT / "fixtures" / "demo",
    help="Folder with the fixtures.",
    show_default="fixtures/demo",
)
def command(folder: Path) -> None:
    """Load the demo content.

    Changes that editors made in the studio are kept.
    """
    if env().environment == "production":
        raise click.ClickException(
            "This is the production environment, and the demo's content is fictional. Nothing was loaded. "
            "Create a company's own sites: `portolan init`"
        )
    start_django()
    from portolan.fixtures.problems import FixtureError

    started = time.monotonic()
    console = Console(stderr=True, highlight=False)
    try:
        _load(folder, console)
    except FixtureError as error:
        lines = "".join(f"\n  {problem}" for problem in error.problems)
        raise click.ClickException(
            f"{len(error.problems)} problem{'' if len(error.problems) == 1 else 's'} in {folder}. Only entries without problems were loaded.{lines}"
        ) from error
    console.print(f"  [dim]{time.monotonic() - started:.1f} s[/dim]")


def _load(folder: Path, console: Console) -> None:
    from portolan.fixtures.load import count_entries, load_fixtures, read_folder
    from portolan.fixtures.report import SeedReport
    from portolan.leads.open_store import open_store
    from portolan.releases.author import acting_as
    from portolan.studio.first_account import EDITOR_OF_DEMO, load_account

    from ..seed.leads import load_leads

    settings = env()
    sync_studio(settings)
    fixtures = read_folder(folder, settings.registry)
    columns = (
        SpinnerColumn(),
        TextColumn("{task.description}"),
        BarColumn(),
        MofNCompleteColumn(),
        TimeElapsedColumn(),
    )
    with Progress(*columns, console=console, transient=True) as progress:
        task = progress.add_task("Loading", total=count_entries(fixtures))

        def on_step(kind: str, name: str) -> None:
            progress.update(task, advance=1, description=f"Loading {kind}: {escape(name)}")

        report = SeedReport(on_step)
        with acting_as("seed"):
            load_fixtures(fixtures, settings.registry, report, ROOT / "scripts" / "draw_pictures.py")
    origin = settings.registry.studio_origin(settings.environment, settings.port)
    load_account(settings.var_dir / "demo-login.json", f"{origin}/admin/", EDITOR_OF_DEMO)
    origins = {key: site.origin(settings.environment, settings.port) for key, site in settings.registry.sites.items()}
    leads = load_leads(folder, origins, open_store())
    if leads:
        console.print(f"  [green]✓[/green] leads: {leads} created")
    for kind, counts in report.counts.items():
        console.print(f"  [green]✓[/green] {kind}: " + ", ".join(f"{n} {outcome}" for outcome, n in counts.items()))

"""``portolan init``: create a company's project, with sites that can be served at once."""

import os
import re
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from pydantic import ValidationError
from rich.console import Console

from ..config.project import SITES_FILE
from ..domain.letters import write_slug
from ..sites.brand import Colours
from ..starter.countries import COUNTRY_SITES, CountrySite
from ..starter.project import Answers, build_project, current_year, write_project
from .steps import Steps

if TYPE_CHECKING:
    from ..config.env import Env

_ACCENT: Final = "#4f9cff"
_GROUND: Final = "#0b1220"
_LONGEST_SLUG: Final = 40
_MOTIFS: Final = ("dots", "chart", "none")
_SITE_KEY: Final = r"[a-z]{2,12}"


@click.command()
@click.argument("folder", type=click.Path(path_type=Path))
@click.option("--name", help="The company's name.")
@click.option("--sites", help="Keys of the sites, separated by commas, the default first: en,de,outlet=de.")
@click.option("--domain", help="Domain of the company in production: acme.example.")
@click.option("--accent", help=f"Colour of buttons and links, as #rrggbb. Default: {_ACCENT}.")
@click.option("--ground", help=f"Dark background of hero sections and footer. Default: {_GROUND}.")
@click.option("--motif", type=click.Choice(_MOTIFS), help="Pattern on dark backgrounds. Default: dots.")
@click.option("--logo", type=click.Path(exists=True, dir_okay=False, path_type=Path), help="Logo file (SVG).")
@click.option("--founded", type=click.IntRange(1000, 9999), help="Year of foundation.")
@click.option("--yes", is_flag=True, help="Ask nothing. Use the default of each option that is not given.")
@click.option("--files-only", is_flag=True, help="Write only the files: no database, no publish.")
def command(folder: Path, yes: bool, files_only: bool, **given: Any) -> None:
    """Create a company's sites in FOLDER, with brand and pages."""
    started = time.monotonic()
    console = Console(stderr=True, highlight=False)
    _refuse_taken(folder)
    answers = _ask(folder, given, asks=not yes)
    files = build_project(answers)
    folder.mkdir(parents=True, exist_ok=True)
    write_project(folder, files)
    console.print(f"  [green]✓[/green] {', '.join(sorted(files))} in {folder}", soft_wrap=True)
    if files_only:
        return
    # The shell may name another project.
    os.environ["PORTOLAN_SITES_FILE"] = str((folder / SITES_FILE).resolve())
    settings = _begin(console)
    console.print(f"\n  Ready after {time.monotonic() - started:.0f} s. Now:\n", soft_wrap=True)
    console.print(f"    cd {folder}\n    portolan serve\n", soft_wrap=True, markup=False)
    print_login(console, settings, settings.var_dir / _LOGIN)


_LOGIN: Final = "login.json"


def _refuse_taken(folder: Path) -> None:
    if (folder / SITES_FILE).exists():
        raise click.ClickException(
            f"{folder} has a {SITES_FILE}, so it is a project. Nothing was written. Name another folder."
        )
    if folder.exists() and not folder.is_dir():
        raise click.ClickException(f"{folder} is a file. Nothing was written. Name another folder.")


def _ask(folder: Path, given: dict[str, Any], asks: bool) -> Answers:
    def ask(key: str, text: str, default: Any) -> Any:
        if given[key] is not None or not asks:
            return default if given[key] is None else given[key]
        return click.prompt(text, default=default)

    name = str(ask("name", "The company's name", folder.resolve().name.replace("-", " ").title())).strip()
    slug = _slug(name)
    known = ", ".join(COUNTRY_SITES)
    sites = _read_sites(str(ask("sites", f"Sites, the default one first (available: {known})", "en")))
    domain = _read_domain(str(ask("domain", "Domain of the default site", f"{slug}.example")))
    accent = str(ask("accent", "Colour of buttons and links", _ACCENT)).lower()
    ground = str(ask("ground", "Dark background of hero sections and footer", _GROUND)).lower()
    _check_colours(accent, ground)
    founded = int(ask("founded", "Year in which it was founded", current_year()))
    motif = str(given["motif"] or _MOTIFS[0])
    logo = given["logo"].read_bytes() if given["logo"] else None
    return Answers(name, slug, sites, domain, accent, ground, motif, logo, founded)


def _slug(name: str) -> str:
    slug = write_slug(name)[:_LONGEST_SLUG].strip("-")
    return slug if re.match(r"[a-z]", slug) else f"company-{slug}".strip("-")


def _read_sites(text: str) -> tuple[CountrySite, ...]:
    """Return the sites of ``en,us,outlet=us``; ``outlet=us`` is the site us with another key."""
    found: dict[str, CountrySite] = {}
    unknown = []
    for entry in (entry.strip().lower() for entry in text.split(",") if entry.strip()):
        key, _, like = entry.partition("=")
        ready = COUNTRY_SITES.get(like or key)
        if ready is None or not re.fullmatch(_SITE_KEY, key):
            unknown.append(entry)
        else:
            found.setdefault(key, ready._replace(key=key, name=key.title()) if like else ready)
    if unknown or not found:
        raise click.ClickException(
            f"There is no ready site {', '.join(unknown) or '(none was named)'}. Nothing was written. Available: "
            f"{', '.join(COUNTRY_SITES)}. For another site like us, write outlet=us, with a key of 2 to 12 letters. Add other "
            f"sites to {SITES_FILE} later."
        )
    return tuple(found.values())


def _read_domain(text: str) -> str:
    domain = text.strip().lower().removeprefix("https://").removeprefix("http://").rstrip("/")
    if not re.fullmatch(r"([a-z0-9]([a-z0-9-]*[a-z0-9])?\.)+[a-z][a-z0-9-]*[a-z0-9]", domain):
        raise click.ClickException(f"{text!r} is not a domain. Nothing was written. Write it like acme.example.")
    return domain


def _check_colours(accent: str, ground: str) -> None:
    try:
        Colours(accent=accent, ground=ground)
    except ValidationError as error:
        told = [str(detail.get("ctx", {}).get("error") or "write colours as #rrggbb") for detail in error.errors()]
        raise click.ClickException(f"These colours cannot be used: {'; '.join(told)}. Nothing was written.") from error


def _begin(console: Console) -> "Env":
    """Create database, sites, content and account, and publish."""
    from ..config.empty_database import prepare_database
    from ..config.env import env
    from ..config.start_django import start_django
    from . import publish
    from .sites import sync_studio

    settings = env()
    if settings.database_url:
        refuse_content(settings)
    steps = Steps(console)
    with steps.step("Preparing the database"):
        start_django()
        prepare_database()
    with steps.step("Adding the sites to the studio"):
        sync_studio(settings)
    with steps.step("Writing the first pages"):
        _load_content(settings)
    with steps.step("Publishing"):
        publish.command.main([], standalone_mode=False)
    return settings


def refuse_content(settings: "Env") -> None:
    """Raise ClickException if the database that DATABASE_URL names has content."""
    from ..releases.database_errors import find_trouble
    from ..releases.reader import open_reader

    try:
        release = open_reader(settings.database).latest()
    except Exception as error:
        if find_trouble(error) is None:
            raise
        return  # no tables yet; the next step reports an unavailable database
    if release is not None:
        raise click.ClickException(
            f"The database that DATABASE_URL names has releases (the newest is {release}). Nothing was written to it. "
            "Name an empty database."
        )


def _load_content(settings: "Env") -> None:
    from datetime import date
    from tempfile import TemporaryDirectory

    from ..fixtures.load import load_fixtures
    from ..fixtures.problems import FixtureError
    from ..fixtures.report import SeedReport
    from ..releases.author import acting_as
    from ..starter.content import build_starter
    from ..studio.first_account import ADMINISTRATOR, load_account

    registry = settings.registry
    with TemporaryDirectory() as folder, acting_as("init"):
        starter = build_starter(registry, Path(folder), date.today())  # noqa: DTZ011  (the company's own day)
        try:
            load_fixtures(starter, registry, SeedReport())
        except FixtureError as error:
            raise click.ClickException("".join(f"\n  {problem}" for problem in error.problems)) from error
    origin = registry.studio_origin(settings.environment, settings.port)
    load_account(settings.var_dir / _LOGIN, f"{origin}/admin/", ADMINISTRATOR)


def print_login(console: Console, settings: "Env", file: Path) -> None:
    """Print the studio's URL, and the first account's name and password."""
    import json

    login: dict[str, Any] = json.loads(file.read_text())
    # The port may have changed since the file was written.
    studio = f"{settings.registry.studio_origin(settings.environment, settings.port)}/admin/"
    for what, value in (("Studio", studio), ("Name", login["user"]), ("Password", login["password"])):
        console.print(f"  {what:<9} [bold]{value}[/]", soft_wrap=True)
    console.print(f"  [dim](also in {file})[/]\n", soft_wrap=True)

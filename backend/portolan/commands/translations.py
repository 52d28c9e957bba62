"""``portolan translations``: exchange texts with translators as XLIFF or PO files, or translate them by machine."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from ..config.start_django import start_django, start_django_to_write
from ..domain.words import say_count

if TYPE_CHECKING:
    from ..translations.exchange.apply import Report

_MOST_LINES = 50


@click.group()
def command() -> None:
    """Export texts, import translations, and translate by machine."""


@command.command("export")
@click.option("--site", required=True, help="Key of the site to translate for, such as de.")
@click.option(
    "--page", "pages", multiple=True, help="Path of a page on the source site. Repeat for more. Default: all."
)
@click.option("--set", "change_set", type=int, help="Only pages of the change set with this number, as drafts.")
@click.option("--format", "kind", type=click.Choice(["xliff", "po"]), help="Default: by the name of FILE, else xliff.")
@click.option("--only", type=click.Choice(["outdated", "missing", "all"]), default="all", show_default=True)
@click.argument("file", type=click.Path(dir_okay=False, path_type=Path))
def export(site: str, pages: tuple[str, ...], change_set: int | None, kind: str | None, only: Any, file: Path) -> None:
    """Write texts and their present translations to FILE."""
    start_django()
    from ..translations.exchange.collect import Collected
    from ..translations.exchange.files import PO, format_of
    from ..translations.exchange.pages import NothingToDo
    from ..translations.exchange.po import write_po
    from ..translations.exchange.xliff_writer import write_xliff
    from ..translations.segments import count_words

    try:
        collected = Collected(site, pages, change_set, only)
    except NothingToDo as error:
        raise click.ClickException(str(error)) from error
    found = list(collected.pages())
    for address in collected.copies if pages else ():
        click.echo(f"{address} is a live copy on the site {site}, so it has no texts of its own.", err=True)
    if not found:
        raise click.ClickException(f"There is nothing to translate for the site {site}. No file was written.")
    units = [unit for page in found for unit in page.units]
    written = write_po if (kind or format_of(file)) == PO else write_xliff
    with file.open("w", encoding="utf-8", newline="\n") as out:
        out.writelines(written(collected.languages, found))
    words = sum(count_words(unit.source) for unit in units if not unit.is_done)
    click.echo(
        f"Wrote {say_count(len(found), 'page')} with {say_count(len(units), 'text')} to {file}. "
        f"To translate: {say_count(words, 'word')}."
    )


@command.command("import")
@click.option("--as", "name", required=True, help="Account whose rights count, and the author of the drafts.")
@click.option("--site", help="Key of the site, if the file has lost it.")
@click.option("--overwrite", is_flag=True, help="Also replace texts changed on the site since the export.")
@click.option("--add-blocks", is_flag=True, help="Also copy blocks of the source that the translation lacks.")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
def import_file(name: str, site: str | None, overwrite: bool, add_blocks: bool, file: Path) -> None:
    """Write the translations of FILE into drafts."""
    start_django_to_write()
    from ..translations.exchange.apply import Options, apply
    from ..translations.exchange.files import check_languages, read_file
    from ..translations.exchange.pages import NothingToDo, languages_of
    from ..translations.exchange.units import FileRefused

    user = _find_user(name)
    try:
        languages, units = read_file(file)
        if site and languages.site and site != languages.site:
            raise FileRefused(f"The file is for the site {languages.site}, not {site}. Nothing was imported.")
        key = site or languages.site
        if not key:
            raise FileRefused("The file does not name its site. Nothing was imported. Add --site KEY.")
        check_languages(languages, languages_of(key))
        report = apply(units, key, user, Options(overwrite, add_blocks))
    except (FileRefused, NothingToDo) as error:
        raise click.ClickException(str(error)) from error
    _print(report)
    if report.left_out or report.conflicts:
        raise SystemExit(1)


@command.command("translate")
@click.option("--site", required=True, help="Key of the site to translate for, such as de.")
@click.option("--as", "name", required=True, help="Account whose rights count, and the author of the drafts.")
@click.option("--missing", is_flag=True, help="Translate all pages that the site lacks.")
@click.option("--add-blocks", is_flag=True, help="Also copy blocks of the source that the translation lacks.")
@click.argument("pages", nargs=-1)
def translate(site: str, name: str, missing: bool, add_blocks: bool, pages: tuple[str, ...]) -> None:
    """Draft machine translations of PAGES, by their paths."""
    start_django_to_write()
    from ..translations.exchange.pages import NothingToDo
    from ..translations.machine.providers import NoTranslation
    from ..translations.machine.translating import Stopped, translate_pages

    if missing == bool(pages):
        raise click.UsageError("Name pages by their path, or use --missing.")
    try:
        report = translate_pages(site, _find_user(name), pages, add_blocks)
    except Stopped as error:
        _print(error.report)
        raise click.ClickException(str(error)) from error
    except (NoTranslation, NothingToDo) as error:
        raise click.ClickException(str(error)) from error
    _print(report)
    if report.left_out or report.conflicts:
        raise SystemExit(1)


def _find_user(name: str) -> Any:
    from django.contrib.auth import get_user_model

    user = get_user_model().objects.filter(username__iexact=name, is_active=True).first()
    if user is None:
        raise click.ClickException(f"There is no active account {name}. List all accounts: `portolan users list`")
    return user


def _print(report: "Report") -> None:
    drafts = len(report.created) + len(report.changed)
    click.echo(
        f"Wrote {say_count(report.texts, 'text')} into {say_count(drafts, 'draft')}, "
        f"{say_count(len(report.created), 'of them a new page', 'of them new pages')}. "
        f"Unchanged: {report.unchanged:,}. Not translated or not finished: {report.unfinished:,}."
    )
    conflicts = [
        f"{one.address}, {one.label}: the text on the site was changed since the export. Use --overwrite to replace it."
        for one in report.conflicts
    ]
    for heading, lines in (("Look at these", report.notices), ("Left out", [*report.left_out, *conflicts])):
        if lines:
            click.echo(f"{heading}:", err=True)
            for line in lines[:_MOST_LINES]:
                click.echo(f"  {line}", err=True)
            if len(lines) > _MOST_LINES:
                click.echo(f"  … and {len(lines) - _MOST_LINES:,} more.", err=True)

"""``portolan new``: files to begin a block of one's own with."""

import re
from pathlib import Path
from string import Template
from typing import Final

import click

from ..config.env import env
from ..config.project import SITES_FILE

_TEMPLATES: Final = Path(__file__).parents[1] / "starter" / "plugin"
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")


@click.group()
def command() -> None:
    """Begin something of one's own."""


@command.command("block")
@click.argument("name")
@click.option("--plugin", help="The Python package it goes to; the company's own unless given.")
def block(name: str, plugin: str | None) -> None:
    """Write a block NAME (as in price_table): the editor's form in Python, the component in React."""
    settings = env()
    plugin = plugin or f"{settings.registry.company.slug.replace('-', '_')}_blocks"
    for value in (name, plugin):
        if not _NAME.fullmatch(value):
            raise click.ClickException(
                f"{value!r} cannot be its name, so nothing was written. Write small letters, digits and underscores: price_table."
            )
    folder = settings.project / plugin
    if (folder / f"{name}.py").exists():
        raise click.ClickException(
            f"{folder / f'{name}.py'} is there already, so nothing was written. Choose another name."
        )
    written = _write_block(folder, name)
    if plugin not in settings.registry.plugins:
        _name_plugin(settings.sites_file, [*settings.registry.plugins, plugin])
        written.append(SITES_FILE)
    for file in written:
        click.echo(f"  {file}")
    click.echo(
        "Change them to what the block is, then: portolan build, and portolan publish (a running studio is started again)."
    )


def _write_block(folder: Path, name: str) -> list[str]:
    values = {
        "name": name,
        "Name": "".join(part.capitalize() for part in name.split("_")),
        "label": name.replace("_", " "),
    }
    values["Label"] = values["label"].capitalize()
    folder.mkdir(exist_ok=True)
    written = []
    for template in sorted(_TEMPLATES.glob("block*.template")):
        file = folder / (name + template.name.removeprefix("block").removesuffix(".template"))
        file.write_text(Template(template.read_text(encoding="utf-8")).substitute(values), encoding="utf-8")
        written.append(f"{folder.name}/{file.name}")
    listing = folder / "__init__.py"
    text = listing.read_text(encoding="utf-8") if listing.exists() else '"""Blocks of our own."""\n\nBLOCKS = ()\n'
    listing.write_text(_with_block(text, name, values["Name"]), encoding="utf-8")
    return [*written, f"{folder.name}/__init__.py"]


def _with_block(text: str, module: str, name: str) -> str:
    """The package's list with one more in it."""
    line = f"from .{module} import {name}Block\n"
    before, found, listed = text.partition("BLOCKS = (")
    if not found:
        return f"{line}{text}\nBLOCKS = ({name}Block,)\n"
    imports = before.rstrip("\n")
    gap = "\n" if "\nfrom ." in imports or imports.startswith("from .") else "\n\n"
    return f"{imports}{gap}{line}\nBLOCKS = ({name}Block, {listed}".replace(", )", ",)")


def _name_plugin(file: Path, plugins: list[str]) -> None:
    """In the registry, whose lines stay as they are: keys of no table stand before the first table."""
    text = file.read_text(encoding="utf-8")
    names = ", ".join(f'"{name}"' for name in plugins)
    line = f"plugins = [{names}]\n"
    if re.search(r"(?m)^plugins\s*=.*$", text):
        text = re.sub(r"(?m)^plugins\s*=.*\n", line, text, count=1)
    else:
        at = re.search(r"(?m)^\[", text)
        place = at.start() if at else len(text)
        text = f"{text[:place]}{line}\n{text[place:]}"
    file.write_text(text, encoding="utf-8")

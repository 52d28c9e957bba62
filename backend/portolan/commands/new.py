"""``portolan new``: create the files of a new block or page type."""

import os
import re
import subprocess
from pathlib import Path
from string import Template
from typing import Final

import click

from ..config.env import Env, env
from ..config.project import SITES_FILE

_TEMPLATES: Final = Path(__file__).parents[1] / "starter" / "plugin"
_NAME: Final = re.compile(r"[a-z][a-z0-9]*(_[a-z0-9]+)*")
_TAKEN: Final = ("apps", "blocks", "formats", "migrations", "models", "types")
_PLUGIN_HELP: Final = "Python package for the files. Default: the company's own."


@click.group()
def command() -> None:
    """Create a block or a page type of your own."""


@command.command("block")
@click.argument("name")
@click.option("--plugin", help=_PLUGIN_HELP)
def block(name: str, plugin: str | None) -> None:
    """Create the block NAME, such as price_table.

    Writes the editor's form in Python and the component in React.
    """
    beginning = _begin(name, plugin)
    beginning.write("block")
    beginning.list_block()
    beginning.tell("Edit these files, then run: portolan build, and portolan publish.")


@command.command("page-type")
@click.argument("name")
@click.option("--plugin", help=_PLUGIN_HELP)
def page_type(name: str, plugin: str | None) -> None:
    """Create the page type NAME, such as service_plan.

    Writes the page in Python with its migration, and its layout in React.
    """
    beginning = _begin(name, plugin)
    beginning.write("page_type")
    beginning.list_page_type()
    beginning.make_migration()
    app = beginning.plugin.rpartition(".")[2]
    beginning.tell(
        f"Edit these files. If you change the fields, run: portolan django makemigrations {app}. Then run: portolan "
        "build, and portolan upgrade, which publishes."
    )


command.add_command(click.Command("page-family", params=page_type.params, callback=page_type.callback, hidden=True))


def _begin(name: str, plugin: str | None) -> "_Beginning":
    settings = env()
    plugin = plugin or f"{settings.registry.company.slug.replace('-', '_')}_plugin"
    for value in (name, plugin):
        if not _NAME.fullmatch(value):
            raise click.ClickException(
                f"{value!r} is not a valid name. Nothing was written. Use lower-case letters, digits and underscores: price_table."
            )
    folder = settings.project / plugin
    if name in _TAKEN:
        raise click.ClickException(f"Every plugin has a file {name}.py. Nothing was written. Choose another name.")
    if (folder / f"{name}.py").exists():
        raise click.ClickException(f"{folder / f'{name}.py'} exists. Nothing was written. Choose another name.")
    return _Beginning(settings, plugin, name)


class _Beginning:
    """Writes the files of one block or page type."""

    def __init__(self, settings: Env, plugin: str, name: str) -> None:
        self.plugin = plugin
        self._settings = settings
        self._folder = settings.project / plugin
        self._name = name
        self._class = "".join(part.capitalize() for part in name.split("_"))
        self._written: list[str] = []

    def write(self, what: str) -> None:
        label = self._name.replace("_", " ")
        values = {
            "name": self._name,
            "Name": self._class,
            "page_type": self._name.replace("_", "-"),
            "label": label,
            "Label": label.capitalize(),
        }
        self._folder.mkdir(exist_ok=True)
        for template in sorted(_TEMPLATES.glob(f"{what}*.template")):
            text = Template(template.read_text(encoding="utf-8")).substitute(values)
            self._put(self._name + template.name.removeprefix(what).removesuffix(".template"), text)
        for file, text in (
            ("__init__.py", '"""Our own blocks and page types."""\n'),
            ("tsconfig.json", (_TEMPLATES / "tsconfig.json.template").read_text(encoding="utf-8")),
        ):
            if not (self._folder / file).exists():
                self._put(file, text)

    def list_block(self) -> None:
        listing = self._folder / "blocks.py"
        text = listing.read_text(encoding="utf-8") if listing.exists() else '"""Our own blocks."""\n\nBLOCKS = ()\n'
        self._put("blocks.py", _with_block(text, self._name, self._class))
        self._name_plugin()

    def list_page_type(self) -> None:
        listing = self._folder / "models.py"
        text = listing.read_text(encoding="utf-8") if listing.exists() else '"""Our own page types."""\n\n'
        line = f"from .{self._name} import {self._class}Page as {self._class}Page\n"
        self._put("models.py", f"{text}{line}")
        self._name_plugin()

    def make_migration(self) -> None:
        """Make the migration in a new process, because this one has read ``sites.toml`` without the plugin."""
        app = self.plugin.rpartition(".")[2]
        from .companion import own_command  # here, because it loads the server

        make = own_command(os.getpid(), "django", "makemigrations", app, "-n", self._name, "--verbosity", "0")
        done = subprocess.run(make, cwd=self._settings.project, capture_output=True, text=True)
        if done.returncode:
            last = (done.stderr or done.stdout).strip().splitlines()[-1:] or ["it printed no reason"]
            raise click.ClickException(
                f"The files are written, but the migration could not be created ({last[0]}). Fix this, then run: portolan django "
                f"makemigrations {app}."
            )
        made = sorted((self._folder / "migrations").glob(f"[0-9]*_{self._name}.py"))
        self._written += [f"{self.plugin}/migrations/{file.name}" for file in made]

    def tell(self, further: str) -> None:
        for file in self._written:
            click.echo(f"  {file}")
        click.echo(f"{further} Restart portolan serve if it runs.")

    def _name_plugin(self) -> None:
        plugins = self._settings.registry.plugins
        if self.plugin not in plugins:
            _name_plugin(self._settings.sites_file, [*plugins, self.plugin])
            self._written.append(SITES_FILE)

    def _put(self, file: str, text: str) -> None:
        (self._folder / file).write_text(text, encoding="utf-8")
        self._written.append(f"{self.plugin}/{file}")


def _with_block(text: str, module: str, name: str) -> str:
    """Return the text of blocks.py with one more block."""
    line = f"from .{module} import {name}Block\n"
    before, found, listed = text.partition("BLOCKS = (")
    if not found:
        return f"{line}{text}\nBLOCKS = ({name}Block,)\n"
    imports = before.rstrip("\n")
    gap = "\n" if "\nfrom ." in imports or imports.startswith("from .") else "\n\n"
    return f"{imports}{gap}{line}\nBLOCKS = ({name}Block, {listed}".replace(", )", ",)")


def _name_plugin(file: Path, plugins: list[str]) -> None:
    """Name the plugins in ``sites.toml``. Top-level keys are before the first table; other lines stay as they are."""
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

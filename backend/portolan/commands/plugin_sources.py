"""Copy plugins' files into the sources of the web, check them against the plugins' classes, and translate file names."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

import click

from ..config.env import Env
from ..content.plugins import find_plugin_folder

PLUGINS: Final = "web/src/blocks/plugins"
_SUFFIXES: Final = (".tsx", ".ts", ".css", ".svg", ".woff2")
_TYPES: Final = "types.ts"
_INSTALLED: Final = frozenset({"site-packages", "dist-packages"})
_FILE: Final = re.compile(r"(?:\S*/)?src/blocks/plugins/([A-Za-z0-9_.]+)/([^\s:()]+)(?:\((\d+),(\d+)\))?")


class PluginSources(NamedTuple):
    """Folders of the plugins by name, and the folder of the web's sources."""

    folders: Mapping[str, Path]
    target: Path
    project: Path

    def copy(self) -> None:
        for name, source in self.folders.items():
            (self.target / PLUGINS / name).mkdir(parents=True, exist_ok=True)
            for file in _web_files(source):
                place = self.target / PLUGINS / name / file.relative_to(source)
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(file.read_bytes())

    def write_schemas(self) -> Path:
        """Write the schemas of the components for ``plugin-types.ts``. Raise ClickException if classes and files differ."""
        from ..content.plugin_schemas import build_plugin_schemas, list_plugin_parts

        files = {name: self._find_components(name) for name in self.folders}
        drawn = {file.name for found in files.values() for file in found}
        parts = list(list_plugin_parts(list(self.folders)))
        problems = [
            f"{part.plugin} has no file {part.component}, which must render {part.schema.__name__}. Create the file, or remove "
            "the class."
            for part in parts
            if part.schema and part.component not in drawn
        ]
        named = {part.component for part in parts}
        problems += [
            f"{self._shown(name, file)} is not used: no block has this type, and no page type has this name."
            for name, found in files.items()
            for file in found
            if file.name not in named
        ]
        if problems:
            raise click.ClickException(_say(problems))
        file = self.target / "plugin-schemas.json"
        file.write_text(json.dumps(build_plugin_schemas(list(self.folders))), encoding="utf-8")
        return file

    def hand_out_types(self) -> list[Path]:
        """Write the types next to sources that are not installed, for the editors of their authors.

        Return the written files.
        """
        written = []
        for name, source in self.folders.items():
            types = (self.target / PLUGINS / name / _TYPES).read_bytes()
            file = source / _TYPES
            if _INSTALLED.isdisjoint(source.parts) and not (file.exists() and file.read_bytes() == types):
                file.write_bytes(types)
                written.append(file)
        return written

    def translate(self, output: str) -> str:
        """Replace file names and positions by those that authors use: ``acme_blocks/map.block.tsx:12:5``."""
        return _FILE.sub(self._translate, output)

    def _translate(self, match: re.Match[str]) -> str:
        name, file, line, column = match.groups()
        if name not in self.folders:
            return match[0]
        shown = self._shown(name, self.folders[name] / file)
        return f"{shown}:{line}:{column}" if line else shown

    def _find_components(self, name: str) -> list[Path]:
        return [file for file in _web_files(self.folders[name]) if file.name.endswith((".block.tsx", ".layout.tsx"))]

    def _shown(self, name: str, file: Path) -> str:
        folder = self.folders[name]
        return str(file.relative_to(self.project if folder.is_relative_to(self.project) else folder.parent))


def find_plugin_sources(settings: Env, target: Path) -> PluginSources:
    """Return the sources of all plugins. Raise PluginError."""
    folders = {name: find_plugin_folder(name).resolve() for name in settings.registry.plugins}
    return PluginSources(folders, target, settings.project.resolve())


def check_types(output: str, sources: PluginSources) -> None:
    """Raise ClickException with the compiler's messages: those about plugins, or all if there are none."""
    lines = output.splitlines()
    own = [index for index, line in enumerate(lines) if line.startswith("src/blocks/plugins/")]
    told = []
    for index in own:
        further = lines[index + 1 :]
        end = next((at for at, line in enumerate(further) if not line.startswith(" ")), len(further))
        told.append("\n    ".join([sources.translate(lines[index]), *further[:end]]))
    raise click.ClickException(_say(told or lines))


def _say(problems: list[str]) -> str:
    lines = "".join(f"\n  {problem}" for problem in problems)
    count = f"{len(problems)} problem" + ("" if len(problems) == 1 else "s")
    return f"The web was not built, so the sites stay as they are: {count}.{lines}"


def _web_files(folder: Path) -> Iterator[Path]:
    for file in sorted(folder.rglob("*")):
        if file.suffix in _SUFFIXES and "node_modules" not in file.parts and ".test." not in file.name:
            yield file

"""Read the tables by which Office and LibreOffice open a document, instead of trusting its file names.

Google Docs, Word Online and others write ``word/document2.xml`` or ``xl/workbook1.xml``. The content types name the
kind of each part, and the relationships of the package name the main part.
"""

from collections.abc import Collection, Iterator, Mapping
from pathlib import Path
from typing import Any, Final, NamedTuple
from urllib.parse import unquote
from zipfile import ZipInfo

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from .archives import NoArchive, read_entries

_LARGEST: Final = 4 << 20
"""Bytes of all tables of types and relationships."""
_TYPES: Final = "[content_types].xml"
_ROOT: Final = "_rels/.rels"
_MAIN_RELATION: Final = "/officeDocument"
"""End of the relationship's type. Its start differs in ISO's strict variant."""
_ODF_MANIFEST: Final = "META-INF/manifest.xml"
_ODF_KIND: Final = "mimetype"
_LONGEST_KIND: Final = 100


class Tables(NamedTuple):
    """All tables of an Office document by these names, in any letter case."""

    types: list[Any]
    relations: Mapping[str, list[Any]]
    """By file name."""

    def every(self) -> Iterator[Any]:
        for table in (*self.types, *(each for found in self.relations.values() for each in found)):
            yield from table.iter()


def read_tables(path: Path, entries: Collection[ZipInfo]) -> Tables:
    """Return the tables. Raise NoArchive if one is not XML, or if they are too large."""
    named = [(_part_name(entry.filename), entry) for entry in entries]
    tables = [(name, entry) for name, entry in named if name == _TYPES or name.endswith(".rels")]
    parsed = [_parse(data) for data in read_entries(path, [entry for _, entry in tables], _LARGEST)]
    relations: dict[str, list[Any]] = {}
    types = []
    for (name, _), table in zip(tables, parsed, strict=True):
        if name == _TYPES:
            types.append(table)
        else:
            relations.setdefault(name, []).append(table)
    return Tables(types, relations)


def is_office(kind: str, entries: Collection[ZipInfo], tables: Tables) -> bool:
    """Return whether the main part of the document has this kind, such as ``wordprocessingml``."""
    names = {_part_name(entry.filename) for entry in entries}
    mains = {
        _part_name(unquote(relation.get("Target", "")))
        for table in tables.relations.get(_ROOT, ())
        for relation in table.iter()
        if relation.get("Type", "").endswith(_MAIN_RELATION)
    }
    return any(
        f".{kind}." in type and type.endswith(".main+xml") for name in mains & names for type in _types_of(name, tables)
    )


def odf_kind(path: Path, entries: Collection[ZipInfo]) -> str:
    """Return the media type of an OpenDocument file, or an empty text."""
    by_name = {entry.filename: entry for entry in entries}
    if entry := by_name.get(_ODF_KIND):
        return read_entries(path, [entry], _LONGEST_KIND)[0].decode("ascii", "replace").strip()
    if entry := by_name.get(_ODF_MANIFEST):
        for each in _parse(read_entries(path, [entry], _LARGEST)[0]).iter():
            said = {name.rpartition("}")[2]: value for name, value in each.attrib.items()}
            if said.get("full-path") == "/":
                return str(said.get("media-type", ""))
    return ""


def _types_of(name: str, tables: Tables) -> Iterator[str]:
    """Yield the content types of a part: its own, else those of its file extension."""
    rows = [row for table in tables.types for row in table.iter()]
    own = [row.get("ContentType", "") for row in rows if _part_name(row.get("PartName", "")) == name]
    ending = name.rpartition(".")[2]
    yield from own or [row.get("ContentType", "") for row in rows if row.get("Extension", "").lower() == ending]


def _part_name(name: str) -> str:
    """Return the normal form of a part's name, which ignores letter case."""
    return name.replace("\\", "/").removeprefix("./").lstrip("/").lower()


def _parse(part: bytes) -> Any:
    try:
        return fromstring(part, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        raise NoArchive(type(error).__name__) from None

"""Read XLIFF 2.0 and 2.1 as tools of translators write them.

Takes units that a tool has split into segments, ``<sc>`` and ``<ec>`` in place of ``<pc>``, and skips ``<mrk>`` and
other annotations.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import IO, Any, Final
from uuid import UUID
from xml.etree.ElementTree import Element, ParseError, TreeBuilder

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import XMLParser

from .inline import Code
from .units import FileRefused, Languages, Returned
from .xliff_writer import CATEGORY, METADATA, NAMESPACE, path_of

_DEEPEST: Final = 64
_VERSIONS: Final = ("2.0", "2.1")
_CHUNK: Final = 1 << 16


def read_xliff(file: Path) -> tuple[Languages, list[Returned]]:
    """Raise FileRefused for a file that is damaged, unsafe, or no XLIFF 2."""
    with file.open("rb") as stream:
        root = _parse(stream)
    version = root.get("version", "")
    if _name(root) != "xliff" or version not in _VERSIONS:
        found = f"XLIFF {version}" if root.tag.endswith("xliff") and version else f"<{root.tag.rpartition('}')[2]}>"
        raise FileRefused(
            f"This is not XLIFF 2.0 or 2.1 but {found}. Nothing was imported. Save it as XLIFF 2 in the translation tool."
        )
    files = root.findall(f"{{{NAMESPACE}}}file")
    sites = {file.get("id", "").rpartition(".")[0] for file in files}
    languages = Languages(root.get("srcLang", ""), root.get("trgLang", ""), sites.pop() if len(sites) == 1 else "")
    return languages, [unit for file in files for unit in _read_file(file)]


class _FlatTree(TreeBuilder):
    """Refuses elements inside each other that no XLIFF has, before they use up the memory."""

    def __init__(self) -> None:
        super().__init__()
        self._depth = 0

    def start(self, tag: Any, attrs: Any, /) -> Any:
        self._depth += 1
        if self._depth > _DEEPEST:
            raise FileRefused(f"The file has more than {_DEEPEST} elements inside each other. Nothing was imported.")
        return super().start(tag, attrs)

    def end(self, tag: Any, /) -> Any:
        self._depth -= 1
        return super().end(tag)


def _parse(stream: IO[bytes]) -> Element:
    parser = XMLParser(target=_FlatTree(), forbid_dtd=True)
    try:
        while chunk := stream.read(_CHUNK):
            parser.feed(chunk)
        root: Element = parser.close()
    except DefusedXmlException:
        raise FileRefused(
            "The file has a document type declaration, which XLIFF does not use and which can read other files. "
            "Nothing was imported. Export the file again, or ask the translator to."
        ) from None
    except (ParseError, ValueError, LookupError) as error:
        raise FileRefused(
            f"The file is damaged: {error}. Nothing was imported. Ask the translator to save it again."
        ) from None
    return root


def _read_file(file: Element) -> Iterator[Returned]:
    key = _read_key(file.get("id", ""), file.get("original", ""))
    for unit in file.iter(f"{{{NAMESPACE}}}unit"):
        yield _read_unit(key, unit)


def _read_key(id: str, original: str) -> UUID:
    try:
        return UUID(id.rpartition(".")[2])
    except ValueError:
        raise FileRefused(
            f"The file has no page of ours: its <file> has the id {id!r} ({original or 'no original'}). Nothing was imported. "
            "Import a file that `portolan translations export` wrote, with its ids."
        ) from None


def _read_unit(key: UUID, unit: Element) -> Returned:
    id = unit.get("id", "")
    reader = _TextReader(unit)
    source: list[str | Code] = []
    targets: list[tuple[int, list[str | Code]]] = []
    is_finished = True
    has_target = False
    for number, part in enumerate(child for child in unit if _name(child) in ("segment", "ignorable")):
        own = reader.read(part.find(f"{{{NAMESPACE}}}source"))
        source += own
        target = part.find(f"{{{NAMESPACE}}}target")
        if _name(part) == "segment":
            is_finished = is_finished and part.get("state") != "initial"
            has_target = has_target or target is not None
            is_finished = is_finished and (target is not None or not own)
        order = target.get("order", "") if target is not None else ""
        place = int(order) - 1 if order.isdecimal() else number
        targets.append((place, own if target is None else reader.read(target)))
    ordered = [part for _, parts in sorted(targets, key=lambda entry: entry[0]) for part in parts]
    return Returned(key, path_of(id), source, ordered if has_target else [], _read_mark(unit), is_finished)


def _read_mark(unit: Element) -> str:
    groups = unit.iter(f"{{{METADATA}}}metaGroup")
    marks = (meta for group in groups if group.get("category") == CATEGORY for meta in group)
    return next((meta.text or "" for meta in marks if meta.get("type") == "target"), "")


class _TextReader:
    """Reads the sources and targets of one unit."""

    def __init__(self, unit: Element) -> None:
        self._id = unit.get("id", "")
        found = (child for group in unit if _name(group) == "originalData" for child in group)
        self._data = {data.get("id", ""): "".join(_characters(data)) for data in found}

    def read(self, element: Element | None) -> list[str | Code]:
        return list(self._read(element)) if element is not None else []

    def _read(self, element: Element) -> Iterator[str | Code]:
        if element.text:
            yield element.text
        for child in element:
            yield from self._read_child(child)
            if child.tail:
                yield child.tail

    def _read_child(self, child: Element) -> Iterator[str | Code]:
        name = _name(child)
        if name == "pc":
            yield self._code(child, "dataRefStart")
            yield from self._read(child)
            yield self._code(child, "dataRefEnd")
        elif name in ("ph", "sc", "ec"):
            yield self._code(child, "dataRef")
        elif name == "cp":
            yield from _characters_of(child)
        elif name == "mrk":
            yield from self._read(child)
        elif name not in ("sm", "em"):
            raise FileRefused(
                f"The unit {self._id!r} has an element <{name}> in its text, which XLIFF 2.1 does not have. Nothing was imported."
            )

    def _code(self, child: Element, attribute: str) -> Code:
        reference = child.get(attribute)
        data = self._data.get(reference) if reference is not None else None
        if data is None:
            raise FileRefused(
                f"The unit {self._id!r} has lost the original data of the inline element {child.get('id') or child.get('startRef')!r}. "
                "Nothing was imported. Ask the translator to keep <originalData> when saving."
            )
        return Code(data, "value")


def _characters(element: Element) -> Iterator[str]:
    yield element.text or ""
    for child in element:
        yield from _characters_of(child)
        yield child.tail or ""


def _characters_of(child: Element) -> Iterator[str]:
    """Yield the character of a ``<cp>``."""
    try:
        yield chr(int(child.get("hex", ""), 16))
    except (ValueError, OverflowError):
        raise FileRefused(f"The file has no character {child.get('hex')!r}. Nothing was imported.") from None


def _name(element: Element) -> str:
    """Return the name of an element of XLIFF; others with their namespace."""
    return element.tag.removeprefix(f"{{{NAMESPACE}}}")

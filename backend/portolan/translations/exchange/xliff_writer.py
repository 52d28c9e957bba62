"""Write XLIFF 2.1: a file for each page, a unit for each text.

Tags become ``<pc>`` and ``<ph>``, placeholders ``<ph>``. Their text is in ``<originalData>``, so that translators cannot
change it.
"""

import re
from collections.abc import Iterable, Iterator
from typing import Final
from xml.sax.saxutils import escape, quoteattr

from .inline import Code, is_balanced, split
from .units import Languages, PageUnits, Unit, mark_of

NAMESPACE: Final = "urn:oasis:names:tc:xliff:document:2.0"
"""Namespace of the core of XLIFF 2.0 and 2.1."""
METADATA: Final = "urn:oasis:names:tc:xliff:metadata:2.0"
CATEGORY: Final = "portolan"
_INVALID: Final = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]")
_TYPES: Final = {"a": "link", "br": 'fmt" subType="xlf:lb', "p": 'fmt" subType="xlf:pb'}
_BOLD_AND_ITALIC: Final = {"b": "b", "strong": "b", "i": "i", "em": "i"}


def write_xliff(languages: Languages, pages: Iterable[PageUnits]) -> Iterator[str]:
    """Yield the document in pieces."""
    yield '<?xml version="1.0" encoding="UTF-8"?>\n'
    yield f'<xliff version="2.1" xmlns="{NAMESPACE}" xmlns:mda="{METADATA}"'
    yield f" srcLang={quoteattr(languages.source)} trgLang={quoteattr(languages.target)}>\n"
    for page in pages:
        yield f' <file id="{languages.site}.{page.key}" original={quoteattr(page.address)} xml:space="preserve">\n'
        yield f'  <notes><note category="page">{_note(page.title)}</note></notes>\n'
        for unit in page.units:
            yield from _write_unit(unit)
        yield " </file>\n"
    yield "</xliff>\n"


def id_of(path: str) -> str:
    """Return the path as an NMTOKEN: ``body:4f0c…:title``."""
    return path.replace("/", ":").replace("#", ".")


def path_of(id: str) -> str:
    return re.sub(r"(?<=:)\.(?=\d+(:|$))", "#", id).replace(":", "/")


def _write_unit(unit: Unit) -> Iterator[str]:
    codes = _Codes()
    source = codes.write(split(unit.source, unit.kind))
    target = codes.write(split(unit.target, unit.kind))
    yield f'  <unit id="{id_of(unit.path)}">\n'
    yield f'   <mda:metadata><mda:metaGroup category="{CATEGORY}"><mda:meta type="target">{mark_of(unit.target)}'
    yield "</mda:meta></mda:metaGroup></mda:metadata>\n"
    if unit.label:
        yield f'   <notes><note category="field">{_note(unit.label)}</note></notes>\n'
    if codes.data:
        yield "   <originalData>"
        yield from (f'<data id="{id}">{_text(data)}</data>' for data, id in codes.data.items())
        yield "</originalData>\n"
    yield f'   <segment state="{"final" if unit.is_done else "initial"}"><source>{source}</source>'
    yield f"<target>{target}</target>" if target else ""
    yield "</segment>\n  </unit>\n"


class _Codes:
    """Gives the codes of a source and its target their ids. Equal codes of both get the same one."""

    def __init__(self) -> None:
        self.data: dict[str, str] = {}
        """Ids of the original data by their text."""
        self._ids: list[tuple[Code, str]] = []
        """Codes of the source that the target has not used yet, with their ids."""
        self._count = 0

    def write(self, parts: list[str | Code]) -> str:
        known, self._ids = self._ids, []
        ends = _find_ends(parts) if is_balanced(parts) else {}
        closing = set(ends.values())
        written: list[str] = []
        for number, part in enumerate(parts):
            if isinstance(part, str):
                written.append(_text(part))
            elif number in closing:
                written.append("</pc>")
            else:
                id = self._take(part, known)
                self._ids.append((part, id))
                end = parts[ends[number]] if number in ends else None
                written.append(self._tag(part, id, end if isinstance(end, Code) else None))
        return "".join(written)

    def _take(self, code: Code, known: list[tuple[Code, str]]) -> str:
        """Return the id of the same code of the source, else of a tag with the same name, else a new one."""
        found = next((entry for entry in known if entry[0] == code), None)
        if found is None and code.name:
            alike = (entry for entry in known if (entry[0].name, entry[0].role) == (code.name, code.role))
            found = next(alike, None)
        if found:
            known.remove(found)
            return found[1]
        self._count += 1
        return str(self._count)

    def _tag(self, code: Code, id: str, end: Code | None) -> str:
        start = self._reference(code.data)
        kind = _type_of(code)
        if end:
            return f'<pc id="{id}"{kind} dataRefStart="{start}" dataRefEnd="{self._reference(end.data)}">'
        equivalent = f" equiv={quoteattr(code.shown)}" if code.shown and not _INVALID.search(code.shown) else ""
        shown = f" disp={quoteattr(code.data)}" if not _INVALID.search(code.data) else ""
        return f'<ph id="{id}"{kind}{equivalent}{shown} dataRef="{start}"/>'

    def _reference(self, data: str) -> str:
        return self.data.setdefault(data, f"d{len(self.data) + 1}")


def _find_ends(parts: list[str | Code]) -> dict[int, int]:
    """Return the positions of closing tags by those of their opening tags."""
    open_tags: list[int] = []
    ends = {}
    for number, part in enumerate(parts):
        if isinstance(part, Code) and part.role == "open":
            open_tags.append(number)
        elif isinstance(part, Code) and part.role == "close":
            ends[open_tags.pop()] = number
    return ends


def _type_of(code: Code) -> str:
    if code.role == "value":
        return ' type="ui" subType="xlf:var" canDelete="no"' if code.data.startswith("{") else ' type="other"'
    kept = ' canDelete="no" canCopy="no"' if code.name == "a" else ""
    style = _BOLD_AND_ITALIC.get(code.name)
    kind = f'fmt" subType="xlf:{style}' if style else _TYPES.get(code.name, "fmt")
    return f' type="{kind}"{kept}'


def _note(text: str) -> str:
    return escape(_INVALID.sub("", text))


def _text(text: str) -> str:
    """Escape text. A carriage return is written as a reference, because parsers read a bare one as a line feed."""
    return _INVALID.sub(lambda match: f'<cp hex="{ord(match[0]):04X}"/>', escape(text, {"\r": "&#13;"}))

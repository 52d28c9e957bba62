"""Find macros in documents by their content. Names are no proof: Office opens a docm that was renamed to docx like a
docm."""

import re
from collections.abc import Collection, Iterable, Iterator
from pathlib import Path
from typing import Final
from zipfile import ZipInfo

from defusedxml.common import DefusedXmlException
from defusedxml.ElementTree import ParseError, fromstring

from .archives import NoArchive, read_entries

_LARGEST: Final = 4 << 20
"""Bytes of the tables of types and relationships together."""
_TYPES: Final = "[content_types].xml"
_NAMES: Final = re.compile(r"(^|/)vbaproject\.bin$|(^|/)macrosheets/", re.IGNORECASE)
_DECLARED: Final = re.compile(r"macroEnabled|vbaProject|macrosheet", re.IGNORECASE)
"""Declarations of macros in content types and relationships. Office reads these, whatever the parts are called."""
_IN_ODF: Final = re.compile(r"Scripts/.|Basic/(?!(.+/)?(script-l[bc]|dialog-l[bc])\.xml$).*[^/]$")
"""Paths of LibreOffice macros. LibreOffice writes the lists of libraries into documents without macros too."""
_IN_OLE: Final = re.compile(re.escape("_VBA_PROJECT".encode("utf-16-le")), re.IGNORECASE)


def has_office_macros(path: Path, entries: Collection[ZipInfo]) -> bool:
    """Return True if an Office document has macros. Raise NoArchive if the tables cannot be read."""
    if any(_NAMES.search(entry.filename.replace("\\", "/")) for entry in entries):
        return True
    tables = [
        entry for entry in entries if entry.filename.lower() == _TYPES or entry.filename.lower().endswith(".rels")
    ]
    return any(
        _DECLARED.search(declared) for table in read_entries(path, tables, _LARGEST) for declared in _declared(table)
    )


def has_odf_macros(entries: Iterable[ZipInfo]) -> bool:
    return any(_IN_ODF.match(entry.filename) for entry in entries)


def has_ole_macros(path: Path) -> bool:
    """Return True if a document of Office before 2007 has macros. Its directory then has a stream of this name."""
    return _IN_OLE.search(path.read_bytes()) is not None


def _declared(part: bytes) -> Iterator[str]:
    try:
        root = fromstring(part, forbid_dtd=True)
    except (ParseError, DefusedXmlException, ValueError, LookupError) as error:
        raise NoArchive(type(error).__name__) from None
    for element in root.iter():
        yield element.get("ContentType", "")
        yield element.get("Type", "")

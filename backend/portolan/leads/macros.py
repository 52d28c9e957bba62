"""Find macros in documents by their content, because Office opens a docm that is named docx like a docm."""

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final
from zipfile import ZipInfo

from .office import Tables

_NAMES: Final = re.compile(r"(^|/)vbaproject\.bin$|(^|/)macrosheets/", re.IGNORECASE)
_DECLARED: Final = re.compile(r"macroEnabled|vbaProject|macrosheet", re.IGNORECASE)
"""Declarations of macros in content types and relationships. Office reads these, whatever the parts' names."""
_IN_ODF: Final = re.compile(r"Scripts/.|Basic/(?!(.+/)?(script-l[bc]|dialog-l[bc])\.xml$).*[^/]$")
"""Paths of LibreOffice macros. Documents without macros have the lists of libraries too."""
_IN_OLE: Final = re.compile(re.escape("_VBA_PROJECT".encode("utf-16-le")), re.IGNORECASE)


def has_office_macros(entries: Iterable[ZipInfo], tables: Tables) -> bool:
    """Return whether an Office document has macros."""
    if any(_NAMES.search(entry.filename.replace("\\", "/")) for entry in entries):
        return True
    return any(
        _DECLARED.search(each.get(attribute, "")) for each in tables.every() for attribute in ("ContentType", "Type")
    )


def has_odf_macros(entries: Iterable[ZipInfo]) -> bool:
    return any(_IN_ODF.match(entry.filename) for entry in entries)


def has_ole_macros(path: Path) -> bool:
    """Return whether a document of Office before 2007 has macros: a stream of this name in its directory."""
    return _IN_OLE.search(path.read_bytes()) is not None

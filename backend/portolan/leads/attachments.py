"""Decides which files may come with a lead, by their names and contents (decisions, form-data)."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from .archives import NoArchive, UnsafeArchive, read_archive, read_entry_start
from .macros import has_odf_macros, has_office_macros, has_ole_macros
from .refusals import INVALID_VALUE, UNSAFE_ARCHIVE, UNSUPPORTED_FILE, refuse

LONGEST_NAME: Final = 150

_START: Final = 8
_DOC_START: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_DOC_STREAM: Final = "WordDocument".encode("utf-16-le")
_ODT_TYPE: Final = b"application/vnd.oasis.opendocument.text"
_ARCHIVE_STARTS: Final = (b"PK\x03\x04", b"PK\x05\x06")
_NOT_IN_TEXT: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_UTF16_STARTS: Final = (b"\xff\xfe", b"\xfe\xff")


def clean_name(field: str, name: str) -> str:
    """The file's name as editors may see it: without folders and invisible characters. Raises LeadRefused for a name
    that is empty or too long.
    """
    base = re.split(r"[/\\]", name)[-1]
    if "\0" in name:
        raise refuse(INVALID_VALUE, field, "has a file name with a NUL character")
    # Control characters, and marks that turn the writing's direction: cv<U+202E>fdp.exe looks like cvexe.pdf.
    seen = "".join(letter for letter in base if unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Co", "Cn"))
    seen = " ".join(unicodedata.normalize("NFC", seen).split())
    if len(seen) > LONGEST_NAME:
        raise refuse(INVALID_VALUE, field, f"has a file name longer than {LONGEST_NAME} characters")
    if not seen.strip(". "):
        raise refuse(INVALID_VALUE, field, "has no file name")
    return seen


def check_attachment(field: str, name: str, path: Path) -> str:
    """Returns the file's extension. Raises LeadRefused if this sort of file is not accepted. ``name`` has been
    cleaned."""
    extension = name.rpartition(".")[2].lower() if "." in name.lstrip(".") else ""
    is_it = _KINDS.get(extension)
    if is_it is None:
        raise refuse(UNSUPPORTED_FILE, field, f"is of no kind that is taken: {', '.join(_KINDS)}")
    try:
        fits = is_it(path)
    except UnsafeArchive as error:
        raise refuse(UNSAFE_ARCHIVE, field, str(error)) from None
    except NoArchive:
        fits = False
    if not fits:
        raise refuse(UNSUPPORTED_FILE, field, f"is named .{extension}, and what is in it is something else")
    return extension


def _starts_with(*starts: bytes) -> Callable[[Path], bool]:
    return lambda path: _read_start(path).startswith(starts)


def _is_old_word(path: Path) -> bool:
    if not _read_start(path).startswith(_DOC_START) or _DOC_STREAM not in path.read_bytes():
        return False
    return not has_ole_macros(path)


def _is_archive(path: Path) -> bool:
    if not _read_start(path).startswith(_ARCHIVE_STARTS):
        return False
    read_archive(path)
    return True


def _is_office(main_part: str) -> Callable[[Path], bool]:
    """A document of Office: an archive with a table of types and the main part of its kind, and without macros."""

    def is_it(path: Path) -> bool:
        if not _read_start(path).startswith(_ARCHIVE_STARTS):
            return False
        entries = read_archive(path)
        names = {entry.filename for entry in entries}
        return {"[Content_Types].xml", main_part} <= names and not has_office_macros(path, entries)

    return is_it


def _is_odt(path: Path) -> bool:
    if not _read_start(path).startswith(_ARCHIVE_STARTS):
        return False
    entries = {entry.filename: entry for entry in read_archive(path)}
    kind = entries.get("mimetype")
    is_it = kind is not None and read_entry_start(path, kind, 100) == _ODT_TYPE and "content.xml" in entries
    return is_it and not has_odf_macros(entries.values())


def _is_text(path: Path) -> bool:
    """Text in UTF-8, in UTF-16 as Windows saves it, or in any encoding with one byte per letter."""
    data = path.read_bytes()
    if data.startswith(_UTF16_STARTS):
        try:
            data = data.decode("utf-16").encode()
        except UnicodeDecodeError:
            return False
    return _NOT_IN_TEXT.search(data) is None


def _read_start(path: Path) -> bytes:
    with path.open("rb") as file:
        return file.read(_START)


_KINDS: Final[Mapping[str, Callable[[Path], bool]]] = {
    "pdf": _starts_with(b"%PDF-"),
    "doc": _is_old_word,
    "docx": _is_office("word/document.xml"),
    "odt": _is_odt,
    "xlsx": _is_office("xl/workbook.xml"),
    "pptx": _is_office("ppt/presentation.xml"),
    "txt": _is_text,
    "png": _starts_with(b"\x89PNG\r\n\x1a\n"),
    "jpg": _starts_with(b"\xff\xd8\xff"),
    "jpeg": _starts_with(b"\xff\xd8\xff"),
    "zip": _is_archive,
}
EXTENSIONS: Final = tuple(_KINDS)

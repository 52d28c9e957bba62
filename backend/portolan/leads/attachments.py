"""Decide which files a lead may have, by their names and contents (decisions, form-data)."""

import re
import unicodedata
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Final

from ..schemas.visible_text import trim
from .archives import NoArchive, UnsafeArchive, read_archive
from .macros import has_odf_macros, has_office_macros, has_ole_macros
from .office import is_office, odf_kind, read_tables
from .refusals import INVALID_VALUE, UNSAFE_ARCHIVE, UNSUPPORTED_FILE, refuse

LONGEST_NAME: Final = 150

_START: Final = 8
_DOC_START: Final = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_DOC_STREAM: Final = "WordDocument".encode("utf-16-le")
_ODT_TYPE: Final = "application/vnd.oasis.opendocument.text"
_ARCHIVE_STARTS: Final = (b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08PK\x03\x04", b"PK00PK\x03\x04")
"""The last two start archives that programs could have split."""
_PDF_WITHIN: Final = 1024
"""PDF readers search the header in the first bytes, because printers and mail programs add lines before it."""
_PROGRAM_STARTS: Final = (b"MZ", b"\x7fELF", b"#!")
_NOT_IN_TEXT: Final = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_UTF16_STARTS: Final = (b"\xff\xfe", b"\xfe\xff")


def clean_name(field: str, name: str) -> str:
    """Return the file's name without folders and invisible characters. Raise LeadRefused if it is empty or too long."""
    base = re.split(r"[/\\]", name)[-1]
    if "\0" in name:
        raise refuse(INVALID_VALUE, field, "has a file name with a NUL character")
    # Control characters, and marks for the writing direction: cv<U+202E>fdp.exe looks like cvexe.pdf.
    seen = "".join(letter for letter in base if unicodedata.category(letter) not in ("Cc", "Cf", "Cs", "Co", "Cn"))
    seen = " ".join(unicodedata.normalize("NFC", seen).split())
    if len(seen) > LONGEST_NAME:
        raise refuse(INVALID_VALUE, field, f"has a file name longer than {LONGEST_NAME} characters")
    if not trim(seen).strip(". "):
        raise refuse(INVALID_VALUE, field, "has no file name")
    return seen


def check_attachment(field: str, name: str, path: Path) -> str:
    """Return the file's extension. Raise LeadRefused if the type is not accepted. ``name`` is from ``clean_name``."""
    extension = name.rpartition(".")[2].lower() if "." in name.lstrip(".") else ""
    is_it = _KINDS.get(extension)
    if is_it is None:
        raise refuse(UNSUPPORTED_FILE, field, f"has a type that is not accepted. Accepted types: {', '.join(_KINDS)}")
    try:
        fits = is_it(path)
    except UnsafeArchive as error:
        raise refuse(UNSAFE_ARCHIVE, field, str(error)) from None
    except NoArchive:
        fits = False
    if not fits:
        raise refuse(UNSUPPORTED_FILE, field, f"is named .{extension}, but its content has another type")
    return extension


def _is_pdf(path: Path) -> bool:
    """Check the header. Bytes before it must not make the file a page or a program for another reader."""
    start, header, _ = _read_start(path, _PDF_WITHIN).partition(b"%PDF-")
    return bool(header) and b"<" not in start and not start.startswith(_PROGRAM_STARTS)


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


def _is_office(kind: str) -> Callable[[Path], bool]:
    """Return a check for an Office document: an archive with a main part of this kind, and without macros."""

    def is_it(path: Path) -> bool:
        if not _read_start(path).startswith(_ARCHIVE_STARTS):
            return False
        entries = read_archive(path)
        tables = read_tables(path, entries)
        return is_office(kind, entries, tables) and not has_office_macros(entries, tables)

    return is_it


def _is_odt(path: Path) -> bool:
    if not _read_start(path).startswith(_ARCHIVE_STARTS):
        return False
    entries = read_archive(path)
    is_it = odf_kind(path, entries) == _ODT_TYPE and any(entry.filename == "content.xml" for entry in entries)
    return is_it and not has_odf_macros(entries)


def _is_text(path: Path) -> bool:
    """Check for text in UTF-8, in UTF-16 as Windows saves it, or in any encoding with one byte per letter."""
    data = path.read_bytes()
    if data.startswith(_UTF16_STARTS):
        try:
            data = data.decode("utf-16").encode()
        except UnicodeDecodeError:
            return False
    return _NOT_IN_TEXT.search(data) is None


def _read_start(path: Path, most: int = _START) -> bytes:
    with path.open("rb") as file:
        return file.read(most)


_KINDS: Final[Mapping[str, Callable[[Path], bool]]] = {
    "pdf": _is_pdf,
    "doc": _is_old_word,
    "docx": _is_office("wordprocessingml"),
    "odt": _is_odt,
    "xlsx": _is_office("spreadsheetml"),
    "pptx": _is_office("presentationml"),
    "txt": _is_text,
    "png": _starts_with(b"\x89PNG\r\n\x1a\n"),
    "jpg": _starts_with(b"\xff\xd8\xff"),
    "jpeg": _starts_with(b"\xff\xd8\xff"),
    "zip": _is_archive,
}
EXTENSIONS: Final = tuple(_KINDS)

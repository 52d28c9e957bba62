"""Check archives by their table of contents, without unpacking them."""

import re
import stat
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import BinaryIO, Final
from zipfile import ZipFile, ZipInfo

MOST_ENTRIES: Final = 1000
LARGEST_UNPACKED: Final = 100 << 20
HIGHEST_RATIO: Final = 100
"""Unpacked bytes per packed byte. Ordinary texts reach 20."""
_LARGEST_TABLE: Final = 1 << 20

_END: Final = b"PK\x05\x06"
_END_SIZE: Final = 22
_END64_LOCATOR: Final = b"PK\x06\x07"
_END64_LOCATOR_SIZE: Final = 20
_END64: Final = b"PK\x06\x06"
_END64_SIZE: Final = 56
_LONGEST_COMMENT: Final = 65_535
_DRIVE: Final = re.compile("[A-Za-z]:")


class UnsafeArchive(Exception):
    """Unpacking could do harm. The message says how."""


class NoArchive(Exception):
    """The file is not a readable archive."""


def read_archive(path: Path) -> list[ZipInfo]:
    """Return the entries of a zip file. Raise UnsafeArchive or NoArchive."""
    with path.open("rb") as file:
        _check_table(file, path.stat().st_size)
        try:
            with ZipFile(file) as archive:
                entries = archive.infolist()
        except Exception as error:  # zipfile's errors for damaged data are undocumented
            raise NoArchive(type(error).__name__) from None
    _check_entries(entries, path.stat().st_size)
    return entries


def read_entries(path: Path, entries: Iterable[ZipInfo], most: int) -> list[bytes]:
    """Return whole entries. Raise NoArchive if they are larger than ``most`` in total or unreadable."""
    found = []
    try:
        with ZipFile(path) as archive:
            for entry in entries:
                with archive.open(entry) as content:
                    found.append(content.read(most + 1))
                most -= len(found[-1])
                if most < 0:
                    break
    except Exception as error:  # as above
        raise NoArchive(type(error).__name__) from None
    if most < 0:
        raise NoArchive("too large")
    return found


def _check_table(file: BinaryIO, size: int) -> None:
    """Check the size of the table first, because reading a million entries would already be an attack."""
    file.seek(max(0, size - _END_SIZE - _LONGEST_COMMENT - _END64_LOCATOR_SIZE - _END64_SIZE))
    tail = file.read()
    end = tail.rfind(_END)
    if end < 0 or len(tail) - end < _END_SIZE:
        raise NoArchive("it has no end")
    entries, table_size = struct.unpack("<HL", tail[end + 10 : end + 16])
    if tail[max(0, end - _END64_LOCATOR_SIZE) : end].startswith(_END64_LOCATOR):
        # Some programs end small archives like those of more than 4 GiB. Python reads the record here.
        record = tail[max(0, end - _END64_LOCATOR_SIZE - _END64_SIZE) : end]
        if not record.startswith(_END64):
            raise UnsafeArchive("is an archive of the kind for more than 4 GiB")
        entries, table_size = struct.unpack("<QQ", record[32:48])
    if entries > MOST_ENTRIES or table_size > _LARGEST_TABLE:
        raise UnsafeArchive(f"has more than {MOST_ENTRIES} files in it")
    file.seek(0)


def _check_entries(entries: list[ZipInfo], size: int) -> None:
    if len(entries) > MOST_ENTRIES:
        raise UnsafeArchive(f"has more than {MOST_ENTRIES} files in it")
    unpacked = sum(entry.file_size for entry in entries)
    packed = sum(entry.compress_size for entry in entries)
    if unpacked > LARGEST_UNPACKED:
        raise UnsafeArchive(f"is more than {LARGEST_UNPACKED >> 20} MiB when unpacked")
    if unpacked > HIGHEST_RATIO * size or any(e.file_size > HIGHEST_RATIO * max(e.compress_size, 1) for e in entries):
        raise UnsafeArchive(f"unpacks to more than {HIGHEST_RATIO} times its size")
    if packed > size:
        raise UnsafeArchive("has files in it that overlap")
    for entry in entries:
        if stat.S_ISLNK(entry.external_attr >> 16):
            raise UnsafeArchive("has a link in it")
        parts = entry.filename.replace("\\", "/").split("/")
        if ".." in parts or parts[0] == "" or _DRIVE.match(parts[0]):
            raise UnsafeArchive("has a file in it that would be unpacked elsewhere")

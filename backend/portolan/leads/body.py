"""Read a multipart body part by part: fields into memory, files to the disk. Limits are checked during reading."""

import hashlib
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import BinaryIO, Final, NamedTuple

from multipart import MultipartError, MultipartSegment, ParserLimitReached, PushMultipartParser

from ..schemas.lead import LONGEST_FIELD
from .file_store import IncomingFiles
from .refusals import (
    BODY_TOO_LARGE,
    FILE_TOO_LARGE,
    INVALID_VALUE,
    MALFORMED_BODY,
    NO_MULTIPART,
    LeadRefused,
    refuse,
)

LARGEST_BODY: Final = 30 << 20
LARGEST_FILE: Final = 10 << 20
MOST_FILES: Final = 5
MOST_FIELDS: Final = 200
LONGEST_BOUNDARY: Final = 70

_CHUNK: Final = 64 << 10
_MOST_BYTES_OF_LETTER: Final = 4
_BOUNDARY: Final = re.compile(rf"[0-9A-Za-z'()+_,./:=? -]{{0,{LONGEST_BOUNDARY - 1}}}[0-9A-Za-z'()+_,./:=?-]")
_PLAIN_ENCODINGS: Final = frozenset({"7bit", "8bit", "binary"})
_PLAIN_CHARSETS: Final = frozenset({None, "utf-8", "utf8", "us-ascii", "ascii"})


class ReceivedFile(NamedTuple):
    field: str
    name: str
    """The name on the visitor's computer, unchecked."""
    path: Path
    size: int
    sha256: str


class Received(NamedTuple):
    fields: list[tuple[str, str]]
    files: list[ReceivedFile]


def read_body(read: Callable[[int], bytes], boundary: str | None, incoming: IncomingFiles) -> Received:
    """Return the parts of the body. ``read`` returns pieces, and an empty one at the end.

    An empty file input is skipped. Raise LeadRefused, or OSError of the disk.
    """
    if boundary is None or not _BOUNDARY.fullmatch(boundary):
        raise LeadRefused(NO_MULTIPART)
    received = Received([], [])
    parser = PushMultipartParser(boundary, max_segment_size=LARGEST_FILE, max_segment_count=MOST_FIELDS + MOST_FILES)
    sink: _Field | _File | None = None
    try:
        with parser:
            for chunk in _chunks(read):
                for event in parser.parse(chunk):
                    if isinstance(event, MultipartSegment):
                        sink = _open(event, received, incoming)
                    elif event is not None and sink is not None:
                        sink.write(event)
                    elif sink is not None:
                        sink.close(received)
                        sink = None
    except ParserLimitReached:
        raise _limit_reached(sink) from None
    except MultipartError:
        raise LeadRefused(MALFORMED_BODY) from None
    finally:
        if isinstance(sink, _File):
            sink.file.close()
    return received


def _chunks(read: Callable[[int], bytes]) -> Iterator[bytes]:
    """Yield pieces of the body. Counts the bytes, because Content-Length may be wrong."""
    size = 0
    while chunk := read(_CHUNK):
        size += len(chunk)
        if size > LARGEST_BODY:
            raise LeadRefused(BODY_TOO_LARGE)
        yield chunk


def _limit_reached(sink: "_Field | _File | None") -> LeadRefused:
    if isinstance(sink, _File):
        return refuse(FILE_TOO_LARGE, sink.field, f"is larger than {LARGEST_FILE >> 20} MiB")
    if isinstance(sink, _Field):
        return sink.too_long()
    return LeadRefused(MALFORMED_BODY)


def _open(part: MultipartSegment, received: Received, incoming: IncomingFiles) -> "_Field | _File":
    name = part.name or ""
    encodings = {value.strip().lower() for key, value in part.headerlist if key == "Content-Transfer-Encoding"}
    if encodings - _PLAIN_ENCODINGS:
        raise refuse(INVALID_VALUE, name, "has an encoding that form data must not have (RFC 7578)")
    if part.filename is not None:
        if len(received.files) >= MOST_FILES:
            raise refuse(INVALID_VALUE, name, f"is one file too many: {MOST_FILES} are allowed")
        return _File(name, part.filename, incoming)
    if len(received.fields) >= MOST_FIELDS:
        raise refuse(INVALID_VALUE, name, f"is one field too many: {MOST_FIELDS} are allowed")
    if part.charset and part.charset.lower() not in _PLAIN_CHARSETS:
        raise refuse(INVALID_VALUE, name, "is not in UTF-8")
    return _Field(name)


class _Field:
    """A part that is a value."""

    def __init__(self, field: str) -> None:
        self.field = field
        self._value = bytearray()

    def write(self, data: bytes) -> None:
        if len(self._value) + len(data) > LONGEST_FIELD * _MOST_BYTES_OF_LETTER:
            raise self.too_long()
        self._value += data

    def close(self, received: Received) -> None:
        try:
            value = self._value.decode()
        except UnicodeDecodeError:
            raise refuse(INVALID_VALUE, self.field, "is not in UTF-8") from None
        if len(value) > LONGEST_FIELD:
            raise self.too_long()
        if "\0" in value or "\0" in self.field:
            raise refuse(INVALID_VALUE, self.field.replace("\0", ""), "contains a NUL character")
        received.fields.append((self.field, value))

    def too_long(self) -> LeadRefused:
        return refuse(INVALID_VALUE, self.field, f"is longer than {LONGEST_FIELD} characters")


class _File:
    """A part that is a file."""

    def __init__(self, field: str, name: str, incoming: IncomingFiles) -> None:
        self.field = field
        self._name = name
        self.file: BinaryIO
        self.file, self._path = incoming.create()
        self._digest = hashlib.sha256()
        self._size = 0

    def write(self, data: bytes) -> None:
        self.file.write(data)
        self._digest.update(data)
        self._size += len(data)

    def close(self, received: Received) -> None:
        self.file.close()
        if self._name or self._size:
            received.files.append(
                ReceivedFile(self.field, self._name, self._path, self._size, self._digest.hexdigest())
            )
        else:
            self._path.unlink()

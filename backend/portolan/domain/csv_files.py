"""Read and write CSV files that people open in a spreadsheet.

The writer puts an apostrophe at each place that a spreadsheet could take for a formula. The reader removes these
apostrophes, so that a written file is read back unchanged. A place is the start of a cell, or a start that appears
if the spreadsheet splits lines at semicolons or tabs instead of commas. See decision 37.
"""

import codecs
import csv
import io
import re
from collections.abc import Iterable, Iterator
from typing import Final, NamedTuple

from .words import mark

BYTE_ORDER_MARK: Final = "\ufeff"
"""At the start of a UTF-8 file, so that Excel does not read it as cp1252."""

_SIGNS: Final = r"[^\S\t\r\n]*[=+\-@＝＋－＠]"
_START: Final = rf"(?:{_SIGNS}|[\t\r\n])"
_FORMULA: Final = re.compile(_START)
_TO_DEFUSE: Final = re.compile(rf"\A()(?='*{_START})|([;\t\r\n])(?='*{_SIGNS})")
_DEFUSED: Final = re.compile(rf"\A()'(?='*{_START})|([;\t\r\n])'(?='*{_SIGNS})")
_SEPARATOR_LINE: Final = re.compile(r'\A"?sep=([,;\t|])"?[,;\t|]*\n', re.IGNORECASE)
_QUOTED: Final = re.compile(r'"[^"]*"')
_LINE_BREAK: Final = re.compile(r"\r\n?")
_ZIP: Final = b"PK\x03\x04"

NO_CSV: Final = mark("The file is not a valid CSV file ({error}). Save it as “CSV UTF-8” and upload it again.")
WORKBOOK: Final = mark("The file is a spreadsheet workbook. Save it as “CSV UTF-8” and upload it again.")
NO_TEXT: Final = mark("The text encoding of the file is unknown. Save it as “CSV UTF-8” and upload it again.")
GUESSED: Final = mark(
    "The file is not in UTF-8. It was read as Windows-1252. If letters look wrong below, save it as “CSV UTF-8” and upload "
    "it again."
)


class UnreadableCsv(Exception):
    """The file as a whole cannot be read. ``text`` is marked for translation; ``values`` fill it."""

    def __init__(self, text: str, **values: str) -> None:
        super().__init__(text.format(**values))
        self.text = text
        self.values = values


class Decoded(NamedTuple):
    text: str
    """With line feeds alone, and without a byte-order mark."""
    is_guessed: bool
    """True if the file was read as Windows-1252, because it is in no encoding of Unicode."""


class Row(NamedTuple):
    line: int
    """Number of the line on which the row begins, from 1."""
    cells: list[str]


def starts_formula(text: str) -> bool:
    """Return whether a spreadsheet could take a cell with `text` for a formula."""
    return _FORMULA.match(text) is not None


def defuse(text: str) -> str:
    """Return `text` with an apostrophe at each place that a spreadsheet could take for a formula.

    >>> defuse("=1+1"), defuse("a;@b"), defuse(" ＝x"), defuse("'-x"), defuse("a - b")
    ("'=1+1", "a;'@b", "' ＝x", "''-x", 'a - b')
    """
    return _TO_DEFUSE.sub(r"\1\2'", text)


def restore(text: str) -> str:
    """Return `text` without the apostrophes of `defuse`.

    >>> restore(defuse("'=1+1")), restore("'quoted'")
    ("'=1+1", "'quoted'")
    """
    return _DEFUSED.sub(r"\1\2", text)


def write_csv(rows: Iterable[Iterable[object]]) -> Iterator[str]:
    """Yield the file row by row: defused, with a byte-order mark and CRLF. Encode it as UTF-8."""
    line = io.StringIO()
    writer = csv.writer(line)
    line.write(BYTE_ORDER_MARK)
    for row in rows:
        writer.writerow([defuse(cell) if isinstance(cell, str) else cell for cell in row])
        yield line.getvalue()
        line.seek(0)
        line.truncate()


def decode(data: bytes) -> Decoded:
    """Return the text of a file in UTF-8, UTF-16 or Windows-1252. Raise `UnreadableCsv` for anything else."""
    if data.startswith(_ZIP):
        raise UnreadableCsv(WORKBOOK)
    try:
        text, is_guessed = data.decode(_find_encoding(data)), False
    except UnicodeDecodeError:
        try:
            text, is_guessed = data.decode("cp1252"), True
        except UnicodeDecodeError:
            raise UnreadableCsv(NO_TEXT) from None
    if "\0" in text:
        raise UnreadableCsv(NO_TEXT)
    return Decoded(normalise_lines(text.removeprefix(BYTE_ORDER_MARK)), is_guessed)


def _find_encoding(data: bytes) -> str:
    if data.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "utf-16"
    if b"\0" in data[1:2]:
        return "utf-16-le"
    return "utf-16-be" if data[:1] == b"\0" else "utf-8"


def normalise_lines(text: str) -> str:
    """Return `text` with line feeds alone: browsers send CRLF for each of them."""
    return _LINE_BREAK.sub("\n", text)


def read_csv(text: str) -> list[Row]:
    """Return the rows that have content, with trimmed cells and without empty cells at their ends.

    The delimiter is the one that a first line ``sep=;`` names, or else the one that the first row has most of: a comma,
    a semicolon or a tab. Raise `UnreadableCsv` if quotation marks do not match.
    """
    text = normalise_lines(text.removeprefix(BYTE_ORDER_MARK))
    named = _SEPARATOR_LINE.match(text)
    before = 1 if named else 0
    body = text[named.end() :] if named else text
    delimiter = named[1] if named else _find_delimiter(body)
    reader = csv.reader(io.StringIO(body, newline=""), delimiter=delimiter, skipinitialspace=True, strict=True)
    rows: list[Row] = []
    line = before + 1
    try:
        for cells in reader:
            trimmed = [restore(cell.strip()) for cell in cells]
            while trimmed and not trimmed[-1]:
                trimmed.pop()
            if trimmed:
                rows.append(Row(line, trimmed))
            line = before + reader.line_num + 1
    except csv.Error as error:
        raise UnreadableCsv(NO_CSV, error=str(error)) from None
    return rows


def _find_delimiter(text: str) -> str:
    row = _QUOTED.sub("", text.lstrip("\n")).partition("\n")[0]
    return max(",;\t", key=row.count)

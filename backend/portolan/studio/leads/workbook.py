"""A spreadsheet in which every cell is text: nothing a visitor typed can become a formula."""

from collections.abc import Iterable, Sequence
from io import BytesIO
from typing import Any, Final

from openpyxl import Workbook
from openpyxl.cell import WriteOnlyCell
from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

_FORMULA_SIGNS: Final = ("=", "+", "-", "@", "\t", "\r")


def write_sheet(title: str, headings: Iterable[str], rows: Iterable[Sequence[str]], file: BytesIO) -> int:
    """Returns how many rows below the headings there are."""
    workbook = Workbook(write_only=True)
    sheet: Any = workbook.create_sheet(title)
    sheet.freeze_panes = "A2"
    sheet.append([_cell(sheet, heading) for heading in headings])
    count = 0
    for row in rows:
        sheet.append([_cell(sheet, text) for text in row])
        count += 1
    workbook.save(file)
    return count


def _cell(sheet: Any, text: str) -> Any:
    cell: Any = WriteOnlyCell(sheet, ILLEGAL_CHARACTERS_RE.sub("", text))
    cell.data_type = "s"  # else what begins with "=" is a formula, and "#N/A" an error
    if text.startswith(_FORMULA_SIGNS):
        cell.quotePrefix = True  # stays text when somebody edits the cell
    return cell

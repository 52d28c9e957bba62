"""Write the studio's spreadsheets, as CSV and XLSX: Wagtail's reports and our own lists. No text becomes a formula."""

from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from io import BytesIO
from typing import Any, Final

from django.utils import timezone
from django.utils.translation import get_language, override
from wagtail.admin.views.mixins import SpreadsheetExportMixin

from ..domain.csv_files import starts_formula, write_csv

_TIME_FORMAT: Final = "yyyy-mm-dd hh:mm:ss"


def connect() -> None:
    """Let every list of Wagtail that can be downloaded use the two writers below.

    Wagtail's own CSV has formulas, no byte-order mark, and texts in the company's language, because Wagtail writes the
    file after the request. Its XLSX fails with control characters.
    """
    SpreadsheetExportMixin.stream_csv = _stream_csv
    SpreadsheetExportMixin.write_xlsx = _write_xlsx


def _stream_csv(view: Any, queryset: Any) -> Iterator[str]:
    return _in_language(get_language(), write_csv(_list_rows(view, queryset, view.FORMAT_CSV)))


def _write_xlsx(view: Any, queryset: Any, output: BytesIO) -> None:
    write_workbook(str(getattr(view, "page_title", "")), _list_rows(view, queryset, view.FORMAT_XLSX), output)


def _list_rows(view: Any, queryset: Any, form: str) -> Iterator[list[Any]]:
    yield [view.get_heading(queryset, field) for field in view.list_export]
    for item in queryset:
        row = view.to_row_dict(item)
        yield [view.preprocess_field_value(field, value, form) for field, value in row.items()]


def _in_language(language: str, parts: Iterator[str]) -> Iterator[str]:
    while True:
        with override(language):
            part = next(parts, None)
        if part is None:
            return
        yield part


def write_workbook(title: str, rows: Iterable[Iterable[Any]], file: BytesIO) -> int:
    """Write one sheet, whose first row has the headings. Return the number of rows below it."""
    from openpyxl import Workbook  # 9 MB, which no other process of the product needs

    workbook = Workbook(write_only=True)
    sheet: Any = workbook.create_sheet(_name_sheet(title))
    sheet.freeze_panes = "A2"
    count = 0
    for row in rows:
        sheet.append([_cell(sheet, value) for value in row])
        count += 1
    workbook.save(file)
    return count - 1


def _name_sheet(title: str) -> str:
    """Return `title` as a spreadsheet allows it: 31 characters, without those of references."""
    return "".join(" " if letter in "[]:*?/\\" else letter for letter in title)[:31].strip("' ") or "Sheet1"


def _cell(sheet: Any, value: Any) -> Any:
    from openpyxl.cell import WriteOnlyCell
    from openpyxl.cell.cell import ILLEGAL_CHARACTERS_RE

    if not isinstance(value, str):
        if isinstance(value, datetime) and timezone.is_aware(value):
            value = timezone.make_naive(value, UTC)
        cell: Any = WriteOnlyCell(sheet, value)
        if isinstance(value, datetime):
            cell.number_format = _TIME_FORMAT
        return cell
    cell = WriteOnlyCell(sheet, ILLEGAL_CHARACTERS_RE.sub("", value))
    cell.data_type = "s"  # else text that begins with "=" is a formula, and "#N/A" an error
    if starts_formula(value):
        cell.quotePrefix = True  # the cell stays text when it is edited
    return cell

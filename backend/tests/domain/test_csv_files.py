"""CSV files: nothing becomes a formula, and files of spreadsheets are read."""

import csv
import io

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from portolan.domain.csv_files import UnreadableCsv, decode, defuse, read_csv, restore, write_csv

FORMULAS = [
    "=1+1",
    "+1",
    "-1",
    "@SUM(A1)",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1",
    "\u00a0=1",
    "＝1",
    "＋1",
    "－1",
    "＠x",
    "\tx",
]


@pytest.mark.parametrize("text", [*FORMULAS, *(f"'{text}" for text in FORMULAS), "x;=1", "x\n=1", "x\t@1", "x; ＝1"])
def test_the_writer_marks_formulas_and_the_reader_removes_the_mark(text: str) -> None:
    assert defuse(text).count("'") > text.count("'")
    assert restore(defuse(text)) == text


@pytest.mark.parametrize("delimiter", [",", ";", "\t"])
@pytest.mark.parametrize("text", [*FORMULAS, "x;=1", "x\n=1", "x\t=1", 'x";=1'])
def test_no_cell_is_a_formula_however_the_spreadsheet_splits_lines(text: str, delimiter: str) -> None:
    written = "".join(write_csv([["a", text, text]])).removeprefix("\ufeff")
    cells = [cell for row in csv.reader(io.StringIO(written, newline=""), delimiter=delimiter) for cell in row]
    assert cells
    assert [cell for cell in cells if cell.strip().startswith(("=", "+", "-", "@", "＝", "＋", "－", "＠"))] == []


@settings(max_examples=200)
@given(st.text("'=;\t\n\u00a0＝a-,\"", max_size=8))
def test_what_was_written_is_read_back(text: str) -> None:
    assert restore(defuse(text)) == text
    cell = f"x{text}x"
    assert read_csv("".join(write_csv([["h", "x"], [cell, "x"]])))[1].cells == [cell, "x"]


def test_a_file_opens_in_excel() -> None:
    assert "".join(write_csv([["ü", 1, True, None]])) == "\ufeffü,1,True,\r\n"


@pytest.mark.parametrize(
    "data",
    [
        "a,ü\r\n1,2\r\n".encode(),
        "a,ü\n1,2".encode("utf-8-sig"),
        "a\tü\r\n1\t2\r\n".encode("utf-16"),
        "a;ü\r\n1;2\r\n".encode("utf-16-le"),
        "a;ü\r\n1;2\r\n".encode("utf-16-be"),
        "sep=;\r\na;ü\r\n1;2\r\n".encode("utf-8-sig"),
        '"sep=,"\ra,ü\r1,2\r'.encode(),
        "SEP=|\na|ü\n1|2".encode(),
        "a,ü,,\n1,2,,\n,,,\n\n".encode(),
        "a,ü\n1,2,,,\n".encode(),
        '"a, of;all;of;them", "ü"\n1, 2'.encode().replace(b"a, of;all;of;them", b"a"),
        '"a";"ü"\r\n"1";"2"\r\n;\r\n'.encode(),
    ],
)
def test_what_spreadsheets_save_is_read(data: bytes) -> None:
    assert [row.cells for row in read_csv(decode(data).text)] == [["a", "ü"], ["1", "2"]]


def test_a_delimiter_in_quotation_marks_does_not_count() -> None:
    assert read_csv('"a,b,c";d')[0].cells == ["a,b,c", "d"]


def test_a_row_is_named_by_the_line_on_which_it_begins() -> None:
    rows = read_csv('sep=,\r\na,b\r\n\r\n1,"x\r\ny"\r\n2,z')
    assert [(row.line, row.cells) for row in rows] == [(2, ["a", "b"]), (4, ["1", "x\ny"]), (6, ["2", "z"])]


def test_files_of_old_programs_are_read_as_windows_1252_and_it_is_said() -> None:
    assert decode("a,Größe €".encode("cp1252")) == ("a,Größe €", True)
    assert decode("a,Größe €".encode()) == ("a,Größe €", False)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"PK\x03\x04xlsx", "is a spreadsheet workbook"),
        (b"a,\x81\xff", "text encoding of the file"),
        (b"a,b\n1,\x00", "text encoding of the file"),
        (b'a,b\n"1,2', "is not a valid CSV"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused(data: bytes, said: str) -> None:
    with pytest.raises(UnreadableCsv, match=said):
        read_csv(decode(data).text)

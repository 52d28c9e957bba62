import struct
import time
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest

from portolan.leads.attachments import EXTENSIONS, LONGEST_NAME, check_attachment, clean_name
from portolan.leads.refusals import LeadRefused

from .conftest import DOC, DOCX, GOOD_FILES, JPG, PDF, PNG, XLSX, ZIP, archive


def check(name: str, data: bytes, folder: Path) -> str:
    path = folder / "file"
    path.write_bytes(data)
    return check_attachment("attachments[0]", name, path)


def refused(name: str, data: bytes, folder: Path) -> tuple[str, str]:
    with pytest.raises(LeadRefused) as error:
        check(name, data, folder)
    (problem,) = error.value.errors
    assert problem.field == "attachments[0]"
    return error.value.code, problem.message


@pytest.mark.parametrize("name", GOOD_FILES)
def test_each_kind_is_taken(name: str, tmp_path: Path) -> None:
    assert check(name, GOOD_FILES[name], tmp_path) == name.rpartition(".")[2].lower()


def test_every_kind_is_tried() -> None:
    assert {name.rpartition(".")[2].lower() for name in GOOD_FILES} == set(EXTENSIONS)


@pytest.mark.parametrize(
    "name", ["cv.exe", "cv", ".htaccess", "cv.pdf.exe", "cv.svg", "cv.html", "cv.docm", "cv.", ".pdf", "..pdf", "pdf"]
)
def test_other_names_are_not(name: str, tmp_path: Path) -> None:
    assert refused(name, PDF, tmp_path)[0] == "unsupported-file"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("cv.pdf", b"<html><script>alert(1)</script>%PDF-1.7"),
        ("cv.pdf", b"MZ\x90\0"),
        ("cv.pdf", b""),
        ("cv.doc", DOCX),
        ("cv.doc", DOC.replace(b"W\0o\0r\0d\0", b"W\0o\0r\0k\0")),  # another program's file of the same build
        ("cv.docx", XLSX),
        ("cv.docx", ZIP),
        ("cv.docx", DOC),
        ("cv.docx", b"MZ" + DOCX),
        ("cv.docx", archive({"[Content_Types].xml": b"", "word/document.xml": b"", "word/vbaProject.bin": b"\0"})),
        ("cv.odt", DOCX),
        ("cv.odt", archive({"mimetype": b"application/zip", "content.xml": b""}, packed=False)),
        ("cv.odt", archive({"mimetype": b"application/vnd.oasis.opendocument.text", "content.xml": b""})),
        ("cv.png", JPG),
        ("cv.jpg", PNG),
        ("cv.zip", PDF),
        ("cv.zip", JPG + ZIP),
        ("cv.zip", b"PK\x03\x04"),
        ("cv.zip", ZIP[:-10]),
        ("cv.zip", ZIP.replace(b"PK\x01\x02", b"PK\x01\x03")),
        ("cv.txt", PNG),
        ("cv.txt", b"a\0b"),
        ("cv.txt", b"\xff\xfe\x00\xd8"),
    ],
)
def test_what_is_in_a_file_has_to_be_what_it_is_called(name: str, data: bytes, tmp_path: Path) -> None:
    assert refused(name, data, tmp_path)[0] == "unsupported-file"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "cp1251", "cp1256"])
def test_a_text_is_one_in_the_alphabets_of_our_sites(encoding: str, tmp_path: Path) -> None:
    letters = "Причал\r\n\t2" if encoding != "cp1256" else "رصيف\r\n\t2"
    assert check("notes.txt", letters.encode(encoding), tmp_path) == "txt"


def entry(name: str, data: bytes = b"a", mode: int = 0o644) -> bytes:
    file = BytesIO()
    info = ZipInfo(name)
    info.external_attr = mode << 16
    with ZipFile(file, "w") as made:
        made.writestr(info, data)
    return file.getvalue()


def bomb(size: int) -> bytes:
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED) as made, made.open("zeros", "w") as content:
        for _ in range(size >> 20):
            content.write(bytes(1 << 20))
    return file.getvalue()


def overlapping() -> bytes:
    """Many entries of the table that are one file: a small archive with a large inside."""
    made = archive({"a": bytes(range(256)) * 40}, packed=False)
    table, end = made.index(b"PK\x01\x02"), made.index(b"PK\x05\x06")
    row = made[table:end]
    rows = b"".join(row for _ in range(20))
    return made[:table] + rows + struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 20, 20, len(rows), table, 0)


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (archive({f"{number}": b"" for number in range(1001)}), "more than 1000 files"),
        (bomb(120 << 20), "100 MiB when unpacked"),
        (bomb(20 << 20), "100 times its size"),
        (
            archive({"zeros": bytes(1 << 20), **{f"{n}": bytes(range(256)) * 40 for n in range(9)}}),
            "100 times its size",
        ),
        (overlapping(), "overlap"),
        (entry("link", b"/etc/passwd", 0o120777), "a link in it"),
        (entry("../../etc/cron.d/x"), "elsewhere"),
        (entry("a/../../x"), "elsewhere"),
        (entry("/etc/passwd"), "elsewhere"),
        (entry("..\\x"), "elsewhere"),
        (entry("C:\\x"), "elsewhere"),
        (entry("c:x"), "elsewhere"),
        (ZIP[:-22] + b"PK\x06\x07" + bytes(16) + ZIP[-22:], "4 GiB"),
        (ZIP[:-14] + struct.pack("<2H", 65_535, 65_535) + ZIP[-10:], "more than 1000 files"),
        (ZIP[:-10] + struct.pack("<L", 5 << 20) + ZIP[-6:], "more than 1000 files"),
    ],
)
def test_an_archive_that_would_do_harm_is_refused(data: bytes, reason: str, tmp_path: Path) -> None:
    code, message = refused("plans.zip", data, tmp_path)
    assert code == "unsafe-archive"
    assert reason in message
    assert refused("plans.docx", data, tmp_path)[0] == "unsafe-archive"  # a document is an archive too


def test_a_table_of_a_hundred_thousand_entries_costs_no_time(tmp_path: Path) -> None:
    made = archive({"a": b""})
    table, end = made.index(b"PK\x01\x02"), made.index(b"PK\x05\x06")
    rows = made[table:end] * 100_000
    lie = struct.pack("<4s4H2LH", b"PK\x05\x06", 0, 0, 1, 1, len(rows), table, 0)
    began = time.perf_counter()
    assert refused("plans.zip", made[:table] + rows + lie, tmp_path)[0] == "unsafe-archive"
    assert time.perf_counter() - began < 0.5


@pytest.mark.parametrize(
    ("given", "name"),
    [
        ("cv.pdf", "cv.pdf"),
        ("../../etc/passwd.pdf", "passwd.pdf"),
        ("C:\\Users\\jo\\cv.pdf", "cv.pdf"),
        ("/absolute/cv.pdf", "cv.pdf"),
        ("cv\u202efdp.exe", "cvfdp.exe"),
        ("c\u200bv\u0007.pdf", "cv.pdf"),
        ("  cv   of  us .pdf ", "cv of us .pdf"),
        ("Lebenslauf für Łódź.pdf", "Lebenslauf für Łódź.pdf"),
        ("سيرة ذاتية.pdf", "سيرة ذاتية.pdf"),
        ("e\u0301.pdf", "é.pdf"),
        ("a" * (LONGEST_NAME - 4) + ".pdf", "a" * (LONGEST_NAME - 4) + ".pdf"),
        (".htaccess", ".htaccess"),
    ],
)
def test_a_file_name_is_kept_without_folders_and_tricks(given: str, name: str) -> None:
    assert clean_name("attachments[0]", given) == name


@pytest.mark.parametrize("given", ["x\0.pdf", "a" * 147 + ".pdf", "a" * 300, "..", "/", "a/", "\u202e", " . ", "\\"])
def test_a_file_name_that_is_none_is_refused(given: str) -> None:
    with pytest.raises(LeadRefused) as refused:
        clean_name("attachments[0]", given)
    assert refused.value.code == "invalid-value"

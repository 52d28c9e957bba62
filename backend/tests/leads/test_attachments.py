import struct
import time
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import pytest
from openpyxl import Workbook

from portolan.leads.attachments import EXTENSIONS, LONGEST_NAME, check_attachment, clean_name
from portolan.leads.refusals import LeadRefused

from .conftest import DOC, DOCX, GOOD_FILES, JPG, OFFICE, PDF, PNG, RELATION, XLSX, ZIP, archive, office


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
        ("cv.odt", archive({"mimetype": b"application/vnd.oasis.opendocument.text"})),
        ("cv.odt", archive({"mimetype": b"application/vnd.oasis.opendocument.text" * 9, "content.xml": b""})),
        ("cv.docx", archive({"[Content_Types].xml": b"<Types/>", "word/document.xml": b"<w:document/>"})),
        ("cv.docx", office("spreadsheetml.sheet", "word/document.xml")),
        ("cv.pdf", b"#!/bin/sh\n" + PDF),
        ("cv.pdf", b"\x7fELF" + PDF),
        ("cv.pdf", b" " * 1024 + PDF),
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


TYPES = "http://schemas.openxmlformats.org/package/2006/content-types"
RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
WORD_MAIN = "application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"


def docx(main: str = WORD_MAIN, more: str = "", relation: str = "", encoding: str = "utf-8", **parts: bytes) -> bytes:
    types = (
        f'<?xml version="1.0" encoding="{encoding}"?><Types xmlns="{TYPES}">'
        f'<Override PartName="/word/document.xml" ContentType="{main}"/>{more}</Types>'
    )
    relations = f'<Relationships xmlns="{RELATIONS}">{relation}</Relationships>'
    return archive(
        {
            "[Content_Types].xml": types.encode(encoding),
            "_rels/.rels": f'<Relationships><Relationship Type="{RELATION}" Target="word/document.xml"/></Relationships>'.encode(),
            "word/document.xml": b"<w:document/>",
            "word/_rels/document.xml.rels": relations.encode(),
            **{name.replace("__", "/").replace("_", ".", 1): data for name, data in parts.items()},
        }
    )


def odt(*names: str) -> bytes:
    kind = {"mimetype": b"application/vnd.oasis.opendocument.text", "content.xml": b"<x/>"}
    return archive({**kind, **dict.fromkeys(names, b"")}, packed=False)


VBA = "application/vnd.ms-office.vbaProject"
VBA_RELATION = "http://schemas.microsoft.com/office/2006/relationships/vbaProject"
ESCAPED = "application/vnd.ms-word.document.&#109;acroEnabled.main+xml"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("cv.docx", docx(main="application/vnd.ms-word.document.macroEnabled.main+xml")),  # a renamed docm
        ("cv.docx", docx(main="application/vnd.ms-word.template.MACROENABLEDTEMPLATE.main+xml")),
        ("cv.docx", docx(main=ESCAPED)),
        ("cv.docx", docx(main=ESCAPED, encoding="utf-16")),
        ("cv.docx", docx(more=f'<Override PartName="/word/theme.bin" ContentType="{VBA}"/>')),
        ("cv.docx", docx(more=f'<Default Extension="bin" ContentType="{VBA}"/>')),
        (
            "cv.docx",
            docx(more='<Default Extension="docm" ContentType="application/vnd.ms-word.document.macroEnabled.12"/>'),
        ),
        ("cv.docx", docx(relation=f'<Relationship Id="r" Type="{VBA_RELATION}" Target="theme.bin"/>')),
        ("cv.docx", docx(word__VBAPROJECT_BIN=b"\0")),
        ("cv.docx", docx(more="<")),
        ("cv.docx", archive({"[Content_Types].xml": b" " * (5 << 20), "word/document.xml": b""}, packed=False)),
        ("cv.docx", docx(relation=f'<Relationship ContentType="a" Type="{VBA_RELATION}"/>')),
        (
            "rates.xlsx",
            archive({"[Content_Types].xml": b"<Types/>", "xl/workbook.xml": b"", "xl/macrosheets/sheet1.xml": b""}),
        ),
        ("rates.xlsx", archive({"[Content_Types].xml": b"<Types/>", "xl/workbook.xml": b"", "xl/vbaProject.bin": b""})),
        ("cv.odt", odt("Basic/script-lc.xml", "Basic/Standard/Module1.xml")),
        ("cv.odt", odt("Scripts/python/run.py")),
        ("cv.doc", DOC + "_VBA_PROJECT".encode("utf-16-le")),
        ("cv.doc", DOC + "_vba_Project".encode("utf-16-le")),
    ],
)
def test_a_document_with_macros_is_not_taken_whatever_it_is_called(name: str, data: bytes, tmp_path: Path) -> None:
    assert refused(name, data, tmp_path)[0] == "unsupported-file"


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("cv.docx", docx()),
        ("cv.docx", docx(encoding="utf-16")),
        ("cv.docx", docx(relation='<Relationship Id="r" Type="http://example.com/x" Target="vbaProject.bin"/>')),
        (
            "cv.odt",
            odt("Basic/script-lc.xml", "Basic/Standard/script-lb.xml"),
        ),  # LibreOffice writes these without macros too
    ],
)
def test_a_document_without_macros_is_taken(name: str, data: bytes, tmp_path: Path) -> None:
    check(name, data, tmp_path)


def moved(data: bytes, old: str, new: str) -> bytes:
    """A document whose part has another name only in the archive."""
    with ZipFile(BytesIO(data)) as made:
        return archive({(new if name == old else name): made.read(name) for name in made.namelist()})


def described(data: bytes) -> bytes:
    """Return the archive as written to a pipe: sizes follow each file, and are in the table at the end."""

    class Pipe(BytesIO):
        def seek(self, *_: int) -> int:
            raise OSError

    file = Pipe()
    with ZipFile(BytesIO(data)) as made, ZipFile(file, "w", ZIP_DEFLATED) as piped:
        for name in made.namelist():
            piped.writestr(name, made.read(name))
    assert b"PK\x07\x08" in file.getvalue()
    return file.getvalue()


def ended_as_large(data: bytes) -> bytes:
    """The archive with the end of an archive of more than 4 GiB."""
    end = data.rindex(b"PK\x05\x06")
    entries, size, start = struct.unpack("<HLL", data[end + 10 : end + 20])
    record = struct.pack("<4sQ2H2L4Q", b"PK\x06\x06", 44, 45, 45, 0, 0, entries, entries, size, start)
    locator = struct.pack("<4sLQL", b"PK\x06\x07", 0, end, 1)
    return data[:end] + record + locator + data[end:]


WORD = "wordprocessingml.document"
ODT_TYPE = b"application/vnd.oasis.opendocument.text"
MANIFEST = b'<m:manifest xmlns:m="urn:x"><m:file-entry m:full-path="/" m:media-type="%s"/></m:manifest>' % ODT_TYPE


@pytest.mark.parametrize(
    ("name", "data"),
    [
        ("cv.docx", office(WORD, "word/document2.xml")),  # Word Online
        ("cv.docx", office(WORD, "content/main.xml")),
        ("cv.docx", moved(office(WORD, "word/document.xml"), "word/document.xml", "Word/Document.xml")),
        ("cv.docx", moved(office(WORD, "word/document.xml"), "word/document.xml", "word\\document.xml")),
        ("cv.docx", moved(office(WORD, "word/document.xml"), "[Content_Types].xml", "[content_types].xml")),
        ("cv.docx", office("wordprocessingml.template", "word/document.xml")),
        ("cv.docx", described(DOCX)),
        ("cv.docx", ended_as_large(DOCX)),
        (
            "cv.docx",  # ISO's strict variant, with the part's type by its ending
            archive(
                {
                    "[Content_Types].xml": f'<Types><Default Extension="xml" ContentType="{OFFICE}.{WORD}.main+xml"/></Types>'.encode(),
                    "_rels/.rels": b'<Relationships><Relationship Target="/word/a%20b.xml" '
                    b'Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument"/></Relationships>',
                    "word/a b.xml": b"<x/>",
                }
            ),
        ),
        ("rates.xlsx", office("spreadsheetml.sheet", "xl/workbook2.xml")),
        ("deck.pptx", office("presentationml.slideshow", "ppt/presentation1.xml")),
        ("cv.odt", archive({"mimetype": ODT_TYPE + b"\n", "content.xml": b"<x/>"})),
        ("cv.odt", archive({"META-INF/manifest.xml": MANIFEST, "content.xml": b"<x/>"})),
        ("cv.odt", described(archive({"mimetype": ODT_TYPE, "content.xml": b"<x/>"}))),
        ("cv.pdf", b"\xef\xbb\xbf" + PDF),
        ("cv.pdf", b"\r\n\r\n" + PDF),
        ("cv.pdf", b"\x1b%-12345X@PJL JOB\r\n" + PDF),
        ("plans.zip", described(ZIP)),
        ("plans.zip", ended_as_large(ZIP)),
    ],
)
def test_a_file_is_read_where_its_readers_look(name: str, data: bytes, tmp_path: Path) -> None:
    check(name, data, tmp_path)


def test_a_workbook_of_another_writer_is_taken(tmp_path: Path) -> None:
    file = BytesIO()
    Workbook().save(file)
    check("rates.xlsx", file.getvalue(), tmp_path)
    assert refused("rates.docx", file.getvalue(), tmp_path)[0] == "unsupported-file"


@pytest.mark.parametrize("kind", ["wordprocessingml.document", "spreadsheetml.sheet"])
def test_macros_are_found_below_any_name(kind: str, tmp_path: Path) -> None:
    data = office(kind, "word/document2.xml", **{"word/theme.bin": b"\0"})
    name = "cv.docx" if kind.startswith("word") else "rates.xlsx"
    check(name, data, tmp_path)
    with ZipFile(BytesIO(data)) as made:
        parts = {each: made.read(each) for each in made.namelist()}
    relation = f'<Relationships><Relationship Type="{VBA_RELATION}" Target="theme.bin"/></Relationships>'
    parts["word/_rels/document2.xml.rels"] = relation.encode()
    assert refused(name, archive(parts), tmp_path)[0] == "unsupported-file"


def test_a_second_table_of_types_does_not_hide_the_first(tmp_path: Path) -> None:
    file = BytesIO()
    macros = docx(main="application/vnd.ms-word.document.macroEnabled.main+xml")
    with ZipFile(BytesIO(macros)) as made, ZipFile(file, "w") as both:
        both.writestr("[Content_Types].xml", made.read("[Content_Types].xml"))
        both.writestr("[content_types].xml", "<Types/>")
        both.writestr("_rels/.rels", made.read("_rels/.rels"))
        both.writestr("word/document.xml", "<w:document/>")
    assert refused("cv.docx", file.getvalue(), tmp_path)[0] == "unsupported-file"


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
    """Return an archive with many table entries for one file: small outside, large inside."""
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
    began = time.thread_time()
    assert refused("plans.zip", made[:table] + rows + lie, tmp_path)[0] == "unsafe-archive"
    assert time.thread_time() - began < 0.5


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

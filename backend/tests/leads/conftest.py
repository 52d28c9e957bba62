"""Leads without HTTP: a store for each test, and a valid form for tests to change."""

from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_STORED, ZipFile

import pytest
from django.core.cache import cache
from pytest_django import Settings

from portolan.leads import accept, housekeeping
from portolan.leads.accept import Post

FORM = {
    "contact[name]": "Head of Operations",
    "contact[email]": "operations@northwind.example",
    "message": "We move containers.",
    "pageUrl": "http://de.localhost:8000/kontakt",
    "privacyAccepted": "true",
    "captchaToken": "no-token",
}
BOUNDARY = "----boundary"

File = tuple[str, str, bytes]
"""Field, file name, contents."""


@pytest.fixture(autouse=True)
def leads_dir(settings: Settings, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    settings.LEADS_DIR = tmp_path / "leads"
    settings.LEADS_SOCKET = tmp_path / "leads.sock"
    monkeypatch.setattr(housekeeping, "_next_at", float("inf"))
    monkeypatch.setattr(accept, "_away_until", 0.0)
    cache.clear()
    yield tmp_path / "leads"
    cache.clear()


def encode(fields: dict[str, str] | list[tuple[str, str]], files: list[File] | None = None) -> bytes:
    """A body as a browser makes it."""
    parts = []
    for name, value in fields.items() if isinstance(fields, dict) else fields:
        parts.append(f'Content-Disposition: form-data; name="{name}"\r\n\r\n'.encode() + value.encode())
    for name, filename, data in files or ():
        head = f'Content-Disposition: form-data; name="{name}"; filename="{filename}"\r\nContent-Type: application/x\r\n\r\n'
        parts.append(head.encode() + data)
    return (
        b"".join(b"--" + BOUNDARY.encode() + b"\r\n" + part + b"\r\n" for part in parts)
        + f"--{BOUNDARY}--\r\n".encode()
    )


def post(
    changes: dict[str, str | None] | None = None,
    files: list[File] | None = None,
    name: str | None = None,
    is_over_limit: bool = False,
) -> Post:
    """Return the form above with ``changes``. None leaves a field out."""
    fields = {key: value for key, value in {**FORM, **(changes or {})}.items() if value is not None}
    return raw_post(encode(fields, files), name=name, is_over_limit=is_over_limit)


def raw_post(
    body: bytes, boundary: str | None = BOUNDARY, name: str | None = None, is_over_limit: bool = False
) -> Post:
    return Post(BytesIO(body).read, boundary, "localhost:8000", name, lambda: is_over_limit)


def archive(entries: dict[str, bytes], packed: bool = True) -> bytes:
    file = BytesIO()
    with ZipFile(file, "w", ZIP_DEFLATED if packed else ZIP_STORED) as made:
        for name, data in entries.items():
            made.writestr(name, data)
    return file.getvalue()


def stored_files(folder: Path) -> list[Path]:
    return [path for path in folder.rglob("*") if path.is_file()]


OFFICE = "application/vnd.openxmlformats-officedocument"
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/officeDocument"


def office(kind: str, main: str, packed: bool = True, **more: bytes) -> bytes:
    """Return an Office document whose first part is ``main`` of this kind, e.g. ``wordprocessingml.document``."""
    types = f'<Types><Override PartName="/{main}" ContentType="{OFFICE}.{kind}.main+xml"/></Types>'
    relations = f'<Relationships><Relationship Id="r" Type="{RELATION}" Target="{main}"/></Relationships>'
    tables = {"[Content_Types].xml": types.encode(), "_rels/.rels": relations.encode(), main: b"<x/>"}
    return archive({**tables, **more}, packed)


DOCX = office("wordprocessingml.document", "word/document.xml")
XLSX = office("spreadsheetml.sheet", "xl/workbook.xml")
PPTX = office("presentationml.presentation", "ppt/presentation.xml")
ODT = archive({"mimetype": b"application/vnd.oasis.opendocument.text", "content.xml": b"<x/>"}, packed=False)
DOC = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 504 + "WordDocument".encode("utf-16-le") + b"\0" * 512
PDF = b"%PDF-1.7\n%\xe2\xe3\xcf\xd3\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n"
PNG = b"\x89PNG\r\n\x1a\n" + b"\0" * 25
JPG = b"\xff\xd8\xff\xe0\0\x10JFIF\0" + b"\0" * 20
ZIP = archive({"plans/readme.txt": b"Two berths."})
GOOD_FILES = {
    "cv.pdf": PDF,
    "cv.doc": DOC,
    "cv.docx": DOCX,
    "cv.odt": ODT,
    "rates.xlsx": XLSX,
    "deck.pptx": PPTX,
    "notes.txt": "Zwei Anlegeplätze.\r\n".encode(),
    "berth.png": PNG,
    "berth.jpg": JPG,
    "berth.JPEG": JPG,
    "plans.zip": ZIP,
}

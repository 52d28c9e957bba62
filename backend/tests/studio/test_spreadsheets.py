"""Files that the studio's lists are downloaded as."""

from io import BytesIO

import pytest
from django.contrib.auth.models import User
from django.forms import CharField, Form, Textarea
from django.test import Client
from django.urls import reverse
from openpyxl import load_workbook
from wagtail.models import Page

from portolan.accounts.models import SignIn
from portolan.domain.csv_files import read_csv

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sites")]

NAMES = ["=cmd|' /C calc'!A0", "\t@SUM(1+1)", "＝1+1", "a\x0bb"]


@pytest.fixture
def root(client: Client) -> Client:
    client.force_login(User.objects.create_superuser("root"))
    client.defaults["HTTP_HOST"] = "studio.localhost"
    return client


@pytest.fixture
def tried() -> None:
    """A visitor has typed these names at sign-in."""
    for name in NAMES:
        SignIn.objects.create(name=name, client="0" * 32, network="198.51.100.0/24", factor="password", result="wrong")


@pytest.mark.usefixtures("tried")
def test_a_name_that_was_typed_at_the_login_is_no_formula_in_csv(root: Client) -> None:
    text = root.get(reverse("studio_sign_ins"), {"export": "csv"}).getvalue().decode()
    assert text.startswith("\ufeffTime (UTC),Name,")
    found = {row.cells[1] for row in read_csv(text)}
    assert set(NAMES) - {"a\x0bb"} <= found
    for name in ("'=cmd|' /C calc'!A0", "'\t'@SUM(1+1)", "'＝1+1"):
        assert f",{name}," in text


@pytest.mark.usefixtures("tried")
def test_nor_in_a_workbook(root: Client) -> None:
    file = root.get(reverse("studio_sign_ins"), {"export": "xlsx"}).getvalue()
    cells = {row[1].value: row[1] for row in load_workbook(BytesIO(file)).active.iter_rows()}
    assert {*NAMES[:3], "ab"} <= set(cells)
    assert {cell.data_type for cell in cells.values()} == {"s"}
    assert all(cells[name].quotePrefix for name in NAMES[:3])


def test_reports_of_wagtail_have_no_formulas_either(root: Client) -> None:
    page = Page.objects.get(depth=2, title__startswith="") if Page.objects.filter(depth=2).count() == 1 else None
    page = page or Page.objects.filter(depth=2).first()
    Page.objects.filter(pk=page.pk).update(title="=1+1", draft_title="=1+1", locked=True, locked_by=User.objects.get())
    text = root.get(reverse("wagtailadmin_reports:locked_pages"), {"export": "csv"}).getvalue().decode()
    assert text.startswith("\ufeff")
    assert "\n'=1+1," in text


def test_a_text_area_sends_line_feeds() -> None:
    class Typed(Form):
        text = CharField(widget=Textarea, initial="a\nb")

    form = Typed({"text": "a\r\nb"})
    assert form.is_valid()
    assert form.cleaned_data["text"] == "a\nb"
    assert not form.has_changed()

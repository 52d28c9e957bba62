"""While the database is away or of another version, only visitors' forms are accepted, because of the spool."""

import pytest
from django.http import HttpResponse
from django.test import RequestFactory
from django.urls import resolve

from portolan.domain.content_api import INTAKE_PATH
from portolan.domain.plain_forms import FORM_PATH
from portolan.releases.upgrade_lock import UpgradeIsAtWork
from portolan.studio import fitting_database
from portolan.studio.fitting_database import RefuseWrongDatabase


@pytest.fixture
def middleware(monkeypatch: pytest.MonkeyPatch) -> RefuseWrongDatabase:
    def refuse(lock: object) -> None:
        raise UpgradeIsAtWork

    monkeypatch.setattr(fitting_database, "require_fitting_database", refuse)
    return RefuseWrongDatabase(lambda request: HttpResponse("taken"))


@pytest.mark.parametrize("path", [INTAKE_PATH, FORM_PATH])
def test_forms_are_passed_on(middleware: RefuseWrongDatabase, path: str) -> None:
    assert middleware(RequestFactory().post(path)).content == b"taken"


@pytest.mark.parametrize(
    "path", ["/admin/pages/3/edit/", f"{INTAKE_PATH}/more", "/api/integration/views", "/__consent"]
)
def test_whatever_else_is_sent_is_refused(middleware: RefuseWrongDatabase, path: str) -> None:
    with pytest.raises(UpgradeIsAtWork):
        middleware(RequestFactory().post(path))


def test_the_intake_is_where_the_api_has_it() -> None:
    assert resolve(INTAKE_PATH).route.endswith("form-data")

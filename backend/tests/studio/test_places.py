"""Two editors of one page see each other's position."""

from typing import Any

import pytest
from django.contrib.auth.models import User
from django.test import Client
from wagtail.admin.models import EditingSession

from portolan.content.models import LegalPage
from portolan.studio.models import EditingPlace


class Editor:
    def __init__(self, name: str, page: int) -> None:
        self._client = Client(headers={"Host": "studio.localhost"})
        self._client.force_login(User.objects.create_superuser(name, first_name=name.capitalize()))
        self._url = f"/admin/editing-sessions/ping/content/legalpage/{page}/0/"

    def ping(self, **sent: str) -> list[tuple[str, str | None]]:
        """Return the others, with their positions."""
        answer: Any = self._client.post(self._url, sent).json()
        self._url = answer["ping_url"]
        return [(other["user"], other["at"]) for other in answer["other_sessions"]]


@pytest.fixture
def page(homes, add_page):
    return add_page(homes["en"], LegalPage, "imprint", title="Imprint").pk


def test_each_hears_where_the_other_is(page):
    ada, ben = Editor("ada", page), Editor("ben", page)
    assert ada.ping() == []
    assert ben.ping(at="3f0c-1") == [("Ada", None)], "who has not been anywhere yet is nowhere"
    assert ada.ping(at="title") == [("Ben", "3f0c-1")]
    assert ben.ping(at="3f0c-1") == [("Ada", "title")]
    ada.ping(at="3f0c-1")
    assert ben.ping(at="") == [("Ada", "3f0c-1")]
    assert ada.ping() == [("Ben", "3f0c-1")], "what says nothing changes nothing"


def test_only_what_can_be_a_place_is_one(page):
    ada, ben = Editor("ada", page), Editor("ben", page)
    ada.ping(at='"><script>')
    ada.ping(at="x" * 65)
    assert ben.ping() == [("Ada", None)]


def test_a_place_ends_with_its_session(page):
    Editor("ada", page).ping(at="title")
    EditingSession.objects.all().delete()
    assert not EditingPlace.objects.exists()


def test_who_may_not_edit_a_page_hears_nothing(page):
    ada, guest = Editor("ada", page), Editor("gil", page)
    ada.ping(at="title")
    User.objects.filter(username="gil").update(is_superuser=False)
    answer = guest._client.post(guest._url, {"at": "title"})
    assert answer.status_code in (302, 403, 404)
    assert EditingPlace.objects.count() == 1

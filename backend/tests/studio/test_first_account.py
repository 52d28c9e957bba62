import json
import stat

import pytest
from django.contrib.auth import get_user_model

from portolan.studio.first_account import ADMINISTRATOR, EDITOR_OF_DEMO, load_account

pytestmark = pytest.mark.django_db
URL = "http://studio.localhost:8000/admin/"


@pytest.fixture
def file(tmp_path):
    return tmp_path / "var" / "demo-login.json"


def test_the_editor_can_log_in_with_what_the_file_says(file, client):
    assert load_account(file, URL, EDITOR_OF_DEMO)
    login = json.loads(file.read_text())
    assert login["url"] == URL
    assert len(login["password"]) >= 16
    assert client.login(username=login["user"], password=login["password"])


def test_the_file_is_its_owners_alone(file):
    load_account(file, URL, EDITOR_OF_DEMO)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_editor_is_no_superuser(file):
    load_account(file, URL, EDITOR_OF_DEMO)
    user = get_user_model().objects.get()
    assert not user.is_superuser
    assert {str(group.site_role) for group in user.groups.all()} == {"publisher", "lead-handler"}


def test_a_second_run_keeps_the_password(file):
    load_account(file, URL, EDITOR_OF_DEMO)
    before = file.read_text()
    assert not load_account(file, URL, EDITOR_OF_DEMO)
    assert file.read_text() == before


def test_a_lost_file_gives_a_new_password(file, client):
    load_account(file, URL, EDITOR_OF_DEMO)
    first = json.loads(file.read_text())["password"]
    file.unlink()
    assert load_account(file, URL, EDITOR_OF_DEMO)
    second = json.loads(file.read_text())["password"]
    assert second != first
    assert client.login(username="editor", password=second)


def test_another_port_is_told_with_the_same_password(file):
    load_account(file, URL, EDITOR_OF_DEMO)
    first = json.loads(file.read_text())
    load_account(file, "http://studio.localhost:9000/admin/", EDITOR_OF_DEMO)
    assert json.loads(file.read_text()) == {**first, "url": "http://studio.localhost:9000/admin/"}


def test_an_administrator_may_do_everything(file, client):
    load_account(file, URL, ADMINISTRATOR)
    login = json.loads(file.read_text())
    assert client.login(username=login["user"], password=login["password"])
    assert get_user_model().objects.get().is_superuser

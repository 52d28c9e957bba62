import json
import stat

import pytest
from django.contrib.auth import get_user_model

from portolan_dev.seed.editor import load_editor

pytestmark = pytest.mark.django_db
URL = "http://studio.localhost:8000/admin/"


@pytest.fixture
def file(tmp_path):
    return tmp_path / "var" / "demo-login.json"


def test_the_editor_can_log_in_with_what_the_file_says(file, client):
    assert load_editor(file, URL)
    login = json.loads(file.read_text())
    assert login["url"] == URL
    assert len(login["password"]) >= 16
    assert client.login(username=login["user"], password=login["password"])


def test_the_file_is_its_owners_alone(file):
    load_editor(file, URL)
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


def test_the_editor_is_no_superuser(file):
    load_editor(file, URL)
    user = get_user_model().objects.get()
    assert not user.is_superuser
    assert {group.name for group in user.groups.all()} == {"Editors", "Leads"}


def test_a_second_run_keeps_the_password(file):
    load_editor(file, URL)
    before = file.read_text()
    assert not load_editor(file, URL)
    assert file.read_text() == before


def test_a_lost_file_gives_a_new_password(file, client):
    load_editor(file, URL)
    first = json.loads(file.read_text())["password"]
    file.unlink()
    assert load_editor(file, URL)
    second = json.loads(file.read_text())["password"]
    assert second != first
    assert client.login(username="editor", password=second)


def test_another_port_is_told_with_the_same_password(file):
    load_editor(file, URL)
    first = json.loads(file.read_text())
    load_editor(file, "http://studio.localhost:9000/admin/")
    assert json.loads(file.read_text()) == {**first, "url": "http://studio.localhost:9000/admin/"}

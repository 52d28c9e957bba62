"""A form sent after its session ended, or after a new sign-in, is returned with all typed text."""

import re

import pytest
from django.contrib.auth.models import User
from django.test import Client
from django.urls import reverse

pytestmark = pytest.mark.django_db
OURS = {
    "Host": "studio.localhost:8000",
    "Origin": "http://studio.localhost:8000",
    "Accept": "text/html,application/xhtml+xml",
    "Sec-Fetch-Mode": "navigate",
}
TYPED = 'Ships </textarea><script>alert("1")</script>\n\nand harbours'


@pytest.fixture
def person(db) -> User:
    return User.objects.create_superuser("ada", "ada@example.com", "x", first_name="Ada")


def opened(person: User) -> tuple[Client, str]:
    """Return a browser that checks tokens, and the token of its open form."""
    client = Client(enforce_csrf_checks=True)
    client.force_login(person)
    found = client.get(reverse("studio_who"), headers=OURS).json()
    assert found["name"] == "Ada"
    return client, found["token"]


def send(client: Client, token: str, **more: str):
    url = f"{reverse('wagtailadmin_account')}?from=here"
    body = {"csrfmiddlewaretoken": token, "name": TYPED, "ticked": ["1", "2"]}
    return client.post(url, body, headers={**OURS, **more})


def test_after_a_new_sign_in_it_is_handed_back_and_taken_from_there(person):
    client, token = opened(person)
    client.cookies.pop("csrftoken")
    client.get(reverse("studio_who"), headers=OURS)  # as a new sign-in: another secret
    reply = send(client, token)
    page = reply.content.decode()
    assert reply.status_code == 403 and "signed in again" in page
    assert "no-store" in reply["Cache-Control"]
    assert "&lt;script&gt;" in page and "<script>alert" not in page
    assert page.count('<textarea name="ticked" hidden>') == 2
    assert 'action="/admin/account/?from=here"' in page
    (fresh,) = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    assert fresh != token
    assert send(client, fresh).status_code == 200


def test_after_the_session_it_waits_on_the_page_for_a_new_one(person):
    client, token = opened(person)
    client.cookies.pop("sessionid")
    reply = send(client, token, **{"Accept-Language": "de"})
    page = reply.content.decode()
    assert reply.status_code == 403 and "Melden Sie sich in einem neuen Tab an" in page
    assert "and harbours" in page


@pytest.mark.parametrize(
    "foreign",
    [
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Sec-Fetch-Mode": "cors", "Accept": "application/json"},
    ],
)
def test_what_another_page_or_a_script_has_sent_is_shown_to_nobody(person, foreign):
    client, _ = opened(person)
    reply = send(client, "x" * 64, **foreign)
    assert reply.status_code == 403 and b"harbours" not in reply.content
    client.cookies.pop("sessionid")
    assert b"harbours" not in send(client, "x" * 64, **foreign).content


def test_signing_in_itself_is_left_alone(person):
    client = Client(enforce_csrf_checks=True)
    page = client.get(reverse("wagtailadmin_login"), headers=OURS).content.decode()
    token, *_ = re.findall(r'name="csrfmiddlewaretoken" value="(\w+)"', page)
    body = {"csrfmiddlewaretoken": token, "username": "ada", "password": "x"}
    assert client.post(reverse("wagtailadmin_login"), body, headers=OURS).status_code == 302


def test_who_is_not_signed_in_is_nobody():
    assert Client().get(reverse("studio_who"), headers=OURS).status_code == 302

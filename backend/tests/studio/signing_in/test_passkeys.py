"""Passkeys, with a device in software: accepted once, and requested without storing rows."""

import pytest

from portolan.accounts.models import SignIn, StudioSession

from .conftest import PASSWORD, Passkey, is_in, sign_in

DOOR = "/admin/login/passkey/"

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sites")]


@pytest.mark.parametrize("counts", [True, False])
def test_a_passkey_signs_in_and_its_answer_is_taken_once(ada, browser, clock, counts):
    key, client = Passkey(ada, counts), browser()
    answer = key.answer(client.post(f"{DOOR}question/").json())
    question = client.cookies["passkey_question"].value
    clock.pass_by(seconds=2)
    assert client.post(f"{DOOR}answer/", answer, content_type="application/json").json() == {"next": "/admin/"}
    assert is_in(client)
    clock.pass_by(seconds=2)
    thief = browser("192.0.2.66")
    thief.cookies["passkey_question"] = question
    assert thief.post(f"{DOOR}answer/", answer, content_type="application/json").status_code == 400
    assert not is_in(thief)
    assert key.use(thief).status_code == 200, "a new question is answered"


def test_a_passkey_is_the_second_step_too(ada, browser):
    key, client = Passkey(ada), browser()
    sign_in(client)
    assert not is_in(client)
    assert key.use(client).status_code == 200
    assert is_in(client)
    assert [(each.result, each.factor) for each in SignIn.objects.all()] == [("done", "key")]


def test_the_last_way_in_is_not_removed(ada, browser):
    key, client = Passkey(ada), browser()
    own = f"/admin/account/signing-in/{ada.second_factors.get().pk}/remove/"
    key.use(client)
    ada.set_unusable_password()
    ada.save()
    key.use(client)
    client.post(own)
    assert ada.second_factors.exists()
    ada.set_password(PASSWORD)
    ada.save()
    key.use(client)
    client.post(own)
    assert not ada.second_factors.exists()


def test_an_answer_is_of_no_use_to_another_question_or_page(ada, browser):
    key, client = Passkey(ada), browser()
    first, second = (client.post(f"{DOOR}question/").json() for _ in range(2))
    for answer in (key.answer(first), key.answer(second, origin="https://studio.example")):
        assert client.post(f"{DOOR}answer/", answer, content_type="application/json").status_code == 400
    unasked = browser()
    assert unasked.post(f"{DOOR}answer/", key.answer(second), content_type="application/json").status_code == 400


def test_who_only_asks_leaves_no_row(db, browser):
    client = browser()
    for _ in range(3):
        assert client.post(f"{DOOR}question/").status_code == 200
        client.cookies.clear()
    assert (StudioSession.objects.count(), SignIn.objects.count()) == (0, 0)


@pytest.mark.parametrize(
    "sent",
    [b"", b"[]", b"{}", b"3", b'{"rawId": 3}', b"\xff", b"[" * 100_000, b'{"a":' * 100_000,
     b'{"id": "YQ", "rawId": "YQ", "type": "public-key", "response": {}}'],
    ids=lambda sent: repr(sent[:24]),
)  # fmt: skip
@pytest.mark.parametrize("door", [DOOR, "/admin/login/set-up/passkey/"])
def test_what_no_browser_sends_is_refused(ada, browser, sent, door):
    client = browser()
    if door != DOOR:
        sign_in(client)
    assert client.post(f"{door}question/").status_code == 200
    reply = client.post(f"{door}answer/", sent, content_type="application/json")
    assert reply.status_code == 400
    assert "Try again" in reply.json()["error"]

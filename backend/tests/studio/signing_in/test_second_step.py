"""Two-factor authentication: a code works once, is required of all accounts if configured, and has no bypass."""

import re
from datetime import timedelta

import pyotp
import pytest
from django.contrib.auth.models import User

from portolan.accounts.models import RecoveryCode, SecondFactor, SignIn
from portolan.accounts.second_factors import make_recovery_codes
from portolan.domain.sign_in_limits import CODE_LIMIT
from portolan.studio.signing_in.steps import MOST_WRONG

from .conftest import LOGIN, add_app, is_in, sign_in

STEP, SET_UP = "/admin/login/second-step/", "/admin/login/set-up/"
OWN = "/admin/account/signing-in/"

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sites")]


def test_the_password_alone_lets_nobody_in(ada, browser, clock):
    app, client = add_app(ada), browser()
    reply = sign_in(client, next="/admin/account/")
    assert reply.url == STEP
    assert not is_in(client)
    assert "six digits" in client.get(STEP).content.decode()
    reply = client.post(STEP, {"code": app.at(clock.now)})
    assert reply.url == "/admin/account/"
    assert is_in(client)
    assert [(each.result, each.factor) for each in SignIn.objects.all()] == [("done", "code")]


def test_a_code_is_taken_once_and_only_while_it_is_new(ada, browser, clock):
    app = add_app(ada)
    first, second = browser("192.0.2.1"), browser("192.0.2.2")
    code = app.at(clock.now)
    for client in (first, second):
        sign_in(client)
    assert first.post(STEP, {"code": code}).status_code == 302
    assert second.post(STEP, {"code": code}).status_code == 400
    clock.pass_by(seconds=30)
    assert second.post(STEP, {"code": app.at(clock.now - timedelta(seconds=90))}).status_code == 400
    assert second.post(STEP, {"code": f" {app.at(clock.now)[:3]} {app.at(clock.now)[3:]} "}).status_code == 302


def test_a_recovery_code_stands_in_once(ada, browser):
    add_app(ada)
    codes = make_recovery_codes(ada)
    assert not any(code.replace("-", "") in each.digest for code in codes for each in RecoveryCode.objects.all())
    for number, lets_in in ((0, True), (0, False), (1, True)):
        client = browser()
        sign_in(client)
        client.post(STEP, {"code": codes[number].lower()})
        assert is_in(client) == lets_in
    assert RecoveryCode.objects.count() == 8
    assert {each.factor for each in SignIn.objects.filter(result="done")} == {"recovery"}


def test_after_some_wrong_codes_the_password_is_asked_for_again(ada, browser):
    add_app(ada)
    client = browser()
    sign_in(client)
    replies = [client.post(STEP, {"code": "000000"}) for _ in range(MOST_WRONG)]
    assert [reply.status_code for reply in replies] == [400] * (MOST_WRONG - 1) + [302]
    assert replies[-1].url == LOGIN
    assert client.get(STEP).url == LOGIN


def test_codes_are_guessed_slowly_from_wherever(ada, browser, clock):
    app = add_app(ada)
    for number in range(CODE_LIMIT.failures):
        client = browser(f"192.0.2.{number}")
        sign_in(client)
        client.post(STEP, {"code": "000000"})
    client = browser("192.0.2.200")
    sign_in(client)
    reply = client.post(STEP, {"code": app.at(clock.now)})
    assert reply.status_code == 429
    assert int(reply["Retry-After"]) > 3000


def test_the_first_step_is_good_for_ten_minutes_and_for_that_password(ada, browser, clock):
    app = add_app(ada)
    client = browser()
    sign_in(client)
    clock.pass_by(minutes=10, seconds=1)
    assert client.post(STEP, {"code": app.at(clock.now)}).url == LOGIN
    sign_in(client)
    ada.set_password("another one, quite long")
    ada.save()
    assert client.post(STEP, {"code": app.at(clock.now)}).url == LOGIN


def test_where_it_is_required_it_is_set_up_before_anything_else(ada, browser, clock, settings):
    settings.SECOND_FACTOR = "required"
    client = browser()
    assert sign_in(client).url == SET_UP
    assert not is_in(client)
    page = client.get(SET_UP).content.decode()
    assert "requires a second factor" in page
    assert "<svg" in page
    key = re.search(r"<code>([A-Z2-7 ]+)</code>", page)[1].replace(" ", "")

    assert client.post(SET_UP, {"code": "000000"}).status_code == 400
    reply = client.post(SET_UP, {"code": pyotp.TOTP(key).at(clock.now)})
    assert reply.url == f"{OWN}recovery-codes/"
    assert is_in(client)
    codes = re.findall(r"<code>([A-Z2-9-]{19})</code>", client.post(reply.url).content.decode())
    assert len(codes) == 10
    other = browser("192.0.2.99")
    assert sign_in(other).url == STEP
    other.post(STEP, {"code": codes[3]})
    assert is_in(other)


def test_where_it_is_off_nobody_is_asked(ada, browser, settings):
    add_app(ada)
    settings.SECOND_FACTOR = "off"
    client = browser()
    sign_in(client)
    assert is_in(client)
    assert client.get(SET_UP).status_code == 404
    assert client.post("/admin/login/passkey/question/").status_code == 404
    assert "passkey" not in browser().get(LOGIN).content.decode().lower().replace("passkey.js", "")


def test_whoever_has_one_cannot_set_up_another_with_the_password_alone(ada, browser):
    add_app(ada)
    client = browser()
    sign_in(client)
    assert client.get(SET_UP).url == LOGIN
    assert client.post("/admin/login/set-up/passkey/question/").status_code == 403
    assert SecondFactor.objects.count() == 1


def test_a_browser_that_was_left_signed_in_does_not_give_the_account_away(ada, browser, clock):
    client = browser()
    sign_in(client)
    app = add_app(ada)
    clock.pass_by(minutes=16)
    for reply in (
        client.get(SET_UP),
        client.post(f"{OWN}{SecondFactor.objects.get().pk}/remove/"),
        client.post(f"{OWN}recovery-codes/"),
    ):
        assert reply.url.startswith(f"{OWN}confirm/?next=")
    confirm = f"{OWN}confirm/"
    assert client.post(confirm, {"password": "wrong", "next": SET_UP}).status_code == 400
    assert client.post(confirm, {"password": "correct horse battery", "next": "https://evil.example/"}).url == OWN
    assert client.post(f"{OWN}{SecondFactor.objects.get().pk}/remove/").url == OWN
    assert not SecondFactor.objects.exists()
    assert app.secret


def test_nobody_removes_somebody_else_s(ada, browser):
    other = User.objects.create_user("grace")
    add_app(other)
    client = browser()
    sign_in(client)
    assert client.post(f"{OWN}{SecondFactor.objects.get().pk}/remove/").status_code == 404

"""When sessions end, and who ends them."""

from datetime import timedelta

import pytest
from django.contrib.auth.models import User

from portolan.accounts import endings
from portolan.accounts.models import SignIn, StudioSession

from .conftest import PASSWORD, add_app, is_in, sign_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sites")]


def test_a_session_ends_two_hours_after_the_last_request_and_twelve_after_signing_in(ada, browser, clock):
    client = browser()
    sign_in(client)
    for _ in range(6):
        clock.pass_by(minutes=119)
        assert is_in(client)
    clock.pass_by(minutes=7)
    assert not is_in(client)
    sign_in(client)
    clock.pass_by(minutes=121)
    assert not is_in(client)


def test_the_cookie_lasts_no_longer_and_no_script_reads_it(ada, browser, clock):
    reply = sign_in(browser())
    cookie = reply.cookies["sessionid"]
    assert cookie["max-age"] == 12 * 60 * 60
    assert cookie["httponly"]
    assert cookie["samesite"] == "Lax"


def test_the_key_changes_with_each_step(ada, browser, clock):
    app, client = add_app(ada), browser()
    client.post("/admin/login/passkey/question/")
    keys = [client.session.session_key]
    sign_in(client)
    keys.append(client.session.session_key)
    client.post("/admin/login/second-step/", {"code": app.at(clock.now)})
    keys.append(client.session.session_key)
    assert len(set(keys)) == 3
    assert list(StudioSession.objects.values_list("session_key", "user")) == [(keys[-1], ada.pk)]


def test_signing_out_everywhere_ends_the_other_sessions(ada, browser):
    here, there = browser("192.0.2.1"), browser("198.51.100.1")
    for client in (here, there):
        sign_in(client)
    page = here.get("/admin/account/signing-in/").content.decode()
    assert "198.51.100.0/24" in page
    assert page.count("(this browser)") == 1
    here.post("/admin/account/signing-in/sign-out-elsewhere/")
    assert (is_in(here), is_in(there)) == (True, False)


def test_a_changed_password_ends_the_others(ada, browser):
    here, there = browser("192.0.2.1"), browser("192.0.2.2")
    for client in (here, there):
        sign_in(client)
    new = "another one, quite long"
    here.post("/admin/account/signing-in/password/", {"new_password1": new, "new_password2": new})
    ada.refresh_from_db()
    assert ada.check_password(new)
    assert (is_in(here), is_in(there)) == (True, False)


def test_whoever_is_disabled_is_out_at_once(ada, browser):
    client = browser()
    sign_in(client)
    ada.is_active = False
    ada.save()
    assert not StudioSession.objects.filter(user=ada).exists()
    assert not is_in(client)
    assert sign_in(client).context["form"].non_field_errors()


def test_whoever_may_not_use_the_studio_is_told_no_more_than_others(browser, db):
    User.objects.create_user("grace", password=PASSWORD)
    client = browser()
    reply = sign_in(client, name="grace")
    assert "didn't match" in reply.content.decode() or "didn&#x27;t match" in reply.content.decode()
    assert SignIn.objects.get().result == SignIn.Result.WRONG_PASSWORD


def test_what_is_over_is_removed(ada, browser, clock, settings, monkeypatch):
    settings.SIGN_INS_KEPT_DAYS = 30
    sign_in(browser())
    clock.pass_by(days=29)
    sign_in(browser())
    endings.prune()
    assert (StudioSession.objects.count(), SignIn.objects.count()) == (1, 2)
    clock.pass_by(days=2)
    monkeypatch.setattr(endings, "_next_at", 0.0)
    endings.tidy()
    assert (StudioSession.objects.count(), SignIn.objects.count()) == (0, 1)


def test_of_what_failed_the_newest_are_kept(clock, monkeypatch, db):
    monkeypatch.setattr(endings, "MOST_FAILURES", 3)
    for number in range(6):
        at = clock.now - timedelta(minutes=number)
        SignIn.objects.create(at=at, name=str(number), client="c", result=SignIn.Result.WRONG_PASSWORD)
        SignIn.objects.create(at=at, name=f"done {number}", client="c", result=SignIn.Result.DONE)
    endings.prune()
    assert set(SignIn.objects.exclude(result="done").values_list("name", flat=True)) == {"0", "1", "2"}
    assert SignIn.objects.filter(result="done").count() == 6

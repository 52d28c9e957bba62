"""The log of sign-ins, and administrators' actions for other accounts."""

import pytest
from django.contrib.auth.models import Permission, User
from django.urls import reverse

from portolan.accounts.models import SecondFactor, SignIn
from portolan.domain.csv_files import read_csv

from .conftest import PASSWORD, add_app, is_in, sign_in

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sites")]


@pytest.fixture
def root(browser):
    User.objects.create_superuser("root", password=PASSWORD)
    client = browser("192.0.2.250")
    sign_in(client, name="root")
    return client


def test_the_log_says_when_who_from_where_with_what_and_whether(ada, browser, root):
    sign_in(browser("198.51.100.77"), "wrong")
    sign_in(browser("2001:db8:1:2::3"), name="Nobody")
    page = root.get(reverse("studio_sign_ins")).content.decode()
    assert "198.51.100.0/24" in page
    assert "198.51.100.77" not in page
    assert "2001:db8:1::/48" in page
    assert "nobody" in page
    _, *rows = read_csv(root.get(reverse("studio_sign_ins") + "?export=csv").getvalue().decode())
    assert [(row.cells[1], row.cells[4]) for row in rows] == [
        ("nobody", "Wrong name or password"),
        ("ada", "Wrong name or password"),
        ("root", "Signed in"),
    ]


def test_the_log_is_for_administrators_alone(ada, browser):
    ada.user_permissions.set(Permission.objects.filter(codename__in=("change_user", "view_user")))
    client = browser()
    sign_in(client)
    assert client.get(reverse("studio_sign_ins")).status_code in (302, 403)
    assert "Sign-ins" not in client.get("/admin/").content.decode()


@pytest.mark.parametrize(
    ("action", "factors", "still_in"), [("reset", 0, False), ("sign-out", 1, False), ("", 1, True)]
)
def test_an_administrator_resets_and_signs_out(ada, browser, root, clock, action, factors, still_in):
    client = browser()
    app = add_app(ada)
    sign_in(client)
    client.post("/admin/login/second-step/", {"code": app.at(clock.now)})
    person = reverse("studio_person_signing_in", args=[ada.pk])
    assert "Reset second factor" in root.get(person).content.decode()
    root.post(person, {"action": action})
    assert SecondFactor.objects.count() == factors
    assert is_in(client) == still_in


def test_an_administrator_lets_somebody_try_again(ada, browser, root):
    client = browser()
    for _ in range(6):
        sign_in(client, "wrong")
    person = reverse("studio_person_signing_in", args=[ada.pk])
    assert "Unlock name" in root.get(person).content.decode()
    root.post(person, {"action": "unlock"})
    assert sign_in(client).status_code == 302
    assert not SignIn.objects.filter(name="ada", result=SignIn.Result.WRONG_PASSWORD).exists()


def test_it_is_found_in_the_list_of_users_and_asks_for_the_password_first(ada, root, clock):
    person = reverse("studio_person_signing_in", args=[ada.pk])
    assert person in root.get(reverse("wagtailusers_users:index")).content.decode()
    add_app(ada)
    clock.pass_by(minutes=20)
    assert "/confirm/" in root.post(person, {"action": "reset"}).url
    assert SecondFactor.objects.exists()


def test_only_administrators_look_after_administrators(ada, browser, root):
    ada.user_permissions.set(Permission.objects.filter(codename="change_user"))
    client = browser()
    sign_in(client)
    person = reverse("studio_person_signing_in", args=[User.objects.get(username="root").pk])
    for reply in (client.get(person), client.post(person, {"action": "sign-out"})):
        assert reply.status_code in (302, 403)
    assert is_in(root)

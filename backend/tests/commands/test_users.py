"""``portolan users``: accounts from the command line."""

import re

import pytest
from click.testing import CliRunner, Result
from django.contrib.auth.models import User
from django.test import Client

from portolan.accounts.models import ProviderAccount, ProviderInvitation, SecondFactor, SignIn, StudioSession
from portolan.accounts.provider_accounts import count_locked_out
from portolan.commands.users import command

pytestmark = [pytest.mark.django_db, pytest.mark.usefixtures("sites")]
NEW = "a horse on a staple"


def run(*arguments: str, typed: str = "") -> Result:
    return CliRunner().invoke(command, arguments, input=typed)


@pytest.fixture
def browser() -> Client:
    return Client(headers={"host": "studio.localhost:8000"})


@pytest.fixture
def ada() -> User:
    return User.objects.create_user("ada", password="correct horse battery")


def choose_password(browser: Client, link: str) -> None:
    path = re.sub("^http://[^/]*", "", link.strip())
    form = browser.get(path, follow=True)
    assert form.status_code == 200
    browser.post(form.redirect_chain[-1][0], {"new_password1": NEW, "new_password2": NEW})


def sign_in(browser: Client, password: str, name: str = "ada") -> bool:
    browser.post("/admin/login/", {"username": name, "password": password})
    return bool(browser.get("/admin/").status_code == 200)


def test_a_new_editor_chooses_a_password_by_the_link_once(browser: Client) -> None:
    made = run("add", "grace", "--full-name", "Grace Hopper", "--email", "grace@brightmoor.example")
    assert made.exit_code == 0, made.output
    assert made.stdout.startswith("http://studio.localhost:8000/admin/login/password/")
    choose_password(browser, made.stdout)
    assert sign_in(browser, NEW, "grace")
    grace = User.objects.get(username="grace")
    assert (grace.get_full_name(), grace.is_superuser) == ("Grace Hopper", False)
    assert [group.name for group in grace.groups.all()] == ["Publishers · all sites"]
    again = Client(headers={"host": "studio.localhost:8000"}).get(
        made.stdout.strip().partition(":8000")[2], follow=True
    )
    assert "This link does not work" in again.content.decode()


@pytest.mark.parametrize(
    ("arguments", "said"),
    [(["add", "Ada"], "already"), (["add", "a b"], "cannot be created"), (["disable", "nobody"], "no account nobody"),
     (["set-address", "ada", "Grace@B.example"], "Another account"), (["set-address", "ada", "nowhere"], "not an e-mail"),
     (["add", "eve", "--email", "grace@B.EXAMPLE"], "Another account"), (["allow-sso", "ada"], "has a password or passkey"),
     (["allow-sso"], "Give names"), (["sign-out"], "Give a name"), (["sign-out", "ada", "--everybody"], "Give a name")],
)  # fmt: skip
def test_what_cannot_be_done_is_said(ada: User, arguments: list[str], said: str) -> None:
    User.objects.create_user("grace", "grace@b.example")
    result = run(*arguments)
    assert result.exit_code != 0
    assert said in result.output


def test_a_password_is_taken_away_or_set(ada: User, browser: Client) -> None:
    browser.force_login(ada)
    link = run("set-password", "ada").stdout
    ada.refresh_from_db()
    assert not ada.has_usable_password()
    assert not StudioSession.objects.exists()
    choose_password(browser, link)
    ada.refresh_from_db()
    assert ada.check_password(NEW)
    set_here = run("set-password", "ada", "--prompt", typed="another one, quite long\n" * 2)
    assert "another one" not in set_here.output
    ada.refresh_from_db()
    assert ada.check_password("another one, quite long")
    assert "too common" in run("set-password", "ada", "--prompt", typed="password123\n" * 2).output
    ada.refresh_from_db()
    assert ada.check_password("another one, quite long")


def test_who_is_disabled_is_out_and_may_come_back(ada: User, browser: Client) -> None:
    browser.force_login(ada)
    assert run("disable", "ada").exit_code == 0
    assert not StudioSession.objects.exists()
    assert "DISABLED" in run("list").stdout
    run("enable", "ada")
    ada.refresh_from_db()
    assert ada.is_active


@pytest.mark.postgres
def test_the_last_administrator_cannot_be_disabled(ada: User) -> None:
    User.objects.create_superuser("root")
    assert "the last superuser" in run("disable", "root").output
    ada.is_superuser = True
    ada.save()
    assert run("disable", "root").exit_code == 0


@pytest.mark.postgres
def test_factors_locks_and_sessions_are_listed_and_ended(ada: User, browser: Client) -> None:
    browser.force_login(ada)
    SecondFactor.objects.create(user=ada, kind="app", name="App", secret="SECRETSECRET")
    for _ in range(5):
        SignIn.objects.create(name="ada", client="c", result=SignIn.Result.WRONG_PASSWORD)
    listed = run("list").stdout
    assert "ada  no role; 1 second factor; last in 20" in listed
    assert "1 session; LOCKED" in listed
    assert "SECRET" not in listed
    assert "5 failed sign-ins cleared" in run("unlock", "ada").stdout
    assert "LOCKED" not in run("list").stdout
    assert "1 session of ada ended" in run("sign-out", "ada").stdout
    assert "1 second factor of ada removed" in run("reset-second-factor", "ada").stdout
    assert not SecondFactor.objects.exists()
    browser.force_login(ada)
    assert "1 session ended" in run("sign-out", "--everybody").stdout


def test_roles_are_given_by_site_and_listed(ada: User) -> None:
    assert run("set-roles", "ada", "editor:de", "leads").stdout == "ada: editor:de, lead-handler.\n"
    assert "ada  editor:de, lead-handler; " in run("list").stdout
    assert run("set-roles", "ada").stdout == "ada: no role.\n"
    assert "There is no role 'boss'" in run("set-roles", "ada", "boss").output
    assert "There is no site 'atlantis'" in run("set-roles", "ada", "editor:atlantis").output


def test_an_address_is_set_and_ends_what_the_old_one_was_for(ada: User) -> None:
    ProviderInvitation.objects.create(user=ada, email="ada@b.example", until="2999-01-01T00:00Z")
    assert "Ada@xn--mller-kva.example" in run("set-address", "ada", "Ada@Müller.example").output
    assert User.objects.get().email == "Ada@xn--mller-kva.example"
    assert not ProviderInvitation.objects.exists()


def test_an_operator_looks_at_the_addresses_before_single_sign_on_is_allowed(ada: User) -> None:
    for name in ("nina", "none"):
        User.objects.create_user(name, f"{name}@b.example" if name == "nina" else "")
    refused = run("allow-sso", "--everybody", typed="n\n")
    assert "nina  nina@b.example" in refused.output
    assert not ProviderInvitation.objects.exists()
    assert count_locked_out() == 1, "which an upgrade says"
    assert "1 account can be connected" in run("allow-sso", "--everybody", typed="y\n").output
    assert [each.user.username for each in ProviderInvitation.objects.all()] == ["nina"]
    assert count_locked_out() == 0


def test_single_sign_on_is_disconnected(ada: User, browser: Client) -> None:
    browser.force_login(ada)
    ProviderAccount.objects.create(user=ada, issuer="https://id.example", subject="1")
    assert "single sign-on" in run("list").output
    assert run("disconnect-sso", "ada").exit_code == 0
    assert not (ProviderAccount.objects.exists() or StudioSession.objects.exists())
